"""Makes passages unreadable wherever they stand in a page, a feed or JSON, and leaves everything
else as it was.

A passage is found by its words: eight of them in a row are enough, so that an excerpt is found as
well as the whole. Mark-up between the words and inside them, entities, escapes of JSON, scripts and
addresses, and characters that nobody sees do not hide it. The words become `xxxx`, so that lengths,
mark-up and JSON stay valid.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import accumulate, chain, islice
from urllib.parse import quote, unquote, urlsplit

from blogforever.dom import tokenise
from blogforever.urls import mark_of

from .encoded import blank_encoded
from .regions import MARK, blank_regions
from .tokens import Span, cut, seen_words, ways_to_cut, words_cut

# Words in a row that make a passage: fewer are said by anybody.
RUN = 8
ADDRESS, FILED = "url:", "filed:"
"""Begin the mark of an address that went, and of a tag or an author, among those of words."""
# Words by which a document is asked first whether it may hold a passage at all: nearly none does.
# Each passage of a text holds one row of so many that begins at a multiple of `STEP`.
FIRST = 6
STEP = RUN - FIRST + 1
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
        self._firsts: set[int] = set()
        self._around: dict[str, set[Span]] = {}
        for mark in (mark for mark in prints if not mark.startswith((ADDRESS, FILED))):
            size = int(mark.partition(":")[0])
            self._prints.setdefault(size, set()).add(mark)
        self._by_digest_alone = bool(self._prints)
        said, named = list(_cut_both_ways(texts)), list(_cut_both_ways(whole))
        often = Counter(chain.from_iterable((*said, *named)))
        for words in said:
            self._add(_runs(words, min(len(words), RUN)))
            self._add_first(words, STEP, often)
        for words in named:
            self._add([words])
            self._add_first(words, len(words), often)
        urls = list(addresses)
        self._addresses = [pattern for pattern in map(_address, urls) if pattern]
        self._slugs = [pattern for pattern in map(_slug, urls) if pattern]

    def __bool__(self) -> bool:
        return bool(self._prints or self._addresses)

    def _add(self, rows: Iterable[list[str]]) -> None:
        """Know these words in a row by their digests."""
        for words in rows:
            if words:
                self._prints.setdefault(len(words), set()).add(_print(words))

    def _add_first(self, words: list[str], step: int, often: Counter[str]) -> None:
        """Know some rows of these words, so that every passage of them holds one; and of each the
        word that is said least, with the number of words before it and from it on.
        """
        size = min(len(words), FIRST)
        for row in islice(_runs(words, size), None, None, step or 1) if size else ():
            self._firsts.add(hash(tuple(row)))
            rare = min(row, key=lambda word: (often[word], -len(word)))
            before = row.index(rare)
            self._around.setdefault(rare, set()).add((before, size - before))

    def prints(self) -> tuple[str, ...]:
        """By these the passages are known again without being kept."""
        return tuple(sorted(chain.from_iterable(self._prints.values())))

    def blank(self, text: str) -> str:
        """The text without the passages; the very same text where it has none."""
        return self._blank(blank_encoded(text, self._blank))

    def _blank(self, text: str) -> str:
        """The same for what is not wrapped in base64."""
        text = blank_regions(text, (found.span() for pattern in self._addresses for found in pattern.finditer(text)))
        for pattern in self._addresses:
            text = pattern.sub(_without_path, text)
        for pattern in self._slugs:
            text = pattern.sub(lambda found: MARK * len(found[0]), text)
        if self._prints:
            spans: set[Span] = set()
            for way in ways_to_cut(text):
                if found := self._found(words_cut(text, way)):
                    tokens = list(cut(text, way))
                    spans.update(span for i in found for span in tokens[i][1])
            text = _marked(text, sorted(spans))
        return text

    def _found(self, words: list[str]) -> set[int]:
        """Which words belong to a passage."""
        found: set[int] = set()
        if not self._may_hold(words):
            return found
        encoded = [word.encode(errors="replace") for word in words]
        row = b" ".join(encoded)
        starts = list(accumulate((len(word) + 1 for word in encoded), initial=0))
        for size, marks in self._prints.items():
            for i in range(len(words) - size + 1):
                if _digest(row[starts[i] : starts[i + size] - 1], size) in marks:
                    found.update(range(i, i + size))
        return found

    def _may_hold(self, words: list[str]) -> bool:
        """Whether a closer look is worth it; it always is where passages are known by their digests alone."""
        if self._by_digest_alone:
            return True
        around, firsts = self._around, self._firsts
        for place in [place for place, word in enumerate(words) if word in around]:
            for before, after in around[words[place]]:
                if hash(tuple(words[max(0, place - before) : place + after])) in firsts:
                    return True
        return False


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
    return _digest(" ".join(words).encode(errors="replace"), len(words))


def _digest(row: bytes, size: int) -> str:
    """The digest of a row of so many words."""
    return f"{size}:{blake2b(row, digest_size=DIGEST_BYTES).hexdigest()}"


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
    path = f"{parts.path}{query}#{mark}" if mark else (parts.path or "/") + query
    path = path if query or mark else path.rstrip("/")
    if not path.strip("/"):
        return None
    # A short path may be that of many blogs: it goes only behind the name of its own.
    host = "" if len(path) >= RUN else rf"(?P<host>(?:\\?/|%2F){{2}}{re.escape(parts.netloc)})"
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
    return re.compile(rf"{host}(?:{choices})(?:/|\\/|%2F)?(?![\w/.~+-])", re.IGNORECASE)


def _without_path(found: re.Match[str]) -> str:
    """An address whose path leads nowhere, of the same length."""
    host = found.groupdict().get("host") or ""
    return f"{host}/{MARK * (len(found[0]) - len(host) - 1)}"


def _slug(url: str) -> re.Pattern[str] | None:
    """A pattern for the last part of an address by itself, where nobody else writes such a word: of
    several words, joined as only addresses join them.
    """
    last = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2].partition(".")[0]
    is_telling = len(last) >= RUN and any(letter.isalpha() for letter in last) and re.search(r"[^-_][-_][^-_]", last)
    if not is_telling:
        return None
    forms = "|".join(re.escape(form) for form in sorted({last, quote(last)}, key=len, reverse=True))
    return re.compile(rf"(?<![\w/-])(?:{forms})(?![\w/-])", re.IGNORECASE)
