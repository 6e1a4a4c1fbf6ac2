"""Exchange with other installations: what we hand over, signed; whom we trust with what; keys."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.errors import RulesError, UsageError
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.source.exchangefile import (
    LONGEST_NAME,
    LONGEST_RULES,
    PARTS,
    ExchangeFile,
    HandedList,
    HandedMetadata,
    HandedPlace,
    HandedRules,
    HandedSource,
    Part,
    key_text,
    public_key,
    read_exchange,
    signed,
)
from blogforever.storage.decided import all_followed
from blogforever.storage.following import FollowedBlog, FollowedQuery
from blogforever.storage.handovers import Handovers, KeyDropped, KeyTrusted
from blogforever.store.folder import ArchiveFolder
from blogforever.store.handovers import HandoverFiles

from .desk import Desk, desk_of
from .lists import find_list

# States of a followed blog that nobody else should follow on our word.
NOT_HANDED = ("blocked", "rejected", "dead")


@dataclass(frozen=True, slots=True)
class ExchangeDesk:
    """An open archive, and who exchanges there."""

    archive: ArchiveFolder
    by: str = ""

    @property
    def desk(self) -> Desk:
        """Where the same person decides of followed blogs."""
        return desk_of(self.archive, self.by)

    @property
    def files(self) -> HandoverFiles:
        """What the archive keeps of exchanges."""
        return HandoverFiles(self.archive.folder)

    def state(self) -> Handovers:
        """Who is trusted with what, and what was taken over."""
        return self.files.state()


@dataclass(frozen=True, slots=True)
class HandingWish:
    """What is to be handed over: these parts, of these lists or of all that is followed, under this
    name; remarks only where that is wished for.
    """

    name: str
    parts: Collection[Part] = PARTS
    lists: Sequence[str] = ()
    notes: bool = False


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key of this installation, as others trust it."""

    key: str


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key that is trusted: with which parts, since when, and on whose word."""

    key: str
    name: str
    parts: tuple[Part, ...]
    at: str
    by: str


@contextmanager
def opened_exchange(folder: Path, by: str = "", wait: bool = True) -> Iterator[ExchangeDesk]:
    """The archive in a folder, which is made where there is none, for an exchange."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        yield ExchangeDesk(archive, by)


def own_key(at: ExchangeDesk) -> OwnKey:
    """Our key; it is made with the first question for it."""
    return OwnKey(key_text(at.files.key().public_key()))


def known_keys(at: ExchangeDesk) -> list[KnownKey]:
    """Who is trusted, in the order in which that was said."""
    return [KnownKey(one.key, one.name, one.parts, one.at, one.by) for one in at.state().keys.values()]


def trust(at: ExchangeDesk, key: str, name: str, parts: Collection[Part]) -> KnownKey:
    """Take these parts of who has a key from now on; the last word on a key counts."""
    text = _checked_key(key)
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise UsageError(f"A key needs a name of at most {LONGEST_NAME} characters, by which people know whose it is.")
    if not parts:
        raise UsageError(f"Say what is to be taken from it: {', '.join(PARTS)}.")
    if text == own_key(at).key:
        raise UsageError("This is the key of this installation itself.")
    chosen = tuple(part for part in PARTS if part in parts)
    said = KeyTrusted(at=clock.stamp(), by=at.by, key=text, name=tidy, parts=chosen)
    at.files.add(said)
    return KnownKey(text, tidy, chosen, said.at, said.by)


def distrust(at: ExchangeDesk, key: str) -> KnownKey:
    """Take nothing more of who has a key, by the key or the name we gave it; what was taken stays."""
    found = [one for one in known_keys(at) if key.strip() in (one.key, one.name)]
    if not found:
        raise UsageError(f"No key {key!r} is trusted; blogforever exchange keys shows which are.")
    if len(found) > 1:
        raise UsageError(f"Several keys are called {key!r}; give the key itself.")
    at.files.add(KeyDropped(at=clock.stamp(), by=at.by, key=found[0].key))
    return found[0]


