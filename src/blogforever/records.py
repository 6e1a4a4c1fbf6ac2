"""What the archive keeps and gives out: the records of posts, pages, blogs and failures, and their
JSON.

A new field is one line here. A field marked `PAGE` is read from the page, and read again when rules
change; all others are kept by the archive. The JSON, `reextract` and the comparison of two readings
follow from that line.

Fields that this version does not know, written by another one, are kept: reading puts them into
`further`, at whatever depth they stand, and writing puts them back behind the known ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from .errors import ArchiveError
from .typedjson import converted, decoded

HowComplete = Literal["complete", "incomplete", "not-known"]
SCHEMA = 1
SHOWN = 80
"""Characters of a damaged line that are shown: enough to find it by."""
PAGE = Meta(extra={"origin": "page"})
"""Marks a field that is read from the page."""
FURTHER = "*"
"""The name of `further` on the way in and out; no field of a record can be called so."""
SUPPRESSED = "suppressed"
"""The status of a post that nobody is to see."""
# Some readers of JSON lines take these for the end of a line.
LINE_ENDS = {mark: f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}

Number = int | float
"""As it was written: 1 does not become 1.0 by being read."""


class Stored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whatever is written down as a JSON object. Words of a closed list are plain `str`: later versions know more."""

    further: Mapping[str, Any] | UnsetType = field(default=UNSET, name=FURTHER)


Kind = TypeVar("Kind", bound=Stored)


class AuthorRecord(Stored, frozen=True):
    """Who wrote a post."""

    name: str
    uri: str | None = None
    email: str | None = None


class CommentAuthor(Stored, frozen=True):
    """Who wrote a comment, as far as the page tells."""

    name: str | None = None
    uri: str | None = None
    avatar: str | None = None


class CommentRecord(Stored, frozen=True, kw_only=True):
    """One comment; `parent` is the id of the comment it answers."""

    id: str
    native_id: str | None = None
    url: str | None = None
    author: CommentAuthor = CommentAuthor()
    published: str | None = None
    published_precision: str | None = None
    published_raw: str | None = None
    text: str = ""
    html: str = ""
    parent: str | None = None
    position: int = 0
    kind: str = "comment"
    status: str = "active"
    by_post_author: bool = False
    sources: tuple[str, ...] = ()


class MediaRecord(Stored, frozen=True, kw_only=True):
    """A picture, sound or film of a post; hash and path where it was fetched."""

    url: str
    role: str = "picture"
    type: str | None = None
    sha256: str | None = None
    path: str | None = None
    alt: str | None = None
    caption: str | None = None


class LinkRecord(Stored, frozen=True):
    """A link out of a post's text."""

    url: str
    text: str = ""
    rel: str | None = None
    kind: str = "link"


class FieldSource(Stored, frozen=True):
    """Which way a field came, and how sure we are of it."""

    by: str
    rule: str = ""
    confidence: Number = 0.0


class SourceRecord(Stored, frozen=True, kw_only=True):
    """One capture a record was made from."""

    record_id: str | None = None
    url: str
    captured: str | None = None
    digest: str | None = None
    role: str = "page"


class PlaceRecord(Stored, frozen=True, kw_only=True):
    """The place a post speaks of or was written at, in degrees."""

    latitude: Number
    longitude: Number


class ExtraRecord(Stored, frozen=True, kw_only=True, omit_defaults=True):
    """What only some posts have; what is not known is left out."""

    lead_picture: str | None = None
    visibility: str | None = None
    rights: str | None = None
    license: str | None = None
    geo: PlaceRecord | None = None
    comments_stated: int | None = None
    cut: tuple[str, ...] = ()
    """What a limit of ours left unread: `page`, where it is longer or has more mark-up than is read of any;
    `comments` of a page or a feed that has more than are read; `comment pages` that were not asked for.
    """


