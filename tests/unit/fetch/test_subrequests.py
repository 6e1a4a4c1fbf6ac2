from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from scrapy import Request
from scrapy.http import Response

from blogforever.fetch.subrequests import Subrequests
from blogforever.protocols import Lane, Wanted


class Nobody:
    """A handler that wants nothing."""

    def start(self) -> list[Any]:
        return []

    def idle(self) -> list[Any]:
        return []

    def handle(self, _answer: object) -> list[Any]:
        return []


def test_scripts_are_fetched_once_for_each_blog_since_one_may_see_what_another_may_not() -> None:
    asked: list[Request] = []

    async def download(request: Request) -> Response:
        asked.append(request)
        return Response(request.url, body=b"let seen = 1")

    crawler: Any = SimpleNamespace(engine=SimpleNamespace(download_async=download))
    subrequests = Subrequests(crawler)
    one, two = Lane(Nobody()), Lane(Nobody())
    script = Wanted("https://one.example/members.js", kind="script")

    async def draw() -> None:
        for lane in (one, one, two):
            await subrequests.of(lane, "https://one.example/")(script)

    loop = asyncio.new_event_loop()
    loop.run_until_complete(draw())
    loop.close()
    assert [request.meta["lane"] for request in asked] == [one, two]
