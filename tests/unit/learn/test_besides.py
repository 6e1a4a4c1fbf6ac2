"""Boxes beside an article: the rest of its text, or what only the feed repeats."""

from __future__ import annotations

import pytest

from blogforever import Page
from blogforever.learn.besides import learn_besides
from blogforever.learn.rating import Placed
from blogforever.learn.samples import Sample
from blogforever.page.view import PageView

WORDS = "lantern kettle ladder saddle bucket anchor".split()


def told(word: str) -> str:
    return f"The {word} hung behind the door for eleven years before anybody asked where it had come from."


def placed(word: str, box: str) -> Placed:
    """A page whose feed has the words of the box below the text, too."""
    text = f"<p>My uncle bought the {word} from a sailor in a street that is no longer there at all.</p>"
    box = box.format(text=told(word))
    page = PageView(f"<article><div class='entry'>{text}</div>{box}</article>")
    sample = Sample(Page(f"https://attic.example/{word}", b""), page, said=text + box)
    article = page.place(page.tree.css_first("div.entry"))
    assert article is not None
    return Placed(sample, article)


@pytest.mark.parametrize(
    ("box", "found"),
    [
        ("<div class='rest'><p>{text}</p></div>", "div.rest"),
        ("<div class='rest'><h3>Later</h3><p>{text}</p></div>", "div.rest"),
        ("<aside class='rest'><p>{text}</p></aside>", ""),
        ("<div class='rest'><div class='related-posts'><p>{text}</p></div></div>", ""),
        ("<div class='rest'><h3><a href='/other'>Another post</a></h3><p>{text}</p></div>", ""),
    ],
)
def test_boxes_that_the_feed_repeats(box: str, found: str) -> None:
    assert learn_besides([placed(word, box) for word in WORDS]) == found
