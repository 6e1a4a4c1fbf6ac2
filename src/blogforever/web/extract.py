"""Extraction over the API: an address or a page in, the posts it holds out, as JSON, XML or text."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.archive.onepage import LARGEST_PAGE
from blogforever.archive.telling import RECORD_WRITERS
from blogforever.portal.asked import StandingNow
from blogforever.portal.tryit import trying_for
from blogforever.records import to_json
from blogforever.service.trying import HandedPage, TriedInput
from blogforever.wording import in_english

from .access import Reader
from .problems import Problem
from .texts import LONGEST_ADDRESS

Format = Literal["json", "xml", "text"]
DRAWN = "Blogforever-Drawn"
"""The header that tells of a drawn page in every format."""
TYPES: dict[str, str] = {"xml": "application/xml", "text": "text/plain; charset=utf-8"}


class PageGiven(BaseModel):
    """An address; or the HTML of a page, with the address it has on the web where that is known."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(default="", max_length=LONGEST_ADDRESS)
    html: str | None = Field(default=None, max_length=LARGEST_PAGE)
    kind: Literal["post", "list"] | None = Field(default=None, description="Seen by itself where not given.")

    def given(self) -> TriedInput:
        """The same as the service takes it."""
        return TriedInput(self.url, self.html, None if self.kind is None else self.kind == "list")


class Extracted(BaseModel):
    """What a page holds: one post, or those it lists, as records."""

    kind: Literal["post", "list"]
    items: list[dict[str, Any]]
    next: None = None
    drawn: bool = Field(default=False, description="Whether a browser drew the page, since scripts make it.")
    note: str = Field(default="", description="What is to be known of how the page came about.")


RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": Extracted,
        "content": {"application/xml": {}, "text/plain": {}},
        "headers": {DRAWN: {"schema": {"type": "string"}, "description": "yes where a browser drew the page."}},
    },
    429: {"model": Problem},
}


def extract_routes() -> APIRouter:
    """What a page holds."""
    routes = APIRouter(tags=["extract"])

    @routes.post("/extract", response_class=Response, responses=RESPONSES)
    async def extract(
        page: PageGiven,
        standing: StandingNow,
        token: Reader,
        style: Annotated[Format, Query(alias="format", description="How records are written.")] = "json",
    ) -> Response:
        """Read one page; nothing of it is kept."""
        trying = trying_for(standing, f"token {token.name}")
        return _written(await trying.contents(page.given(), standing.archive, standing.config), style)

    return routes


def _written(tried: HandedPage, style: Format) -> Response:
    found, headers = tried.contents, {DRAWN: "yes" if tried.is_drawn else "no"}
    if style == "json":
        told = Extracted(
            kind="list" if found.is_list else "post",
            items=[to_json(post) for post in found.posts],
            drawn=tried.is_drawn,
            note=in_english(tried.said),
        )
        written, kind = told.model_dump_json(), "application/json"
    else:
        written, kind = "\n".join(RECORD_WRITERS[style](found.posts)) + "\n", TYPES[style]
    return Response(written.encode("utf-8", "replace"), media_type=kind, headers=headers)
