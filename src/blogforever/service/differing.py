"""Two versions of a text side by side: paragraph by paragraph, and in those that changed, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

Change = Literal["same", "added", "removed", "changed"]
# Paragraphs of a text and words of a paragraph that are compared: what is longer would take
# minutes, and is shown as changed in one piece.
MOST_PARAGRAPHS, MOST_WORDS = 5000, 1500
# Words that two paragraphs share, so that they are taken for one that was edited.
ALIKE = 0.3
WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of one side, and whether the other side has them, too."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A paragraph as it was and as it is; one of them is empty where it came or went."""

    change: Change
    older: tuple[Piece, ...] = ()
    newer: tuple[Piece, ...] = ()

    @property
    def texts(self) -> tuple[str, str]:
        """Both sides as they are written."""
        return _text(self.older), _text(self.newer)


def side_by_side(older: str, newer: str) -> list[DiffRow]:
    """Both texts, row by row."""
    old, new = _paragraphs(older), _paragraphs(newer)
    rows: list[DiffRow] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [DiffRow("same", (Piece(text),), (Piece(text),)) for text in old[i:j]]
        else:
            rows += _replaced(old[i:j], new[k:m])
    return rows


def _paragraphs(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line]
    if len(kept) <= MOST_PARAGRAPHS:
        return kept
    return [*kept[:MOST_PARAGRAPHS], "\n".join(kept[MOST_PARAGRAPHS:])]


def _replaced(old: list[str], new: list[str]) -> Iterator[DiffRow]:
    for before, after in zip_longest(old, new):
        if before is None:
            yield DiffRow("added", newer=(Piece(after, differs=True),))
        elif after is None:
            yield DiffRow("removed", older=(Piece(before, differs=True),))
        else:
            yield from _edited(before, after)


def _edited(before: str, after: str) -> Iterator[DiffRow]:
    """A paragraph that was edited; two that have little in common stand each by itself."""
    old, new = WORD.findall(before), WORD.findall(after)
    is_long = max(len(old), len(new)) > MOST_WORDS
    if is_long or _shared(old, new) < ALIKE:
        yield DiffRow("removed", older=(Piece(before, differs=True),))
        yield DiffRow("added", newer=(Piece(after, differs=True),))
        return
    older: list[Piece] = []
    newer: list[Piece] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        differs = tag != "equal"
        older += [Piece("".join(old[i:j]), differs)] if i < j else []
        newer += [Piece("".join(new[k:m]), differs)] if k < m else []
    yield DiffRow("changed", tuple(older), tuple(newer))


def _shared(old: list[str], new: list[str]) -> float:
    """The share of words that two paragraphs have in common."""
    words, others = ({part for part in parts if not part.isspace()} for parts in (old, new))
    return len(words & others) / max(1, min(len(words), len(others)))


def _text(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)
