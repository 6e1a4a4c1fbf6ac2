"""Pages that came only in part: failures that are named, not seen, and asked for again until they are whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlProgress, CrawlReport
from blogforever.archive.rebuilding import restore
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, send
from server.editedblog import EditedBlog, Written, page_of, serve_edited
from server.heldblog import PATIENCE

POSTS = 20
SIZE = 100_000
TIMEOUT = 5.0
CHALLENGE = (
    b"<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    b"<script>window._cf_chl_opt={cvId:'3'};</script><noscript>Enable JavaScript and cookies</noscript></body></html>"
)
Cut = Callable[[BaseHTTPRequestHandler, Written], None]


def start(handler: BaseHTTPRequestHandler, **headers: str) -> None:
    handler.send_response(200)
    for name, value in ({"Content_Type": "text/html; charset=utf-8"} | headers).items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def too_large(handler: BaseHTTPRequestHandler, post: Written) -> None:
    start(handler)
    handler.wfile.write(page_of(post).replace(b"<p>", b"<!--" + b"x" * 2 * SIZE + b"--><p>"))


def too_slow(handler: BaseHTTPRequestHandler, post: Written) -> None:
    start(handler)
    for byte in page_of(post):
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.25)


def cut_off(handler: BaseHTTPRequestHandler, post: Written) -> None:
    page = page_of(post)
    start(handler, Content_Length=str(len(page)))
    handler.wfile.write(page[: len(page) // 2])
    handler.close_connection = True


KINDS = pytest.mark.parametrize(
    ("cut", "reason"), [(too_large, "too large"), (too_slow, "timeout"), (cut_off, "cut off")]
)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(blog: EditedBlog, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": TIMEOUT, "retries": 0}
    values |= {"requisites": "none", "render": "never", "max_size": SIZE}
    return crawl_blog(blog.base, Config(**(values | more)))


def posts(archive: Path) -> dict[str, PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.title or "": post for post in opened.library.posts(found.id)}


def last_failures(archive: Path) -> dict[str, int]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return opened.store.runs.failures(found.id)


def answer_cut(blog: EditedBlog, post: Written, cut: Cut) -> None:
    blog.instead[post.path] = lambda handler: cut(handler, post)


@KINDS
def test_a_post_that_was_cut_is_missing_and_asked_for_until_it_is_whole(cut: Cut, reason: str, archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        post = blog.posts[3]
        answer_cut(blog, post, cut)
        report = crawl(blog, archive)
        assert report.posts == POSTS - 1
        url = f"{blog.base}{post.path}"
        assert list(report.completeness.missing) == [url]
        assert "cut" in report.completeness.missing[url]
        assert last_failures(archive) == {reason: 1}
        again = crawl(blog, archive)
        assert list(again.completeness.missing) == [url]
        assert last_failures(archive) == {reason: 1}
        blog.instead.clear()
        whole = crawl(blog, archive)
    assert whole.update
    assert (whole.update.new, whole.completeness.complete) == (1, True)
    assert post.title in posts(archive)


@KINDS
def test_a_known_post_that_comes_cut_keeps_its_words_and_is_named(cut: Cut, reason: str, archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        assert crawl(blog, archive).completeness.complete
        post = blog.posts[3]
        before = posts(archive)[post.title]
        blog.edit(post, lastmod="2023-05-01")
        answer_cut(blog, post, cut)
        report = crawl(blog, archive)
        assert posts(archive)[post.title] == before
        assert not report.completeness.complete
        assert any(post.path in bound for bound in report.completeness.bounds)
        blog.instead.clear()
        whole = crawl(blog, archive)
    assert whole.update
    assert (whole.update.edited, whole.completeness.complete) == (1, True)


@pytest.mark.parametrize("wall", [False, True], ids=["behind a redirect", "behind a wall"])
def test_a_new_post_that_could_not_be_read_is_still_new_the_next_time(wall: bool, archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        crawl(blog, archive)
        new = blog.publish()
        path = f"/in/{new.number}/"
        blog.instead[path] = lambda handler: cut_off(handler, new)
        moved = Reply(b"", 302, {"Location": path})
        challenge = Reply(CHALLENGE, headers={"Content-Type": "text/html", "ETag": '"wall"'})
        blog.instead[new.path] = lambda handler: send(handler, challenge if wall else moved)
        report = crawl(blog, archive)
        assert report.update
        assert report.update.new == 0
        assert list(report.completeness.missing) == [f"{blog.base}{new.path}"]
        blog.instead.clear()
        whole = crawl(blog, archive)
    assert whole.update
    assert (whole.update.new, whole.completeness.complete) == (1, True)


def test_a_restored_archive_asks_again_for_what_was_cut(archive: Path) -> None:
    with serve_edited(POSTS) as blog:
        post = blog.posts[3]
        answer_cut(blog, post, cut_off)
        crawl(blog, archive)
        kept = posts(archive)
        (archive / "archive.db").unlink()
        restore(None, archive)
        assert posts(archive).keys() == kept.keys()
        blog.instead.clear()
        whole = crawl(blog, archive)
    assert whole.update
    assert whole.update.new == 1


def test_a_stall_of_our_own_is_not_held_against_the_server(archive: Path) -> None:
    half, go = Event(), Event()
    stalled: list[bool] = []

    def halting(handler: BaseHTTPRequestHandler, post: Written) -> None:
        """Half a page, and the rest when we had our pause."""
        page = page_of(post)
        start(handler, Content_Length=str(len(page)))
        handler.wfile.write(page[:200])
        handler.wfile.flush()
        half.set()
        go.wait(PATIENCE)
        handler.wfile.write(page[200:])

    def busy(_standing: CrawlProgress) -> None:
        if half.is_set() and not stalled:
            stalled.append(True)
            time.sleep(2 * TIMEOUT)
            go.set()

    with serve_edited(POSTS) as blog:
        answer_cut(blog, blog.posts[3], halting)
        values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": TIMEOUT}
        config = Config(**values, retries=0, requisites="none", render="never", concurrency=2)
        report = crawl_blog(blog.base, config, busy)
    assert stalled
    assert (report.posts, report.failures) == (POSTS, 0)
