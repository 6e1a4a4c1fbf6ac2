"""Followed blogs over the API: found, changed, looked at, paused; and what the archive has of each."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.errors import UsageError
from blogforever.model import LookPolicy
from blogforever.portal.asked import StandingNow, StoreNow
from blogforever.portal.refusing import not_found
from blogforever.records import HowComplete, to_json
from blogforever.service.asking import ask_for_look, ask_to_analyse, ask_to_draw, ask_to_reread
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.following import change_followed, drop_followed
from blogforever.service.jobs import list_jobs
from blogforever.service.repairing import accept, freeze
from blogforever.service.subscriptions import ListedSubscription, listed
from blogforever.source.given import BlogMetadata
from blogforever.storage.deciding import FollowedChange
from blogforever.storage.following import (
    Cursor,
    FollowedBlog,
    FollowedQuery,
    FollowedSort,
    FollowState,
    WatchedAddress,
)
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter, JobRow

from .access import Curator, Reader, desk_for, note
from .made import ASKED, job_at
from .paging import MOST, USUAL, After, ItemPage, Limit, WantedPart
from .texts import DAY, LONGEST_NAME, LONGEST_NOTE, MOST_NAMES, Name

Day = Annotated[str, Field(pattern=DAY, min_length=1)]
Order = Literal[
    "id", "title", "created", "state", "last_look", "last_found", "total", "missing", "next_look",
    "-id", "-title", "-created", "-state", "-last_look", "-last_found", "-total", "-missing", "-next_look",
]  # fmt: skip


# What is left where something is taken back with null; days are simply away.
TAKEN_BACK: dict[str, Any] = {
    "title": "", "tags": (), "lists": (), "notes": "", "metadata": BlogMetadata(), "policy": LookPolicy(),
}  # fmt: skip


class MetadataChange(BaseModel):
    """What to say otherwise of a blog; what is not given stays, what is given as null is taken back."""

    model_config = ConfigDict(extra="forbid")

    language: str | None = None
    location: str | None = None
    topic: str | None = None
    author: str | None = None
    author_kind: str | None = None
    institution: str | None = None

    def of(self, metadata: BlogMetadata) -> BlogMetadata:
        """What is said of it then."""
        return replace(metadata, **{name: getattr(self, name) or "" for name in self.model_fields_set})


class BlogChange(BaseModel):
    """What to change of a followed blog; what is not given stays, what is given as null is taken back."""

    model_config = ConfigDict(extra="forbid")

    title: Name | None = None
    tags: tuple[Name, ...] | None = Field(default=None, max_length=MOST_NAMES)
    in_list: Name | None = Field(default=None, alias="list")
    lists: tuple[Name, ...] | None = Field(default=None, max_length=MOST_NAMES)
    notes: str | None = Field(default=None, max_length=LONGEST_NOTE)
    metadata: MetadataChange | None = None
    policy: LookPolicy | None = None
    schedule: LookPolicy | None = Field(default=None, description="The same as `policy`.")
    harvest_by: Day | None = None
    until: Day | None = None


class BlogQuery(BaseModel):
    """Which followed blogs, in which order."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(default="", max_length=LONGEST_NAME, description="Part of the address or the title.")
    status: tuple[FollowState, ...] = Field(default=(), description="Only blogs in these states.")
    state: tuple[FollowState, ...] = Field(default=(), description="The same as `status`, as a blog has it.")
    tag: Name = ""
    in_list: Name = Field(default="", alias="list")
    platform: Name = Field(default="", description="On what it runs, in small or capital letters.")
    completeness: HowComplete | None = Field(default=None, description="Only blogs of which this is known.")
    sort: Order = Field(default="id", description="By what; with `-` the largest first; without a title by id.")
    limit: int = Field(default=USUAL, ge=1, le=MOST, description="How many at most.")
    after: str = Field(default="", max_length=LONGEST_CURSOR, description="`next` of the page before.")

    def asked(self) -> FollowedQuery:
        """The same as the store is asked."""
        order: FollowedSort = self.sort.removeprefix("-")  # type: ignore[assignment]  # it was checked to be one
        return FollowedQuery(
            self.q,
            (*self.status, *self.state),
            self.tag,
            self.in_list,
            self.platform,
            order,
            self.sort.startswith("-"),
            place_of(self.after, Cursor),
            self.limit,
            completeness=self.completeness,
        )


