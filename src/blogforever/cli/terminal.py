"""A post as it reads well in a terminal: heading, by-line, paragraphs, thread."""

from __future__ import annotations

import re
import shutil
import textwrap
import unicodedata
from collections.abc import Iterator

from blogforever.archive.reading import ShownPost
from blogforever.records import CommentRecord, PostRecord
from blogforever.wording import comments_heading, printable, spoken

# Lines longer than that are hard to read.
WIDEST = 88
USUAL_HEIGHT = 24
# However narrow a terminal is or deep a comment, some words of a line must fit.
NARROWEST, NARROWEST_WIDE = 20, 10
# Scripts that are written without spaces, in characters of double width.
WIDE = re.compile(
    r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U00020000-\U0003fffd]"
)


def terminal_width() -> int:
    """How long lines may be."""
    return min(WIDEST, shutil.get_terminal_size((WIDEST, USUAL_HEIGHT)).columns)


def post_lines(shown: ShownPost, width: int) -> Iterator[str]:
    """The whole post, line by line."""
    post = shown.post
    yield from wrapped(printable(post.title) or "(no title)", width)
    if post.subtitle:
        yield from wrapped(printable(post.subtitle), width)
    yield printable(byline(post))
    yield printable(post.url)
    yield ""
    for paragraph in printable(post.text).split("\n"):
        yield from wrapped(paragraph, width)
    if post.extra.cut:
        yield from wrapped("(The page is more than is read of any: the end is missing here.)", width)
    labels = [*post.tags, *post.categories]
    if labels:
        yield ""
        yield from wrapped("Tags: " + ", ".join(printable(label) for label in dict.fromkeys(labels)), width)
    if shown.thread:
        yield from _comments(shown, width)


def byline(post: PostRecord) -> str:
    """Who and when."""
    names = ", ".join(author.name for author in post.authors)
    return " · ".join(part for part in (names, spoken(post.published, "")) if part) or "(no author, no date)"


def _comments(shown: ShownPost, width: int) -> Iterator[str]:
    yield ""
    yield f"── {comments_heading(len(shown.thread), shown.post.extra.comments_stated)}"
    for depth, comment in shown.thread:
        indent = "  " * depth
        yield ""
        yield indent + _comment_head(comment)
        for paragraph in (printable(comment.text) or "(no text)").split("\n"):
            yield from wrapped(paragraph, width, indent + "  ")


def _comment_head(comment: CommentRecord) -> str:
    """Who wrote it, what it is where it is no usual comment, and when."""
    name = printable(comment.author.name) or "somebody"
    own = " (the author)" if comment.by_post_author else ""
    kind = "" if comment.kind == "comment" else f" [{printable(comment.kind)}]"
    when = spoken(comment.published, "")
    return f"{name}{own}{kind}" + (f", {when}" if when else "")


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """One paragraph in lines; scripts without spaces break anywhere."""
    text = text.strip()
    if not text:
        return [""]
    if WIDE.search(text):
        return [indent + line for line in _wide_lines(text, max(NARROWEST_WIDE, width - len(indent)))]
    wrap = textwrap.TextWrapper(
        max(NARROWEST, width),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
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
