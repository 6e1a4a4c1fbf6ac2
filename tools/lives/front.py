"""What stands before a blog's own server: it writes down what is asked, and plays outages and old addresses."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from .platform import Told

DROPPED = frozenset({"connection", "transfer-encoding", "keep-alive"})


@dataclass(slots=True)
class Front:
    """A small proxy on one port of the loopback address for a server on another."""

    port: int
    behind: int
    asked: list[str] = field(default_factory=list)
    down: bool = False
    old: dict[str, str] = field(default_factory=dict)
    """Addresses that posts had, and where they lead; nowhere where it is empty."""
    _server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        """Answer from now on."""
        front = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, headers, body = front.answer(self.path, dict(self.headers.items()))
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Answer no longer."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()

    def turn(self, before: Mapping[str, Told], now: Mapping[str, Told], old: str) -> None:
        """What becomes of addresses that posts had: they redirect, or vanish."""
        there = {key: _path(post.url) for key, post in now.items()}
        self.old = {_path(post.url): there[key] if old == "redirect" else "" for key, post in before.items()}

    def answer(self, path: str, headers: dict[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        """What is answered to a request."""
        self.asked.append(path)
        if self.down:
            return 503, [("Content-Type", "text/plain")], b"Back soon."
        if path in self.old:
            there = self.old[path]
            return (301, [("Location", there)], b"") if there else (404, [("Content-Type", "text/plain")], b"Nothing.")
        server = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        try:
            server.request("GET", path, headers=headers)
            came = server.getresponse()
            body = came.read()
        finally:
            server.close()
        kept = [(name, value) for name, value in came.getheaders() if name.lower() not in DROPPED | {"content-length"}]
        return came.status, kept, body


def _path(url: str) -> str:
    return urlsplit(url).path
