"""A page, its further pages and its comments become one record, by whatever stages are handed in."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from blogforever.model import Comment, Entry, Page, Post, Rules
from blogforever.pipeline.gathering import Extra, Gathered
from blogforever.pipeline.reading import Reading, StageFailed, read_page
from blogforever.protocols import Ref

URL = "https://b.example/p/"
SECOND = f"{URL}2/"
WORDS = "The first page tells at length how the ferry was built, by whom, of which wood, and for how much."
MORE = "The second page goes on with other things entirely: lanterns, ropes, otters and the price of tar in May."


def extract(page: Page, _rules: Rules | None, entry: Entry | None) -> Post:
    """The page's bytes are the text; one that says nothing cannot be read."""
    if not page.content:
        raise StageFailed
    text = page.content.decode()
    return Post(page.url, title=entry.title if entry else "Ferry", text=text, html=f"<p>{text}</p>")


def comments(
    _page: Page, _post: Post, _rules: Rules | None, others: Iterable[tuple[Extra, Page]]
) -> Gathered | tuple[Comment, ...]:
    return tuple(Comment(extra.kind, text=extra.url) for extra, _page in others)


def part(content: str) -> tuple[Extra, Page]:
    return Extra("part", SECOND, Ref("", 0)), Page(SECOND, content.encode())


def test_a_page_alone_is_read_with_its_entry() -> None:
    done = read_page(Page(URL, WORDS.encode()), Reading(None, extract, None), Entry(URL, title="Told by the feed"))
    assert (done.record.title, done.record.text, done.record.url) == ("Told by the feed", WORDS, URL)
    assert (list(done.parts), done.found, done.record.comments) == ([], None, ())


def test_a_further_page_goes_into_the_post_and_its_comments_with_it() -> None:
    done = read_page(Page(URL, WORDS.encode()), Reading(None, extract, comments), None, [part(MORE)], "blog")
    assert done.record.text == f"{WORDS}\n\n{MORE}"
    assert [extra.url for extra, _page in done.parts] == [SECOND]
    assert [comment.text for comment in done.record.comments] == [SECOND]
    assert done.record.blog == "blog"


def test_a_page_that_says_the_same_again_is_no_further_page() -> None:
    feed = Extra("feed", f"{URL}feed", Ref("", 0)), Page(f"{URL}feed", b"x")
    done = read_page(Page(URL, WORDS.encode()), Reading(None, extract, comments), None, [part(WORDS), feed])
    assert done.record.text == WORDS
    assert list(done.parts) == []
    assert [comment.text for comment in done.record.comments] == [f"{URL}feed"]


def test_a_further_page_that_cannot_be_read_is_left_out_by_a_crawl_only() -> None:
    page = Page(URL, WORDS.encode())
    crawling = Reading(None, extract, None, parts_may_fail=True)
    assert read_page(page, crawling, None, [part("")]).record.text == WORDS
    with pytest.raises(StageFailed):
        read_page(page, Reading(None, extract, None), None, [part("")])
    with pytest.raises(StageFailed):
        read_page(Page(URL, b""), crawling)
