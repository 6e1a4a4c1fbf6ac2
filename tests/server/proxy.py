"""A proxy on loopback that opens tunnels, to this machine only; or one that reaches nobody."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

CHUNK = 65536


@contextmanager
def serve_tunnels(dead: bool = False) -> Iterator[str]:
    """The address of a running proxy; a `dead` one says of every host that it cannot be reached."""

    class Handler(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            if dead:
                self.send_error(502)
                return
            with socket.create_connection(("127.0.0.1", int(self.path.rpartition(":")[2]))) as there:
                self.send_response(200)
                self.end_headers()
                pass_on(self.connection, there)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def pass_on(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes both ways until one side ends."""
    pairs = {one: other, other: one}
    try:
        while True:
            for ready in select.select(list(pairs), [], [])[0]:
                data = ready.recv(CHUNK)
                if not data:
                    return
                pairs[ready].sendall(data)
    except OSError:
        return
