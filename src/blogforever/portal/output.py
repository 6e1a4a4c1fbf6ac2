"""Output: the newest posts and comments of all blogs, or what somebody looks for; as a list, a table, a feed."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from blogforever.errors import UsageError
from blogforever.service.browsing import CommentsShown
from blogforever.service.commentsearch import (
    FoundComments,
    PickedPlace,
    comment_table,
    comment_words,
    found_comments,
    listed_comments,
    says_of_comments,
)
from blogforever.service.cursors import LONGEST_CURSOR, cursor_of, place_of
from blogforever.service.feeding import FEED_TYPE, feed_of_search
from blogforever.service.keys import signature
from blogforever.service.lists import FILE_TYPES
from blogforever.service.loosening import fuller_names, looser_words
from blogforever.service.output import PAGE, listed_posts, number_of, search_table, settled_search
from blogforever.service.replaying import Replay
from blogforever.service.searches import LONGEST_NAME
from blogforever.service.standing import Standing
from blogforever.service.together import Together, TogetherPlace, browse_together, found_together
from blogforever.service.tokens import may, token_of
from blogforever.service.whereabouts import whereabouts_of
from blogforever.storage.browsing import CommentPlace, FoundPlace, PostPlace
from blogforever.storage.following import FollowedBlog
from blogforever.storage.people import User
from blogforever.storage.searches import PostSearch
from blogforever.urls import host_of

from .asked import StandingNow, standing_of
from .page import address, page
from .refusing import LogInFirst
from .showing import language_code
from .visitors import Anybody, Viewer, Visitor, key_of
from .words import N_, _

PATH, FEED, TABLE, EXPORTS = "/output", "/output.atom", "/output.csv", "/exports"
VIEWS = {"list": N_("List"), "table": N_("Table"), "comments": N_("Comments"), "together": N_("Posts and comments")}
ORDERS = {"best": N_("Best first"), "newest": N_("Newest first")}
UNUSUAL = {
    "": N_("Any"),
    "changed": N_("Changed by the author"),
    "commented": N_("With comments"),
    "brief": N_("Hardly any text"),
    "missing": N_("Missing"),
    "gone": N_("Gone"),
}
# Letters of a feed reader's signature: as long as nobody guesses, and short enough for an address.
READER_LETTERS = 32
# Posts or comments on one page at most: `limit` in the address says how many.
MOST = 100
Text = Annotated[str, Field(max_length=LONGEST_NAME)]
Language = Annotated[Text, AfterValidator(language_code)]


class OutputAsked(BaseModel):
    """What somebody looks for, as the address of the page has it; what is unknown there does not
    matter.
    """

    model_config = ConfigDict(extra="ignore")

    q: Text = ""
    blog: Text = ""
    list: Text = ""
    author: Text = ""
    tag: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    language: Language = ""
    unusual: Text = Field(default="", alias="is")
    year: Annotated[str, Field(max_length=4)] = ""
    since: Annotated[str, Field(max_length=40)] = ""
    until: Annotated[str, Field(max_length=40)] = ""
    sort: str = ""
    view: str = ""
    limit: Annotated[int, Field(ge=1, le=MOST)] = PAGE
    after: Annotated[str, Field(max_length=LONGEST_CURSOR)] = ""

    def search(self) -> PostSearch:
        """The search itself."""
        return PostSearch(
            words=self.q.strip(),
            blog=self.blog.strip(),
            list=self.list,
            author=self.author.strip(),
            tags=tuple(tag.strip() for tag in self.tag if tag.strip()),
            language=self.language.strip(),
            unusual=(self.unusual,) if self.unusual else (),
            since=self.since.strip() or self._year(0),
            until=self.until.strip() or self._year(1),
        )

    def _year(self, later: int) -> str:
        """Where the year begins that is asked for, or the one after it."""
        return f"{int(self.year) + later:04}-01-01" if self.year.isascii() and self.year.isdecimal() else ""

    @property
    def looked_up(self) -> str:
        """The address that somebody looks for instead of words; empty where it is none."""
        typed = self.q.strip()
        is_address = typed.startswith(("http://", "https://")) and " " not in typed and bool(host_of(typed))
        return typed if is_address else ""

    @property
    def best_first(self) -> bool:
        """Whether the best come first."""
        return bool(self.q.strip()) and self.sort != "newest"

    def place(self) -> PostPlace | FoundPlace | None:
        """Where the page begins."""
        return place_of(self.after, FoundPlace) if self.best_first else place_of(self.after, PostPlace)

    def values(self, **other: Any) -> dict[str, Any]:
        """What the address of such a page says, with something else in it."""
        asked = self.model_dump(by_alias=True, exclude={"after", "limit"})
        asked |= {} if self.limit == PAGE else {"limit": self.limit}
        return asked | {name.rstrip("_"): value for name, value in other.items()}


def output_routes() -> APIRouter:
    """`/output` and its feed."""
    routes = APIRouter()

    @routes.get(PATH)
    def output(
        request: Request, visitor: Viewer, standing: StandingNow, asked: Annotated[OutputAsked, Query()]
    ) -> Response:
        known = _known(request, asked, standing.archive.store.lists.all())
        known |= {"ftp": standing.ftp.seen_from(request.url.hostname or "")}
        if asked.looked_up:
            found_at = whereabouts_of(standing.archive, asked.looked_up)
            return page(request, "output.html", **known | {"found_at": found_at}, wrong="", posts=(), next=None)
        if asked.view in ("comments", "together"):
            return _with_comments(request, standing, asked, known)
        try:
            search = settled_search(standing.archive, asked.search())
            origin = standing.replay.seen_from(request.url.hostname or "")
            replay, after = Replay(standing.archive), asked.place()
            found = listed_posts(standing.archive, replay, origin, search, asked.best_first, after, asked.limit)
        except UsageError as error:
            return page(request, "output.html", **known, wrong=str(error), posts=(), next=None)
        if not found.items and not asked.after:
            known |= _instead(standing, search, asked)
        is_all = found.next is None and not asked.after
        number = len(found.items) if is_all else number_of(standing.archive, search)
        return page(
            request, "output.html", **known, wrong="", posts=found.items, number=number, next=cursor_of(found.next)
        )

    @routes.get(FEED)
    def feed(
        request: Request,
        standing: StandingNow,
        asked: Annotated[OutputAsked, Query()],
        _reader: Annotated[None, Depends(feed_reader)],
    ) -> Response:
        """The newest posts of a search as Atom; a token in the address does for programs that
        cannot log in.
        """
        search = settled_search(standing.archive, asked.search())
        here = f"{request.url.scheme}://{request.url.netloc}"
        told = {name: value for name, value in asked.values(view="", sort="").items() if value}
        own = (here, address(FEED, told), address(PATH, told))
        return Response(feed_of_search(standing.archive, search, own), media_type=FEED_TYPE)

    @routes.get(TABLE)
    def as_table(visitor: Viewer, standing: StandingNow, asked: Annotated[OutputAsked, Query()]) -> Response:
        """All that a search finds as CSV, not only its first page."""
        return _table_of(standing, asked)

    return routes


def _table_of(standing: Standing, asked: OutputAsked) -> Response:
    """The posts that somebody looks for, or the comments, as a file."""
    search = settled_search(standing.archive, asked.search())
    is_of_comments = asked.view == "comments"
    table = (comment_table if is_of_comments else search_table)(standing.archive, search)
    named = {"Content-Disposition": f'attachment; filename="{"comments" if is_of_comments else "posts"}.csv"'}
    return StreamingResponse(table, media_type=FILE_TYPES["csv"], headers=named)


def feed_reader(
    visitor: Anybody,
    standing: StandingNow,
    token: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
    reader: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
) -> None:
    """Somebody who is logged in, whoever has a token, or the feed reader of somebody who has a
    password: it asks with the address that he copied.
    """
    store = standing.archive.store
    held = token_of(store, token) if token else None
    is_let_in = visitor.may("read") or (held and may(held.scope, "read")) or is_feed_reader(standing, reader)
    if not is_let_in:
        raise LogInFirst


def is_feed_reader(standing: Standing, reader: str) -> bool:
    """Whether a feed reader asks with a key that somebody got who still may read."""
    name, _dot, _signed = reader.rpartition(".")
    user = standing.archive.store.users.find(name) if name else None
    return user is not None and hmac.compare_digest(reader.encode(), reader_key(standing, user).encode())


def reader_key(standing: Standing, user: User) -> str:
    """What lets somebody's feed reader in, to feeds only; another password ends it."""
    return f"{user.name}.{signature(key_of(standing), 'feed', user.name, user.password)[:READER_LETTERS]}"


