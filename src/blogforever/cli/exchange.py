"""blogforever exchange."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

import click

from blogforever import clock
from blogforever.errors import ArchiveError, UsageError
from blogforever.service.exchanging import (
    HandingWish,
    distrust,
    export,
    key_in,
    known_keys,
    opened_exchange,
    own_key,
    trust,
)
from blogforever.service.takingover import PartOutcome, Returned, TakeOver, batches, take_back, take_over
from blogforever.source.exchangefile import KIND, LARGEST_FILE, PARTS, Part
from blogforever.storage.people import Deed
from blogforever.wording import counted, day_of, printable

from .grouping import HELP, ListingGroup, configured, person, writing
from .telling import told_json

OUTPUT = "-"
WORDS = {"sources": "source", "blocked": "blocked place", "rules": "rule file"}
"""What one entry of each part is called."""


@click.group("exchange", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Hand sources, block list and learned rules to other installations, and take over theirs.

    \b
    blogforever exchange keys                               our key, and those we trust
    blogforever exchange export ours.json --list "By 2011-11"
    blogforever exchange import theirs.json --dry-run       whose it is, and what would happen
    blogforever exchange trust theirs.json --name "Some library" --part sources --part rules
    blogforever exchange import theirs.json                 the parts we trust them with
    blogforever exchange import theirs.json --take blocked  that part, too, this once
    blogforever exchange                                    what was taken over, newest first
    blogforever exchange undo BATCH                         take it back
    blogforever exchange distrust "Some library"            take nothing more from them

    Files are signed. Nothing is taken from a key that nobody trusts, unless it is asked for part by
    part. Rules of a blog are tried when it is first harvested, and kept only where they read its
    pages as well as learned ones would.
    """


@command.command("list")
@writing
def list_command(as_json: bool, **flags: Any) -> None:
    """What was taken over, newest first."""
    config = configured(flags)
    with opened_exchange(config.archive, person(), config.wait) as at:
        found = batches(at)
    if as_json:
        click.echo(told_json({"items": found}))
        return
    for one in found:
        end = f", taken back {day_of(one.undone)}" if one.undone else ""
        parts = ", ".join(one.taken.parts)
        click.echo(f"{one.taken.id}  {day_of(one.taken.at)}  {parts} of {printable(one.taken.name)}{end}")
    if not found:
        click.echo("Nothing was taken over.")


@command.command("keys")
@writing
def keys_command(as_json: bool, **flags: Any) -> None:
    """Our own key, which others may trust, and those that we trust."""
    config = configured(flags)
    with opened_exchange(config.archive, person(), config.wait) as at:
        own, known = own_key(at), known_keys(at)
    if as_json:
        click.echo(told_json({"own": own.key, "items": known}))
        return
    click.echo(f"{own.key}  our own")
    for one in known:
        click.echo(f"{one.key}  {printable(one.name)}: {', '.join(one.parts)}, since {day_of(one.at)}")


@command.command("trust")
@click.argument("key", metavar="KEY|FILE")
@click.option("--name", default="", metavar="NAME", help="Whose it is; of a FILE, what it calls itself.")
@click.option("--part", "parts", multiple=True, required=True, type=click.Choice(PARTS), help="What is taken.")
@writing
def trust_command(key: str, name: str, parts: tuple[Part, ...], as_json: bool, **flags: Any) -> None:
    """Take these parts of who has a KEY, or signed a FILE, from now on; the last word on a key
    counts.

    Ask them for their key by another way than the file came: who sends a file can sign it with any.
    """
    config, who = configured(flags), person()
    if not key.startswith(KIND):
        key, told = key_in(_bytes_of(key))
        name = name or told
    with opened_exchange(config.archive, who, config.wait) as at:
        one = trust(at, key, name, parts)
        at.archive.store.audit.add(Deed(clock.stamp(), who, "trust key", one.key, ", ".join(one.parts)))
    words = f"Of {printable(one.name)} is taken from now on: {', '.join(one.parts)}."
    click.echo(told_json(one) if as_json else words)


