"""Cookies and log-ins of the operator's own, and the way out: sent where they belong and nowhere else."""

from __future__ import annotations

import base64
from functools import cache
from http.cookiejar import Cookie, DefaultCookiePolicy, LoadError, MozillaCookieJar
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request as PlainRequest

from scrapy import Request
from scrapy.crawler import Crawler

from blogforever.errors import UsageError
from blogforever.protocols import Lane
from blogforever.urls import canonical

from .certificates import Certificates, is_number
from .policy import PORTS, Policies
from .ways import WaysOut

ANY_PORT = 0
SECRET = frozenset({"authorization", "proxy-authorization"})
OWN = "own_credentials"
"""Marks a request that carries something of the operator's own."""


class Access:
    """Adds to a request what lets us in."""

    def __init__(self, crawler: Crawler) -> None:
        self._ways: WaysOut = crawler.settings["BLOGFOREVER_WAYS"]
        self._cookies: str = crawler.settings["BLOGFOREVER_COOKIES"]
        self._policies: Policies = crawler.settings["BLOGFOREVER_POLICIES"]
        self._certificates: Certificates = crawler.settings["BLOGFOREVER_CERTIFICATES"]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Access:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """The way out; and for the blog they are meant for, cookies and a log-in.

        These only where its server is who it says.
        """
        way = self._ways.of(urlsplit(request.url).hostname or "")
        request.meta["proxy"] = way.proxy or None
        request.meta["bindaddress"] = (way.source_address, ANY_PORT) if way.source_address else None
        drop_credentials(request)
        lane: Lane = request.meta["lane"]
        if not belongs(request.url, lane.given) or self._certificates.distrusts(request.url):
            return
        policy = self._policies.of(request.url)
        files = (self._cookies, policy.cookies if policy else None)
        for file in dict.fromkeys(filter(None, files)):
            if header := cookie_header(file, request.url):
                request.headers["Cookie"] = header
                request.meta.update({OWN: True, "dont_merge_cookies": True})
        if policy and policy.user:
            pair = f"{policy.user}:{policy.password or ''}".encode()
            request.headers["Authorization"] = b"Basic " + base64.b64encode(pair)
            # What the server sets for who is logged in is as good as the log-in: it has a jar of
            # its own.
            request.meta.update({OWN: True, "cookiejar": f"logged in at {lane.given}"})


def drop_credentials(request: Request) -> None:
    """Take from a request what it carries of the operator's own."""
    if not request.meta.pop(OWN, False):
        return
    for name in ("Cookie", "Authorization"):
        request.headers.pop(name, None)
    for name in ("dont_merge_cookies", "cookiejar"):
        request.meta.pop(name, None)


def belongs(url: str, given: str) -> bool:
    """Whether an address is of the blog that something was given for: its host and port, and no
    weaker scheme.
    """
    there, blog = urlsplit(url), urlsplit(canonical(given))
    safe = there.scheme == "https" or blog.scheme == "http"
    return bool(blog.netloc) and safe and _place(there) == _place(blog)


def _place(parts: SplitResult) -> str:
    """Host and port; what is written in any unusual way is another place."""
    return parts.netloc.lower().removesuffix(PORTS.get(parts.scheme, "")).removeprefix("www.")


def cookie_header(file: str, url: str) -> str | None:
    """The cookies of this file that belong to this address."""
    plain = PlainRequest(url)  # noqa: S310  only asked which cookies it would carry
    read_cookies(file).add_cookie_header(plain)
    return plain.get_header("Cookie")


class _AsBrowsers(DefaultCookiePolicy):
    """Domains by RFC 6265.

    Python's own rule sends nothing to hosts without a dot, and too much below others.
    """

    def domain_return_ok(self, domain: str, request: PlainRequest) -> bool:
        """Each cookie is asked for itself."""
        return True

    def return_ok_domain(self, cookie: Cookie, request: PlainRequest) -> bool:
        """The very host, or a name below it where the cookie is for those, too."""
        host = urlsplit(request.full_url).hostname or ""
        domain = cookie.domain.lower().removeprefix(".")
        below = cookie.domain_specified and host.endswith(f".{domain}") and not is_number(host)
        return host == domain or below


@cache
def read_cookies(file: str) -> MozillaCookieJar:
    """A cookies.txt as browsers and their extensions export it."""
    jar = MozillaCookieJar(policy=_AsBrowsers())
    try:
        jar.load(str(Path(file).expanduser()), ignore_discard=True, ignore_expires=True)
    except (OSError, LoadError, UnicodeDecodeError) as error:
        raise UsageError(f"The cookies in {file} cannot be read: {error}.") from error
    return jar
