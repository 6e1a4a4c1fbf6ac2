"""From bytes to a tree and from text to words: decoding, bounded parsing, tokens; no recursion anywhere."""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.elements import UNSEEN, word_set
from blogforever.thinning import (
    CLOSES_P,
    FEWEST_CUT,
    MAX_DEPTH,
    PLAIN_DEPTH,
    count_tags,
    flat,
    is_cheap,
    is_cut,
    is_plain,
    may_be_deep,
    thinned,
)
from blogforever.urls import join

# Characters of a page that are read: longer ones are data.
MAX_CHARS = 20_000_000
# Elements the parser adds by itself and clones of formatting stand between those counted.
TANGLED_DEPTH = 3 * MAX_DEPTH
# Characters that did decode for each that did not, in a
# text that is in this encoding but for a few pasted pieces.
SOUND_FOR_BROKEN = 10
# Bytes in which a text without any mark shows that each of its characters has two: NULs in at least
# three of ten of them, four times as many in one of the two places.
WIDE_HEAD, WIDE_NULS, WIDE_OF, WIDE_TIMES = 512, 3, 10, 4
# Bytes in which a page declares its encoding.
DECLARING_HEAD = 4096
# Bytes in which odd ones are looked for; of these so many,
# with what stands before the first, are shown to the guesser.
GUESSED_HEAD, GUESSED_BYTES, BEFORE_GUESSED = 2_000_000, 60_000, 1000
# Fewer odd bytes than this tell no encoding.
TELLING_BYTES = 8
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


# ----------------------------------------------------------------------------------------------
# decoding

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
META_CHARSET = re.compile(
    rb"<meta[^<>]{0,300}?charset\s*+=\s*+(?:[\"']\s*+)?([\w.:+-]{2,40})",
    re.IGNORECASE,
)
XML_CHARSET = re.compile(
    rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]{2,40})",
    re.IGNORECASE,
)
# So much more disorder than in the likeliest charset may be chance: accents that stand seldom in
# one language.
AS_ORDERLY = 0.05
HEADER_CHARSET = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([\w.:+-]{2,40})", re.IGNORECASE)
HIGH_BYTES = re.compile(rb"[\x80-\xff]")
HIGH_CHARS = re.compile(r"[^\x00-\x7f]")
C1_CONTROLS = re.compile("[\x80-\x9f]")

# The WHATWG encoding standard: a label means the superset that browsers read it as.
LABELS = {
    "cp1252": "iso-8859-1 iso8859-1 iso88591 latin1 latin-1 l1 ascii us-ascii windows-1252 x-cp1252 cp1252 ansi",
    "gb18030": "gb2312 gb_2312 gb_2312-80 gbk x-gbk gb18030 chinese csgb2312",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932 cp932",
    "cp949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 uhc cp949",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
    "cp1254": "iso-8859-9 latin5 iso8859-9 windows-1254",
    "cp874": "tis-620 iso-8859-11 iso8859-11 windows-874",
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 x-unicode20utf8 utf8mb4",
    "koi8-u": "koi8-u koi8-ru",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "mac-roman": "macintosh mac x-mac-roman",
    "iso8859-8": "iso-8859-8 iso-8859-8-i logical visual",
}
CODECS = {label: codec for codec, labels in LABELS.items() for label in labels.split()}
# Python codecs that are no character sets of the web, or unsafe ones.
NOT_TEXT = word_set(
    "utf-7 idna punycode unicode_escape raw_unicode_escape utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be "
    "undefined mbcs oem cp037 cp500 cp1140 cp424 cp273 cp1026"
)
# What Windows puts where the web's Western encoding has control characters; five places are empty.
CP1252 = {byte: ord(character) for byte in range(0x80, 0xA0) if (character := bytes([byte]).decode("cp1252", "ignore"))}


