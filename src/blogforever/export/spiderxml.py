"""Posts and comments as the weblog spider hands them to a repository: `spider-xml`, by
`data/spider-1.xsd`.

Every post and every comment is an entity of its own: its text, its address, and elements for
everything else, under the names of the spider's data model. Where the original left out what we
know, we say it: a comment names the one it answers, and each entity tells the WARC records it was
read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

from blogforever.records import CommentRecord, FieldSource, PostRecord, SourceRecord

VERSION = "1"
NO_PARENT = "-1"
PAGE = "page"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
OPENING = f'<?xml version="1.0" encoding="utf-8"?>\n<ArrayOfBlogEntity version="{VERSION}" xmlns:xsi="{INSTANCE}">\n'
CLOSING = "</ArrayOfBlogEntity>\n"
# Other files hang on a post as attachments.
PICTURE = "picture"
# What a tombstone says as the status of what it stands for.
WITHDRAWN = "withdrawn"
HTML = "text/html"
# Characters that XML cannot hold, not even escaped: controls are shown by their pictures, the rest
# as not known.
CONTROLS = [*range(9), 11, 12, *range(14, 32)]
PICTURES_OF_CONTROLS = 0x2400
UNKNOWN = "\ufffd"
SHOWN_INSTEAD: Mapping[int, str] = {
    **{code: chr(PICTURES_OF_CONTROLS + code) for code in CONTROLS},
    **dict.fromkeys([0xFFFE, 0xFFFF, *range(0xD800, 0xE000)], UNKNOWN),
}


def schema_text() -> str:
    """The schema that every file is valid by."""
    return files(__package__).joinpath("data/spider-1.xsd").read_text(encoding="utf-8")


def spider_xml(records: Iterable[PostRecord]) -> Iterator[str]:
    """One document of any number of posts, piece by piece: each post, then its comments."""
    yield OPENING
    for record in records:
        yield from _post_and_comments(record)
    yield CLOSING


def sent_xml(record: PostRecord, gone: Iterable[str] = ()) -> Iterator[str]:
    """A document of one post with its comments, and of those nobody may see any more, by their ids,
    only that they are gone.
    """
    yield OPENING
    yield from _post_and_comments(record)
    yield from (_tombstone(comment, record.blog, "Comment", record.id) for comment in gone)
    yield CLOSING


def tombstone_xml(post: str, blog: str) -> Iterator[str]:
    """A document that says of a post that nobody may see it any more: by its id, and nothing else
    of it.
    """
    yield OPENING
    yield _tombstone(post, blog, "Post", NO_PARENT)
    yield CLOSING


def gone_in(document: bytes) -> tuple[str, ...]:
    """The comments of which a document says that they are gone, by their ids."""
    if WITHDRAWN.encode() not in document:
        return ()
    entities = etree.fromstring(document, etree.XMLParser(huge_tree=True)).iterfind("BlogEntity")
    comments = [one for one in entities if one.findtext("Type") == "Comment"]
    return tuple(one.findtext("Id", "") for one in comments if _is_tombstone(one))


def _is_tombstone(entity: etree._Element) -> bool:
    said = entity.iterfind("Elements/BaseBlogElement")
    return any((one.findtext("Type"), one.findtext("Value")) == ("status_code", WITHDRAWN) for one in said)


def _post_and_comments(record: PostRecord) -> Iterator[str]:
    yield post_entity(record)
    yield from (comment_entity(record, comment) for comment in record.comments)


def _tombstone(name: str, blog: str, kind: str, parent: str) -> str:
    said = _element("status_code", WITHDRAWN)
    entity = _Entity(id=name, kind=kind, uri="", value="", parent=parent, extension="", elements=said)
    return entity.written("", blog)


def post_entity(record: PostRecord) -> str:
    """A post, or another page of its blog, without its comments."""
    sources = "".join(map(_source, record.sources))
    entity = _Entity(
        id=record.id,
        kind="Page" if record.kind == PAGE else "Post",
        uri=record.url,
        value=record.text,
        extension=sources + "".join(_provenance(field, found) for field, found in record.provenance.items()),
        elements="".join((*_of_authors(record), *_of_post(record), *_of_links(record))),
    )
    return entity.written(_captured(record), record.blog)


def comment_entity(post: PostRecord, comment: CommentRecord) -> str:
    """A comment, below the one it answers or below its post."""
    url = comment.url or post.url
    entity = _Entity(
        id=comment.id,
        kind="Comment",
        uri=url,
        value=comment.text,
        parent=comment.parent or post.id,
        extension="".join(_source(SourceRecord(url=url, role=role)) for role in comment.sources),
        elements="".join(_of_comment(post, comment)),
    )
    return entity.written(_captured(post), post.blog)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entity:
    """What an entity says; what is XML already is `extension` and `elements`."""

    id: str
    kind: str
    uri: str
    value: str
    parent: str = NO_PARENT
    extension: str
    elements: str

    def written(self, captured: str, blog: str) -> str:
        """The entity, in the order of the schema; captured then, and of this blog."""
        parts = (
            f"<ExtensionData>{self.extension}</ExtensionData>",
            _tag("Date", captured),
            f"<Elements>\n{self.elements}</Elements>",
            _tag("Id", self.id),
            _tag("ParentId", self.parent),
            _tag("Type", self.kind),
            _tag("Uri", self.uri),
            _tag("Value", self.value),
            _tag("WatchPointId", blog),
        )
        return "<BlogEntity>\n" + "\n".join(parts) + "\n</BlogEntity>\n"


def _captured(post: PostRecord) -> str:
    return (post.capture.captured if post.capture else None) or ""


def _of_authors(record: PostRecord) -> Iterator[str]:
    for author in record.authors:
        yield _link("Author", author.name, author.uri) if author.uri else _element("Author", author.name)
        yield _element("email_displayed", author.email)


def _of_post(record: PostRecord) -> Iterator[str]:
    """The fields of a post, under the names of the spider's data model where it has one."""
    yield _element("Publishdate", record.published_raw or record.published)
    yield _element("Title", record.title)
    yield _element("subtitle", record.subtitle)
    yield _element("date_created", record.published)
    yield _element("date_created_precision", record.published_precision)
    yield _element("date_modified", record.modified)
    yield _element("language", record.language)
    yield _element("summary", record.summary)
    yield from (_element("tag", tag) for tag in record.tags)
    yield from (_element("category", category) for category in record.categories)
    yield _element("full_content", record.html)
    yield _element("full_content_format", HTML if record.html else None)
    yield _element("type", record.kind)
    yield _element("status_code", record.status)
    yield _element("version", str(record.version))
    yield _element("previous_URI", record.previous_url)
    yield _element("next_URI", record.next_url)
    yield _element("num_of_replies", str(len(record.comments)))
    yield _element("guid", record.guid)
    yield _element("native_id", record.native_id)
    yield from (_link("alias", "", alias) for alias in record.aliases)
    yield from _of_extra(record)


