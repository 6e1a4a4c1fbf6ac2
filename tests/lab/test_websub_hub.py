"""A WebSub hub that nobody here wrote (../shared/lab/indieweb.py): asked, asked again, heard, refused, left."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from blogforever.service.pushed import NOT_SIGNED, REPLAYED
from blogforever.source.address import blog_name
from blogforever.storage.pushes import Subscription
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Answers, Reply, serve_answers
from server.service import Service, follow, serving, until
from server.wpblog import Blog, answer

LAB = Path(__file__).resolve().parents[3] / "shared/lab/indieweb.py"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "blogforever-lab/indieweb"
NINE_DAYS = 9 * 86_400


@dataclass
class Played:
    """A clock that is put forward."""

    ahead: float = 0.0

    def answers(self, _base: str) -> Answers:
        return lambda _path: Reply(json.dumps({"virtual": time.time() + self.ahead, "speed": 1}).encode())


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def hub_running() -> Iterator[str]:
    port = free_port()
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(LAB), "start", str(CACHE), str(port)], check=True, timeout=600)
    try:
        yield f"http://127.0.0.1:{port}/hub"
    finally:
        subprocess.run([sys.executable, str(LAB), "stop", str(CACHE)], check=True, timeout=60)


def posted(url: str, body: bytes, **headers: str) -> int:
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with urlopen(Request(url, body, named), timeout=30) as told:
            return int(told.status)
    except HTTPError as error:
        with error:
            return error.code


@dataclass
class Followed:
    """The service, and what it knows of the blog."""

    service: Service
    base: str

    @property
    def name(self) -> str:
        return blog_name(self.base)

    @property
    def subscription(self) -> Subscription | None:
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            return next(iter(archive.store.subscriptions.of_blog(self.name)), None)

    @property
    def sure(self) -> Subscription:
        one = self.subscription
        assert one
        return one

    @property
    def callback(self) -> str:
        return f"{self.service.url}websub/{self.sure.id}"

    def state(self) -> str:
        return self.subscription.state if self.subscription else ""

    def posts(self) -> int:
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            return len(list(archive.library.posts(self.name)))

    def dropped(self) -> list[str]:
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            return [row.reason for row in archive.store.pings.newest(100, state="dropped")]

    def found_by_ping(self) -> int:
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            return sum(look.found for look in archive.store.schedule.looks(self.name) if look.cause == "ping")

    def rest(self) -> None:
        """A person pauses the blog."""
        with ArchiveFolder(self.service.archive, writing=True, alone=False) as archive:
            archive.store.followed.change(self.name, lambda blog: replace(blog, paused=True, state="paused"))


def test_a_hub_tells_of_posts_for_as_long_as_we_want_it_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blogs, clock, port = [Blog(posts=6, in_feed=4)], Played(), free_port()
    with hub_running() as hub, serve_answers(clock.answers) as time_server:

        def answers(base: str) -> Answers:
            def told(path: str) -> Reply | None:
                reply = answer(blogs[-1], base, path)
                link = f'<{hub}>; rel="hub", <{base}/feed/>; rel="self"'
                is_feed = reply is not None and path == "/feed/"
                return replace(reply, headers={**reply.headers, "Link": link}) if reply and is_feed else reply

            return told

        monkeypatch.setenv("BLOGFOREVER_CLOCK", f"{time_server.base}/now")
        public = ("--port", str(port), "--public-url", f"http://127.0.0.1:{port}")
        with serve_answers(answers) as site, serving(tmp_path / "a", *public) as service:
            here = Followed(service, site.base)
            follow(service.archive, site.base)
            until(lambda: here.state() == "active")
            published(hub, here, blogs)
            until(lambda: here.found_by_ping() == 1)
            before = here.sure.granted
            clock.ahead += NINE_DAYS
            until(lambda: here.sure.granted != before)
            assert here.state() == "active"
            published(hub, here, blogs)
            refused(here, blogs)
            here.rest()
            until(lambda: here.state() == "ended")
            assert posted(here.callback, b"<rss/>") == 410


def published(hub: str, here: Followed, blogs: list[Blog]) -> None:
    """One more post is out, and the hub knows."""
    blogs.append(replace(blogs[-1], posts=blogs[-1].posts + 1))
    publish = urlencode({"hub.mode": "publish", "hub.topic": here.sure.topic}).encode()
    assert posted(hub, publish) in (200, 202, 204)
    until(lambda: here.posts() == blogs[-1].posts)


def refused(here: Followed, blogs: list[Blog]) -> None:
    """What the hub did not sign, or sent before."""
    reply = answer(blogs[-1], here.base, "/feed/")
    assert reply
    signed = hmac.new(here.sure.secret.encode(), reply.body, hashlib.sha512).hexdigest()
    before = here.sure.deliveries
    assert posted(here.callback, reply.body, X_Hub_Signature=f"sha512={'0' * 128}") == 200
    assert posted(here.callback, reply.body, X_Hub_Signature=f"sha512={signed}") == 200
    assert here.dropped()[:2] == [REPLAYED, NOT_SIGNED]
    assert here.sure.deliveries == before
    assert posted(here.callback + "x", reply.body) == 404
