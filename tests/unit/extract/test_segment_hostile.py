from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from blogforever.extract.segment import segment_page
from blogforever.model import Page, Post

SITE = "https://example.org"


def cut(body: str, lang: str = "en") -> list[Post]:
    return segment_page(Page(f"{SITE}/", f'<!doctype html><html lang="{lang}"><body>{body}</body></html>'.encode()))


PIECES = """<a href='/x-y/'>|</a>|<h2>|</h2>|<li>|<ul>|<table>|<td>|2013-13-45|0 May 0|0 August 17th|99/99/9999|\x00
|<time datetime='x'>|<time datetime='2011-02-30'>|<a href='http://[bad'>q</a>|<a href='/2012/00/99/z/'>t</a>|<template>
|<article>|</article>|月日年|<!--|<base href='::'>|<h3><a href='/p-1/'>one 2 May 2011</a></h3>|<p>|</p>|<br>"""
HOSTILE = st.lists(st.sampled_from(PIECES.replace("\n", "").split("|")), max_size=60)


@given(HOSTILE, st.sampled_from(["", "en", "zh-Hant-TW", "'", "xx"]))
@settings(max_examples=80, deadline=None)
def test_any_markup_gives_posts_with_distinct_addresses(parts: list[str], lang: str) -> None:
    posts = cut("".join(parts), lang)
    assert len({post.url for post in posts}) == len(posts)
    for post in posts:
        assert post.url.startswith(SITE)
        assert post.published is None or post.published.day


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_bytes_give_a_list(content: bytes) -> None:
    assert isinstance(segment_page(Page(SITE, content)), list)


def test_deep_and_wide_pages_are_cut_in_reasonable_time() -> None:
    deep = "<div>" * 50_000 + "<h2><a href='/a-post/'>A post</a></h2>"
    assert isinstance(cut(deep), list)
    wide = "".join(f'<li><a href="/post-{n}-x/">Post {n}</a> {n % 28 + 1} May 2012</li>' for n in range(5_000))
    assert len(cut(f"<ul>{wide}</ul>")) == 5_000
