"""Comment rules out of a comment feed, on mark-up whose names say nothing."""

from __future__ import annotations

from blogforever.comments import extract_comments, learn_comment_rules
from blogforever.model import Author, Comment, Moment, Page
from hostile.growth import assert_linear

URL = "https://blog.example/kites/"
VERSES = ["the wind came from the hills", "a tail of seven bows", "paper and reed and string", "it fell into the lake"]


def _box(n: int) -> str:
    day = n % 27 + 1
    return (
        f'<div class="q1 x{n}"><div class="z9"><b class="w3">Reader {n}</b> <i class="k2">{day:02}/04/2013</i></div>'
        f'<div class="p7">{VERSES[n % 4]}, said number {n} of those who wrote.</div></div>'
    )


def _page(count: int) -> Page:
    boxes = "".join(_box(n) for n in range(count))
    return Page(URL, f"<html><body><p>How to build a kite.</p><div class='r'>{boxes}</div></body></html>".encode())


def _told(count: int) -> list[Comment]:
    return [
        Comment(
            id=str(n),
            text=f"{VERSES[n % 4]}, said number {n} of those who wrote.",
            author=Author(f"Reader {n}"),
            published=Moment(f"2013-04-{n % 27 + 1:02}T10:00:00+00:00", "second"),
        )
        for n in range(count)
    ]


def test_rules_find_what_no_name_gives_away() -> None:
    assert extract_comments(_page(12)) == ()
    rules = learn_comment_rules([(_page(12), _told(5)), (_page(8), _told(6))])
    found = extract_comments(_page(20), rules=rules)
    assert [comment.author for comment in found] == [Author(f"Reader {n}") for n in range(20)]
    assert [comment.published.iso for comment in found if comment.published][:2] == ["2013-04-01", "2013-04-02"]
    assert found[7].text == "it fell into the lake, said number 7 of those who wrote."


def test_of_equal_marks_the_first_is_learned_whatever_order_sets_have() -> None:
    boxes = "".join(_box(n) for n in range(12)).replace("p7", "said")
    for mark in ("q1", "w3", "k2"):
        boxes = boxes.replace(f'class="{mark}', f'class="{" ".join(f"{mark}{letter}" for letter in "edcba")}')
    page = Page(URL, f"<html><body><p>How to build a kite.</p><div class='r'>{boxes}</div></body></html>".encode())
    rules = learn_comment_rules([(page, _told(5))])
    assert [(rule.item, rule.author, rule.date) for rule in rules] == [("div.q1e", "b.w3e", "i.k2e")]


def test_a_feed_of_other_comments_teaches_nothing() -> None:
    others = [Comment(id=str(n), text=f"Something quite different about ships {n}") for n in range(5)]
    assert learn_comment_rules([(_page(12), others)]) == ()


def test_thousands_of_comments_cost_no_more_than_their_number() -> None:
    assert learn_comment_rules([(_page(3000), _told(30))])
    assert_linear(lambda page: learn_comment_rules([(page, _told(30))]), _page, 3000)
