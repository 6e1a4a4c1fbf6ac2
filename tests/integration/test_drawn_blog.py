"""A blog that scripts draw, crawled with a real browser, live and out of the WARC files of the live crawl."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.cli import run
from blogforever.config import Config
from server.blogserver import Site, slug, story
from server.drawnblog import DRAWN, UNFED, serve_drawn
from server.family import names_below

pytestmark = [pytest.mark.browser, pytest.mark.long]
Record = dict[str, Any]
PATIENCE = 300.0  # seconds a page may take: nobody waits for them, however busy the machine


class Crawled:
    def __init__(self, archive: Path, site: Site, report: CrawlReport) -> None:
        self.archive, self.site, self.report = archive, site, report
        self.posts = {post["url"]: post for post in posts_of(archive, report.run)}


def posts_of(archive: Path, run: int) -> list[Record]:
    records = [json.loads(line) for line in write_run(Config(archive=archive), run)]
    return [record for record in records if record["type"] == "post"]


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": PATIENCE}
    return Config(**(values | {"render": "auto", "requisites": "none"} | more))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    archive = tmp_path_factory.mktemp("drawn") / "archive"
    with serve_drawn() as site:
        yield Crawled(archive, site, crawl_blog(site.base, settings(archive)))


def warc_records(archive: Path) -> Iterator[tuple[str, str, str, bytes]]:
    for path in sorted(archive.rglob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                headers = record.rec_headers
                kind, url = headers.get_header("WARC-Type"), headers.get_header("WARC-Target-URI") or ""
                yield kind, url, headers.get_header("Content-Type") or "", record.content_stream().read()


def test_every_post_is_there_as_the_browser_drew_it(crawled: Crawled) -> None:
    assert set(crawled.posts) == {crawled.site.base + slug(n) for n in DRAWN}
    for number in DRAWN:
        post = crawled.posts[crawled.site.base + slug(number)]
        assert all(line in post["text"] for line in story(number))
        assert len(post["comments"]) == number % 3
        assert post["media"][0]["url"] == f"{crawled.site.base}/picture.png"
        assert [source["role"] for source in post["sources"]][:2] == ["rendered", "page"]


def test_what_the_browser_loaded_and_drew_is_in_the_warc(crawled: Crawled) -> None:
    kept = list(warc_records(crawled.archive))
    urls = {url for kind, url, _, _ in kept if kind == "response"}
    assert crawled.site.base + "/app.js" in urls
    assert crawled.site.base + f"/api{slug(9).rstrip('/')}.json" in urls
    drawn = {
        url: body.decode() for kind, url, mime, body in kept if kind == "resource" and mime.startswith("text/html")
    }
    assert story(9)[0] in drawn[f"urn:dom:{crawled.site.base}{slug(9)}"]
    assert verify(crawled.archive).findings == []


def test_pages_are_fetched_once_and_shared_files_once(crawled: Crawled) -> None:
    asked = crawled.site.asked
    assert max(asked.count(slug(n)) for n in DRAWN) == 1
    assert asked.count("/app.js") == 1
    assert "/picture.png" not in asked


def test_nothing_is_drawn_that_can_be_neither_post_nor_list(crawled: Crawled) -> None:
    assert "/archives/" in crawled.site.asked
    assert not [path for path in crawled.site.asked if "?id=" in path]
    assert crawled.report.drawn == len(DRAWN) + 1


def test_the_verdict_is_kept_with_the_rules(crawled: Crawled) -> None:
    rules = json.loads(next((crawled.archive / "rules").glob("*.json")).read_text(encoding="utf-8"))
    assert rules["browser"]["articles"] is True
    assert rules["browser"]["evidence"][0].endswith("words without scripts")


def test_a_replay_needs_no_browser_for_what_was_drawn(crawled: Crawled, tmp_path: Path) -> None:
    kept = (str(crawled.archive / "warc"),)
    report = crawl_blog(crawled.site.base, settings(tmp_path / "again", replay=kept))
    again = {post["url"]: post for post in posts_of(tmp_path / "again", report.run)}
    assert {url: post["text"] for url, post in again.items()} == {u: p["text"] for u, p in crawled.posts.items()}
    drawn = {
        url for kind, url, *_ in warc_records(crawled.archive) if kind == "resource" and url.startswith("urn:dom:")
    }
    copied = {url for kind, url, *_ in warc_records(tmp_path / "again") if kind == "resource"}
    assert copied
    assert copied <= drawn
    assert run(["verify", "--archive", str(tmp_path / "again")]) == 0


def test_a_replay_with_the_browser_needs_no_network(crawled: Crawled, tmp_path: Path) -> None:
    before = len(crawled.site.asked)
    archive, kept = tmp_path / "again", (str(crawled.archive / "warc"),)
    report = crawl_blog(crawled.site.base, settings(archive, replay=kept, render="always"))
    again = {post["url"]: post for post in posts_of(archive, report.run)}
    assert again
    assert {url: post["text"] for url, post in again.items()} == {url: crawled.posts[url]["text"] for url in again}
    assert len(crawled.site.asked) == before
    # What was taken out of the files, and what was drawn.
    assert {kind for kind, *_ in warc_records(archive)} >= {"warcinfo", "response", "request", "resource"}
    assert run(["verify", "--archive", str(archive)]) == 0


def test_a_blog_whose_addresses_stand_after_the_hash_is_found_whole(tmp_path: Path) -> None:
    with serve_drawn(hashed=True) as site:
        report = crawl_blog(site.base, settings(tmp_path / "archive"))
        posts = {post["url"]: post for post in posts_of(tmp_path / "archive", report.run)}
        assert set(posts) == {f"{site.base}/#{slug(n).rstrip('/')}" for n in UNFED}
        # Each has its own text, though a button of every page leads to a neighbour.
        for n in UNFED:
            assert all(line in posts[f"{site.base}/#{slug(n).rstrip('/')}"]["text"] for line in story(n))
        assert site.asked.count("/") <= 2


def test_a_list_whose_entries_are_no_links_is_clicked_through(tmp_path: Path) -> None:
    with serve_drawn(clicked=True) as site:
        report = crawl_blog(site.base, settings(tmp_path / "archive"))
        posts = {post["url"]: post for post in posts_of(tmp_path / "archive", report.run)}
        assert set(posts) == {site.base + slug(n) for n in UNFED}
        assert all(line in posts[site.base + slug(3)]["text"] for line in story(3))


def test_no_browser_is_left_behind(crawled: Crawled) -> None:
    assert not [name for name in names_below(os.getpid()) if "chrom" in name or "node" in name]
