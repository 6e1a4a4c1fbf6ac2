"""The values handed from stage to stage: frozen, plain, and named as in the glossary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

Precision = Literal["second", "minute", "day", "month", "year"]
CommentKind = Literal["comment", "pingback", "trackback", "webmention"]
By = Literal["rule", "feed", "semantic", "generic"]


@dataclass(frozen=True, slots=True)
class Page:
    """One response as fetched."""

    url: str
    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    captured: datetime | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as a blog gives it: ISO 8601 with its own
    offset where known, never moved to another zone.
    """

    iso: str
    precision: Precision
    raw: str = ""

    @property
    def day(self) -> date:
        """The calendar day; the first of the month or year where only that is known."""
        year, month, day = [*self.iso[:10].split("-"), "1", "1"][:3]
        return date(int(year), int(month), int(day))


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote it."""

    name: str
    uri: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file a feed entry carries: audio, video, a picture."""

    url: str
    type: str | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a feed."""

    url: str
    guid: str | None = None
    title: str | None = None
    authors: tuple[Author, ...] = ()
    published: Moment | None = None
    updated: Moment | None = None
    html: str = ""
    summary_html: str = ""
    tags: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    comments_url: str | None = None
    comments_feed: str | None = None
    comment_count: int | None = None
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed read from bytes; `problems` says in words what was wrong with it."""

    url: str
    kind: Literal["rss", "atom", "rdf", "json"]
    version: str = ""
    title: str | None = None
    subtitle: str | None = None
    link: str | None = None
    language: str | None = None
    generator: str | None = None
    rights: str | None = None
    authors: tuple[Author, ...] = ()
    entries: tuple[Entry, ...] = ()
    next_url: str | None = None
    pageless: int = 0
    """Entries that are left out because they name no page."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which way a field came, and how sure we are of it."""

    by: By
    rule: str
    confidence: float