def feed_address(request: Request, values: Mapping[str, object]) -> str:
    """Where a feed is, for the feed reader of whoever asks."""
    visitor: Visitor = request.state.visitor
    key = {"reader": reader_key(standing_of(request), visitor.user)} if visitor.user else {}
    return address(FEED, {**values, **key})


def _known(request: Request, asked: OutputAsked, lists: Any) -> dict[str, Any]:
    """What every view of the screen knows."""
    visitor: Visitor = request.state.visitor
    return {
        "asked": asked,
        "is_asked": asked.search() != PostSearch(),
        "views": [(name, _(label), address(PATH, asked.values(view=_view(name)))) for name, label in VIEWS.items()],
        "view": asked.view if asked.view in VIEWS else "list",
        "orders": [(name, _(label)) for name, label in ORDERS.items()],
        "unusual": [(name, _(label)) for name, label in UNUSUAL.items()],
        "found_at": None,
        "looser": None,
        "fuller": [],
        "commented": "",
        "lists": [("", _("All"))] + [(one.name, one.name) for one in lists],
        "here_with": address(PATH, asked.values()),
        "first": address(PATH, asked.values()) if asked.after else "",
        "of_blog": _blog_of(standing_of(request), asked.blog.strip()),
        "feed": feed_address(request, asked.values(view="", sort="")),
        "table": address(TABLE, asked.values(view="comments" if asked.view == "comments" else "", sort="")),
        "export": address(EXPORTS, asked.values(view="", sort="")) if visitor.may("curate") else "",
        "may_keep": visitor.may("curate") and asked.search() != PostSearch() and not asked.looked_up,
        "with_tag": lambda tag: address(PATH, {"tag": tag}),
        "with_blog": lambda blog: address(PATH, {"blog": blog}),
        "by_commenter": lambda name: address(PATH, {"author": name[:LONGEST_NAME], "view": "comments"}),
    }


