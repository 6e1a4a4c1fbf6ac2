"""A blog without a feed, whose notes of one day say nearly the same: each stays a post of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, serve_answers
from server.shapes import HTML

WINDS = ("north", "south", "east", "west", "no")
# Enough notes that rules are learned from them; the last two are of the same day.
DAYS = ("3 May 2024", "4 May 2024", "5 May 2024", "6 May 2024", "7 May 2024", "8 May 2024", "9 May 2024", "9 May 2024")
BEFORE = len(DAYS) - 1


def path(n: int) -> str:
    return f"/texts/note-{'abcdefgh'[n]}.html"


def note(n: int) -> bytes:
    head = f"<h2>Weather, note {n}</h2><p><i>Ada Quill, {DAYS[n]}</i></p>"
    said = "At the lighthouse the glass stood high, the sea lay calm and the boats went out before the sun was up"
    text = f"<p>{said}, with {WINDS[n % len(WINDS)]} wind over the harbour, and came home with nets {n} times full.</p>"
    body = f"<body>{head}{text}<p><a href='/'>Back</a></p></body>"
    return f"<html><head><title>Weather, note {n}</title></head>{body}</html>".encode()


def home(notes: int) -> bytes:
    items = "".join(f"<dt>{DAYS[n]}</dt><dd><a href='{path(n)}'>Weather, note {n}</a></dd>" for n in range(notes))
    return f"<html><head><title>The lighthouse</title></head><body><dl>{items}</dl></body></html>".encode()


@dataclass
class Lighthouse:
    """The blog, which writes on while it is followed."""

    base: str
    pages: dict[str, Reply]
    config: Config

    def write(self, notes: int) -> None:
        """So many notes are there now."""
        self.pages |= {path(n): Reply(note(n), headers=HTML) for n in range(notes)}
        self.pages["/"] = Reply(home(notes), headers=HTML)

    def crawled(self) -> set[str]:
        """The addresses of the posts that the archive has after a look."""
        crawl_blog(self.base, self.config)
        with ArchiveFolder(self.config.archive, writing=False) as opened:
            (found,) = opened.library.blogs()
            return {post.url.removeprefix(self.base) for post in opened.library.posts(found.id)}


@pytest.fixture
def lighthouse(tmp_path: Path) -> Iterator[Lighthouse]:
    pages: dict[str, Reply] = {}

    def make(_base: str) -> Any:
        return pages.get

    config = Config(archive=tmp_path / "a", allow_private=True, delay=0.0, retries=0, requisites="none")
    with serve_answers(make) as site:
        yield Lighthouse(site.base, pages, config)


def test_a_note_that_says_nearly_what_another_of_its_day_did_does_not_take_its_place(lighthouse: Lighthouse) -> None:
    lighthouse.write(BEFORE)
    assert lighthouse.crawled() == {path(n) for n in range(BEFORE)}
    lighthouse.write(len(DAYS))
    assert lighthouse.crawled() == {path(n) for n in range(len(DAYS))}


def test_a_note_that_the_home_page_names_elsewhere_has_moved(lighthouse: Lighthouse) -> None:
    lighthouse.write(BEFORE)
    before = lighthouse.crawled()
    moved = lighthouse.pages.pop(path(BEFORE - 1))
    lighthouse.pages["/texts/weather-again.html"] = moved
    plain = lighthouse.pages["/"].body.decode().replace(path(BEFORE - 1), "/texts/weather-again.html")
    lighthouse.pages["/"] = Reply(plain.encode(), headers=HTML)
    assert lighthouse.crawled() == (before - {path(BEFORE - 1)}) | {"/texts/weather-again.html"}
