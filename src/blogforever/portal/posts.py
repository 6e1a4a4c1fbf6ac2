"""A post: read, with its facts, versions, states, archived page and citations; hidden by those who may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import Response

from blogforever.records import PostRecord, json_line
from blogforever.service.browsing import find_post, post_as_xml, version_of
from blogforever.service.citing import ENDINGS, citations, cited_post
from blogforever.service.differing import side_by_side
from blogforever.service.hiding import hide_post
from blogforever.service.neighbours import neighbours_of
from blogforever.service.reading import (
    AbsentWords,
    ReadingPlace,
    archived_page,
    history_of,
    markdown_of,
    read_post,
    scripted_page,
    title_of,
)
from blogforever.service.replaying import Replay
from blogforever.service.standing import Standing

from .asked import StandingNow
from .fields import FIELDS
from .page import go, page
from .refusing import not_found
from .visitors import Curator, Viewer, note
from .words import N_, _

PATH = "/posts"
LONGEST_REASON = 1000
TEXTS = {"json": "application/json", "xml": "application/xml", "md": "text/markdown; charset=utf-8"}
WAYS = {
    "rule": N_("a rule learned from this blog's feed"),
    "feed": N_("the blog's feed"),
    "semantic": N_("markup made for machines"),
    "generic": N_("generic extraction"),
    "platform": N_("what is known of the platform"),
}
ROLES = {
    "page": N_("page"),
    "feed": N_("feed"),
    "api": N_("API"),
    "comments": N_("comments"),
    "rendered": N_("drawn by a browser"),
}
# What beside the text two versions are compared by.
COMPARED = ("title", "authors", "published", "tags", "categories", "status")
Id = Annotated[str, Path(max_length=200)]
Number = Annotated[int, Query(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class FoundField:
    """Which way a field came, and how sure that is."""

    name: str
    way: str
    rule: str
    confidence: float


def post_routes() -> APIRouter:
    """`/posts/{id}` and what belongs to it."""
    routes = APIRouter(prefix=PATH)
    _add_files(routes)
    _add_reading(routes)
    _add_versions(routes)
    _add_deeds(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get("/{post}")
    def read(request: Request, visitor: Viewer, standing: StandingNow, post: Id, version: Number = 0) -> Response:
        newest = _found(standing, post)
        record = _version(standing, newest, version)
        shown = read_post(standing.archive, Replay(standing.archive), record, _around(request, standing))
        return page(
            request,
            "post.html",
            roles=ROLES,
            post=shown,
            record=record,
            newest=newest,
            fields=_fields(record),
            history=history_of(standing.archive, post),
            beside=neighbours_of(standing.archive, newest),
        )

    @routes.get("/{post}/archived")
    def archived(
        request: Request, visitor: Viewer, standing: StandingNow, post: Id, version: Number = 0, scripts: bool = False
    ) -> Response:
        """The archived page, in a frame of another origin; with its scripts where ReplayWeb.page is
        there.
        """
        newest = _found(standing, post)
        record = _version(standing, newest, version)
        origin = standing.replay.seen_from(request.url.hostname or "")
        replay, can_run = Replay(standing.archive), bool(standing.config.replay_web)
        runs = can_run and scripts
        shown = (scripted_page if runs else archived_page)(replay, record, origin)
        known: dict[str, Any] = {"record": record, "newest": newest, "blog": title_of(standing.archive, record.blog)}
        return page(request, "archived.html", **known, archived=shown, can_run=can_run, runs=runs)

    @routes.get("/{post}/cite")
    def cite(request: Request, visitor: Viewer, standing: StandingNow, post: Id) -> Response:
        record = _found(standing, post)
        told = cited_post(standing.archive, record)
        return page(request, "cite.html", record=record, blog=told.blog, forms=citations(told), cited=told)


def _add_versions(routes: APIRouter) -> None:
    @routes.get("/{post}/versions")
    def versions(request: Request, visitor: Viewer, standing: StandingNow, post: Id) -> Response:
        record = _found(standing, post)
        known: dict[str, Any] = {"record": record, "blog": title_of(standing.archive, record.blog)}
        return page(request, "versions.html", **known, history=history_of(standing.archive, post))

    @routes.get("/{post}/diff")
    def diff(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        post: Id,
        older: Annotated[int, Query(alias="from", ge=0, le=10**9)] = 0,
        newer: Annotated[int, Query(alias="to", ge=0, le=10**9)] = 0,
    ) -> Response:
        """Two versions side by side; without numbers, the newest beside the one before."""
        record = _found(standing, post)
        last = newer or record.version
        first = older or max(1, last - 1)
        old, new = _version(standing, record, first), _version(standing, record, last)
        return page(
            request,
            "diff.html",
            record=record,
            blog=title_of(standing.archive, record.blog),
            older=old,
            newer=new,
            numbers=(first, last),
            rows=side_by_side(old.text, new.text),
            fields=_compared(old, new),
        )


def _add_files(routes: APIRouter) -> None:
    @routes.get("/{post}.{ending}")
    def as_file(visitor: Viewer, standing: StandingNow, post: Id, ending: str) -> Response:
        """The record as JSON, XML or Markdown; a citation as a file."""
        record = _found(standing, post)
        if form := ENDINGS.get(ending):
            named = {"Content-Disposition": f'attachment; filename="{record.id}.{form.ending}"'}
            return Response(form.one(cited_post(standing.archive, record)), 200, named, form.media_type)
        if ending not in TEXTS:
            raise not_found(_("There is no such form of a post: %(form)s.") % {"form": ending[:20]})
        return Response(_as_text(record, ending), media_type=TEXTS[ending])


def _add_deeds(routes: APIRouter) -> None:
    @routes.post("/{post}/hide")
    def hide(
        request: Request,
        visitor: Curator,
        standing: StandingNow,
        post: Id,
        reason: Annotated[str, Form(max_length=LONGEST_REASON)] = "",
        until: Annotated[str, Form(max_length=10)] = "",
    ) -> Response:
        """Show a post to nobody, for good or up to a day; the journal keeps the reason."""
        record = _found(standing, post)
        hide_post(standing.archive, record, reason, until)
        note(request, visitor, "hide post", post, reason)
        return go(request, "/hidden", _("The post is hidden; the archive keeps it."))


def _as_text(record: PostRecord, ending: str) -> str:
    if ending == "json":
        return json_line(record) + "\n"
    return post_as_xml(record) if ending == "xml" else markdown_of(record)


def _found(standing: Standing, post: str) -> PostRecord:
    record = find_post(standing.archive, post)
    if record is None:
        raise not_found(_("There is no such post, or it must not be shown."))
    return record


def _version(standing: Standing, post: PostRecord, number: int) -> PostRecord:
    if number in (0, post.version):
        return post
    found = version_of(standing.archive, post, number)
    if found is None:
        raise not_found(_("The post has no version %(number)s.") % {"number": number})
    return found


def _around(request: Request, standing: Standing) -> ReadingPlace:
    origin = standing.replay.seen_from(request.url.hostname or "")
    absent = AbsentWords(
        picture=_("Picture"),
        embedded=_("Embedded"),
        video=_("Film"),
        audio=_("Sound"),
        not_here=_("{what} is not in the archive"),
    )
    return ReadingPlace(origin, absent=absent)


def _fields(record: PostRecord) -> list[FoundField]:
    """Which way each field came."""
    return [
        FoundField(_(FIELDS.get(name, name)), _(WAYS.get(way.by, way.by)), way.rule, float(way.confidence))
        for name, way in record.provenance.items()
    ]


def _compared(older: PostRecord, newer: PostRecord) -> list[tuple[str, str, str]]:
    """The fields beside the text that differ, as people read them."""
    changed = [name for name in COMPARED if getattr(older, name) != getattr(newer, name)]
    return [(_(FIELDS.get(name, name)), _told(older, name), _told(newer, name)) for name in changed]


def _told(record: PostRecord, name: str) -> str:
    value: Any = getattr(record, name)
    if name == "authors":
        return ", ".join(author.name for author in value)
    return ", ".join(value) if isinstance(value, tuple) else str(value or "")
