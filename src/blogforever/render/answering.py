"""The requests of a page while it is drawn: each is answered by us or refused, none reaches the network by itself."""

from __future__ import annotations

import html
from collections.abc import Mapping

from playwright.async_api import BrowserContext, Error, Frame, Request, Route, WebSocketRoute

from blogforever.model import Page
from blogforever.protocols import Serve, Served, Wanted
from blogforever.urls import is_http

from .blocked import EMPTY_PICTURE, blocked
from .limits import BrowserLimits

READING = frozenset({"GET", "HEAD"})
METHODS = READING | {"POST"}
# The browser gets bodies unpacked and whole, and no cookies: those belong to the crawl.
NOT_PASSED_ON = frozenset("content-encoding content-length transfer-encoding set-cookie connection".split())
# What the crawl says of itself, the browser does not say for it.
NOT_SENT = frozenset("user-agent cookie accept-encoding host connection upgrade-insecure-requests".split())
# Addresses that scripts led away to; a page with more of them makes them up.
MANY_EXITS = 50


class Answering:
    """Answers every request of one browser context; `page` is what its first document is."""

    def __init__(self, page: Page, serve: Serve, limits: BrowserLimits) -> None:
        self._page, self._serve, self._limits = page, serve, limits
        self.under_way = self.answered = 0
        self._asked = self._bytes = 0
        self._begun = False
        self.main: Frame | None = None
        self.methods = METHODS
        self.exits: list[str] = []
        """Where scripts wanted to take the page."""

    async def attach(self, context: BrowserContext) -> None:
        """From now on the context's requests come here."""
        await context.route("**/*", self.route)
        await context.route_web_socket("**/*", _hang_up)

    async def route(self, route: Route) -> None:
        """Answer one request; a page that is gone needs no answer."""
        self.under_way += 1
        try:
            await self._answer(route, route.request)
        except Error:
            return
        finally:
            self.under_way -= 1
            self.answered += 1

    async def _answer(self, route: Route, request: Request) -> None:
        url, kind = request.url, request.resource_type
        if self._is_page(request):
            await self._page_itself(route, url)
        elif kind == "image" and not self._limits.pictures:
            await route.fulfill(status=200, content_type="image/gif", body=EMPTY_PICTURE)
        elif self._refuses(request, url, kind):
            await route.abort("blockedbyclient")
        else:
            self._asked += 1
            served = await self._serve(_wanted(request))
            if served is None or self._too_much(served):
                await route.abort("failed")
            elif served.url != url and request.is_navigation_request():
                # The frame must know its real address: what its page loads is relative to it.
                await route.fulfill(status=200, content_type="text/html", body=_forward(served.url))
            else:
                await _fulfil(route, served.status, dict(served.headers), served.body)

    def _is_page(self, request: Request) -> bool:
        try:
            return request.is_navigation_request() and request.frame == self.main
        except Error:
            return False

    async def _page_itself(self, route: Route, url: str) -> None:
        """The page is here already.

        Where its scripts lead away to is a link, and the page stays to be seen.
        """
        if not self._begun:
            self._begun = True
            await _fulfil(route, 200, self._page.headers, self._page.content)
            return
        if len(self.exits) < MANY_EXITS:
            self.exits.append(url)
        await route.abort("aborted")

    def _refuses(self, request: Request, url: str, kind: str) -> bool:
        return (
            not is_http(url)
            or request.method not in self.methods
            or blocked().refuses(url, kind)
            or self._asked >= self._limits.requests
        )

    def _too_much(self, served: Served) -> bool:
        self._bytes += len(served.body)
        return self._bytes > self._limits.size


def _wanted(request: Request) -> Wanted:
    headers = tuple(
        (name, value)
        for name, value in request.headers.items()
        if name not in NOT_SENT and not name.startswith(("sec-", ":"))
    )
    return Wanted(request.url, request.method, headers, request.post_data_buffer or b"", request.resource_type)


async def _fulfil(route: Route, status: int, headers: Mapping[str, str], body: bytes) -> None:
    passed = {name: value for name, value in headers.items() if name.lower() not in NOT_PASSED_ON}
    await route.fulfill(status=status, headers=passed, body=body)


def _forward(url: str) -> str:
    return f'<meta http-equiv="refresh" content="0;url={html.escape(url)}">'


async def _hang_up(socket: WebSocketRoute) -> None:
    await socket.close()
