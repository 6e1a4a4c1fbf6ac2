"""Extraction over the API: pages and addresses in, posts out; what others may not reach stays out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import etree

from blogforever.archive import onepage
from blogforever.archive.opening import open_archive
from blogforever.config import Config
from blogforever.fetch import guard
from blogforever.model import Failure, Page
from blogforever.portal import guarding
from blogforever.protocols import Drawing, Renderer, Serve, Wanted
from blogforever.service import trying
from blogforever.service.rations import Rations
from blogforever.service.standing import Standing
from blogforever.service.tokens import create_token
from blogforever.urls import join
from blogforever.web.app import make_app
from server.application import app_for
from server.blogserver import Reply, Site, serve, serve_answers, slug, story

WORDS = "<p>Nobody in the harbour saw the lantern that hung from the ferry all night long. </p>"
POST = f"<html><head><title>The lantern</title></head><body><h1>The lantern</h1>{WORDS * 4}</body></html>"
LIST = "".join(
    f'<article><h2><a href="/2020/lantern-{number}/">Lantern {number}</a></h2>'
    f'<time datetime="2020-01-0{number}">then</time>{WORDS * 2}</article>'
    for number in range(1, 6)
)


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    with open_archive(tmp_path, writing=True) as archive:
        yield Standing(archive, config=Config(archive=tmp_path, delay=0.0))


def client_of(standing: Standing) -> TestClient:
    secret = create_token(standing.archive.store, "reader", "read").secret
    headers = {"Authorization": f"Bearer {secret}"}
    return TestClient(app_for(standing), base_url="http://test/api/v1", headers=headers)


@pytest.fixture
def client(standing: Standing) -> TestClient:
    return client_of(standing)


def test_a_page_gives_its_post_as_json_xml_or_text(client: TestClient) -> None:
    given = {"html": POST, "url": "https://a.example/2020/lantern/"}
    told = client.post("/extract", json=given).json()
    assert (told["kind"], [item["title"] for item in told["items"]]) == ("post", ["The lantern"])
    assert told["items"][0]["url"] == given["url"]
    xml = client.post("/extract?format=xml", json=given)
    assert xml.headers["content-type"] == "application/xml"
    assert etree.fromstring(xml.content).findtext("post/title") == "The lantern"
    text = client.post("/extract?format=text", json=given)
    assert text.text.startswith("The lantern\n")


def test_a_front_page_gives_the_posts_it_lists(client: TestClient) -> None:
    told = client.post("/extract", json={"html": LIST, "url": "https://a.example/"}).json()
    assert (told["kind"], len(told["items"])) == ("list", 5)
    assert told["items"][3]["url"] == "https://a.example/2020/lantern-4/"
    one = client.post("/extract", json={"html": LIST, "url": "https://a.example/", "kind": "post"}).json()
    assert one["kind"] == "post"


def test_an_address_is_fetched_with_the_manners_and_the_guard_of_a_crawl(tmp_path: Path) -> None:
    with serve() as site, open_archive(tmp_path, writing=True) as archive:
        open_to_all = client_of(Standing(archive, config=Config(archive=tmp_path, allow_private=True, delay=0.0)))
        told = open_to_all.post("/extract", json={"url": f"{site.base}{slug(4)}"}).json()
        assert told["items"][0]["title"].startswith("Story 4")
        gone = open_to_all.post("/extract", json={"url": f"{site.base}/nothing-is-here/"})
        assert (gone.status_code, "404" in gone.json()["detail"]) == (422, True)
        standing = Standing(archive, config=Config(archive=tmp_path, delay=0.0))
        guarded = TestClient(make_app(standing, "1"), base_url="http://test/api/v1", headers=dict(open_to_all.headers))
        asked = len(site.asked)
        for url in (site.base, "http://localhost:1/", "http://[::1]/"):
            answer = guarded.post("/extract", json={"url": url})
            assert answer.status_code == 422
            assert "private" in answer.json()["detail"], answer.text
        assert len(site.asked) == asked


def test_a_host_that_speaks_only_http_is_read_under_the_address_without_scheme(tmp_path: Path) -> None:
    with serve() as site, open_archive(tmp_path, writing=True) as archive:
        client = client_of(Standing(archive, config=Config(archive=tmp_path, allow_private=True, delay=0.0)))
        told = client.post("/extract", json={"url": f"{site.base}{slug(4)}".removeprefix("http://")}).json()
        assert told["items"][0]["url"] == f"{site.base}{slug(4)}"
        unheard = client.post("/extract", json={"url": "127.0.0.1:1"}).json()
        assert unheard["detail"].startswith("https://127.0.0.1:1/ cannot be fetched"), "as it was asked for"


def test_a_page_that_is_too_long_is_said_to_be_so(tmp_path: Path) -> None:
    long = Reply(b"<p>" + b"long " * (onepage.LARGEST_PAGE // 4))
    with serve_answers(lambda _base: {"/long/": long}.get) as site, open_archive(tmp_path, writing=True) as archive:
        client = client_of(Standing(archive, config=Config(archive=tmp_path, allow_private=True, delay=0.0)))
        told = client.post("/extract", json={"url": f"{site.base}/long/"}).json()
        assert told["detail"] == f"{site.base}/long/ is larger than 5.0 MB."


class ScriptRunner:
    """Stands for a browser: asks for a script of the page's own site, and for what nobody may reach."""

    def __init__(self) -> None:
        self.came: list[bytes | None] = []

    async def draw(self, page: Page, serve: Serve) -> Drawing | Failure:
        """A page with some text."""
        for url in (join(page.url, "/app.js") or "", "http://127.0.0.2/secret"):
            served = await serve(Wanted(url, kind="script"))
            self.came.append(served.body if served else None)
        text = "".join(f"<p>{line}</p>" for line in story(5))
        return Drawing(f"<html><body><article><h1>The lantern</h1>{text}</article></body></html>")

    async def close(self) -> None:
        """Nothing was started."""


