"""Live progress on a terminal, which fits into it however many blogs there are; plain or JSON lines otherwise."""

from __future__ import annotations

import json
import sys
import time
from queue import SimpleQueue
from threading import Event, RLock, Thread
from types import TracebackType
from typing import Any

import click

from blogforever.archive.jobs import CrawlProgress, CrawlReport
from blogforever.headway import Headway, heard_by
from blogforever.wording import counted, printable

from .crawled import news_line
from .stopping import answer_interrupt
from .timeleft import left_words, seconds_left

# Seconds between two looks: as often as a person can read, and as seldom as a log should grow.
LIVE_EVERY, PLAIN_EVERY = 1.0, 10.0
# A second; as often as there is something new to draw.
REFRESHES = 4
# So that the rate of a crawl that has just begun can be divided by it.
SHORTEST = 0.001
# Lines of the screen that are not for single blogs: heading, those left out, the sum, where the
# next line begins.
AROUND = 4
# However small a window is, so many blogs are shown.
FEWEST = 2
# Characters of an address in the table: the figures beside it must fit into 80 columns.
LONGEST_NAME = 34
COLUMNS = ("blog", "posts", "announced", "pages", "waiting", "a second", "errors")


class Progress:
    """Tells how far the crawls are; `watch` is called after each answer, `finished` when a blog is done."""

    def __init__(self, log_format: str = "text", quiet: bool = False, total: int = 1) -> None:
        self._json, self._quiet, self._total = log_format == "json", quiet, total
        self._live: Any = None
        self._started = time.monotonic()
        self._told: dict[CrawlProgress, float] = {}
        self._counted: dict[CrawlProgress, float] = {}
        self._begun: dict[CrawlProgress, float] = {}
        self._figures: dict[CrawlProgress, dict[str, Any]] = {}
        self._posts = self._pages = self._errors = self._answered = self._done = 0
        # Ctrl-C is answered in the middle of anything.
        self._lock = RLock()
        self._heard = heard_by(self)

    def __enter__(self) -> Progress:
        self._heard.__enter__()
        if sys.stderr.isatty() and not self._json and not self._quiet:
            self._live = _LiveScreen(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._heard.__exit__(kind, error, trace)
        if self._live:
            self._live.stop()

    def watch(self, standing: CrawlProgress) -> None:
        """Show how a crawl stands, not more often than a person can read."""
        now = time.monotonic()
        with self._lock:
            begun = self._begun.setdefault(standing, now)
            is_first = standing not in self._figures
            # Counted here, where the crawl stands still; who draws takes what was counted.
            if is_first or now - self._counted.get(standing, begun) >= LIVE_EVERY:
                self._figures[standing], self._counted[standing] = self.facts(standing), now
            if self._live or self._quiet:
                return
            if now - self._told.get(standing, self._started) < PLAIN_EVERY:
                return
            self._told[standing] = now
        figures = self.facts(standing)
        line = {"name": "blogforever.progress", **figures}
        self._say(json.dumps(line, ensure_ascii=False) if self._json else _sentence(figures))

    def finished(self, report: CrawlReport) -> None:
        """A blog is done: it leaves the table, and is told in one line where there are several."""
        with self._lock:
            over = [one for one in self._begun if one.blog == report.url]
            for one in over:
                self._begun.pop(one)
                self._figures.pop(one, None)
                self._answered += one.answered
            self._done += 1
            self._posts += report.posts
            self._pages += report.pages
            self._errors += report.failures
        if self._total > 1 and not self._quiet and not self._json:
            self._say(printable(news_line(report)))

    def hear(self, headway: Headway) -> None:
        """Of what goes on inside a crawl the table tells enough."""

    def interrupted(self, times: int, pages: int) -> None:
        """Answer at once."""
        answer_interrupt(self._say, times, f"finishing {counted(pages, 'page')}")

    def _say(self, line: str) -> None:
        """A line that stays, above what moves."""
        if self._live:
            self._live.say(line)
        else:
            click.echo(line, err=True)

    def facts(self, standing: CrawlProgress) -> dict[str, Any]:
        """The figures of one crawl."""
        seconds = max(time.monotonic() - self._begun.get(standing, self._started), SHORTEST)
        return {
            "blog": standing.blog,
            "posts": standing.posts,
            "announced": standing.announced,
            "pages": standing.pages,
            "waiting": standing.waiting,
            "rate": round(standing.answered / seconds, 2),
            "errors": standing.errors,
        }

    def total_line(self) -> str:
        """All blogs together: how many are done, what they brought, how long it may take."""
        with self._lock:
            active = list(self._figures.values())
            answered = self._answered + sum(one.answered for one in self._begun)
        seconds = max(time.monotonic() - self._started, SHORTEST)
        posts, pages = (
            mine + sum(one[name] for one in active) for mine, name in ((self._posts, "posts"), (self._pages, "pages"))
        )
        blogs = f"{self._done:,} of {counted(self._total, 'blog')} done"
        rate = f"{answered / seconds:.1f} requests a second"
        left = left_words(seconds_left(active, self._done, self._total, seconds))
        return f"{blogs}, {counted(posts, 'post')}, {counted(pages, 'page')}, {rate}{left}"

    def rows(self, height: int) -> tuple[list[dict[str, Any]], int]:
        """The crawls that fit on a screen of this height, those that run longest first; and how many do not."""
        with self._lock:
            active = list(self._figures.values())
        most = max(FEWEST, height - AROUND)
        return active[:most], max(0, len(active) - most)

    def __rich_console__(self, console: Any, options: Any) -> Any:
        from rich.table import Table  # noqa: PLC0415  only a terminal needs it
        from rich.text import Text  # noqa: PLC0415  as above

        shown, more = self.rows(options.size.height)
        table = Table(box=None, pad_edge=False)
        for name in COLUMNS:
            table.add_column(name, justify="left" if name == "blog" else "right", no_wrap=True)
        for figures in shown:
            name, *values = figures.values()
            cells = (f"{value:,}" if isinstance(value, int) else str(value) for value in values)
            table.add_row(Text(_short(printable(name))), *cells)
        if shown:
            yield table
        if more:
            yield Text(f"and {counted(more, 'blog')} more under way", no_wrap=True, overflow="ellipsis")
        yield Text(self.total_line(), no_wrap=True, overflow="ellipsis")


def _sentence(f: dict[str, Any]) -> str:
    """The figures of one crawl in words."""
    told = f" ({f['announced']:,} announced so far)" if f["announced"] else ""
    pages = f"{f['pages']:,} pages, {f['waiting']:,} waiting, {f['rate']:g} a second"
    return f"{f['blog']}: about {f['posts']:,} posts{told}, {pages}, {f['errors']:,} errors"


def _short(name: str) -> str:
    name = name.removeprefix("https://").removeprefix("http://").rstrip("/")
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


class _LiveScreen:
    """Draws from one thread only: where several draw at once, what one writes is erased by what
    another took for its own.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._over = Event()
        self._thread = Thread(target=self._draw, name="blogforever-screen", daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        """A line that stays, with the next drawing; from any thread, and in the middle of anything."""
        self._lines.put(line)

    def stop(self) -> None:
        """Write what is left, and take away what moves."""
        self._over.set()
        self._thread.join()

    def _draw(self) -> None:
        from rich.console import Console  # noqa: PLC0415  only a terminal needs it
        from rich.live import Live  # noqa: PLC0415  as above

        console = Console(stderr=True)
        with Live(self._progress, console=console, auto_refresh=False, transient=True) as live:
            while not self._over.wait(1 / REFRESHES):
                self._write(console)
                live.refresh()
            self._write(console)

    def _write(self, console: Any) -> None:
        while not self._lines.empty():
            console.print(self._lines.get(), markup=False, highlight=False, soft_wrap=True)
