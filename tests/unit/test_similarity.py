"""The paper's Table 1, and why the product does not rank elements by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blogforever.similarity import bigram_dice, shingle_marks, shingle_size, shingles

TABLE_1 = [
    ("Scheme Scala", "Scala Scheme", 0.90, 0.50),
    ("Rachid", "Richard", 0.18, 0.61),
    ("Rachid", "Amy, Rachid and all their friends", 0.29, 0.31),
]


def levenshtein_likeness(a: str, b: str) -> float:
    """The ratio of the paper's second column: insertions and deletions cost 1, a replacement 2, over both lengths."""
    row = [0] * (len(b) + 1)
    for x in a:
        last = 0
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], last + 1 if x == y else max(row[j], row[j - 1])
    return 2 * row[-1] / (len(a) + len(b))


@pytest.mark.parametrize(("a", "b", "dice", "edit"), TABLE_1)
def test_table_1(a: str, b: str, dice: float, edit: float) -> None:
    assert bigram_dice(a, b) == pytest.approx(dice, abs=0.006)
    assert levenshtein_likeness(a, b) == pytest.approx(edit, abs=0.006)


def test_dice_minds_order_and_length_less_than_edit_distance() -> None:
    swapped = TABLE_1[0]
    assert bigram_dice(swapped[0], swapped[1]) > levenshtein_likeness(swapped[0], swapped[1]) + 0.3


@given(st.text(max_size=60), st.text(max_size=60))
def test_dice_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert bigram_dice(a, b) == bigram_dice(b, a)
    assert 0.0 <= bigram_dice(a, b) <= 1.0


words = st.lists(st.sampled_from("one two three four 東 京".split()), max_size=40)


@given(words, words)
def test_marks_are_the_words_covered_by_a_common_shingle(page: list[str], target: list[str]) -> None:
    size = shingle_size(target)
    known = [tuple(target[n : n + size]) for n in range(len(target) - size + 1)]
    expected = [0.0] * len(page)
    for n in range(len(page) - size + 1):
        if tuple(page[n : n + size]) in known:
            for k in range(n, n + size):
                expected[k] = 1.0
    assert shingle_marks(page, target) == expected


def test_unspaced_scripts_use_longer_shingles() -> None:
    assert shingle_size("the quick brown fox jumps over the lazy dog".split()) == 3
    assert shingle_size(list("吾輩は猫である名前はまだ無い")) == 5
    assert shingle_size(["hi"]) == 1
    assert list(shingles(["a", "b", "c"], 2)) == [("a", "b"), ("b", "c")]
