"""blogforever restore."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.rebuilding import restore
from blogforever.archive.stages import load_stages
from blogforever.wording import counted

from .configfile import config_flags, load_config
from .working import shown_headway


@click.command("restore")
@click.argument("source", required=False, metavar="[BACKUP]")
@click.option("--erase-again", is_flag=True, help="Take an older backup, and erase again what was erased since.")
@config_flags("archive", "wait", "log_level", "log_format", "quiet")
def command(source: str | None, erase_again: bool, **flags: Any) -> int:
    """Make an archive anew from a backup, or from the WARC files and the journal in its own folder.

    Every crawl is gone through again in the order of time, without the network: the same responses
    give the same posts, comments, versions and states. What was hidden stays hidden. The folder
    must have no archive.db; a damaged one is moved away first. A backup that is older than an erasure
    of which the journal in the folder knows is refused, unless what was erased goes again.

    \b
    blogforever restore /media/disk/blogs --archive blogs-again
    mv blogs/archive.db blogs/archive.db.damaged && blogforever restore --archive blogs
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    stages = load_stages(config)
    backup = Path(source) if source else None
    with shown_headway(config.quiet):
        done = restore(backup, config.archive, _say_begun, stages, config.wait, erase_again)
    blogs, posts = counted(done.blogs, "blog"), counted(done.posts, "post")
    click.echo(f"{blogs} with {posts} rebuilt in {config.archive}.")
    return 0


def _say_begun(blog: str) -> None:
    click.echo(f"rebuilding {blog}", err=True)
