"""blogforever show."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import show_post

from .configfile import config_flags, load_config
from .grouping import NUMBER
from .terminal import post_lines, terminal_width


@click.command("show")
@click.argument("url", metavar="URL")
@click.option(
    "--version",
    "number",
    type=NUMBER,
    metavar="N",
    help="As it was in this version; the newest if not given.",
)
@config_flags("archive")
def command(url: str, number: int | None, **flags: Any) -> int:
    """Show a post of the archive in the terminal, with its comments.

    URL is its address, another address that led to it, its id, or its whole title.

    \b
    blogforever show https://some.blog/2013/04/a-post/
    blogforever show "The title of a post" | less
    blogforever show some.blog/2013/04/a-post --version 1
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    post = show_post(config.archive, url, number)
    for place, line in enumerate(post_lines(post, terminal_width())):
        click.secho(line, bold=place == 0)
    return 0
