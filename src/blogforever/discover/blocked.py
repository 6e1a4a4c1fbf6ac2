"""Pages that stand before a page: challenges, captchas, log-in forms, walls. They are no posts,
whatever they say.

What they look like is data (`data/blocked.toml`). A mark that a real post could mention in passing
counts only on a page with few words of its own, and a title only where it is the page's whole
title.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from blogforever import dom
from blogforever.anyof import AnyOf
from blogforever.model import Failure, Page
from blogforever.wording import N_
from blogforever.wordlists import data_of

# Bytes in which a wall shows what it is: all of them are small pages.
LOOKED_AT = 120_000
# Words of a page that is a wall; a post that speaks of walls has more.
FEW_WORDS = 120
# A shorter title may be the beginning of a post's.
TELLING_TITLE = 12
TITLE = re.compile(rb"<title[^<>]*>([^<]{0,300})</title", re.IGNORECASE)
# What parts the first words of a title from the name of the site.
TITLE_SIGN = re.compile(rb"(?<!\s)\s++[|\-:\xe2\xc2\xbb]")


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
    if not looks_like_page:
        head = b""
    for mark in _possible(head):
        if _applies(mark, page.headers, status) and _shows(mark, head):
            return Failure(page.url, mark.reason, N_(f"{mark.by} stands before the page"))
    return None


def _possible(head: bytes) -> tuple[Mark, ...]:
    """The marks that a page may show.

    Nearly every page holds the texts of none, which one pass over it tells: those that ask for a
    text are out then.
    """
    return marks() if _any_text().stands_in(head) else _marks_without_text()


def _applies(mark: Mark, headers: Mapping[str, str], status: int) -> bool:
    """Whether an answer has the status and the headers that the mark asks for."""
    if mark.status and status not in mark.status:
        return False
    return all(name in headers and text in headers[name].lower() for name, text in mark.headers)


def _shows(mark: Mark, head: bytes) -> bool:
    """Whether a page shows all that the mark asks for.

    One that asks for nothing is known by its answer alone.
    """
    if mark.title and not _titled(mark, head):
        return False
    if mark.any and not _holds_one(mark.any, head):
        return False
    if mark.words and not _holds_one(mark.words, head):
        return False
    may_be_mentioned = bool(mark.words or mark.title)
    return not may_be_mentioned or few_words(head)


def _holds_one(texts: tuple[bytes, ...], head: bytes) -> bool:
    return any(text in head for text in texts)


def _titled(mark: Mark, head: bytes) -> bool:
    """Whether the page's title is one of the mark's, with or without the site's name."""
    found = TITLE.search(head)
    title = b" ".join(found[1].split()) if found else b""
    first_part = TITLE_SIGN.split(title, maxsplit=1)[0]
    for text in mark.title:
        if text in (title, first_part):
            return True
        if len(text) > TELLING_TITLE and title.startswith(text):
            return True
    return False


def few_words(head: bytes) -> bool:
    """Whether the page has hardly any text of its own."""
    body = dom.parse(head.decode(errors="replace")).body
    return body is None or len(dom.tokenise(dom.node_text(body))) < FEW_WORDS


@cache
def marks() -> tuple[Mark, ...]:
    """The marks, in the order of the file."""
    text = (data_of("blogforever.discover") / "blocked.toml").read_text(encoding="utf-8")
    return tuple(map(_mark, tomllib.loads(text)["mark"]))


@cache
def _any_text() -> AnyOf:
    return AnyOf(text for mark in marks() for text in (*mark.any, *mark.words))


@cache
def _marks_without_text() -> tuple[Mark, ...]:
    return tuple(mark for mark in marks() if not mark.any and not mark.words)


def _mark(row: Mapping[str, Any]) -> Mark:
    """One mark of the file."""

    def encoded(name: str) -> tuple[bytes, ...]:
        return tuple(text.encode() for text in row.get(name, ()))

    return Mark(
        by=row["by"],
        reason=row["reason"],
        status=tuple(row.get("status", ())),
        headers=tuple(row.get("headers", {}).items()),
        any=encoded("any"),
        words=encoded("words"),
        title=encoded("title"),
    )
