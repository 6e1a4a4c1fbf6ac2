"""Plain texts that are looked for together."""

from __future__ import annotations

import pytest

from blogforever.anyof import AnyOf


@pytest.mark.parametrize(
    ("content", "stands"),
    [
        (b"", False),
        (b"nothing of them", False),
        (b"a (b+) here", True),
        (b"A (B+) HERE", False),
        ("ein Gruß".encode(), True),
        (b"\xff\xfe\0 (b+)", True),
        (b"line\nbreak (b+\n)", False),
    ],
)
def test_texts_are_found_as_they_are_written(content: bytes, stands: bool) -> None:
    assert AnyOf([b"(b+)", "Gruß".encode()]).stands_in(content) is stands


def test_no_texts_stand_nowhere() -> None:
    assert not AnyOf([]).stands_in(b"something")
