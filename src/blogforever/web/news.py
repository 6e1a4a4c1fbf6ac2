"""News over the API: what became of posts, for programs that ask instead of being told by a webhook."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.newspages import read_news
from blogforever.service.pingagain import moment_of
from blogforever.service.webhooks import HookWish
from blogforever.storage.news import NEWS_KINDS

from .access import Reader
from .paging import MOST, USUAL, ItemPage
from .texts import LONGEST_NAME, Event, Name


class NewsQuery(BaseModel):
    """Which news, from where on; what is not said means all."""

    model_config = ConfigDict(extra="forbid")

    event: tuple[Event, ...] = Field(default=(), max_length=len(NEWS_KINDS))
    blog: Name = ""
    in_list: Name = Field(default="", alias="list")
    tag: Name = Field(default="", description="A tag of the blog.")
    since: str = Field(default="", max_length=LONGEST_NAME, description="Only what was found since this moment.")
    number: int = Field(default=0, ge=0, le=2**62, description="Only what came after the news of this number.")
    limit: int = Field(default=USUAL, ge=1, le=MOST, description="How many at most.")
    after: str = Field(default="", max_length=LONGEST_CURSOR, description="`next` of the page before.")


def news_routes() -> APIRouter:
    """What became of posts."""
    routes = APIRouter(prefix="/news", tags=["news"])

    @routes.get("")
    def news(standing: StandingNow, _token: Reader, wanted: Annotated[NewsQuery, Query()]) -> ItemPage[dict[str, Any]]:
        """What became of posts, oldest first, as webhooks tell it. Who remembers the `number` of the last one asks for
        what came after it.
        """
        archive = standing.archive
        begun = archive.store.news.before(moment_of(wanted.since)) if wanted.since else 0
        place = place_of(wanted.after, int) or max(begun, wanted.number)
        wish = HookWish("", wanted.event, wanted.blog, wanted.in_list, wanted.tag)
        told, following = read_news(archive, wish, place, wanted.limit)
        return ItemPage(items=told, next=cursor_of(following))

    return routes
