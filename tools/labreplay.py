"""A WACZ in pywb and in ReplayWeb.page, looked at in Chromium: what pages ask for there, what the archive answers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Frame,
    Page,
    ProxySettings,
    Request,
    Response,
    ViewportSize,
    sync_playwright,
)

from labblog import alike, words

REPLAYWEB = "replaywebpage@2.5.3"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)
# pywb: /coll/2026…mp_/http://…; ReplayWeb.page: /replay/w/id/2026…mp_/http://…
ARCHIVED = re.compile(r"/(?:lab|w/[\w-]+(?:/:\w+)?)/\d*(?:\w\w_)?/(https?:/.*)")
TEXT = """() => {
  if (document.readyState != "complete" || !document.body) return ""
  const body = document.body.cloneNode(true)
  for (const silent of body.querySelectorAll("script, style, noscript, template")) silent.remove()
  return body.textContent.trim()
}"""
PATIENCE, TRIES = 60_000, 3
SAME, SHOWN = 0.97, 10
SIZE: ViewportSize = {"width": 1100, "height": 1500}
FRAME = """<!doctype html><meta charset="utf-8"><script src="/ui.js"></script><body style="margin:0"><script>
const view = document.createElement("replay-web-page"), url = new URLSearchParams(location.search).get("url")
const how = {embed: "replay-only", replayBase: "/replay/", source: "/a.wacz", url, style: "height:100vh;display:block"}
for (const [name, value] of Object.entries(how)) view.setAttribute(name, value)
document.body.append(view)
</script>
"""


@dataclass(slots=True)
class Look:
    """One page in a browser: the addresses it asked for, each with whether it was answered, and how it looked."""

    asked: dict[str, bool] = field(default_factory=dict)
    errors: dict[str, None] = field(default_factory=dict)
    """Errors that no script of the page caught, each with the address of its script."""
    text: str = ""
    shot: bytes = b""


@dataclass(slots=True)
class Share:
    """What replay answered of what pages asked for there, and of what they had loaded from the living blog."""

    name: str
    pages: int = 0
    asked: int = 0
    answered: int = 0
    loaded: int = 0
    replayed: int = 0
    other_text: list[str] = field(default_factory=list)
    unchanged: int = 0
    """Pages with the same text only where the tool hands them on as they are kept."""
    lacking: dict[str, None] = field(default_factory=dict)
    errors: dict[str, None] = field(default_factory=dict)

    def add(self, url: str, live: Look, again: Look, absent: Set[str]) -> None:
        """Count one page."""
        good = {name for name, answered in again.asked.items() if answered}
        loaded = {name for name, answered in live.asked.items() if answered}
        # What the living blog had not, or could not be reached, is nothing that the archive could answer.
        asked = {name for name in again.asked if name in good or (live.asked.get(name, True) and name not in absent)}
        self.pages += 1
        self.asked, self.answered = self.asked + len(asked), self.answered + len(asked & good)
        self.loaded, self.replayed = self.loaded + len(loaded), self.replayed + len(loaded & good)
        self.other_text += [] if same_text(live, again) else [url]
        self.lacking |= dict.fromkeys(sorted((asked | loaded) - good))
        self.errors |= {error: None for error in again.errors if error not in live.errors}

    def as_kept(self, url: str) -> None:
        """A page that shows the same text when the tool does not rewrite it."""
        self.other_text.remove(url)
        self.unchanged += 1

    def lines(self, floor: float) -> Iterator[tuple[str, bool]]:
        """The figures in words, and whether they are as they must be."""
        for what, part, whole in (
            ("requests of the replayed pages", self.answered, self.asked),
            ("files the living pages loaded", self.replayed, self.loaded),
        ):
            share = part / whole if whole else 0.0
            yield f"{self.name}: {part} of {whole} {what} answered from the archive ({share:.1%})", share >= floor
        same = self.pages - len(self.other_text) - self.unchanged
        more = f", {self.unchanged} more only where {self.name} does not rewrite them" if self.unchanged else ""
        yield f"{self.name}: {same} of {self.pages} pages with the same text{more}", not self.other_text
        yield from ((f"  other text: {url}", True) for url in self.other_text)
        yield from ((f"  not answered: {url}", True) for url in list(self.lacking)[:SHOWN])
        yield from ((f"  script that fails in {self.name} only: {error}", True) for error in list(self.errors)[:SHOWN])


def same_text(live: Look, again: Look) -> bool:
    """Whether nearly all words of a page are on it in replay, and no others."""
    return alike(words(live.text), words(again.text)) >= SAME


class Eyes:
    """Chromium, looking at pages one by one: of the living blog each with an empty cache."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def memory(self, proxy: ProxySettings | None = None) -> Iterator[BrowserContext]:
        """A browser that has seen nothing yet; with a proxy, one that asks nobody else."""
        context = self._browser.new_context(viewport=SIZE, proxy=proxy, ignore_https_errors=bool(proxy))
        try:
            yield context
        finally:
            context.close()

    def look(self, address: str) -> Look:
        """A page of the living blog."""
        with self.memory() as context:
            return self.look_in(context, address, archived=False)

    def look_in(self, context: BrowserContext, address: str, archived: bool, wanted: Sequence[str] = ()) -> Look:
        """Open an address, scroll to its end, and note what it asked for; then ask for what else is wanted.

        Icons, and pictures that fit one window and not another, are not asked for by every tool.
        """
        page = context.new_page()
        look = Look()
        page.on("response", lambda response: _note(look, response, archived))
        page.on("requestfailed", lambda request: _failed(look, request, archived))
        session = context.new_cdp_session(page)
        session.on("Runtime.exceptionThrown", lambda event: _threw(look, event["exceptionDetails"], archived))
        session.send("Runtime.enable")
        try:
            page.goto(address, timeout=PATIENCE)
            if (frame := _shown(page, archived)) is None:
                return look
            _scroll(page, frame)
            look.text = _words(frame)
            look.shot = page.screenshot(type="jpeg", quality=80)
            for name in wanted:
                if name not in look.asked:
                    frame.evaluate("url => fetch(url).then(answer => answer.text(), () => '')", f"http:{name}")
        finally:
            page.close()
        return look

    def beside(self, shots: Iterable[tuple[str, bytes]]) -> bytes:
        """Screenshots side by side, each under its name."""
        pictures = ((name, f"data:image/jpeg;base64,{b64encode(data).decode()}") for name, data in shots)
        cells = "".join(
            f"<figure><figcaption>{name}</figcaption><img src='{data}'></figure>" for name, data in pictures
        )
        page = self._browser.new_page(viewport={"width": 1260, "height": 605})
        page.set_content(
            "<style>body{margin:6px;display:flex;gap:6px;font:14px sans-serif;background:#fff}figure{margin:0;flex:1}"
            f"img{{width:100%;border:1px solid #999;margin-top:4px}}</style>{cells}"
        )
        shot = page.screenshot(type="jpeg", quality=72)
        page.close()
        return shot


