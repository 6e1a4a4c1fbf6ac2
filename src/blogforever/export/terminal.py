"""A post as it reads well in a terminal: heading, by-line, wrapped paragraphs, comments as a thread."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator

from blogforever.records import PostRecord

from .days import spoken
from .thread import comments_heading, threaded

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
WIDE = re.compile(
    r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U00020000-\U0003fffd]"
)


def printable(text: str | None) -> str:
    """Without what a terminal would obey instead of print."""
    return CONTROL.sub("", text or "").encode("utf-8", "replace").decode()


def post_lines(post: PostRecord, width: int) -> Iterator[str]:
    """The whole post, line by line."""
    yield from wrapped(printable(post.title) or "(no title)", width)
    if post.subtitle:
        yield from wrapped(printable(post.subtitle), width)
    yield printable(byline(post))
    yield printable(post.url)
    yield ""
    for paragraph in printable(post.text).split("\n"):
        yield from wrapped(paragraph, width)
    labels = [*post.tags, *post.categories]
    if labels:
        yield ""
        yield from wrapped("Tags: " + ", ".join(printable(label) for label in dict.fromkeys(labels)), width)
    if post.comments:
        yield from _comments(post, width)


def byline(post: PostRecord) -> str:
    """Who and when."""
    names = ", ".join(author.name for author in post.authors)
    return " · ".join(part for part in (names, spoken(post.published, "")) if part) or "(no author, no date)"


def _comments(post: PostRecord, width: int) -> Iterator[str]:
    yield ""
    yield f"── {comments_heading(post, len(post.comments))}"
    for depth, comment in threaded(post.comments):
        indent = "  " * depth
        name = printable(comment.author.name) or "somebody"
        own = " (the author)" if comment.by_post_author else ""
        kind = "" if comment.kind == "comment" else f" [{printable(comment.kind)}]"
        when = spoken(comment.published, "")
        yield ""
        yield f"{indent}{name}{own}{kind}" + (f", {when}" if when else "")
        for paragraph in (printable(comment.text) or "(no text)").split("\n"):
            yield from wrapped(paragraph, width, indent + "  ")


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """One paragraph in lines; scripts without spaces break anywhere."""
    text = text.strip()
    if not text:
        return [""]
    if WIDE.search(text):
        return [indent + line for line in _wide_lines(text, max(10, width - len(indent)))]
    wrap = textwrap.TextWrapper(
        max(20, width), initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return wrap.wrap(text)


def _wide_lines(text: str, width: int) -> Iterator[str]:
    line, used = "", 0
    for piece in re.findall(r"[!-~]+|.", text):
        size = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in piece)
        if used + size > width and line:
            yield line.rstrip()
            line, used = "", 0
        line, used = line + piece if line else piece.lstrip(), used + size
    yield line
