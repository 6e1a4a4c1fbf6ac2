"""Fifty blogs at once, one of them without end: the others are in the archive, with their records, meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event, Thread

import pytest

from blogforever.archive.crawling import crawl_blogs
from blogforever.archive.jobs import CrawlProgress
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, Site, layout, serve_answers, story
from server.wpblog import Blog, answer

pytestmark = pytest.mark.long

OTHERS = 49
POSTS = 3
SHOWN = 10
"""Pages of the endless blog that come at once; each further one is only over when somebody says so."""
LONG = 300.0


@contextmanager
def serve_small(number: int) -> Iterator[Site]:
    blog = Blog(posts=POSTS, in_feed=POSTS, authors=(f"Ann {number}",))
    with serve_answers(lambda base: lambda path: answer(blog, base, path)) as site:
        yield site


@contextmanager
def serve_endless(enough: Event) -> Iterator[Site]:
    """Every page leads to a further one, and from some on they never end: more of them comes, and more."""

    def page(number: int) -> bytes:
        text = "".join(f"<p>{line}</p>" for line in story(number))
        further = "".join(f'<a href="/2021/01/tale-{number + step}/">on</a>' for step in (1, 2))
        return layout(f"Tale {number}", f"<article><h1>Tale {number}</h1>{text}</article>{further}")

    def without_end(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        while not enough.wait(0.1):
            handler.wfile.write(b"<p>and on")
            handler.wfile.flush()

    def answers(path: str) -> object:
        if path == "/":
            return Reply(page(0))
        if not path.startswith("/2021/01/tale-"):
            return None
        number = int(path.strip("/").rpartition("-")[2])
        if number < SHOWN:
            return Reply(page(number))
        return None if enough.is_set() else without_end

    with serve_answers(lambda _base: answers) as site:  # type: ignore[arg-type,return-value]
        yield site


def records_meanwhile(archive: Path) -> dict[str, int]:
    """How many posts of each blog can be read now, as another command would."""
    with ArchiveFolder(archive, writing=False) as folder:
        return {blog.id: len(list(folder.library.posts(blog.id))) for blog in folder.library.blogs()}


def test_forty_nine_blogs_are_kept_while_the_fiftieth_has_no_end(tmp_path: Path) -> None:
    config = Config(
        archive=tmp_path / "a", allow_private=True, delay=0.0, timeout=LONG, concurrency=16, render="never", retries=0
    )
    begun, enough, over = Event(), Event(), Event()
    seen: list[dict[str, int]] = []

    def look() -> None:
        """Let the endless blog end when all the others can be read."""
        while not over.wait(0.3):
            found = records_meanwhile(config.archive) if begun.is_set() else {}
            if list(found.values()).count(POSTS) >= OTHERS:
                seen.append(found)
                enough.set()
                return

    looking = Thread(target=look)
    with ExitStack() as sites:
        bases = [sites.enter_context(serve_small(number)).base for number in range(OTHERS)]
        endless = sites.enter_context(serve_endless(enough))
        looking.start()

        def watch(_standing: CrawlProgress) -> None:
            begun.set()

        try:
            reports = crawl_blogs([endless.base, *bases], config, watch)
        finally:
            over.set()
            enough.set()
            looking.join()
    (without_end, *others) = reports
    assert seen, "the others could not be read before the endless one ended"
    assert {report.blog: report.posts for report in others} == {report.blog: POSTS for report in others}
    assert all(seen[0][report.blog] == POSTS for report in others)
    assert seen[0].get(without_end.blog, 0) == 0
