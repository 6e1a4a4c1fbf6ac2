"""A service that is killed in the middle of pings has every one of them that it thanked for."""

from __future__ import annotations

import http.client
import signal
import threading
import xmlrpc.client
from pathlib import Path
from urllib.parse import urlsplit

from blogforever.ping.calls import THANKS
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.jobs import pause_part
from blogforever.service.listening import PINGS
from blogforever.service.pings import OURS, FilterWish, change_server, keep_filter
from server.service import serving

SENDERS = 8
# Pings that are thanked for before the service is killed; more are under way then.
BEFORE = 120
MOST = 100_000


class Senders:
    """Blogs that ping, each over a connection of its own, until nobody answers."""

    def __init__(self, url: str) -> None:
        self._place = urlsplit(url).netloc
        self._lock = threading.Lock()
        self._numbers = iter(range(MOST))
        self.thanked: set[str] = set()
        self.enough = threading.Event()
        self._threads = [threading.Thread(target=self._send) for _ in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        connection = http.client.HTTPConnection(self._place)
        try:
            while True:
                with self._lock:
                    url = f"http://science-{next(self._numbers)}.example/"
                connection.request("POST", "/RPC2", xmlrpc.client.dumps(("A", url), "weblogUpdates.ping"))
                if THANKS.encode() in connection.getresponse().read():
                    self._note(url)
        except (OSError, http.client.HTTPException):
            connection.close()

    def _note(self, url: str) -> None:
        with self._lock:
            self.thanked.add(url)
            if len(self.thanked) >= BEFORE:
                self.enough.set()


def test_a_kill_in_the_middle_loses_no_ping_that_was_thanked_for(tmp_path: Path) -> None:
    with opened_desk(tmp_path, "ann") as desk:
        keep_filter(desk, FilterWish("Science", "science"))
        change_server(desk, OURS, is_limited=False)
        pause_part(desk.store, PINGS, "ann")
    with serving(tmp_path) as service:
        senders = Senders(service.url)
        assert senders.enough.wait(60)
        service.end(signal.SIGKILL)
        senders.wait()
    with opened_to_read(tmp_path) as store:
        inside = {row.url for row in store.pings.newest(MOST, state="waiting")}
    assert len(senders.thanked) >= BEFORE
    assert senders.thanked <= inside
