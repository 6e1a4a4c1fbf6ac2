"""Which browser is here, and how it is started: sandboxed, without a network of its own, without extras."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from blogforever.logs import logger

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
CACHES = (".cache/ms-playwright", "Library/Caches/ms-playwright")
OWN = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
)
INSTALL = "apt-get install chromium && pip install 'blogforever[browser]'"
# The proxy all traffic is sent to: nobody listens there, so what does not come from us does not
# come at all.
NOWHERE = "http://127.0.0.1:9"

ARGUMENTS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--mute-audio",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=512",
)
log = logger("render")


def find_browser() -> str | None:
    """The program to start: the one Playwright has downloaded, else the system's."""
    downloaded = [path for folder in _folders() for path in _programs(folder)]
    if downloaded:
        return str(max(downloaded))
    installed = filter(None, map(shutil.which, NAMES))
    return next(installed, None)


def _folders() -> list[Path]:
    """Where Playwright keeps its browsers."""
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    # As Playwright has it, "0" means beside its own code, where nobody else looks.
    return [Path(own)] if own and own != "0" else [Path.home() / cache for cache in CACHES]


def _programs(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        # Most have no browser of Playwright's: a pattern is not even read then.
        return
    for pattern in OWN:
        yield from (path for path in folder.glob(pattern) if os.access(path, os.X_OK))


def lacking() -> str | None:
    """What has to be installed before pages can be drawn, in a few words.

    None where all is there.
    """
    needed = {"blogforever[browser]": find_spec("playwright"), "Chromium": find_browser()}
    return " and ".join(name for name, there in needed.items() if not there) or None


def arguments() -> list[str]:
    """What the browser is started with; root has no sandbox to put it in."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return list(ARGUMENTS)
    log.warning("the browser runs without its sandbox, because root cannot have one: better crawl as another user")
    return [*ARGUMENTS, "--no-sandbox"]


async def launch(playwright: Playwright) -> Browser:
    """One browser that cannot reach the network: every request is answered by us, or by nobody."""
    args = arguments()
    return await playwright.chromium.launch(
        executable_path=find_browser(),
        args=args,
        chromium_sandbox="--no-sandbox" not in args,
        proxy={"server": NOWHERE, "bypass": "<-loopback>"},
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )
