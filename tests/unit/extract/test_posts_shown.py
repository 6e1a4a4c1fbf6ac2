"""posts_shown: how many posts a page shows where their article is cut out of a container by a mark."""

from __future__ import annotations

from blogforever.dom import parse
from blogforever.extract.templates import posts_shown
from blogforever.model import Rule, Rules, Template

RULES = Rules(
    blog="https://b.example/",
    templates=(
        Template(
            article=Rule("div.text", "//div", before="div.share"),
            fields={"title": (Rule("h1.title", "//h1"), Rule("h1", "//h1"))},
            pages=8,
        ),
    ),
)
SHARE = "<div class='share'>Share this</div>"
LIKE = "<div class='share likes'>I like it</div>"


def shown(inside: str) -> int:
    tree = parse(f"<body><h1 class='title'>Ropes</h1><div class='text'>{inside}</div></body>")
    return posts_shown(tree, RULES, "https://b.example/ropes/").articles


def test_marks_right_beside_each_other_stand_at_one_article() -> None:
    assert shown(f"<p>Wet ropes are heavy.</p><h1>How they dry</h1><p>In wind.</p>{SHARE}\n {LIKE}") == 1


def test_marks_with_something_between_them_stand_at_one_article_each() -> None:
    assert shown(f"<p>Wet ropes are heavy.</p>{SHARE}<h1>Winches</h1><p>They turn.</p>{LIKE}") == 2


def test_an_article_without_a_mark_is_one() -> None:
    assert shown("<p>Wet ropes are heavy.</p><h1>How they dry</h1><p>In wind.</p>") == 1
