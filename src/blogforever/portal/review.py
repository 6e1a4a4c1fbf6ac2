"""Review: what needs a person, group by group, with the evidence and repairs of one click."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.many import chosen_ids
from blogforever.service.repairing import RepairDeed, repair
from blogforever.service.review import (
    FOR_PEOPLE,
    MOST_COUNTED,
    OF_POSTS,
    ReviewPage,
    ReviewState,
    ReviewSummary,
    review_blogs,
    review_posts,
    review_summary,
)
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostPlace
from blogforever.storage.following import Cursor, FollowedBlog, FollowedQuery
from blogforever.storage.tables import Store

from .asked import StandingNow, StoreNow
from .asking import ask_first, must_ask
from .fields import FIELDS
from .page import address, go, own_path, page
from .visitors import Curator, Viewer, desk_for, note
from .words import N_, _, plural

PATH = "/review"
SHOWN = 25
LONGEST = 500
STATES: tuple[ReviewState, ...] = get_args(ReviewState)
TITLES: dict[ReviewState, str] = {
    "frozen": N_("Frozen"),
    "failing": N_("Failing"),
    "rejected": N_("Not a blog"),
    "spam": N_("Likely spam"),
    "dead": N_("Dead"),
    "unsure": N_("Read unsurely"),
    "missing": N_("Missing posts"),
}
HELP: dict[ReviewState, str] = {
    "frozen": N_(
        "So much of these is different that nothing was taken over, or somebody froze them. Is it still the same blog?"
    ),
    "failing": N_("These did not answer, or not with a blog. They are tried again by themselves."),
    "rejected": N_("These addresses were added and found to be no blogs. Try again where that is wrong."),
    "spam": N_("These look as if made to sell, or copied. Nothing is blocked until you say so."),
    "dead": N_("Nobody has answered here for weeks, or the domain is parked. They are looked at seldom."),
    "unsure": N_("A field of these posts is as likely wrong as right. The rules of the blog may need a correction."),
    "missing": N_("These posts are not where they were. What the archive has of them stays."),
}
# What can be done to a blog in each state, the likeliest first.
REPAIRS: dict[str, tuple[RepairDeed, ...]] = {
    "frozen": ("accept", "look", "pause"),
    "failing": ("look", "pause", "block"),
    "rejected": ("again", "block", "unfollow"),
    "spam": ("block", "let in", "not spam"),
    "dead": ("again", "pause", "unfollow"),
}
REPAIR_WORDS: dict[RepairDeed, str] = {
    "accept": N_("Accept what it shows"),
    "freeze": N_("Freeze"),
    "look": N_("Look now"),
    "again": N_("Try again"),
    "reread": N_("Read again"),
    "pause": N_("Pause"),
    "resume": N_("Resume"),
    "block": N_("Block"),
    "unfollow": N_("Follow no more"),
    "let in": N_("Let in"),
    "not spam": N_("Not spam"),
}


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """Which group somebody looks at."""

    state: ReviewState | None = None
    reason: str = ""
    after: str = ""

    def address(self, **changes: object) -> str:
        """Its address, with changes; from its first page on."""
        return address(PATH, {"state": self.state, "reason": self.reason} | changes)


class RepairForm(BaseModel):
    """What to do to one blog, or (`everything`) to all of a group."""

    deed: RepairDeed
    blog: str = Field("", max_length=LONGEST)
    everything: str = Field("", max_length=LONGEST)
    state: str = Field("", max_length=LONGEST)
    reason: str = Field("", max_length=LONGEST)
    back: str = Field(PATH, max_length=LONGEST_CURSOR)
    sure: str = Field("", max_length=LONGEST)

    def meant(self, store: Store) -> list[FollowedBlog]:
        """The blogs that are meant."""
        if not self.everything:
            return store.followed.some([self.blog])
        states = tuple(one for one in FOR_PEOPLE if one == self.state) or FOR_PEOPLE
        return store.followed.some(chosen_ids(store, FollowedQuery(states=states, reason=self.reason)))


def review_routes() -> APIRouter:
    """`/review`."""
    routes = APIRouter()

    @routes.get(PATH)
    def review(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        state: Annotated[str, Query(max_length=LONGEST)] = "",
        reason: Annotated[str, Query(max_length=LONGEST)] = "",
        after: Annotated[str, Query(max_length=LONGEST_CURSOR)] = "",
    ) -> Response:
        summary = review_summary(standing.archive.store)
        given = next((one for one in STATES if one == state), None)
        asked = ReviewQuestion(given or _first(summary), reason if given else "", after)
        return page(request, "review.html", **_shown(standing, summary, asked))

    @routes.post(f"{PATH}/deed")
    def deed(request: Request, visitor: Curator, store: StoreNow, given: Annotated[RepairForm, Form()]) -> Response:
        meant = given.meant(store)
        if must_ask(given.deed, len(meant)) and not given.sure:
            names, words = [blog.id for blog in meant], _(REPAIR_WORDS[given.deed])
            return ask_first(request, f"{PATH}/deed", given.model_dump(exclude={"sure"}), words, names)
        number = repair(desk_for(request, visitor), meant, given.deed, given.reason)
        note(request, visitor, f"{given.deed} blog", given.blog, f"{number} in review")
        done = plural("%(num)s blog: done.", "%(num)s blogs: done.", number)
        return go(request, own_path(given.back), f"{_(REPAIR_WORDS[given.deed])} · {done}")

    return routes


def _first(summary: ReviewSummary) -> ReviewState | None:
    """The group that is shown where nobody says which: the first there is."""
    return next((one for one in STATES if any(group.state == one for group in summary.groups)), None)


def _shown(standing: Standing, summary: ReviewSummary, asked: ReviewQuestion) -> dict[str, Any]:
    found = _items(standing, asked) if asked.state else ReviewPage(())
    numbers = {state: sum(one.number for one in summary.groups if one.state == state) for state in STATES}
    return {
        "asked": asked,
        "found": found,
        "next": cursor_of(found.next),
        "numbers": {state: number for state, number in numbers.items() if number},
        "causes": [one for one in summary.groups if one.state == asked.state and one.reason],
        "failures": summary.failures,
        "fields": FIELDS,
        "most": MOST_COUNTED,
        "titles": TITLES,
        "help": HELP,
        "repairs": REPAIRS.get(asked.state or "", ()),
        "repair_words": REPAIR_WORDS,
        "blogs": _blogs(standing.archive.store, found),
    }


def _items(standing: Standing, asked: ReviewQuestion) -> ReviewPage:
    if asked.state in OF_POSTS:
        return review_posts(standing.archive, asked.state, place_of(asked.after, PostPlace), SHOWN)
    store = standing.archive.store
    return review_blogs(store, asked.state, asked.reason, place_of(asked.after, Cursor), SHOWN)


def _blogs(store: Store, found: ReviewPage) -> dict[str, FollowedBlog]:
    """The followed blogs of these items, by what the items call them."""
    blogs = {blog.id: blog for blog in store.followed.some(item.blog for item in found.items if item.kind == "blog")}
    of_posts = {item.blog for item in found.items if item.kind == "post"}
    return blogs | {name: one for name in of_posts for one in store.followed.in_archive(name)[:1]}
