"""Values of the model as the records that the archive keeps (DESIGN: contracts)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from blogforever.dom import is_read_in_part
from blogforever.model import Author, Comment, Feed, Page, Post
from blogforever.protocols import Ref
from blogforever.records import (
    AuthorRecord,
    BlogRecord,
    CommentAuthor,
    CommentRecord,
    ExtraRecord,
    FieldSource,
    LinkRecord,
    MediaRecord,
    PlaceRecord,
    PostRecord,
    SourceRecord,
)
from blogforever.urls import url_key, without_mark

from .home import HomeFacts

# Captures a record names: a thread that is looked at every day would otherwise make it grow without
# end.
MOST_SOURCES = 100
# Hexadecimal digits of a post's id: 80 bits, so that among millions of posts no two are the same.
ID_LENGTH = 20
# Digits of a confidence: nearly all fields are nearly certain, and are told apart by the last of
# them.
DIGITS = 4
# Characters of a date in ISO 8601 up to its year, month and day.
_TO_YEAR, _TO_MONTH, _TO_DAY = 4, 7, 10
_MONTHS = 12
PAGE_CUT, COMMENTS_CUT, COMMENT_PAGES_CUT = "page", "comments", "comment pages"
"""Said where a limit of ours left something unread: the end of the page; comments of a page or a feed; pages of
comments that were not asked for, which only the crawl knows.
"""
BY_LISTS = "list of posts"
"""The rule by which a date is known that only the blog's lists of posts give."""


def post_id(blog: str, url: str) -> str:
    """The same for the same page of the same blog, however its address is spelled."""
    return hashlib.sha256(f"{blog}\n{url_key(url)}".encode()).hexdigest()[:ID_LENGTH]


def post_record(
    post: Post, blog: str, page: Page, ref: Ref | None = None, *, has_all_comments: bool = True
) -> PostRecord:
    """All that is known of a post."""
    published = post.published
    return PostRecord(
        id=post_id(blog, post.url),
        blog=blog,
        url=post.url,
        guid=post.guid,
        native_id=post.native_id,
        title=post.title,
        subtitle=post.subtitle,
        authors=tuple(map(author_record, post.authors)),
        published=published.iso if published else None,
        published_precision=published.precision if published else None,
        published_raw=(published.raw or None) if published else None,
        modified=post.modified.iso if post.modified else None,
        language=post.language,
        text=post.text,
        html=post.html,
        summary=post.summary,
        tags=tuple(post.tags),
        categories=tuple(post.categories),
        kind=post.kind,
        comments=tuple(map(comment_record, post.comments)),
        media=media_records(post),
        links=tuple(LinkRecord(link.url, link.text, link.rel, link.kind) for link in post.links),
        previous_url=post.previous_url,
        next_url=post.next_url,
        provenance=_field_sources(post),
        sources=(source_record(page, ref),),
        extra=_extra(post, page, has_all_comments),
    )


def _field_sources(post: Post) -> dict[str, FieldSource]:
    ways = post.provenance.items()
    return {name: FieldSource(way.by, way.rule, round(way.confidence, DIGITS)) for name, way in ways}


def _extra(post: Post, page: Page, has_all_comments: bool) -> ExtraRecord:
    """What only some posts have; an empty word is none."""
    place = PlaceRecord(latitude=post.geo.latitude, longitude=post.geo.longitude) if post.geo else None
    cut = [PAGE_CUT] if is_read_in_part(page.content, page.headers) else []
    cut += [] if has_all_comments else [COMMENTS_CUT]
    return ExtraRecord(
        lead_picture=post.lead_picture or None,
        visibility=post.visibility or None,
        rights=post.rights or None,
        license=post.license or None,
        geo=place,
        cut=tuple(cut),
    )


def comment_record(comment: Comment) -> CommentRecord:
    """One comment; its parent is the id of the comment it answers."""
    author, published = comment.author, comment.published
    return CommentRecord(
        id=comment.id,
        native_id=comment.native_id,
        url=comment.url,
        author=CommentAuthor(author.name if author else None, author.uri if author else None, comment.avatar),
        published=published.iso if published else None,
        published_precision=published.precision if published else None,
        published_raw=(published.raw or None) if published else None,
        text=comment.text,
        html=comment.html,
        parent=comment.parent,
        position=comment.position,
        kind=comment.kind,
        status=comment.status,
        by_post_author=comment.by_post_author,
        sources=tuple(comment.sources),
    )


def author_record(author: Author) -> AuthorRecord:
    """One author."""
    return AuthorRecord(author.name, author.uri, author.email)


def media_records(post: Post) -> tuple[MediaRecord, ...]:
    """Pictures, sounds and films; not fetched yet, so neither hash nor path."""
    return tuple(MediaRecord(url=m.url, role=m.role, type=m.type, alt=m.alt, caption=m.caption) for m in post.media)


def source_record(page: Page, ref: Ref | None, role: str = "page") -> SourceRecord:
    """Where the bytes came from."""
    return SourceRecord(
        record_id=(ref.record_id or None) if ref else None,
        url=without_mark(page.url),
        captured=page.captured.isoformat() if page.captured else None,
        digest=(ref.digest or None) if ref else None,
        role=role,
    )


