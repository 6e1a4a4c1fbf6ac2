"""A live crawl of the loopback blog, through Scrapy into an archive on disk."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.exporting import export_jsonl
from blogforever.archive.fetchers import warc_info
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.opening import open_archive
from blogforever.cli import run
from blogforever.config import Config, Policy
from blogforever.errors import ArchiveLocked
from blogforever.store.folder import ArchiveFolder
from server.blogserver import IN_FEED, POSTS, Answers, Site, routes, send, serve, serve_answers, slug, story
from server.heldblog import PATIENCE

pytestmark = pytest.mark.long

Record = dict[str, Any]


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 1}
    return Config(**(values | more))


def records_of(archive: Path, run: int, kind: str = "post") -> list[Record]:
    records = [json.loads(line) for line in write_run(Config(archive=archive), run)]
    return [record for record in records if record["type"] == kind]


class Crawled:
    def __init__(self, archive: Path, site: Site, report: CrawlReport) -> None:
        self.archive, self.site, self.report = archive, site, report
        self.posts = records_of(archive, report.run)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    archive = tmp_path_factory.mktemp("live") / "archive"
    with serve(bad=True) as site:
        report = crawl_blog(site.base, settings(archive, max_size=1_000_000, timeout=4.0))
        yield Crawled(archive, site, report)


def path_of(site: Site, record: Record) -> str:
    return str(record["url"]).removeprefix(site.base)


def test_every_post_is_found_once_and_nothing_else(crawled: Crawled) -> None:
    assert sorted(path_of(crawled.site, post) for post in crawled.posts) == sorted(slug(n) for n in range(POSTS))


def test_the_text_is_the_whole_article_and_only_that(crawled: Crawled) -> None:
    texts = {path_of(crawled.site, post): post["text"] for post in crawled.posts}
    for number in range(POSTS):
        assert texts[slug(number)].split() == " ".join(story(number)).split()


def test_fields_come_from_the_page_where_the_feed_is_silent(crawled: Crawled) -> None:
    old = next(post for post in crawled.posts if path_of(crawled.site, post) == slug(1))
    assert old["title"] == "Story 1"
    assert old["published"].startswith("2021-02-02")
    assert [author["name"] for author in old["authors"]] == ["Ann Ferrier"]


def test_a_redirected_address_becomes_an_alias(crawled: Crawled) -> None:
    post = next(post for post in crawled.posts if path_of(crawled.site, post) == slug(2))
    assert f"{crawled.site.base}/old-story/" in post["aliases"]


def test_robots_txt_is_obeyed(crawled: Crawled) -> None:
    assert "/robots.txt" in crawled.site.asked
    assert not any(path.startswith("/hidden/") for path in crawled.site.asked)


def test_misbehaving_pages_are_recorded_and_stop_nothing(crawled: Crawled) -> None:
    failures = {
        path_of(crawled.site, f): f["reason"] for f in records_of(crawled.archive, crawled.report.run, "failure")
    }
    assert failures["/slow/"] == "timeout"
    assert failures["/huge/"] == "too large"
    assert crawled.report.completeness.sentences()[-1].startswith("Every announced post was captured")
    assert crawled.report.completeness.sources[0].announced == IN_FEED


def test_another_private_host_is_not_visited(crawled: Crawled) -> None:
    assert "10.0.0.1" not in json.dumps(crawled.posts)


def test_warc_holds_request_response_and_info_and_is_sound(crawled: Crawled) -> None:
    files = list((crawled.archive / "warc").rglob("*.warc.gz"))
    assert files
    assert not list((crawled.archive / "warc").rglob("*.open"))
    with files[0].open("rb") as file:
        kinds = [
            record.rec_type
            for record in ArchiveIterator(file, check_digests="raise")
            if record.content_stream().read() is not None
        ]
        file.seek(0)
        told = next(iter(ArchiveIterator(file))).content_stream().read().decode()
    assert kinds[0] == "warcinfo"
    assert f"software: blogforever/{version('blogforever')}" in told
    assert "robots: obeyed" in told
    assert f"isPartOf: {crawled.site.base}" in told
    assert kinds.count("response") > POSTS
    assert kinds.count("request") == kinds.count("response") + kinds.count("revisit")
    assert "metadata" in kinds


def test_a_warc_names_its_operator_and_the_policy_it_was_made_under(tmp_path: Path) -> None:
    policy = (Policy("own.example", robots="ignore", note="our own blog"),)
    config = settings(tmp_path, contact="https://ops.example/", policy=policy)
    told, other = (
        warc_info(config, "https://own.example/", able=True),
        warc_info(config, "https://other.example/", able=False),
    )
    assert (told["operator"], told["robots"], told["description"]) == (
        "https://ops.example/",
        "ignored",
        "our own blog",
    )
    assert told["http-header-user-agent"].endswith("(+https://ops.example/)")
    assert other["robots"].startswith("obeyed")
    assert "description" not in other
    assert ("browser" in told, "browser" in other) == (True, False)


def test_the_archive_replays_to_the_same_records(crawled: Crawled, tmp_path: Path) -> None:
    config = Config(archive=tmp_path / "again", replay=(str(crawled.archive / "warc"),))
    report = crawl_blog(crawled.site.base, config)
    again = {post["url"]: post for post in records_of(config.archive, report.run)}
    assert again.keys() == {post["url"] for post in crawled.posts}
    for post in crawled.posts:
        same = again[post["url"]]
        assert {k: v for k, v in same.items() if k != "sources"} == {k: v for k, v in post.items() if k != "sources"}
    assert run(["verify", "--archive", str(config.archive)]) == 0


def test_rules_are_kept_where_a_person_can_read_them(crawled: Crawled) -> None:
    rules = json.loads((crawled.archive / "rules" / f"{crawled.report.blog}.json").read_text(encoding="utf-8"))
    assert "xpath" in json.dumps(rules)


def test_export_has_blog_posts_and_failures(crawled: Crawled) -> None:
    kinds = [json.loads(line)["type"] for line in export_jsonl(crawled.archive)]
    assert kinds.count("blog") == 1
    assert kinds.count("post") == POSTS
    assert "failure" in kinds


def test_a_second_crawl_changes_no_version(tmp_path: Path) -> None:
    with serve() as site:
        crawl_blog(site.base, settings(tmp_path / "a"))
        second = crawl_blog(site.base, settings(tmp_path / "a", full=True))
    posts = records_of(tmp_path / "a", second.run)
    assert len(posts) == POSTS
    assert {post["version"] for post in posts} == {1}


def test_the_page_limit_holds_and_is_reported(tmp_path: Path) -> None:
    with serve() as site:
        report = crawl_blog(site.base, settings(tmp_path / "a", max_pages=12))
        assert len(site.asked) <= 13
    assert report.stopped == "the limit of 12 pages"
    assert not report.completeness.complete


def test_loopback_is_refused_unless_allowed(tmp_path: Path) -> None:
    with serve() as site:
        report = crawl_blog(site.base, settings(tmp_path / "a", allow_private=False))
        assert not site.asked
    assert report.home_failure == "private"
    assert report.posts == 0


def test_a_locked_archive_is_left_alone(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True), pytest.raises(ArchiveLocked):
        crawl_blog("http://127.0.0.1/", settings(tmp_path / "a", wait=False))


def test_an_interrupted_crawl_is_continued(tmp_path: Path) -> None:
    with serve() as site:
        command = [sys.executable, "-m", "blogforever", "crawl", site.base, "--archive", "a", "--allow-private"]
        process = subprocess.Popen(
            [*command, "--delay", "0.15", "--concurrency", "1"], cwd=tmp_path, stdout=subprocess.PIPE
        )
        wait_for(lambda: len(site.asked) >= 14)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        assert process.returncode == 130
        assert b"next crawl goes on" in out
        before = list(site.asked)
        report = crawl_blog(site.base, settings(tmp_path / "a"))
        fetched_twice = [path for path in site.asked[len(before) :] if path in before and path.startswith("/2021/")]
    assert report.resumed
    assert report.posts == POSTS
    assert not fetched_twice


def test_what_an_interrupted_crawl_says_it_kept_can_be_read(tmp_path: Path) -> None:
    """Also where it ends while the pages of the feed's entries come, before the rules are learned."""
    with serve() as site:
        command = [sys.executable, "-m", "blogforever", "crawl", site.base, "--archive", "a", "--allow-private"]
        process = subprocess.Popen(
            [*command, "--delay", "0.3", "--concurrency", "1"], cwd=tmp_path, stdout=subprocess.PIPE
        )
        wait_for(lambda: sum(path.startswith("/2021/") for path in site.asked) >= 3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130
    told = re.search(rb"(\d+) posts? kept", out)
    with open_archive(tmp_path / "a", writing=False) as archive:
        kept = [post.title for blog in archive.library.blogs() for post in archive.library.posts(blog.id)]
    assert told
    assert int(told[1]) == len(kept) >= 3
    assert all(kept)


def test_a_second_interrupt_stops_at_once_and_the_crawl_is_continued(tmp_path: Path) -> None:
    go_on, hangs = Event(), Event()

    def make(base: str) -> Answers:
        pages = routes(base)

        def hang(handler: BaseHTTPRequestHandler) -> None:
            hangs.set()
            go_on.wait(PATIENCE)
            send(handler, pages[slug(9)])

        return lambda path: hang if path == slug(9) else pages.get(path)

    with serve_answers(make) as site:
        command = [sys.executable, "-m", "blogforever", "crawl", site.base, "--archive", "a", "--allow-private"]
        process = subprocess.Popen([*command, "--delay", "0"], cwd=tmp_path, stderr=subprocess.PIPE)
        assert hangs.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert process.poll() is None, "what is under way is waited for"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
        assert process.returncode == 130
        assert b"stopped; the next crawl goes on from here" in told
        go_on.set()
        report = crawl_blog(site.base, settings(tmp_path / "a"))
    assert report.resumed
    assert report.posts == POSTS
    assert verify(tmp_path / "a").findings == []


def test_a_killed_crawl_is_continued(tmp_path: Path) -> None:
    with serve() as site:
        command = [sys.executable, "-m", "blogforever", "crawl", site.base, "--archive", "a", "--allow-private"]
        process = subprocess.Popen([*command, "--delay", "0.1", "--concurrency", "1"], cwd=tmp_path)
        wait_for(lambda: len(site.asked) >= 16)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        report = crawl_blog(site.base, settings(tmp_path / "a"))
    assert report.posts == POSTS
    assert verify(tmp_path / "a").findings == []
    for path in (tmp_path / "a" / "warc").rglob("*.warc.gz"):
        with path.open("rb") as file:
            assert all(
                record.content_stream().read() is not None for record in ArchiveIterator(file, check_digests="raise")
            )


def wait_for(condition: Any, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
