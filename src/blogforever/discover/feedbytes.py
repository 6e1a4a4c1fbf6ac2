"""Bytes that should be a feed, made fit for an XML parser: decoded, without document type, without what XML forbids."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from blogforever.errors import FeedError

LARGEST = 64 * 2**20
"""Bytes read of one feed; the rest is left."""

MOST_ENTRIES = 20_000
MOST_TAGS = 300_000
MOST_REFERENCES = 1_000_000
MOST_CATEGORIES = 1_000
"""Entries, tags and references in one feed, categories of one entry: far above real feeds, below what takes minutes."""

_DECLARED = re.compile(rb"^[^<]{0,64}<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"))
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
_REFERENCE = re.compile(r"&#(x[0-9a-f]{1,12}|\d{1,12});(?:&#(x[0-9a-f]{1,8}|\d{1,8});)?", re.IGNORECASE)
_PROLOG = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL | re.IGNORECASE)
_COUNTED = re.compile(r"<!\[CDATA\[|&|<(?:[\w.-]+:)?(?:(item|entry)|(category|subject|keywords))?\b|<", re.IGNORECASE)
_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)  # one without an end runs to that of the text
_ROOT = re.compile(r"<((?:[A-Za-z_][\w.-]*:)?(?:rss|RDF|feed|channel))(?=[\s>/])", re.IGNORECASE)


class Prepared(NamedTuple):
    """A feed's XML as UTF-8, and what had to be mended."""

    xml: bytes
    root: str
    problems: list[str]


def decode_feed(content: bytes) -> str:
    """The text of a feed: BOM, valid UTF-8, declaration, in this order; stray bytes in UTF-8 are Windows-1252."""
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
        pass
    if declared and not declared.startswith(("utf", "x-utf")):
        return _decode(content, _WIDER.get(declared, declared))
    return _decode_mixed(content, bool(declared))


def _decode(content: bytes, name: str) -> str:
    try:
        return content.decode(name, "replace")
    except (LookupError, ValueError):
        return _decode_mixed(content, False)


def _decode_mixed(content: bytes, said_utf8: bool) -> str:
    text = content.decode("utf-8", "surrogateescape")
    stray = sum(len(run) for run in _STRAY_BYTES.findall(text[:200_000]))
    if not said_utf8 and stray > 20:
        guess = _guess(content[:200_000])
        if guess:
            return content.decode(guess, "replace")
    return _STRAY_BYTES.sub(_stray_bytes, text)


def _stray_bytes(match: re.Match[str]) -> str:
    return match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def _guess(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415 slow to import, seldom needed

    best = from_bytes(sample, cp_isolation=None, threshold=0.3).best()
    return best.encoding if best and best.encoding not in ("utf_8", "ascii") else None


def prepare(text: str) -> Prepared:
    """The part of a document that is an XML feed; raises FeedError where there is none."""
    problems: list[str] = []
    start = _end_of_prolog(text)
    root = _ROOT.match(text, start) or _ROOT.search(text, start)
    if root is None:
        raise FeedError(_what_it_is(text[start : start + 4096]))
    if root.start() != start:
        problems.append("text before the feed")
    body = _until_end(text[root.start() :], root[1], problems)
    body = _bounded(body, problems)
    clean = _FORBIDDEN.sub("", _REFERENCE.sub(_reference, body))
    if len(clean) != len(body) and _FORBIDDEN.search(body):
        problems.append("control characters in the feed")
    xml = b'<?xml version="1.0" encoding="utf-8"?>\n' + clean.encode("utf-8", "replace")
    return Prepared(xml, root[1], problems)


def _end_of_prolog(text: str) -> int:
    """Where the root should begin. The document type goes: entities are never declared, so none can explode."""
    position = 1 if text.startswith("\ufeff") else 0
    while match := _PROLOG.match(text, position):
        position = match.end()
    return position


def _until_end(body: str, name: str, problems: list[str]) -> str:
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
            problems.append("more entries or markup than is read: the rest is left")
            return body[: match.start()]
    return body


def _too_much(entries: int, tags: int, references: int, categories: int) -> bool:
    return entries > MOST_ENTRIES or tags > MOST_TAGS or references > MOST_REFERENCES or categories > MOST_CATEGORIES


def _code(digits: str) -> int:
    return int(digits[1:], 16) if digits[0] in "xX" else int(digits)


def _reference(match: re.Match[str]) -> str:
    """References to what is no character go; two halves of a surrogate pair become the character they mean."""
    first = _code(match[1])
    if match[2] is None:
        return match[0] if _allowed(first) else ""
    second = _code(match[2])
    if 0xD800 <= first < 0xDC00 <= second < 0xE000:
        return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    return "".join(f"&#{code};" for code in (first, second) if _allowed(code))


def _allowed(code: int) -> bool:
    return code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000


def _what_it_is(start: str) -> str:
    """One sentence on a document that is no feed."""
    lowered = start.lower()
    if not start.strip():
        return "The document is empty, not a feed."
    if _FORBIDDEN.search(start) or start.count("\ufffd") > 20:
        return "The document is binary data, not a feed."
    for mark, name in (("<urlset", "a sitemap"), ("<sitemapindex", "a sitemap"), ("<opml", "an OPML list")):
        if mark in lowered:
            return f"The document is {name}, not a feed."
    if re.search(r"<(?:html|head|body|title|div|p|a|script|meta|table)[\s>]", lowered):
        return "The document is an HTML page, not a feed."
    return "The document has no rss, feed or channel element: it is not a feed."
