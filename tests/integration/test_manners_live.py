"""Manners and means of a live crawl: proxy, log-in and cookies of one's own, policies with a note, a service's pace."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.crawling import CrawlReport, crawl_blog, crawl_blogs, write_run
from blogforever.config import Config, Policy, make_config
from blogforever.fetch import guard
from blogforever.fetch.budget import SLOT, Throttle, slots
from server.blogserver import Answers, Reply, send, serve_answers
from server.wpblog import Blog, answer

pytestmark = pytest.mark.long

Route = Callable[[BaseHTTPRequestHandler], None]
NOTE = "Agreed with the owner by letter."
LOGIN = b"<title>Log in</title><form><input type='password' name='p'></form>"


def settings(folder: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": folder / "a", "allow_private": True, "delay": 0.0, "timeout": 20.0}
    return Config(**(values | {"retries": 0, "requisites": "none", "render": "never"} | more))


def all_of(config: Config, report: CrawlReport) -> set[str]:
    return {r["url"] for r in map(json.loads, write_run(config, report.run)) if r["type"] == "post"}


def watched(blog: Blog, times: list[float], allow: Callable[[BaseHTTPRequestHandler], bool] = lambda _: True) -> Any:
    """The blog, with the time of each request written down; who may not come in gets a log-in form."""

    def make(base: str) -> Answers:
        def route(target: str) -> Route:
            def reply(handler: BaseHTTPRequestHandler) -> None:
                times.append(time.monotonic())
                found = answer(blog, base, target) or Reply(b"<h1>Not here</h1>", 404)
                send(handler, found if target == "/robots.txt" or allow(handler) else Reply(LOGIN, 401))

            return reply

        return route

    return make


def gaps(times: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(sorted(times))]


def test_everything_goes_through_the_proxy_and_nothing_beside_it(tmp_path: Path) -> None:
    blog, asked = Blog(posts=6), []

    def make(_base: str) -> Answers:
        def route(target: str) -> Reply | None:
            asked.append(target)
            return answer(blog, "http://ferry.example", target.removeprefix("http://ferry.example"))

        return route

    with serve_answers(make) as proxy:
        config = settings(tmp_path, proxy=proxy.base, allow_private=False)
        report = crawl_blog("http://ferry.example/", config)
    assert len(all_of(config, report)) == 6
    assert all(target.startswith("http://ferry.example/") for target in asked)


@pytest.mark.parametrize("reply", [Reply(b"", 502), Reply(b"", 503, {"X-Squid-Error": "ERR_DNS_FAIL 0"})])
def test_behind_a_proxy_a_host_that_nobody_reaches_is_no_matter_of_robots(tmp_path: Path, reply: Reply) -> None:
    with serve_answers(lambda _base: lambda _target: reply) as proxy:
        report = crawl_blog("http://dead.example/", settings(tmp_path, proxy=proxy.base, retries=0))
    assert report.home_failure == "connection"


def test_behind_a_proxy_a_host_in_trouble_still_forbids(tmp_path: Path) -> None:
    with serve_answers(lambda _base: lambda _target: Reply(b"", 500)) as proxy:
        report = crawl_blog("http://ill.example/", settings(tmp_path, proxy=proxy.base, retries=0))
    assert report.home_failure == "robots.txt status 500"


def test_a_private_proxy_opens_no_other_port_of_its_host(tmp_path: Path) -> None:
    blog, asked = Blog(posts=2), []

    def make(_base: str) -> Answers:
        def route(target: str) -> Reply | None:
            asked.append(target)
            found = answer(blog, "http://ferry.example", target.removeprefix("http://ferry.example"))
            page = found and found.body.replace(b"</body>", b'<img src="http://127.0.0.1:9/secret.png"></body>')
            return Reply(page, found.status, found.headers) if found and page else found

        return route

    with serve_answers(make) as proxy:
        config = settings(tmp_path, proxy=proxy.base, allow_private=False, requisites="page")
        report = crawl_blog("http://ferry.example/", config)
    assert report.posts == 2
    assert not [target for target in asked if "secret.png" in target]


def test_a_log_in_for_ones_own_blog_opens_it_and_is_not_written_down(tmp_path: Path) -> None:
    word = base64.b64encode(b"me:sesame").decode()

    def known(handler: BaseHTTPRequestHandler) -> bool:
        return handler.headers.get("Authorization") == f"Basic {word}"

    with serve_answers(watched(Blog(posts=6), [], known)) as site:
        host = site.base.removeprefix("http://")
        shut = crawl_blog(site.base, settings(tmp_path / "shut"))
        config = settings(tmp_path, policy=(Policy(host, user="me", password="sesame"),))
        report = crawl_blog(site.base, config)
    assert shut.posts == 0
    assert len(all_of(config, report)) == 6
    assert not [text for text in warc_texts(tmp_path / "a") if word in text]


def test_cookies_of_ones_own_open_it_too(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    line = "\t".join(("127.0.0.1", "FALSE", "/", "FALSE", "4102444800", "member", "opensesame"))
    file.write_text(f"# Netscape HTTP Cookie File\n{line}\n", encoding="utf-8")

    def known(handler: BaseHTTPRequestHandler) -> bool:
        return "member=opensesame" in (handler.headers.get("Cookie") or "")

    with serve_answers(watched(Blog(posts=6), [], known)) as site:
        config = settings(tmp_path, cookies=str(file))
        report = crawl_blog(site.base, config)
    assert len(all_of(config, report)) == 6
    assert not [text for text in warc_texts(tmp_path / "a") if "opensesame" in text]


def warc_texts(archive: Path) -> list[str]:
    texts = []
    for path in (archive / "warc").rglob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, no_record_parse=True):
                texts.append(record.content_stream().read().decode("latin-1"))
    assert texts
    return texts


def test_a_policy_with_a_note_sets_robots_aside_and_the_warc_says_so(tmp_path: Path) -> None:
    blog = Blog(posts=6, robots="User-agent: *\nDisallow: /\n")
    with serve_answers(watched(blog, [])) as site:
        refused = crawl_blog(site.base, settings(tmp_path / "obey"))
        policy = Policy(site.base.removeprefix("http://"), robots="ignore", note=NOTE)
        config = settings(tmp_path, policy=(policy,))
        report = crawl_blog(site.base, config)
    assert (refused.posts, refused.home_failure) == (0, "blocked by robots")
    assert len(all_of(config, report)) == 6
    info = next(text for text in warc_texts(tmp_path / "a") if text.startswith("software:"))
    assert "robots: ignored" in info
    assert NOTE in info


def test_a_policy_gives_one_source_a_pace_of_its_own(tmp_path: Path) -> None:
    times: list[float] = []
    with serve_answers(watched(Blog(posts=3), times)) as site:
        policy = Policy(site.base.removeprefix("http://"), delay=0.15, concurrency=1)
        report = crawl_blog(site.base, settings(tmp_path, policy=(policy,)))
    assert report.posts == 3
    assert sum(gaps(times)) / len(gaps(times)) > 0.12


def test_a_crawl_delay_of_robots_is_kept(tmp_path: Path) -> None:
    times: list[float] = []
    with serve_answers(watched(Blog(posts=3, robots="User-agent: *\nCrawl-delay: 0.2\n"), times)) as site:
        report = crawl_blog(site.base, settings(tmp_path))
    assert report.posts == 3
    assert sum(gaps(times)) / len(gaps(times)) > 0.18


def test_blogs_of_one_service_share_one_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1",)

    monkeypatch.setattr(guard, "_look_up", look_up)
    times: list[float] = []
    with serve_answers(watched(Blog(posts=3), times)) as site:
        port = site.base.rpartition(":")[2]
        blogs = [f"http://{name}.blogspot.com:{port}/" for name in ("one", "two")]
        reports = crawl_blogs(blogs, settings(tmp_path, delay=0.1, concurrency=1))
    assert [report.posts for report in reports] == [3, 3]
    assert sum(gaps(times)) / len(gaps(times)) > 0.08


def test_a_crawl_delay_of_one_host_is_kept_beside_another_host_of_its_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_up(_name: str) -> tuple[str, ...]:
        return ("127.0.0.1",)

    monkeypatch.setattr(guard, "_look_up", look_up)
    slow: list[float] = []
    quick: list[float] = []
    asks_for_time = Blog(posts=3, robots="User-agent: *\nCrawl-delay: 1\n")
    with serve_answers(watched(asks_for_time, slow)) as one, serve_answers(watched(Blog(posts=3), quick)) as two:
        ports = [site.base.rpartition(":")[2] for site in (one, two)]
        blogs = [f"http://{name}.blogspot.com:{port}/" for name, port in zip(("one", "two"), ports, strict=True)]
        reports = crawl_blogs(blogs, settings(tmp_path, delay=0.01, concurrency=2))
    assert [report.posts for report in reports] == [3, 3]
    assert sum(gaps(slow)) / len(gaps(slow)) > 0.9
    assert quick


def test_a_slow_server_is_asked_less_often_and_a_delay_is_the_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []
    ours = Throttle.adjust

    def note(self: Throttle, response: Any, request: Any) -> None:
        ours(self, response, request)
        slot = slots(self.crawler).slots.get(request.meta[SLOT])
        # Ten draws: if the wait is one by lot, one of them is below the delay.
        seen.extend(slot.download_delay() for _ in range(10) if slot)

    monkeypatch.setattr(Throttle, "adjust", note)

    def slow(_handler: BaseHTTPRequestHandler) -> bool:
        time.sleep(0.3)
        return True

    with serve_answers(watched(Blog(posts=3), [], slow)) as site:
        report = crawl_blog(site.base, settings(tmp_path, delay=0.05, concurrency=1))
    assert report.posts == 3
    assert min(seen) >= 0.05
    assert max(seen) > 0.2


def test_each_service_is_asked_by_its_own_way_out(tmp_path: Path) -> None:
    blog, seen, through = Blog(posts=4), dict[str, set[str]](), list[str]()

    def noted(base: str) -> Answers:
        def route(target: str) -> Route:
            def reply(handler: BaseHTTPRequestHandler) -> None:
                seen.setdefault(base, set()).add(handler.client_address[0])
                send(handler, answer(blog, base, target) or Reply(b"<h1>Not here</h1>", 404))

            return reply

        return route

    def proxied(_base: str) -> Answers:
        def route(target: str) -> Reply | None:
            through.append(target)
            return answer(blog, "http://far.example", target.removeprefix("http://far.example"))

        return route

    with (
        serve_answers(noted) as usual,
        serve_answers(noted, host="127.0.0.3") as other,
        serve_answers(proxied) as proxy,
    ):
        ways = [
            {"services": ["127.0.0.3"], "source-address": "127.0.0.4"},
            {"services": ["*.example", "far.example"], "proxy": proxy.base},
        ]
        shared = make_config({"source_address": "127.0.0.2", "way": ways})
        config = settings(tmp_path, source_address=shared.source_address, way=shared.way)
        reports = crawl_blogs([usual.base, other.base, "http://far.example/"], config)
        assert [len(all_of(config, report)) for report in reports] == [4, 4, 4]
        assert seen == {usual.base: {"127.0.0.2"}, other.base: {"127.0.0.4"}}
    assert all(target.startswith("http://far.example/") for target in through)
    assert len(through) > 4
