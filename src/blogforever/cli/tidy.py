"""blogforever tidy."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.tidying import Tidied, tidy
from blogforever.wording import counted, shown_size

from .configfile import config_flags, load_config
from .working import shown_headway


@click.command("tidy")
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@click.option("--dry-run", "-n", is_flag=True, help="Say what would be joined, and touch nothing.")
@config_flags("archive", "wait", "log_level", "log_format", "quiet")
def command(blogs: tuple[str, ...], **flags: Any) -> int:
    """Join the small WARC files of blogs into larger ones.

    Every update leaves a small file for each blog. Neighbours in time are joined until a file is
    full; records are copied byte by byte, and what repeats another response learns where that lies
    now. Index, digests and database follow, in the store of blobs, too. Where it is cut off, nothing
    is lost, and the next command that writes the blog goes on with it. BLOG is an id, an address, a
    host or a title; without one, all are looked at.

    \b
    blogforever tidy --dry-run
    blogforever tidy
    blogforever tidy some.blog
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    files = joined = 0
    with shown_headway(config.quiet):
        for one in tidy(config.archive, blogs, config.dry_run, config.wait):
            files, joined = files + one.before, joined + one.after
            if one.left or one.before:
                click.echo(_line(one, config.dry_run))
    verb = "would be joined" if config.dry_run else "joined"
    click.echo(f"{counted(files, 'WARC file')} {verb} to {joined:,}." if files else "There is nothing to join.")
    return 0


def _line(one: Tidied, dry_run: bool) -> str:
    """What became of one blog's files, or would."""
    if one.left:
        return f"{one.blog}: left as it is: {one.left}."
    verb = "would be joined" if dry_run else "joined"
    return f"{one.blog}: {counted(one.before, 'file')} ({shown_size(one.size)}) {verb} to {one.after:,}."
