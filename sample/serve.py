"""Serves the sample blog on loopback, on a free port."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from build import build


class QuietHandler(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for every request."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".xml": "application/xml", ".svg": "image/svg+xml"}

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path, port: int = 0) -> Iterator[str]:
    """Build the blog into `site` and serve it until the block ends; gives its address without a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(QuietHandler, directory=str(site))) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        build(site, url)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield url
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Serve until Ctrl-C."""
    with served(Path("out/sample-site")) as url:
        print(f"The Long Shelf is at {url}/ (Ctrl-C ends it)", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
