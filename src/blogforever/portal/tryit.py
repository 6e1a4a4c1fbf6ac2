"""Try it: an address or a page in, the posts it holds out, as a page, JSON, XML or text; nothing is kept."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.archive.onepage import LARGEST_PAGE
from blogforever.errors import BlogForeverError, UsageError
from blogforever.service.standing import Standing
from blogforever.service.trying import TriedInput, TriedPosts, Trying, page_text, tried_posts

from .asked import StandingNow
from .page import page
from .refusing import LogInFirst, ProblemError, status_of
from .visitors import Anybody, Visitor
from .words import _

LONGEST_ADDRESS = 4000
TYPES = {"json": "application/json", "xml": "application/xml", "text": "text/plain; charset=utf-8"}


class TryForm(BaseModel):
    """What the form sends."""

    url: str = Field(default="", max_length=LONGEST_ADDRESS)
    html: str = Field(default="", max_length=LARGEST_PAGE)
    kind: Literal["", "post", "list"] = ""
    style: Literal["page", "json", "xml", "text"] = "page"
    ask: Literal["posts", "kind"] = "posts"
    file: UploadFile | None = None

    def with_file(self) -> TryForm:
        """The same with the page of the file in it, as if it had been pasted; UsageError where no page is so large."""
        if self.file is None or not self.file.filename:
            return self
        content = self.file.file.read(LARGEST_PAGE + 1)
        if len(content) > LARGEST_PAGE:
            raise UsageError(f"The file is larger than {LARGEST_PAGE // 1_000_000} MB: no page is.")
        return self.model_copy(update={"html": page_text(content), "file": None})

    def given(self) -> TriedInput:
        """The same as the service takes it."""
        is_list = self.kind == "list" if self.kind else None
        return TriedInput(self.url.strip(), self.html if self.html.strip() else None, is_list)


def try_routes() -> APIRouter:
    """`/try`."""
    routes = APIRouter(prefix="/try")

    @routes.get("")
    def ask(
        request: Request,
        visitor: Anybody,
        standing: StandingNow,
        url: Annotated[str, Query(max_length=LONGEST_ADDRESS)] = "",
    ) -> Response:
        _refuse_strangers(visitor, standing.config.public_try)
        return _shown(request, TryForm(url=url))

    @routes.post("")
    async def read(
        request: Request, visitor: Anybody, standing: StandingNow, given: Annotated[TryForm, Form()]
    ) -> Response:
        _refuse_strangers(visitor, standing.config.public_try)
        try:
            given = given.with_file()
            trying = trying_for(standing, visitor.name or f"from {request.client.host if request.client else ''}")
            if given.ask == "kind":
                return await _judged(request, given, standing, trying)
            found = await trying.contents(given.given(), standing.archive, standing.config)
        except (BlogForeverError, ProblemError) as error:
            status = error.status if isinstance(error, ProblemError) else status_of(error)
            return _shown(request, given, wrong=str(error), status=status)
        told = tried_posts(found)
        if given.style == "page":
            return _shown(request, given, told)
        return Response(told.written(given.style), media_type=TYPES[given.style])

    return routes


def trying_for(standing: Standing, who: str) -> Trying:
    """What reads pages, if this one may have one read now."""
    trying = standing.trying
    if wait := trying.rations.take(who):
        seconds = str(math.ceil(wait))
        told = _("These are too many pages at once; the next one can be read in %(seconds)s s.")
        raise ProblemError(HTTPStatus.TOO_MANY_REQUESTS, told % {"seconds": seconds}, {"Retry-After": seconds})
    return trying


async def _judged(request: Request, given: TryForm, standing: Standing, trying: Trying) -> Response:
    """What is at the address, with reasons; a person may say otherwise of a blog that is followed."""
    verdict = await trying.verdict(given.given(), standing.archive, standing.config)
    url = verdict.root or verdict.url
    followed = standing.archive.store.followed.known([url]).get(url)
    return _shown(request, given, verdict=verdict, followed=followed)


def _refuse_strangers(visitor: Visitor, is_public: bool) -> None:
    if not visitor.is_known and not is_public:
        raise LogInFirst


def _shown(
    request: Request,
    given: TryForm,
    found: TriedPosts | None = None,
    wrong: str = "",
    status: int = HTTPStatus.OK,
    **more: object,
) -> Response:
    told = {"verdict": None, "followed": None} | more
    return page(request, "try.html", status=status, given=given, found=found, wrong=wrong, **told)