@dataclass(frozen=True, slots=True)
class MediaRef:
    """A picture, sound or film a post shows."""

    url: str
    role: str = "picture"
    type: str | None = None
    alt: str | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link out of a post's text."""

    url: str
    text: str = ""
    rel: str | None = None
    kind: str = "link"


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's answer under a post; `parent` is the id of the comment it answers.

    The id says by its first word what it is built on: the system's own id ("native"), or post,
    author, raw date and ordinal ("built").
    """

    id: str
    text: str = ""
    html: str = ""
    native_id: str | None = None
    url: str | None = None
    author: Author | None = None
    avatar: str | None = None
    published: Moment | None = None
    parent: str | None = None
    position: int = 0
    kind: CommentKind = "comment"
    by_post_author: bool = False
    status: str = "active"
    sources: tuple[str, ...] = ("page",)


@dataclass(frozen=True, slots=True)
class Geo:
    """The place a post speaks of or was written at, in degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Post:
    """A page that is a blog post, extracted; absent is None or empty, never invented."""

    url: str
    title: str | None = None
    subtitle: str | None = None
    authors: tuple[Author, ...] = ()
    published: Moment | None = None
    modified: Moment | None = None
    language: str | None = None
    text: str = ""
    html: str = ""
    summary: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kind: str = "post"
    lead_picture: str | None = None
    media: tuple[MediaRef, ...] = ()
    links: tuple[Link, ...] = ()
    previous_url: str | None = None
    next_url: str | None = None
    guid: str | None = None
    native_id: str | None = None
    comments: tuple[Comment, ...] = ()
    rights: str | None = None
    license: str | None = None
    geo: Geo | None = None
    visibility: str | None = None  # "password" where readers see only a form, "members" where they are to subscribe
    provenance: Mapping[str, Provenance] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for people: its words with {places} in them, and what stands there.

    So a face can say it in another language. A value called `time` is a length in seconds, one
    called `weekdays` numbers of days of the week (0 is Monday) with commas.
    """

    text: str
    values: tuple[tuple[str, str | float], ...] = ()


ANNOUNCED = "announced by the "
"""So begins the detail of a failure where the blog itself names what could not be captured."""
PASSING = frozenset({"timeout", "connection", "cut off", "status 408", "status 425", "status 429"})
SERVER_ERROR = "status 5"


@dataclass(frozen=True, slots=True)
class Failure:
    """What could not be captured, and why."""

    url: str
    reason: str
    detail: str = ""

    @property
    def is_passing(self) -> bool:
        """Whether this is a post that the blog announces, and that may well be there some hours later: its server has
        trouble, and no objection.
        """
        is_trouble = self.reason in PASSING or self.reason.startswith(SERVER_ERROR)
        return is_trouble and self.detail.startswith(ANNOUNCED)

    def announced_by(self, who: str) -> Failure:
        """The same of a page that the blog's `feed`, or the `blog`, names as a post."""
        detail = f"{ANNOUNCED}{who}"
        return Failure(self.url, self.reason, f"{detail}: {self.detail}" if self.detail else detail)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where one field stands in a blog's pages; `css` runs, `xpath` says the same to people.

    The value is the text of the node found (or of `attribute`), between `prefix` and `suffix`.
    `own` takes only the text right below the node, `key` a value inside JSON-LD. `starts` limits an
    exclusion to nodes whose text begins so (and has no more than `most` words), `leads` to so many on a page that only
    lead to other posts. `after` and `before` cut an article without a container
    of its own out of its siblings, `beside` finds siblings that hold more of its text.
    """

    css: str
    xpath: str
    attribute: str | None = None
    own: bool = False
    key: str | None = None
    prefix: str = ""
    suffix: str = ""
    starts: str = ""
    most: int = 0
    leads: int = 0
    after: str = ""
    before: str = ""
    beside: str = ""
    format: str | None = None
    language: str | None = None
    confidence: float = 1.0
    pages: int = 0
    locked: bool = False  # set by a person, and kept when the blog is learned again


@dataclass(frozen=True, slots=True)
class Template:
    """The rules of one page layout of a blog; a field may have several rules, tried in order."""

    article: Rule
    exclude: tuple[Rule, ...] = ()
    fields: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    pages: int = 0


@dataclass(frozen=True, slots=True)
class CommentRules:
    """Where a blog's comments stand, each a CSS selector:
    a comment, and in it its author, date and text.

    `parent` finds a link to the comment that is answered, where a system does not nest its answers.
    """

    item: str
    author: str = ""
    date: str = ""
    text: str = ""
    parent: str = ""
    format: str | None = None
    language: str | None = None
    confidence: float = 1.0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Need:
    """Whether a blog needs a browser, as a probe found it: for its articles, for its comments.

    When, and from what.
    """

    articles: bool = False
    comments: bool = False
    checked: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SharedPages:
    """Where posts begin on the pages that several share: at what `css` finds, whose `attribute` is
    the mark.

    A mark has this `prefix`, and behind it a number, or anything; `inside` finds the element that
    holds the posts.
    """

    css: str
    attribute: str
    prefix: str = ""
    number: bool = False
    inside: str = ""
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a blog, one template for each page layout it uses or has used."""

    blog: str
    templates: tuple[Template, ...] = ()
    feed: str | None = None
    language: str | None = None
    full_feed: bool | None = None
    author: str | None = None  # who wrote every entry of the feed, where that is one person
    placeholders: tuple[str, ...] = ()  # what the blog calls posts that have no title
    comments: tuple[CommentRules, ...] = ()
    browser: Need | None = None
    shared: SharedPages | None = None
    by: str = ""  # the installation whose templates these are; empty where they were learned here
    version: int = 1


@dataclass(frozen=True, slots=True)
class LookPolicy:
    """When a followed blog may be looked at, as a person has set it; None leaves it to the
    schedule.

    `every` is the time between two looks, `at_least` and `at_most` are the bounds that the schedule
    keeps to where it decides itself; all in seconds. In its quiet hours (of the day, UTC) a blog is
    not looked at. What has a higher `priority` comes first.
    """

    every: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    quiet_hours: tuple[int, ...] = ()
    priority: int = 0
