"""Logger names and how log lines look."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_about: ContextVar[Mapping[str, str | int]] = ContextVar("about")


def logger(name: str) -> logging.Logger:
    """The project's logger for one part: `logger("fetch")` is called blogforever.fetch."""
    return logging.getLogger(f"blogforever.{name}")


@contextmanager
def about(**names: str | int) -> Iterator[None]:
    """Let every line that is logged inside say what it is about: `about(job=7, blog="a.example")`.

    What is begun inside, tasks and threads, says it, too, also when it ends later.
    """
    before = _about.set({**_about.get({}), **names})
    try:
        yield
    finally:
        _about.reset(before)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON: time, level, logger, text, what it is `about`; and where an exception
        belongs to it, its traceback.
        """
        line: dict[str, object] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "name": record.name,
        }
        line |= {"text": record.getMessage(), **_about.get({})}
        line |= {"traceback": self.formatException(record.exc_info)} if record.exc_info else {}
        return json.dumps(line, ensure_ascii=False)


def set_up(level: str, log_format: str = "text") -> None:
    """Send log lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if log_format == "json" else plain)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # What a parsing library thinks of a page is no trouble of ours; a page that cannot be read is
    # recorded.
    for noisy in ("charset_normalizer", "alembic", "trafilatura", "htmldate", "extruct", "mf2py", "courlan"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    for noisy in ("scrapy", "twisted"):
        logging.getLogger(noisy).setLevel(level.upper() if level in ("info", "debug") else logging.CRITICAL)
