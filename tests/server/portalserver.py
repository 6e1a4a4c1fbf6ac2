"""The portal of an archive at a real port of loopback, with the origin of archived pages beside it; and Chromium."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect, sync_playwright
from starlette.types import ASGIApp

from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.portal.replayorigin import make_replay_app
from blogforever.portal.routes import SCREENS
from blogforever.portal.visitors import key_of, session_cookie
from blogforever.render.chromium import find_browser
from blogforever.service.origins import ReplayOrigin
from blogforever.service.people import begin_session, found_user
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedQuery
from blogforever.web.app import make_app
from blogforever.web.serving import QuietServer, listen

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)
WIDE, NARROW = (1280, 900), (390, 844)
# Milliseconds that a page may take: nobody waits for them, however busy the machine.
PATIENCE = 300_000


@dataclass(frozen=True)
class ServedPortal:
    """Where the portal is, and the service behind it."""

    url: str
    standing: Standing

    def log_in(self, context: BrowserContext, name: str) -> None:
        """Let the browser be somebody's."""
        store = self.standing.archive.store
        begun = begin_session(store, found_user(store, name), "a test")
        cookie = session_cookie(key_of(self.standing))
        context.add_cookies([{"name": cookie, "value": begun.secret, "url": self.url}])

    def addresses(self) -> list[str]:
        """Every address at which a screen wants to be looked at, with what this archive has."""
        places = self.places()
        return [path.format(**places) for screen in SCREENS for path in screen.addresses if screen.path != "/login"]

    def places(self) -> dict[str, str]:
        """What stands for the names in those addresses: the first blog, its newest post, the last batch."""
        store = self.standing.archive.store
        posts = store.posts.page(PostQuery(limit=1)).items
        return {
            "blog": store.followed.page(FollowedQuery(limit=1)).items[0].id,
            "post": posts[0].id if posts else "",
            "batch": store.sources.batches(None, 1)[0].id,
        }


@contextmanager
def served_portal(folder: Path) -> Iterator[ServedPortal]:
    """The portal of the archive in a folder, until the block ends."""
    with ExitStack() as stack:
        archive = stack.enter_context(open_archive(folder, writing=True))
        stack.enter_context(archive.store.workers.join("portal-test"))
        own, replay = (stack.enter_context(listen("127.0.0.1", 0)) for _ in range(2))
        port, beside = own.getsockname()[1], replay.getsockname()[1]
        standing = Standing(archive, config=Config(archive=folder, allow_private=True))
        standing.replay = ReplayOrigin(port=beside, portal_port=port)
        stack.enter_context(answering(make_app(standing, "1"), own))
        stack.enter_context(answering(make_replay_app(standing), replay))
        yield ServedPortal(f"http://127.0.0.1:{port}", standing)


@contextmanager
def answering(app: ASGIApp, listening: object) -> Iterator[None]:
    """An application that answers in a thread, until the block ends."""
    server = QuietServer(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that reaches nothing but loopback."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=[*FLAGS])
        expect.set_options(timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


def patient_context(browser: Browser, locale: str = "en-GB", size: tuple[int, int] = WIDE) -> BrowserContext:
    """Somebody at this browser, who waits as long as it takes."""
    width, height = size
    context = browser.new_context(locale=locale, timezone_id="UTC", viewport=ViewportSize(width=width, height=height))
    context.set_default_timeout(PATIENCE)
    return context
