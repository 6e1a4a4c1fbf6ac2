"""Posts over the API: chosen among all blogs, one by one with their versions, comments and differences."""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from blogforever.errors import UsageError
from blogforever.records import PostRecord, read_post, to_json
from blogforever.service.browsing import browse_posts, find_post, search_best, version_of
from blogforever.service.standing import Standing
from blogforever.storage.browsing import Facet, FacetKind, PostPlace, PostQuery
from blogforever.storage.values import VersionRow

from .access import Reader, StandingNow
from .paging import LONGEST_CURSOR, After, ItemPage, cursor_of, place_of
from .problems import not_found
from .texts import LONGEST_NAME, MOST_NAMES, Name

# Whole records may be long: fewer of them make a page than of other things.
USUAL, MOST = 50, 500
JSON = "application/json"
# What beside the text two versions are compared by.
COMPARED = ("title", "authors", "published", "tags", "categories", "html")
Moment = Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2}([T ].{0,30})?)?)?$", description="ISO 8601.")]
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


class PostsQuery(BaseModel):
    """Which posts."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(default="", max_length=LONGEST_NAME, description="Words; the best come first.")
    blog: Name = Field(default="", description="The id of a blog in the archive.")
    author: Name = ""
    tag: tuple[Name, ...] = Field(default=(), max_length=MOST_NAMES)
    language: Name = ""
    unusual: tuple[Name, ...] = Field(
        default=(), alias="is", max_length=MOST_NAMES, description="changed, commented, missing, gone ..."
    )
    since: Moment | None = None
    until: Moment | None = None
    sort: Literal["newest", "relevance"] | None = None
    full: bool = Field(default=False, description="Whole records.")
    limit: int = Field(default=USUAL, ge=1, le=MOST, description="How many at most.")
    after: str = Field(default="", max_length=LONGEST_CURSOR, description="`next` of the page before.")

    def facets(self) -> tuple[Facet, ...]:
        """By what posts are chosen beside blog and time."""
        wanted: dict[FacetKind, tuple[str, ...]] = {
            "author": (self.author,),
            "tag": self.tag,
            "language": (self.language,),
            "is": self.unusual,
        }
        return tuple(Facet(kind, name) for kind, names in wanted.items() for name in names if name.strip())

    def asked(self) -> PostQuery:
        """The same as the store is asked."""
        place = place_of(self.after, PostPlace)
        return PostQuery(self.blog, self.facets(), self.since or "", self.until or "", place, self.limit)

    def refuse_more_than_words(self) -> None:
        """A search goes by its words alone."""
        is_more = bool(self.facets() or self.since or self.until or self.after)
        if is_more or self.sort == "newest":
            raise UsageError("With q only blog, limit and full can be given; the best come first.")


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
        """Posts of all blogs, newest first; with `q` those that hold the words, best first."""
        if wanted.q:
            wanted.refuse_more_than_words()
            found = search_best(standing.archive, wanted.q, wanted.blog, wanted.limit)
            return page_of_lines(found, None, wanted.full)
        if wanted.sort == "relevance":
            raise UsageError("sort=relevance needs words: q.")
        page = browse_posts(standing.archive, wanted.asked())
        return page_of_lines(page.lines, page.next, wanted.full)


def _add_one(routes: APIRouter) -> None:
    @routes.get("/{post}")
    def one(post: Id, standing: StandingNow, _token: Reader) -> dict[str, Any]:
        """The whole record."""
        return to_json(_found(standing, post))

    @routes.get("/{post}/comments")
    def comments(post: Id, standing: StandingNow, _token: Reader) -> ItemPage[dict[str, Any]]:
        return ItemPage(items=[to_json(comment) for comment in _found(standing, post).comments], next=None)

    @routes.get("/{post}/versions")
    def versions(post: Id, standing: StandingNow, _token: Reader) -> ItemPage[VersionRow]:
        return ItemPage(items=standing.archive.store.versions.of(_found(standing, post).id), next=None)

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


def page_of_lines(lines: tuple[str, ...], place: PostPlace | None, full: bool) -> Response:
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
    words = {" ": "same", "+": "added", "-": "removed"}
    compared = difflib.ndiff(older.text.splitlines(), newer.text.splitlines())
    told = ({"what": words[line[0]], "text": line[2:]} for line in compared if line[0] in words)
    lines = [DiffLine.model_validate(line) for line in told]
    fields = [name for name in COMPARED if getattr(older, name) != getattr(newer, name)]
    return PostDiff(older=first, newer=last, fields=fields, lines=lines)
