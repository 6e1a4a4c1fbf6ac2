"""Values of the model as the JSON records the outside gets (DESIGN: contracts)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from blogforever.model import Author, Comment, Feed, Page, Post
from blogforever.protocols import Record, Ref
from blogforever.urls import url_key

SCHEMA = 1
MOST_SOURCES = 100


def post_id(blog: str, url: str) -> str:
    """The same for the same page of the same blog, however its address is spelled."""
    return hashlib.sha256(f"{blog}\n{url_key(url)}".encode()).hexdigest()[:20]


def post_record(post: Post, blog: str, page: Page, ref: Ref | None = None) -> Record:
    """All keys of the contract; absent is null or empty."""
    published = post.published
    return {
        "type": "post",
        "schema": SCHEMA,
        "id": post_id(blog, post.url),
        "blog": blog,
        "url": post.url,
        "aliases": [],
        "guid": post.guid,
        "native_id": post.native_id,
        "title": post.title,
        "subtitle": post.subtitle,
        "authors": [author_record(a) for a in post.authors],
        "published": published.iso if published else None,
        "published_precision": published.precision if published else None,
        "published_raw": (published.raw or None) if published else None,
        "modified": post.modified.iso if post.modified else None,
        "language": post.language,
        "text": post.text,
        "html": post.html,
        "summary": post.summary,
        "tags": list(post.tags),
        "categories": list(post.categories),
        "kind": post.kind,
        "comments": [comment_record(c) for c in post.comments],
        "media": media_records(post),
        "links": [{"url": x.url, "text": x.text, "rel": x.rel, "kind": x.kind} for x in post.links],
        "previous_url": post.previous_url,
        "next_url": post.next_url,
        "status": "active",
        "version": 1,
        "screenshot": None,
        "provenance": {
            name: {"by": p.by, "rule": p.rule, "confidence": round(p.confidence, 3)}
            for name, p in post.provenance.items()
        },
        "sources": [source_record(page, ref)],
        "extra": _extra(post),
    }


def _extra(post: Post) -> Record:
    """Attributes of the data model beyond the contract's own keys, where they are known."""
    geo = {"latitude": post.geo.latitude, "longitude": post.geo.longitude} if post.geo else None
    known = {"lead_picture": post.lead_picture, "visibility": post.visibility, "rights": post.rights}
    known |= {"license": post.license}
    return {name: value for name, value in known.items() if value} | ({"geo": geo} if geo else {})


def comment_record(comment: Comment) -> Record:
    """One comment; its parent is the id of the comment it answers."""
    author, published = comment.author, comment.published
    return {
        "id": comment.id,
        "native_id": comment.native_id,
        "url": comment.url,
        "author": {
            "name": author.name if author else None,
            "uri": author.uri if author else None,
            "avatar": comment.avatar,
        },
        "published": published.iso if published else None,
        "published_precision": published.precision if published else None,
        "published_raw": (published.raw or None) if published else None,
        "text": comment.text,
        "html": comment.html,
        "parent": comment.parent,
        "position": comment.position,
        "kind": comment.kind,
        "status": comment.status,
        "by_post_author": comment.by_post_author,
        "sources": list(comment.sources),
    }


def author_record(author: Author) -> Record:
    """One author."""
    return {"name": author.name, "uri": author.uri, "email": author.email}


def media_records(post: Post) -> list[Record]:
    """Pictures, sounds and films; not fetched yet, so neither hash nor path."""
    return [
        {"url": m.url, "role": m.role, "type": m.type, "sha256": None, "path": None, "alt": m.alt, "caption": m.caption}
        for m in post.media
    ]


def source_record(page: Page, ref: Ref | None, role: str = "page") -> Record:
    """Where the bytes came from."""
    return {
        "record_id": (ref.record_id or None) if ref else None,
        "url": page.url,
        "captured": page.captured.isoformat() if page.captured else None,
        "digest": (ref.digest or None) if ref else None,
        "role": role,
    }


def blog_record(blog: str, url: str, feed: Feed | None, facts: Record) -> Record:
    """What is known about a blog."""
    return {
        "type": "blog",
        "schema": SCHEMA,
        "id": blog,
        "url": url,
        "title": feed.title if feed else None,
        "subtitle": feed.subtitle if feed else None,
        "platform": None,
        "platform_version": None,
        "platform_changes": [],
        "language": feed.language if feed else None,
        "charset": None,
        "feeds": [],
        "comment_feeds": [],
        "sitemap": [],
        "status": "active",
        "rights": feed.rights if feed else None,
        "posts": 0,
        "announced": len(feed.entries) if feed else 0,
        "completeness": None,
        **facts,
    }


def other_addresses(main: str, urls: Iterable[str]) -> list[str]:
    """Further addresses of one post, each once, in order."""
    return [url for url in dict.fromkeys(urls) if url != main]


def with_sources(old: Record, new: Record) -> list[Record]:
    """Where a record came from whose comments are another capture's, too: without that they could not be read again."""
    known = list(old.get("sources") or ())
    names = {source.get("record_id") for source in known}
    more = [source for source in new.get("sources") or () if source.get("record_id") not in names]
    pages = [source | {"role": "comments"} if source.get("role") == "page" else source for source in more]
    return [*known, *pages][:MOST_SOURCES]


def with_count(record: Record, told: int | None) -> Record:
    """With the number of comments a hosted system speaks of, where it is not that of those kept."""
    if told is None:
        return record
    extra = {name: value for name, value in (record.get("extra") or {}).items() if name != "comments_stated"}
    return record | {"extra": extra | ({"comments_stated": told} if told != len(record["comments"]) else {})}


def is_told_by_feed(record: Record) -> bool:
    """Whether the text is the feed's, because the page has none."""
    return ((record.get("provenance") or {}).get("html") or {}).get("by") == "feed"


def old_identity(old: Record, new: Record) -> Record:
    """A newer record of a known post: its id, its names and what only the archive knows stay."""
    names = dict.fromkeys((*(old.get("aliases") or ()), old["url"], *(new.get("aliases") or ())))
    kept = {"id": old["id"], "guid": new.get("guid") or old.get("guid")}
    kept |= {"native_id": new.get("native_id") or old.get("native_id")}
    kept |= {"published": new.get("published") or old.get("published")}
    return new | kept | {"aliases": [name for name in names if name != new["url"]]}
