"""What people decide of followed blogs: each decision is one line of the journal, and can be done again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from blogforever.analyse.values import Sign
from blogforever.errors import BadInput
from blogforever.model import LookPolicy
from blogforever.ping.filters import PingFilter
from blogforever.records import json_line
from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.source.given import BlogMetadata
from blogforever.typedjson import converted

from .following import BlockedPlace, BlogList, FollowedBlog, SourceBatch, SourceRow
from .hooks import Webhook
from .pings import PingServer
from .searches import KeptSearch, TagRule
from .suspects import SpamDecision
from .verdicts import VerdictRow

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


class BlogsChanged(Decided, frozen=True, kw_only=True, tag="change-many"):
    """Somebody changed many followed blogs at once: they are paused or go on, get labels or lose
    them.
    """

    blogs: tuple[str, ...]
    paused: bool | UnsetType = UNSET
    more_tags: tuple[str, ...] = ()
    less_tags: tuple[str, ...] = ()
    more_lists: tuple[str, ...] = ()
    less_lists: tuple[str, ...] = ()


class BlogsDropped(Decided, frozen=True, kw_only=True, tag="unfollow"):
    """Somebody wants these blogs followed no more."""

    blogs: tuple[str, ...]
    reason: str = ""


class VerdictDecided(Decided, frozen=True, kw_only=True, tag="verdict"):
    """Somebody said whether a followed blog is one; with all that was seen of it, to learn from."""

    row: VerdictRow


class ListKept(Decided, frozen=True, kw_only=True, tag="list"):
    """Somebody made a list, or says something else of it."""

    list: BlogList


class ListDropped(Decided, frozen=True, kw_only=True, tag="drop-list"):
    """Somebody dropped a list."""

    name: str


class PlaceBlocked(Decided, frozen=True, kw_only=True, tag="block"):
    """Somebody blocked something."""

    place: BlockedPlace


class PlacesBlocked(Decided, frozen=True, kw_only=True, tag="block-many"):
    """Somebody blocked many things at once."""

    places: tuple[BlockedPlace, ...]


class PlaceUnblocked(Decided, frozen=True, kw_only=True, tag="unblock"):
    """Somebody let something in again."""

    place: str


class PlacesUnblocked(Decided, frozen=True, kw_only=True, tag="unblock-many"):
    """Somebody let many things in again at once."""

    places: tuple[str, ...]


class PolicyKept(Decided, frozen=True, kw_only=True, tag="policy"):
    """Somebody said how many blogs at once are looked at:
    those of a list, with a tag, of a service, or all.
    """

    policy: ScopedPolicy


class PolicyDropped(Decided, frozen=True, kw_only=True, tag="drop-policy"):
    """Somebody took that back."""

    scope: PolicyScope
    name: str = ""


class SearchKept(Decided, frozen=True, kw_only=True, tag="search"):
    """Somebody keeps a search, or says something else of it."""

    search: KeptSearch


class SearchDropped(Decided, frozen=True, kw_only=True, tag="drop-search"):
    """Somebody keeps a search no more."""

    name: str


class TagRuleKept(Decided, frozen=True, kw_only=True, tag="tag-rule"):
    """Somebody said which posts have a tag."""

    rule: TagRule


class TagRuleDropped(Decided, frozen=True, kw_only=True, tag="drop-tag-rule"):
    """Somebody took that back."""

    rule: str


class HookKept(Decided, frozen=True, kw_only=True, tag="webhook"):
    """Somebody wants to be told of news."""

    hook: Webhook


class HookDropped(Decided, frozen=True, kw_only=True, tag="drop-webhook"):
    """Somebody does not any more."""

    hook: str


class PingServerKept(Decided, frozen=True, kw_only=True, tag="ping-server"):
    """Somebody wants pings of a server, or said something else of it; what a hook is signed with,
    where that is new.
    """

    server: PingServer
    secret: str = ""


class PingServerDropped(Decided, frozen=True, kw_only=True, tag="drop-ping-server"):
    """Somebody listens to a server no more."""

    server: str


class PingFilterKept(Decided, frozen=True, kw_only=True, tag="ping-filter"):
    """Somebody said which pings are listened to."""

    filter: PingFilter


class PingFiltersDropped(Decided, frozen=True, kw_only=True, tag="drop-ping-filters"):
    """Somebody dropped a filter, and with it those below."""

    filters: tuple[str, ...]


class SpamDecided(Decided, frozen=True, kw_only=True, tag="spam"):
    """Somebody said of blogs that are likely spam whether they are; or takes that back."""

    blogs: tuple[str, ...]
    decided: SpamDecision = ""
    signs: dict[str, tuple[Sign, ...]] = {}
    """What spoke for it, by blog: later verdicts learn from that, after a rebuild, too."""


AnyDecided = (
    BatchAdded
    | BatchUndone
    | BlogChanged
    | BlogsChanged
    | BlogsDropped
    | VerdictDecided
    | ListKept
    | ListDropped
    | PlaceBlocked
    | PlacesBlocked
    | PlaceUnblocked
    | PlacesUnblocked
    | PolicyKept
    | PolicyDropped
    | HookKept
    | HookDropped
    | SearchKept
    | SearchDropped
    | TagRuleKept
    | TagRuleDropped
    | PingServerKept
    | PingServerDropped
    | PingFilterKept
    | PingFiltersDropped
    | SpamDecided
)


class FollowingJournal(Protocol):
    """Where these decisions are written down, one after the other."""

    def add(self, decision: AnyDecided) -> None:
        """Write a decision down, before anything follows from it."""


def titles_given(decisions: Iterable[AnyDecided]) -> frozenset[str]:
    """The names that people gave followed blogs; those of blogs that the archive had before are their own."""
    titles = set[str]()
    for decision in decisions:
        if isinstance(decision, BatchAdded):
            titles.update(blog.title for blog in decision.blogs if blog.blog is None)
        elif isinstance(decision, BlogChanged) and decision.change.title is not UNSET:
            titles.add(decision.change.title)
    return frozenset(titles)


def write_decided(decision: AnyDecided) -> str:
    """A line of the journal; of long lists, what says nothing is left out."""
    if isinstance(decision, BatchAdded):
        return _written_batch(decision)
    return json_line({"journal": VERSION, **msgspec.to_builtins(decision)})


def _written_batch(decision: BatchAdded) -> str:
    """The same row by row: twenty thousand at once would keep all other threads from computing for
    half a second.
    """
    head = msgspec.to_builtins(structs.replace(decision, rows=(), blogs=()))
    plain = json_line({"journal": VERSION} | {name: value for name, value in head.items() if value})
    rows, blogs = (",".join(json_line(_bare(msgspec.to_builtins(one))) for one in many) for many in _many(decision))
    return f'{plain[:-1]},"rows":[{rows}],"blogs":[{blogs}]}}'


def _many(decision: BatchAdded) -> Iterator[Sequence[SourceRow | FollowedBlog]]:
    yield decision.rows
    yield decision.blogs


def read_decided(line: str) -> AnyDecided:
    """A decision out of a line; BadInput says in one sentence what cannot be understood."""
    try:
        plain = msgspec.json.decode(line)
        version = plain.pop("journal")
        decision: AnyDecided = converted(plain, AnyDecided)
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
