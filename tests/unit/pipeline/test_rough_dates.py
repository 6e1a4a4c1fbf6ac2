"""Dates without a day, as "2 years ago" gives them, are made exact by the blog's lists."""

from __future__ import annotations

import pytest
from msgspec import structs

from blogforever.learn.postpages import Evidence
from blogforever.model import Moment, Page, Rules
from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.learning import SeenPage
from blogforever.pipeline.listdates import (
    ListedDate,
    dates_by_lists,
    day_of_all,
    with_list_date,
    without_day_of_all,
)
from blogforever.pipeline.record import BY_LISTS, with_told
from blogforever.protocols import Ref
from blogforever.records import FieldSource, PostRecord
from blogforever.urls import url_key

LISTED = ListedDate(Moment("2019-03-04", "day", "4 March 2019"), 0.85)


def record(published: str | None) -> PostRecord:
    way = {"published": FieldSource("rule", "//time", 0.9)} if published else {}
    precision = {4: "year", 7: "month", 10: "day"}.get(len(published or ""))
    return PostRecord(
        id="p",
        blog="b",
        url="https://ferry.example/a",
        published=published,
        published_precision=precision,
        provenance=way,
    )


@pytest.mark.parametrize("rough", [None, "2019", "2018", "2019-03", "2019-02"])
def test_lists_make_a_rough_date_exact(rough: str | None) -> None:
    dated = with_list_date(record(rough), LISTED)
    assert (dated.published, dated.published_precision) == ("2019-03-04", "day")
    assert dated.provenance["published"].rule == BY_LISTS


@pytest.mark.parametrize("own", ["2016", "2019-06", "2019-03-06", "2019-03-06T08:00"])
def test_lists_do_not_contradict_what_a_page_says(own: str) -> None:
    assert with_list_date(record(own), LISTED) == record(own)


def test_a_date_once_made_exact_stays_so() -> None:
    exact = with_list_date(record("2019"), LISTED)
    again = with_told(record("2019"), exact)
    assert (again.published, again.published_precision) == ("2019-03-04", "day")
    assert with_told(record("2016"), exact).published == "2016"


def test_a_list_that_came_before_posts_were_known_dates_them_all_the_same() -> None:
    url = "https://ferry.example/"
    days = range(1, 9)
    rows = "".join(f"<li><span>2019-03-0{n}</span> <a href='/p/tide-{n}'>The tide of day {n}</a></li>" for n in days)
    archive = Page(f"{url}archive", f"<html><body><ul>{rows}</ul></body></html>".encode())
    seen = {url_key(archive.url): SeenPage(Evidence(archive.url), Ref("a.warc.gz", 0))}
    posts = [HarvestedPost(f"{url}p/tide-{n}", ()) for n in days]
    dated = dates_by_lists(posts, seen, lambda _ref: archive, None)
    assert sorted(listed.moment.iso for listed in dated.values()) == [f"2019-03-0{n}" for n in days]


def test_the_last_page_of_a_list_dates_the_one_post_that_it_shows() -> None:
    url = "https://ferry.example/"
    first, last = (_list_page(f"{url}{name}", days) for name, days in (("", range(2, 9)), ("page/2/", range(1, 2))))
    lists = {Ref("a.warc.gz", n): page for n, page in enumerate((first, last))}
    links = {first.url: 7, last.url: 1}
    seen = {
        url_key(page.url): SeenPage(Evidence(page.url, post_links=links[page.url]), ref) for ref, page in lists.items()
    }
    posts = [HarvestedPost(f"{url}p/tide-{n}", ()) for n in range(1, 9)]
    dated = dates_by_lists(posts, seen, lists.__getitem__, None)
    assert dated[f"{url}p/tide-1"].moment.iso == "2019-03-01"


def test_a_day_that_all_pages_show_is_that_of_no_post_where_the_feed_knows_others() -> None:
    url = "https://ferry.example/"
    posts = [HarvestedPost(f"{url}p/tide-{n}", ()) for n in range(1, 9)]
    seen = {
        url_key(post.url): SeenPage(Evidence(post.url, published="2024-05-06", date_by="generic"), None)
        for post in posts
    }
    seen[url_key(posts[0].url)].evidence.published = "2019-03-01"
    seen[url_key(posts[0].url)].evidence.date_by = "feed"
    rules = Rules("b")
    assert day_of_all(posts, seen, rules) == "2024-05-06"
    archive = _list_page(url, range(1, 9))
    seen[url_key(url)] = SeenPage(Evidence(url, post_links=8), Ref("a.warc.gz", 0))
    dated = dates_by_lists(posts, seen, lambda _ref: archive, rules, "2024-05-06")
    assert dated[posts[4].url].moment.iso == "2019-03-05"


def test_a_day_of_all_posts_is_theirs_where_nothing_says_otherwise() -> None:
    posts = [HarvestedPost(f"https://ferry.example/p/tide-{n}", ()) for n in range(1, 9)]
    seen = {
        url_key(post.url): SeenPage(Evidence(post.url, published="2024-05-06", date_by="generic"), None)
        for post in posts
    }
    assert not day_of_all(posts, seen, Rules("b"))


def test_only_a_guess_is_taken_back() -> None:
    way = {"published": FieldSource("generic", "text near the heading", 0.9)}
    guessed = structs.replace(record("2024-05-06"), provenance=way)
    undated = without_day_of_all(guessed, "2024-05-06")
    assert (undated.published, undated.published_precision, undated.provenance) == (None, None, {})
    assert without_day_of_all(guessed, "") == guessed
    assert without_day_of_all(guessed, "2024-05-07") == guessed
    assert without_day_of_all(record("2024-05-06"), "2024-05-06") == record("2024-05-06")


def _list_page(url: str, days: range) -> Page:
    entries = "".join(
        f"<article><p class='day'>{n} March 2019</p><h2><a href='/p/tide-{n}'>The tide of day {n}</a></h2>"
        f"<p>The water stood {n} hands below the edge of the quay, and the boats lay on their sides.</p></article>"
        for n in days
    )
    return Page(url, f"<html><body><div id='notes'>{entries}</div></body></html>".encode())
