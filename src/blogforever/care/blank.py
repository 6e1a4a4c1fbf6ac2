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
    """What must go: words in a row, and addresses."""

    def __init__(self, texts: Iterable[str] = (), whole: Iterable[str] = (), addresses: Iterable[str] = ()) -> None:
        """Of `texts` any eight words in a row count, of `whole` only all of them together."""
        self._runs: set[tuple[str, ...]] = set()
        self._whole: dict[str, set[tuple[str, ...]]] = {}
        for words in map(tokenise, texts):
            self._runs.update(tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1))
            if 0 < len(words) < RUN:
                self._add_whole(words)
        for words in map(tokenise, whole):
            self._add_whole(words)
        self._addresses = [pattern for address in addresses if (pattern := _address(address))]

    def __bool__(self) -> bool:
        return bool(self._runs or self._whole or self._addresses)

    def _add_whole(self, words: list[str]) -> None:
        if words:
            self._whole.setdefault(words[0], set()).add(tuple(words))

    def blank(self, text: str) -> str:
        """The text without the passages; the very same text where it has none."""
        for pattern in self._addresses:
            text = pattern.sub(lambda found: "/" + MARK * (len(found[0]) - 1), text)
        if self._runs or self._whole:
            for pattern in (_WITHOUT_TAGS, _WITH_TAGS):
                text = _marked(text, self._found(list(_tokens(text, pattern))))
        return text

    def _found(self, tokens: list[tuple[str, Span]]) -> list[Span]:
        words = [word for word, _span in tokens]
        found: set[int] = set()
        for i, word in enumerate(words):
            if tuple(words[i : i + RUN]) in self._runs:
                found.update(range(i, i + RUN))
            for whole in self._whole.get(word, ()):
                if tuple(words[i : i + len(whole)]) == whole:
                    found.update(range(i, i + len(whole)))
        return sorted({tokens[i][1] for i in found})


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
    return re.compile(rf"(?:{choices})(?![\w-])", re.IGNORECASE)
