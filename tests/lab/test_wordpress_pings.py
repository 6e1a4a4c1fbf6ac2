"""A real WordPress (../shared/lab/wordpress.sh) that pings us: what it publishes is in Output, without polling."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from blogforever.service.desk import opened_to_read
from blogforever.service.jobs import pause_part
from blogforever.service.pingstats import ServerFigures, ping_statistics
from blogforever.store.folder import ArchiveFolder
from server.ftp import free_port
from server.service import Service, follow, serving, until

LAB = Path(__file__).resolve().parents[3] / "shared/lab/wordpress.sh"
# Where the web server's own user may go, too.
DATA = Path(__file__).resolve().parents[2] / "out/lab-pings"
TITLE = "A lantern that pings"
# Seconds from WordPress's cron to the post in Output, as the issue has it.
AT_ONCE = 30


@dataclass
class WordPress:
    """The lab's WordPress, with few posts."""

    url: str

    def do(self, *words: str, text: str = "") -> str:
        command = [str(LAB), words[0], str(DATA), *words[1:]]
        environment = os.environ | {"SEED_POSTS": "8"}
        done = subprocess.run(command, check=True, input=text, text=True, stdout=subprocess.PIPE, env=environment)
        return done.stdout


@contextmanager
def wordpress() -> Iterator[WordPress]:
    port = free_port()
    blog = WordPress(f"http://127.0.0.1:{port}/")
    blog.do("start", str(port))
    try:
        yield blog
    finally:
        blog.do("ping", "")
        blog.do("stop")


def in_output(service: Service, title: str) -> bool:
    with urlopen(f"{service.url}output?q=", timeout=30) as page:
        return title in page.read().decode()


def led_to(archive: Path) -> ServerFigures:
    with opened_to_read(archive) as store:
        return ping_statistics(store).total


def test_what_wordpress_publishes_is_in_output_at_once_and_nobody_polled(tmp_path: Path) -> None:
    title = f"{TITLE} {time.time_ns()}"
    with wordpress() as blog, serving(tmp_path) as service:
        follow(tmp_path, blog.url)
        until(lambda: service.blog(blog.url).state == "following")
        with ArchiveFolder(tmp_path, writing=True, alone=False) as archive:
            # From here on nothing is looked at because its time has come.
            pause_part(archive.store, "scheduler", "test")
        blog.do("ping", f"{service.url}RPC2")
        blog.do("publish", title, "-", text="<p>Hung at the door, where the wind can reach it.</p>")
        assert not in_output(service, title)
        blog.do("cron")
        begun = time.monotonic()
        until(lambda: in_output(service, title))
        took = time.monotonic() - begun
        until(lambda: led_to(tmp_path).looks == 1)
    assert took < AT_ONCE
    told = led_to(tmp_path)
    assert (told.known, told.posts, told.missed) == (1, 1, 0)
    assert told.delay is not None
    assert told.delay < AT_ONCE
