"""Records as people and other programs read them: JSON lines, XML, plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any, Literal
from xml.sax.saxutils import escape

from blogforever.records import CommentRecord, PostRecord, json_line, to_json
from blogforever.wording import NOT_XML

# Answers below that are indented no further: lines would get too narrow.
DEEPEST = 8
RULE_LENGTH = 70


def records_as_lines(records: Iterable[PostRecord]) -> Iterator[str]:
    """One line of JSON each."""
    return map(json_line, records)


def records_as_text(records: Iterable[PostRecord]) -> Iterator[str]:
    """Each with its comments as somebody would read it, with a rule between two."""
    for number, record in enumerate(records):
        authors = ", ".join(author.name for author in record.authors)
        head = [record.title, record.published, authors, record.url]
        rule = "\n" + "-" * RULE_LENGTH + "\n" if number else ""
        yield rule + "\n".join(part for part in head if part) + "\n\n" + record.text
        yield from _thread(record.comments)


def records_as_xml(records: Iterable[PostRecord]) -> Iterator[str]:
    """One document: the names of the JSON are the elements."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<records>'
    for record in records:
        yield _element("post", {name: value for name, value in to_json(record).items() if name != "type"})
    yield "</records>"


RecordFormat = Literal["jsonl", "xml", "text"]
RECORD_WRITERS: Mapping[str, Callable[[Iterable[PostRecord]], Iterator[str]]] = {
    "jsonl": records_as_lines,
    "xml": records_as_xml,
    "text": records_as_text,
}


def _thread(comments: Sequence[CommentRecord]) -> Iterator[str]:
    """Comments as text, answers indented below what they answer."""
    depths: dict[str, int] = {}
    for comment in comments:
        depths[comment.id] = depth = min(depths.get(comment.parent or "", -1) + 1, DEEPEST)
        head = [
            comment.author.name or "-",
            comment.published,
            "" if comment.kind == "comment" else comment.kind,
        ]
        yield indent("\n" + ", ".join(part for part in head if part) + ":\n" + comment.text, "    " * depth)


def _element(name: str, value: Any) -> str:
    """A value as XML: keys are elements, items of a list repeat, null is left out."""
    if value is None or value in ([], (), {}):
        return ""
    if isinstance(value, Mapping):
        return f"<{name}>{''.join(_element(k, v) for k, v in value.items())}</{name}>"
    if isinstance(value, list | tuple):
        return "".join(_element(name, item) for item in value)
    return f"<{name}>{escape(str(value).translate(NOT_XML))}</{name}>"
