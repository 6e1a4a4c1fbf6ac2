"""Updates of a live blog on loopback: few requests, and each event found as what it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.reading import post_versions, show_post
from blogforever.cli import run
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, Answers, Reply, Site, routes, send, serve_answers, slug, story

SOURCES = ("/feed.xml", "/sitemap.xml", "/robots.txt")


class Blog:
    """The loopback blog, whose pages can be changed while it runs; every page has an ETag."""

    def __init__(self) -> None:
        self.site: Site | None = None
        self.pages: dict[str, Reply] = {}
        self.statuses: list[int] = []

    @property
    def base(self) -> str:
        assert self.site
        return self.site.base

    def answers(self, base: str) -> Answers:
        self.pages |= routes(base)

        def answer(path: str) -> Any:
            reply = self.pages.get(path)
            return (lambda handler: self._send(handler, reply)) if reply else None

        return answer

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        etag = f'"{hashlib.sha256(reply.body).hexdigest()[:12]}"'
        same = handler.headers.get("If-None-Match") == etag
        self.statuses.append(304 if same else reply.status)
        headers = reply.headers | {"ETag": etag}
        send(handler, Reply(b"", 304, headers) if same else Reply(reply.body, reply.status, headers))

    def edit(self, number: int, old: str, new: str) -> None:
        """Change words of a post, on its page and in the feed."""
        for path in (slug(number), "/feed.xml"):
            reply = self.pages[path]
            self.pages[path] = Reply(reply.body.replace(old.encode(), new.encode()), reply.status, reply.headers)


@contextmanager
def blog() -> Iterator[Blog]:
    made = Blog()
    with serve_answers(made.answers) as site:
        made.site = site
        yield made


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def crawl(made: Blog, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(made.base, Config(**(values | more)))


def posts(archive: Path) -> dict[str, PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.title or "": post for post in opened.library.posts(found.id)}


def test_an_unchanged_blog_costs_next_to_nothing(archive: Path) -> None:
    with blog() as made:
        assert crawl(made, archive).posts == POSTS
        made.statuses.clear()
        asked = len(made.site.asked if made.site else ())
        report = crawl(made, archive)
        assert made.site
        beyond = [path for path in made.site.asked[asked:] if path not in SOURCES]
    assert report.update
    assert (report.update.new, report.update.edited, report.update.missing) == (0, 0, 0)
    assert len(beyond) <= POSTS * 0.1
    assert made.statuses.count(304) >= 2
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        kinds = []
        for warc in opened.warcs(found.id):
            with warc.open("rb") as stream:
                kinds += [record.rec_headers.get_header("WARC-Profile") for record in ArchiveIterator(stream)]
    assert any(kind and kind.endswith("server-not-modified") for kind in kinds)
    assert not verify(archive).damaged


def test_an_edit_is_a_version_and_the_old_one_stays(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with blog() as made:
        crawl(made, archive)
        made.edit(POSTS - 2, f"Story {POSTS - 2} begins", f"Story {POSTS - 2} ends")
        report = crawl(made, archive)
        assert report.update
        assert report.update.edited == 1
        assert crawl(made, archive).update
    found = posts(archive)
    assert {title: post.version for title, post in found.items() if post.version > 1} == {f"Story {POSTS - 2}": 2}
    url = f"{made.base}{slug(POSTS - 2)}"
    versions = post_versions(archive, url)
    assert "begins" in versions.old.text
    assert "begins" not in versions.new.text
    assert show_post(archive, url, 1).post == versions.old
    capsys.readouterr()
    assert run(["diff", url, "--archive", str(archive)]) == 0
    assert "[-begins-]{+ends+}" in capsys.readouterr().out
    assert run(["diff", url, "--archive", str(archive), "--from", "1", "--to", "9"]) == 2
    assert "no version 9" in capsys.readouterr().err


def test_an_edited_post_still_names_its_files_though_they_are_not_asked_for_again(archive: Path) -> None:
    number, body = POSTS - 2, b"a picture"
    with blog() as made:
        assert made.site
        made.pages["/one.png"] = Reply(body, headers={"Content-Type": "image/png"})
        made.edit(number, "</div></article>", '<p><img src="/one.png"></p></div></article>')
        crawl(made, archive)
        made.edit(number, f"Story {number} begins", f"Story {number} ends")
        report = crawl(made, archive)
        assert made.site.asked.count("/one.png") == 1
    assert report.update
    assert report.update.edited == 1
    (picture,) = posts(archive)[f"Story {number}"].media
    assert (picture.sha256, picture.type) == (hashlib.sha256(body).hexdigest(), "image/png")


def test_a_new_post_is_found_and_nothing_else_is_asked(archive: Path) -> None:
    with blog() as made:
        feed, page = made.pages["/feed.xml"], made.pages.pop(slug(POSTS - 1))
        item = feed.body.partition(f"<item><title>Story {POSTS - 1}".encode())
        made.pages["/feed.xml"] = Reply(item[0] + b"</channel></rss>", 200, feed.headers)
        assert crawl(made, archive).posts == POSTS - 1
        made.pages |= {"/feed.xml": feed, slug(POSTS - 1): page}
        report = crawl(made, archive)
    assert report.update
    assert (report.update.new, report.posts) == (1, POSTS)
    assert posts(archive)[f"Story {POSTS - 1}"].text.startswith(story(POSTS - 1)[0][:20])


def test_a_new_post_that_cannot_be_had_yet_is_a_failure_and_comes_the_next_time(archive: Path) -> None:
    with blog() as made:
        feed, page = made.pages["/feed.xml"], made.pages.pop(slug(POSTS - 1))
        item = feed.body.partition(f"<item><title>Story {POSTS - 1}".encode())
        made.pages["/feed.xml"] = Reply(item[0] + b"</channel></rss>", 200, feed.headers)
        crawl(made, archive)
        made.pages |= {"/feed.xml": feed, slug(POSTS - 1): Reply(b"<h1>oops</h1>", 500)}
        report = crawl(made, archive)
        with ArchiveFolder(archive, writing=False) as opened:
            assert opened.store.runs.failures(report.blog) == {"status 500": 1}
        made.pages[slug(POSTS - 1)] = page
        assert (report.failures, crawl(made, archive).posts) == (1, POSTS)


def test_a_challenge_or_an_outage_is_no_version(archive: Path) -> None:
    wall = (
        b"<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>"
    )
    with blog() as made:
        crawl(made, archive)
        kept = posts(archive)
        for reply in (Reply(wall, 403), Reply(b"<h1>busy</h1>", 503), Reply(wall, 200)):
            before = dict(made.pages)
            made.pages |= {slug(number): reply for number in range(POSTS)}
            report = crawl(made, archive, recheck=1.0)
            made.pages = before
            assert report.update
            assert (report.update.edited, report.update.missing) == (0, 0)
    assert posts(archive) == kept


def test_pages_that_vanish_all_at_once_freeze_the_blog(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with blog() as made:
        crawl(made, archive)
        kept = posts(archive)
        parked = Reply(b"<html><title>For sale</title><body><h1>This name is for sale</h1></body></html>")
        made.pages |= dict.fromkeys([*(slug(number) for number in range(POSTS)), "/", "/feed.xml"], parked)
        flags = ["--archive", str(archive), "--allow-private", "--delay", "0"]
        assert run(["crawl", made.base, *flags]) == 1
    assert "Frozen" in capsys.readouterr().out
    assert posts(archive) == kept


def test_one_deleted_post_is_missing_and_comes_back(archive: Path) -> None:
    with blog() as made:
        crawl(made, archive)
        page = made.pages.pop(slug(3))
        assert crawl(made, archive, recheck=1.0).update
        assert posts(archive)["Story 3"].status == "missing"
        made.pages[slug(3)] = page
        sitemap = made.pages["/sitemap.xml"]
        assert slug(3).encode() in sitemap.body
        report = crawl(made, archive)
    assert report.update
    assert report.update.back == 1
    assert {post.status for post in posts(archive).values()} == {"active"}


def test_a_dead_blog_keeps_its_posts(archive: Path) -> None:
    with blog() as made:
        crawl(made, archive)
        kept = posts(archive)
        base = made.base
    config = Config(archive=archive, allow_private=True, delay=0.0, timeout=5.0, retries=0)
    report = crawl_blog(base, config)
    assert report.update
    assert report.update.unreachable
    assert posts(archive) == kept


def test_since_keeps_what_is_young(archive: Path) -> None:
    with blog() as made:
        crawl(made, archive, since="2021-06-01")
    found = posts(archive)
    assert found
    assert all((post.published or "") >= "2021-06-01" for post in found.values())