def _blog_of(standing: Standing, typed: str) -> FollowedBlog | None:
    """The followed blog whose posts are shown, where it is named as addresses of ours name it."""
    return next(iter(standing.archive.store.followed.in_archive(typed)), None) if typed else None


def _instead(standing: Standing, search: PostSearch, asked: OutputAsked) -> dict[str, Any]:
    """What somebody may have meant who found nothing: authors of whose names he has a part, or fewer words."""
    fuller = fuller_names(standing.archive, search)
    looser = looser_words(standing.archive, search) if search.words and not fuller else ""
    has_comments = bool(search.author) and bool(found_comments(standing.archive, search, None, 1).items)
    return {
        "commented": address(PATH, asked.values(view="comments")) if has_comments else "",
        "fuller": [(name, address(PATH, asked.values(author=name))) for name in fuller],
        "looser": (looser, address(PATH, asked.values(q=looser))) if looser else None,
    }


def _view(name: str) -> str:
    return "" if name == "list" else name


def _with_comments(request: Request, standing: StandingNow, asked: OutputAsked, known: dict[str, Any]) -> Response:
    """The comments that somebody looks for, or the newest; or posts and comments together."""
    known |= {"words_of": partial(comment_words, words=asked.q)}
    try:
        search = settled_search(standing.archive, asked.search())
        found = _together(standing, search, asked) if asked.view == "together" else _comments(standing, search, asked)
    except UsageError as error:
        return page(request, "output.html", **known, wrong=str(error), comments=(), next=None)
    return page(request, "output.html", **known, wrong="", comments=found.items, next=cursor_of(found.next))


def _comments(standing: Standing, search: PostSearch, asked: OutputAsked) -> CommentsShown | FoundComments:
    kind: type[PickedPlace | CommentPlace] = PickedPlace if says_of_comments(search) else CommentPlace
    return listed_comments(standing.archive, search, place_of(asked.after, kind), asked.limit)


def _together(standing: Standing, search: PostSearch, asked: OutputAsked) -> Together:
    if search != PostSearch(blog=search.blog):
        return found_together(standing.archive, search, place_of(asked.after, PickedPlace), asked.limit)
    return browse_together(standing.archive, search.blog, place_of(asked.after, TogetherPlace), asked.limit)
