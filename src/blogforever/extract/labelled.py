"""Lists in an article that only label what fields say: "Author", "Date", "Tags", each with its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, texts_of, tokenise
from blogforever.extract.signing import LABELLING, are_signing

LABELLED = "dl, table, ul"
"""Elements that may be such a list."""
# Characters of such a list, which names a few people and a dozen tags at most, and its rows.
_SHORT = 500
_FEWEST_ROWS, _MOST_ROWS = 2, 12
# Texts of an element that are looked at; a list of a few rows has no more.
_MOST_TEXTS = 200
_COLON = re.compile("[:：]")

Row = tuple[str, str]
"""A label, and what stands behind it."""


def only_labels(block: LexborNode, is_told: Callable[[str], bool]) -> bool:
    """Whether an element has nothing but rows of a label and a value, and every value is told
    elsewhere: so that no word is lost with it.
    """
    rows = list(islice(_rows(block), _MOST_ROWS + 1)) if _is_short(block) else []
    if not _FEWEST_ROWS <= len(rows) <= _MOST_ROWS:
        return False
    return all(_is_label(label) and (_says_nothing(value) or is_told(value)) for label, value in rows)


def _is_short(block: LexborNode) -> bool:
    """Whether an element says little; its texts are counted no further than needed."""
    size = 0
    for number, text in enumerate(texts_of(block)):
        size += len(text.strip())
        if size > _SHORT or number > _MOST_TEXTS:
            return False
    return True


def _rows(block: LexborNode) -> Iterator[Row]:
    """The rows of a list or table; one without a label where that has other parts."""
    if block.tag == "dl":
        return _terms(block)
    if block.tag == "ul":
        return (_parted(node_text(item)) for item in block.css("li"))
    return map(_cells, block.css("tr"))


def _terms(block: LexborNode) -> Iterator[Row]:
    """The terms of a definition list, each with what follows it."""
    label, values = "", list[str]()
    for node in block.css("dt, dd"):
        if node.tag == "dd":
            values.append(node_text(node))
        else:
            if label or values:
                yield label, " ".join(values)
            label, values = node_text(node), []
    yield label, " ".join(values)


def _cells(row: LexborNode) -> Row:
    cells = [cell for cell in row.iter() if cell.tag in ("th", "td")]
    return (node_text(cells[0]), node_text(cells[1])) if len(cells) == 2 else ("", "")


def _parted(text: str) -> Row:
    """What stands before the first colon, and what behind it."""
    colon = _COLON.search(text)
    return (text[: colon.start()], text[colon.end() :]) if colon else ("", text)


def _is_label(text: str) -> bool:
    words = tokenise(text)
    return bool(words) and LABELLING.issuperset(words)


def _says_nothing(value: str) -> bool:
    """Whether a value is empty, or but how long the text takes to read."""
    return are_signing(tokenise(value))


__all__ = ["LABELLED", "only_labels"]
