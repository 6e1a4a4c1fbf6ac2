"""Pages that stand before a page: challenges, captchas, log-in forms, walls. They are no posts, whatever they say.

What they look like is data (`data/blocked.toml`). A mark that a real post could mention in passing counts only on a
page with few words of its own, and a title only where it is the page's whole title.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from blogforever import dom
from blogforever.model import Failure, Page

LOOKED_AT = 120_000
FEW_WORDS = 120
TITLE = re.compile(rb"<title[^<>]*>([^<]{0,300})</title", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """How one kind of such a page is recognised."""

    by: str
    reason: str
    status: tuple[int, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    any: tuple[bytes, ...] = ()
    words: tuple[bytes, ...] = ()
    title: tuple[bytes, ...] = ()


def diagnose(page: Page, status: int = 200) -> Failure | None:
    """Why this is not the page that was asked for; None where it is."""
    head = page.content[:LOOKED_AT].lower()
    kind = page.headers.get("content-type", "text/html").lower()
    looks_like_page = "html" in kind and b"<" in head
    for mark in marks():
        if _applies(mark, page.headers, status) and _shows(mark, head if looks_like_page else b""):
            return Failure(page.url, mark.reason, f"{mark.by} stands before the page")
    return None


def _applies(mark: Mark, headers: Mapping[str, str], status: int) -> bool:
    if mark.status and status not in mark.status:
        return False
    return all(name in headers and text in headers[name].lower() for name, text in mark.headers)


def _shows(mark: Mark, head: bytes) -> bool:
    if not (mark.any or mark.words or mark.title):
        return True
    if mark.title and not _titled(mark, head):
        return False
    if mark.any and not any(text in head for text in mark.any):
        return False
    if mark.words and not any(text in head for text in mark.words):
        return False
    return not (mark.words or mark.title) or few_words(head)


def _titled(mark: Mark, head: bytes) -> bool:
    found = TITLE.search(head)
    title = b" ".join(found[1].split()) if found else b""
    starts = re.split(rb"\s+[|\-:\xe2\xc2\xbb]", title, maxsplit=1)[0]
    return any(text in (title, starts) or (len(text) > 12 and title.startswith(text)) for text in mark.title)


def few_words(head: bytes) -> bool:
    """Whether the page has hardly any text of its own."""
    body = dom.parse(head.decode(errors="replace")).body
    return body is None or len(dom.tokenise(dom.node_text(body))) < FEW_WORDS


@cache
def marks() -> tuple[Mark, ...]:
    """The marks, in the order of the file."""
    table = tomllib.loads(files(__package__).joinpath("data/blocked.toml").read_text(encoding="utf-8"))
    return tuple(
        Mark(
            by=row["by"],
            reason=row["reason"],
            status=tuple(row.get("status", ())),
            headers=tuple(row.get("headers", {}).items()),
            **{name: tuple(text.encode() for text in row.get(name, ())) for name in ("any", "words", "title")},
        )
        for row in table["mark"]
    )
