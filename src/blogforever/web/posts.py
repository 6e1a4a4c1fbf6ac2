"""Posts over the API: chosen among all blogs, one by one with their versions, comments and differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.errors import UsageError
from blogforever.portal.asked import StandingNow
from blogforever.portal.refusing import not_found
from blogforever.records import PostRecord, read_post, to_json
from blogforever.service.browsing import browse_posts, find_post, post_as_xml, search_posts, version_of
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.differing import DiffRow, side_by_side
from blogforever.service.following import is_unharvested
from blogforever.service.output import settled_search
from blogforever.service.standing import Standing
from blogforever.service.whereabouts import Fate, whereabouts_of
from blogforever.source.address import read_address
from blogforever.storage.browsing import FoundPlace, PostPlace, PostQuery
from blogforever.storage.searches import PostSearch
from blogforever.storage.values import VersionRow

from .access import Reader
from .paging import After, ItemPage, WantedPart
from .texts import LONGEST_NAME, MOST_NAMES, Moment, Name

# Whole records may be long: fewer of them make a page than of other things.
USUAL, MOST = 50, 500
JSON = "application/json"
XML = "application/xml"
AS_XML: dict[int | str, dict[str, Any]] = {200: {"content": {XML: {}}}}
# What beside the text two versions are compared by.
COMPARED = ("title", "authors", "published", "tags", "categories", "html")
Unusual = Literal["changed", "commented", "brief", "unsure", "missing", "gone"]
Id = Annotated[str, Path(description="The id of a post.")]


class PostItem(BaseModel):
    """A post in a list, without its text; `full=1` gives whole records instead."""

    id: str
    blog: str
    url: str
    title: str | None
    authors: list[str]
    published: str | None
    language: str | None
    tags: list[str]
    status: str
    version: int
    comments: int


class PostChoice(BaseModel):
    """Which posts; what is not said does not matter."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(default="", max_length=LONGEST_NAME, description="Words they hold.")
    blog: Name = Field(default="", description="A blog: its id, address or title.")
    list: Name = Field(default="", description="A list that the blog is followed in.")
    author: Name = ""
    tag: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES)
    language: Name = ""
    unusual: tuple[Unusual, ...] = Field(default=(), alias="is", max_length=MOST_NAMES)
    since: Moment | None = Field(default=None, description="Published then or later.")
    until: Moment | None = Field(default=None, description="Published before.")

    def search(self) -> PostSearch:
        """The same as a person's search."""
        return PostSearch(
            words=self.q,
            blog=self.blog,
            list=self.list,
            author=self.author,
            tags=self.tag,
            language=self.language,
            unusual=self.unusual,
            since=self.since or "",
            until=self.until or "",
        )


class PostsQuery(PostChoice):
    """Which posts, in which order, how many of them from where on."""

    sort: Literal["newest", "relevance"] | None = None
    full: bool = Field(default=False, description="Whole records.")
    limit: int = Field(default=USUAL, ge=1, le=MOST, description="How many at most.")
    after: str = Field(default="", max_length=LONGEST_CURSOR, description="`next` of the page before.")

    @property
    def best_first(self) -> bool:
        """Whether the best come first; UsageError where there are no words to judge by."""
        if self.sort == "relevance" and not self.q:
            raise UsageError("sort=relevance needs words: q.")
        return bool(self.q) and self.sort != "newest"

    def place(self) -> PostPlace | FoundPlace | None:
        """Where the page begins."""
        return place_of(self.after, FoundPlace) if self.best_first else place_of(self.after, PostPlace)


class DiffLine(BaseModel):
    """A line of the text that stayed, came or went."""

    what: Literal["same", "added", "removed"]
    text: str


class PostDiff(BaseModel):
    """What two versions of a post have in common and what
    not, line by line; and which other fields differ.
    """

    older: int
    newer: int
    fields: list[str]
    lines: list[DiffLine]


def post_routes() -> APIRouter:
    """Everything about posts."""
    routes = APIRouter(prefix="/posts", tags=["posts"])
    _add_list(routes)
    _add_one(routes)
    return routes


def blog_post_routes() -> APIRouter:
    """The posts of one followed blog."""
    routes = APIRouter(prefix="/blogs", tags=["posts"])

    @routes.get("/{blog}/posts", response_class=Response, responses=PAGE_OF_POSTS)
    def posts(
        blog: str,
        standing: StandingNow,
        _token: Reader,
        full: bool = False,
        limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
        after: After = "",
    ) -> Response:
        followed = standing.archive.store.followed.find(blog)
        if followed is None:
            raise not_found(f"No blog {blog!r} is followed.")
        if followed.blog is None:
            return page_of_lines((), None, full)
        query = PostQuery(blog=followed.blog, after=place_of(after, PostPlace), limit=limit)
        page = browse_posts(standing.archive, query)
        return page_of_lines(page.lines, page.next, full)

    return routes


class PostItems(ItemPage[PostItem | dict[str, Any]]):
    """Some posts."""


PAGE_OF_POSTS: dict[int | str, dict[str, Any]] = {200: {"model": PostItems}}


