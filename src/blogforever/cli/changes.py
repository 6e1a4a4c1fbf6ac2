"""What changed between two versions of a post, word by word, as it reads in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from blogforever.records import PostRecord
from blogforever.wording import counted, printable, spoken

from .terminal import wrapped

CUT, PUT = ("[-", "-]"), ("{+", "+}")
# Comparing takes the square of the length: longer paragraphs are shown whole, later paragraphs are
# not compared.
MOST_WORDS = 2_000
MOST_PARAGRAPHS = 4_000
FACTS = ("Authors", "Published", "Tags", "Categories")
PIECES = re.compile(r"\s+|[^\s\w]|\w+|[\u2e80-\u9fff\uac00-\ud7a3]")


def change_lines(old: PostRecord, new: PostRecord, width: int) -> Iterator[str]:
    """The changes from one version to another; paragraphs that stayed are only counted."""
    yield from wrapped(_inline(old.title or "", new.title or "") or "(no title)", width)
    yield f"version {old.version} ({_when(old)}) to version {new.version} ({_when(new)})"
    yield ""
    if old.text == new.text:
        yield "The text is the same."
    else:
        yield from _text_lines(_paragraphs(old), _paragraphs(new), width)
    yield from _fact_lines(old, new)
    yield from _media_lines(old, new)


def _when(record: PostRecord) -> str:
    captured = record.capture.captured if record.capture else None
    return f"captured {spoken(captured, 'on an unknown day')}"


def _paragraphs(record: PostRecord) -> list[str]:
    return [part for part in printable(record.text).split("\n") if part.strip()][:MOST_PARAGRAPHS]


def _text_lines(old: list[str], new: list[str], width: int) -> Iterator[str]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=len(old) > MOST_WORDS).get_opcodes():
        if tag == "equal":
            yield f"  … {counted(b - a, 'paragraph')} unchanged"
            continue
        paired = min(b - a, d - c)
        for before, after in zip(old[a : a + paired], new[c : c + paired], strict=True):
            yield from wrapped(_inline(before, after), width)
        for lost in old[a + paired : b]:
            yield from wrapped(f"{CUT[0]}{lost}{CUT[1]}", width)
        for added in new[c + paired : d]:
            yield from wrapped(f"{PUT[0]}{added}{PUT[1]}", width)


def _inline(old: str, new: str) -> str:
    """One paragraph with what was taken out and put in; too long a one is shown as taken out and
    put in whole.
    """
    before, after = PIECES.findall(printable(old)), PIECES.findall(printable(new))
    if max(len(before), len(after)) > MOST_WORDS:
        return f"{CUT[0]}{printable(old)}{CUT[1]} {PUT[0]}{printable(new)}{PUT[1]}"
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        lost, added = "".join(before[a:b]), "".join(after[c:d])
        if tag == "equal":
            parts.append(lost)
            continue
        if lost:
            parts.append(f"{CUT[0]}{lost}{CUT[1]}")
        if added:
            parts.append(f"{PUT[0]}{added}{PUT[1]}")
    return "".join(parts)


def _fact_lines(old: PostRecord, new: PostRecord) -> Iterator[str]:
    """Who, when and under which words, where that changed."""
    for name, before, after in zip(FACTS, _facts(old), _facts(new), strict=True):
        if before != after:
            yield ""
            yield f"{name}: {_inline(before, after)}"


def _facts(record: PostRecord) -> tuple[str, str, str, str]:
    authors = ", ".join(author.name for author in record.authors)
    return authors, record.published or "", ", ".join(record.tags), ", ".join(record.categories)


def _media_lines(old: PostRecord, new: PostRecord) -> Iterator[str]:
    before = [item.url for item in old.media]
    after = [item.url for item in new.media]
    gone = [url for url in before if url not in after]
    come = [url for url in after if url not in before]
    if gone or come:
        yield ""
        yield from (f"{CUT[0]}{printable(url)}{CUT[1]}" for url in gone)
        yield from (f"{PUT[0]}{printable(url)}{PUT[1]}" for url in come)
