"""The small blog, one page of which is only sent when somebody says so: a crawl of it goes on until then."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any

from .blogserver import Answers, routes, send

PATIENCE = 600
"""Seconds after which the page is sent all the same, so that a test that fails ends."""


def held(go_on: Event, path: str, asked: Event | None = None) -> Callable[[str], Answers]:
    """The blog, with one page that waits; `asked` is set when somebody asks for that page."""

    def make(base: str) -> Answers:
        pages = routes(base)

        def late(handler: BaseHTTPRequestHandler) -> None:
            if asked:
                asked.set()
            go_on.wait(PATIENCE)
            send(handler, pages[path])

        def answer(wanted: str) -> Any:
            return late if wanted == path else pages.get(wanted)

        return answer

    return make
