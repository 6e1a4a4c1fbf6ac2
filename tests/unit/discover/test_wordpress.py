from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from blogforever.discover.wordpress import api_addresses, list_url, page_url, parse_posts
from blogforever.model import Page

ROOT = "https://blog.example/"
POST = {
    "id": 7,
    "date": "2015-03-04T10:00:00",
    "link": f"{ROOT}2015/03/tea/",
    "title": {"rendered": "Tea &#038; cake"},
    "content": {"rendered": "<p>Hot.</p>"},
    "_embedded": {"author": [{"name": "Ida Moor"}], "wp:term": [[{"name": "food"}], [{"name": "tea"}]]},
}


def home(head: str = "", **headers: str) -> Page:
    return Page(ROOT, f"<html><head>{head}</head></html>".encode(), headers)


def test_the_api_is_where_the_page_or_its_header_says() -> None:
    said = home('<link rel="https://api.w.org/" href="/wp-json/">')
    assert api_addresses(said, ROOT)[0].startswith(f"{ROOT}wp-json/wp/v2/posts?per_page=100&page=1&")
    header = home(link=f'<{ROOT}?rest_route=/>; rel="https://api.w.org/"')
    assert api_addresses(header, ROOT)[0].startswith(f"{ROOT}?rest_route=/wp/v2/posts&per_page=100&page=1")


def test_wordpress_that_says_nothing_is_tried_and_others_are_left_alone() -> None:
    silent = home('<script src="/wp-includes/js/x.js"></script>')
    roots = [url.partition("wp/v2")[0] for url in api_addresses(silent, ROOT)]
    assert roots == [f"{ROOT}wp-json/", f"{ROOT}?rest_route=/"]
    assert api_addresses(home(), ROOT) == []
    elsewhere = home('<link rel="https://api.w.org/" href="https://else.example/wp-json/">')
    assert not any("else.example" in url for url in api_addresses(elsewhere, ROOT))


def test_only_the_number_of_the_page_changes() -> None:
    first = list_url(f"{ROOT}wp-json/")
    assert page_url(first, 12) == first.replace("&page=1&", "&page=12&")
    assert "per_page=100" in page_url(first, 12)


def test_posts_become_entries() -> None:
    counts = {"x-wp-total": "205", "x-wp-totalpages": "3"}
    found = parse_posts(Page(list_url(ROOT), json.dumps([POST]).encode(), counts))
    assert found
    entry = found.entries[0]
    assert (entry.url, entry.title, entry.html) == (POST["link"], "Tea & cake", "<p>Hot.</p>")
    assert [author.name for author in entry.authors] == ["Ida Moor"]
    assert entry.tags == ("food", "tea")
    assert entry.extra["native_id"] == "7"
    assert entry.published
    assert entry.published.iso == "2015-03-04T10:00:00"
    assert (found.posts, found.pages) == (205, 3)


def test_what_is_no_list_of_posts_is_none() -> None:
    for body in (b'{"code": "rest_no_route"}', b"<html>", b'[{"a": 1}]', b"[" * 5000):
        assert parse_posts(Page(ROOT, body)) is None
    assert parse_posts(Page(ROOT, b"[]")) is not None


KEYS = st.sampled_from(sorted(POST))
ANY = st.recursive(st.none() | st.text() | st.integers(), lambda c: st.lists(c) | st.dictionaries(KEYS, c))


@given(ANY)
def test_any_json_is_survived(data: object) -> None:
    parse_posts(Page(ROOT, json.dumps([data]).encode()))
