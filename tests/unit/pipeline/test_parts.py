from __future__ import annotations

import pytest

from blogforever.model import Link, Post
from blogforever.pipeline.parts import Parts, continues, joined
from blogforever.urls import part_of, url_key

ROOT = "https://blog.example/"


@pytest.mark.parametrize(
    ("path", "first", "number"),
    [
        ("2013/long-post/2/", "2013/long-post/", 2),
        ("longpost/3", "longpost/", 3),
        ("long-post/page/2/", "long-post/", 2),
        ("long-post/page-12", "long-post/", 12),
        ("story.html?page=2", "story.html", 2),
        ("?p=12&page=2", "?p=12", 2),
        ("story?a=b&pg=4", "story?a=b", 4),
    ],
)
def test_addresses_of_further_pages(path: str, first: str, number: int) -> None:
    assert part_of(ROOT + path) == (ROOT + first, number)


@pytest.mark.parametrize(
    "path",
    ["2013/03/04/", "2013/12/", "long-post/", "long-post/1/", "?page=2", "long-post/2013/", "a-2/", "x?page=x"],
)
def test_addresses_that_are_no_further_pages(path: str) -> None:
    assert part_of(ROOT + path) is None


def test_pages_are_found_from_the_first_and_from_each_other_and_stand_in_order() -> None:
    parts = Parts()
    parts.note(f"{ROOT}long/", [f"{ROOT}long/2/", f"{ROOT}other/2/", f"{ROOT}long/10/"])
    parts.note(f"{ROOT}long/2/", [f"{ROOT}long/3/", f"{ROOT}long/"])
    parts.note(ROOT, [f"{ROOT}page/2/"])
    assert parts.places() == {url_key(f"{ROOT}long/"): [f"{ROOT}long/{n}/" for n in (2, 3, 10)]}


def test_a_page_goes_on_under_the_same_title_with_a_text_of_its_own() -> None:
    first = Post(ROOT, title="A long way", text="one")
    assert continues(first, Post(ROOT, title="A long way", text="two"), ["one"])
    assert continues(first, Post(ROOT, title="A long way - Page 2 of 3", text="two"), ["one"])
    assert not continues(first, Post(ROOT, title="A long way", text="one"), ["one"]), "the server ignores the number"
    assert not continues(first, Post(ROOT, title="Another way", text="two"), ["one"]), "a post of its own"
    assert not continues(first, Post(ROOT, title="A long way"), ["one"])
    assert not continues(Post(ROOT, text="one"), Post(ROOT, text="two"), ["one"])


def test_joined_pages_lead_on_to_the_next_post_and_not_to_themselves() -> None:
    url = f"{ROOT}long/"
    inner, outer = Link(f"{url}2/"), Link("https://else.example/")
    first = Post(url, title="t", text="a", html="<p>a</p>", links=(inner,), next_url=f"{url}2/")
    second = Post(f"{url}2/", title="t", text="b", html="<p>b</p>", links=(outer,), next_url=f"{ROOT}next/")
    whole = joined(first, [second])
    assert (whole.url, whole.text, whole.html) == (url, "a\n\nb", "<p>a</p>\n<p>b</p>")
    assert whole.links == (outer,)
    assert whole.next_url == f"{ROOT}next/"
