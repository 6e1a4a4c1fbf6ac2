from __future__ import annotations

from typing import Any

from blogforever.cli.changes import change_lines
from blogforever.records import PostRecord
from server.somerecords import some_post


def version(number: int, text: str, **more: Any) -> PostRecord:
    source = {"url": "https://b.example/", "captured": "2020-01-02T00:00:00"}
    return some_post(**{"version": number, "title": "Kettles", "text": text, "sources": [source]} | more)


def lines(old: PostRecord, new: PostRecord) -> list[str]:
    return list(change_lines(old, new, 80))


def test_words_that_changed_are_marked_in_their_sentence() -> None:
    found = lines(version(1, "One.\nThe kettle was red.\nThree."), version(2, "One.\nThe kettle was blue.\nThree."))
    assert "The kettle was [-red-]{+blue+}." in found
    assert [line for line in found if "unchanged" in line] == ["  … 1 paragraph unchanged"] * 2


def test_paragraphs_come_and_go() -> None:
    assert "{+Two.+}" in lines(version(1, "One."), version(2, "One.\nTwo."))
    assert "[-Two.-]" in lines(version(1, "One.\nTwo."), version(2, "One."))


def test_titles_and_pictures_too() -> None:
    found = lines(version(1, "Same."), version(2, "Same.", title="Old kettles", media=[{"url": "http://x/a.jpg"}]))
    assert found[0] == "[-Kettles-]{+Old kettles+}"
    assert "The text is the same." in found
    assert found[-1] == "{+http://x/a.jpg+}"


def test_what_a_terminal_would_obey_is_not_printed() -> None:
    assert not any("\x1b" in line for line in lines(version(1, "a\x1b[31m"), version(2, "b\x1b[31m")))


def test_huge_paragraphs_stay_cheap() -> None:
    old, new = (" ".join(f"{word}{n}" for n in range(30_000)) for word in "ab")
    assert any(line.startswith("[-a0") for line in lines(version(1, old), version(2, new)))
