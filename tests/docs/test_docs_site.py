"""The docs as a site: every page is there, no link is dead, nothing is asked of others, and all can use it."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from server.looking import AXE, wrong_at
from server.portalserver import chromium, patient_context

ROOT = Path(__file__).parents[2]
LOOKED_AT = ("index.html", "tutorial/getting-started.html", "howto/portal.html", "reference/record.html", "bench.html")

BROKEN_NAMES = """() => [...document.querySelectorAll("td:first-child code")]
    .filter((name) => /^[a-z]+$/.test(name.textContent) && name.getClientRects().length > 1)
    .map((name) => name.textContent)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(call, cwd=ROOT, env=os.environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def parsed(page: Path) -> LexborHTMLParser:
    return LexborHTMLParser(page.read_text(encoding="utf-8"))


def test_every_page_is_there_and_listed(site: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in sources if not (site / page).is_file()} == set()
    listed = {link.attributes.get("href") for link in parsed(site / "index.html").css("nav a")}
    assert {str(page) for page in sources} - {str(href) for href in listed} - {"index.html"} == set()


def test_no_link_is_dead(site: Path) -> None:
    pages = {page: parsed(page) for page in site.rglob("*.html") if page.name != "404.html"}
    names = {page: {node.attributes.get("id") for node in tree.css("[id]")} for page, tree in pages.items()}
    dead = []
    for page, tree in pages.items():
        for node in tree.css("main a[href], img[src]"):
            target = urlsplit(node.attributes.get("href") or node.attributes.get("src") or "")
            if target.scheme or target.netloc:
                continue
            file = (page.parent / unquote(target.path)).resolve() if target.path else page
            if not file.is_file() or (target.fragment and unquote(target.fragment) not in names.get(file, set())):
                dead.append(f"{page.relative_to(site)}: {target.geturl()}")
    assert len(pages) > 50
    assert dead == []


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loading = re.compile(r'<(?:script|img|iframe)[^>]* src="https?:|<link[^>]* rel="stylesheet"[^>]* href="https?:')
    assert [page.name for page in site.rglob("*.html") if loading.search(page.read_text(encoding="utf-8"))] == []


def test_its_search_knows_every_page(site: Path) -> None:
    entries = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    found = {entry["location"].partition("#")[0] for entry in entries}
    sources = {str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md")}
    assert sources - found == set()


@pytest.mark.browser
def test_all_can_use_it_on_a_desk_and_on_a_phone(served: str) -> None:
    outside: list[str] = []
    found: list[str] = []
    with chromium() as browser, patient_context(browser) as context:
        context.add_init_script(AXE)
        page = context.new_page()
        page.on(
            "request", lambda one: None if one.url.startswith((served, "data:", "blob:")) else outside.append(one.url)
        )
        for address in LOOKED_AT:
            page.goto(served + address)
            found += wrong_at(page, address)
            # The last look was at the size of a phone.
            found += [f"{address} breaks the name {name}" for name in page.evaluate(BROKEN_NAMES)]
    assert (found, outside) == ([], [])
