"""Lists of words that are data: each file is read once, its lists are asked for by name."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from blogforever.elements import word_set


class WordLists:
    """The lists of one file, words with space between them under a name each."""

    def __init__(self, package: str, file: str) -> None:
        text = files(package).joinpath("data", file).read_text(encoding="utf-8")
        self._lists = tomllib.loads(text)

    def words(self, name: str) -> frozenset[str]:
        """The words of one list."""
        return word_set(self._lists[name])
