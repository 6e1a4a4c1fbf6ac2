"""The same deed for many followed blogs at once: ticked one by one, or all that a question finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.schedule.states import RESTING
from blogforever.storage.deciding import BlogsChanged, PlacesBlocked
from blogforever.storage.following import BlockedPlace, FollowedBlog, FollowedQuery
from blogforever.storage.tables import Store
from blogforever.wording import counted

from .blocking import LONGEST_REASON
from .desk import Desk, new_id
from .following import drop_followed
from .lists import ensure_list
from .plans import replan
from .schedules import Many, look_now

ManyDeed = Literal["pause", "resume", "look", "tag", "untag", "list", "unlist", "block", "unfollow"]
# Blogs that one deed changes at most: a person waits for the answer, and everybody who writes waits
# with him.
MOST_AT_ONCE = 5000
LABELLING = {"tag": "more_tags", "untag": "less_tags", "list": "more_lists", "unlist": "less_lists"}
"""What each deed changes of the labels."""


@dataclass(frozen=True, slots=True)
class ManyRequest:
    """What to do; `name` is the tag or the list, `reason` says why something is blocked or followed
    no more.
    """

    deed: ManyDeed
    name: str = ""
    reason: str = ""


def chosen_ids(store: Store, query: FollowedQuery) -> tuple[str, ...]:
    """The ids of all blogs that a question finds; UsageError where these are more than one deed may
    change.
    """
    page = store.followed.page(replace(query, after=None, limit=MOST_AT_ONCE))
    if page.next is not None:
        raise UsageError(f"These are more than {counted(MOST_AT_ONCE, 'blog')}: narrow the search, and do it in parts.")
    return tuple(blog.id for blog in page.items)


def do_to_many(desk: Desk, blogs: Sequence[str], request: ManyRequest) -> int:
    """Do it; to how many blogs it was done. What is not followed any more is passed over."""
    found = desk.store.followed.some(blogs)
    if not found:
        raise UsageError("No blog is chosen: tick some first.")
    match request.deed:
        case "look":
            return _look(desk, found)
        case "block":
            return _block(desk, found, request.reason)
        case "unfollow":
            return len(drop_followed(desk, [blog.id for blog in found], request.reason))
        case _:
            return _change(desk, found, request)


def _look(desk: Desk, blogs: Sequence[FollowedBlog]) -> int:
    awake = [blog.id for blog in blogs if not blog.paused and blog.state not in RESTING]
    return look_now(desk, Many(tuple(awake))) if awake else 0


def _block(desk: Desk, blogs: Sequence[FollowedBlog], reason: str) -> int:
    now, why = clock.stamp(), reason.strip()[:LONGEST_REASON]
    places = tuple(BlockedPlace(new_id(), "address", blog.url, why, desk.by, now) for blog in blogs)
    desk.decide(PlacesBlocked(at=now, by=desk.by, places=places))
    return len(places)


def _change(desk: Desk, blogs: Sequence[FollowedBlog], request: ManyRequest) -> int:
    now, ids = clock.stamp(), tuple(blog.id for blog in blogs)
    name = " ".join(request.name.split())
    is_label = request.deed not in ("pause", "resume")
    if is_label and not name:
        raise UsageError("Write which tag or list is meant.")
    if request.deed == "list":
        ensure_list(desk, name, now)
    change: dict[str, Any] = {LABELLING[request.deed]: (name,)} if is_label else {"paused": request.deed == "pause"}
    desk.decide(BlogsChanged(at=now, by=desk.by, blogs=ids, **change))
    if is_label and _plans_go_by_labels(desk.store):
        replan(desk.store, desk.store.followed.some(ids))
    return len(blogs)


def _plans_go_by_labels(store: Store) -> bool:
    return any(policy.scope in ("list", "tag") for policy in store.schedule.policies())
