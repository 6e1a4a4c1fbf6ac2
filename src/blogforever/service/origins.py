"""The two origins of the service: that of its own pages, and one for archived things, which must not share it."""

from __future__ import annotations

from dataclasses import dataclass

from .hosts import EVERYWHERE, is_loopback

LOOPBACK = ("127.0.0.1", "localhost")


@dataclass(frozen=True, slots=True)
class ReplayOrigin:
    """Where archived pages and files are shown: at a port of its own, or at an address that
    somebody has given it.

    `portal_port` is that of the service's own pages, which alone may show archived ones in frames.
    """

    host: str = "127.0.0.1"
    port: int = 8151
    url: str = ""
    portal_port: int = 8150
    portal_url: str = ""

    def seen_from(self, name: str) -> str:
        """The origin, for whoever calls the service by this name."""
        return self.url.rstrip("/") or _origin(name, self.port)

    def for_policy(self) -> str:
        """The origin as a content policy names it, by all names the service may be called by."""
        return self.url.rstrip("/") or " ".join(_origin(name, self.port) for name in self._names())

    def framed_by(self) -> str:
        """The origins of the service's own pages, as a content policy names them."""
        own = [_origin(name, self.portal_port) for name in self._names()]
        return " ".join([*own, self.portal_url.rstrip("/")] if self.portal_url else own)

    def _names(self) -> tuple[str, ...]:
        if is_loopback(self.host):
            return (*LOOPBACK, *(() if self.host in LOOPBACK else (self.host,)))
        return ("*",) if self.host in EVERYWHERE else (self.host,)


def _origin(name: str, port: int) -> str:
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"