class PostRecord(Stored, frozen=True, kw_only=True, tag_field="type", tag="post"):
    """A post as the outside gets it; absent is null or empty, never invented."""

    schema: int = SCHEMA
    id: str
    blog: str
    url: str
    aliases: tuple[str, ...] = ()
    guid: str | None = None
    native_id: str | None = None
    title: Annotated[str | None, PAGE] = None
    subtitle: Annotated[str | None, PAGE] = None
    authors: Annotated[tuple[AuthorRecord, ...], PAGE] = ()
    published: Annotated[str | None, PAGE] = None
    published_precision: Annotated[str | None, PAGE] = None
    published_raw: Annotated[str | None, PAGE] = None
    modified: Annotated[str | None, PAGE] = None
    language: Annotated[str | None, PAGE] = None
    text: Annotated[str, PAGE] = ""
    html: Annotated[str, PAGE] = ""
    summary: Annotated[str | None, PAGE] = None
    tags: Annotated[tuple[str, ...], PAGE] = ()
    categories: Annotated[tuple[str, ...], PAGE] = ()
    kind: Annotated[str, PAGE] = "post"
    comments: Annotated[tuple[CommentRecord, ...], PAGE] = ()
    media: Annotated[tuple[MediaRecord, ...], PAGE] = ()
    links: Annotated[tuple[LinkRecord, ...], PAGE] = ()
    previous_url: Annotated[str | None, PAGE] = None
    next_url: Annotated[str | None, PAGE] = None
    status: str = "active"
    version: int = 1
    screenshot: str | None = None
    provenance: Mapping[str, FieldSource] = {}
    sources: tuple[SourceRecord, ...] = ()
    extra: ExtraRecord = ExtraRecord()

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the post, its own first."""
        return (self.url, *self.aliases)

    @property
    def capture(self) -> SourceRecord | None:
        """The capture its page was read from."""
        return self.sources[0] if self.sources else None

    @property
    def text_source(self) -> FieldSource | None:
        """Which way its text came."""
        return self.provenance.get("html")


class PageRecord(PostRecord, frozen=True, kw_only=True, tag="page"):
    """A page of the blog that is no post (About, Contact), with the fields of a post that it has."""

    kind: Annotated[str, PAGE] = "page"

    @classmethod
    def of(cls, post: PostRecord) -> PageRecord:
        """What was read of a page as if it were a post."""
        values = {name: getattr(post, name) for name in post.__struct_fields__}
        return cls(**values | {"kind": "page"})


class PlatformChange(Stored, frozen=True, kw_only=True):
    """When the blog was found to run on another platform, and how that was seen."""

    at: str
    before: str | None = field(name="from", default=None)
    before_version: str | None = field(name="from_version", default=None)
    after: str | None = field(name="to", default=None)
    after_version: str | None = field(name="to_version", default=None)
    evidence: str = ""


class SourceTally(Stored, frozen=True, kw_only=True):
    """Who announces posts: how many, how many of them were captured, how many set aside."""

    source: str
    url: str = ""
    announced: int = 0
    captured: int = 0
    set_aside: int = 0
    whole: bool | UnsetType = UNSET


class LeftOut(Stored, frozen=True):
    """An announced address that is not kept, and why."""

    url: str
    reason: str = ""


class NotFollowed(Stored, frozen=True):
    """Links of the blog that were not followed for one reason: how many, and the first of them."""

    reason: str
    links: int
    urls: tuple[str, ...] = ()


class TrapRecord(Stored, frozen=True):
    """A trap that was left, by one of its addresses, and how many like it were not asked for."""

    url: str
    left: int


class CertificateRecord(Stored, frozen=True):
    """A host whose certificate was not valid, and why."""

    host: str
    not_valid: str


class CompletenessRecord(Stored, frozen=True, kw_only=True):
    """The completeness statement as the blog's record keeps it.

    What is unset was not yet part of the statement when it was made, and is not written into it
    later.
    """

    complete: bool = False
    announced: int = 0
    captured: int = 0
    sources: tuple[SourceTally, ...] = ()
    missing: tuple[LeftOut, ...] = ()
    set_aside: tuple[LeftOut, ...] = ()
    limits: tuple[str, ...] = ()
    stopped_by: str | None = None
    cadence: str | UnsetType | None = UNSET
    without_text: int | UnsetType = UNSET
    traps: tuple[TrapRecord, ...] | UnsetType = UNSET
    not_followed: tuple[NotFollowed, ...] | UnsetType = UNSET
    certificates: tuple[CertificateRecord, ...] | UnsetType = UNSET

    @property
    def verdict(self) -> HowComplete:
        """The same in a word; where nothing lists all posts, nobody knows."""
        if self.complete:
            return "complete"
        return "incomplete" if self.missing or self.limits or self.stopped_by else "not-known"


class BlogRecord(Stored, frozen=True, kw_only=True, tag_field="type", tag="blog"):
    """What is known about a blog; what is unset nobody has looked for yet, null is what was not found."""

    schema: int = SCHEMA
    id: str
    url: str
    title: str | None = None
    subtitle: str | None = None
    platform: str | None = None
    platform_version: str | None = None
    platform_changes: tuple[PlatformChange, ...] = ()
    language: str | None = None
    charset: str | None = None
    feeds: tuple[str, ...] = ()
    comment_feeds: tuple[str, ...] = ()
    sitemap: tuple[str, ...] = ()
    status: str = "active"
    rights: str | None = None
    posts: int = 0
    announced: int = 0
    completeness: CompletenessRecord | None = None
    generator: str | UnsetType | None = UNSET
    feed: str | UnsetType | None = UNSET
    api: str | UnsetType | None = UNSET
    walked: bool | UnsetType = UNSET
    status_message: str | UnsetType | None = UNSET

    @property
    def walked_whole(self) -> bool:
        """Whether a crawl has gone through the whole of it; older records say only what stopped one."""
        if self.walked is not UNSET:
            return self.walked
        return self.completeness is None or not self.completeness.stopped_by


class FailureRecord(Stored, frozen=True, kw_only=True, tag_field="type", tag="failure"):
    """What could not be captured, and why."""

    blog: str
    url: str
    reason: str
    detail: str = ""


AnyRecord = PostRecord | PageRecord | BlogRecord | FailureRecord


@dataclass(frozen=True, slots=True)
class BlogSummary:
    """A blog with what was counted of it: posts kept, their first and last day, when it was last crawled."""

    record: BlogRecord
    kept: int = 0
    first: str | None = None
    last: str | None = None
    crawled: str | None = None
    unfinished: bool = False
    """Whether its last crawl was interrupted."""

    @property
    def id(self) -> str:
        """The blog's name in the archive."""
        return self.record.id

    @property
    def url(self) -> str:
        """The blog's address; empty where nothing but posts is known of it."""
        return self.record.url