def decode(content: bytes, headers: Mapping[str, str] = NO_HEADERS) -> str:
    """The text of a response, whatever it declares itself to be; never raises, NULs dropped."""
    for bom, codec in BOMS:
        if content.startswith(bom):
            return content[len(bom) :].decode(codec, "replace").replace("\0", "")
    if content.isascii() and b"\x1b" not in content and b"\0" not in content:
        return content.decode("ascii")
    if wide := _utf16(content):
        return content.decode(wide, "replace").replace("\0", "")
    return _decode_bytes(content.replace(b"\0", b""), content[:DECLARING_HEAD], headers)


def _decode_bytes(content: bytes, head: bytes, headers: Mapping[str, str]) -> str:
    """Text in UTF-8 if it can be, else in what it declares, for which it is searched only then: most can."""
    if content.isascii() and "iso2022_jp" in _declared(head, headers):
        return content.decode("iso2022_jp", "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        lenient = content.decode("utf-8", "replace")
    if _mostly_sound(lenient):
        return lenient
    return _legacy(content, [codec for codec in _declared(head, headers) if codec != "utf-8"])


def _legacy(content: bytes, declared: list[str]) -> str:
    """Text that is not UTF-8: in the first declared charset that fits, else in a guessed one."""
    for codec in declared:
        text = _decode_as(content, codec)
        if "\ufffd" not in text or _mostly_sound(text):
            return text
    return _decode_as(content, _guess(content))


def _decode_as(content: bytes, codec: str) -> str:
    """Text in an encoding; the superset that browsers read as Western has holes in Python's own."""
    if codec != "cp1252":
        return content.decode(codec, "replace")
    text = content.decode("latin-1")
    return text.translate(CP1252) if C1_CONTROLS.search(text) else text


def _mostly_sound(text: str) -> bool:
    """Whether broken bytes are few beside the characters that did decode."""
    broken = text.count("\ufffd")
    return len(HIGH_CHARS.findall(text)) >= broken * SOUND_FOR_BROKEN


def _utf16(content: bytes) -> str | None:
    """UTF-16 without a byte order mark shows as NULs in every second place of its mark-up."""
    head = content[:WIDE_HEAD]
    even, odd = head[::2].count(0), head[1::2].count(0)
    few, many = sorted((even, odd))
    if many * WIDE_OF < len(head) * WIDE_NULS or few * WIDE_TIMES > many:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _declared(head: bytes, headers: Mapping[str, str]) -> list[str]:
    """Usable declarations, the most binding first."""
    stated = stated_charset(headers)
    labels = [stated] if stated else []
    for pattern in (META_CHARSET, XML_CHARSET):
        if in_page := pattern.search(head):
            labels.append(in_page[1].decode("ascii"))
    codecs_declared = [_codec(label) for label in labels]
    return list(dict.fromkeys(codec for codec in codecs_declared if codec))


def _codec(label: str) -> str | None:
    """The Python codec a declared label stands for, or
    None for one that is unknown or no text encoding.
    """
    label = label.strip().lower()
    if known := CODECS.get(label):
        return known
    try:
        info = codecs.lookup(label)
    except (LookupError, ValueError):
        return None
    is_text = getattr(info, "_is_text_encoding", True)
    is_unsafe = info.name in NOT_TEXT or info.name.replace("_", "-") in NOT_TEXT
    return info.name if is_text and not is_unsafe else None


def _guess(content: bytes) -> str:
    """The likeliest charset of undeclared bytes.

    A few odd bytes say too little and are read as Western.
    """
    high = [match.start() for match in HIGH_BYTES.finditer(content[:GUESSED_HEAD])]
    if len(high) < TELLING_BYTES:
        return "cp1252"
    start = max(0, high[0] - BEFORE_GUESSED)
    return likely_charset(content[start : start + GUESSED_BYTES])


def likely_charset(sample: bytes) -> str:
    """The likeliest charset of bytes that are no UTF-8: Western where that is nearly as likely as
    the likeliest.

    Most Latin encodings make words of Western bytes, and by far the most such texts are Western.
    """
    from charset_normalizer import from_bytes  # noqa: PLC0415  slow to import and seldom needed

    matches = from_bytes(sample, enable_fallback=False)
    best = matches.best()
    if best is None:
        return "cp1252"
    western = [match for match in matches if "cp1252" in (match.encoding, *match.could_be_from_charset)]
    if any(match.chaos <= best.chaos + AS_ORDERLY for match in western):
        return "cp1252"
    return _codec(best.encoding) or "cp1252"


def stated_charset(headers: Mapping[str, str]) -> str:
    """The charset that a server names; empty where it names none."""
    for name, value in headers.items():
        if name.lower() == "content-type" and (in_header := HEADER_CHARSET.search(value or "")):
            return in_header[1]
    return ""


# ----------------------------------------------------------------------------------------------
# parsing


def _deeper_than(depth: int) -> str:
    """What finds an element in so many others, each in the one before.

    Where one stands so deep, so does the first beside it, and to ask for those alone is to ask half of all.
    """
    return ">".join([*("*" * depth), ":first-child"])


# Hardly any page for people is half as deep as the bound, and the longer question takes longer to read.
RATHER_DEEP, DEEP = _deeper_than(PLAIN_DEPTH), _deeper_than(MAX_DEPTH)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def parse(html: str, before: str = "") -> LexborHTMLParser:
    """A tree of the text, with mark-up of ours before it; empty or hostile input gives a tree too."""
    html = _readable(html)
    tags = count_tags(html)
    if is_cheap(html, tags):
        tree = LexborHTMLParser(before + html)
        if not (may_be_deep(tags) and is_too_deep(tree)):
            return tree
    return LexborHTMLParser(before + _thin(html))


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """What the links of a page are relative to."""
    node = tree.css_first("base[href]")
    href = node.attributes.get("href") if node else None
    return (join(url, href) if href else None) or url


def attributes_of(node: LexborNode) -> dict[str, str]:
    """The attributes of an element; one without a value is empty."""
    return {name: value or "" for name, value in node.attributes.items()}


def bounded(html: str) -> str:
    """The same mark-up where it is ordinary.

    Else without what would make the parser slow or its tree huge.
    """
    html = _readable(html)
    return html if is_plain(html) else _thin(html)


def _readable(html: str) -> str:
    """As much of a text as is read."""
    html = html[:MAX_CHARS]
    return html.replace("\0", "") if "\0" in html else html


def is_read_in_part(content: bytes, headers: Mapping[str, str] = NO_HEADERS) -> bool:
    """Whether a page is longer, or has more mark-up, than is read of any."""
    may_be_long = len(content) > MAX_CHARS
    if not may_be_long and content.count(b"<") < FEWEST_CUT:
        return False
    text = decode(content, headers)
    return len(text) > MAX_CHARS or is_cut(text)


def _thin(html: str) -> str:
    thin = thinned(html)
    return flat(thin) if _is_deep(LexborHTMLParser(thin)) else thin


def is_too_deep(tree: LexborHTMLParser) -> bool:
    """Whether a tree is deeper than the bound."""
    return tree.css_first(RATHER_DEEP) is not None and tree.css_first(DEEP) is not None


def _is_deep(tree: LexborHTMLParser) -> bool:
    """Whether tags were so tangled that the bound on depth was missed."""
    return tree.root is not None and any(depth > TANGLED_DEPTH for _node, depth in walk(tree.root))


def load_json(text: str) -> Any:
    """A JSON document, raw line breaks in its strings and
    all, without the half characters that escapes can make.
    """
    if HALF_CHARACTER.search(text):
        whole = json.dumps(json.loads(text, strict=False), ensure_ascii=False)
        text = whole.encode("utf-8", "replace").decode()
    return json.loads(text, strict=False)


def walk(node: LexborNode) -> Iterator[tuple[LexborNode, int]]:
    """The elements and texts under a node in document order,
    the node first, each with its depth below the node.
    """
    current, depth = node, 0
    while True:
        yield current, depth
        if (below := current.first_child) is not None:
            current, depth = below, depth + 1
            continue
        while depth:
            if (beside := current.next) is not None:
                current = beside
                break
            parent = current.parent
            if parent is None:
                return
            current, depth = parent, depth - 1
        if not depth:
            return


# ----------------------------------------------------------------------------------------------
# words

# Where a text has nothing else, its words are cut in half the time: letters and digits are small,
# all else is a space.
ASCII_WORDS = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
# Vowels and other signs on a letter, in scripts written with spaces: without them an Indic word
# would be several.
ON_LETTERS = "".join(sign for sign in map(chr, range(0x300, 0xE00)) if unicodedata.category(sign).startswith("M"))
WORDS = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:[{ON_LETTERS}]+[^\W_{UNSPACED}]*)*")
IGNORABLE = re.compile("[\u00ad\u200b\ufeff]")
# As many as text that is safe for streams has (Unicode's annex 15), and a little more than any
# language needs on one letter.
MOST_MARKS = 30
# A run of marks is one of these, and may be told apart letter by letter then.
NO_WORDS = re.compile(rf"[^\w\s\x00-\x7f]{{{MOST_MARKS + 1},}}")
# Characters of a text; in fewer no run is long enough to matter.
LONG_TEXT = 500


