"""Which posts have hardly any text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from blogforever.storage.browsing import is_brief
from server.smallarchive import post


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        ("x " * 20, True),
        ("x" * 80, False),
        ("港" * 20, True),
        ("港" * 30, False),
        ("항구 " * 8, True),
        ("ท" * 30, True),
    ],
)
def test_a_sign_that_stands_for_a_word_says_more_than_a_letter(text: str, brief: bool) -> None:
    assert is_brief(replace(post(0), text=text)) is brief
