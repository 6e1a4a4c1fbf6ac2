"""Bytes that should be a feed, made fit for an XML parser: decoded, without document type, without what XML forbids."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from blogforever.discover.feedmends import mended_text, with_entities, with_namespaces
from blogforever.dom import likely_charset
from blogforever.errors import FeedError

LARGEST = 64 * 2**20
"""Bytes read of one feed; the rest is left."""

REST_LEFT = "the rest is left"
"""Ends what is said of a feed that is more than is read."""

MOST_ENTRIES = 20_000
MOST_TAGS = 300_000
MOST_REFERENCES = 1_000_000
MOST_CATEGORIES = 1_000
"""Entries, tags and references in one feed, categories of
one entry: far above real feeds, below what takes minutes.
"""
# Characters in which the encoding of a text that says
# nothing of it can be guessed; guessing is slow.
_SAMPLE = 200_000
# Bytes that are no UTF-8 beyond which a text is in
# another encoding as a whole; fewer were pasted in.
_MOST_STRAY = 20
# Characters of a document in which it shows what it is,
# if it is no feed; so many broken ones are no text.
_BEGINNING, _MOST_BROKEN = 4096, 20

_DECLARED = re.compile(
    rb"^[^<]{0,64}<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})",
    re.IGNORECASE,
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
)
_WIDE_BOMS = (
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_WIDER = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
}
_NOT_8_BIT = re.compile(r"iso-2022-|hz|utf-7")
_STRAY_BYTES = re.compile("[\udc80-\udcff]+")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(
    r"&#(x[0-9a-f]{1,12}|\d{1,12});(?:&#(x[0-9a-f]{1,8}|\d{1,8});)?",
    re.IGNORECASE,
)
_PROLOG = re.compile(
    r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>",
    re.DOTALL | re.IGNORECASE,
)
_COUNTED = re.compile(
    r"<!\[CDATA\[|&|<(?:[\w.-]+:)?(?:(item|entry)|(category|subject|keywords))?\b|<",
    re.IGNORECASE,
)
# One without an end runs to that of the text.
_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
_ROOT = re.compile(r"<((?:[A-Za-z_][\w.-]*:)?(?:rss|RDF|feed|channel))(?=[\s>/])", re.IGNORECASE)


class Prepared(NamedTuple):
    """A feed's XML as UTF-8, and what had to be mended."""

    xml: bytes
    root: str
    problems: list[str]


def decode_feed(content: bytes, charset: str = "") -> str:
    """The text of a feed: BOM, valid UTF-8, declaration, what its server says, in this order.

    Stray bytes in UTF-8 are Windows-1252.
    """
    for bom, name in _BOMS + _WIDE_BOMS:
        if content.startswith(bom):
            return content.decode(name, "replace").removeprefix("\ufeff")
    match = _DECLARED.match(content)
    declared = match[1].decode("ascii").lower() if match else ""
    if _NOT_8_BIT.match(declared):
        return _decode(content, declared)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_other(content, declared, charset.strip(" \"'").lower())


def _decode_other(content: bytes, declared: str, stated: str) -> str:
    """A text that is not wholly in UTF-8: as it declares, else as its server says, else as it
    looks.
    """
    if declared and not _says_utf8(declared):
        return _decode(content, _WIDER.get(declared, declared))
    server_knows = bool(stated) and not _says_utf8(stated)
    if server_knows and (not declared or _is_in_another(content)):
        return _decode(content, _WIDER.get(stated, stated))
    return _decode_mixed(content, _says_utf8(declared) or _says_utf8(stated))


def _says_utf8(name: str) -> bool:
    return name.startswith(("utf", "x-utf"))


def _decode(content: bytes, name: str) -> str:
    """A text in the encoding it declares, where Python knows that."""
    try:
        return content.decode(name, "replace")
    except (LookupError, ValueError):
        return _decode_mixed(content, says_utf8=False)


def _decode_mixed(content: bytes, says_utf8: bool) -> str:
    """UTF-8 with pieces in Windows-1252.

    Or, where the document does not insist and much is odd, what it looks like.
    """
    if not says_utf8 and _is_in_another(content):
        return content.decode(likely_charset(content[:_SAMPLE]), "replace")
    return _STRAY_BYTES.sub(_stray_bytes, content.decode("utf-8", "surrogateescape"))


def _is_in_another(content: bytes) -> bool:
    """Whether so much of a text is no UTF-8 that it is in another encoding as a whole."""
    begun = content[:_SAMPLE].decode("utf-8", "surrogateescape")
    return sum(len(run) for run in _STRAY_BYTES.findall(begun)) > _MOST_STRAY


