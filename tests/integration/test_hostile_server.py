"""Servers that misbehave: the crawl ends by itself within its limits, keeps every good page, and says what it met."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from server.blogserver import POSTS, slug
from server.hostile import Hostile, serve_hostile

LIMIT = 3.0
AMPLE = 120.0
SIZE = 1_000_000

# What each route ends in; None is a page that is kept, "" one that is neither page nor failure.
ENDS: dict[str, str | None] = {
    "/slow-drip/": "timeout",
    "/slow-headers/": "timeout",
    "/endless-body/": "too large",
    "/endless-headers/": "endless headers",
    "/wrong-length/": "cut off",
    "/wrong-length-whole/": None,
    "/broken-chunks/": "cut off",
    "/reset/": "cut off",
    "/hang-up/": "connection",
    "/no-http/": "connection",
    "/bomb-gzip/": "too large",
    "/bomb-deflate/": "too large",
    "/bomb-br/": "too large",
    "/bomb-zstd/": "too large",
    "/not-packed/": None,
    "/broken-gzip/": "broken",
    "/loop/": "redirect loop",
    "/to-nowhere/": "redirect to nowhere",
    "/to-file/": "redirect to nowhere",
    "/wrong-charset/": None,
    "/deep/": None,
    "/soft-404/": None,
    "/challenge/": "challenge",
    "/challenge-200/": "challenge",
    "/busy/": None,
    "/broken-500/": "status 500",
    "/cookie-wall/": None,
}

# What is large once it is unpacked, never ends, or is a hundred thousand deep.
HEAVY = (
    *("/bomb-gzip/", "/bomb-deflate/", "/bomb-br/", "/bomb-zstd/", "/endless-body/", "/endless-headers/", "/deep/"),
    *("/million/feed.xml", "/xml-bomb/feed.xml", "/binary/"),
)
# The most that a process took which another one started: a process takes over the peak of who starts it.
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
unit = 1024 if sys.platform == "darwin" else 1
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // unit)
"""
# A crawl of the good posts alone takes 138,000, one with all of these 160,000.
MOST_KILOBYTES = 400_000


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": LIMIT, "retries": 0}
    return Config(**(values | {"max_size": SIZE, "requisites": "none"} | more))


class Crawled:
    def __init__(self, archive: Path, site: Hostile, report: CrawlReport) -> None:
        self.archive, self.site, self.report = archive, site, report
        records = [json.loads(line) for line in write_run(Config(archive=archive), report.run)]
        self.posts = {r["url"].removeprefix(site.base): r for r in records if r["type"] == "post"}
        self.failures = [r for r in records if r["type"] == "failure"]

    def reasons(self, path: str) -> list[str]:
        return [f["reason"] for f in self.failures if f["url"].removeprefix(self.site.base) == path]


def crawl(site: Hostile, archive: Path, **more: Any) -> Crawled:
    return Crawled(archive, site, crawl_blog(site.base + site.path, settings(archive, **more)))


@pytest.fixture(scope="module")
def over_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with serve_hostile() as site:
        yield crawl(site, tmp_path_factory.mktemp("hostile") / "a", concurrency=8)


def test_one_crawl_over_everything_ends_and_keeps_every_good_page(over_all: Crawled) -> None:
    assert len(over_all.site.asked) < 800
    assert set(over_all.posts) >= {slug(number) for number in range(POSTS)}
    assert over_all.report.completeness.sentences()[-1].startswith("Every announced post was captured")


@pytest.mark.parametrize("path", ENDS)
def test_each_misbehaviour_ends_in_one_recorded_failure_or_a_page(over_all: Crawled, path: str) -> None:
    expected = ENDS[path]
    assert path in over_all.site.asked
    assert over_all.reasons(path) == ([] if expected is None else [expected])


def test_no_challenge_no_error_page_and_no_machine_answer_is_taken_for_a_post(over_all: Crawled) -> None:
    assert not set(over_all.posts) & {"/challenge/", "/challenge-200/", "/binary/", "/broken-500/"}


def test_a_calendar_without_end_and_session_ids_are_bounded(over_all: Crawled) -> None:
    assert sum(path.startswith("/calendar/") for path in over_all.site.asked) < 250
    assert sum(path.startswith("/session/") for path in over_all.site.asked) < 150


def test_what_came_only_in_part_is_kept_with_a_flag(over_all: Crawled) -> None:
    flags = {}
    for path in (over_all.archive / "warc").rglob("*.warc.gz"):
        for url, flag in truncated(path):
            flags[url.removeprefix(over_all.site.base)] = flag
    assert flags["/endless-body/"] == "length"
    assert flags["/slow-drip/"] == "time"
    assert flags["/wrong-length/"] == "disconnect"


