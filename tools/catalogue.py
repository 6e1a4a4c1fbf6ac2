"""Brings the catalogues of the portal's words up to date with its code and templates; says what is not translated.

`portal.po` has what the portal says, and must be whole; `errors.po` what the parts below it say when something is
wrong, which is told in English where nobody has translated it.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from blogforever.analyse.features import QUESTIONS
from blogforever.portal.words import DOMAINS

PACKAGE = Path(__file__).parents[1] / "src/blogforever"
PORTAL = PACKAGE / "portal"
LOCALE = PORTAL / "locale"
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "plural": (1, 2)}
# What marks words for people outside the portal: sentences with parameters, and whole ones.
SAID = {"say": None, "N_": None}
MARKS = frozenset({"N_"})
"""Calls whose text is for people, also where it is an f-string: its form is in the catalogue."""
SIGNS = frozenset({"Sign", "_sign"})
"""Calls whose second argument is a sentence for people."""
ERRORS = frozenset({"UsageError", "BadInput", "NothingHarvested"})
"""What is raised with a sentence for people."""
RAISING = ("service", "source", "ping", "schedule", "archive/onepage.py", "fetch/posting.py", "learn", "portal")
"""Parts whose errors come to the portal."""
# How each kind of file is read.
METHODS = {".py": "python", ".html": "jinja2"}
WIDTH = 110


@cache
def words() -> Catalog:
    """Every word that the portal says."""
    found = Catalog(project="BlogForever", charset="utf-8")
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in METHODS:
            for text in _words_of(path, KEYWORDS if path.is_relative_to(PORTAL) else SAID):
                found.add(text)
        if path.suffix == ".py":
            for text in _forms_in(path):
                found.add(text)
    for question in QUESTIONS.values():
        found.add(question)
    return found


def errors() -> Catalog:
    """What is said when something is wrong, as far as the portal does not say it itself."""
    found, known = Catalog(project="BlogForever", charset="utf-8"), words()
    for path in sorted(PACKAGE.rglob("*.py")):
        if str(path.relative_to(PACKAGE)).startswith(RAISING):
            for call in _calls(path, ERRORS):
                text = form_of(call.args[0]) if call.args else None
                if text and text not in known:
                    found.add(text)
    return found


def _words_of(path: Path, keywords: Mapping[str, tuple[int, ...] | None]) -> Iterator[str | tuple[str, str]]:
    if not _has_calls(path, keywords):
        return
    with path.open("rb") as file:
        for _line, message, _comments, _context in extract(METHODS[path.suffix], file, keywords=keywords):
            yield (message[0], message[1]) if isinstance(message, tuple) else message


def _forms_in(path: Path) -> Iterator[str]:
    """Sentences that babel does not see: f-strings that are marked, and what signs say."""
    for call in _calls(path, MARKS | SIGNS):
        place = 1 if _name(call) in SIGNS else 0
        text = form_of(call.args[place]) if len(call.args) > place else None
        if text:
            yield text


def _calls(path: Path, names: Collection[str]) -> Iterator[ast.Call]:
    if not _has_calls(path, names):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _name(node) in names:
            yield node


def _has_calls(path: Path, names: Collection[str]) -> bool:
    """Whether it is worth reading: most files say nothing to people."""
    text = path.read_text(encoding="utf-8")
    return path.suffix != ".py" or any(f"{name}(" in text for name in names)


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def form_of(node: ast.expr) -> str | None:
    """The text of a string, or the form of an f-string with its places named; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    names: Counter[str] = Counter()
    return "".join(_piece(one, names) for one in node.values)


def _piece(node: ast.expr, names: Counter[str]) -> str:
    """A part of an f-string; a place is called what stands there, numbered from the second of that name on."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.FormattedValue)
    name = _place(node.value)
    names[name] += 1
    return f"{{{name}{names[name] if names[name] > 1 else ''}}}"


def _place(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id.lower()
    if isinstance(node, ast.Attribute):
        return node.attr.lower()
    if isinstance(node, ast.Subscript):
        return _place(node.value)
    return "number" if isinstance(node, ast.Call) and _name(node) == "len" else "what"


def brought_up_to_date(path: Path, current: Catalog) -> Catalog:
    """A catalogue with the words of today: new ones are empty, what is said no more is gone, nothing is guessed."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parent.parent.name)
    catalogue.update(current, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def untranslated(catalogue: Catalog) -> list[Message]:
    """What still needs a translator."""
    return [message for message in catalogue if message.id and not _is_whole(message)]


def _is_whole(message: Message) -> bool:
    strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return all(strings) and not message.fuzzy


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file has it: sorted and without places, so that it changes only where words do."""
    out = BytesIO()
    write_po(out, catalogue, width=WIDTH, no_location=True, omit_header=True, sort_output=True)
    return out.getvalue()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--language", help="begin a catalogue for another language, such as fr")
    given = parser.parse_args()
    if given.language:
        for domain in DOMAINS:
            begun = LOCALE / given.language / f"LC_MESSAGES/{domain}.po"
            begun.parent.mkdir(parents=True, exist_ok=True)
            begun.touch()
    missing = _update("portal", words())
    _update("errors", errors())
    return bool(missing)


def _update(domain: str, current: Catalog) -> int:
    """Bring all catalogues of a domain up to date, and print what is not translated; how much that is."""
    missing = 0
    for path in sorted(LOCALE.glob(f"*/LC_MESSAGES/{domain}.po")):
        catalogue = brought_up_to_date(path, current)
        path.write_bytes(written(catalogue))
        for message in untranslated(catalogue):
            print(f"{path.parent.parent.name}: {message.id}")
            missing += 1
    print(f"{domain}: {len(current)} words, {missing} without translation")
    return missing


if __name__ == "__main__":
    sys.exit(main())
