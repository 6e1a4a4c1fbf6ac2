"""Stages may raise, somebody else's above all: each time that is the failure of one page, with its
reason, not the end.

What failed is told when the crawl is over: a page that a stage could read at a later look has not
failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from blogforever.errors import in_one_line
from blogforever.fetch.drawing import UNDRAWN
from blogforever.logs import logger
from blogforever.media.requisites import Needed
from blogforever.model import Entry, Failure, Page, Post, Rules
from blogforever.urls import url_key

from .gathering import Extra, Gathered, as_gathered
from .page import Learn
from .reading import Comments, Extract, StageFailed
from .requisites import FindFiles

REASONS = {
    "extract": "extraction failed",
    "comments": "reading its comments failed",
    "media": "looking for its files failed",
    "learn": "learning from it failed",
    "render": UNDRAWN,
}
"""The reason of a page's failure, by the stage that raised."""
# The share of pages from which on a stage failed on nearly all: then it is the stage that is wrong,
# not the pages.
NEARLY = 0.9
Result = TypeVar("Result")
log = logger("pipeline")


@dataclass(frozen=True, slots=True)
class BrokenStage:
    """A stage that raised: on how many of the pages it was given, and what it said on the first of
    them.
    """

    stage: str
    failed: int
    tried: int
    url: str
    detail: str

    @property
    def nearly_all(self) -> bool:
        """Whether hardly a page came through."""
        return self.failed >= NEARLY * self.tried

    def __str__(self) -> str:
        pages = "1 page" if self.tried == 1 else f"{self.tried:,} pages"
        return f"the stage {self.stage} failed on {self.failed:,} of {pages}, first on {self.url} ({self.detail})"


class StageGuard:
    """Runs the stages of one crawl, and notes what they raise."""

    def __init__(self) -> None:
        self._tried: dict[str, set[int]] = {}
        self._failed: dict[str, dict[str, Failure]] = {}

    def extract(self, inner: Extract) -> Extract:
        """An extraction that raises nothing but StageFailed."""

        def careful(page: Page, rules: Rules | None, entry: Entry | None) -> Post:
            return self._run("extract", page.url, lambda: inner(page, rules, entry))

        return careful

    def comments(self, inner: Comments | None) -> Comments | None:
        """A reading of comments that gives none where it fails."""
        if inner is None:
            return None

        def careful(page: Page, post: Post, rules: Rules | None, extras: Iterable[tuple[Extra, Page]]) -> Gathered:
            try:
                return self._run("comments", page.url, lambda: as_gathered(inner(page, post, rules, extras)))
            except StageFailed:
                return Gathered((), None)

        return careful

    def media(self, inner: FindFiles) -> FindFiles:
        """A search for files that finds none where it fails."""

        def careful(page: Page, offered: bool) -> list[Needed]:
            try:
                return self._run("media", page.url, lambda: list(inner(page, offered)))
            except StageFailed:
                return []

        return careful

    def learn(self, inner: Learn) -> Learn:
        """A learning that raises nothing but StageFailed."""

        def careful(feed: object, pages: list[Page], *more: object) -> Rules:
            return self._run("learn", pages[0].url if pages else "", lambda: inner(feed, pages, *more))

        return careful

    def undrawn(self, failure: Failure) -> bool:
        """Note a page on which the browser's stage raised.

        False where it failed for a reason of the page's own.
        """
        raised = failure.reason == REASONS["render"]
        if raised:
            self._tried.setdefault("render", set()).add(hash(failure.url))
            self._failed.setdefault("render", {})[url_key(failure.url)] = failure
        return raised

    def failures(self) -> Iterator[Failure]:
        """What each stage could not do."""
        for pages in self._failed.values():
            yield from pages.values()

    def broken(self) -> list[BrokenStage]:
        """The stages that raised, for the statement."""
        found = []
        for stage, pages in self._failed.items():
            first = next(iter(pages.values()), None)
            if first:
                found.append(BrokenStage(stage, len(pages), len(self._tried[stage]), first.url, first.detail))
        return found

    def why_not(self, url: str) -> str | None:
        """Why no post was made of a page, where a stage is to blame."""
        failure = self._failed.get("extract", {}).get(url_key(url))
        return f"{failure.reason}: {failure.detail}" if failure else None

    def _run(self, stage: str, url: str, call: Callable[[], Result]) -> Result:
        self._tried.setdefault(stage, set()).add(hash(url))
        failed = self._failed.setdefault(stage, {})
        try:
            result = call()
        except Exception as error:  # whatever a stage raises, one page must not end a crawl
            failure = Failure(url, REASONS[stage], in_one_line(error))
            failed.setdefault(url_key(url), failure)
            log.info("the stage %s failed on %s", stage, url, exc_info=error)
            raise StageFailed(failure.detail) from error
        failed.pop(url_key(url), None)
        return result
