"""Sources: the followed blogs as a table that is searched, sorted and filtered, and changed many at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field
from starlette.datastructures import QueryParams

from blogforever.records import HowComplete
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.lists import FILE_TYPES, table_of
from blogforever.service.many import ManyDeed, ManyRequest, chosen_ids, do_to_many
from blogforever.storage.following import Cursor, FollowedQuery, FollowedSort, FollowState
from blogforever.storage.tables import Store

from .asked import StoreNow
from .asking import ask_first, must_ask
from .page import address, go, own_path, page
from .visitors import Curator, Viewer, desk_for, note
from .words import N_, _, plural

PATH = "/sources"
# Blogs on a page.
SHOWN = 50
# Lists, tags and platforms that the filters offer.
OFFERED = 200
LONGEST = 200
NARROWED_BY = ("q", "state", "list", "tag", "platform", "completeness")
STATES: tuple[FollowState, ...] = get_args(FollowState)
SORTS: tuple[FollowedSort, ...] = get_args(FollowedSort)
# What is said of each blog beside its name, and what of it is shown where nobody chooses.
COLUMNS = {
    "state": N_("State"),
    "kind": N_("What it is"),
    "platform": N_("Platform"),
    "feed": N_("Feed"),
    "created": N_("Created"),
    "last_look": N_("Last look"),
    "last_found": N_("Last found"),
    "total": N_("Total"),
    "missing": N_("Complete"),
    "next_look": N_("Next look"),
    "lists": N_("Lists"),
    "tags": N_("Tags"),
    "id": N_("Id"),
}
USUAL = ("state", "total", "missing", "last_found", "last_look", "next_look", "tags")
COMPLETENESS: dict[HowComplete, str] = {
    "complete": N_("complete"),
    "incomplete": N_("incomplete"),
    "not-known": N_("not known"),
}
# The newest first: who has just added something looks for it.
USUAL_SORT = "-created"
DEEDS: dict[ManyDeed, str] = {
    "look": N_("Look now"),
    "pause": N_("Pause"),
    "resume": N_("Resume"),
    "tag": N_("Add a tag"),
    "untag": N_("Take a tag away"),
    "list": N_("Add to a list"),
    "unlist": N_("Take from a list"),
    "block": N_("Block"),
    "unfollow": N_("Follow no more"),
}


@dataclass(frozen=True, slots=True)
class SourcesQuestion:
    """Which blogs somebody wants to see, in which order, with which columns; all of it stands in
    the address.
    """

    q: str = ""
    state: FollowState | None = None
    list: str = ""
    tag: str = ""
    platform: str = ""
    completeness: HowComplete | None = None
    sort: str = USUAL_SORT
    after: str = ""
    columns: tuple[str, ...] = USUAL

    @property
    def query(self) -> FollowedQuery:
        """The same as the store is asked."""
        order: FollowedSort = next(name for name in SORTS if name == self.sort.removeprefix("-"))
        return FollowedQuery(
            q=self.q,
            states=(self.state,) if self.state else (),
            tag=self.tag,
            list=self.list,
            platform=self.platform,
            sort=order,
            descending=self.sort.startswith("-"),
            after=place_of(self.after, Cursor),
            limit=SHOWN,
            completeness=self.completeness,
        )

    @property
    def is_narrow(self) -> bool:
        """Whether some blogs may be left out."""
        return bool(self.list) or self._is_narrower

    @property
    def is_empty_list(self) -> bool:
        """Whether nothing but a list is asked for."""
        return bool(self.list) and not self._is_narrower

    @property
    def _is_narrower(self) -> bool:
        return bool(self.q or self.state or self.tag or self.platform or self.completeness)

    def address(self, path: str = PATH, also: str = "", **changes: object) -> str:
        """The address of the same question with changes; from its first page on. `also` is asked at
        its end, with a value that is still to be written.
        """
        values: dict[str, object] = {name: getattr(self, name) for name in NARROWED_BY}
        values |= {"sort": "" if self.sort == USUAL_SORT else self.sort}
        values |= {"column": () if self.columns == USUAL else self.columns}
        here = address(path, values | changes)
        return f"{here}{'&' if '?' in here else '?'}{also}=" if also else here


def asked_for(given: QueryParams) -> SourcesQuestion:
    """What an address asks for; what makes no sense in it is passed over."""
    sort, state = given.get("sort", ""), given.get("state", "")
    columns = tuple(name for name in COLUMNS if name in given.getlist("column"))
    return SourcesQuestion(
        q=given.get("q", "").strip()[:LONGEST],
        state=next((one for one in STATES if one == state), None),
        list=given.get("list", "")[:LONGEST],
        tag=given.get("tag", "").strip()[:LONGEST],
        platform=given.get("platform", "")[:LONGEST],
        completeness=next((one for one in COMPLETENESS if one == given.get("completeness")), None),
        sort=sort if sort.removeprefix("-") in SORTS else USUAL_SORT,
        after=given.get("after", "")[:LONGEST_CURSOR],
        columns=columns or USUAL,
    )


class ManyForm(BaseModel):
    """What to do to the ticked blogs, or to `everything` that the page at `back` asks for."""

    deed: ManyDeed
    blog: list[str] = Field(default=[], max_length=SHOWN)
    name: str = Field("", max_length=LONGEST)
    everything: str = Field("", max_length=LONGEST)
    back: str = Field(PATH, max_length=LONGEST_CURSOR)
    sure: str = Field("", max_length=LONGEST)


def sources_routes() -> APIRouter:
    """`/sources` and `/sources.csv`."""
    routes = APIRouter()

    @routes.get(PATH)
    def sources(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        question = asked_for(request.query_params)
        found = store.followed.page(question.query)
        feeds = store.followed.feeds(blog.id for blog in found.items) if "feed" in question.columns else {}
        return page(
            request,
            "sources.html",
            asked=question,
            blogs=found.items,
            next=cursor_of(found.next),
            feeds=feeds,
            columns={name: _(label) for name, label in COLUMNS.items()},
            deeds=DEEDS,
            completeness={name: _(word) for name, word in COMPLETENESS.items()},
            **_choices(store),
        )

    @routes.get("/sources.csv")
    def as_csv(request: Request, visitor: Viewer, store: StoreNow) -> Response:
        """All that the question finds, not only its first page."""
        table = table_of(store, asked_for(request.query_params).query)
        named = {"Content-Disposition": 'attachment; filename="sources.csv"'}
        return StreamingResponse(table, media_type=FILE_TYPES["csv"], headers=named)

    @routes.post(f"{PATH}/deed")
    def deed(request: Request, visitor: Curator, store: StoreNow, given: Annotated[ManyForm, Form()]) -> Response:
        """Do something to the ticked blogs, or to all that the question of the page finds."""
        question = asked_for(QueryParams(given.back.partition("?")[2]))
        blogs = chosen_ids(store, question.query) if given.everything else tuple(given.blog)
        if must_ask(given.deed, len(blogs)) and not given.sure:
            return ask_first(request, f"{PATH}/deed", given.model_dump(exclude={"sure"}), _(DEEDS[given.deed]), blogs)
        number = do_to_many(desk_for(request, visitor), blogs, ManyRequest(given.deed, given.name, given.name))
        note(request, visitor, f"{given.deed} many blogs", detail=f"{number} blogs {given.name}".strip())
        done = plural("%(num)s blog: done.", "%(num)s blogs: done.", number)
        return go(request, own_path(given.back), f"{_(DEEDS[given.deed])} · {done}")

    return routes


def _choices(store: Store) -> dict[str, Any]:
    """What the filters offer."""
    numbers = store.followed.counts()
    return {
        # Where blogs are followed, nobody looks through all of them for one that is not, with each page.
        "has_left": bool(numbers or store.followed.unfollowed("", 1)),
        "states": {state: numbers[state] for state in STATES if state in numbers},
        "lists": [(name, name) for name in store.followed.names("list", OFFERED)],
        "tags": store.followed.names("tag", OFFERED),
        "platforms": [(name, name) for name in store.followed.names("platform", OFFERED)],
    }
