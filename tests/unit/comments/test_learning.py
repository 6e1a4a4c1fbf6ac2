"""Comment rules out of a comment feed, on mark-up whose names say nothing."""

from __future__ import annotations

from blogforever.comments import extract_comments, learn_comment_rules, learn_own_rules
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


def _row(n: int) -> str:
    return f'<tr><td class="k7">{VERSES[n % 4]}, and more of it.<br>by: <b>Reader {n}</b>, {n + 1} April 2013</td></tr>'


def _rows(count: int) -> Page:
    rows = "".join(map(_row, range(count)))
    form = "<form><textarea name='t'></textarea></form>"
    text = "<p>How to build a kite of comments.</p>"
    return Page(f"{URL}{count}", f"<html><body>{text}<table>{rows}</table>{form}</body></html>".encode())


def test_pages_that_show_several_comments_teach_how_to_find_a_single_one() -> None:
    assert extract_comments(_rows(1)) == ()
    rules = learn_own_rules([_rows(3), _rows(2)])
    (comment,) = extract_comments(_rows(1), rules=rules)
    assert comment.author == Author("Reader 0")
    assert comment.text == "the wind came from the hills, and more of it."


def test_a_mark_that_other_things_have_teaches_nothing() -> None:
    marked = _rows(2).content.replace(b"<p>", b'<p>See <span class="k7">here</span>')
    tagged = _rows(3).content.replace(b' class="k7"', b"")
    assert learn_own_rules([_rows(3), Page(URL, marked.replace(b"td", b"span"))]) == ()
    assert learn_own_rules([Page(URL, tagged), _rows(2)]) == ()


READERS = ("Anna", "Boris", "Cleo", "Dimitri", "Esther")


def _thread(depth: int, *, beside: int = 0) -> Page:
    """A comment with answers in each other, and others beside it; only made-up names say so."""
    said = ""
    for n in range(depth, 0, -1):
        kids = f'<div class="q3">{said}</div>' if said else ""
        said = _made_up(n, kids)
    rows = said + "".join(_made_up(depth + n, "") for n in range(1, beside + 1))
    return Page(
        f"{URL}{depth}{beside}",
        f"<html><body><p>Of kites.</p><div><h3>Comments</h3>{rows}</div></body></html>".encode(),
    )


def _made_up(n: int, kids: str) -> str:
    head = f'<div class="q1"><span>{READERS[n]}</span><span>{n} April 2013</span></div>'
    return f'<div class="q0">{head}<div class="q2"><p>{VERSES[n % 4]}, and more of it.</p></div>{kids}</div>'


def test_what_a_rule_finds_inside_a_comment_is_its_answer() -> None:
    rules = learn_own_rules([_thread(1, beside=2), _thread(1, beside=3)])
    comments = extract_comments(_thread(3), rules=rules)
    assert [comment.author for comment in comments] == [Author(READERS[n]) for n in (1, 2, 3)]
    assert [comment.parent for comment in comments] == [None, comments[0].id, comments[1].id]


def test_an_answer_in_an_element_of_the_same_name_has_a_day_of_its_own() -> None:
    def said(n: int, answers: str = "") -> str:
        head = f"<p><b>{READERS[n]}</b> {n} April 2013</p>"
        return f"<blog-comment>{head}<p>{VERSES[n % 4]}, and more of it.</p>{answers}</blog-comment>"

    page = Page(
        URL, f"<html><body><p>Of kites.</p><blog-comments>{said(1, said(2))}</blog-comments></body></html>".encode()
    )
    first, answer = extract_comments(page)
    assert (first.author, answer.author) == (Author(READERS[1]), Author(READERS[2]))
    assert answer.parent == first.id
