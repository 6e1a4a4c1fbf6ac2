"""The seams: what the stages ask of the network and of the archive, and the values that cross them.

Each Protocol here has at least two implementations. Live and replayed crawls differ only in the
Fetcher; the handler that receives the pages is the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from .model import Failure, Page

Record = dict[str, Any]
"""One JSON object as a back end gets it: a blog, a post or a failure, as `--jsonl` writes it."""

ENDS = (b"</html>", b"</body>", b"</rss>", b"</feed>", b"</urlset>", b"</sitemapindex>")
"""With what a page, feed or sitemap ends that is all there."""
CUT = {"length": "too large", "time": "timeout", "disconnect": "cut off"}
"""What WARC-Truncated says, in the words of a failure."""

OF_ROBOTS = "robots.txt "
"""So begins a failure whose cause is what the host answers instead of its robots.txt."""

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Statuses that send us to another address."""

Role = Literal["home", "robots", "feed", "sitemap", "api", "entry", "page", "requisite", "media", "comments"]
PAGE_ROLES = frozenset({"home", "entry", "page"})
"""Roles of what people read; the rest is read by machines."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Where the bytes of one response lie in a WARC, so that they can be read again."""

    file: str
    offset: int
    record_id: str = ""
    digest: str = ""

    @property
    def outside(self) -> bool:
        """Whether the file is not the archive's: its own are named from its folder on, others by their whole path."""
        return self.file.startswith("/")


@dataclass(frozen=True, slots=True)
class Ask:
    """A request somebody wants made; `chain` holds the addresses that redirected here."""

    url: str
    role: Role = "page"
    priority: int = 0
    via: str | None = None
    chain: tuple[str, ...] = ()
    draw: bool = False
    """Whether a browser shall draw the page, once it is here."""
    kept: Ref | None = None
    """Where the response lies already: it is read there instead of being asked for again."""
    body: bytes = b""
    """JSON that is sent with a question too long for an address."""
    again: bool = False
    """Whether it hung before: this is its second and last chance, with all the time a page may take."""

    @property
    def first(self) -> str:
        """The address that was asked for before it redirected."""
        return self.chain[0] if self.chain else self.url


