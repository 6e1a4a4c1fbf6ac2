from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from blogforever.crawl import completeness
from blogforever.crawl.completeness import Announcement, Completeness, by_post
from blogforever.records import to_json
from blogforever.urls import url_key

ROOT = "https://blog.example/"


def told(name: str, *paths: str, whole: bool = True) -> Announcement:
    return Announcement(name, f"{ROOT}{name}", {url_key(ROOT + path): ROOT + path for path in paths}, whole=whole)


def reconcile(
    announcements: list[Announcement], captured: Iterable[str], why_not: Callable[[str], str], **more: Any
) -> Completeness:
    """With posts that have one address each."""
    return completeness.reconcile(announcements, by_post([url] for url in captured), why_not, **more)


def test_a_post_told_by_two_sources_counts_once_in_all_and_once_for_each() -> None:
    posts = [f"{ROOT}a/", f"{ROOT}b", f"{ROOT}c"]
    found = reconcile([told("feed", "a", "b"), told("sitemap", "a", "b", "c")], posts, str)
    assert [(s.announced, s.captured) for s in found.sources] == [(2, 2), (3, 3)]
    assert (found.announced, found.captured) == (3, 3)
    assert found.complete
    assert found.sentences()[-1].startswith("Complete")


def test_missing_has_reasons_and_what_is_no_post_is_set_aside() -> None:
    reasons = {ROOT + "a": "blocked by robots", ROOT + "b": "not a post", ROOT + "c": "status 404"}
    found = reconcile([told("feed", "a", "b", "c", "d")], [ROOT + "d"], reasons.__getitem__)
    assert found.missing == {ROOT + "a": "blocked by robots.txt", ROOT + "c": "status 404"}
    assert found.aside == {ROOT + "b": "not a post"}
    assert found.captured == 1
    assert not found.complete
    assert "Not complete: 2 announced posts missing." in found.sentences()


def test_what_feed_or_api_call_a_post_is_missing_where_its_page_was_taken_for_something_else() -> None:
    feed = Announcement("feed", ROOT, {url_key(ROOT + path): ROOT + path for path in "ab"}, only_posts=True)
    found = reconcile([feed, told("sitemap", "b", "c", "d")], [ROOT + "a", ROOT + "d"], lambda _: "not a post")
    assert found.missing == {ROOT + "b": "fetched, but not recognised as a post"}
    assert found.aside == {ROOT + "c": "not a post"}
    assert not found.complete
    assert [(s.announced, s.captured, s.aside) for s in found.sources] == [(2, 1, 0), (3, 1, 1)]
    assert found.sentences()[1] == "The sitemap announces 3 posts; 1 captured, 1 set aside."


def test_archive_pages_alone_make_nothing_complete() -> None:
    found = reconcile([told("archive pages", "a", whole=False)], [ROOT + "a"], str)
    assert found.sentences()[-1].startswith("No feed, API or sitemap announces posts")
    assert not found.complete
    assert reconcile([told("feed", "a"), told("archive pages", "a", whole=False)], [ROOT + "a"], str).complete


def test_the_last_entries_of_a_feed_make_nothing_complete() -> None:
    found = reconcile([told("feed", "a", "b", whole=False)], [ROOT + "a", ROOT + "b"], str)
    assert not found.complete
    assert "nothing lists all posts" in found.sentences()[-1]


def test_a_list_that_lacks_a_post_that_was_found_lists_not_everything() -> None:
    feed, sitemap = told("feed", "a", whole=False), told("sitemap", "b", "c")
    assert not reconcile([feed, sitemap], [ROOT + path for path in "abc"], str).complete
    assert reconcile([feed, told("sitemap", *"abc")], [ROOT + path for path in "abc"], str).complete


def test_feed_and_its_older_pages_are_one_list() -> None:
    feed, older = told("feed", "a", "b"), told("older feed pages", "c")
    assert reconcile([feed, older], [ROOT + path for path in "abc"], str).complete


def test_a_feed_that_goes_on_from_when_everything_was_there_leaves_no_gap() -> None:
    feed = replace(told("feed", "b", "c", whole=False), goes_on=True)
    assert reconcile([feed], [ROOT + path for path in "abc"], str).complete


def test_posts_are_counted_and_not_their_addresses() -> None:
    captured = by_post([[ROOT + "a", ROOT + "?p=1"], [ROOT + "b", ROOT + "?p=2"]])
    sitemap = told("sitemap", "a", "?p=1", "b", "?p=2", "c")
    found = completeness.reconcile([told("feed", "?p=2"), sitemap], captured, lambda _: "status 404")
    assert [(s.announced, s.captured) for s in found.sources] == [(1, 1), (3, 2)]
    assert (found.announced, found.captured, len(found.missing)) == (3, 2, 1)


def test_what_was_set_aside_is_named_with_its_reason() -> None:
    found = reconcile([told("sitemap", *"abcde")], [ROOT + "a"], lambda _: "not a post")
    assert f"4 announced addresses set aside (not a post): {ROOT}b, {ROOT}c, {ROOT}d ..." in found.sentences()


def test_nothing_announced_a_broken_source_or_a_stop_is_not_complete() -> None:
    assert not reconcile([], [ROOT], str).complete
    everything = [told("feed", "a")], [ROOT + "a"], str
    assert reconcile(*everything).complete
    assert not reconcile(*everything, bounds=["the feed broke off"]).complete
    assert not reconcile(*everything, stopped="the limit of 5 pages").complete


def test_certificates_that_are_not_valid_are_told_and_many_of_them_in_few_words() -> None:
    whole = replace(reconcile([], [], str), distrusted={f"{n}.example": "expired" for n in range(5)})
    told = [line for line in whole.sentences() if "certificate" in line or "So it is" in line]
    assert [line.partition(":")[0] for line in told[:3]] == [
        f"The certificate of {n}.example is not valid (expired)" for n in range(3)
    ]
    assert told[3:] == ["So it is with 2 other hosts."]
    assert len(to_json(whole.record())["certificates"]) == 5


@given(st.lists(st.sets(st.sampled_from("abcdefgh"))), st.sets(st.sampled_from("abcdefgh")))
def test_announced_is_captured_plus_missing_plus_aside(sources: list[set[str]], have: set[str]) -> None:
    announcements = [told(str(n), *paths) for n, paths in enumerate(sources)]
    found = reconcile(announcements, [ROOT + path for path in have], lambda _: "gone")
    assert found.announced == len(set().union(*sources))
    assert found.captured == len(set().union(*sources) & have)
    assert found.complete == (bool(have) and set().union(*sources) <= have and have in sources)


def test_mostly_empty_posts_are_not_complete_and_a_few_are_only_told() -> None:
    whole = reconcile([told("feed", "a")], [ROOT + "a"], str)
    few, most = replace(whole, posts=79, bare=1), replace(whole, posts=79, bare=74)
    assert few.complete
    assert "1 of 79 posts has neither a text nor a picture that could be read." in few.sentences()
    assert not most.complete
    assert most.sentences()[-1].startswith("Not complete: 74 of 79 posts have neither a text nor a picture")
    assert most.record().without_text == 74
