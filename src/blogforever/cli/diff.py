"""blogforever diff."""

from __future__ import annotations

import re
import shutil
from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import post_changes

from .configfile import config_flags, load_config

WIDEST = 88
MARKED = re.compile(r"(\[-|\{\+|-\]|\+\})")
STYLES: dict[str, dict[str, Any]] = {"[-": {"fg": "red", "strikethrough": True}, "{+": {"fg": "green"}}


@click.command("diff")
@click.argument("url", metavar="URL")
@click.option("--from", "first", type=int, metavar="N", help="The older version; the one before if not given.")
@click.option("--to", "last", type=int, metavar="M", help="The newer version; the newest if not given.")
@config_flags("archive")
def command(url: str, first: int | None, last: int | None, **flags: Any) -> int:
    """Show which words of a post its author changed, from one version to another.

    What was taken out stands in [-…-], what was put in in {+…+}.

    \b
    blogforever diff https://some.blog/2013/04/a-post/
    blogforever diff some.blog/2013/04/a-post --from 1 --to 3
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    style: dict[str, Any] = {}
    for line in post_changes(config.archive, url, (first, last), width):
        for piece in MARKED.split(line):
            style = STYLES.get(piece, style)
            click.secho(piece, nl=False, **style)
            style = {} if piece in ("-]", "+}") else style
        click.echo()
    return 0
