"""Makes passages unreadable wherever they stand in a page, a feed or JSON, and leaves everything else as it was.

A passage is found by its words: eight of them in a row are enough, so that an excerpt is found as well as the whole.
Mark-up between the words and inside them, entities, escapes of JSON, scripts and addresses, and characters that nobody
sees do not hide it. The words become `xxxx`, so that lengths, mark-up and JSON stay valid.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import chain
from urllib.parse import quote, unquote, urlsplit

from blogforever.dom import tokenise
from blogforever.urls import mark_of

from .tokens import Span, Token, cut, seen_words, ways_to_cut

# Words in a row that make a passage: fewer are said by anybody.
RUN = 8
MARK = "x"
# Bytes of a digest: short enough to keep thousands, long enough that no two passages share one.
DIGEST_BYTES = 8


class Passages:
    """What must go: words in a row, known by their digests alone, and addresses."""

    def __init__(
        self,
        texts: Iterable[str] = (),
        whole: Iterable[str] = (),
        addresses: Iterable[str] = (),
        prints: Iterable[str] = (),
    ) -> None:
        """Of `texts` any eight words in a row count, of `whole`
        only all of them together; `prints` count as both.
        """
        self._prints: dict[int, set[str]] = {}
        for mark in prints:
            size = int(mark.partition(":")[0])
            self._prints.setdefault(size, set()).add(mark)
        for words in _cut_both_ways(texts):
            self._add(_runs(words, min(len(words), RUN)))
        self._add(_cut_both_ways(whole))
        patterns = map(_address, addresses)
        self._addresses = [pattern for pattern in patterns if pattern]

    def __bool__(self) -> bool:
        return bool(self._prints or self._addresses)

    def _add(self, rows: Iterable[list[str]]) -> None:
        """Know these words in a row by their digests."""
        for words in rows:
            if words:
                self._prints.setdefault(len(words), set()).add(_print(words))

    def prints(self) -> tuple[str, ...]:
        """By these the passages are known again without being kept."""
        return tuple(sorted(chain.from_iterable(self._prints.values())))

    def blank(self, text: str) -> str:
        """The text without the passages; the very same text where it has none."""
        for pattern in self._addresses:
            text = pattern.sub(lambda found: "/" + MARK * (len(found[0]) - 1), text)
        if self._prints:
            spans: set[Span] = set()
            for way in ways_to_cut(text):
                spans.update(self._found(list(cut(text, way))))
            text = _marked(text, sorted(spans))
        return text

    def _found(self, tokens: list[Token]) -> Iterator[Span]:
        """The places of all words that belong to a passage."""
        words = [word for word, _spans in tokens]
        found: set[int] = set()
        for size, marks in self._prints.items():
            for i, run in enumerate(_runs(words, size)):
                if _print(run) in marks:
                    found.update(range(i, i + size))
        for i in found:
            yield from tokens[i][1]


def _runs(words: list[str], size: int) -> Iterator[list[str]]:
    """All words in a row of a size."""
    return (words[i : i + size] for i in range(len(words) - size + 1))


def _cut_both_ways(texts: Iterable[str]) -> Iterator[list[str]]:
    """The words of texts: with what nobody sees taken for
    nothing, and, where that differs, for the end of a word.
    """
    for text in texts:
        words, parted = seen_words(text), tokenise(text)
        yield words
        if parted != words:
            yield parted


def _print(words: list[str]) -> str:
    """The digest of some words in a row, with their number."""
    digest = blake2b(" ".join(words).encode(errors="replace"), digest_size=DIGEST_BYTES)
    return f"{len(words)}:{digest.hexdigest()}"


def _marked(text: str, spans: list[Span]) -> str:
    """The text with these places made unreadable, in their order; they may overlap."""
    if not spans:
        return text
    parts, done = [], 0
    for start, end in spans:
        first = max(start, done)
        if end > first:
            parts += [text[done:first], MARK * (end - first)]
            done = end
    return "".join([*parts, text[done:]])


def _address(url: str) -> re.Pattern[str] | None:
    """A pattern for the path of an address, however it is escaped; a home page has none.

    Where several posts share a page, the mark of the post is a part of it: the others keep theirs.
    """
    parts, mark = urlsplit(url), mark_of(url)
    query = f"?{parts.query}" if parts.query else ""
    path = f"{parts.path}{query}#{mark}" if mark else parts.path.rstrip("/") + query
    if len(path) < RUN:
        return None
    plain = unquote(path)
    forms = {
        path,
        plain,
        quote(plain),
        quote(plain, safe=""),
        path.replace("/", "\\/"),
        html.escape(path),
    }
    choices = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?:{choices})(?:/|\\/|%2F)?(?![\w/.~+-])", re.IGNORECASE)
