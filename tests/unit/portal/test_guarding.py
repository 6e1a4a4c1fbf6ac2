"""Strangers at the door: forms of other sites, names that lead here by a trick, tries without end, paths elsewhere."""

from __future__ import annotations

import pytest

from blogforever.portal.page import own_path
from blogforever.portal.visitors import key_of, session_cookie
from blogforever.service.hosts import OwnNames
from blogforever.service.standing import MOST_LOG_INS
from server.samplearchive import PASSWORD
from server.visitor import HOME, PortalClient, words

OURS = {"Origin": HOME}


def test_what_writes_needs_the_token_of_ones_own_session(viewer: PortalClient, curator: PortalClient) -> None:
    for fields in ({}, {"form_token": "x"}, {"form_token": curator.form_token}):
        answer = viewer.post("/view", data={"theme": "dark", **fields}, headers=OURS)
        assert answer.status_code == 403
        assert "load the page again" in answer.text
    assert viewer.post("/view", content=b"theme=dark", headers=OURS).status_code == 403
    assert viewer.submit("/view", theme="dark").status_code == 303
    headers = OURS | {"X-Form-Token": viewer.form_token}
    assert viewer.post("/view", data={"theme": "dark"}, headers=headers).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:8151"}]
    + [{"Sec-Fetch-Site": word} for word in ("cross-site", "same-site")],
    ids=str,
)
def test_what_another_origin_sends_is_refused_even_with_a_token(viewer: PortalClient, headers: dict[str, str]) -> None:
    answer = viewer.post("/view", data={"form_token": viewer.form_token}, headers=headers)
    assert answer.status_code == 403


def test_a_name_that_somebody_made_lead_here_is_not_answered(viewer: PortalClient, first_visitor: PortalClient) -> None:
    for client in (viewer, first_visitor):
        answer = client.get("/", headers={"Host": "evil.example:8150"})
        assert answer.status_code == 421
        assert "--public-url" in answer.text


def test_which_names_are_our_own() -> None:
    names = OwnNames("0.0.0.0", "https://blogs.example.org/portal")
    known = ("localhost", "127.0.0.1", "::1", "blogs.example.org", "192.0.2.7")
    assert [names.knows(name) for name in known] == [True] * 5
    assert not names.knows("evil.example")
    assert not OwnNames().knows("192.0.2.7")
    assert (OwnNames().is_only_here, names.is_only_here) == (True, False)
    assert not OwnNames(public_url="https://blogs.example.org").is_only_here


def test_a_secret_that_somebody_put_into_the_browser_opens_nothing_after_the_log_in(stranger: PortalClient) -> None:
    cookie = session_cookie(key_of(stranger.standing))
    stranger.cookies.set(cookie, "known-to-another")
    answer = stranger.submit("/login", name="admin", password=PASSWORD)
    made = answer.headers["set-cookie"]
    assert "known-to-another" not in made
    assert all(word in made for word in ("HttpOnly", "SameSite=lax"))
    other = PortalClient(stranger.app, stranger.standing, "")
    other.cookies.set(cookie, "known-to-another")
    assert other.get("/").status_code == 303


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/a\r\nb: c",
    ],
)
def test_the_log_in_leads_nowhere_else(stranger: PortalClient, elsewhere: str) -> None:
    assert own_path(elsewhere) == "/"
    answer = stranger.submit("/login", name="viewer", password=PASSWORD, next=elsewhere)
    assert answer.headers["location"] == "/"


def test_after_too_many_tries_even_the_right_password_waits(stranger: PortalClient) -> None:
    statuses = [
        stranger.submit("/login", name="viewer", password="wrong word").status_code for _ in range(MOST_LOG_INS)
    ]
    assert statuses == [401] * MOST_LOG_INS
    late = stranger.submit("/login", name="viewer", password=PASSWORD)
    assert late.status_code == 429
    assert "Too many tries" in late.text
    assert [deed.what for deed in stranger.standing.archive.store.audit.newest(2)] == ["log-in refused"] * 2


def test_who_logs_out_everywhere_is_out_in_every_browser(viewer: PortalClient) -> None:
    elsewhere = PortalClient(viewer.app, viewer.standing, "viewer")
    assert elsewhere.get("/").status_code == 200
    assert viewer.submit("/logout", everywhere="yes").headers["location"] == "/login"
    assert [client.get("/").status_code for client in (viewer, elsewhere)] == [303, 303]


def test_what_is_said_after_a_form_is_only_what_we_said(viewer: PortalClient) -> None:
    viewer.cookies.set("blogforever_said", "0" * 64 + ".Your%20account%20is%20locked")
    assert "locked" not in words(viewer.page("/"))


def test_an_error_is_a_page_for_people_and_a_problem_for_programs(viewer: PortalClient) -> None:
    page = viewer.page("/no-such-page", 404)
    assert words(page.xpath("//main")[0]).startswith("There is nothing here")
    answer = viewer.get("/no-such-page", headers={"Accept": "*/*"})
    assert answer.headers["content-type"] == "application/problem+json"
    assert viewer.get("/api/v1/nothing").headers["content-type"] == "application/problem+json"
