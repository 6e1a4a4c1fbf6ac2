"""Words by which pages in many languages lead to a name, as pieces of regular expressions; the lists are data."""

from __future__ import annotations

from blogforever.wordlists import WordLists

_LISTS = WordLists("blogforever.page", "speech.toml")


def _any_of(name: str) -> str:
    return "|".join(sorted(_LISTS.words(name)))


BY_WORDS = _any_of("by")
"""By, von, par: before the name of who wrote something."""
WRITER_WORDS = _any_of("writer")
"""Author, auteur: what somebody is called who wrote something."""
