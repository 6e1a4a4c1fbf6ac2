"""Whom we take what from, and what was taken over: each decision is a line of a journal of its own,
and all of them together say what holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from blogforever.errors import BadInput
from blogforever.records import json_line
from blogforever.source.exchangefile import Part
from blogforever.typedjson import converted

VERSION = 1
# Characters of a line that are quoted where it cannot be understood.
QUOTED = 80


class Handover(Struct, frozen=True, kw_only=True, tag_field="what"):
    """A decision: when, and by whom."""

    at: str
    by: str = ""


class KeyTrusted(Handover, frozen=True, kw_only=True, tag="trust"):
    """From who has this key these parts are taken; `name` is what we call him."""

    key: str
    name: str
    parts: tuple[Part, ...]


class KeyDropped(Handover, frozen=True, kw_only=True, tag="distrust"):
    """Nothing of who has this key is taken any more without being asked for."""

    key: str


class FileTaken(Handover, frozen=True, kw_only=True, tag="take"):
    """Parts of a file were taken over: as which batches of sources, which entries of the block
    list, and rules for which blogs.
    """

    id: str
    key: str
    name: str
    made: str
    parts: tuple[Part, ...]
    sources: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class FileReturned(Handover, frozen=True, kw_only=True, tag="undo"):
    """What was taken over was taken back."""

    id: str


AnyHandover = KeyTrusted | KeyDropped | FileTaken | FileReturned


class WaitingRules(Struct, frozen=True, kw_only=True):
    """Rules of a blog that were taken over: whose they are, and with which batch they came."""

    by: str
    batch: str
    rules: str


@dataclass(frozen=True, slots=True)
class TakenBatch:
    """What was taken over of one file; `undone` is when it was taken back."""

    taken: FileTaken
    undone: str | None = None


@dataclass(slots=True)
class Handovers:
    """What holds: who is trusted with what, by key; and what was taken over, by id, in the order of time."""

    keys: dict[str, KeyTrusted] = field(default_factory=dict)
    batches: dict[str, TakenBatch] = field(default_factory=dict)

    def add(self, one: AnyHandover) -> None:
        """What holds after one more decision."""
        match one:
            case KeyTrusted():
                self.keys[one.key] = one
            case KeyDropped():
                self.keys.pop(one.key, None)
            case FileTaken():
                self.batches[one.id] = TakenBatch(one)
            case FileReturned():
                if before := self.batches.get(one.id):
                    self.batches[one.id] = TakenBatch(before.taken, one.at)


def handovers(decisions: Iterable[AnyHandover]) -> Handovers:
    """What holds after all of these."""
    state = Handovers()
    for one in decisions:
        state.add(one)
    return state


def write_handover(one: AnyHandover) -> str:
    """A line of the journal."""
    return json_line({"journal": VERSION, **msgspec.to_builtins(one)})


def read_handover(line: str) -> AnyHandover:
    """A decision out of a line; BadInput says in one sentence what cannot be understood."""
    try:
        plain = msgspec.json.decode(line)
        version = plain.pop("journal")
        read: AnyHandover = converted(plain, AnyHandover)
    except (msgspec.MsgspecError, UnicodeError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"the journal has a line that cannot be understood: {line[:QUOTED]!r}") from error
    if version != VERSION:
        raise BadInput(f"the journal has a line of another version: {line[:QUOTED]!r}")
    return read
