"""Searches that people keep, and tags set by rule, over the API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.service.browsing import search_posts
from blogforever.service.cursors import place_of
from blogforever.service.searches import TagWish, drop_search, drop_tag_rule, keep_search, set_tag_rule
from blogforever.storage.browsing import PostPlace
from blogforever.storage.searches import KeptSearch, TagRule

from .access import Curator, Reader, desk_for, note
from .paging import After, ItemPage
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
    def searches(store: StoreNow, _token: Reader) -> ItemPage[KeptSearch]:
        return ItemPage(items=store.searches.all(), next=None)

    @routes.post("", status_code=201)
    def keep(body: SearchBody, standing: StandingNow, token: Curator) -> KeptSearch:
        """Keep a search; one of the same name is replaced."""
        kept = keep_search(desk_for(standing, token), body.name, body.search(), body.note)
        note(standing.archive.store, token, "keep search", kept.name)
        return kept

    @routes.get("/{name}/posts", response_class=Response, responses=PAGE_OF_POSTS)
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

    @routes.delete("/{name}", status_code=204)
    def drop(name: str, standing: StandingNow, token: Curator) -> None:
        _found(standing.archive.store.searches.find(name), name)
        drop_search(desk_for(standing, token), name)
        note(standing.archive.store, token, "drop search", name)

    return routes


def tag_rule_routes() -> APIRouter:
    """Tags set by rule."""
    routes = APIRouter(prefix="/tagrules", tags=["searches"])

    @routes.get("")
    def rules(store: StoreNow, _token: Reader) -> ItemPage[TagRule]:
        return ItemPage(items=store.tag_rules.all(), next=None)

    @routes.post("", status_code=201)
    def keep(body: TagRuleBody, standing: StandingNow, token: Curator) -> TagRule:
        """Give a tag to every post that fits, now and from now on."""
        rule = set_tag_rule(standing.archive, token.name, TagWish(**body.model_dump()))
        note(standing.archive.store, token, "set tag by rule", rule.tag)
        return rule

    @routes.delete("/{rule}", status_code=204)
    def drop(rule: str, standing: StandingNow, token: Curator) -> None:
        if standing.archive.store.tag_rules.find(rule) is None:
            raise not_found(f"There is no rule {rule!r} that sets tags.")
        dropped = drop_tag_rule(standing.archive, token.name, rule)
        note(standing.archive.store, token, "drop tag rule", dropped.tag)

    return routes


def _found(search: KeptSearch | None, name: str) -> KeptSearch:
    if search is None:
        raise not_found(f"No search is kept under the name {name!r}.")
    return search
