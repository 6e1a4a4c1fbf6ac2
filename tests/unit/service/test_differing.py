"""Two versions stand side by side: what stayed, what came, what went, and in what was edited, which words."""

from __future__ import annotations

from blogforever.service.differing import MOST_PARAGRAPHS, MOST_WORDS, side_by_side


def told(older: str, newer: str) -> list[tuple[str, str, str]]:
    return [(row.change, *row.texts) for row in side_by_side(older, newer)]


def test_paragraphs_stay_come_and_go() -> None:
    assert told("one\n\ntwo", "one\nthree words here\ntwo") == [
        ("same", "one", "one"),
        ("added", "", "three words here"),
        ("same", "two", "two"),
    ]
    assert told("gone\nx", "x")[0] == ("removed", "gone", "")


def test_an_edited_paragraph_tells_its_words() -> None:
    (row,) = side_by_side("One two three.", "One 2 three.")
    assert row.change == "changed"
    assert [piece.text for piece in row.older if piece.differs] == ["two"]
    assert [piece.text for piece in row.newer if piece.differs] == ["2"]


def test_two_paragraphs_with_little_in_common_stand_by_themselves() -> None:
    assert [change for change, _old, _new in told("alpha beta gamma", "quite another thing")] == ["removed", "added"]


def test_what_is_too_long_to_compare_is_shown_in_one_piece() -> None:
    long, other = ("a b " * MOST_WORDS).strip(), ("b a " * MOST_WORDS).strip()
    assert [change for change, _old, _new in told(long, other)] == ["removed", "added"]
    many = "\n".join(map(str, range(MOST_PARAGRAPHS + 10)))
    assert len(side_by_side(many, many)) == MOST_PARAGRAPHS + 1
