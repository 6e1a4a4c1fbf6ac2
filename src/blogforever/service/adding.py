"""Add sources: each row answers at once, by its address and what is known, without a fetch; a batch can be undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.source.address import blog_name
from blogforever.source.given import BlogMetadata, GivenRow
from blogforever.storage.blocklist import BlockList
from blogforever.storage.decided import looked_at_again
from blogforever.storage.deciding import BatchAdded, BatchUndone
from blogforever.storage.following import FollowedBlog, SourceBatch, SourceRow
from blogforever.storage.tables import Store
from blogforever.urls import url_key

from .desk import Desk, new_id
from .following import cancel_unfollowed
from .lists import ensure_list, tidied
from .outbox import ask_for_blogs
from .routing import ASKED_FOR, KnownPlaces, Labels, Routed, Router, candidates

# States in which a blog may be looked at because somebody gave an address of it.
WILLING = ("following", "failing", "dead")


@dataclass(frozen=True, slots=True)
class AddRequest:
    """What is to be added: the rows, where they came from, and what is said of all of them."""

    rows: Iterable[GivenRow]
    origin: str = ""
    list: str = ""
    tags: tuple[str, ...] = ()
    metadata: BlogMetadata = field(default_factory=BlogMetadata)
    is_by_hand: bool = True
    """Whether a person gave them: repositories get what is known of those at once."""


@dataclass(frozen=True, slots=True)
class Added:
    """What adding came to, or would: the batch, its rows, how many have each verdict, and the
    blogs that are new, by their ids.
    """

    batch: SourceBatch
    rows: tuple[SourceRow, ...]
    dry_run: bool = False
    blogs: Mapping[str, FollowedBlog] = field(default_factory=dict)

    @property
    def verdicts(self) -> Counter[str]:
        """How many rows have each verdict."""
        return Counter(row.verdict for row in self.rows)


def add_sources(desk: Desk, request: AddRequest, dry_run: bool = False) -> Added:
    """Add rows: what is new is followed from now on, what is known gets the list and the tags.

    A dry run says what would happen, and changes nothing.
    """
    now = clock.stamp()
    batch = SourceBatch(
        new_id(), now, desk.by, request.origin, request.list.strip(), tidied(filter(str.strip, request.tags))
    )
    routed = _routed(desk.store, list(_described(request.rows, request.metadata)), batch)
    added = Added(batch, tuple(routed.rows), dry_run, routed.blogs)
    if dry_run or not routed.rows:
        return added
    if batch.list:
        ensure_list(desk, batch.list, now)
    desk.decide(BatchAdded(at=now, by=desk.by, batch=batch, rows=added.rows, blogs=tuple(routed.blogs.values())))
    _watch_and_look(desk.store, routed, now)
    if request.is_by_hand:
        ask_for_blogs(desk.store, _kept_before(desk.store, added.rows), desk.by)
    return added


def undo_batch(desk: Desk, batch: str) -> SourceBatch:
    """Take a batch back: what only it wanted is followed no more; what the archive has of it
    stays.
    """
    found = desk.store.sources.batch(batch)
    if found is None:
        raise UsageError(f"There is no batch {batch!r}; blogforever sources batches shows which there are.")
    if found.undone:
        raise UsageError(f"The batch {batch} was undone on {found.undone[:10]} already.")
    decision = BatchUndone(at=clock.stamp(), by=desk.by, batch=batch)
    blogs = {row.blog for row in desk.store.sources.rows(batch) if row.blog}
    desk.decide(decision)
    cancel_unfollowed(desk.store, blogs)
    return replace(found, undone=decision.at)


def _described(rows: Iterable[GivenRow], metadata: BlogMetadata) -> Iterator[GivenRow]:
    """The rows with what is said of all of them, where a row says nothing itself."""
    said = {one.name: getattr(metadata, one.name) for one in fields(metadata)}
    for row in rows:
        own = {one.name: getattr(row.metadata, one.name) or said[one.name] for one in fields(metadata)}
        yield replace(row, metadata=BlogMetadata(**own))


def _routed(store: Store, rows: list[GivenRow], batch: SourceBatch) -> Routed:
    router = Router(batch.id, batch.created, Labels(batch.list, batch.tags), knowledge_of(store, rows))
    return router.take(rows)


def knowledge_of(store: Store, rows: Iterable[GivenRow]) -> KnownPlaces:
    """What is known of the addresses of these rows, looked up for all of them at once."""
    asked = [row for row in rows if row.url]
    addresses = {url for row in asked for url in candidates(row)}
    followed = store.followed.known(addresses)
    unknown = [row for row in asked if not any(url in followed for url in candidates(row))]
    owners = store.posts.owners(row.url for row in unknown)
    return KnownPlaces(
        followed=followed,
        names=dict(_named(store, unknown)),
        owners=owners,
        of_archive=dict(_of_archive(store, set(owners.values()))),
        kept={url_key(url): name for name, url in store.blogs.addresses().items()},
        blocked=BlockList(store.blocked.all()),
    )


def _named(store: Store, rows: Iterable[GivenRow]) -> Iterator[tuple[str, FollowedBlog]]:
    """Followed blogs that have the name which a row's address would get, though another address."""
    found = store.followed.some({blog_name(row.url) for row in rows})
    return ((blog.id, blog) for blog in found)


def _of_archive(store: Store, blogs: Iterable[str]) -> Iterator[tuple[str, FollowedBlog]]:
    for blog in blogs:
        yield from ((blog, followed) for followed in store.followed.in_archive(blog)[:1])


def _kept_before(store: Store, rows: Iterable[SourceRow]) -> list[str]:
    """The blogs of the archive that were added once more: repositories get them at once."""
    named = [row.blog for row in rows if row.blog]
    return [blog.blog for blog in store.followed.some(set(named)) if blog.blog]


def _watch_and_look(store: Store, routed: Routed, now: str) -> None:
    """What no person decided, but follows from the addresses: no part of the journal."""

    def at_once(blog: FollowedBlog) -> FollowedBlog:
        return looked_at_again(blog, now, ASKED_FOR) if blog.state in WILLING else blog

    with store.transaction():
        for address in routed.watched:
            store.followed.watch(address)
        for blog in routed.looks:
            store.followed.change(blog, at_once)
