"""blogforever forget."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import forget_blog
from blogforever.wording import counted

from .configfile import config_flags, load_config
from .working import shown_headway


@click.command("forget")
@click.argument("blog", metavar="BLOG")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@config_flags("archive", "wait", "log_level", "log_format", "quiet")
def command(blog: str, reason: str, **flags: Any) -> int:
    """Remove a blog with everything the archive has of it: WARC files, index, records, rules,
    decisions.

    The journal keeps one line: which blog, when, and why. A backup that is older brings it not
    back: restore leaves out what was forgotten. BLOG is an id, an address, a host or a title.

    \b
    blogforever forget some.blog --reason "the owner asked, letter of 3 May"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway(config.quiet):
        forgotten = forget_blog(config.archive, blog, reason, config.wait)
    click.echo(f"Forgotten: {forgotten.id}, {counted(forgotten.kept, 'post')}.")
    return 0
