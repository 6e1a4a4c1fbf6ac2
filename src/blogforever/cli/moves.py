"""blogforever moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from blogforever import logs
from blogforever.archive.moving import BlogMoves, ListedMove, UndoneMove, list_moves, undo_move
from blogforever.archive.stages import load_stages
from blogforever.wording import counted, day_of, printable

from .configfile import config_flags, load_config
from .grouping import NUMBER


@click.command("moves")
@click.argument("blog", metavar="BLOG")
@click.option("--undo", type=NUMBER, metavar="N", help="Undo the move with this number of the list.")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@config_flags("archive", "wait", "log_level", "log_format")
def command(blog: str, undo: int | None, reason: str, **flags: Any) -> int:
    """Show where a blog and its posts have moved, and by which sign they were known again; undo a
    move.

    A post that is found at a new address keeps its id, and its old address as an alias. Where that
    was a mistake, --undo makes two posts again: each has its own addresses, versions, comments and
    state. The move of a whole blog to another host becomes two blogs; of a move from http to https
    only the address goes back. The journal keeps the decision, so that no later crawl makes them
    one again. BLOG is an id, an address, a host or a title.

    \b
    blogforever moves some.blog
    blogforever moves some.blog --undo 3 --reason "the second post only quotes the first"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if undo is None:
        for line in _lines(list_moves(config.archive, blog)):
            click.echo(line)
    else:
        done = undo_move(config.archive, blog, undo, reason, load_stages(config), config.wait)
        click.echo(_undone_sentence(done))
    return 0


def _lines(moved: BlogMoves) -> Iterator[str]:
    """Number, day, from where to where, by which sign."""
    for move in moved.moves:
        yield from _move_lines(move)
    if not moved.moves:
        yield f"Nothing of {moved.blog} has moved."


def _move_lines(move: ListedMove) -> Iterator[str]:
    start = f"{move.number:>4}  {day_of(move.moved)}"
    if move.hidden:
        yield f"{start}  a post that is hidden"
        return
    name = "the blog itself" if move.of_blog else printable(move.title) or "(no title)"
    end = f", undone {day_of(move.undone)}" if move.undone else ""
    yield f"{start}  {name}{end}"
    yield f"      {printable(move.old)} -> {printable(move.new)}, known by {move.sign}"


def _undone_sentence(done: UndoneMove) -> str:
    if done.how == "kept apart":
        return f"{done.new} and {done.old} stay apart."
    posts = counted(done.posts, "post")
    if done.blogs:
        return f"Undone: {done.blogs[0]} and {done.blogs[1]} are two blogs; {posts} went back."
    if done.of_blog:
        return f"Undone: the blog's address is {done.old} again, and that of {posts}."
    if done.how == "respelled":
        return f"Undone: the address is {done.old} again."
    return f"Undone: {done.old} and {done.new} are two posts."