def _shown(page: Page, archived: bool) -> Frame | None:
    """Wait for the content, which replay tools put into a frame of their own; None where it does not come."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        inner = [frame for frame in page.frames if frame is not page.main_frame and ARCHIVED.search(frame.url)]
        frames = inner if archived else [page.main_frame]
        if frames and _words(frames[-1]):
            return frames[-1]
        page.wait_for_timeout(200)
    return None


def _scroll(page: Page, frame: Frame) -> None:
    """To the end of the content and back, for what is loaded or drawn only when it is seen."""
    for step in range(0, 20_000, 800):
        if frame.evaluate(f"window.scrollTo(0, {step}); {step} > document.documentElement.scrollHeight"):
            break
        page.wait_for_timeout(60)
    page.wait_for_timeout(700)
    frame.evaluate("window.scrollTo(0, 0)")
    page.wait_for_timeout(200)


def _words(frame: Frame) -> str:
    """The text of a page that is all there; also what an animation has not shown yet."""
    return str(frame.evaluate(TEXT))


def _note(look: Look, response: Response, archived: bool) -> None:
    """A redirect is followed by an answer of its own."""
    if response.request.resource_type == "document" or 300 <= response.status < 400:
        return
    if url := _original(response.url) if archived else response.url:
        look.asked[_bare(url)] = look.asked.get(_bare(url), False) or response.status < 400


def _failed(look: Look, request: Request, archived: bool) -> None:
    """A page that a replay tool loads anew, to put it into its frame, is given up and not lost."""
    if request.resource_type == "document" and request.failure == "net::ERR_ABORTED":
        return
    if url := _original(request.url) if archived else request.url:
        look.asked.setdefault(_bare(url), False)


def _threw(look: Look, details: dict[str, Any], archived: bool) -> None:
    """What browsers tell a page of an error says nothing of the script where that could not even be read."""
    address = details.get("url") or ""
    place = (_original(address) if archived else address) or address
    told = details.get("exception", {}).get("description") or details["text"]
    look.errors[f"{_bare(place)}: {told.partition(chr(10))[0]}"] = None


def _bare(url: str) -> str:
    """Browsers ask some hosts by https, whatever the page says."""
    return url.partition(":")[2]


def _original(address: str) -> str | None:
    found = ARCHIVED.search(address)
    return re.sub(r"^(https?:)/+", r"\1//", found[1]) if found else None


@contextmanager
def eyes() -> Iterator[Eyes]:
    """Debian's Chromium, which reaches loopback only."""
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        try:
            yield Eyes(browser)
        finally:
            browser.close()