@command.command("distrust")
@click.argument("key", metavar="KEY|NAME")
@writing
def distrust_command(key: str, as_json: bool, **flags: Any) -> None:
    """Take nothing more of who has a key; what was taken over stays until it is undone."""
    config, who = configured(flags), person()
    with opened_exchange(config.archive, who, config.wait) as at:
        one = distrust(at, key)
        at.archive.store.audit.add(Deed(clock.stamp(), who, "distrust key", one.key))
    click.echo(told_json(one) if as_json else f"Nothing more is taken from {printable(one.name)}.")


@command.command("export")
@click.argument("dest", required=False, default=OUTPUT, metavar="[DEST|-]")
@click.option("--list", "lists", multiple=True, metavar="NAME", help="Only the blogs of this list; may be repeated.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="Only this; may be repeated.")
@click.option("--name", default="", metavar="NAME", help="What we call ourselves; you, where nothing is said.")
@click.option("--notes", is_flag=True, help="With the remarks about each blog, too.")
@writing
def export_command(dest: str, name: str, as_json: bool, **flags: Any) -> None:
    """Write what we follow, block and have learned to a signed file."""
    lists, parts, notes = (flags.pop(word) for word in ("lists", "parts", "notes"))
    config, who = configured(flags), person()
    with opened_exchange(config.archive, who, config.wait) as at:
        data, file = export(at, HandingWish(name or who, parts or PARTS, lists, notes))
    if dest == OUTPUT:
        sys.stdout.buffer.write(data)
        return
    try:
        Path(dest).write_bytes(data)
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror}.") from error
    numbers = {part: len(getattr(file, part)) for part in PARTS}
    words = ", ".join(counted(number, WORDS[part]) for part, number in numbers.items())
    click.echo(told_json({"file": dest, "key": file.key} | numbers) if as_json else f"Written to {dest}: {words}.")


@command.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--take", "asked", multiple=True, type=click.Choice(PARTS), help="This part, too, this once.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@writing
def import_command(file: IO[bytes], asked: tuple[Part, ...], dry_run: bool, as_json: bool, **flags: Any) -> None:
    """Take over the parts of a FILE that we trust who signed it with."""
    config, who = configured(flags), person()
    data = file.read(LARGEST_FILE + 1)
    with opened_exchange(config.archive, who, config.wait) as at:
        done = take_over(at, data, asked, dry_run)
        if not dry_run:
            at.archive.store.audit.add(Deed(clock.stamp(), who, "take over", done.batch, done.name))
    if as_json:
        click.echo(told_json(done))
        return
    for line in _told(done):
        click.echo(line)


@command.command("undo")
@click.argument("batch")
@writing
def undo_command(batch: str, as_json: bool, **flags: Any) -> None:
    """Take back what was taken over of a file."""
    config, who = configured(flags), person()
    with opened_exchange(config.archive, who, config.wait) as at:
        done = take_back(at, batch)
        at.archive.store.audit.add(Deed(clock.stamp(), who, "take back", batch))
    click.echo(told_json(done) if as_json else _returned(done))


def _bytes_of(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UsageError(f"{path!r} is no key, and no file that can be read: {error.strerror}.") from error


def _told(done: TakeOver) -> list[str]:
    signed = f"Signed {printable(done.made)} by {printable(done.name)}, {done.key}."
    lines = [signed, *(_part_line(one, done.dry_run) for one in done.parts)]
    if done.batch:
        lines.append(f"blogforever exchange undo {done.batch} takes it back.")
    return lines


def _part_line(one: PartOutcome, dry_run: bool) -> str:
    counts = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(one.counts.items())) or "nothing"
    rest = f"; {counted(one.resting, 'followed blog')} {'would rest' if dry_run else 'rest now'}" if one.resting else ""
    would = "" if one.taken else f" (would not be taken: give --take {one.part}, or trust the key with it)"
    return f"{one.part}: {counts}{rest}{would}"


def _returned(done: Returned) -> str:
    told = [
        f"Taken back: {counted(done.sources, 'batch', 'batches')} of sources",
        f"{counted(done.unblocked, 'entry', 'entries')} of the block list",
    ]
    if done.relearned:
        told.append(f"learned anew: {', '.join(done.relearned)}")
    if done.kept:
        told.append(f"still read by their rules, as they cannot be learned anew now: {', '.join(done.kept)}")
    return "; ".join(told) + "."
