"""What follows from a decision, in any store: the same when it is taken and when an archive is made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from .blocklist import BlockList
from .deciding import (
    AnyDecided,
    BatchAdded,
    BatchUndone,
    BlogChanged,
    BlogsDropped,
    ListDropped,
    ListKept,
    PlaceBlocked,
    PlaceUnblocked,
    PolicyDropped,
    PolicyKept,
)
from .following import FollowedBlog, FollowedQuery, FollowState, SourceRow
from .tables import Store

# Followed blogs that are in memory together, and rows that are written together: who else writes waits for that.
MANY, PART = 1000, 250
Value = TypeVar("Value")


def put_in_force(store: Store, decision: AnyDecided) -> None:
    """Do what was decided, in short transactions: others read and write meanwhile.

    Who is killed over it finds it in the journal; doing it once more does no harm.
    """
    match decision:
        case BatchAdded():
            _add(store, decision)
        case BatchUndone():
            _undo(store, decision)
        case BlogChanged():
            store.followed.change(decision.blog, lambda blog: changed(blog, decision))
        case BlogsDropped():
            store.followed.drop(decision.blogs)
        case ListKept():
            store.lists.keep(decision.list)
        case ListDropped():
            store.lists.drop(decision.name)
        case PlaceBlocked():
            store.blocked.keep(decision.place)
            _block(store)
        case PlaceUnblocked():
            store.blocked.drop(decision.place)
            _unblock(store, decision.at)
        case PolicyKept():
            store.schedule.set_policy(decision.policy)
        case PolicyDropped():
            store.schedule.drop_policy(decision.scope, decision.name)


def changed(blog: FollowedBlog, decision: BlogChanged) -> FollowedBlog:
    """A followed blog after a person's change; who pauses it lets it rest, who goes on has it looked at."""
    after = replace(blog, **decision.change.given())
    if after.paused and not blog.paused:
        return resting(after, "paused", f"paused by {decision.by}" if decision.by else "")
    if blog.paused and not after.paused:
        return looked_at_again(after, decision.at, "it was paused")
    return after


def resting(blog: FollowedBlog, state: FollowState, reason: str) -> FollowedBlog:
    """A followed blog that is not looked at until somebody decides otherwise."""
    return replace(blog, state=state, reason=reason, next_look=None, next_reason="")


def looked_at_again(blog: FollowedBlog, at: str, reason: str) -> FollowedBlog:
    """A followed blog that rested, as it goes on: where nobody has harvested it yet, it waits for that.

    What a person paused rests on.
    """
    if blog.paused:
        return resting(blog, "paused", "")
    state: FollowState = "following" if blog.blog else "waiting"
    return replace(blog, state=state, reason="", next_look=at, next_reason=reason)


def all_followed(store: Store, query: FollowedQuery | None = None) -> Iterator[FollowedBlog]:
    """Every followed blog that is asked for, never all in memory."""
    query = replace(query or FollowedQuery(), limit=MANY)
    while True:
        page = store.followed.page(query)
        yield from page.items
        if page.next is None:
            return
        query = replace(query, after=page.next)


def _add(store: Store, decision: BatchAdded) -> None:
    """The blogs come first: who is killed over it may have lost rows of a batch, but no blog."""
    for blogs in _parts(decision.blogs):
        store.followed.add(blogs)
    store.sources.add(decision.batch)
    for rows in _parts(decision.rows):
        with store.transaction():
            store.sources.add_rows(rows)
            for row in rows:
                if row.blog and not row.made and (row.tagged or row.listed):
                    store.followed.change(row.blog, partial(_labelled, row=row))


def _parts(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    return (values[start : start + PART] for start in range(0, len(values), PART))


def _labelled(blog: FollowedBlog, row: SourceRow) -> FollowedBlog:
    tags, lists = dict.fromkeys((*blog.tags, *row.tagged)), dict.fromkeys((*blog.lists, *row.listed))
    return replace(blog, tags=tuple(tags), lists=tuple(lists))


def _undo(store: Store, decision: BatchUndone) -> None:
    """Follow no more what only this batch wanted; of what others want, too, take back the labels it gave."""
    for rows in _parts(list(store.sources.rows(decision.batch))):
        with store.transaction():
            store.followed.drop([row.blog for row in rows if row.blog and _is_wanted_here_only(store, row)])
            for row in rows:
                if row.blog and (row.tagged or row.listed):
                    wanted = frozenset(_labels(store, _others(store, row)))
                    store.followed.change(row.blog, partial(_unlabelled, row=row, kept=wanted))
    store.sources.undo(decision.batch, decision.at)
    _drop_empty_list(store, decision.batch)


def _is_wanted_here_only(store: Store, row: SourceRow) -> bool:
    return row.made and not _others(store, row)


def _others(store: Store, row: SourceRow) -> list[SourceRow]:
    """The rows of other batches that mean the same blog."""
    return [other for other in store.sources.of_blog(row.blog or "") if other.batch != row.batch]


def _labels(store: Store, rows: list[SourceRow]) -> Iterator[str]:
    """The tags and lists that these rows, or their batches, want."""
    for row in rows:
        yield from (*row.tagged, *row.listed)
        if batch := store.sources.batch(row.batch):
            yield from (*batch.tags, batch.list)


def _unlabelled(blog: FollowedBlog, row: SourceRow, kept: frozenset[str]) -> FollowedBlog:
    tags = tuple(tag for tag in blog.tags if tag not in row.tagged or tag in kept)
    lists = tuple(name for name in blog.lists if name not in row.listed or name in kept)
    return replace(blog, tags=tags, lists=lists)


def _drop_empty_list(store: Store, name: str) -> None:
    """A list that was made for a batch goes with it, unless somebody else has put blogs there."""
    batch = store.sources.batch(name)
    made = store.lists.find(batch.list) if batch and batch.list else None
    if batch is None or made is None or made.created != batch.created:
        return
    if not store.followed.page(FollowedQuery(list=made.name, limit=1)).items:
        store.lists.drop(made.name)


def _block(store: Store) -> None:
    """What is followed and blocked now rests, with the reason."""
    blocked = BlockList(store.blocked.all())
    for blog in all_followed(store):
        place = blocked.blocking(blog.url) or (blocked.blocking(blog.moved_to) if blog.moved_to else None)
        if place and blog.state != "blocked":
            store.followed.change(blog.id, partial(resting, state="blocked", reason=place.reason or place.what))


def _unblock(store: Store, at: str) -> None:
    """What nothing blocks any more is looked at again."""
    blocked = BlockList(store.blocked.all())
    for blog in list(all_followed(store, FollowedQuery(states=("blocked",)))):
        if blocked.blocking(blog.url) is None:
            store.followed.change(blog.id, lambda one: looked_at_again(one, at, "it was blocked"))
