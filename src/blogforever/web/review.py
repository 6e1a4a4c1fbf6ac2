"""What needs a person over the API: groups with their numbers and causes, and the items of each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.service.cursors import cursor_of, place_of
from blogforever.service.review import (
    OF_POSTS,
    ReviewItem,
    ReviewState,
    ReviewSummary,
    review_blogs,
    review_posts,
    review_summary,
)
from blogforever.service.suspecting import decide_on_spam
from blogforever.storage.browsing import PostPlace
from blogforever.storage.following import Cursor
from blogforever.storage.suspects import SpamDecision

from .access import Curator, Reader, desk_for, note
from .paging import MOST, USUAL, After, ItemPage, Limit
from .texts import LONGEST_NAME, LONGEST_NOTE

# Reasons are sentences of ours with an address in them at most.
LONGEST_REASON = 4000


class SpamVerdict(BaseModel):
    """What somebody says of blogs that are likely spam."""

    model_config = ConfigDict(extra="forbid")

    blogs: list[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]] = Field(min_length=1, max_length=MOST)
    decided: SpamDecision


class SpamAnswer(BaseModel):
    """Of how many blogs it was said."""

    decided: int


def review_routes() -> APIRouter:
    """What needs a person."""
    routes = APIRouter(prefix="/review", tags=["review"])

    @routes.get("")
    def review(
        standing: StandingNow,
        _token: Reader,
        state: Annotated[ReviewState | None, Query(description="Only these; blogs in any state without it.")] = None,
        reason: Annotated[str, Query(max_length=LONGEST_REASON, description="Only blogs with this reason.")] = "",
        limit: Limit = USUAL,
        after: After = "",
    ) -> ItemPage[ReviewItem]:
        """Blogs that are frozen, failing, dead, likely spam, or no blog; or posts that are read
        unsurely or are missing.
        """
        archive = standing.archive
        if state in OF_POSTS:
            page = review_posts(archive, state, place_of(after, PostPlace), limit)
        else:
            page = review_blogs(archive.store, state, reason, place_of(after, Cursor), limit)
        return ItemPage(items=[*page.items], next=cursor_of(page.next))

    @routes.get("/summary")
    def summary(store: StoreNow, _token: Reader) -> ReviewSummary:
        """The same in numbers: states and reasons of blogs, posts, and why pages failed in the last
        week.
        """
        return review_summary(store)

    @routes.post("/spam")
    def decide(given: SpamVerdict, standing: StandingNow, token: Curator) -> SpamAnswer:
        """Say of blogs that are likely spam whether they are. `spam` lets them rest (block them
        with `POST /blocked`), `let in` and `not spam` have them followed; an empty word takes it
        back.
        """
        number = decide_on_spam(desk_for(standing, token), given.blogs, given.decided)
        note(
            standing.archive.store,
            token,
            f"spam: {given.decided or 'undecided'}",
            ", ".join(given.blogs)[:LONGEST_NOTE],
        )
        return SpamAnswer(decided=number)

    return routes
