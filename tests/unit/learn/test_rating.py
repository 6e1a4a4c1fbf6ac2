"""How sure a rule is, and which of many proposed rules are looked at."""

from __future__ import annotations

from blogforever.learn.rating import PageSet, Placed, trust
from blogforever.learn.samples import Sample
from blogforever.model import Page, Rule
from blogforever.page.view import PageView


def pages(*bodies: str) -> PageSet:
    return PageSet([Placed(Sample(Page("https://b.example/", b""), PageView(body)), 0) for body in bodies])


def test_more_pages_and_fewer_errors_make_a_rule_surer() -> None:
    assert trust(1, 1) < trust(3, 3) < trust(12, 12) < 1
    assert trust(11, 12) < trust(12, 12)
    assert trust(6, 12) < 0.6


def test_what_readers_wrote_is_not_found() -> None:
    body = "<div id='comments'><p class='by'>A reader</p></div>"
    assert pages(body, "<p class='by'>Ada</p>").values(Rule("p.by", "//p")) == [None, "Ada"]


def test_rules_that_find_nothing_or_the_same_again_are_left_out() -> None:
    body = "<div class='a b c d e'>x</div><p>y</p>"
    proposed = [Rule(f"div.{name}", "//div") for name in "abcde"] + [Rule("p", "//p"), Rule("h1", "//h1")]
    assert [rule.css for rule in pages(body, body).different(proposed)] == ["div.a", "div.b", "div.c", "p"]