def _stray_bytes(match: re.Match[str]) -> str:
    """Bytes that are no UTF-8, read as Windows-1252."""
    return match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def prepare(text: str) -> Prepared:
    """The part of a document that is an XML feed; raises FeedError where there is none."""
    problems: list[str] = []
    start = _end_of_prolog(text)
    root = _ROOT.match(text, start) or _ROOT.search(text, start)
    if root is None:
        raise FeedError(_what_it_is(text[start : start + _BEGINNING]))
    if root.start() != start:
        problems.append("text before the feed")
    body = _until_end(text[root.start() :], root[1], problems)
    body = _bounded(with_entities(body, text[:start]), problems)
    body = with_namespaces(mended_text(body), root[1])
    clean = _FORBIDDEN.sub("", _REFERENCE.sub(_reference, body))
    if len(clean) != len(body) and _FORBIDDEN.search(body):
        problems.append("control characters in the feed")
    xml = b'<?xml version="1.0" encoding="utf-8"?>\n' + clean.encode("utf-8", "replace")
    return Prepared(xml, root[1], problems)


def _end_of_prolog(text: str) -> int:
    """Where the root should begin. The document type goes:
    entities are never declared, so none can explode.
    """
    position = 1 if text.startswith("\ufeff") else 0
    while match := _PROLOG.match(text, position):
        position = match.end()
    return position


def _until_end(body: str, name: str, problems: list[str]) -> str:
    """The feed up to the last end of its root."""
    closing = f"</{name}>"
    end = body.rfind(closing)
    if end < 0:
        return body
    end += len(closing)
    if _COMMENT.sub("", body[end:]).strip():
        problems.append("text after the feed")
    return body[:end]


def _bounded(body: str, problems: list[str]) -> str:
    """The feed up to where it becomes more than any parser should be given."""
    if body.count("<") <= MOST_CATEGORIES and body.count("&") <= MOST_REFERENCES:
        return body
    tags = references = entries = categories = position = 0
    while match := _COUNTED.search(body, position):
        position = match.end()
        if match[0] == "<![CDATA[":
            position = body.find("]]>", position)
            if position < 0:
                break
            continue
        references += match[0] == "&"
        tags += match[0] != "&"
        if match[1]:
            entries, categories = entries + 1, 0
        categories += bool(match[2])
        if _too_much(entries, tags, references, categories):
            problems.append(f"more entries or markup than is read: {REST_LEFT}")
            return body[: match.start()]
    return body


def _too_much(entries: int, tags: int, references: int, categories: int) -> bool:
    """Whether any of the bounds is passed."""
    if entries > MOST_ENTRIES or categories > MOST_CATEGORIES:
        return True
    return tags > MOST_TAGS or references > MOST_REFERENCES


_HEXADECIMAL = 16
# Of Unicode: the halves of surrogate pairs, which begin
# and end there; what follows the characters of 16 bits.
_FIRST_HIGH, _FIRST_LOW, _AFTER_SURROGATES, _FIRST_WIDE = 0xD800, 0xDC00, 0xE000, 0x10000
_HALF_BITS = 10
# The characters that XML 1.0 allows, as ranges without their ends.
_ALLOWED = (
    range(0x9, 0xB),
    range(0xD, 0xE),
    range(0x20, _FIRST_HIGH),
    range(_AFTER_SURROGATES, 0xFFFE),
    range(_FIRST_WIDE, 0x110000),
)


def _code(digits: str) -> int:
    """The number of a character reference."""
    return int(digits[1:], _HEXADECIMAL) if digits[0] in "xX" else int(digits)


def _reference(match: re.Match[str]) -> str:
    """References to what is no character go.

    Two halves of a surrogate pair become the character they mean.
    """
    first = _code(match[1])
    if match[2] is None:
        return match[0] if _allowed(first) else ""
    second = _code(match[2])
    if _FIRST_HIGH <= first < _FIRST_LOW <= second < _AFTER_SURROGATES:
        return chr(_FIRST_WIDE + ((first - _FIRST_HIGH) << _HALF_BITS) + (second - _FIRST_LOW))
    return "".join(f"&#{code};" for code in (first, second) if _allowed(code))


def _allowed(code: int) -> bool:
    """Whether XML allows a character."""
    return any(code in characters for characters in _ALLOWED)


def _what_it_is(start: str) -> str:
    """One sentence on a document that is no feed."""
    lowered = start.lower()
    if not start.strip():
        return "The document is empty, not a feed."
    if _FORBIDDEN.search(start) or start.count("\ufffd") > _MOST_BROKEN:
        return "The document is binary data, not a feed."
    for mark, name in (
        ("<urlset", "a sitemap"),
        ("<sitemapindex", "a sitemap"),
        ("<opml", "an OPML list"),
    ):
        if mark in lowered:
            return f"The document is {name}, not a feed."
    if re.search(r"<(?:html|head|body|title|div|p|a|script|meta|table)[\s>]", lowered):
        return "The document is an HTML page, not a feed."
    return "The document has no rss, feed or channel element: it is not a feed."
