"""Texts with endless runs of combining marks, which sorting them by Unicode's rules makes quadratic."""

from __future__ import annotations

import unicodedata

import pytest
import trafilatura

from blogforever.dom import tokenise, with_few_marks
from blogforever.extract import generic
from blogforever.extract.content import letters

MARKS = "\u0301\u0327" * 3000  # an acute and a cedilla, in the wrong order
KEPT = 30


def test_a_run_of_marks_is_cut_and_nothing_else_is() -> None:
    assert with_few_marks(f"a{MARKS}b") == f"a{MARKS[:KEPT]}b"
    vietnamese = unicodedata.normalize("NFD", "Tiếng Việt " * 100)
    assert with_few_marks(vietnamese) == vietnamese
    line = "═" * 1000
    assert with_few_marks(line) == line


def test_words_and_contents_are_normalised_after_the_cut() -> None:
    assert len(tokenise(f"a{MARKS} stone")[-1]) == len("stone")
    assert len(letters(f"a{MARKS}")) <= KEPT + 1


@pytest.mark.parametrize("written", ["{}", "&#x301;&#807;"])
def test_a_second_opinion_never_gets_them(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def extract_metadata(html: str, **_how: object) -> None:
        seen.append(html)

    monkeypatch.setattr(trafilatura, "extract_metadata", extract_metadata)
    run = MARKS if written == "{}" else written * 3000
    generic.trafilatura_fields(f"<p>a{run} &lt;b&gt; 日本</p>", "https://blog.example/", [])
    assert sum(unicodedata.combining(char) > 0 for char in seen[0]) == KEPT
    assert "&lt;b&gt; 日本" in seen[0]
