"""Pages that several posts share, cut into them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from blogforever.dom import node_text
from blogforever.extract.sharedpage import MOST_POSTS, cut_apart, page_of, posts_on
from blogforever.learn.sharing import learn_shared, marked_entries, shown_shared
from blogforever.model import Entry, Page, SharedPages
from blogforever.page.view import view_of
from blogforever.urls import url_key
from hostile.growth import assert_linear

URL = "http://b.example/2004_05.html"
NAMED = SharedPages("h3 > a[name]", "name", "p", number=True)


def page(body: str, url: str = URL) -> Page:
    return Page(url, f"<html lang=en><head><title>May</title></head><body>{body}</body></html>".encode())


def words(part: Page) -> str:
    body = view_of(part).tree.body
    return " ".join(node_text(body).split()) if body else ""


def texts(body: str, rule: SharedPages = NAMED) -> dict[str, str]:
    return {mark: words(part) for mark, part in posts_on(page(body), rule).items()}


def head(number: int) -> str:
    return f'<h3><a name="p{number}">Title {number}</a></h3>'


def test_what_follows_a_heading_up_to_the_next_is_its_post() -> None:
    body = f"<h1>Log</h1><div>{head(1)}<p>one</p> loose<br>{head(2)}<p>two</p><ul><li>item</ul></div><div>foot</div>"
    assert texts(body) == {"p1": "Title 1 one loose", "p2": "Title 2 two item"}


def test_a_post_with_an_element_of_its_own_is_that_element() -> None:
    rule = SharedPages("div.post > a[name]", "name", number=True)
    post = '<div class="post"><a name="{0}"></a><p>text {0}</p></div>'
    body = f'<div id="main">{post.format(1)}{post.format(2)}<p class="pager">older</p></div>'
    assert texts(body, rule) == {"1": "text 1", "2": "text 2"}


def test_days_and_headings_before_a_mark_belong_to_what_follows() -> None:
    rule = SharedPages("div > a[name]", "name", number=True)
    body = (
        "<div><h2>May 5, 2004</h2><h3>First</h3><a name=1></a><p>one</p><h3>Second</h3><a name=2></a><p>two</p>"
        "<p>May 4, 2004</p><h3>Third</h3><a name=3></a><p>three</p></div>"
    )
    assert texts(body, rule) == {
        "1": "May 5, 2004 First one",
        "2": "May 5, 2004 Second two",
        "3": "May 4, 2004 Third three",
    }


def test_the_last_post_ends_where_something_follows_that_no_other_has() -> None:
    posts = [f"{head(n)}<p>text {n}</p><p class=by>Ada</p>" for n in (1, 2)]
    body = f"<div>{''.join(posts)}<div class=links>x</div></div>"
    assert texts(body)["p2"] == "Title 2 text 2 Ada"


def test_a_copy_of_a_post_that_links_to_its_own_place_is_left_out() -> None:
    body = (
        f'<div>{head(1)}<p>one <a href="/2004_04.html#p1">link</a></p>'
        f'{head(2)}<p>two <a href="#p2">link</a></p>{head(3)}<p>three</p></div>'
    )
    assert list(texts(body)) == ["p2", "p3"]
    assert list(cut_apart(page(body), NAMED)) == ["p1", "p2", "p3"]


def test_other_marks_begin_no_post() -> None:
    body = f'<div><h3><a name="top">Top</a></h3><p>hello</p>{head(1)}<p>one</p>{head(2)}<p>two</p></div>'
    assert list(texts(body)) == ["p1", "p2"]


def test_the_only_post_of_a_page_ends_where_the_others_are_held() -> None:
    rule = SharedPages("div.post > a[name]", "name", number=True, inside="div#main")
    body = '<div id="all"><p>nav</p><div id="main"><div class="post"><a name="7"></a><p>seven</p></div></div></div>'
    assert texts(body, rule) == {"7": "seven"}


def test_a_page_under_the_address_of_its_post() -> None:
    whole = page(f"<div>{head(1)}<p>one</p>{head(2)}<p>two</p></div>")
    assert words(page_of(whole, f"{URL}#p2", NAMED)) == "Title 2 two"
    assert words(page_of(page_of(whole, f"{URL}#p2", NAMED), f"{URL}#p2", NAMED)) == "Title 2 two"
    assert page_of(whole, f"{URL}#p9", NAMED).content == b""
    assert page_of(whole, URL, NAMED) == whole
    assert page_of(whole, f"{URL}#p2", None).content == whole.content


def entries(*given: tuple[str, str]) -> dict[str, dict[str, Entry]]:
    urls = {f"{URL}#{mark}": text for mark, text in given}
    return marked_entries({url_key(url): Entry(url, title=text, html=f"<p>{text}</p>") for url, text in urls.items()})


FLAT = f"<div id=log>{head(1)}<p>boats and ropes</p>{head(22)}<p>rain on tin</p>{head(3)}<p>lost keys</p></div>"


def test_where_posts_begin_is_learned_from_the_marks_of_entries() -> None:
    rule = learn_shared([page(FLAT)], entries(("p1", "boats and ropes"), ("p22", "rain on tin")))
    assert rule == SharedPages("h3 > a[name]", "name", "p", number=True, inside="div#log", pages=1)
    assert list(posts_on(page(FLAT), rule)) == ["p1", "p22", "p3"]


def test_broken_tags_give_selectors_that_can_be_read() -> None:
    flat = FLAT.replace("<div id=log>", '<header" class=log>').replace("<h3>", "<h3'>")
    rule = learn_shared([page(flat)], entries(("p1", "boats and ropes"), ("p22", "rain on tin")))
    assert rule is not None
    assert set(posts_on(page(flat), rule)) == {"p1", "p22", "p3"}


@pytest.mark.parametrize(
    "named",
    [
        entries(("p1", "boats and ropes")),
        entries(("x1", "boats and ropes"), ("x2", "rain on tin")),
        entries(("p1", "the whole harbour sang"), ("p22", "quite other words here")),
    ],
    ids=["a single one", "no such marks", "other words"],
)
def test_marks_that_prove_nothing_are_not_believed(named: dict[str, dict[str, Entry]]) -> None:
    assert learn_shared([page(FLAT)], named) is None


SENTENCE = "A long walk along the harbour wall, past the old crane and back."


def shown(number: int, day: str, link: str) -> str:
    return f"<div class=post id=e{number}><h2>Walk {number}</h2><i>{day}</i><p>{SENTENCE}</p>{link}</div>"


def test_a_page_shows_by_itself_that_posts_share_it() -> None:
    body = "".join(shown(n, f"{n} May 2004", f'<a href="#e{n}">link</a>') for n in range(1, 5))
    rule = shown_shared([page(body)])
    assert rule is not None
    assert list(posts_on(page(body), rule)) == ["e1", "e2", "e3", "e4"]


def test_a_line_in_bold_heads_a_post_too() -> None:
    def bold(n: int) -> str:
        day = f"<tr><td><b>{n} May 2004</b></td></tr>"
        text = f"<p><b>Walk {n}</b></p><p>{SENTENCE}</p><p>9:12 AM <a href='#a{n}'>#</a></p>"
        return f"<table>{day}<tr><td><a name=a{n}></a>{text}</td></tr></table>"

    body = "".join(map(bold, range(1, 5)))
    rule = shown_shared([page(body)])
    assert rule is not None
    assert list(posts_on(page(body), rule)) == ["a1", "a2", "a3", "a4"]
    untitled = "".join(bold(n).replace(f"<b>Walk {n}</b>", "Walk") for n in range(1, 5))
    assert shown_shared([page(untitled)]) is None


def test_pages_of_two_posts_show_it_together() -> None:
    def pair(first: int) -> str:
        return "".join(shown(n, f"{n} May 2004", f'<a href="#e{n}">link</a>') for n in (first, first + 1))

    bodies = [pair(first) for first in (1, 4, 8)]
    assert shown_shared(map(page, bodies[:2])) is None
    rule = shown_shared(map(page, bodies))
    assert rule is not None
    assert list(posts_on(page(bodies[1]), rule)) == ["e4", "e5"]


SECTIONS = "".join(f"<h2 id=s{n}>Part {n}</h2><p>{SENTENCE}</p>" for n in range(5))
CONTENTS = "".join(f"<li><a href='#s{n}'>Part {n}</a>" for n in range(5))
ANCHORED = "".join(f"<h2 id=s{n}>Part {n} <a href='#s{n}'>¶</a></h2><p>{SENTENCE}</p>" for n in range(5))
REPLIES = "".join(f"<li id=n{n}><b>Bea</b> 3 May 2004 <a href='#n{n}'>#</a><p>{SENTENCE}</p></li>" for n in range(5))
DIARY = "".join(shown(n, f"{n} May 2004", f'<a href="#e{n}">link</a>') for n in range(1, 5))
DATED = "".join(
    f"<h3 id=s{n}><a href='#s{n}' class=headerlink></a>{n} May 2004</h3><p>{SENTENCE}</p>" for n in range(1, 6)
)
OF_ONE = "<meta property='og:type' content='article'>"
LISTED = "".join(
    f'<div class=post id=e{n}><h2><a href="/p{n}">Walk {n}</a></h2><i>{n + 1} May 2004</i><p>{SENTENCE}</p></div>'
    for n in range(5)
)


@pytest.mark.parametrize(
    "body",
    [
        f"<ul>{CONTENTS}</ul>{SECTIONS}",
        ANCHORED,
        f"<h1>Post</h1><p>{SENTENCE}</p><ol>{REPLIES}</ol>",
        LISTED,
        f"<article><h1>A journey</h1>{DIARY}</article>",
        f"{OF_ONE}<h1>A journey</h1>{DIARY}",
        f"<h1>A journey</h1>{DATED}",
    ],
    ids=[
        "a table of contents",
        "headings with links",
        "comments",
        "a list of posts",
        "days of one article",
        "a page that calls itself an article",
        "headings that are days",
    ],
)
def test_other_pages_do_not(body: str) -> None:
    assert shown_shared([page(body)]) is None


@pytest.mark.parametrize(
    "piece", ["<h3><a name=p1>x</a></h3>", "<h3><a name=p{n}>x</a></h3>y", "<div><h3><a name=p{n}>"]
)
def test_pages_of_marks_are_cut_in_linear_time(piece: str) -> None:
    def marks(size: int) -> Page:
        return page("".join(piece.replace("{n}", str(n)) for n in range(size // len(piece))))

    def work(made: Page) -> None:
        # Not what is remembered of the last page.
        fresh = replace(made, content=made.content + str(next(numbers)).encode())
        posts_on(fresh, NAMED)
        shown_shared([fresh])

    numbers = count()
    assert_linear(work, marks, 200_000)


def test_more_posts_than_anybody_writes_on_a_page_are_none() -> None:
    assert posts_on(page("".join(head(n) for n in range(MOST_POSTS + 1))), NAMED) == {}


def test_a_post_alone_on_its_page_begins_where_an_empty_mark_stands() -> None:
    rule = SharedPages("td > a[name]", "name", "p", number=True)
    body = "<table><tr><td>menu</td><td><h2>May 5, 2004</h2><a name=p7></a><p>one</p><p>two</p></td></tr></table>"
    assert texts(body, rule) == {"p7": "May 5, 2004 one two"}
