"""The frame of every page: who gets in, forms only from our pages, names we answer to, headers, languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.dependencies import utils

from blogforever.portal.routes import SCREENS
from blogforever.portal.screens import Screen
from server.samplearchive import PASSWORD
from server.visitor import PortalClient, words

ClientOf = Callable[[str], PortalClient]


def test_whoever_is_not_logged_in_is_sent_to_the_log_in_and_comes_back(stranger: PortalClient) -> None:
    answer = stranger.get("/?x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/%3Fx%3D1")
    page = stranger.page(answer.headers["location"])
    assert page.xpath("//main//input[@name='next']/@value") == ["/?x=1"]
    done = stranger.submit("/login", name="viewer", password=PASSWORD, next="/?x=1")
    assert (done.status_code, done.headers["location"]) == (303, "/?x=1")
    assert "Log out" in words(stranger.page("/?x=1"))


def test_every_page_has_headers_that_let_no_other_site_in(viewer: PortalClient) -> None:
    headers = viewer.get("/").headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
    assert headers["cache-control"] == "no-store"
    style = viewer.page("/").xpath("//link[@rel='stylesheet']/@href")[0]
    assert "immutable" in viewer.get(style).headers["cache-control"]


def test_fonts_are_our_own_and_all_there(viewer: PortalClient) -> None:
    page = viewer.page("/")
    sheet = next(one for one in page.xpath("//link[@rel='stylesheet']/@href") if "fonts" in one)
    named = re.findall(r"url\(([^)]+)\)", viewer.get(sheet).text)
    assert named
    for one in named:
        answer = viewer.get(f"/static/{one}")
        assert answer.status_code == 200
        assert answer.content.startswith(b"wOF2")
    assert "font-src 'self'" in viewer.get("/").headers["content-security-policy"]


@pytest.mark.parametrize("screen", [one for one in SCREENS if one.group], ids=lambda one: one.path)
def test_a_screen_is_for_those_whose_role_allows_it(screen: Screen, client_of: ClientOf) -> None:
    for role in ("viewer", "curator", "admin"):
        client = client_of(role)
        in_menu = screen.path in client.page("/").xpath("//nav//a/@href")
        status = client.get(screen.path).status_code
        assert (status, in_menu) in ((200, True), (403, False))


def test_nobody_has_a_password_yet_so_this_machine_is_the_admin_and_others_are_nobody(
    first_visitor: PortalClient,
) -> None:
    assert "No password yet" in words(first_visitor.page("/"))
    elsewhere = PortalClient(first_visitor.app, first_visitor.standing, "", came_from="192.0.2.7")
    assert elsewhere.get("/").headers["location"] == "/login?next=/"


def test_every_screen_of_the_menu_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs/howto/portal.md").read_text(encoding="utf-8")
    assert [screen.label for screen in SCREENS if screen.group and screen.label not in page] == []


def test_only_what_reads_the_archive_waits_for_a_thread(viewer: PortalClient, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[str] = []

    async def note(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        waited.append(function.__name__)
        return function(*given, **named)

    monkeypatch.setattr(utils, "run_in_threadpool", note)
    assert viewer.get("/searches").status_code == 200
    assert waited == ["visitor_of"]


def test_the_menu_is_the_same_in_both_widths(viewer: PortalClient) -> None:
    narrow, wide = viewer.page("/sources").xpath("//header//nav")
    assert narrow.xpath(".//a/@href") == wide.xpath(".//a/@href")
    assert wide.xpath(".//a[@aria-current]/@href") == ["/sources"]
