"""Live progress on a terminal, a line for each blog; plain or JSON lines otherwise."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType
from typing import Any

import click

from blogforever.archive.jobs import CrawlProgress

# Seconds between two looks: as often as a person can read, and as seldom as a log should grow.
LIVE_EVERY, PLAIN_EVERY = 0.25, 10.0
# A second; as often as there is something new to draw.
REFRESHES = 4
# So that the rate of a crawl that has just begun can be divided by it.
SHORTEST = 0.001


class Progress:
    """Tells how far the crawls are; `watch` is called after each answer."""

    def __init__(self, log_format: str = "text") -> None:
        self._json = log_format == "json"
        self._live: Any = None
        self._started = time.monotonic()
        self._told: dict[str, float] = {}
        self._standings: dict[str, CrawlProgress] = {}

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and not self._json:
            self._live = _live(self)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._live.stop()

    def watch(self, standing: CrawlProgress) -> None:
        """Show how a crawl stands, not more often than a person can read."""
        now = time.monotonic()
        self._standings[standing.blog] = standing
        if now - self._told.get(standing.blog, self._started) < (LIVE_EVERY if self._live else PLAIN_EVERY):
            return
        self._told[standing.blog] = now
        if self._live:
            self._live.update(self.__rich__())
        elif self._json:
            click.echo(
                json.dumps({"name": "blogforever.progress", **self.facts(standing)}, ensure_ascii=False),
                err=True,
            )
        else:
            click.echo(self.line(standing), err=True)

    def facts(self, standing: CrawlProgress) -> dict[str, Any]:
        """The figures of one crawl."""
        seconds = max(time.monotonic() - self._started, SHORTEST)
        return {
            "blog": standing.blog,
            "posts": standing.posts,
            "announced": standing.announced,
            "pages": standing.pages,
            "waiting": standing.waiting,
            "rate": round(standing.answered / seconds, 2),
            "errors": standing.errors,
        }

    def line(self, standing: CrawlProgress) -> str:
        """The same as a sentence."""
        f = self.facts(standing)
        told = f" ({f['announced']:,} announced so far)" if f["announced"] else ""
        pages = f"{f['pages']:,} pages, {f['waiting']:,} waiting, {f['rate']:g} a second"
        return f"{f['blog']}: about {f['posts']:,} posts{told}, {pages}, {f['errors']:,} errors"

    def __rich__(self) -> Any:
        from rich.table import Table  # noqa: PLC0415  only a terminal needs it

        table = Table(box=None, pad_edge=False)
        for name in ("blog", "posts", "announced", "pages", "waiting", "a second", "errors"):
            table.add_column(name, justify="left" if name == "blog" else "right", no_wrap=True)
        for standing in self._standings.values():
            values = self.facts(standing).values()
            table.add_row(*(f"{value:,}" if isinstance(value, int) else str(value) for value in values))
        return table


def _live(progress: Progress) -> Any:
    from rich.console import Console  # noqa: PLC0415  only a terminal needs it
    from rich.live import Live  # noqa: PLC0415  as above

    return Live(
        progress.__rich__(),
        console=Console(stderr=True),
        refresh_per_second=REFRESHES,
        transient=True,
    )
