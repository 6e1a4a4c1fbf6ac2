"""What a browser draws of a blog, and how what it drew takes the place of the page as it came."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from blogforever.config import Render
from blogforever.fetch.drawing import screenshot_name
from blogforever.model import Failure, Page
from blogforever.protocols import Answer, Ask, Record, Ref
from blogforever.urls import url_key

from .record import source_record

PAGES = frozenset({"home", "entry", "page"})


@dataclass(frozen=True, slots=True)
class Plain:
    """The page as it came, before it was drawn; `links` are those its scripts lead to."""

    page: Page
    ref: Ref | None
    links: tuple[str, ...] = ()


class Rendering:
    """Marks the asks that a browser shall draw, and hands on what it drew."""

    def __init__(
        self,
        mode: Render = "never",
        fail: Callable[[Failure], None] = lambda _failure: None,
        screenshots: bool = False,
    ) -> None:
        self._all, self._screenshots = mode == "always", screenshots
        self._fail = fail
        self._plain: dict[str, Plain] = {}
        self._pictures: dict[str, str] = {}
        self.drawn = self.failed = 0

    def marked(self, asks: Iterable[Ask]) -> list[Ask]:
        """The asks, those of pages to be drawn with the wish for it."""
        wanted = self._all or self._screenshots
        return [replace(ask, draw=True) if wanted and ask.role in PAGES else ask for ask in asks]

    def arrived(self, answer: Answer) -> Answer:
        """The answer with the drawn page in the place of the one that came; where drawing failed, the one that came."""
        drawn, page = answer.drawn, answer.page
        if drawn is None or page is None:
            if answer.ask.draw and answer.failure and page:
                self.failed += 1
                self._fail(answer.failure)
            return answer
        self.drawn += 1
        if drawn.picture:
            self._pictures[url_key(drawn.page.url)] = screenshot_name(drawn.page.url)
        if not self._all:
            return replace(answer, drawn=None)  # drawn for its picture alone
        self._plain[url_key(drawn.page.url)] = Plain(replace(page, content=b""), answer.ref, drawn.links)
        return replace(answer, page=drawn.page, ref=drawn.ref)

    def links(self, url: str) -> tuple[str, ...]:
        """Where the scripts of a drawn page lead."""
        plain = self._plain.get(url_key(url))
        return plain.links if plain else ()

    def screenshot(self, url: str) -> str | None:
        """The name under which the picture of a page is kept."""
        return self._pictures.get(url_key(url))

    def sources(self, page: Page, ref: Ref | None) -> list[Record]:
        """Where a post's bytes came from: its page, and what the browser drew of it."""
        plain = self._plain.get(url_key(page.url))
        if plain is None:
            return [source_record(page, ref)]
        return [source_record(page, ref, "rendered"), source_record(plain.page, plain.ref)]
