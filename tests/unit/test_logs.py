"""Log lines say what they are about: in tasks and threads that were begun meanwhile, too."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator

import pytest

from blogforever.fetch.aside import in_thread
from blogforever.logs import JsonLines, about, logger

log = logger("test")


class Lines(logging.Handler):
    """Keeps what is logged, as JSON says it at that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, object]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(json.loads(JsonLines().format(record)))


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    logging.getLogger("blogforever").addHandler(handler)
    yield handler
    logging.getLogger("blogforever").removeHandler(handler)


def test_lines_say_what_they_are_about_wherever_they_come_from(lines: Lines) -> None:
    async def job(number: int) -> None:
        with about(job=number, blog=f"b{number}"):
            await asyncio.sleep(0)
            log.warning("here")
            await in_thread(lambda: log.warning("in a thread"))
            await asyncio.create_task(later())

    async def later() -> None:
        with about(page=1):
            log.warning("in a task")

    async def jobs() -> None:
        await asyncio.gather(job(1), job(2))

    asyncio.run(jobs())
    log.warning("afterwards")
    *inside, outside = lines.told
    assert sorted((line["text"], line["job"], line["blog"]) for line in inside) == [
        ("here", 1, "b1"),
        ("here", 2, "b2"),
        ("in a task", 1, "b1"),
        ("in a task", 2, "b2"),
        ("in a thread", 1, "b1"),
        ("in a thread", 2, "b2"),
    ]
    assert [line.get("page") for line in inside if line["text"] == "in a task"] == [1, 1]
    assert outside.keys() == {"time", "level", "name", "text"}
