"""Which of two opinions on where the article stands is followed, where our own finder read next to nothing."""

from __future__ import annotations

import pytest

from blogforever.extract.opinions import FoundBody, SecondOpinion
from blogforever.extract.prune import cut_article
from blogforever.page.view import PageView

TEXT = "The crane was moved across the quay in one night by forty people with two winches and soap. "


def found(view: PageView, css: str, *, fits: bool = False) -> FoundBody:
    place = view.place(view.tree.css_first(css))
    assert place is not None
    return FoundBody(place, None, cut_article(view, place, None), is_named=False, fits_heading=fits)


def is_followed(own: str, words: str, *, fits: bool = False) -> bool:
    view = PageView(f"<body><main><div id=own>{own}</div><div id=text><p>{words}</p></div></main></body>")
    opinion = SecondOpinion(view, f"<p>{words}</p>")
    return opinion.is_followed(found(view, "#own", fits=fits), found(view, "#text"), [])


@pytest.mark.parametrize("number", ["1.", "12 345", "2021"])
def test_a_number_alone_is_nothing(number: str) -> None:
    view = PageView(f"<body><div id=own>{number}</div></body>")
    assert found(view, "#own").is_nothing
    assert is_followed(number, "A short note.")


def test_a_line_of_labels_does_not_keep_a_text_out() -> None:
    line = "5 min read, March 5, in boats"
    assert is_followed(line, TEXT * 3)
    assert not is_followed(line, TEXT)
    assert not is_followed(line, TEXT * 3, fits=True)
    assert not is_followed(TEXT * 2, TEXT * 3)
