"""The host analyser over the API: what is at an address, the verdict on a source, and what a person says to it."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.portal.tryit import trying_for
from blogforever.service.verdicts import analyse_address, decide_verdict, told_verdict
from blogforever.storage.verdicts import VerdictRow

from .access import Curator, Reader, desk_for, note
from .blogs import found_blog
from .problems import Problem
from .texts import LONGEST_ADDRESS


class AddressGiven(BaseModel):
    """An address of any kind."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(min_length=1, max_length=LONGEST_ADDRESS)


class ReasonTold(BaseModel):
    """One thing that was seen, what it speaks for, and how much, from 0 to 1."""

    name: str
    says: str
    kind: str
    weight: float


class VerdictTold(BaseModel):
    """What an address is, how sure that is, and why."""

    url: str
    said: Literal["blog", "not-a-blog", "spam", "not-known"] = Field(alias="class")
    kind: str
    confidence: float
    by: str
    root: str
    title: str
    post_feed: str
    comment_feeds: list[str]
    link_filter: dict[str, Any] = Field(description="Which addresses are posts.")
    reasons: list[ReasonTold]


class SourceVerdict(VerdictTold):
    """The verdict on a followed blog; `decided` is what a person said to it."""

    blog: str
    at: str
    decided: Literal["", "blog", "not-a-blog", "spam"]
    decided_by: str


class VerdictGiven(BaseModel):
    """What a person says that a followed blog is."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["blog", "not-a-blog", "spam"]


def analyse_routes() -> APIRouter:
    """What is at an address."""
    routes = APIRouter(tags=["analyse"])

    @routes.post("/analyse", responses={429: {"model": Problem}})
    async def analyse(given: AddressGiven, standing: StandingNow, token: Reader) -> VerdictTold:
        """Say what is at an address, with all reasons; nothing is kept."""
        trying_for(standing, f"token {token.name}")
        verdict = await analyse_address(given.url, standing.archive.store, standing.config)
        return VerdictTold.model_validate(told_verdict(verdict))

    @routes.get("/blogs/{blog}/verdict", tags=["blogs"])
    def verdict(blog: str, store: StoreNow, _token: Reader) -> SourceVerdict:
        """What the analyser said of a followed blog when it first looked."""
        row = store.verdicts.find(found_blog(store, blog).id)
        if row is None:
            raise not_found(f"{blog!r} was not analysed yet.")
        return _told(row)

    @routes.post("/blogs/{blog}/verdict", tags=["blogs"])
    def decide(blog: str, given: VerdictGiven, standing: StandingNow, token: Curator) -> SourceVerdict:
        """Say what it is: a blog is harvested, anything else left alone. It can be said otherwise
        at any time.
        """
        found_blog(standing.archive.store, blog)
        row = decide_verdict(desk_for(standing, token), blog, given.decision)
        note(standing.archive.store, token, "judge blog", blog, given.decision)
        return _told(row)

    return routes


def _told(row: VerdictRow) -> SourceVerdict:
    plain = told_verdict(row.verdict) | {"blog": row.blog, "at": row.at, "decided": row.decided, "decided_by": row.by}
    return SourceVerdict.model_validate(plain)
