"""What others add to the data of the program: folders with platforms, comment systems and words of
their own, checked.

A folder has what the data of the program has: `platforms/NAME.toml`, `systems/NAME.toml`,
`comments.toml`. A file, or a table of `comments.toml`, with the name of one of ours takes its
place; others come after ours. Of two folders the later one counts. The words of
`vocabulary/NAME.toml` are added to ours, those of all folders. Nothing in them is code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from blogforever.errors import UsageError

Kind = Literal["text", "texts", "words", "pattern", "patterns", "number", "flag", "table"]
Shape = Mapping[str, "Kind | Shape"]
"""What a file may have: of each name the kind of its value, or the names below it."""
PLATFORMS, SYSTEMS, COMMENTS, VOCABULARY = "platforms", "systems", "comments.toml", "vocabulary"
PARTS = (PLATFORMS, SYSTEMS, COMMENTS, VOCABULARY)
WANTED: Mapping[str, str] = {
    "text": "a text",
    "texts": "a list of texts",
    "words": "a list of words in small letters, without spaces",
    "pattern": "a regular expression",
    "patterns": "a list of regular expressions",
    "number": "a number",
    "flag": "true or false",
    "table": "a table of texts and numbers",
}
_folders: list[Path] = []


def use_knowledge(folders: Iterable[Path]) -> None:
    """From now on, what these folders have counts beside our own data; UsageError where one is no such folder."""
    given = list(folders)
    for folder in given:
        _refuse_strange(folder)
    _folders[:] = given


def own_folders() -> tuple[Path, ...]:
    """The folders that are used, the last word last."""
    return tuple(_folders)


def own_files(part: str) -> dict[str, Path]:
    """The files of one part in all folders, by their names without the ending."""
    return {path.stem: path for folder in _folders for path in _tomls(folder / part)}


def all_files(part: str) -> list[Path]:
    """The files of one part in all folders, also those of the same name."""
    return [path for folder in _folders for path in _tomls(folder / part)]


def own_tables(part: str) -> list[Path]:
    """The files of this name in all folders."""
    return [folder / part for folder in _folders if (folder / part).is_file()]


def read_knowledge(path: Path, shape: Shape, needed: Iterable[str] = ()) -> dict[str, Any]:
    """A file of such a folder; a UsageError says where something in it is wrong, and what."""
    data, wrong = _read(path)
    check_table(data, shape, wrong, needed)
    return data


def read_tables(path: Path, shape: Shape, needed: Iterable[str]) -> tuple[dict[str, dict[str, Any]], Wrong]:
    """The same of a file with a table under each name; and who says what else is wrong in it."""
    data, wrong = _read(path)
    for name, table in data.items():
        if not isinstance(table, dict):
            raise wrong(name, f"{name} must be a table, not {table!r}.")
        check_table(table, shape, wrong, needed)
    return data, wrong


def _read(path: Path) -> tuple[dict[str, Any], Wrong]:
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), Wrong(path, text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error


class Wrong:
    """Says where in a file something is wrong."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text

    def __call__(self, name: str, what: str) -> UsageError:
        """What is wrong with this name, as a sentence with file and line."""
        line = re.search(rf"^[ \t]*(?:\[[^\]\n]*)?[\"']?\b{re.escape(name)}\b", self._text, re.MULTILINE)
        where = f"{self._path}, line {self._text.count(chr(10), 0, line.start()) + 1}" if line else str(self._path)
        return UsageError(f"{where}: {what}")


def check_table(data: Mapping[str, Any], shape: Shape, wrong: Wrong, needed: Iterable[str] = ()) -> None:
    """Whether a table has what it may have, and what it must."""
    for name in needed:
        if name not in data:
            raise wrong(name, f"{name} is missing.")
    for name, value in data.items():
        kind = shape.get(name)
        if kind is None:
            raise wrong(name, f"there is no {name!r} here; known are {', '.join(shape)}.")
        if isinstance(kind, str):
            _check_value(name, value, kind, wrong)
        elif isinstance(value, dict):
            check_table(value, kind, wrong)
        else:
            raise wrong(name, f"{name} must be a table, not {value!r}.")


def _check_value(name: str, value: Any, kind: Kind, wrong: Wrong) -> None:
    if not _HOLDS[kind](value):
        raise wrong(name, f"{name} must be {WANTED[kind]}, not {value!r}.")
    if kind not in ("pattern", "patterns"):
        return
    for pattern in [value] if kind == "pattern" else value:
        try:
            re.compile(pattern)
        except re.error as error:
            raise wrong(name, f"{name} has {pattern!r}, which is no regular expression: {error}.") from error


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_words(value: Any) -> bool:
    """A word of another case or with spaces in it would never be found."""
    return _are_texts(value) and all(text and text == text.lower() and len(text.split()) == 1 for text in value)


_HOLDS: Mapping[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "pattern": _is_text,
    "texts": _are_texts,
    "words": _are_words,
    "patterns": _are_texts,
    "number": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "flag": lambda value: isinstance(value, bool),
    "table": lambda value: isinstance(value, dict) and all(isinstance(one, str | int) for one in value.values()),
}


def _tomls(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def _refuse_strange(folder: Path) -> None:
    """A folder without anything that is known here was meant otherwise: nothing of it would count."""
    if not folder.is_dir():
        raise UsageError(f"--knowledge {folder} is no folder.")
    if not any((folder / part).exists() for part in PARTS):
        raise UsageError(f"The folder {folder} has none of {', '.join(PARTS)}: nothing in it would count.")