def _of_extra(record: PostRecord) -> Iterator[str]:
    extra = record.extra
    yield _element("visibility", extra.visibility)
    yield _element("copyright", extra.rights)
    yield _element("distribution_rights", extra.license)
    if extra.geo:
        yield _element("geo_longitude", str(extra.geo.longitude))
        yield _element("geo_latitude", str(extra.geo.latitude))


def _of_links(record: PostRecord) -> Iterator[str]:
    for link in record.links:
        yield _link("Link", link.text, link.url)
    for medium in record.media:
        kind = "Picture" if medium.role == PICTURE else "Attachment"
        yield _link(kind, medium.caption or medium.alt or "", medium.url)


def _of_comment(post: PostRecord, comment: CommentRecord) -> Iterator[str]:
    author = comment.author
    name = author.name or ""
    yield _link("Author", name, author.uri) if author.uri else _element("Author", author.name)
    yield _element("is_anonymous", None if author.name else "true")
    yield _element("Publishdate", comment.published_raw or comment.published)
    yield _element("date_added", comment.published)
    yield _link("is_child_of_post", post.title or "", post.url)
    yield _element("is_child_of_comment", comment.parent)
    yield _element("full_content", comment.html)
    yield _element("type", comment.kind)
    yield _element("status", comment.status)
    yield _element("native_id", comment.native_id)


def _element(kind: str, value: str | None) -> str:
    """An element that is a value; nothing where there is none."""
    if value is None or value == "":
        return ""
    return (
        '<BaseBlogElement xsi:type="BlogElement"><ExtensionData/>'
        f"{_tag('Type', kind)}{_tag('Value', value)}</BaseBlogElement>\n"
    )


def _link(kind: str, text: str, uri: str) -> str:
    """An element that leads somewhere."""
    return (
        '<BaseBlogElement xsi:type="BlogElementLink"><ExtensionData/>'
        f"{_tag('Type', kind)}{_tag('Value', text)}{_tag('Uri', uri)}</BaseBlogElement>\n"
    )


def _source(source: SourceRecord) -> str:
    attributes = {
        "role": source.role,
        "url": source.url,
        "recordId": source.record_id,
        "captured": source.captured,
        "digest": source.digest,
    }
    return f"<Source{_attributes(attributes)}/>"


def _provenance(field: str, found: FieldSource) -> str:
    sure = f"{float(found.confidence):.4f}"
    return (
        f"<Provenance{_attributes({'field': field, 'by': found.by, 'rule': found.rule or None, 'confidence': sure})}/>"
    )


def _attributes(values: Mapping[str, str | None]) -> str:
    return "".join(f" {name}={quoteattr(_allowed(value))}" for name, value in values.items() if value is not None)


def _tag(name: str, value: str) -> str:
    return f"<{name}>{escape(_allowed(value), {chr(13): '&#13;'})}</{name}>"


def _allowed(value: str) -> str:
    """A text as XML can hold it: what it cannot is seen, not swallowed."""
    return value.translate(SHOWN_INSTEAD)