class FailureCount(BaseModel):
    """Why something of the blog's last run could not be captured, and how often."""

    reason: str
    number: int


def blog_routes() -> APIRouter:
    """Everything about followed blogs."""
    routes = APIRouter(prefix="/blogs", tags=["blogs"])
    _add_reading(routes)
    _add_deciding(routes)
    _add_asking(routes)
    _add_contents(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get("")
    def blogs(store: StoreNow, _token: Reader, wanted: Annotated[BlogQuery, Query()]) -> ItemPage[FollowedBlog]:
        page = store.followed.page(wanted.asked())
        return ItemPage(items=[*page.items], next=cursor_of(page.next))

    @routes.get("/{blog}")
    def one(blog: str, store: StoreNow, _token: Reader) -> FollowedBlog:
        return found_blog(store, blog)


def _add_deciding(routes: APIRouter) -> None:
    @routes.patch("/{blog}")
    def change(blog: str, new: BlogChange, standing: StandingNow, token: Curator) -> FollowedBlog:
        store = standing.archive.store
        change = _change_of(new, found_blog(store, blog))
        changed = change_followed(desk_for(standing, token), blog, change)
        note(store, token, "change blog", blog, ", ".join(sorted(new.model_fields_set)))
        return changed

    @routes.delete("/{blog}", status_code=HTTPStatus.NO_CONTENT)
    def drop(blog: str, standing: StandingNow, token: Curator) -> None:
        """Follow it no more; what the archive has of it stays."""
        found_blog(standing.archive.store, blog)
        drop_followed(desk_for(standing, token), [blog])
        note(standing.archive.store, token, "unfollow blog", blog)

    @routes.post("/{blog}/accept", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def accept_changes(blog: str, standing: StandingNow, token: Curator, response: Response) -> JobRow:
        """Take over what a frozen blog shows now."""
        store = standing.archive.store
        found = found_blog(store, blog)
        note(store, token, "accept changes", blog)
        return _asked(response, accept(desk_for(standing, token), found))

    @routes.post("/{blog}/freeze")
    def freeze_it(blog: str, standing: StandingNow, token: Curator) -> FollowedBlog:
        """Let it stand as the archive has it, until somebody accepts what it shows."""
        store = standing.archive.store
        found = found_blog(store, blog)
        note(store, token, "freeze blog", blog)
        return freeze(desk_for(standing, token), found)

    @routes.post("/{blog}/pause")
    def pause(blog: str, standing: StandingNow, token: Curator) -> FollowedBlog:
        found_blog(standing.archive.store, blog)
        note(standing.archive.store, token, "pause blog", blog)
        return change_followed(desk_for(standing, token), blog, FollowedChange(paused=True))

    @routes.post("/{blog}/resume")
    def resume(blog: str, standing: StandingNow, token: Curator) -> FollowedBlog:
        found_blog(standing.archive.store, blog)
        note(standing.archive.store, token, "resume blog", blog)
        return change_followed(desk_for(standing, token), blog, FollowedChange(paused=False))


def _add_asking(routes: APIRouter) -> None:
    @routes.post("/{blog}/crawl", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def crawl(blog: str, store: StoreNow, token: Curator, response: Response) -> JobRow:
        """Look at it now."""
        return _asked(response, ask_for_look(store, found_blog(store, blog), token.name))

    @routes.post("/{blog}/reread", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def reread(blog: str, store: StoreNow, token: Curator, response: Response) -> JobRow:
        """Read its archived pages again, by the rules of today."""
        note(store, token, "read blog again", blog)
        return _asked(response, ask_to_reread(store, found_blog(store, blog), token.name))

    @routes.post("/{blog}/render", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def render(blog: str, store: StoreNow, token: Curator, response: Response) -> JobRow:
        """Walk it again with every page drawn by the browser."""
        note(store, token, "draw blog", blog)
        return _asked(response, ask_to_draw(store, found_blog(store, blog), token.name))

    @routes.post("/{blog}/analyse", status_code=HTTPStatus.ACCEPTED, responses=ASKED)
    def analyse(blog: str, store: StoreNow, token: Curator, response: Response) -> JobRow:
        """Find out what it announces, without harvesting it; the job's result says it."""
        return _asked(response, ask_to_analyse(store, found_blog(store, blog), token.name))


def _add_contents(routes: APIRouter) -> None:
    @routes.get("/{blog}/watched")
    def watched(blog: str, store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[WatchedAddress]:
        return part.of(store.followed.watched(found_blog(store, blog).id), lambda one: one.url)

    @routes.get("/{blog}/subscriptions")
    def subscriptions(blog: str, store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[ListedSubscription]:
        """Hubs and clouds that were asked to tell us of its posts, the newest first."""
        found = store.subscriptions.of_blog(found_blog(store, blog).id)
        return part.of([listed(one) for one in found], lambda one: (one.way, one.hub, one.topic))

    @routes.get("/{blog}/failures")
    def failures(blog: str, store: StoreNow, _token: Reader, part: WantedPart) -> ItemPage[FailureCount]:
        """Why something of its last run could not be captured, the most frequent reason first."""
        kept = found_blog(store, blog).blog
        counted = store.runs.failures(kept) if kept else {}
        found = [FailureCount(reason=why, number=number) for why, number in counted.items()]
        return part.of(found, lambda one: one.reason)

    @routes.get("/{blog}/statement")
    def statement(blog: str, store: StoreNow, _token: Reader) -> dict[str, Any]:
        """How complete it is, as the record of the blog says it; empty before its first harvest."""
        kept = found_blog(store, blog).blog
        record = store.blogs.find(kept) if kept else None
        return to_json(record.completeness) if record and record.completeness else {}

    @routes.get("/{blog}/runs")
    def runs(blog: str, store: StoreNow, _token: Reader, limit: Limit = USUAL, after: After = "") -> ItemPage[JobRow]:
        """The jobs that were done for it, newest first."""
        page = list_jobs(store, JobFilter(blog=found_blog(store, blog).id), limit, place_of(after, int))
        return ItemPage(items=[*page.items], next=cursor_of(page.next))


def _asked(response: Response, job: JobRow) -> JobRow:
    """A job that was asked for; the answer says where it is."""
    job_at(response, job.id)
    return job


def found_blog(store: Store, blog: str) -> FollowedBlog:
    """The followed blog of this id; a problem where there is none."""
    found = store.followed.find(blog)
    if found is None:
        raise not_found(f"No blog {blog!r} is followed.")
    return found


def _change_of(new: BlogChange, blog: FollowedBlog) -> FollowedChange:
    """What is given of this blog, as a decision."""
    given: dict[str, Any] = {name: getattr(new, name) for name in new.model_fields_set}
    if "schedule" in given:
        scheduled = given.pop("schedule")
        if given.setdefault("policy", scheduled) != scheduled:
            raise UsageError("Give either policy or schedule: they are the same.")
    if "in_list" in given:
        alone = given.pop("in_list")
        listed = (alone,) if alone else ()
        if given.setdefault("lists", listed) != listed:
            raise UsageError("Give either list or lists.")
    if isinstance(new.metadata, MetadataChange):
        given["metadata"] = new.metadata.of(blog.metadata)
    taken_back = {name: TAKEN_BACK.get(name) for name, value in given.items() if value is None}
    return FollowedChange(**given | taken_back)
