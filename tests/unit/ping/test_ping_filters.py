"""Filters of pings: what holds, what takes, what is let in, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blogforever.errors import UsageError
from blogforever.ping.filters import DEEPEST, NOBODY, Conditions, FilterTree, PingFilter, expression_of
from blogforever.ping.notice import Notice

BLOGSPOT = PingFilter("1", "BlogSpot", r"\.blogspot\.com/2011/", kind="expression")
SCIENCE = PingFilter("2", "Science", "science physics")
SHOPS = PingFilter("3", "Shops", "casino", excludes=True)


def let_in(*filters: PingFilter, url: str = "http://a.example/", name: str = "", feed: str = "") -> bool:
    return FilterTree(filters).decide(Notice(url, name, feed)).is_let_in


def test_without_a_filter_nothing_is_let_in() -> None:
    assert FilterTree([]).decide(Notice("http://a.example/")).reason == NOBODY


def test_each_word_is_tried_alone_without_regard_to_case() -> None:
    assert let_in(SCIENCE, url="http://Physics.example/")
    assert let_in(SCIENCE, url="http://a.example/science")
    assert not let_in(SCIENCE, url="http://a.example/")


def test_one_filter_of_several_is_enough_and_one_that_excludes_too() -> None:
    assert let_in(BLOGSPOT, SCIENCE, SHOPS, url="http://a.blogspot.com/2011/x")
    assert not let_in(BLOGSPOT, SCIENCE, SHOPS, url="http://casino.blogspot.com/2011/x")
    assert not let_in(SHOPS, url="http://a.example/")


def test_a_child_of_the_same_kind_narrows_its_parent() -> None:
    below = replace(SCIENCE, parent="1")
    assert let_in(BLOGSPOT, below, url="http://science.blogspot.com/2011/x")
    assert not let_in(BLOGSPOT, below, url="http://a.blogspot.com/2011/x")
    assert not let_in(BLOGSPOT, below, url="http://science.example/")


def test_a_child_of_the_other_kind_is_an_exception() -> None:
    tree = FilterTree([BLOGSPOT, replace(SHOPS, parent="1")])
    left_out = tree.decide(Notice("http://casino.blogspot.com/2011/x"))
    assert tree.decide(Notice("http://a.blogspot.com/2011/x")).is_let_in
    assert (left_out.is_let_in, left_out.by) == (False, "3")
    assert left_out.reason == "left out by the filter 'Shops' below 'BlogSpot'"


def test_an_exception_of_what_is_excluded_is_let_in_by_another() -> None:
    games = PingFilter("4", "Games", "casino-history", parent="3")
    assert let_in(SCIENCE, SHOPS, games, url="http://science.example/casino-history")
    assert not let_in(SCIENCE, SHOPS, games, url="http://science.example/casino")


def test_a_filter_that_is_off_is_not_there_and_nor_is_what_stands_below_it() -> None:
    assert not let_in(replace(SCIENCE, is_on=False), url="http://science.example/")
    off = replace(BLOGSPOT, is_on=False)
    assert not let_in(off, replace(SCIENCE, parent="1"), url="http://science.blogspot.com/2011/")


def test_the_first_in_order_decides_and_all_that_take_it_are_told() -> None:
    tree = FilterTree([replace(SCIENCE, order=1), replace(BLOGSPOT, order=2)])
    decided = tree.decide(Notice("http://science.blogspot.com/2011/"))
    assert (decided.by, set(decided.takers)) == ("2", {"1", "2"})
    assert decided.reason == "let in by the filter 'Science'"


def test_wildcards_take_the_whole_address() -> None:
    blogspot = PingFilter("1", "b", "*blogspot.com/2011*", kind="wildcards")
    assert let_in(blogspot, url="http://a.blogspot.com/2011/x")
    assert not let_in(blogspot, url="http://a.blogspot.com/2012/x")
    assert not let_in(PingFilter("1", "b", "blogspot.com", kind="wildcards"), url="http://a.blogspot.com/")
    assert let_in(PingFilter("1", "b", "http://?.example/", kind="wildcards"))


def test_the_name_can_be_what_is_looked_at() -> None:
    by_name = replace(SCIENCE, subject="name")
    assert let_in(by_name, name="The Science of Soup")
    assert not let_in(by_name, url="http://science.example/")


@pytest.mark.parametrize(
    ("conditions", "is_let_in"),
    [
        (Conditions(domains=("example",)), True),
        (Conditions(domains=("ample", "org")), False),
        (Conditions(has_feed=True), False),
        (Conditions(has_feed=False), True),
        (Conditions(services=("typepad",)), False),
    ],
)
def test_conditions_beside_the_pattern(conditions: Conditions, is_let_in: bool) -> None:
    assert let_in(replace(SCIENCE, conditions=conditions), url="http://science.example/") is is_let_in


def test_a_ring_of_parents_lets_nothing_in() -> None:
    assert not let_in(
        replace(BLOGSPOT, parent="2"), replace(SCIENCE, parent="1"), url="http://science.blogspot.com/2011/"
    )


def test_what_stands_deeper_than_anybody_reads_is_not_there() -> None:
    chain = [PingFilter(f"{n}", "x", "science", parent=f"{n - 1}" if n else None) for n in range(DEEPEST + 1)]
    too_deep = PingFilter("deep", "x", "nowhere", parent=f"{DEEPEST}")
    assert let_in(*chain, too_deep, url="http://science.example/")


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("ab", "words"),
        ("", "words"),
        ("***", "wildcards"),
        ("(", "expression"),
        (r"(a)\1", "expression"),
        ("x" * 2000, "words"),
    ],
)
def test_what_cannot_be_a_pattern_is_said(pattern: str, kind: str) -> None:
    with pytest.raises(UsageError) as raised:
        expression_of(pattern, kind)  # type: ignore[arg-type]
    assert str(raised.value).endswith(".")


def test_an_expression_that_explodes_elsewhere_is_linear_here() -> None:
    bad = PingFilter("1", "bad", r"(a+)+$", kind="expression")
    assert not let_in(bad, url="http://" + "a" * 5000 + "!")


def test_a_host_of_another_platform_is_left_out_and_one_of_no_platform_may_be_on_any() -> None:
    on_wordpress = PingFilter("1", "A", "blog", conditions=Conditions(platforms=("wordpress",)))
    tree = FilterTree([on_wordpress], {"a.wordpress.example": "wordpress", "a.tumblr.example": "tumblr"}.get)
    let_in = {
        host: tree.decide(Notice(f"http://{host}/blog")).is_let_in
        for host in ("a.wordpress.example", "a.tumblr.example", "own.example")
    }
    assert let_in == {"a.wordpress.example": True, "a.tumblr.example": False, "own.example": True}


@pytest.mark.parametrize(
    ("platform", "language", "why"),
    [
        ("WordPress", "de-AT", ""),
        ("", "", ""),
        ("Ghost", "de", "it runs on Ghost, not on wordpress"),
        ("WordPress", "deu", "its language is deu, not de or pt-BR"),
        ("WordPress", "pt_br", ""),
        ("WordPress", "pt", "its language is pt, not de or pt-BR"),
    ],
)
def test_a_harvested_blog_is_held_to_what_no_ping_tells(platform: str, language: str, why: str) -> None:
    wanted = Conditions(platforms=("wordpress",), languages=("de", "pt-BR"))
    assert wanted.why_not(platform, language) == why
