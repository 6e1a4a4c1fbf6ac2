"""What a document says of one post beside its words: the entry of a feed, the object of an API, the
text of a link.

An address that must go tells where: a title of one word, an author, tags and a slug are told by
nothing else. What is found is made unreadable letter by letter, so that lengths, mark-up and JSON
stay valid.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]
MARK = "x"
_LESS, _MORE = r"(?:<|&(?:amp;){0,3}lt;|\\u003[cC])", re.compile(r">|&(?:amp;){0,3}gt;|\\u003[eE]")
_QUOTE = r"(?:&(?:amp;){0,3}(?:quot|#34|#x22);|\\{1,3}\")"
# A link as it stands right before its address, written out or escaped; it is not looked for further
# back.
_LINK = re.compile(rf"{_LESS}a(?![\w-])(?:(?!&(?:amp;){{0,3}}[lg]t;|\\u003)[^<>])*\Z", re.IGNORECASE)
_LINK_ENDS = re.compile(rf"{_LESS}\\?/a(?![\w-])", re.IGNORECASE)
_HEADINGS = re.compile(r"<(/?)h[1-6](?![\w-])", re.IGNORECASE)
BEFORE, AFTER = 800, 4000  # letters of a link before and behind its address
_TAG = re.compile(r"<[^<>]{0,4000}>")
_SHOWN_ATTRIBUTE = re.compile(
    r"""(?<=\s)(?:title|alt|term|label|content|aria-label|data-[\w-]*title)\s*=\s*("[^"]*"|'[^']*')""", re.IGNORECASE
)
_CLOSING = re.compile(r"</(item|entry|article|script)(?![\w:-])", re.IGNORECASE)
_ESCAPED_ATTRIBUTE = re.compile(rf"\s(?:title|alt|aria-label)\s*=\s*{_QUOTE}([^<>&\\]*)(?={_QUOTE})", re.IGNORECASE)
_ENTRY = re.compile(r"<(item|entry)(?![\w:-])[^<>]*>", re.IGNORECASE)
_ARTICLE = re.compile(r"<(article)(?![\w:-])[^<>]*>", re.IGNORECASE)
# The entry's own address stands in one of these; elsewhere it is that of another post.
_OWN = re.compile(r"<(?:\w+:)?(?:link|guid|id|origlink)(?![\w-])[^<>]*>?[^<>]*\Z", re.IGNORECASE)
# What is kept of an entry: by these it is still an entry, of some day, which leads nowhere.
_KEPT_PARTS = re.compile(
    r"<((?:\w+:)?(?:link|guid|id|origlink|pubdate|published|updated|modified|date|issued))(?![\w-])[^<>]*>[^<>]*</\1\s*>",
    re.IGNORECASE,
)
_SKIPPED = re.compile(r"<!\[CDATA\[|\]\]>|<[^<>]{0,4000}>|&#?\w{1,32};|[^\W_]")
_SCRIPT = re.compile(r"<(script)(?![\w-])[^<>]*>", re.IGNORECASE)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\]]', re.DOTALL)
_OWN_KEYS = frozenset("link url permalink href guid id external_url permalinkurl @id mainentityofpage".split())
_KEPT_KEYS = _OWN_KEYS | frozenset(
    "type @type @context status format rel kind date date_gmt modified modified_gmt published updated"
    " datepublished datemodified".split()
)
_LISTS_OF_LINKS = frozenset({"link", "links", "alternate"})


def blank_regions(text: str, places: Iterable[Span]) -> str:
    """The text without what it says of posts whose addresses stand at these places."""
    hits = sorted(places)
    if not hits:
        return text
    letters = list(text)
    for start, end in _regions(text, hits):
        letters[start:end] = masked(text[start:end])
    for start, end in (*_strings(text, hits), *_attributes(text, hits)):
        letters[start:end] = MARK * (end - start)
    return "".join(letters)


def masked(text: str) -> str:
    """A piece of mark-up with every letter of its text unreadable."""
    return _SKIPPED.sub(lambda found: found[0] if len(found[0]) > 1 else MARK, text)


def _regions(text: str, hits: list[Span]) -> Iterator[Span]:
    """The pieces of mark-up whose text goes."""
    starts = [start for start, _end in hits]
    for entry in _own_entries(text, starts):
        yield from _without_kept(text, entry)
    for whole in _blocks(text, _ARTICLE):
        if any(_is_in_heading(text, whole, place) for place in _within(starts, whole)):
            yield whole
    yield from _link_texts(text, hits)


def _own_entries(text: str, starts: list[int]) -> Iterator[Span]:
    """The entries of a feed whose own address begins at one of these places."""
    for whole in _blocks(text, _ENTRY):
        if any(_is_own(text, whole, place) for place in _within(starts, whole)):
            yield whole


def _is_in_heading(text: str, article: Span, place: int) -> bool:
    """Whether a place stands in a heading: the last tag of one before it opens it."""
    tags = list(_HEADINGS.finditer(text, max(article[0], place - BEFORE), place))
    return bool(tags) and not tags[-1][1]


