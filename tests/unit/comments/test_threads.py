"""Made-up pages in the mark-up of platforms and plug-ins: the same four comments on each, with answers or without."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

import pytest

from blogforever.comments import extract_comments
from blogforever.comments.view import PageContext
from blogforever.model import Moment, Page, Post
from blogforever.page.view import PageView

DATA = Path(__file__).parent / "platforms"
URL = "https://blog.example/p/"
SAID = [
    ("Ann Poe", "2013-03-04", "What a fine kite, and how high it flew."),
    ("Bo", "2013-03-05", "Mine broke at the first wind, sadly."),
    ("Cy Dale", "2013-03-06", "Then use a stronger string next time."),
    ("Dee", "2013-03-07", "Where can I buy the red paper for it?"),
]
PARENTS = {"threads": [None, 0, 1, None], "flat": [None, None, None, None]}


@pytest.mark.parametrize("name", sorted(f"{file.parent.name}/{file.stem}" for file in DATA.glob("*/*.html")))
def test_all_comments_are_read_with_what_they_answer(name: str) -> None:
    page = Page(URL, (DATA / f"{name}.html").read_bytes())
    found = extract_comments(page, Post(URL, published=Moment("2013-03-01", "day")))
    told = [(c.author and c.author.name, c.published and c.published.iso[:10], " ".join(c.text.split())) for c in found]
    assert told == SAID
    places = {comment.id: place for place, comment in enumerate(found)}
    assert [places.get(comment.parent or "") for comment in found] == PARENTS[name.partition("/")[0]]


@pytest.mark.parametrize("url", ["https://b.example/a/?p=1#top", "http://b.example", "https://b.example/a;b?#", "a/b"])
@pytest.mark.parametrize("href", ["#comment-12", "#c", "#", "#a b", "#é", "#/route", " #c1"])
def test_a_mark_on_the_page_is_joined_as_by_the_book(url: str, href: str) -> None:
    by_the_book = urljoin(url, href.strip())
    absolute = PageContext(PageView(), url, (), None).absolute(href)
    assert absolute == (by_the_book if by_the_book.startswith("http") else None)
