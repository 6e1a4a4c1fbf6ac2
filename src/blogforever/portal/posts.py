"""A post: read, with its facts, versions, states, archived page and citations; hidden by those who may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from blogforever.records import FieldSource, PostRecord, json_line
from blogforever.service.browsing import post_as_xml, version_of
from blogforever.service.citing import ENDINGS, citations, cited_post
from blogforever.service.differing import side_by_side
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
from .fields import FIELDS, place
from .finding import PostId, found_post
from .output import PATH as OUTPUT
from .page import address, came_from, page
from .refusing import not_found
from .showing import number
from .visitors import Viewer
from .withholding import withholding_routes
from .words import N_, _

PATH = "/posts"
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
# Where a comment was seen.
SEEN_IN = {
    "page": N_("the page of the post"),
    "feed": N_("the feed of comments"),
    "api": N_("what the platform answers to programs"),
    "frame": N_("a frame of a comment system"),
}
# Fields of a post that have rules, by their names there.
RULED = {
    "title": "title",
    "authors": "authors",
    "published": "published",
    "tags": "tags",
    "categories": "categories",
    "html": "article",
}
# What beside the text two versions are compared by.
COMPARED = ("title", "authors", "published", "tags", "categories", "status")
Number = Annotated[int, Query(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class FoundField:
    """Which way a field came, and how sure that is."""

    name: str
    way: str
    rule: str
    confidence: float | None
    mend: str = ""
    """Where its rule is put right on this very page; empty where it has none."""


def post_routes() -> APIRouter:
    """`/posts/{id}` and what belongs to it."""
    routes = APIRouter(prefix=PATH)
    _add_files(routes)
    _add_reading(routes)
    _add_versions(routes)
    withholding_routes(routes)
    return routes


def _add_reading(routes: APIRouter) -> None:
    @routes.get("/{post}")
    def read(request: Request, visitor: Viewer, standing: StandingNow, post: PostId, version: Number = 0) -> Response:
        newest = found_post(standing, post)
        record = _version(standing, newest, version)
        shown = read_post(standing.archive, Replay(standing.archive), record, _around(request, standing))
        return page(
            request,
            "post.html",
            roles=ROLES,
            post=shown,
            record=record,
            newest=newest,
            fields=_fields(record, shown.followed),
            history=history_of(standing.archive, post),
            beside=neighbours_of(standing.archive, newest),
            found_in=_list_of(request),
        )

    @routes.get("/{post}/archived")
    def archived(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        post: PostId,
        version: Number = 0,
        scripts: bool = False,
    ) -> Response:
        """The archived page, in a frame of another origin; with its scripts where ReplayWeb.page is
        there.
        """
        newest = found_post(standing, post)
        record = _version(standing, newest, version)
        origin = standing.replay.seen_from(request.url.hostname or "")
        replay, can_run = Replay(standing.archive), bool(standing.config.replay_web)
        runs = can_run and scripts
        shown = (scripted_page if runs else archived_page)(replay, record, origin)
        known: dict[str, Any] = {"record": record, "newest": newest, "blog": title_of(standing.archive, record.blog)}
        known |= {"versions": history_of(standing.archive, post).versions, "found_in": _list_of(request)}
        return page(request, "archived.html", **known, archived=shown, can_run=can_run, runs=runs)

    @routes.get("/{post}/cite")
    def cite(request: Request, visitor: Viewer, standing: StandingNow, post: PostId) -> Response:
        record = found_post(standing, post)
        told = cited_post(standing.archive, record)
        return page(request, "cite.html", record=record, blog=told.blog, forms=citations(told), cited=told)


def _add_versions(routes: APIRouter) -> None:
    @routes.get("/{post}/versions")
    def versions(request: Request, visitor: Viewer, standing: StandingNow, post: PostId) -> Response:
        record = found_post(standing, post)
        known: dict[str, Any] = {"record": record, "blog": title_of(standing.archive, record.blog)}
        return page(request, "versions.html", **known, history=history_of(standing.archive, post))

    @routes.get("/{post}/diff")
    def diff(
        request: Request,
        visitor: Viewer,
        standing: StandingNow,
        post: PostId,
        older: Annotated[int, Query(alias="from", ge=0, le=10**9)] = 0,
        newer: Annotated[int, Query(alias="to", ge=0, le=10**9)] = 0,
    ) -> Response:
        """Two versions side by side; without numbers, the newest beside the one before."""
        record = found_post(standing, post)
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
    def as_file(visitor: Viewer, standing: StandingNow, post: PostId, ending: str) -> Response:
        """The record as JSON, XML or Markdown; a citation as a file."""
        record = found_post(standing, post)
        if form := ENDINGS.get(ending):
            named = {"Content-Disposition": f'attachment; filename="{record.id}.{form.ending}"'}
            return Response(form.one(cited_post(standing.archive, record)), 200, named, form.media_type)
        if ending not in TEXTS:
            raise not_found(_("There is no such form of a post: %(form)s.") % {"form": ending[:20]})
        return Response(_as_text(record, ending), media_type=TEXTS[ending])


def _as_text(record: PostRecord, ending: str) -> str:
    if ending == "json":
        return json_line(record) + "\n"
    return post_as_xml(record) if ending == "xml" else markdown_of(record)


def _list_of(request: Request) -> str:
    """The list of posts from which somebody came, to go on with it; empty where he came otherwise."""
    came = came_from(request)
    return came if came.partition("?")[0] == OUTPUT else ""


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


def _fields(record: PostRecord, followed: str) -> list[FoundField]:
    """Which way each field came, and where that is put right."""

    def found(name: str, way: FieldSource) -> FoundField:
        ruled = RULED.get(name, "") if followed else ""
        mend = address(f"{place(followed)}/rules", {"field": ruled, "page": record.url}) if ruled else ""
        return FoundField(_(FIELDS.get(name, name)), _(WAYS.get(way.by, way.by)), way.rule, float(way.confidence), mend)

    return [*(found(name, way) for name, way in record.provenance.items()), *_of_comments(record)]


def _of_comments(record: PostRecord) -> Iterator[FoundField]:
    """Where the comments were seen; each may have been seen in several places."""
    seen = Counter(source for comment in record.comments for source in comment.sources)
    if seen:
        places = [f"{_(SEEN_IN.get(name, name))} ({number(count)})" for name, count in seen.most_common()]
        yield FoundField(_("Comments"), "; ".join(places), "", None)


def _compared(older: PostRecord, newer: PostRecord) -> list[tuple[str, str, str]]:
    """The fields beside the text that differ, as people read them."""
    changed = [name for name in COMPARED if getattr(older, name) != getattr(newer, name)]
    return [(_(FIELDS.get(name, name)), _told(older, name), _told(newer, name)) for name in changed]


def _told(record: PostRecord, name: str) -> str:
    value: Any = getattr(record, name)
    if name == "authors":
        return ", ".join(author.name for author in value)
    return ", ".join(value) if isinstance(value, tuple) else str(value or "")