def _add_list(routes: APIRouter) -> None:
    @routes.get("", response_class=Response, responses=PAGE_OF_POSTS)
    def posts(standing: StandingNow, _token: Reader, wanted: Annotated[PostsQuery, Query()]) -> Response:
        """Posts of all blogs, newest first; with `q` those that hold the words, best first unless
        `sort=newest`.
        """
        search, place, archive = wanted.search(), wanted.place(), standing.archive
        # Of a blog under way the archive has posts before it knows the blog.
        if not is_unharvested(archive.store, search.blog):
            search = settled_search(archive, search)
        page = search_posts(archive, search, wanted.best_first, place, wanted.limit)
        return page_of_lines(page.lines, page.next, wanted.full)


class AddressFate(BaseModel):
    """What became of an address: the post it is, or the followed blog it belongs to and why it is
    not there.
    """

    url: str
    fate: Fate
    post: str | None = None
    blog: str | None = None
    reason: str = ""


def _add_one(routes: APIRouter) -> None:
    @routes.get("/where")
    def where(url: Annotated[str, Query(max_length=2000)], standing: StandingNow, _token: Reader) -> AddressFate:
        """What became of an address: kept, missing, set aside, failed, unseen, or of no blog that
        is followed.
        """
        found = whereabouts_of(standing.archive, read_address(url))
        post, blog = found.post.id if found.post else None, found.blog.id if found.blog else None
        return AddressFate(url=found.url, fate=found.fate, post=post, blog=blog, reason=found.reason)

    @routes.get("/{post}")
    def one(post: Id, standing: StandingNow, _token: Reader) -> dict[str, Any]:
        """The whole record."""
        return to_json(_found(standing, post))

    @routes.get("/{post}/xml", response_class=Response, responses=AS_XML)
    def as_xml(post: Id, standing: StandingNow, _token: Reader) -> Response:
        """The post and its comments as `spider-xml`, for repositories."""
        return Response(post_as_xml(_found(standing, post)).encode(), media_type=XML)

    @routes.get("/{post}/comments")
    def comments(post: Id, standing: StandingNow, _token: Reader, part: WantedPart) -> ItemPage[dict[str, Any]]:
        return part.of([to_json(comment) for comment in _found(standing, post).comments], lambda one: one["id"])

    @routes.get("/{post}/versions")
    def versions(post: Id, standing: StandingNow, _token: Reader, part: WantedPart) -> ItemPage[VersionRow]:
        return part.of(standing.archive.store.versions.of(_found(standing, post).id), lambda one: one.number)

    @routes.get("/{post}/versions/{number}")
    def version(
        post: Id, number: Annotated[int, Path(ge=1, le=10**9)], standing: StandingNow, _token: Reader
    ) -> dict[str, Any]:
        return to_json(_version(standing, _found(standing, post), number))

    @routes.get("/{post}/diff")
    def diff(
        post: Id,
        standing: StandingNow,
        _token: Reader,
        older: Annotated[int | None, Query(alias="from", ge=1, le=10**9)] = None,
        newer: Annotated[int | None, Query(alias="to", ge=1, le=10**9)] = None,
    ) -> PostDiff:
        """What differs between two versions: without numbers, the newest and the one before."""
        record = _found(standing, post)
        last = newer or record.version
        first = older or max(1, last - 1)
        return _diff(_version(standing, record, first), _version(standing, record, last), first, last)


def page_of_lines(lines: tuple[str, ...], place: PostPlace | FoundPlace | None, full: bool) -> Response:
    """A page of records, handed on as they are written, or as items of a list."""
    items = lines if full else [_item(read_post(line)).model_dump_json() for line in lines]
    following = msgspec.json.encode(cursor_of(place)).decode()
    return Response(f'{{"items":[{",".join(items)}],"next":{following}}}'.encode(), media_type=JSON)


def _item(record: PostRecord) -> PostItem:
    return PostItem(
        id=record.id,
        blog=record.blog,
        url=record.url,
        title=record.title,
        authors=[author.name for author in record.authors],
        published=record.published,
        language=record.language,
        tags=[*record.tags],
        status=record.status,
        version=record.version,
        comments=len(record.comments),
    )


def _found(standing: Standing, post: str) -> PostRecord:
    record = find_post(standing.archive, post)
    if record is None:
        raise not_found(f"There is no post {post!r}.")
    return record


def _version(standing: Standing, post: PostRecord, number: int) -> PostRecord:
    found = post if number == post.version else version_of(standing.archive, post, number)
    if found is None:
        raise not_found(f"The post {post.id!r} has no version {number}.")
    return found


def _diff(older: PostRecord, newer: PostRecord, first: int, last: int) -> PostDiff:
    lines = [line for row in side_by_side(older.text, newer.text) for line in _diff_lines(row)]
    fields = [name for name in COMPARED if getattr(older, name) != getattr(newer, name)]
    return PostDiff(older=first, newer=last, fields=fields, lines=lines)


def _diff_lines(row: DiffRow) -> Iterator[DiffLine]:
    """A paragraph as it was and as it is; one where it stayed."""
    older, newer = row.texts
    if row.change == "same":
        yield DiffLine(what="same", text=older)
        return
    if row.older:
        yield DiffLine(what="removed", text=older)
    if row.newer:
        yield DiffLine(what="added", text=newer)
