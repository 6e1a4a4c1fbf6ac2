"""blogforever moves."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.moving import list_moves, undo_move
from blogforever.archive.stages import load_stages

from .configfile import config_flags, load_config


@click.command("moves")
@click.argument("blog", metavar="BLOG")
@click.option("--undo", type=int, metavar="N", help="Undo the move with this number of the list.")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@config_flags("archive", "wait", "log_level", "log_format")
def command(blog: str, undo: int | None, reason: str, **flags: Any) -> int:
    """Show where a blog and its posts have moved, and by which sign they were known again; undo a move.

    A post that is found at a new address keeps its id, and its old address as an alias. Where that was a mistake,
    --undo makes two posts again: each has its own addresses, versions, comments and state. The move of a whole blog to
    another host becomes two blogs; of a move from http to https only the address goes back. The journal keeps the
    decision, so that no later crawl makes them one again. BLOG is an id, an address, a host or a title.

    \b
    blogforever moves some.blog
    blogforever moves some.blog --undo 3 --reason "the second post only quotes the first"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if undo is None:
        lines = list_moves(config.archive, blog)
    else:
        lines = iter([undo_move(config.archive, blog, undo, reason, load_stages(config), config.wait)])
    for line in lines:
        click.echo(line)
    return 0
