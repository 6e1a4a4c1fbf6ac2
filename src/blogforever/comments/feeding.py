"""Comments out of comment feeds, or of an API's list: of one post, or of the whole blog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, cast, get_args

from blogforever.comments.cleaning import clean_author
from blogforever.comments.identity import comment_id
from blogforever.comments.order import is_newest_first
from blogforever.comments.paging import commented
from blogforever.extract.clean import clean_article
from blogforever.model import Author, Comment, CommentKind, Entry, Feed, Post
from blogforever.page.speech import words_of
from blogforever.urls import url_key
from blogforever.wordlists import LivePattern

_NUMBER = re.compile(r"(?:comment|c|cmt|post|reply|r|comments/default)[-_=/]?(\d+)$", re.IGNORECASE)
_BY = LivePattern(lambda: rf"^(?:{words_of('by')}|comment (?:on|to) .{{1,300}} by)\s*:?\s+")
_REPLY = re.compile(
    r"""\s*<p>[^<>]{2,60}<a [^<>]{0,20}href=["'][^"'<>]{1,400}#comment-(\d+)["'][^<>]{0,100}>"""
    r"""[^<>]{1,200}</a>[\s.。:]{0,3}</p>""",
    re.IGNORECASE,
)
"""The line with which WordPress begins an answer in a feed: "In reply to Ann."."""
_LOCKED = re.compile(r"""<input\b[^<>]{0,300}\btype=["']?password""", re.IGNORECASE)
_PING = re.compile(r"^\W*(?:\[\.\.\.\]|\[…\]|\[&#8230;\]).*(?:\[\.\.\.\]|\[…\])\W*$", re.DOTALL)


def feed_comments(
    feed: Feed,
    post: Post,
    *,
    whole_blog: bool = False,
    source: Literal["feed", "api"] = "feed",
) -> tuple[Comment, ...]:
    """The comments of a feed on one post, oldest first; a blog-wide feed has others, too."""
    key = url_key(post.url)
    entries = list(feed.entries)
    if whole_blog:
        entries = [entry for entry in entries if answered_post(entry) == key]
    if is_newest_first([entry.published.iso for entry in entries if entry.published]):
        entries.reverse()
    return _comments(entries, key, post, source)


def answered_post(entry: Entry) -> str:
    """The key of the post that a comment speaks of; its address may be that of a comment page."""
    return url_key(commented(entry.url))


def _comments(
    entries: Iterable[Entry],
    key: str,
    post: Post,
    source: str,
) -> tuple[Comment, ...]:
    """The entries as comments on one post."""
    ordinals: Counter[str] = Counter()
    post_authors = {author.name.casefold() for author in post.authors}
    comments = []
    for position, entry in enumerate(entries):
        name = _name(entry)
        number = native_number(entry)
        parent, html = _answer(entry)
        # A form that asks for a password says nothing of the comment behind it.
        cleaned = clean_article("" if _LOCKED.search(html) else html, entry.url)
        raw = entry.published.raw if entry.published else ""
        comments.append(
            Comment(
                id=comment_id(key, number, name, raw, ordinals),
                text=cleaned.text,
                html=cleaned.html,
                native_id=number,
                url=_address(entry),
                author=_author(entry, name),
                avatar=entry.extra.get("avatar"),
                published=entry.published,
                parent=comment_id(key, parent, "", "", ordinals) if parent else None,
                position=position,
                kind=_kind(entry, cleaned.text),
                by_post_author=name.casefold() in post_authors,
                sources=(source,),
            )
        )
    return tuple(comments)


def _author(entry: Entry, name: str) -> Author | None:
    """Who wrote a comment, under the name that is shown."""
    if not name:
        return None
    return Author(name, entry.authors[0].uri if entry.authors else None)


def _kind(entry: Entry, text: str) -> CommentKind:
    """What the source calls it; a feed does not, but dots stand around a quotation there."""
    kind = entry.extra.get("kind")
    if kind in get_args(CommentKind):
        return cast(CommentKind, kind)
    return "pingback" if _PING.match(text) else "comment"


def _answer(entry: Entry) -> tuple[str | None, str]:
    """The number of the comment that is answered, and the text without a line that says so."""
    html = entry.html or entry.summary_html
    answered = _number_in(entry.extra.get("in_reply_to", ""))
    if answered:
        return answered, html
    # The longer of the two may be the one whose mark-up is escaped.
    for text in (html, entry.summary_html):
        line = _REPLY.match(text)
        if line:
            return line[1], text[line.end() :]
    return None, html


def _name(entry: Entry) -> str:
    """Who wrote it, by the entry or by its title."""
    if entry.authors:
        return entry.authors[0].name
    title = entry.title or ""
    return clean_author(_BY.sub("", title)) if _BY.match(title) else ""


def _address(entry: Entry) -> str:
    """The address of the comment itself, where the source tells its place on the page."""
    fragment = entry.extra.get("fragment", "")
    if not fragment or "#" in entry.url:
        return entry.url
    return f"{entry.url}#{fragment}"


def native_number(entry: Entry) -> str | None:
    """The system's own number of a comment, out of its address or its guid."""
    if entry.extra.get("native_id"):
        return entry.extra["native_id"]
    for text in (entry.extra.get("fragment", ""), entry.url.partition("#")[2], entry.guid or ""):
        number = _number_in(text)
        if number:
            return number
    return None


def _number_in(text: str) -> str | None:
    match = _NUMBER.search(text)
    return match[1] if match else None
