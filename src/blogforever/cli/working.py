"""How far a long command is: a line that moves on a terminal, one now and then elsewhere, none for who wants quiet."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import click

from blogforever.headway import Headway, heard_by
from blogforever.wording import printable

from .timeleft import left_words

# Seconds between two words: as often as a person can read, and as seldom as a log should grow.
LIVE_EVERY, PLAIN_EVERY = 0.25, 10.0
# Seconds before which nothing is said at all: most commands are done by then.
PATIENCE = 1.0
ERASE = "\r\x1b[K"


class Working:
    """Hears how far a command is, and shows it."""

    def __init__(self, width: int) -> None:
        self._is_live, self._width = sys.stderr.isatty(), width
        self._started = self._told = time.monotonic()
        self._doing, self._since = "", self._started
        self._is_shown = False
        self._lock = Lock()

    def hear(self, headway: Headway) -> None:
        """Say it, if it is time."""
        now = time.monotonic()
        if now - self._told < (LIVE_EVERY if self._is_live else PLAIN_EVERY) or now - self._started < PATIENCE:
            return
        with self._lock:
            self._told = now
            if headway.doing != self._doing:
                self._doing, self._since = headway.doing, now
            self._show(words_of(headway, now - self._since))

    def interrupted(self, times: int, pages: int) -> None:
        """Nobody fetches here: Ctrl-C ends the command itself."""

    def clear(self) -> None:
        """Take away the line that moved."""
        if self._is_shown:
            click.echo(ERASE, err=True, nl=False)

    def _show(self, words: str) -> None:
        if not self._is_live:
            click.echo(words, err=True)
            return
        click.echo(f"{ERASE}{words[: self._width]}", err=True, nl=False)
        self._is_shown = True


def words_of(headway: Headway, seconds: float) -> str:
    """How far it is, in words."""
    things = f" {headway.things}" if headway.things else ""
    if not headway.total:
        return printable(f"{headway.doing}: {headway.done:,}{things}")
    left = (headway.total - headway.done) * seconds / headway.done if headway.done and seconds else None
    return printable(f"{headway.doing}: {headway.done:,} of {headway.total:,}{things}{left_words(left)}")


@contextmanager
def shown_headway(quiet: bool = False) -> Iterator[None]:
    """Let a person see how far it is."""
    if quiet:
        yield
        return
    working = Working(shutil.get_terminal_size().columns - 1)
    with heard_by(working):
        try:
            yield
        finally:
            working.clear()