def truncated(path: Path) -> list[tuple[str, str]]:
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415

    with path.open("rb") as file:
        heads = [record.rec_headers for record in ArchiveIterator(file)]
    marked = [(head.get_header("WARC-Target-URI"), head.get_header("WARC-Truncated")) for head in heads]
    return [(url, flag) for url, flag in marked if flag]


def test_what_hostile_servers_sent_can_be_harvested_again_out_of_the_warc(over_all: Crawled, tmp_path: Path) -> None:
    config = Config(archive=tmp_path / "again", replay=(str(over_all.archive / "warc"),), render="never")
    report = crawl_blog(over_all.site.base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    again = {r["url"].removeprefix(over_all.site.base) for r in records if r["type"] == "post"}
    assert again == set(over_all.posts)
    assert report.ending == "finished"


def test_memory_stays_small(tmp_path: Path) -> None:
    # In a process of its own: what the tests before this one took would count, too.
    with serve_hostile(HEAVY) as site:
        options = ["--archive", str(tmp_path / "a"), "--allow-private", "--delay", "0", "--timeout", str(LIMIT)]
        options += ["--retries", "0", "--max-size", str(SIZE), "--requisites", "none", "--render", "never"]
        crawl_it = [sys.executable, "-m", "blogforever", "crawl", site.base, *options]
        done = subprocess.run([sys.executable, "-c", MEASURE, *crawl_it], check=True, capture_output=True)
        assert set(HEAVY) <= set(site.asked)
    assert int(done.stdout.splitlines()[-1]) < MOST_KILOBYTES


def test_retry_after_is_waited_for(tmp_path: Path) -> None:
    # With time for the answer, however busy the machine: what was not heard in time is asked for again at once.
    with serve_hostile(("/busy/",)) as site:
        crawl(site, tmp_path / "a", timeout=AMPLE)
        first, second = site.times["/busy/"]
    assert second - first > 0.9


@pytest.mark.parametrize("spelling", ["decimal", "hex", "octal", "mapped", "short"])
def test_a_redirect_to_a_private_place_is_refused_in_every_spelling(
    spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_name(monkeypatch)
    with serve_hostile((f"/to-{spelling}/",)) as site:
        port = site.base.rpartition(":")[2]
        report = crawl_blog(f"http://ferry.example:{port}/", settings(tmp_path / "a", allow_private=False))
        assert report.posts == POSTS
        assert f"/to-{spelling}/" in site.asked
        assert not [path for path in site.asked if path.startswith("/secret/")]


def public_name(monkeypatch: pytest.MonkeyPatch, answers: list[str] | None = None) -> None:
    """A name that the guard takes for public, on this machine; with `answers`, one that changes its mind."""
    from blogforever.fetch import guard, privateranges  # noqa: PLC0415

    real, judged = guard._look_up, privateranges.is_private
    waiting = list(answers or [])

    async def look_up(name: str) -> tuple[str, ...]:
        if name != "ferry.example":
            return await real(name)
        return (waiting.pop(0),) if waiting else ("127.0.0.1",)

    public = {"127.0.0.1"} if answers is None else set()
    monkeypatch.setattr(guard, "_look_up", look_up)
    monkeypatch.setattr(guard, "is_private", lambda address: address not in public and judged(address))


def test_a_name_that_turns_private_is_not_followed_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public_name(monkeypatch, answers=["127.0.0.1"])
    with serve_hostile(()) as site:
        port = site.base.rpartition(":")[2]
        report = crawl_blog(f"http://ferry.example:{port}/", settings(tmp_path / "a", allow_private=False))
        assert report.home_failure == "private"
        assert not site.asked


def test_robots_that_time_out_forbid_everything_for_now(tmp_path: Path) -> None:
    with serve_hostile(()) as site:
        site.robots = "timeout"
        report = crawl_blog(site.base, settings(tmp_path / "a", timeout=1.0))
        assert set(site.asked) == {"/robots.txt"}
    assert report.home_failure == "timeout"


def test_robots_with_an_error_forbid_everything_for_now(tmp_path: Path) -> None:
    with serve_hostile(()) as site:
        site.robots = "error"
        report = crawl_blog(site.base, settings(tmp_path / "a"))
        assert set(site.asked) == {"/robots.txt"}
    assert report.home_failure == "robots.txt status 503"


def test_a_storm_of_errors_ends_and_is_told(tmp_path: Path) -> None:
    with serve_hostile(()) as site:
        site.storm = True
        done = crawl(site, tmp_path / "a", retries=2)
        assert done.report.completeness.missing
        assert set(done.report.completeness.missing.values()) == {"status 500"}
        assert len(site.asked) < 80


@pytest.mark.parametrize("path", ["/xml-bomb/feed.xml", "/million/feed.xml"])
def test_feeds_that_explode_end_by_themselves(tmp_path: Path, path: str) -> None:
    with serve_hostile(()) as site:
        site.path = path
        done = crawl(site, tmp_path / "a")
    assert done.report.ending == "finished"
