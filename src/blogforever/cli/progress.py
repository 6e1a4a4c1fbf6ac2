"""Live progress on a terminal, plain lines otherwise; always on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

PLAIN_EVERY = 10.0


class Progress:
    """Tells how far a crawl is; `watch` is called after each page."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            self._bar = _status(self._name)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def watch(self, crawl: Any) -> None:
        """Show the state of a crawl, not more often than a person can read."""
        now = time.monotonic()
        if now - self._last < (0.2 if self._bar else PLAIN_EVERY):
            return
        self._last = now
        posts = sum(seen.evidence.in_feed or seen.evidence.matches for seen in crawl.seen.values())
        announced = len(crawl.offers.feed.entries) if crawl.offers.feed else 0
        text = f"{crawl.answered} of {crawl.asked} requests, {len(crawl.seen)} pages, about {posts} posts"
        text += f" ({announced} in the feed)" if announced else ""
        if self._bar:
            self._bar.update(f"{self._name}: {text}")
        else:
            click.echo(f"{self._name}: {text}", err=True)


def _status(name: str) -> Any:
    from rich.console import Console  # noqa: PLC0415  only a terminal needs it

    return Console(stderr=True).status(f"{name}: starting")
