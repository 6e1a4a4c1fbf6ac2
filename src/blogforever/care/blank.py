"""Makes passages unreadable wherever they stand in a page, a feed or JSON, and leaves everything else as it was.

A passage is found by its words: eight of them in a row are enough, so that an excerpt is found as well as the whole.
Mark-up between the words, entities, escapes of JSON and of addresses do not hide it. The words become `xxxx`, so that
lengths, mark-up and JSON stay valid.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from urllib.parse import quote, unquote, urlsplit

from blogforever.dom import tokenise

RUN = 8
MARK = "x"
_LESS, _MORE = r"&(?:amp;)?(?:lt|#60|#[xX]3[cC]);", r"&(?:amp;)?(?:gt|#62|#[xX]3[eE]);"
_ENTITY = rf"(?!{_LESS}|{_MORE})" r"&(?:amp;)?(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_ESCAPES = rf"{_ENTITY}|\\u(?!003[cCeE])[0-9a-fA-F]{{4}}|(?:%[0-9a-fA-F]{{2}})+"
# A tag, written out or escaped; none is looked for beyond the beginning of the next, which keeps it linear.
_TAG = (
    rf"<[^<>]{{0,4000}}>|{_LESS}(?:(?!{_LESS})[^<>]){{0,4000}}?{_MORE}"
    r"|\\u003[cC](?:(?!\\u003[cC])[^<>]){0,4000}?(?:\\u003[eE]|>)"
)
_SPACE = r"\\[nrtbf]"
_WORDS = rf"(?:{_ESCAPES}|[^\W_]|['’_])+"
_WITHOUT_TAGS = re.compile(rf"(?P<gap>{_TAG}|{_SPACE})|{_WORDS}")
_WITH_TAGS = re.compile(rf"(?P<gap>{_SPACE})|{_WORDS}")
_ESCAPED = re.compile(_ESCAPES)
Span = tuple[int, int]


class Passages:
    """What must go: words in a row, known by their digests alone, and addresses."""

    def __init__(
        self,
        texts: Iterable[str] = (),
        whole: Iterable[str] = (),
        addresses: Iterable[str] = (),
        prints: Iterable[str] = (),
    ) -> None:
        """Of `texts` any eight words in a row count, of `whole` only all of them together; `prints` count as both."""
        self._prints: dict[int, set[str]] = {}
        for mark in prints:
            self._prints.setdefault(int(mark.partition(":")[0]), set()).add(mark)
        for words in map(tokenise, texts):
            size = min(len(words), RUN)
            self._add(words[i : i + size] for i in range(len(words) - size + 1))
        self._add(map(tokenise, whole))
        self._addresses = [pattern for address in addresses if (pattern := _address(address))]

    def __bool__(self) -> bool:
        return bool(self._prints or self._addresses)

    def _add(self, rows: Iterable[list[str]]) -> None:
        for words in rows:
            if words:
                self._prints.setdefault(len(words), set()).add(_print(words))

    def prints(self) -> tuple[str, ...]:
        """By these the passages are known again without being kept."""
        return tuple(sorted(mark for marks in self._prints.values() for mark in marks))

    def blank(self, text: str) -> str:
        """The text without the passages; the very same text where it has none."""
        for pattern in self._addresses:
            text = pattern.sub(lambda found: "/" + MARK * (len(found[0]) - 1), text)
        if self._prints:
            for pattern in (_WITHOUT_TAGS, _WITH_TAGS):
                text = _marked(text, self._found(list(_tokens(text, pattern))))
        return text

    def _found(self, tokens: list[tuple[str, Span]]) -> list[Span]:
        words = [word for word, _span in tokens]
        found: set[int] = set()
        for size, marks in self._prints.items():
            for i in range(len(words) - size + 1):
                if _print(words[i : i + size]) in marks:
                    found.update(range(i, i + size))
        return sorted({tokens[i][1] for i in found})


def _print(words: list[str]) -> str:
    """The digest of some words in a row, with their number."""
    return f"{len(words)}:{blake2b(' '.join(words).encode(errors='replace'), digest_size=8).hexdigest()}"


def _tokens(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, Span]]:
    """The words of a document in order, each with the place of its letters."""
    for match in pattern.finditer(text):
        if match["gap"] is not None:
            continue
        raw = match[0]
        words = tokenise(_decoded(raw))
        if len(words) > 1 and "".join(words) == raw.lower():  # a script that is written without spaces
            start = match.start()
            for word in words:
                yield word, (start, start + len(word))
                start += len(word)
        else:
            yield from ((word, match.span()) for word in words)


def _decoded(raw: str) -> str:
    if not _ESCAPED.search(raw):
        return raw
    if "\\u" in raw:
        raw = re.sub(r"(?:\\u[0-9a-fA-F]{4})+", lambda found: str(json.loads(f'"{found[0]}"')), raw)
    return unquote(html.unescape(html.unescape(raw)))


def _marked(text: str, spans: list[Span]) -> str:
    parts, done = [], 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], MARK * (end - start)]
            done = end
    return "".join([*parts, text[done:]]) if spans else text


def _address(url: str) -> re.Pattern[str] | None:
    """A pattern for the path of an address, however it is escaped; a home page has none."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/") + (f"?{parts.query}" if parts.query else "")
    if len(path) < RUN:
        return None
    plain = unquote(path)
    forms = {path, plain, quote(plain), quote(plain, safe=""), path.replace("/", "\\/"), html.escape(path)}
    choices = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return re.compile(rf"(?:{choices})(?:/|\\/|%2F)?(?![\w/.~+-])", re.IGNORECASE)
