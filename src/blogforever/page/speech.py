"""Words by which pages in many languages lead to a name, as pieces of regular expressions; the
lists are data.

Each piece is asked for when an expression is made: others may add words to it.
"""

from __future__ import annotations

from typing import Literal

from blogforever.wordlists import WordLists

_LISTS = WordLists("blogforever.page", "speech.toml")
Spoken = Literal["by", "writer", "opening", "anywhere", "behind", "filed"]
"""Before the name of who wrote something (by, von, par); what somebody is called who did (author, auteur); the first at
the beginning of a line about a post; anywhere in such a line, where it means nothing else; behind the name
(tarafından); before the names of what something is filed under (category, tags).
"""


def words_of(name: Spoken) -> str:
    """The words of a list, as alternatives."""
    return _LISTS.one_of(name)


OF_ANY_GENDER = r"(?:[:*_/·(](?:in(?:nen)?|a|e|ra|rice|trice)\b\)?)?+"
"""What may be written behind such a word so that it speaks of women, too: "Autor:in", "auteur·e", "autor(a)"."""


def _posted_by(done: str, by: str) -> str:
    return rf"\b(?:{'|'.join(done.split())})\b.{{0,40}}?\b(?:{'|'.join(by.split())})"


POSTED_BY = "|".join(_posted_by(pair["done"], pair["by"]) for pair in _LISTS.tables("posted"))
"""Posted on Monday by, veröffentlicht am Montag von."""


def _done_by(done: str, by: str) -> str:
    return rf"(?:{'|'.join(done.split())})\s+(?:{'|'.join(by.split())})"


DONE_BY = "|".join(_done_by(pair["done"], pair["by"]) for pair in _LISTS.tables("posted"))
"""Posted by, veröffentlicht von, with nothing between."""


def _filed_in(done: str, within: str) -> str:
    return rf"(?:{'|'.join(done.split())})\s+(?:{'|'.join(within.split())})"


FILED_IN = "|".join(_filed_in(pair["done"], pair["in"]) for pair in _LISTS.tables("filing"))
"""Filed under, veröffentlicht in."""
FILING = " ".join(f"{pair['done']} {pair['in']}" for pair in _LISTS.tables("filing"))
"""All words of these."""
