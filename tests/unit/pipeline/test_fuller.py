"""Which of two readings of a post is kept: the page, the feed and a person's rule decide, not the newer one."""

from __future__ import annotations

from typing import Any

import pytest

from blogforever.model import Entry, Page, Rule, Rules, Template
from blogforever.records import PostRecord
from blogforever.update.fuller import EMPTY, SHORTER, is_bare, why_kept, with_text_of
from blogforever.wording import kept_texts
from server.blogserver import story
from server.somerecords import some_post

URL = "https://b.example/kettles/"
LONG = "\n\n".join(story(3) + story(4) + story(5))
SHORT = "The kettles are sold, thank you all for asking about them."


def record(text: str, by: str = "rule", **more: Any) -> PostRecord:
    provenance = {"html": {"by": by, "rule": "//div", "confidence": 0.9}}
    plain = {"url": URL, "text": text, "html": f"<p>{text}</p>", "provenance": provenance}
    return some_post(**plain | more)


def page(*texts: str) -> Page:
    return Page(URL, f"<main>{''.join(f'<p>{text}</p>' for text in texts)}</main>".encode())


SHOWING, EDITED, BLANK = page(LONG), page(SHORT), page("Come again")
LOCKED = Rules("b", (Template(Rule("div", "//div", locked=True)),))
TOLD = Entry(URL, html=f"<p>{SHORT}</p><p>Ann wrote.</p><p>Bo read it.</p>")
AS_TOLD = f"{SHORT} Ann wrote. Bo read it."


@pytest.mark.parametrize(
    ("why", "old", "new", "given", "expected"),
    [
        ("nothing to lose", record(""), record(""), {"page": SHOWING}, ""),
        ("a shorter reading is often the better one", record(LONG), record(LONG[: len(LONG) // 2]), {}, ""),
        ("the page still shows it", record(LONG), record(SHORT), {"page": SHOWING}, SHORTER),
        ("the page still shows it", record(LONG), record(""), {"page": SHOWING, "announced": True}, EMPTY),
        ("the same bytes", record(LONG), record(SHORT), {}, SHORTER),
        ("the page shows the edit", record(LONG), record(SHORT), {"page": EDITED}, ""),
        ("a page that is out of order", record(LONG), record(""), {"page": BLANK}, EMPTY),
        ("the blog announces it", record(LONG), record(""), {"page": BLANK, "announced": True}, ""),
        ("a picture in its place", record(LONG), record("", media=[{"url": "a.png"}]), {"page": BLANK}, ""),
        ("closed", record(LONG), record("", extra={"visibility": "password"}), {"page": SHOWING}, ""),
        ("a person's rule", record(LONG), record(SHORT), {"rules": LOCKED}, ""),
        ("a rule for a guess", record(LONG, "generic"), record(SHORT), {}, ""),
        ("no rule gives an empty text for a guess", record(LONG, "generic"), record(""), {}, EMPTY),
        ("the whole feed says the same", record(LONG), record(AS_TOLD), {"entry": TOLD}, ""),
        ("a summary is no whole text", record(LONG), record(SHORT), {"entry": Entry(URL, html=SHORT)}, SHORTER),
    ],
)
def test_why_a_text_is_kept(why: str, old: PostRecord, new: PostRecord, given: dict[str, Any], expected: str) -> None:
    about = {"page": None, "rules": None} | given
    assert why_kept(old, new, **about) == expected, why


def test_the_kept_text_comes_with_its_pictures_and_the_way_it_came() -> None:
    old = record(LONG, "feed", media=[{"url": "a.png"}], kind="post", links=[])
    new = record("", title="New", kind="photo")
    held = with_text_of(old, new)
    assert (held.text, held.media, held.kind, held.title) == (LONG, old.media, "post", "New")
    assert held.provenance["html"].by == "feed"


def test_bare_is_what_shows_nothing_or_is_not_believed() -> None:
    doubted = record(SHORT, provenance={"html": {"by": "rule", "rule": "", "confidence": 0.2}})
    found = [record(SHORT), record(" "), record("", media=[{"url": "a.png"}]), doubted]
    assert [is_bare(one) for one in found] == [False, True, False, True]
    assert not is_bare(record("", extra={"visibility": "members"}))


def test_one_and_several() -> None:
    assert kept_texts(1).startswith("1 post keeps its text: read again, it has none")
    assert kept_texts(1200).startswith("1,200 posts keep their text: read again, they have none")
