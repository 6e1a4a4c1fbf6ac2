"""blogforever list."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import list_blogs, list_posts

from .configfile import config_flags, load_config


@click.command("list")
@click.argument("blog", required=False, metavar="[BLOG]")
@config_flags("archive")
def command(blog: str | None, **flags: Any) -> int:
    """List the blogs of the archive, or the posts of one, newest first.

    BLOG is an id, an address, a host or a title.

    \b
    blogforever list
    blogforever list some.blog
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    for line in list_posts(config.archive, blog) if blog else list_blogs(config.archive):
        click.echo(line)
    return 0
