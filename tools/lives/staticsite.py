"""A folder of files on loopback, as hosts of static blogs serve it: with or without validators and an honest 404."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit


@dataclass(slots=True)
class StaticSite:
    """Serves a folder from a thread of its own and remembers what was asked for."""

    root: Path
    port: int
    validators: bool = True
    honest: bool = True
    """Whether what is not there answers 404; otherwise the site's 404.html comes with 200."""
    asked: list[str] = field(default_factory=list)
    _server: ThreadingHTTPServer | None = None

    def start(self) -> str:
        """Serve; where."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(_Handler, self))
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        """Serve no longer."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def file_of(self, target: str) -> Path | None:
        """The file a path means."""
        path = (self.root / unquote(urlsplit(target).path).lstrip("/")).resolve()
        path = path / "index.html" if path.is_dir() else path
        return path if path.is_file() and path.is_relative_to(self.root.resolve()) else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, site: StaticSite, *arguments: object) -> None:
        self._site = site
        super().__init__(*arguments)  # type: ignore[arg-type]  # what the server hands over

    def do_GET(self) -> None:
        """Answer with a file, or with what stands for those that are not there."""
        site = self._site
        site.asked.append(self.path)
        file = site.file_of(self.path)
        if file is None:
            missing = site.root / "404.html"
            body = (
                missing.read_bytes() if missing.exists() else b"<title>Not found</title><p>There is no such page here."
            )
            self._send(HTTPStatus.NOT_FOUND if site.honest else HTTPStatus.OK, "text/html", body, {})
        elif file.name == "index.html" and not urlsplit(self.path).path.endswith(("/", "index.html")):
            self._send(HTTPStatus.MOVED_PERMANENTLY, "text/html", b"", {"Location": f"{urlsplit(self.path).path}/"})
        else:
            self._send_file(file)

    def _send_file(self, file: Path) -> None:
        stat = file.stat()
        tag = f'"{int(stat.st_mtime):x}-{stat.st_size:x}"'
        marks = {"ETag": tag, "Last-Modified": formatdate(stat.st_mtime, usegmt=True)} if self._site.validators else {}
        if marks and self.headers.get("If-None-Match") == tag:
            self._send(HTTPStatus.NOT_MODIFIED, "", b"", marks)
        else:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._send(HTTPStatus.OK, kind, file.read_bytes(), marks)

    def _send(self, status: HTTPStatus, kind: str, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""
