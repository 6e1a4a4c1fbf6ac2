"""Everything of Scrapy and Twisted that we use though it is not public, in one place, with the reasons.

tests/unit/fetch/test_inside_scrapy.py says which of these names a new version no longer has. What
is wanted:

- an end to the headers of a response. Neither library has one (https://github.com/scrapy/scrapy/pull/7813 may bring
  it): each line is bounded, their number is not, and a server that never stops sending them fills the memory.
- connections of two kinds, with a look at the certificate and without, that are never mixed. Scrapy takes the way to
  connect from one setting for the whole process.
- no request out of turn. Where a connection that was kept is gone, Twisted asks again at once, past our delays.
- no request that nobody asked for. When a server first sets a cookie, Scrapy would ask the web for the newest list of
  public suffixes, past our guard, our proxy and our limits.
"""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies
from scrapy.http import Response
from tldextract import TLDExtract
from twisted.python.failure import Failure
from twisted.web._newclient import (
    HEADER,
    STATUS,
    RequestNotSent,
    RequestTransmissionFailed,
    ResponseNeverReceived,
)
from twisted.web.client import HTTPConnectionPool

from .certificates import Connections

# Far more than any honest server sends: browsers end at this size, too.
HEAD_BYTES = 256 * 1024

# The list that comes with the library says well enough for which hosts no cookie may be set.
cookies._split_domain = TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


class HeadTooLong(Exception):
    """The headers of a response do not end."""


class BoundedProtocol(_LenientHTTP11ClientProtocol):
    """One connection, with an end to headers."""

    _head = 0

    def dataReceived(self, data: bytes) -> None:
        """Count what comes before the body; too much of it ends the connection."""
        is_head = self._parser is not None and self._parser.state in (STATUS, HEADER)
        self._head = self._head + len(data) if is_head else 0
        if self._head > HEAD_BYTES:
            self._end(HeadTooLong("headers without end"))
            return
        super().dataReceived(data)  # type: ignore[no-untyped-call]  # Twisted has no types

    def _end(self, error: Exception) -> None:
        self._giveUp(Failure(error))  # type: ignore[no-untyped-call]  # Twisted has no types


class BoundedFactory(_LenientHTTP11ClientFactory):
    """Makes connections of that kind."""

    def buildProtocol(self, addr: Any) -> BoundedProtocol:
        """One connection."""
        quiet = self._quiescentCallback
        return BoundedProtocol(quiet)  # type: ignore[no-untyped-call]  # Twisted has no types


def was_unanswered(error: Exception) -> bool:
    """Whether a request ended without any answer, as it does where the server has just given up the
    connection.
    """
    cause = error.__cause__ or error
    return isinstance(cause, RequestNotSent | RequestTransmissionFailed | ResponseNeverReceived)


class HandlerWith(HTTP11DownloadHandler):
    """Scrapy's HTTP with an end to headers, over connections as we want them."""

    def __init__(self, crawler: Crawler, connections: Connections) -> None:
        super().__init__(crawler)
        self._pool._factory = BoundedFactory
        # Twisted would ask again at once where a connection that was kept is gone; whoever asks
        # waits for his turn.
        self._pool.retryAutomatically = False
        self._kept = self._pool
        # Twisted says no types of it.
        self._new = HTTPConnectionPool(self._pool._reactor, persistent=False)  # type: ignore[no-untyped-call]  # Twisted has no types
        self._new._factory = BoundedFactory
        # zope's interfaces are no types
        self._contextFactory = connections  # type: ignore[assignment]

    async def download_afresh(self, request: Request) -> Response:
        """One download over a new connection; whoever downloads meanwhile gets a new one, too,
        which does no harm.
        """
        self._pool = self._new
        try:
            return await super().download_request(request)
        finally:
            self._pool = self._kept