def page_fields() -> tuple[str, ...]:
    """The fields of a post that are read from its page."""
    hints = get_type_hints(PostRecord, include_extras=True)
    return tuple(name for name in PostRecord.__struct_fields__ if PAGE in getattr(hints[name], "__metadata__", ()))


# ------------------------------------------------------------------ JSON


def json_line(record: Stored | Mapping[str, Any]) -> str:
    """A record as one line for every reader: no mark that some take for a line's end, no lone surrogate."""
    plain = to_json(record) if isinstance(record, Stored) else record
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    for mark, escaped in LINE_ENDS.items():
        text = text.replace(mark, escaped)
    return text.encode("utf-8", "replace").decode("utf-8")


def to_json(record: Stored) -> dict[str, Any]:
    """A record as JSON has it: objects and lists."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    _unfold(plain, _layout(type(record)))
    return plain


def from_json(plain: dict[str, Any], kind: type[Kind]) -> Kind:
    """The record that JSON tells of; `plain` is not to be used any more."""
    try:
        _fold(plain, _layout(kind))
        return converted(plain, kind)
    except (msgspec.MsgspecError, TypeError, AttributeError) as error:
        raise _damaged(str(plain), error) from error


def read_post(line: str) -> PostRecord:
    """The post that was written as this line."""
    return read_json(line, PostRecord)


def read_own_page(line: str) -> PageRecord:
    """The page of a blog that was written as this line."""
    return read_json(line, PageRecord)


def read_blog(line: str) -> BlogRecord:
    """The blog that was written as this line."""
    return read_json(line, BlogRecord)


def read_record(line: str) -> AnyRecord:
    """Whatever record was written as this line."""
    known = (PostRecord, PageRecord, BlogRecord, FailureRecord)
    kinds: dict[object, type[AnyRecord]] = {kind.__struct_config__.tag: kind for kind in known}
    named = _parsed(line).get("type")
    if not isinstance(named, str) or named not in kinds:
        raise _damaged(line, f"there is no type {named!r}")
    return read_json(line, kinds[named])


def read_json(line: str, kind: type[Kind]) -> Kind:
    """What was written as this line, of a kind that is known."""
    try:
        return decoded(line, kind)
    except msgspec.MsgspecError:
        # Another version's fields, or damage; which of them, the slow way tells.
        return from_json(_parsed(line), kind)


def _parsed(line: str) -> dict[str, Any]:
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(line, error) from error
    if not isinstance(plain, dict):
        raise _damaged(line, "no object")
    return plain


def _damaged(text: str, why: object) -> ArchiveError:
    return ArchiveError(f"A record of the archive is damaged ({why}): {text[:SHOWN]!r}.")


@dataclass(frozen=True, slots=True)
class _Layout:
    """The names an object has by its type, and which of them hold further objects of which layout."""

    names: frozenset[str]
    inner: tuple[tuple[str, _Layout], ...]
    keyed: frozenset[str]
    """The names under which objects stand by keys of their own."""

    def objects(self, plain: dict[str, Any]) -> Iterable[tuple[dict[str, Any], _Layout]]:
        """The objects inside an object."""
        for name, layout in self.inner:
            value = plain.get(name)
            if isinstance(value, dict):
                value = value.values() if name in self.keyed else (value,)
            for item in value or ():
                yield item, layout


@cache
def _layout(kind: type[Stored]) -> _Layout:
    hints = get_type_hints(kind)
    pairs = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    encoded = {name: written for name, written in pairs if written != FURTHER}
    found = {encoded[name]: _stored_in(hints[name]) for name in encoded}
    inner = tuple((name, _layout(stored)) for name, stored in found.items() if stored)
    keyed = frozenset(encoded[name] for name in encoded if get_origin(hints[name]) is Mapping)
    tag = kind.__struct_config__.tag_field
    return _Layout(frozenset(found) | ({tag} if tag else set()), inner, keyed)


def _stored_in(hint: object) -> type[Stored] | None:
    """The kind of object that a field holds, one or many of them."""
    if isinstance(hint, type) and issubclass(hint, Stored):
        return hint
    return next((stored for part in get_args(hint) if (stored := _stored_in(part))), None)


def _fold(plain: dict[str, Any], layout: _Layout) -> None:
    """Put what is not known into `further`, everywhere."""
    unknown = plain.keys() - layout.names
    if unknown:
        # In their order, so that they are written again as they were.
        plain[FURTHER] = {name: plain.pop(name) for name in list(plain) if name in unknown}
    for item, inner in layout.objects(plain):
        _fold(item, inner)


def _unfold(plain: dict[str, Any], layout: _Layout) -> None:
    """Put what was not known back to where it stood, everywhere."""
    plain.update(plain.pop(FURTHER, {}))
    for item, inner in layout.objects(plain):
        _unfold(item, inner)
