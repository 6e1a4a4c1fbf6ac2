"""Lists of words that are data: each file is read once, its lists are asked for by name.

Others may add words of their own while a program runs. Whoever has asked for words therefore holds
an object that stays the same and is renewed: a set of words, or a regular expression made of them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from blogforever.elements import word_set

# Not by `importlib.resources`, which loads fifteen modules more: the core is to start quickly.
ROOT = Path(__file__).parent
OPEN: Mapping[str, tuple[str, str]] = {
    "speech": ("blogforever.page", "speech.toml"),
    "blocks": ("blogforever.page", "blocks.toml"),
    "names": ("blogforever.comments", "names.toml"),
    "counts": ("blogforever.discover", "counts.toml"),
    "lists": ("blogforever.extract", "lists.toml"),
    "addresses": ("blogforever.learn", "addresses.toml"),
}
"""The files that others may add to, by the names that theirs have."""
DATES = "dates"
"""The same for names of months and days, which are tables of languages."""
# What reads pages keeps what words say of names and lines; all of it is pure, so that it can be
# forgotten.
_READING = tuple(f"blogforever.{name}." for name in ("page", "extract", "comments", "learn", "discover", "dates"))
Additions = Mapping[str, Mapping[str, Any]]
"""Of each file, the words that its lists get, or its tables."""
_added: dict[str, Mapping[str, Any]] = {}
_renewals: list[Callable[[], None]] = []


def data_of(package: str) -> Path:
    """The folder with the data files of a package of ours."""
    return ROOT.joinpath(*package.split(".")[1:], "data")


def use_words(added: Additions) -> None:
    """From now on these words count beside our own."""
    if added == _added:
        return
    _added.clear()
    _added.update(added)
    for renew in _renewals:
        renew()
    _forget()


def when_words_change(forget: Callable[[], None]) -> None:
    """Have something called whenever words are added: what was made with others is to be forgotten."""
    _renewals.append(forget)


def added_words(file: str, name: str) -> Sequence[str]:
    """The words that others add to a list."""
    words: Sequence[str] = _added.get(file, {}).get(name, ())
    return words


def are_words_added(file: str) -> bool:
    """Whether others add words to a file of ours."""
    return file in _added


def added_tables(file: str) -> Mapping[str, Any]:
    """The tables that others add to a file."""
    return _added.get(file, {})


def list_names(file: str) -> list[str]:
    """The lists of a file that others may add words to."""
    lists = _read(*OPEN[file])
    return [name for name, words in lists.items() if isinstance(words, str) or isinstance(words[0], str)]


def one_of(words: Iterable[str], added: Iterable[str] = ()) -> str:
    """Words as the alternatives of a regular expression; those that others add stand for
    themselves, in small letters as ours do.
    """
    return "|".join([*words, *sorted(re.escape(word.lower()) for word in added)])


class LiveWords(set[str]):
    """Words of a list, or made of some: the same set, whatever is added to the list later."""

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        super().__init__(find())
        self._find = find
        _renewals.append(self._renew)

    def _renew(self) -> None:
        self.clear()
        self.update(self._find())


class LivePattern:
    """A regular expression made of words: the same object, whatever is added to them later."""

    def __init__(self, form: Callable[[], str], flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._form, self._flags = form, flags
        self._renew()
        _renewals.append(self._renew)

    def _renew(self) -> None:
        """Its methods are those of the expression itself: many lines are held against it."""
        self.compiled = re.compile(self._form(), self._flags)
        self.match, self.fullmatch, self.search = self.compiled.match, self.compiled.fullmatch, self.compiled.search
        self.sub, self.finditer = self.compiled.sub, self.compiled.finditer


class WordLists:
    """The lists of one file, words with space between them under a name each."""

    def __init__(self, package: str, file: str) -> None:
        self._lists = _read(package, file)
        self._file = next((name for name, place in OPEN.items() if place == (package, file)), "")

    def words(self, name: str) -> LiveWords:
        """The words of one list."""
        return LiveWords(lambda: self.now(name))

    def now(self, name: str) -> frozenset[str]:
        """The words that a list has at this moment, for what is made of several."""
        return word_set(self._lists[name]).union(added_words(self._file, name))

    def one_of(self, name: str) -> str:
        """The words of a list as the alternatives of a regular expression, at this moment."""
        own = self._lists[name]
        # Words in a row are sorted; what is written as a list is a row of expressions whose order
        # may say something.
        return one_of(sorted(word_set(own)) if isinstance(own, str) else own, added_words(self._file, name))

    def in_order(self, name: str) -> list[str]:
        """The words of a list whose order says something."""
        return str(self._lists[name]).split()

    def tables(self, name: str) -> list[dict[str, str]]:
        """The tables of this name, in their order."""
        return list(self._lists[name])


def _read(package: str, file: str) -> dict[str, Any]:
    return tomllib.loads((data_of(package) / file).read_text(encoding="utf-8"))


def _forget() -> None:
    """Forget what was read with other words."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_READING)]
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