def key_in(data: bytes) -> tuple[str, str]:
    """Key and name of who signed a file."""
    file = read_exchange(data)
    return file.key, file.name


def export(at: ExchangeDesk, wish: HandingWish) -> tuple[bytes, ExchangeFile]:
    """What we hand over, as a signed file, and the same as values."""
    followed = list(_wished(at, wish.lists))
    names = {name for blog in followed for name in blog.lists if not wish.lists or name in wish.lists}
    has_sources = "sources" in wish.parts
    file = ExchangeFile(
        made=clock.stamp(),
        name=" ".join(wish.name.split())[:LONGEST_NAME],
        key=own_key(at).key,
        lists=tuple(_lists(at, names)) if has_sources else (),
        sources=tuple(_source(at, blog, names, wish.notes) for blog in followed) if has_sources else (),
        blocked=tuple(_places(at)) if "blocked" in wish.parts else (),
        rules=tuple(_rules(at.archive, followed)) if "rules" in wish.parts else (),
    )
    data = signed(file, at.files.key())
    read_exchange(data)
    return data, file


def _checked_key(key: str) -> str:
    return key_text(public_key(key.strip()))


def _wished(at: ExchangeDesk, lists: Sequence[str]) -> Iterator[FollowedBlog]:
    """Each blog once that is to be handed over, and may be seen."""
    store = at.archive.store
    queries = [FollowedQuery(list=find_list(store, name).name) for name in lists] or [FollowedQuery()]
    seen: set[str] = set()
    for query in queries:
        for blog in all_followed(store, query):
            hidden = blog.blog is not None and at.archive.veil.blog(blog.blog)
            if blog.id not in seen and blog.state not in NOT_HANDED and not hidden:
                seen.add(blog.id)
                yield blog


def _lists(at: ExchangeDesk, names: Collection[str]) -> Iterator[HandedList]:
    for one in at.archive.store.lists.all():
        if one.name in names:
            yield HandedList(one.name, one.note, one.owner)


def _source(at: ExchangeDesk, blog: FollowedBlog, lists: Collection[str], notes: bool) -> HandedSource:
    said = {name: getattr(blog.metadata, name) for name in HandedMetadata.__struct_fields__}
    feeds = (one.url for one in at.archive.store.followed.watched(blog.id) if one.kind == "posts")
    return HandedSource(
        url=blog.moved_to or blog.url,
        title=blog.title,
        tags=blog.tags,
        lists=tuple(name for name in blog.lists if name in lists),
        notes=blog.notes if notes else "",
        feeds=tuple(feeds),
        metadata=HandedMetadata(**said),
    )


def _places(at: ExchangeDesk) -> Iterator[HandedPlace]:
    """What we blocked ourselves: the word of others is theirs to hand on."""
    taken = {place for one in at.state().batches.values() for place in one.taken.blocked}
    for place in at.archive.store.blocked.all():
        if place.id not in taken:
            # As a person writes it: a host that stands for all below it is kept with a dot before
            # it.
            beneath = "*" if place.kind == "host" and place.what.startswith(".") else ""
            yield HandedPlace(place.kind, beneath + place.what, place.reason)


def _rules(archive: ArchiveFolder, followed: Sequence[FollowedBlog]) -> Iterator[HandedRules]:
    """The rules that were learned here, of blogs of which nothing is hidden."""
    for blog in followed:
        record = archive.store.blogs.find(blog.blog) if blog.blog else None
        text = archive.read_rules(record.id) if record and not archive.veil.mark(record.id) else None
        if record and text and (own := _own_rules(text)):
            yield HandedRules(record.url, own)


def _own_rules(text: str) -> str | None:
    """A rule file without spaces that only people need; None where it is not ours, or too large."""
    try:
        rules = load_rules(text)
    except RulesError:
        return None
    written = dump_rules(rules)
    return written if rules.templates and not rules.by and len(written) <= LONGEST_RULES else None
