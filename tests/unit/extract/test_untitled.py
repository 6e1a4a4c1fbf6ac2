"""Titles that programs make of the first words of a text."""

from __future__ import annotations

import pytest

from blogforever.extract.untitled import is_made_of_text
from blogforever.page.view import PageView


@pytest.mark.parametrize(
    ("title", "text", "is_made"),
    [
        ("A day in the park", "A day in the parking lot is all we had.", False),
        ("A day in the park", "A day in the park is all we had.", True),
        ("A day in the park…", "A day in the parking lot is all we had.", True),
        ("Nobody in the harbour has seen the lant", "Nobody in the harbour has seen the lantern hang there.", True),
    ],
)
def test_what_is_cut_through_a_word_is_as_long_as_programs_cut(title: str, text: str, is_made: bool) -> None:
    page = PageView(f"<title>{title}</title><p>{text}</p>")
    assert is_made_of_text(title, text, page) is is_made