def _link_texts(text: str, hits: list[Span]) -> Iterator[Span]:
    """What stands between the tags of the links with these addresses."""
    for start, end in hits:
        if _LINK.search(text, max(0, start - BEFORE), start) is None:
            continue
        opened = _MORE.search(text, end, end + BEFORE)
        closed = _LINK_ENDS.search(text, opened.end(), opened.end() + AFTER) if opened else None
        if opened and closed:
            yield opened.end(), closed.start()


def _blocks(text: str, opening: re.Pattern[str]) -> Iterator[Span]:
    """The elements of a kind, from the inside of their first tag to their last."""
    ends: dict[str, list[int]] = {}
    for tag in _CLOSING.finditer(text):
        ends.setdefault(tag[1].lower(), []).append(tag.start())
    for tag in opening.finditer(text):
        after = ends.get(tag[1].lower(), [])
        number = bisect_left(after, tag.end())
        if number < len(after):
            yield tag.end(), after[number]


def _within(starts: list[int], whole: Span) -> list[int]:
    return starts[bisect_left(starts, whole[0]) : bisect_left(starts, whole[1])]


def _is_own(text: str, entry: Span, place: int) -> bool:
    """Whether the address at this place is that of the entry, and not one that it speaks of."""
    return _OWN.search(text, max(entry[0], place - BEFORE), place) is not None


def _without_kept(text: str, whole: Span) -> Iterator[Span]:
    """An entry without its addresses and dates."""
    done = whole[0]
    for part in _KEPT_PARTS.finditer(text, *whole):
        yield done, part.start()
        done = part.end()
    yield done, whole[1]


def _attributes(text: str, hits: list[Span]) -> Iterator[Span]:
    """What tags with these addresses say to people; and in an entry, which tags it has."""
    for start, end in hits:
        yield from _of_tag(text, start, end)
        escaped = _LINK.search(text, max(0, start - BEFORE), start)
        if escaped and (ends := _MORE.search(text, end, end + BEFORE)):
            yield from (found.span(1) for found in _ESCAPED_ATTRIBUTE.finditer(text, escaped.start(), ends.end()))
    for whole in _own_entries(text, [start for start, _end in hits]):
        for tag in _TAG.finditer(text, *whole):
            yield from _values(text, tag.span())


def _of_tag(text: str, start: int, end: int) -> Iterator[Span]:
    """The attributes of the tag that an address stands in."""
    opened = text.rfind("<", max(0, start - BEFORE), start)
    closed = text.find(">", end, end + BEFORE)
    if opened >= 0 and closed > 0 and text.find(">", opened, start) < 0:
        yield from _values(text, (opened, closed))


def _values(text: str, tag: Span) -> Iterator[Span]:
    for found in _SHOWN_ATTRIBUTE.finditer(text, *tag):
        yield found.start(1) + 1, found.end(1) - 1


def _strings(text: str, hits: list[Span]) -> Iterator[Span]:
    """The strings of every object, in JSON or in a script, whose own address one of these is."""
    is_markup = text.lstrip()[:1] == "<"
    pieces = _blocks(text, _SCRIPT) if is_markup else [(0, len(text))]
    starts = [start for start, _end in hits]
    for piece in pieces:
        if _within(starts, piece):
            yield from _Objects(text, starts).read(piece)


class _Objects:
    """Reads JSON once from left to right; `_open` are the objects and lists around the place where it is."""

    def __init__(self, text: str, starts: list[int]) -> None:
        self._text, self._starts = text, starts
        self._open: list[_Object] = []
        self._found: list[Span] = []
        self._key = ""

    def read(self, piece: Span) -> Iterator[Span]:
        """The places of all strings that go."""
        for token in _JSON.finditer(self._text, *piece):
            if token[0] in "{[":
                self._open.append(_Object(token[0], self._key, len(self._found)))
                self._key = ""
            elif token[0] in "}]":
                yield from self._closed()
            else:
                self._string(token.span())

    def _string(self, place: Span) -> None:
        start, end = place
        if self._text[end : end + 9].lstrip().startswith(":"):
            self._key = self._text[start + 1 : end - 1].lower()
            return
        if not self._open:
            return
        inside = self._open[-1]
        if self._key in _OWN_KEYS and _within(self._starts, place):
            self._owner().goes = True
        if self._key not in _KEPT_KEYS:
            self._found.append((start + 1, end - 1))
        if inside.kind == "{":
            self._key = ""

    def _owner(self) -> _Object:
        """The object that an address belongs to: a list of links is its owner's."""
        *around, inside = self._open
        if len(around) > 1 and around[-1].kind == "[" and around[-1].key in _LISTS_OF_LINKS:
            return around[-2]
        return inside

    def _closed(self) -> Iterator[Span]:
        if not self._open:
            return
        done = self._open.pop()
        self._key = ""
        if done.goes:
            yield from self._found[done.first :]
            # Who holds it need not give them out again.
            del self._found[done.first :]


@dataclass(slots=True)
class _Object:
    """An object or a list: under which key it stands, the number of its first string, and whether it goes."""

    kind: str
    key: str
    first: int
    goes: bool = False
