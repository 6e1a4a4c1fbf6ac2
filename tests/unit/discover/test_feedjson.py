from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from blogforever.discover.feed import parse_feed
from blogforever.errors import FeedError

URL = "https://example.org/feed.json"


def test_json_feed() -> None:
    data = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Harbour",
        "home_page_url": "https://example.org/",
        "next_url": "/feed.json?page=2",
        "language": "en",
        "authors": [{"name": "Ann", "url": "https://example.org/ann"}],
        "items": [
            {
                "id": 12,
                "url": "/one",
                "title": "One",
                "content_html": "<p>x</p>",
                "summary": "a < b",
                "date_published": "2020-01-02T03:04:05+02:00",
                "date_modified": "2020-01-03T03:04:05Z",
                "tags": ["t", 5],
                "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 3}],
            },
            {
                "id": "https://example.org/two",
                "content_text": "a < b",
                "author": {"name": "Bob"},
                "external_url": "https://example.net/",
            },
            {"title": "no address"},
            "garbage",
        ],
    }
    feed = parse_feed(b"\xef\xbb\xbf" + json.dumps(data).encode(), URL)
    one, two = feed.entries
    assert (feed.kind, feed.version, feed.title, feed.link) == ("json", "1.1", "Harbour", "https://example.org/")
    assert feed.next_url == "https://example.org/feed.json?page=2"
    assert feed.problems == ()
    assert (one.url, one.guid, one.title, one.html, one.summary_html) == (
        "https://example.org/one",
        "12",
        "One",
        "<p>x</p>",
        "a &lt; b",
    )
    assert one.published
    assert one.published.iso == "2020-01-02T03:04:05+02:00"
    assert one.tags == ("t",)
    assert one.enclosures[0].length == 3
    assert [author.name for author in one.authors] == ["Ann"]
    assert (two.url, two.html, two.extra["link"]) == ("https://example.org/two", "a &lt; b", "https://example.net/")
    assert [author.name for author in two.authors] == ["Bob"]


def test_one_author_under_the_name_of_several() -> None:
    items = [{"id": "1", "url": "/1", "authors": {"name": "Ann"}}]
    (entry,) = parse_feed(json.dumps({"authors": {"name": "Bob"}, "items": items}).encode(), URL).entries
    assert [author.name for author in entry.authors] == ["Ann"]


def test_an_item_without_a_page_goes_by_its_file_or_its_id() -> None:
    items = [{"id": "n1", "content_text": "A note"}, {"id": "n2", "attachments": [{"url": "/talk.mp3"}]}]
    feed = parse_feed(json.dumps({"items": items}).encode(), URL)
    assert [entry.url for entry in feed.entries] == ["n1", "https://example.org/talk.mp3"]
    assert parse_feed(json.dumps({"items": [*items, {"content_text": "No name"}]}).encode(), URL).pageless == 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["url", "id", "authors", "name", "tags", "attachments", "title", "date_published"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=3), VALUES, VALUES)
def test_any_values(items: list[object], authors: object, title: object) -> None:
    content = json.dumps(
        {"items": items, "authors": authors, "title": title, "hubs": authors, "home_page_url": title}
    ).encode()
    try:
        parse_feed(content, URL)
    except FeedError as error:
        raise AssertionError from error
