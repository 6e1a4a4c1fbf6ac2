"""The rules of a blog on their screen: seen, tried, picked by a click, set, locked, gone back to; and who may."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from lxml import html

from blogforever.portal.replayorigin import make_replay_app
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.work import JobFilter
from server.visitor import PortalClient, words


@pytest.fixture
def place(standing: Standing) -> str:
    (blog,) = standing.archive.store.followed.some([standing.archive.library.blogs()[0].id])
    return f"/sources/{blog.id}/rules"


@pytest.fixture
def post(standing: Standing) -> str:
    line = standing.archive.store.posts.page(PostQuery(limit=1)).items[0]
    return standing.archive.store.posts.record(line.id).url


def frame_of(page: html.HtmlElement) -> str:
    (frame,) = page.xpath("//iframe")
    assert frame.get("sandbox") == "allow-scripts"
    return str(frame.get("src"))


def test_every_field_has_its_rules_with_examples_and_history(viewer: PortalClient, place: str) -> None:
    page = viewer.page(place)
    told = words(page.xpath("//main")[0])
    assert [word for word in ("Title", "sure to", "Revisions") if word not in told] == []
    assert not page.xpath("//main//form[@method='post']")
    number = page.xpath("//table//a[contains(@href, '.json')]/@href")[0]
    assert viewer.get(number).json()["templates"]


def test_a_click_on_the_page_becomes_a_rule_that_is_tried_set_and_applied(
    curator: PortalClient, standing: Standing, place: str, post: str
) -> None:
    origin = TestClient(make_replay_app(standing), "http://127.0.0.1:8151")
    page = curator.page(f"{place}?field=title&page={post}")
    shown = origin.get(frame_of(page))
    policy = shown.headers["content-security-policy"]
    nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)
    assert nonce
    assert policy.startswith("sandbox allow-scripts; default-src 'none'")
    assert re.findall(r"<script[^>]*>", shown.text) == [f'<script src="/picking.js" nonce="{nonce[1]}" defer>']
    assert "data-blogforever-found" in shown.text
    tree = html.document_fromstring(shown.text)
    day = tree.xpath("//body//time/@data-blogforever-number")[0]
    picked_at = page.xpath("//iframe/@data-picked")[0]
    picked = curator.page(f"{picked_at}&pick={day}")
    rules = picked.xpath("//*[@id='picked']//a/@href")
    assert rules
    tried = curator.page(rules[0])
    assert len(tried.xpath("//main//del")) == len(tried.xpath("//main//ins")) > 0
    rule = parse_qs(urlsplit(rules[0]).query)["rule"][0]
    done = curator.submitted(
        place, deed="set", field="title", rule=rule, page=post, reason="as I see it", reread="true"
    )
    assert "locked" in words(done)
    (job,) = standing.archive.store.jobs.newest(JobFilter(kind="reread"), 5)
    assert job.asked_by == "curator"
    decided = [(one.what, one.field, one.reason) for one in standing.archive.journal.decisions()]
    assert ("lock", "title", "as I see it") in decided
    back = curator.submitted(place, deed="unlock", field="title")
    assert "unlocked" in words(back)


def test_what_cannot_be_is_said_and_who_may_not_is_refused(
    viewer: PortalClient, curator: PortalClient, place: str, post: str
) -> None:
    assert viewer.submit(place, deed="lock", field="title").status_code == 403
    wrong = curator.submit(place, deed="set", field="title", rule="p:::x", page=post)
    assert 'role="alert"' in wrong.text
    assert 'role="alert"' in curator.get(f"{place}?field=title&rule=p:::x&page={post}").text
    assert 'role="alert"' in curator.get(f"{place}?field=title&page=https://nowhere.example/").text
    assert curator.get(f"{place}?field=title&pick=999999").status_code == 200
    assert curator.get("/sources/none.example/rules").status_code == 404
    assert curator.get(f"{place}/9999.json").status_code == 404


def test_pages_to_point_at_are_shown_only_where_the_portal_signed_that(
    curator: PortalClient, standing: Standing, place: str, post: str
) -> None:
    origin = TestClient(make_replay_app(standing), "http://127.0.0.1:8151")
    frame = frame_of(curator.page(f"{place}?field=title&page={post}"))
    assert origin.get(frame).status_code == 200
    assert origin.get(frame.replace("rule=", "rule=p")).status_code == 403
    assert origin.get("/pick?blog=b&url=u").status_code == 403
    other = TestClient(make_replay_app(standing), "http://evil.example:8151")
    assert other.get(urlsplit(frame).path + "?" + urlsplit(frame).query).status_code == 403
    assert "script" in origin.get("/picking.js").headers["content-type"]
