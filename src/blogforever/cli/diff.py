"""blogforever diff."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import VersionPair, post_versions

from .changes import change_lines
from .configfile import config_flags, load_config
from .grouping import NUMBER
from .terminal import terminal_width

MARKED = re.compile(r"(\[-|\{\+|-\]|\+\})")
CLOSING = ("-]", "+}")
STYLES: dict[str, dict[str, Any]] = {
    "[-": {"fg": "red", "strikethrough": True},
    "{+": {"fg": "green"},
}


@click.command("diff")
@click.argument("url", metavar="URL")
@click.option("--from", "first", type=NUMBER, metavar="N", help="The older version; the one before if not given.")
@click.option("--to", "last", type=NUMBER, metavar="M", help="The newer version; the newest if not given.")
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
    _print_coloured(_lines(post_versions(config.archive, url, first, last)))
    return 0


def _lines(versions: VersionPair) -> Iterable[str]:
    old, new = versions.old, versions.new
    if old.version == new.version:
        return [f"{new.url} has one version only: its author has not changed it since it was first captured."]
    return change_lines(old, new, terminal_width())


def _print_coloured(lines: Iterable[str]) -> None:
    """What was taken out in red, what was put in in green; either may go on over several lines."""
    style: dict[str, Any] = {}
    for line in lines:
        for piece in MARKED.split(line):
            style = STYLES.get(piece, style)
            click.secho(piece, nl=False, **style)
            if piece in CLOSING:
                style = {}
        click.echo()
