"""An update that ends with the announcements, or goes on with their answers; told from values."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from blogforever.model import Page
from blogforever.protocols import Answer, Ask, Ref
from blogforever.update.unchanged import AnnouncementsFirst

FEED, SITEMAP = Ask("https://b.example/feed", "feed"), Ask("https://b.example/sitemap.xml", "sitemap")
API = Ask("https://b.example/wp-json/wp/v2/posts?modified_after=2024", "api")
SAID = {FEED.url: "f1", SITEMAP.url: "s1"}
POST = Ask("https://b.example/post/", "entry")


class WholeUpdate:
    """Asks for the announcements and for one post; keeps what it was handed."""

    def __init__(self) -> None:
        self.handled: list[str] = []
        self.idles = 0

    def start(self) -> Iterable[Ask]:
        return [FEED, SITEMAP]

    def handle(self, answer: Answer) -> Iterable[Ask]:
        self.handled.append(answer.ask.url)
        return [POST] if answer.ask == FEED else []

    def idle(self) -> Iterable[Ask]:
        self.idles += 1
        return []


def answered(ask: Ask, digest: str, body: bytes = b"", status: int = 200) -> Answer:
    return Answer(ask, status, Page(ask.url, body), ref=Ref("f", 0, digest=digest))


def run(*answers: Answer) -> tuple[AnnouncementsFirst, WholeUpdate, list[Ask]]:
    whole = WholeUpdate()
    first = AnnouncementsFirst([answer.ask for answer in answers], SAID, lambda: whole)
    assert list(first.start()) == [answer.ask for answer in answers]
    for answer in answers:
        assert list(first.handle(answer)) == []
    return first, whole, list(first.idle())


def test_the_same_digests_end_it() -> None:
    first, whole, asks = run(answered(FEED, "f1"), answered(SITEMAP, "s1"))
    assert (asks, whole.handled, first.unchanged, first.answered) == ([], [], True, 2)


def test_another_one_hands_all_answers_to_the_whole_update_which_asks_only_for_more() -> None:
    first, whole, asks = run(answered(FEED, "f1"), answered(SITEMAP, "s2"))
    assert whole.handled == [FEED.url, SITEMAP.url]
    assert asks == [POST]
    assert list(first.handle(answered(POST, "p1"))) == []
    assert whole.handled[-1] == POST.url
    first.idle()
    assert whole.idles == 1


@pytest.mark.parametrize(
    "answer",
    [answered(FEED, "f1", status=301), Answer(FEED, 0), answered(FEED, ""), answered(Ask("https://b.example/"), "f1")],
)
def test_what_did_not_come_or_cannot_be_compared_is_not_the_same(answer: Answer) -> None:
    assert not run(answer)[0].unchanged


def test_a_step_of_the_whole_update_follows_where_the_answers_lead_to_nothing() -> None:
    whole = WholeUpdate()
    first = AnnouncementsFirst([FEED, SITEMAP], SAID, lambda: whole)
    first.handle(answered(SITEMAP, "s2"))
    assert list(first.idle()) == []
    assert whole.idles == 1


def test_an_api_that_tells_of_no_change_says_the_same() -> None:
    assert run(answered(API, "a1", b"[]"))[0].unchanged
    changed = (
        b'[{"id": 1, "link": "https://b.example/post/", "title": {"rendered": "A"}, "date_gmt": "2024-01-01T00:00:00"}]'
    )
    assert not run(answered(API, "a1", changed))[0].unchanged
    assert not run(answered(API, "a1", b"<html>busy</html>"))[0].unchanged
