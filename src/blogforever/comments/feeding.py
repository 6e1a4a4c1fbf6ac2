"""Comments out of comment feeds, or of an API's list: of one post, or of the whole blog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, cast, get_args

from blogforever.comments.identity import comment_id
from blogforever.comments.naming import clean_author
from blogforever.comments.paging import commented
from blogforever.extract.clean import clean_article
from blogforever.model import Author, Comment, CommentKind, Entry, Feed, Post
from blogforever.urls import url_key

_NUMBER = re.compile(r"(?:comment|c|cmt|post|reply|r|comments/default)[-_=/]?(\d+)$", re.IGNORECASE)
_BY = re.compile(r"^(?:by|von|par|por|di|door|comment (?:on|to) .{1,300} by)\s*:?\s+", re.IGNORECASE)
_REPLY = re.compile(
    r"""\s*<p>[^<>]{2,60}<a [^<>]{0,20}href=["'][^"'<>]{1,400}#comment-(\d+)["'][^<>]{0,100}>[^<>]{1,200}</a>"""
    r"""[\s.。:]{0,3}</p>""",
    re.IGNORECASE,
)
_LOCKED = re.compile(r"""<input\b[^<>]{0,300}\btype=["']?password""", re.IGNORECASE)
_PING = re.compile(r"^\W*(?:\[\.\.\.\]|\[…\]|\[&#8230;\]).*(?:\[\.\.\.\]|\[…\])\W*$", re.DOTALL)


def feed_comments(
    feed: Feed, post: Post, *, whole_blog: bool = False, source: Literal["feed", "api"] = "feed"
) -> tuple[Comment, ...]:
    """The comments of a feed on one post, oldest first; a blog-wide feed has those of other posts too."""
    key = url_key(post.url)
    entries = [entry for entry in feed.entries if not whole_blog or answered_post(entry) == key]
    return _comments(reversed(entries) if _newest_first(entries) else entries, key, post, source)


def answered_post(entry: Entry) -> str:
    """The key of the post that a comment stands under; its address may be that of a comment page."""
    return url_key(commented(entry.url))


def _newest_first(entries: list[Entry]) -> bool:
    days = [entry.published.iso for entry in entries if entry.published]
    return len(days) > 1 and days[0] > days[-1]


def _comments(entries: Iterable[Entry], key: str, post: Post, source: str) -> tuple[Comment, ...]:
    ordinals: Counter[str] = Counter()
    owners = {author.name.casefold() for author in post.authors}
    found = []
    for position, entry in enumerate(entries):
        name, number = _name(entry), native_number(entry)
        parent, html = _answer(entry)
        cleaned = clean_article("" if _LOCKED.search(html) else html, entry.url)
        raw = entry.published.raw if entry.published else ""
        found.append(
            Comment(
                id=comment_id(key, number, name, raw, ordinals),
                text=cleaned.text,
                html=cleaned.html,
                native_id=number,
                url=_address(entry),
                author=Author(name, entry.authors[0].uri if entry.authors else None) if name else None,
                avatar=entry.extra.get("avatar"),
                published=entry.published,
                parent=comment_id(key, parent, "", "", ordinals) if parent else None,
                position=position,
                kind=_kind(entry, cleaned.text),
                by_post_author=name.casefold() in owners,
                sources=(source,),
            )
        )
    return tuple(found)


def _kind(entry: Entry, text: str) -> CommentKind:
    """What the source calls it; a feed does not, and there the dots around a quotation tell."""
    said = entry.extra.get("kind")
    for kind in get_args(CommentKind):
        if said == kind:
            return cast(CommentKind, kind)
    return "pingback" if _PING.match(text) else "comment"


def _answer(entry: Entry) -> tuple[str | None, str]:
    """The number of the comment that is answered, and the text without the line in which WordPress says so."""
    html = entry.html or entry.summary_html
    if told := _number_in(entry.extra.get("in_reply_to", "")):
        return told, html
    for text in (html, entry.summary_html):  # the longer of the two may be the one whose mark-up is escaped
        if line := _REPLY.match(text):
            return line[1], text[line.end() :]
    return None, html


def _name(entry: Entry) -> str:
    if entry.authors:
        return entry.authors[0].name
    title = entry.title or ""
    return clean_author(_BY.sub("", title)) if _BY.match(title) else ""


def _address(entry: Entry) -> str:
    fragment = entry.extra.get("fragment", "")
    return f"{entry.url}#{fragment}" if fragment and "#" not in entry.url else entry.url


def native_number(entry: Entry) -> str | None:
    """The system's own number of a comment, out of its address or its guid."""
    texts = (entry.extra.get("fragment", ""), entry.url.partition("#")[2], entry.guid or "")
    return entry.extra.get("native_id") or next((number for text in texts if (number := _number_in(text))), None)


def _number_in(text: str) -> str | None:
    match = _NUMBER.search(text)
    return match[1] if match else None