SHELL = Reply(b"<html><head><title>Shell</title><script src=/app.js></script></head><body></body></html>")
SHELLED = {"/shell/": SHELL, "/app.js": Reply(b"run()"), "/plain/": Reply(POST.encode())}


@contextmanager
def shelled(
    folder: Path, monkeypatch: pytest.MonkeyPatch, browser: Renderer | None
) -> Iterator[tuple[Site, TestClient]]:
    """A site whose page is made by scripts, and who reads it: with a browser, or without one."""
    monkeypatch.setattr(guard, "is_private", lambda host: host != "127.0.0.1")
    monkeypatch.setattr(onepage, "renderer", lambda *_: (lambda: browser) if browser else None)
    with serve_answers(lambda _base: SHELLED.get) as site, open_archive(folder, writing=True) as archive:
        yield site, client_of(Standing(archive, config=Config(archive=folder, delay=0.0, timeout=20.0)))


def test_a_page_that_scripts_make_is_drawn_and_reaches_nothing_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = ScriptRunner()
    with shelled(tmp_path, monkeypatch, browser) as (site, client):
        answer = client.post("/extract", json={"url": f"{site.base}/shell/"})
        told = answer.json()
        assert (told["drawn"], answer.headers["blogforever-drawn"]) == (True, "yes")
        assert told["items"][0]["title"] == "The lantern"
        assert "A browser drew this page" in told["note"]
        assert browser.came == [b"run()", None]
        assert site.asked.count("/shell/") == 1
        as_served = client.post("/extract", json={"url": f"{site.base}/plain/"}).json()
        assert (as_served["drawn"], as_served["note"]) == (False, "")


def test_without_a_browser_it_is_said_what_is_lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with shelled(tmp_path, monkeypatch, None) as (site, client):
        told = client.post("/extract", json={"url": f"{site.base}/shell/"}).json()
        assert (told["drawn"], "no browser here" in told["note"]) == (False, True)


def test_who_finds_the_browser_busy_gets_the_page_as_it_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onepage, "QUEUEING", 0.01)
    monkeypatch.setattr(onepage, "AT_A_TIME", 0)
    with shelled(tmp_path, monkeypatch, ScriptRunner()) as (site, client):
        told = client.post("/extract", json={"url": f"{site.base}/shell/"}).json()
        assert (told["drawn"], "busy" in told["note"]) == (False, True)


def test_too_much_at_once_is_refused_and_so_is_too_large_a_page(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.post("/extract", json={}).status_code == 422
    assert client.post("/extract", json={"url": "file:///etc/passwd"}).status_code == 422
    monkeypatch.setattr(guarding, "LARGEST", 1000)
    assert client.post("/extract", json={"html": "x" * 2000}).status_code == 413
    refused = [client.post("/extract", json={}) for _ in range(trying.AT_ONCE)][-1]
    assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)


def test_a_ration_comes_back_with_time_or_is_given_back() -> None:
    rations = Rations(2, 10.0)
    assert [rations.take("one", 0.0) for _ in range(3)] == [0, 0, 10]
    assert rations.take("two", 0.0) == 0
    assert rations.take("one", 5.0) == 5
    assert (rations.take("one", 10.0), rations.take("one", 10.0)) == (0, 10)
    rations.fill("one")
    assert rations.take("one", 10.0) == 0
