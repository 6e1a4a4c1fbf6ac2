"""blogforever block."""

from __future__ import annotations

from typing import Any, get_args

import click

from blogforever.errors import UsageError
from blogforever.service.blocking import block, unblock
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.storage.following import BlockedPlace, BlockKind
from blogforever.wording import counted, day_of, printable

from .grouping import configured, person, writing
from .telling import told_json


@click.command("block")
@click.argument("what", required=False, metavar="[WHAT]")
@click.option("--kind", type=click.Choice(get_args(BlockKind)), help="What WHAT is, where that is not plain.")
@click.option("--reason", default="", metavar="TEXT", help="Why; who adds such an address reads it.")
@click.option("--undo", metavar="ID|WHAT", help="Let it in again.")
@writing
def command(
    what: str | None, kind: BlockKind | None, reason: str, undo: str | None, as_json: bool, **flags: Any
) -> int:
    """Block a host, an address with all that lies below it, or a pattern; without WHAT, show what is
    blocked.

    Nobody can add what is blocked, and what is followed there rests, until it is undone. A host is
    meant with and without www.; *.some.host means all hosts below it, too. In a pattern, * stands for
    anything; it is compared with the whole address without its scheme.

    \b
    blogforever block spam.example --reason "sells pills"
    blogforever block https://some.host/~ads/ --reason "no blog"
    blogforever block "*casino*"
    blogforever block
    blogforever block --undo spam.example
    """
    config = configured(flags)
    if what and undo:
        raise UsageError("Block something or undo it, not both at once.")
    if not what and not undo:
        return _list(config.archive, as_json)
    with opened_desk(config.archive, person(), config.wait) as desk:
        done = unblock(desk, undo) if undo else block(desk, what or "", reason, kind)
    rest = f"{counted(done.blogs, 'followed blog')} {'go on' if undo else 'rest now'}"
    words = f"{'Let in again' if undo else 'Blocked'}: {_words(done.place)}; {rest}."
    click.echo(told_json(done) if as_json else words)
    return 0


def _list(archive: Any, as_json: bool) -> int:
    with opened_to_read(archive) as store:
        places = store.blocked.all()
    if as_json:
        click.echo(told_json({"items": places}))
        return 0
    for place in places:
        about = "  ".join(printable(text) for text in (place.by, place.reason) if text)
        click.echo(f"{place.id}  {day_of(place.at)}  {_words(place)}  {about}".rstrip())
    if not places:
        click.echo("Nothing is blocked.")
    return 0


def _words(place: BlockedPlace) -> str:
    return f"the {place.kind} {printable(place.what)}"