@contextmanager
def pywb(programs: Path, folder: Path, port: int, wacz: Path) -> Iterator[str]:
    """The address under which pywb shows what is in a WACZ; `programs` is the folder of its commands.

    To a browser that has it as its proxy it gives the pages as they are kept, without rewriting them.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("proxy: {coll: lab, enable_content_rewrite: false}\n", encoding="utf-8")
    manage = str(programs / "wb-manager")
    with (folder / "log").open("wb") as log:
        for call in ([manage, "init", "lab"], [manage, "add", "--unpack-wacz", "lab", str(wacz)]):
            subprocess.run(call, cwd=folder, check=True, stdout=log, stderr=log)  # noqa: S603
    with _server([str(programs / "wayback"), "-b", "127.0.0.1", "-p", str(port)], folder, port):
        yield f"http://127.0.0.1:{port}/lab/mp_/"


@contextmanager
def replayweb(lab: Path, package: Path, folder: Path, port: int, wacz: Path) -> Iterator[str]:
    """The address under which ReplayWeb.page shows a WACZ; `package` is the folder its npm package is kept in."""
    _unpack(package)
    (folder / "replay").mkdir(parents=True, exist_ok=True)
    for name in ("ui.js", "replay/ui.js", "replay/sw.js"):
        shutil.copy(package / "package" / name.rpartition("/")[2], folder / name)
    shutil.copy(wacz, folder / "a.wacz")
    (folder / "index.html").write_text(FRAME, encoding="utf-8")
    with _server([sys.executable, str(lab / "rangeserver.py"), str(folder), str(port)], folder, port):
        yield f"http://127.0.0.1:{port}/?url="


def _unpack(package: Path) -> None:
    """The built scripts need none of the package's dependencies, so it is packed and not installed."""
    if not (package / "package/ui.js").is_file():
        package.mkdir(parents=True, exist_ok=True)
        call = ["npm", "pack", "--silent", REPLAYWEB]
        name = subprocess.run(call, cwd=package, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]  # noqa: S603
        subprocess.run(["tar", "xzf", name], cwd=package, check=True)  # noqa: S603, S607


@contextmanager
def _server(call: list[str], folder: Path, port: int) -> Iterator[None]:
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(call, cwd=folder, stdout=log, stderr=log, start_new_session=True)  # noqa: S603
    try:
        _wait(port)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"nothing answers on port {port}")


def replayed(
    eyes: Eyes, name: str, base: str, lives: dict[str, Look], absent: Set[str]
) -> tuple[Share, dict[str, Look]]:
    """Every page again, out of the archive."""
    share, looks = Share(name), {}
    with eyes.memory() as context:
        for url, live in lives.items():
            place = url if base.endswith("/") else quote(url, safe="")
            loaded = [file for file, answered in live.asked.items() if answered]
            # Under load ReplayWeb.page's worker may start too late and show nothing; a person would load it again.
            tries = (eyes.look_in(context, base + place, archived=True, wanted=loaded) for _ in range(TRIES))
            looks[url] = next((look for look in tries if look.text), Look())
            share.add(url, live, looks[url], absent)
    return share, looks


def replayed_as_kept(eyes: Eyes, port: int, lives: dict[str, Look], share: Share) -> None:
    """Pages that showed other text once more, with pywb on that port as the browser's proxy.

    To show a page under another address, replay rewrites its scripts; a proxy need not. A page that is right only there
    is whole in the archive, and the rewriting is at fault.
    """
    only_proxy: ProxySettings = {"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"}
    with eyes.memory(only_proxy) as context:
        for url in list(share.other_text):
            if same_text(lives[url], eyes.look_in(context, url, archived=False)):
                share.as_kept(url)


def spread(urls: list[str], number: int) -> list[str]:
    """That many of them, from first to last."""
    step = max(1, len(urls) // number)
    return urls[::step][:number]
