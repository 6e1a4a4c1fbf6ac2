"""Is it the same post? By every sign, and never on a guess alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from blogforever.care.decisions import Apart
from blogforever.extract.content import content_of
from blogforever.pipeline.record import old_identity
from blogforever.records import FieldSource, PostRecord
from blogforever.update.identity import Identity
from blogforever.update.remembered import KnownPost
from server.somerecords import some_post

LONG = "lantern copper meadow thistle granite ferry orchard kettle compass lichen saddle ribbon quarry anchor " * 4


def record(**more: Any) -> PostRecord:
    return some_post(**{"url": "https://b.example/new/kettles/", "title": "Kettles", "text": LONG} | more)


KETTLES = KnownPost(
    "k", "https://b.example/2020/01/kettles/", ("https://b.example/?p=7",), "tag:7", "7", "Kettles", "2020-01-02",
    digest=content_of(record()).digest,
)  # fmt: skip
NOTE = KnownPost("n", "https://b.example/2020/02/note/", title="A note", published="2020-02-03", guid="tag:8")
POSTS = Identity([KETTLES, NOTE])


def sign(alike: bool = False, **more: Any) -> tuple[str, str] | None:
    proof = POSTS.proved(record(**more), lambda _post: alike)
    return (proof[0].id, proof[1]) if proof else None


def test_every_address_of_a_post_is_known() -> None:
    for url in ("http://www.b.example/2020/01/kettles", "https://b.example/?p=7"):
        assert POSTS.at(url) is KETTLES
    assert POSTS.at("https://b.example/new/kettles/") is None


def test_the_words_prove_it() -> None:
    assert sign(url="https://b.example/x/") == ("k", "content")


def test_a_number_alone_proves_nothing() -> None:
    other: dict[str, Any] = {
        "url": "https://b.example/x/",
        "title": "Cheap cruises",
        "text": "Buy now.",
        "native_id": "7",
    }
    assert sign(**other) is None
    assert sign(**(other | {"guid": "tag:7"})) is None


def test_a_number_with_title_address_or_words_does() -> None:
    edited: dict[str, Any] = {"text": "Quite another text.", "native_id": "7"}
    assert sign(**edited) == ("k", "native id")
    assert sign(**(edited | {"title": "Protected: Kettles"})) == ("k", "native id")
    assert sign(alike=True, **(edited | {"title": "Pots", "url": "https://b.example/pots/"})) == ("k", "native id")


def test_without_a_number_address_and_words_together_do() -> None:
    edited = {"text": LONG + "Later: they whistle."}
    assert sign(alike=True, **edited) == ("k", "words")
    assert sign(alike=False, **edited) is None


def test_a_post_with_another_name_is_known_by_its_date_and_its_words() -> None:
    renamed = {"title": "Pots", "url": "https://b.example/pots/", "published": "2020-01-02"}
    assert sign(alike=True, **renamed) == ("k", "words")
    assert sign(alike=False, **renamed) is None
    assert sign(alike=True, **(renamed | {"published": "2020-01-03"})) is None


@pytest.mark.parametrize(("published", "is_one"), [("2020-01-09", False), ("2020-01-03T01:00:00+09:00", True)])
def test_what_is_called_alike_and_of_other_days_is_a_series(published: str, is_one: bool) -> None:
    other = {"url": "https://b.example/kettles-2/", "text": LONG + "As every week.", "published": published}
    assert sign(alike=True, **other) == (("k", "words") if is_one else None)


def test_short_notes_of_the_same_words_are_two_posts() -> None:
    short = KnownPost("s", "https://b.example/hi/", title="Hi", published="2020-03-01",
                      digest=content_of(record(title="Hi", text="Hi.")).digest)  # fmt: skip
    posts = Identity([short])
    again = record(url="https://b.example/hi-again/", title="Hi", text="Hi.", published="2021-03-01")
    assert posts.proved(again, lambda _post: False) is None
    assert posts.proved(replace(again, published="2020-03-01T10:00:00"), lambda _post: False) is not None


def test_what_somebody_said_is_two_is_never_one() -> None:
    apart = Apart("2026-01-01", "b", "url", "https://b.example/2020/01/kettles/", "https://b.example/new/kettles/")
    posts = Identity([KETTLES, NOTE], apart.parts)
    assert posts.proved(record(guid="tag:7"), lambda _post: True) is None
    assert posts.hinted("http://www.b.example/new/kettles", "tag:7", None, moved_host=True) is None
    elsewhere = posts.proved(record(url="https://b.example/x/"), lambda _post: True)
    assert elsewhere
    assert elsewhere[0] is KETTLES


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ("2020-01-02", "2020-01-02T08:15:00+01:00"),
        ("2020-01", "2020-01-02T08:15:00+01:00"),
        ("2020-01-03", "2020-01-03"),
        ("2020-01-02T09:00:00+01:00", "2020-01-02T09:00:00+01:00"),
        (None, "2020-01-02T08:15:00+01:00"),
    ],
)
def test_the_hour_that_a_feed_once_told_stays_where_the_page_names_the_day(shown: str | None, kept: str) -> None:
    feed, rule = FieldSource("feed", "entry published", 0.95), FieldSource("rule", "//time", 0.9)
    told = "2020-01-02T08:15:00+01:00"
    old = replace(record(), published=told, published_precision="second", provenance={"published": feed})
    new = replace(record(), published=shown, published_precision="day", provenance={"published": rule})
    known = old_identity(old, new)
    assert known.published == kept
    is_finer = shown is not None and shown != kept
    assert known.provenance["published"] == (feed if is_finer else rule)
    assert (known.published_precision == "second") == is_finer
