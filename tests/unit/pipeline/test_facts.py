"""Facts beside the text: compared where the same way led to them, and where they do not depend on the day."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blogforever.model import Author, Entry, Moment, Post, Provenance
from blogforever.pipeline.entries import entry_digest, says_anew
from blogforever.update.facts import changed_in_feed, changed_on_page, in_words
from server.somerecords import some_post

URL = "https://b.example/kettles/"


def post(by: Any = "rule", rule: str = "//p", **values: Any) -> Post:
    return Post(URL, **values, provenance={name: Provenance(by, rule, 0.9) for name in values})


def on(iso: str, raw: str = "") -> Post:
    return post(published=Moment(iso, "day" if len(iso) == 10 else "second", raw))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        (post(tags=("a", "b")), post(tags=("B", "A")), []),
        (post(tags=("a", "b")), post(tags=("a", "c")), ["tags"]),
        (post(tags=("a",)), post(), ["tags"]),
        (post(), post(categories=("a",)), ["categories"]),
        (post(tags=("a",)), post(rule="//ul", tags=("c",)), []),
        (post("generic", tags=("a",)), post("generic", tags=("c",)), []),
        (post(authors=(Author("Ann"),)), post(authors=(Author("Bea"), Author("Ann"))), ["authors"]),
        (post(authors=(Author("Ann"),)), post(), []),
        (on("2024-05-06"), on("2024-05-07"), ["published"]),
        (on("2024-05-06T10:00:00+02:00"), on("2024-05-06T08:00:00+00:00"), []),
        (on("2024-05-06", "2 days ago"), on("2024-05-07", "2 days ago"), []),
        (on("2024-05-06", "6 May"), on("2025-05-06", "6 May"), []),
        (on("2024-05-06", "6 May 2024"), on("2024-05-08", "8 May 2024"), ["published"]),
    ],
)
def test_what_changed_on_a_page(old: Post, new: Post, changed: list[str]) -> None:
    assert changed_on_page(old, new) == changed


def test_what_the_feed_alone_tells() -> None:
    told = {"by": "feed", "rule": "entry", "confidence": 0.9}
    ways = {"title": told, "tags": told, "authors": told | {"by": "rule"}}
    old = some_post(title="One", tags=["a"], authors=[{"name": "Ann"}], provenance=ways)
    new = some_post(title="Two", tags=["b"], authors=[{"name": "Bea"}], provenance=ways)
    assert changed_in_feed(old, new) == ["title", "tags"]
    assert in_words(["published", "tags"]) == "its date and tags changed"


def test_an_entry_says_something_else_where_its_words_or_its_facts_differ() -> None:
    entry = Entry(URL, title="One", html="<p>Words</p>", tags=("a",), authors=(Author("Ann"),))
    kept = entry_digest(entry)
    assert not says_anew(replace(entry, comment_count=7), kept)
    for more in ({"title": "Two"}, {"tags": ("b",)}, {"authors": ()}, {"published": Moment("2024-05-06", "day")}):
        assert says_anew(replace(entry, **more), kept)


def test_what_a_former_version_wrote_down_is_compared_by_words_alone() -> None:
    entry = Entry(URL, title="One", html="<p>Words</p>", tags=("a",))
    kept = entry_digest(entry).partition("-")[0]
    assert not says_anew(replace(entry, tags=("b",)), kept)
    assert says_anew(replace(entry, title="Two"), kept)
