"""What people decide of followed blogs: each decision is one line of the journal, and can be done again."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from blogforever.errors import BadInput
from blogforever.model import LookPolicy
from blogforever.records import json_line
from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.source.given import BlogMetadata

from .following import BlockedPlace, BlogList, FollowedBlog, SourceBatch, SourceRow

# Characters of a line that are quoted where it cannot be understood.
QUOTED = 80
VERSION = 1


class FollowedChange(Struct, frozen=True, kw_only=True):
    """What a person changes of a followed blog; what is not set stays."""

    title: str | UnsetType = UNSET
    tags: tuple[str, ...] | UnsetType = UNSET
    lists: tuple[str, ...] | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    metadata: BlogMetadata | UnsetType = UNSET
    policy: LookPolicy | UnsetType = UNSET
    harvest_by: str | UnsetType | None = UNSET
    until: str | UnsetType | None = UNSET
    paused: bool | UnsetType = UNSET

    def given(self) -> dict[str, Any]:
        """What is set, by name."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in values.items() if value is not UNSET}


class Decided(Struct, frozen=True, kw_only=True, tag_field="what"):
    """A decision: when, and by whom."""

    at: str
    by: str = ""


class BatchAdded(Decided, frozen=True, kw_only=True, tag="add"):
    """Somebody added a batch; `blogs` are those that are followed from then on."""

    batch: SourceBatch
    rows: tuple[SourceRow, ...] = ()
    blogs: tuple[FollowedBlog, ...] = ()


class BatchUndone(Decided, frozen=True, kw_only=True, tag="undo"):
    """Somebody took a batch back."""

    batch: str


class BlogChanged(Decided, frozen=True, kw_only=True, tag="change"):
    """Somebody changed what is said of a followed blog, or how it is looked at."""

    blog: str
    change: FollowedChange


class BlogsDropped(Decided, frozen=True, kw_only=True, tag="unfollow"):
    """Somebody wants these blogs followed no more."""

    blogs: tuple[str, ...]
    reason: str = ""


class ListKept(Decided, frozen=True, kw_only=True, tag="list"):
    """Somebody made a list, or says something else of it."""

    list: BlogList


class ListDropped(Decided, frozen=True, kw_only=True, tag="drop-list"):
    """Somebody dropped a list."""

    name: str


class PlaceBlocked(Decided, frozen=True, kw_only=True, tag="block"):
    """Somebody blocked something."""

    place: BlockedPlace


class PlaceUnblocked(Decided, frozen=True, kw_only=True, tag="unblock"):
    """Somebody let something in again."""

    place: str


class PolicyKept(Decided, frozen=True, kw_only=True, tag="policy"):
    """Somebody said how many blogs at once are looked at:
    those of a list, with a tag, of a service, or all.
    """

    policy: ScopedPolicy


class PolicyDropped(Decided, frozen=True, kw_only=True, tag="drop-policy"):
    """Somebody took that back."""

    scope: PolicyScope
    name: str = ""


AnyDecided = (
    BatchAdded
    | BatchUndone
    | BlogChanged
    | BlogsDropped
    | ListKept
    | ListDropped
    | PlaceBlocked
    | PlaceUnblocked
    | PolicyKept
    | PolicyDropped
)


class FollowingJournal(Protocol):
    """Where these decisions are written down, one after the other."""

    def add(self, decision: AnyDecided) -> None:
        """Write a decision down, before anything follows from it."""


def write_decided(decision: AnyDecided) -> str:
    """A line of the journal; of long lists, what says nothing is left out."""
    plain: dict[str, Any] = msgspec.to_builtins(decision)
    if isinstance(decision, BatchAdded):
        plain |= {name: [_bare(one) for one in plain[name]] for name in ("rows", "blogs")}
    return json_line({"journal": VERSION, **plain})


def read_decided(line: str) -> AnyDecided:
    """A decision out of a line; BadInput says in one sentence what cannot be understood."""
    try:
        plain = msgspec.json.decode(line)
        version = plain.pop("journal")
        decision: AnyDecided = msgspec.convert(plain, AnyDecided)
    except (msgspec.MsgspecError, UnicodeError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"the journal has a line that cannot be understood: {line[:QUOTED]!r}") from error
    if version != VERSION:
        raise BadInput(f"the journal has a line of another version: {line[:QUOTED]!r}")
    return decision


def _bare(plain: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty: in every value that stands
    here, that is what is taken where nothing is said.
    """
    kept = {name: _bare(value) if isinstance(value, dict) else value for name, value in plain.items()}
    return {name: value for name, value in kept.items() if value}
