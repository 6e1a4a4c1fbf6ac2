"""Pages that are called by a number, as those of lists and of years are."""

from __future__ import annotations

import pytest

from blogforever.learn.numberedposts import posts_like_years
from blogforever.learn.postpages import Evidence
from blogforever.learn.urlpattern import UrlPattern

JOURNAL = UrlPattern((("N", ".html"),))
NODES = UrlPattern((("=node", "N"),))
WORDS = UrlPattern((("=blog", "W"),))
OTHERS = [Evidence("https://inn.example/2411.html", published="2016-03-04T10:00:00"), Evidence("https://inn.example/")]


@pytest.mark.parametrize(
    ("pattern", "path", "is_post"),
    [
        (JOURNAL, "1958.html", True),
        (NODES, "node/2031", True),
        (JOURNAL, "2016.html", False),  # a year of the blog
        (JOURNAL, "1958/", False),  # not written as posts are
        (WORDS, "blog/1958", False),  # posts have words
    ],
)
def test_a_number_like_a_year_is_a_posts_where_all_posts_have_numbers(
    pattern: UrlPattern, path: str, is_post: bool
) -> None:
    page = Evidence(f"https://inn.example/{path}", kind="date")
    assert posts_like_years([page, *OTHERS], pattern) == ({page.url} if is_post else set())


def test_what_shows_several_posts_is_an_archive() -> None:
    page = Evidence("https://inn.example/1958.html", kind="date", entries=7)
    assert not posts_like_years([page, *OTHERS], JOURNAL)
