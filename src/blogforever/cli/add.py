"""blogforever add."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from blogforever.errors import UsageError
from blogforever.service.adding import Added, AddRequest, add_sources
from blogforever.service.desk import opened_desk
from blogforever.source.given import GivenRow
from blogforever.source.reading import given_as_addresses, given_in_file
from blogforever.storage.following import SourceRow
from blogforever.wording import printable

from .grouping import configured, person, writing
from .inputs import INPUT, piped
from .telling import told_json

# Rows that are shown one by one; of more, only those that need a look, and the sums.
SHOWN = 200
# How lists are called; no host is.
OF_FILES = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".opml", ".xml")
VERDICT_ORDER = ("new", "known", "blocked", "invalid", "not-a-blog")


@click.command("add")
@click.argument("given", nargs=-1, metavar="[FILE|-|URL]...")
@click.option("--list", "blog_list", default="", metavar="NAME", help="Put them into this list; it is made if needed.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Give them this tag; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@writing
def command(given: tuple[str, ...], as_json: bool, **flags: Any) -> int:
    """Follow blogs: by address, out of a file, or from standard input.

    A file may be a text (lines, semicolons, commas), CSV or XLSX (the columns are known by their
    names: url, title, tags, language, location, topic, author, institution, notes, until ... in many
    languages), or OPML as readers of feeds write it. Each row is answered at once, without a fetch:
    new, known (and how it stands), blocked or invalid, with the reason. What is new is followed as
    soon as blogforever serve runs.

    \b
    blogforever add https://some.blog/ other.blog
    blogforever add blogs.xlsx --list "By 2011-11" --tag science
    blogforever add subscriptions.opml --dry-run
    grep -h blog *.txt | blogforever add -

    A batch is taken back with blogforever sources undo BATCH. Ends with 1 where some rows are
    invalid, with 2 where all are.
    """
    config = configured(flags)
    typed = given or ((INPUT,) if not sys.stdin.isatty() else ())
    if not typed:
        raise UsageError("Give addresses, a file, or - for standard input.")
    with ExitStack() as opened, opened_desk(config.archive, person(), config.wait) as desk:
        rows = _renumbered(row for one in _sorted_out(typed) for row in _rows(one, opened))
        request = AddRequest(rows, _origin(typed), flags["blog_list"], flags["tags"])
        added = add_sources(desk, request, flags["dry_run"])
    for line in [_as_json(added)] if as_json else _lines(added):
        click.echo(line)
    return _ending(added)


def _sorted_out(typed: Iterable[str]) -> Iterator[list[str]]:
    """Files and standard input one by one, addresses together."""
    addresses = []
    for one in typed:
        if one == INPUT or Path(one).is_file():
            yield [one]
        elif Path(one).suffix.lower() in OF_FILES and "//" not in one:
            raise UsageError(f"There is no file {printable(one)}.")
        else:
            addresses.append(one)
    if addresses:
        yield addresses


def _rows(typed: list[str], opened: ExitStack) -> Iterator[GivenRow]:
    first = typed[0]
    if first == INPUT:
        return given_in_file(piped(opened), INPUT)
    if Path(first).is_file():
        try:
            return given_in_file(opened.enter_context(Path(first).open("rb")), Path(first).name)
        except OSError as error:
            raise UsageError(f"{first} cannot be read: {error.strerror}.") from error
    return given_as_addresses(typed)


def _renumbered(rows: Iterable[GivenRow]) -> Iterator[GivenRow]:
    return (replace(row, number=number) for number, row in enumerate(rows, 1))


def _origin(typed: tuple[str, ...]) -> str:
    files = [Path(one).name for one in typed if Path(one).is_file()]
    return ", ".join(files) or ("standard input" if INPUT in typed else "command")


def _as_json(added: Added) -> str:
    batch = None if added.dry_run else added.batch.id
    items = [item_of(row) for row in added.rows]
    return told_json({"batch": batch, "dry_run": added.dry_run, "verdicts": added.verdicts, "items": items})


def item_of(row: SourceRow) -> dict[str, Any]:
    """A row as programs read it."""
    names = ("number", "input", "url", "verdict", "blog", "reason")
    return {name: getattr(row, name) or None if name in ("url", "blog") else getattr(row, name) for name in names}


def _lines(added: Added) -> Iterator[str]:
    shown = added.rows if len(added.rows) <= SHOWN else [row for row in added.rows if row.verdict != "new"]
    for row in shown[:SHOWN]:
        yield row_line(row)
    if len(shown) > SHOWN:
        yield f"... and {len(shown) - SHOWN:,} more."
    numbers = added.verdicts
    yield ", ".join(f"{numbers[verdict]:,} {verdict}" for verdict in VERDICT_ORDER if numbers[verdict]) or "No rows."
    if added.dry_run:
        yield "Nothing was changed: that is what would happen."
    elif added.rows:
        yield f"Batch {added.batch.id}; to take it back: blogforever sources undo {added.batch.id}"


def row_line(row: SourceRow) -> str:
    """A row as people read it."""
    reason = f"  {printable(row.reason)}" if row.reason else ""
    return f"{row.verdict:<10}  {printable(row.url or row.input)}{reason}"


def _ending(added: Added) -> int:
    invalid = added.verdicts["invalid"]
    if not invalid:
        return 0
    return UsageError.exit_code if invalid == len(added.rows) else 1
