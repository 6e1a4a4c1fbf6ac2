"""What stands beside a page's own matter, asked by every way to find comments."""

from __future__ import annotations

import pytest

from blogforever.comments import margins, words
from blogforever.comments.margins import is_margin, outside_margins
from blogforever.page.view import PageView

PAGE = """<body><nav><p>Menu</p></nav><aside><p>Others</p></aside><aside class="comments"><p>Said</p></aside>
<div class="sidebar"><p>Links</p></div><div id="themeRightSideBar"><p>News</p></div>
<div><p>The text of the post, which is by far the most of the page.</p></div>
<form><input name="q"></form></body>"""


def names_outside(view: PageView) -> list[str]:
    return [view.text(i) for i in outside_margins(view) if view.tags[i] == "p"]


def test_menus_and_lists_of_others_are_beside_the_page_and_a_box_of_comments_is_not() -> None:
    assert names_outside(PageView(PAGE)) == [
        "Said",
        "The text of the post, which is by far the most of the page.",
    ]


def test_an_element_is_looked_at_once_however_many_ways_ask_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    look = margins._stands_beside

    def noted(view: PageView, i: int) -> bool:
        asked.append(i)
        return look(view, i)

    monkeypatch.setattr(margins, "_stands_beside", noted)
    view = PageView(PAGE)
    first = [is_margin(view, i) for i in range(len(view.tags))]
    again = [is_margin(view, i) for i in range(len(view.tags))]
    assert first == again
    assert asked == list(range(len(view.tags)))


def test_each_page_has_margins_of_its_own() -> None:
    menu, text = PageView("<body><nav>Menu</nav></body>"), PageView("<body><div>Text</div></body>")
    assert [is_margin(view, 1) for view in (menu, text, menu)] == [True, False, True]


@pytest.mark.parametrize("written", ["<p id=comments>", "<P ID=COMMENTS>", "<p class=Kommentare>"])
def test_signs_of_comments_are_seen_in_small_and_in_large_letters(written: str) -> None:
    assert words.may_hold_comments(f"<body><p>Text</p>{written}</p></body>")
    assert not words.may_hold_comments("<body><p>Text</p></body>")