def blog_record(blog: str, url: str, feed: Feed | None, home: HomeFacts | None = None) -> BlogRecord:
    """What a blog says of itself: its feed has the first word, its home page the second."""
    home = home or HomeFacts()
    return BlogRecord(
        id=blog,
        url=url,
        title=(feed.title if feed else None) or home.name,
        subtitle=feed.subtitle if feed else None,
        platform=home.platform,
        platform_version=home.platform_version,
        language=(feed.language if feed else None) or home.language,
        charset=home.charset,
        rights=(feed.rights if feed else None) or home.rights,
        announced=len(feed.entries) if feed else 0,
    )


def other_addresses(main: str, urls: Iterable[str]) -> tuple[str, ...]:
    """Further addresses of one post, each once, in order."""
    return tuple(url for url in dict.fromkeys(urls) if url != main)


def with_sources(old: PostRecord, new: PostRecord) -> tuple[SourceRecord, ...]:
    """Where a record came from whose comments are another capture's, too: without that they could
    not be read again.
    """
    names = {source.record_id for source in old.sources}
    more = [source for source in new.sources if source.record_id not in names]
    pages = [replace(source, role="comments") if source.role == "page" else source for source in more]
    return (*old.sources, *pages)[:MOST_SOURCES]


def with_count(record: PostRecord, stated: int | None) -> PostRecord:
    """With the number of comments a hosted system speaks of, where it is not that of those kept."""
    if stated is None:
        return record
    differs = stated != len(record.comments)
    return replace(record, extra=replace(record.extra, comments_stated=stated if differs else None))


def with_unasked_pages(record: PostRecord) -> PostRecord:
    """Of a post with more pages of comments than are asked for."""
    cut = dict.fromkeys((*record.extra.cut, COMMENT_PAGES_CUT))
    return replace(record, extra=replace(record.extra, cut=tuple(cut)))


def cut_since(old: ExtraRecord, new: ExtraRecord, *, reads_comments: bool = True) -> tuple[str, ...]:
    """What is left unread of a post that was read again: what was not looked at this time stands as it was."""
    kept = {COMMENT_PAGES_CUT} | (set() if reads_comments else {COMMENTS_CUT})
    return tuple(dict.fromkeys((*new.cut, *(word for word in old.cut if word in kept))))


def is_told_by_feed(record: PostRecord) -> bool:
    """Whether the text is the feed's, because the page has none."""
    return record.text_source is not None and record.text_source.by == "feed"


def old_identity(old: PostRecord, new: PostRecord) -> PostRecord:
    """A newer record of a known post: its id, its names and what only the archive knows stay."""
    return replace(
        new,
        id=old.id,
        guid=new.guid or old.guid,
        native_id=new.native_id or old.native_id,
        aliases=other_addresses(new.url, (*old.aliases, old.url, *new.aliases)),
        extra=replace(new.extra, cut=cut_since(old.extra, new.extra)),
        **_when(old, new),
    )


def _when(old: PostRecord, new: PostRecord) -> dict[str, Any]:
    """When it was published: as the feed or a list once told it, where the page now says the same
    less exactly.
    """
    told, shown = old.published or "", new.published or ""
    is_the_same_day = bool(shown) and len(shown) < len(told) and told.startswith(shown)
    if not is_the_same_day and not is_roughly(shown, told):
        return {"published": new.published or old.published}
    way = {"published": old.provenance["published"]} if "published" in old.provenance else {}
    return {
        "published": old.published,
        "published_precision": old.published_precision,
        "published_raw": old.published_raw,
        "provenance": {**new.provenance, **way},
    }


def is_roughly(rough: str | None, exact: str) -> bool:
    """Whether a date without a day means a date with one: "2 years ago" may lie a year beside it."""
    if not rough or len(rough) >= _TO_DAY or len(exact) < _TO_DAY:
        return False
    is_year = len(rough) < _TO_MONTH
    return abs(_units(rough, is_year=is_year) - _units(exact, is_year=is_year)) <= 1


def _units(iso: str, *, is_year: bool) -> int:
    """A date as the number of its year or month."""
    year = int(iso[:_TO_YEAR])
    return year if is_year else year * _MONTHS + int(iso[_TO_YEAR + 1 : _TO_MONTH])


def with_told(record: PostRecord, old: PostRecord) -> PostRecord:
    """With what a feed or a list once told, and no feed of the archive tells any more."""
    told = {name: way for name, way in old.provenance.items() if _stays_told(name, way, record, old)}
    values = {name: getattr(old, name) for name in told}
    record = replace(record, **values, provenance={**record.provenance, **told})
    if record.published != old.published:
        return record
    own = replace(record, published_precision=None, published_raw=None) if "published" in told else record
    return replace(
        record,
        published_precision=own.published_precision or old.published_precision,
        published_raw=own.published_raw or old.published_raw,
    )


def _stays_told(name: str, way: FieldSource, record: PostRecord, old: PostRecord) -> bool:
    """Whether a field that a feed or a list told is not on the page, or not as exactly."""
    was_told = (way.by == "feed" or way.rule == BY_LISTS) and getattr(old, name, None)
    if not was_told:
        return False
    is_rougher = name == "published" and is_roughly(record.published, old.published or "")
    return is_rougher or not getattr(record, name)