@dataclass(frozen=True, slots=True)
class Condition:
    """What an earlier response lets us ask: whether it still holds; and where its body lies."""

    ref: Ref
    captured: datetime
    etag: str | None = None
    modified: str | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a browser made of a page: its final DOM as a page, kept at `ref`; `links` are those
    scripts took it to.

    `done` says what was opened or hidden to see it all, `picture` where its screenshot is kept.
    """

    page: Page
    ref: Ref | None = None
    links: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    picture: Ref | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for an Ask: a page with its status, or the reason why there is none.

    `unchanged` says that the server had nothing new: the page is the one of the earlier response.
    Where a browser was asked for, `drawn` is what it made of the page, or `failure` says why it
    made nothing of it.
    """

    ask: Ask
    status: int
    page: Page | None = None
    location: str | None = None
    ref: Ref | None = None
    failure: Failure | None = None
    unchanged: bool = False
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response as they went over the wire, for the WARC.

    With status 304, `earlier` is the kept response whose ETag or date the request carried: the
    server says that it still holds. The Ref that the recorder gives back reads as that response. A
    `resource` is something we made of a page ourselves; it has only a body.
    """

    url: str
    method: str
    request_headers: tuple[tuple[str, str], ...]
    status: int
    reason: str
    response_headers: tuple[tuple[str, str], ...]
    body: bytes
    captured: datetime
    ip: str | None = None
    via: str | None = None
    truncated: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    earlier: Ref | None = None
    request_body: bytes = b""
    kind: Literal["response", "resource"] = "response"


class PageHandler(Protocol):
    """Who decides what is fetched. The fetcher calls it and follows what it returns.

    One call at a time, but not always in the same thread: a step may take long, and other blogs go
    on meanwhile.
    """

    def start(self) -> Iterable[Ask]:
        """The first requests."""

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """What to ask after this answer."""

    def idle(self) -> Iterable[Ask]:
        """Everything asked for has been answered; what comes next? Nothing ends the crawl."""


class ResponseReader(Protocol):
    """Responses kept in WARC files, by address and by place."""

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """Where the response to this address lies, if it is there; unless `exact`, http and https are the same."""

    def response(self, ref: Ref) -> tuple[int, Page]:
        """Status and page of one kept response."""


Recorder = Callable[[Exchange], Ref]
"""Writes an exchange to the WARC before anybody looks at it."""


@dataclass(slots=True, eq=False)
class Lane:
    """One blog's crawl among several that share a fetcher: who handles its answers, where they go."""

    handler: PageHandler
    record: Recorder | None = None
    resumed: ResponseReader | None = None
    deadline: float | None = None
    earlier: Callable[[str], Condition | None] = lambda _url: None
    """What an earlier response lets us ask of an address; such a request may be answered by "nothing new"."""
    keep_drawn: Recorder | None = None
    """Writes down what a browser drew, where nothing else is recorded; else `record` does."""
    given: str = ""
    """The blog's address as the operator gave it: cookies and passwords go there, and nowhere else."""
    distrusted: dict[str, str] = field(default_factory=dict)
    """The hosts that answered with a certificate that is not valid, and why it is not."""
    source: ResponseReader | None = None
    """Where the answers of a replayed crawl come from, where its blog has a source of its own."""
    done: Callable[[], None] = lambda: None
    """Called when nothing is left to fetch for this blog, while others may still be under way; in any thread."""
    ending: str = ""
    """How its crawl ended, in the words of `Fetcher.run`; empty as long as it has not."""
    fault: Exception | None = None
    """What its handler raised, where that ended it."""
    walks: bool = False
    """Whether a whole blog is walked: its steps may take long, and those of blogs that are looked at must not wait."""
    stopped: bool = False
    """Set by whoever wants nothing more asked for this blog, in any thread; what is under way still comes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request that a page makes while it is drawn; `kind` is the browser's word for what it loads."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    kind: str = "other"


@dataclass(frozen=True, slots=True)
class Served:
    """The answer a browser gets: unpacked, after redirects; `url` is where it came from in the end."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


Serve = Callable[[Wanted], Awaitable[Served | None]]
"""Answers the requests of one page; None refuses, and the browser sees a failed request."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A page as a browser drew it: the final DOM, where scripts led it, what was done to see it all, its picture."""

    html: str
    links: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    picture: bytes | None = None


class Renderer(Protocol):
    """Draws pages as a visitor sees them, without a network of its own."""

    async def draw(self, page: Page, serve: Serve) -> Drawing | Failure:
        """The page with its scripts run; whatever it loads, `serve` is asked for."""

    async def close(self) -> None:
        """Give back everything that was started."""


class Fetcher(Protocol):
    """Brings pages from the network or out of a WARC."""

    def run(self, lanes: list[Lane]) -> list[str]:
        """Fetch until no handler has anything more to ask; a word for each says how it ended.

        "finished"; "interrupted" by a person; "lost": nothing could be reached any more. What a
        handler raises ends its own crawl, and is raised here when the others are done: then each
        lane says how it ended, or why it did not.
        """

    def read(self, ref: Ref) -> Page:
        """The page of an earlier answer, read again."""


class BackEnd(Protocol):
    """A place for the records of a crawl beside the archive: a queue, a search engine, somebody's own database."""

    def record(self, record: Record) -> None:
        """One final record: a blog, a post or a failure, as `--jsonl` writes it."""

    def close(self) -> None:
        """The crawl is over, and every record was handed over."""


def why_cut(truncated: str | None, body: bytes) -> str | None:
    """Why a response is no page, of which only a part came; None where a wrong length is all that is wrong with it."""
    if not truncated or (truncated == "disconnect" and body.rstrip()[-16:].lower().endswith(ENDS)):
        return None
    return CUT.get(truncated, CUT["disconnect"])