def with_few_marks(text: str) -> str:
    """A text that can be normalised: sorting a run of combining marks takes quadratic time, and a
    long one says nothing.
    """
    if len(text) <= LONG_TEXT or text.isascii():
        return text
    return NO_WORDS.sub(_with_few_in_a_row, text)


def _with_few_in_a_row(found: re.Match[str]) -> str:
    kept, in_a_row = [], 0
    for letter in found[0]:
        in_a_row = in_a_row + 1 if unicodedata.category(letter).startswith("M") else 0
        if in_a_row <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def tokenise(text: str) -> list[str]:
    """Words for comparison: casefolded NFKC, single
    characters in scripts that are written without spaces.
    """
    if text.isascii():
        return text.translate(ASCII_WORDS).split()
    text = unicodedata.normalize("NFKC", with_few_marks(text)).casefold()
    return WORDS.findall(IGNORABLE.sub("", text))


BREAKS = CLOSES_P | {"br", "li", "dt", "dd", "tr", "td", "th", "table"}


def node_text(node: LexborNode, left_out: Collection[int] = ()) -> str:
    """The visible text of a title-like node in one line, without the parts whose memory ids are left out."""
    # Most are simple: a heading that holds a link that holds the words.
    only = node.first_child
    while only is not None and only.next is None:
        if only.tag in UNSEEN or (left_out and only.mem_id in left_out):
            return ""
        if only.is_text_node:
            return " ".join((only.text_content or "").split())
        only = only.first_child
    if only is None:
        return " ".join(node.text().split())
    return " ".join("".join(_pieces(node, left_out)).split())


