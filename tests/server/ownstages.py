"""Stages of one's own, as somebody outside the project would write them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from blogforever import Page, extract_post
from blogforever.media.requisites import Needed
from blogforever.model import Comment, Entry, Post, Rules

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
    return Post(page.url, title="LOUD", text="as loud as can be", html="<p>as loud as can be</p>")


def blank(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
    """An extraction that finds everything but the text."""
    return replace(extract_post(page, rules, entry), text="", html="", media=(), links=())


def chatty(page: Page, post: Post, rules: Rules | None, extras: object) -> tuple[Comment, ...]:
    """Finds the same comment everywhere."""
    return (Comment("built:1", text="First!"),)


def one_file(page: Page, media: bool) -> list[Needed]:
    """Every page loads the same."""
    base = page.url.partition("/20")[0].rstrip("/")
    return [Needed(f"{base}/feed.xml", "requisite")]
