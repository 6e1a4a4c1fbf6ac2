"""Cookies and log-ins of the operator's own, and the proxy: sent where they belong and nowhere else."""

from __future__ import annotations

import base64
from functools import cache
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from urllib.request import Request as PlainRequest

from scrapy import Request
from scrapy.crawler import Crawler

from blogforever.errors import UsageError

from .policy import Policies

SECRET = frozenset({"authorization", "proxy-authorization"})


class Access:
    """Adds to a request what lets us in."""

    def __init__(self, crawler: Crawler) -> None:
        self._proxy: str = crawler.settings["BLOGFOREVER_PROXY"]
        self._cookies: str = crawler.settings["BLOGFOREVER_COOKIES"]
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Access:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Proxy, cookies by their own rules, a log-in only for the host it is meant for."""
        request.meta["proxy"] = self._proxy or None
        policy = self._policies.of(request.url)
        for file in dict.fromkeys(filter(None, (self._cookies, policy.cookies if policy else None))):
            if header := cookie_header(file, request.url):
                request.headers["Cookie"] = header
                request.meta["dont_merge_cookies"] = True
                request.meta["secret_cookies"] = True
        if policy and policy.user:
            pair = f"{policy.user}:{policy.password or ''}".encode()
            request.headers["Authorization"] = b"Basic " + base64.b64encode(pair)


def cookie_header(file: str, url: str) -> str | None:
    """The cookies of this file that belong to this address."""
    plain = PlainRequest(url)  # noqa: S310  only asked which cookies it would carry
    read_cookies(file).add_cookie_header(plain)
    return plain.get_header("Cookie")


@cache
def read_cookies(file: str) -> MozillaCookieJar:
    """A cookies.txt as browsers and their extensions export it."""
    jar = MozillaCookieJar()
    try:
        jar.load(str(Path(file).expanduser()), ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError, UnicodeDecodeError) as error:
        raise UsageError(f"The cookies in {file} cannot be read: {error}.") from error
    return jar