def _pieces(node: LexborNode, left_out: Collection[int]) -> Iterator[str]:
    """The visible texts under a node, with a space where a line ends between them."""
    skipped = -1
    open_blocks: list[int] = []
    for current, depth in walk(node):
        if 0 <= skipped < depth:
            continue
        skipped = -1
        if _closes_block(open_blocks, depth):
            yield " "
        if depth and (current.tag in UNSEEN or (left_out and current.mem_id in left_out)):
            skipped = depth
        elif current.is_text_node:
            yield current.text_content or ""
        elif current.tag in BREAKS:
            yield " "
            open_blocks.append(depth)


def _closes_block(open_blocks: list[int], depth: int) -> bool:
    """Take off the blocks that end before an element of this depth, and say whether there were some."""
    many = len(open_blocks)
    while open_blocks and depth <= open_blocks[-1]:
        open_blocks.pop()
    return len(open_blocks) < many


def texts_of(node: LexborNode, left_out: Collection[int] = ()) -> Iterator[str]:
    """All texts under a node, but those in parts whose memory ids are left out."""
    if not left_out:
        yield from (part.text_content or "" for part in node.traverse(include_text=True) if part.is_text_node)
        return
    skipped = -1
    for current, depth in walk(node):
        if 0 <= skipped < depth:
            continue
        is_left_out = current.mem_id in left_out
        skipped = depth if is_left_out else -1
        if current.is_text_node and not is_left_out:
            yield current.text_content or ""
