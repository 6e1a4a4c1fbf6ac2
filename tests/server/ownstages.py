"""Stages of one's own, as somebody outside the project would write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from blogforever import Page, extract_post
from blogforever.media.requisites import Needed
from blogforever.model import Comment, Entry, Post, Rules
from blogforever.protocols import Drawing

TARGET = Path("out.jsonl")
NUMBER = 5


class Lines:
    """A back end: appends every record to a file beside the crawl."""

    def __init__(self) -> None:
        self._file = TARGET.open("a", encoding="utf-8")

    def record(self, record: dict[str, Any]) -> None:
        """One line."""
        self._file.write(json.dumps(record) + "\n")

    def close(self) -> None:
        """All came."""
        self._file.write(json.dumps({"type": "end"}) + "\n")
        self._file.close()


class Broken:
    """A back end that takes nothing."""

    def record(self, record: dict[str, Any]) -> None:
        """Never works."""
        raise ConnectionError("no one there")

    def close(self) -> None:
        """Never reached."""


def loud(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """An extraction of one's own; it fails on some pages."""
    if page.url.endswith("number-3/"):
        raise ValueError("not this one")
    return loudly(page, rules, entry)


def loudly(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """An extraction that reads the same everywhere."""
    return Post(page.url, title="LOUD", text="as loud as can be", html="<p>as loud as can be</p>")


def blank(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """An extraction that finds everything but the text."""
    return replace(extract_post(page, rules, entry), text="", html="", media=(), links=())


def never(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """An extraction that fails on every page."""
    raise ValueError(f"cannot read\n{page.url}")


def marked(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """Our own extraction, with a mark on every title by which it is known."""
    post = extract_post(page, rules, entry)
    return replace(post, title=f"MARKED {post.title}")


def grumpy(page: Page, post: Post, rules: Rules | None, extras: object) -> Iterator[Comment]:
    """Comments that fail on every page, and not before somebody looks at them."""
    yield Comment("built:1", text="First!")
    raise KeyError("comments")


def clumsy(page: Page, media: bool) -> Iterator[Needed]:
    """A search for files that fails on every page."""
    yield Needed(f"{page.url}file", "requisite")
    raise RuntimeError("no files today")


class Sightless:
    """A renderer that cannot draw."""

    async def draw(self, page: Page, serve: object) -> Drawing:
        """Never."""
        raise OSError("no eyes")

    async def close(self) -> None:
        """Nothing was started."""


def chatty(page: Page, post: Post, rules: Rules | None, extras: object) -> tuple[Comment, ...]:
    """Finds the same comment everywhere."""
    return (Comment("built:1", text="First!"),)


def one_file(page: Page, media: bool) -> list[Needed]:
    """Every page loads the same."""
    base = page.url.partition("/20")[0].rstrip("/")
    return [Needed(f"{base}/feed.xml", "requisite")]
