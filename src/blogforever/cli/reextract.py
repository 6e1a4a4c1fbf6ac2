"""blogforever reextract."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.reextracting import reextract
from blogforever.archive.stages import load_stages

from .configfile import config_flags, load_config


@click.command("reextract")
@click.argument("blog", required=False, metavar="[BLOG]")
@config_flags("archive", "wait", "log_level", "log_format")
def command(blog: str | None, **flags: Any) -> int:
    """Read every archived post again with the present rules, and say what reads otherwise now.

    Nothing is fetched: the pages come out of the WARC files. Older versions of posts are read again, too. What changes
    is our reading, not the post: no version is added, and the change is kept as an extraction revision. All other
    archived pages are looked at, too: those that the present rules know for posts are added; posts that would not be
    taken for posts any more are named, and kept. BLOG is an id, an address, a host or a title; without it all blogs
    are read. Where the page of a post cannot be read, the exit code is 1.

    \b
    blogforever reextract some.blog
    blogforever rules some.blog --set "h1.headline" --field title && blogforever reextract some.blog
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    reports = reextract(config.archive, blog, stages=load_stages(config), wait=config.wait)
    for report in reports:
        for line in report.lines():
            click.echo(line)
    return 1 if any(report.unread or report.broken for report in reports) else 0
