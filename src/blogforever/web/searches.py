"""Searches that people keep, and tags set by rule, over the API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.browsing import search_posts
from blogforever.service.cursors import place_of
from blogforever.service.output import settled_search
from blogforever.service.searches import TagWish, drop_search, drop_tag_rule, keep_search, set_tag_rule
from blogforever.storage.browsing import PostPlace
from blogforever.storage.searches import KeptSearch, TagRule
from blogforever.storage.tables import Store

from .access import Curator, Reader, desk_for, note
from .made import MADE, made_at, made_or_changed
from .paging import After, ItemPage, WantedPart
from .posts import MOST, PAGE_OF_POSTS, USUAL, PostChoice, page_of_lines
from .texts import LONGEST_NAME, LONGEST_NOTE, Name


class SearchBody(PostChoice):
    """A search under a name; what is not said does not matter."""

    name: Name = Field(min_length=1)
    note: str = Field(default="", max_length=LONGEST_NOTE)


class TagRuleBody(BaseModel):
    """Which posts have a tag: those that fit all that is said."""

    model_config = ConfigDict(extra="forbid")

    tag: Name = Field(min_length=1)
    address: str = Field(default="", max_length=2000, description="How addresses begin, or a pattern with `*`.")
    language: Name = ""
    platform: Name = Field(default="", description="The platform of the blog.")
    words: str = Field(default="", max_length=LONGEST_NAME)


def search_routes() -> APIRouter:
    """Kept searches."""
    routes = APIRouter(prefix="/searches", tags=["searches"])

    @routes.get("")
    def searches(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[KeptSearch]:
        return part.of(store.searches.all(), lambda one: one.name)

    @routes.post("", status_code=201, responses=made_or_changed(KeptSearch))
    def keep(
        body: SearchBody, standing: StandingNow, token: Curator, request: Request, response: Response
    ) -> KeptSearch:
        """Keep a search; one of the same name is replaced."""
        before = {one.name for one in standing.archive.store.searches.all()}
        search = settled_search(standing.archive, body.search())
        kept = keep_search(desk_for(standing, token), body.name, search, body.note)
        note(standing.archive.store, token, "keep search", kept.name)
        made_at(request, response, kept.name, kept.name not in before)
        return kept

    @routes.get("/{name:path}/posts", response_class=Response, responses=PAGE_OF_POSTS)
    def posts(
        name: str,
        standing: StandingNow,
        _token: Reader,
        full: bool = False,
        limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
        after: After = "",
    ) -> Response:
        """The posts it finds now, newest first."""
        search = _found(standing.archive.store.searches.find(name), name).search
        page = search_posts(standing.archive, search, False, place_of(after, PostPlace), limit)
        return page_of_lines(page.lines, page.next, full)

    @routes.get("/{name:path}")
    def one(name: str, store: StoreNow, _token: Reader) -> KeptSearch:
        return _found(store.searches.find(name), name)

    @routes.delete("/{name:path}", status_code=204)
    def drop(name: str, standing: StandingNow, token: Curator) -> None:
        _found(standing.archive.store.searches.find(name), name)
        drop_search(desk_for(standing, token), name)
        note(standing.archive.store, token, "drop search", name)

    return routes


def tag_rule_routes() -> APIRouter:
    """Tags set by rule."""
    routes = APIRouter(prefix="/tagrules", tags=["searches"])

    @routes.get("")
    def rules(store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[TagRule]:
        return part.of(store.tag_rules.all(), lambda one: one.id)

    @routes.get("/{rule}")
    def one(rule: str, store: StoreNow, _token: Reader) -> TagRule:
        return _found_rule(store, rule)

    @routes.post("", status_code=201, responses=MADE)
    def keep(body: TagRuleBody, standing: StandingNow, token: Curator, request: Request, response: Response) -> TagRule:
        """Give a tag to every post that fits, now and from now on."""
        rule = set_tag_rule(standing.archive, token.name, TagWish(**body.model_dump()))
        note(standing.archive.store, token, "set tag by rule", rule.tag)
        made_at(request, response, rule.id)
        return rule

    @routes.delete("/{rule}", status_code=204)
    def drop(rule: str, standing: StandingNow, token: Curator) -> None:
        _found_rule(standing.archive.store, rule)
        dropped = drop_tag_rule(standing.archive, token.name, rule)
        note(standing.archive.store, token, "drop tag rule", dropped.tag)

    return routes


def _found_rule(store: Store, rule: str) -> TagRule:
    found = store.tag_rules.find(rule)
    if found is None:
        raise not_found(f"There is no rule {rule!r} that sets tags.")
    return found


def _found(search: KeptSearch | None, name: str) -> KeptSearch:
    if search is None:
        raise not_found(f"No search is kept under the name {name!r}.")
    return search
