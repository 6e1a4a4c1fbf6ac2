"""What is too old for --since, told from values."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from blogforever.model import Entry, Feed, Moment, Page
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.since import Since
from blogforever.protocols import Ask

DAY = datetime(2024, 5, 10, tzinfo=UTC)
ROOT = "https://blog.example"
API = f"{ROOT}/wp-json/wp/v2/posts?per_page=100&page=1"


@pytest.mark.parametrize(
    ("address", "dates", "older"),
    [
        ("/a/", (), False),
        ("/a/", ("2024-05-09",), True),
        ("/a/", ("2024-05-10",), False),
        ("/a/", ("2020-01-01", "2024-06-01T10:00:00Z"), False),
        ("/2024/05/09/a/", (), True),
        ("/2024/05/10/a/", (), False),
        ("/2024/05/a/", (), False),
        ("/2024/04/a/", (), True),
        ("/2023/12/a/", (), True),
        ("/2024/04/a/", ("2024-06-01",), False),
        ("/a/", ("nonsense",), False),
    ],
)
def test_an_address_is_older_when_all_that_is_known_of_it_says_so(
    address: str, dates: tuple[str, ...], older: bool
) -> None:
    since = Since(DAY)
    since.note(ROOT + address, *dates)
    assert since.is_older(ROOT + address) is older
    assert not Since().is_older(ROOT + address)


def entry(number: int, day: str) -> Entry:
    return Entry(f"{ROOT}/tale-{number}/", published=Moment(day, "day"))


@pytest.mark.parametrize(("day", "goes_on"), [("2024-05-20", True), ("2024-05-01", False)])
def test_a_feed_is_left_where_everything_on_a_page_is_older(day: str, goes_on: bool) -> None:
    offers = Offers(since=Since(DAY))
    feed = Feed(f"{ROOT}/feed", "atom", entries=(entry(1, day), entry(2, "2024-05-01")), next_url=f"{ROOT}/feed?page=2")
    offers.feeds.append(feed)
    offers.choose(ROOT)
    assert bool(offers.older(feed)) is goes_on


def api_page(url: str, pages: int) -> Page:
    items = [{"id": 7, "link": f"{ROOT}/tale-7/", "date": "2024-05-20T08:00:00", "title": {"rendered": "Seven"}}]
    headers = {"content-type": "application/json", "x-wp-total": "900", "x-wp-totalpages": str(pages)}
    return Page(url, json.dumps(items).encode(), headers)


def read_api(offers: Offers, page: Page) -> list[Ask]:
    return offers.read(page, Ask(page.url, "api"))


def test_an_api_is_asked_only_for_what_was_changed_since() -> None:
    offers = Offers(since=Since(DAY))
    (changed,) = read_api(offers, api_page(API, 9))
    assert "modified_after=2024-05-10" in changed.url
    more = read_api(offers, api_page(changed.url, 3))
    assert [("modified_after" in ask.url, f"page={n}" in ask.url) for n, ask in enumerate(more, 2)] == [
        (True, True)
    ] * 2
    assert offers.tells_history()
    assert len(read_api(Offers(), api_page(API, 9))) == 8
