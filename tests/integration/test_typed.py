"""Any address a person types leads to the whole blog: names of all kinds, with and without scheme and www, moved."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from blogforever.archive.crawling import CrawlReport, crawl_blog, write_run
from blogforever.config import Config
from blogforever.fetch import guard
from server.blogserver import Answers, Reply, send, serve_answers
from server.wpblog import Blog, answer

BLOG = Blog(posts=12)
MOVED = {"old.example": "http://ferry.example:{port}/", "bare.example": "http://www.bare.example:{port}/"}
UNKNOWN = {"www.tales.example", "nowww.example"}


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name but two is on this machine."""

    async def look_up(name: str) -> tuple[str, ...]:
        return () if name in UNKNOWN else ("127.0.0.1",)

    monkeypatch.setattr(guard, "_look_up", look_up)


def by_host(base: str) -> Answers:
    """One blog under all names; some names send their readers elsewhere."""
    port = base.rpartition(":")[2]

    def route(target: str) -> Callable[[BaseHTTPRequestHandler], None]:
        def reply(handler: BaseHTTPRequestHandler) -> None:
            host = (handler.headers.get("Host") or "").rpartition(":")[0]
            elsewhere = MOVED.get(host)
            if elsewhere:
                place = elsewhere.format(port=port).rstrip("/") + target
                send(handler, Reply(b"", 301, {"Location": place}))
            else:
                send(handler, answer(BLOG, base, target) or Reply(b"<h1>Not here</h1>", 404))

        return reply

    return route


def crawl(typed: str, folder: Path) -> tuple[CrawlReport, list[str]]:
    config = Config(archive=folder / "a", allow_private=True, delay=0.0, timeout=10.0, retries=0, requisites="none")
    with serve_answers(by_host) as site:
        report = crawl_blog(typed.replace("PORT", site.base.rpartition(":")[2]), config)
    urls = [r["url"] for r in map(json.loads, write_run(config, report.run)) if r["type"] == "post"]
    return report, urls


TYPED = {
    "no scheme": ("127.0.0.1:PORT", "127.0.0.1"),
    "no scheme, a post": ("ferry.example:PORT/2016/02/tale-1/", "ferry.example"),
    "with www": ("http://www.ferry.example:PORT/", "www.ferry.example"),
    "without www, moved to it": ("http://bare.example:PORT", "www.bare.example"),
    "a name that has no www": ("http://www.tales.example:PORT/", "tales.example"),
    "a name that has only www": ("http://nowww.example:PORT/", "www.nowww.example"),
    "an old name": ("http://old.example:PORT/", "ferry.example"),
    "a post under an old name": ("http://old.example:PORT/2016/02/tale-1/", "ferry.example"),
    "a subdomain of a platform": ("http://tales.blogspot.com:PORT/", "tales.blogspot.com"),
    "an international name": ("http://bücher.example:PORT/", "xn--bcher-kva.example"),
    "an international name, a comment": (
        "http://bücher.example:PORT/2016/02/tale-1/#comment-5",
        "xn--bcher-kva.example",
    ),
    "upper case": ("HTTP://FERRY.example:PORT/", "ferry.example"),
    "spaces around": ("  http://ferry.example:PORT/feed/ ", "ferry.example"),
}


@pytest.mark.parametrize("name", TYPED)
def test_the_whole_blog_is_found_and_called_by_the_name_it_has(name: str, tmp_path: Path) -> None:
    typed, host = TYPED[name]
    report, urls = crawl(typed, tmp_path)
    assert report.posts == 12
    assert {urlsplit(url).hostname for url in urls} == {host}
    assert urlsplit(report.url).hostname == host
    assert report.completeness.sentences()[-1].startswith("Every announced post was captured")
