"""Searches that people keep, and tags that are set by rule."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from blogforever.service.output import settled_search
from blogforever.service.searches import (
    LONGEST_NAME,
    TagWish,
    drop_search,
    drop_tag_rule,
    keep_search,
    set_tag_rule,
)
from blogforever.storage.searches import PostSearch

from .asked import StandingNow, StoreNow
from .output import EXPORTS, UNUSUAL, Language, OutputAsked, Text, feed_address
from .output import PATH as OUTPUT
from .page import address, go, page
from .visitors import Curator, Viewer, desk_for, note
from .words import _

PATH = "/searches"
LONGEST_NOTE, LONGEST_ADDRESS = 2000, 2000
Name = Annotated[str, Form(max_length=LONGEST_NAME)]


class SearchGiven(OutputAsked):
    """A search that somebody wants to keep, as the form has it."""

    name: Text
    remark: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""


class RuleGiven(BaseModel):
    """Which posts shall have a tag, as the form has it."""

    tag: Text
    begins: Annotated[str, Field(max_length=LONGEST_ADDRESS)] = ""
    language: Language = ""
    platform: Text = ""
    words: Text = ""


def search_routes() -> APIRouter:
    """`/searches`."""
    routes = APIRouter(prefix=PATH)

    @routes.get("")
    def searches(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        kept = [(one, values_of(one.search)) for one in store.searches.all()]
        shown = [
            (
                one,
                address(OUTPUT, values),
                feed_address(request, values),
                address(EXPORTS, values),
                told_search(one.search),
            )
            for one, values in kept
        ]
        return page(request, "searches.html", searches=shown, rules=store.tag_rules.all(), tagged=_tagged)

    @routes.post("")
    def keep(
        request: Request, visitor: Curator, standing: StandingNow, given: Annotated[SearchGiven, Form()]
    ) -> Response:
        search = settled_search(standing.archive, given.search())
        kept = keep_search(desk_for(request, visitor), given.name, search, given.remark)
        note(request, visitor, "keep search", kept.name)
        return go(request, PATH, _("The search %(name)s is kept.") % {"name": kept.name})

    @routes.post("/drop")
    def drop(request: Request, visitor: Curator, name: Name) -> Response:
        drop_search(desk_for(request, visitor), name)
        note(request, visitor, "drop search", name)
        return go(request, PATH, _("The search %(name)s is kept no more.") % {"name": name})

    @routes.post("/rules")
    def set_rule(
        request: Request,
        visitor: Curator,
        standing: StandingNow,
        given: Annotated[RuleGiven, Form()],
    ) -> Response:
        """Give a tag to every post that fits."""
        wish = TagWish(given.tag, given.begins, given.language, given.platform, given.words)
        rule = set_tag_rule(standing.archive, visitor.name, wish)
        note(request, visitor, "set tag by rule", rule.tag)
        return go(request, PATH, _("Every post that fits has the tag %(tag)s now.") % {"tag": rule.tag})

    @routes.post("/rules/drop")
    def drop_rule(request: Request, visitor: Curator, standing: StandingNow, rule: Name) -> Response:
        dropped = drop_tag_rule(standing.archive, visitor.name, rule)
        note(request, visitor, "drop tag rule", dropped.tag)
        return go(request, PATH, _("The rule is gone, and the tags that it gave."))

    return routes


def values_of(search: PostSearch) -> dict[str, object]:
    """A search as the address of its page has it."""
    return {
        "q": search.words,
        "blog": search.blog,
        "list": search.list,
        "author": search.author,
        "tag": search.tags,
        "language": search.language,
        "is": search.unusual[0] if search.unusual else "",
        "since": search.since,
        "until": search.until,
    }


def told_search(search: PostSearch) -> list[tuple[str, str]]:
    """What a search asks for, in words."""
    asked = [
        (_("Words"), search.words),
        (_("Blog"), search.blog),
        (_("List"), search.list),
        (_("Author"), search.author),
        (_("Tags"), ", ".join(search.tags)),
        (_("Language"), search.language),
        (_("Only"), ", ".join(_(UNUSUAL.get(one, one)) for one in search.unusual)),
        (_("From"), search.since),
        (_("Before"), search.until),
    ]
    return [(name, value) for name, value in asked if value]


def _tagged(tag: str) -> str:
    return address(OUTPUT, {"tag": tag})
