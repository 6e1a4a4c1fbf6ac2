"""Followed blogs: found by what a person types, changed, paused, dropped; and what analysis says of new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from msgspec import structs

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.model import LookPolicy
from blogforever.records import CompletenessRecord
from blogforever.source.given import BlogMetadata
from blogforever.source.typed import given_address
from blogforever.storage.decided import relabelled
from blogforever.storage.deciding import BlogChanged, BlogsDropped, FollowedChange
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store

from .desk import Desk
from .lists import ensure_list, tidied
from .plans import checked_policy, replan

PLANNED_BY = {"policy", "until", "lists", "tags"}
"""What a person changes of a followed blog that may change when it is looked at."""


def how_complete(statement: CompletenessRecord | None) -> dict[str, Any]:
    """What a list shows of a blog's completeness statement, by the names of its fields."""
    if statement is None:
        return {}
    return {"completeness": statement.verdict, "missing": len(statement.missing)}


def find_followed(store: Store, typed: str) -> FollowedBlog:
    """The followed blog with this id or address; UsageError where there is none."""
    found = store.followed.find(typed.strip())
    if found is None:
        url, _problem = given_address(typed)
        found = store.followed.known([url]).get(url) if url else None
    if found is None:
        raise UsageError(f"No blog {typed!r} is followed; blogforever sources shows which are.")
    return found


def is_unharvested(store: Store, name: str) -> bool:
    """Whether this is the id of a followed blog of which the archive has nothing yet."""
    found = store.followed.find(name)
    return found is not None and found.blog is None and store.blogs.find(name) is None


def made_change(
    blog: FollowedBlog, words: Mapping[str, Any], labels: Mapping[str, tuple[Sequence[str], Sequence[str]]]
) -> FollowedChange:
    """A change out of what is given by name (None: it stays),
    and of the tags and lists to add and to take away.
    """
    given = {name: value for name, value in words.items() if value is not None}
    values = {name: given[name] for name in given.keys() & {"title", "notes"}}
    values |= {name: _day(given[name]) for name in given.keys() & {"until", "harvest_by"}}
    said = {name: given[name] for name in given.keys() & BlogMetadata.__dataclass_fields__.keys()}
    values |= {"metadata": replace(blog.metadata, **said)} if said else {}
    for name, (more, less) in labels.items():
        if more or less:
            values[name] = relabelled(getattr(blog, name), more, less)
    return FollowedChange(**values)


def _day(text: str) -> str | None:
    """A day as it is kept; None where it is taken back."""
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageError(f"{text!r} is no day; write it as 2030-01-31.") from error


def change_followed(desk: Desk, blog: str, change: FollowedChange) -> FollowedBlog:
    """What a person says of a followed blog, or how he
    wants it looked at; lists that are not there are made.
    """
    found, now = find_followed(desk.store, blog), clock.stamp()
    change = _tidy(change)
    if isinstance(change.policy, LookPolicy):
        checked_policy(change.policy)
    for day in (change.until, change.harvest_by):
        if isinstance(day, str):
            _day(day)
    for name in change.lists or ():
        ensure_list(desk, name, now)
    desk.decide(BlogChanged(at=now, by=desk.by, blog=found.id, change=change))
    if change.title == "":
        desk.store.followed.change(found.id, lambda one: replace(one, title=_own_title(desk.store, one)))
    if change.given().keys() & PLANNED_BY:
        replan(desk.store, [find_followed(desk.store, found.id)])
    return find_followed(desk.store, found.id)


def _tidy(change: FollowedChange) -> FollowedChange:
    """A change whose names are written as they are looked for."""
    tidy: dict[str, Any] = {}
    if isinstance(change.title, str):
        tidy["title"] = change.title.strip()
    if isinstance(change.tags, tuple):
        tidy["tags"] = tidied(filter(str.strip, change.tags))
    if isinstance(change.lists, tuple):
        tidy["lists"] = tidied(change.lists)
    return structs.replace(change, **tidy)


def _own_title(store: Store, blog: FollowedBlog) -> str:
    """What a blog calls itself: its title where a person has taken his own back."""
    record = store.blogs.find(blog.blog) if blog.blog else None
    return (record.title if record else None) or ""


def drop_followed(desk: Desk, blogs: Iterable[str], reason: str = "") -> list[FollowedBlog]:
    """Follow these no more; what the archive has of them stays."""
    found = [find_followed(desk.store, blog) for blog in blogs]
    names = tuple(blog.id for blog in found)
    desk.decide(BlogsDropped(at=clock.stamp(), by=desk.by, blogs=names, reason=reason.strip()))
    cancel_unfollowed(desk.store, names)
    return found


def cancel_unfollowed(store: Store, blogs: Iterable[str]) -> None:
    """End what waits or is under way for those of these blogs that nobody follows any more."""
    names = frozenset(blogs)
    followed = {blog.id for blog in store.followed.some(names)}
    store.jobs.cancel_of(names - followed, clock.stamp())


def judged_known(store: Store, blog: str, same: str, reason: str) -> None:
    """Analysis found that a followed blog is another one,
    which takes its place, with its addresses and labels.
    """
    if blog == same:
        return
    with store.transaction():
        gone, kept = store.followed.find(blog), store.followed.find(same)
        if gone is None or kept is None:
            return
        watched = store.followed.watched(blog)
        store.followed.drop([blog])
        store.followed.change(same, lambda one: _joined(one, gone))
        store.followed.add_aliases(same, [gone.url])
        for address in watched:
            store.followed.watch(replace(address, blog=same))
        store.sources.judge(blog, "known", reason, means=same)


def _joined(kept: FollowedBlog, gone: FollowedBlog) -> FollowedBlog:
    tags, lists = dict.fromkeys((*kept.tags, *gone.tags)), dict.fromkeys((*kept.lists, *gone.lists))
    return replace(kept, tags=tuple(tags), lists=tuple(lists), notes=kept.notes or gone.notes)
