"""How alike two texts are: words in the same company to find a text on a page, the paper's bigrams
to compare with it.

Sets of character bigrams saturate: any two long texts of one language share most of them. Words
that stand in both texts between the same neighbours do not: unrelated texts of any length share
next to none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

# Scripts from here on are mostly written without spaces: a word is one character.
_UNSPACED = 0x0E00
# Words in which it shows whether a text is written so.
_SAMPLE = 200
# Words that make each other's company: of single characters more are needed to be no chance.
_USUAL_SIZE, _UNSPACED_SIZE = 3, 5
# Texts with fewer words have shorter runs, or single
# words: otherwise one changed word would undo them.
_SHORT, _SHORTEST = 6, 3


def shingle_marks(words: Sequence[str], target: Sequence[str]) -> list[float]:
    """1 for every word that stands in the target in the same company, else 0."""
    size = shingle_size(target)
    wanted = set(shingles(target, size))
    marks = [0.0] * len(words)
    if not wanted:
        return marks
    found = map(wanted.__contains__, shingles(words, size))
    company = [1.0] * size
    for n in compress(range(len(words)), found):
        marks[n : n + size] = company
    return marks


def shingle_size(target: Sequence[str]) -> int:
    """How many neighbours make a word's company: more where
    words are single characters, fewer in short texts.
    """
    if len(target) < _SHORTEST:
        return 1
    if len(target) < _SHORT:
        return 2
    return _UNSPACED_SIZE if is_unspaced(target) else _USUAL_SIZE


def is_unspaced(words: Sequence[str]) -> bool:
    """Whether a text is written without spaces, so that each character is a word."""
    sample = words[:_SAMPLE]
    single = sum(len(word) == 1 and ord(word) >= _UNSPACED for word in sample)
    return 2 * single > len(sample)


def shingles(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """Runs of `size` words in order, one after the other: to make thousands at once takes half as long again."""
    return zip(*(words[n:] for n in range(size)), strict=False)


def bigram_dice(a: str, b: str) -> float:
    """Sørensen–Dice coefficient of the sets of adjacent
    characters: the measure of the BlogForever paper.
    """
    mine, theirs = _bigrams(a), _bigrams(b)
    if not mine and not theirs:
        return float(a == b)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


def _bigrams(text: str) -> set[str]:
    return {text[n : n + 2] for n in range(len(text) - 1)}
