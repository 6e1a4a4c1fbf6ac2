"""Links that act: they like, reply, vote, delete or log out when they are followed, so a reader
leaves them alone.

An address says it by itself: by a parameter, or by a deed beside the id of what it is done to. Or
the link says it: it is sent by another method than reading, it is not to be followed and is named
by a deed, or it is named so and only adds to the address of a page beside it. A page that is only
called by such a word has none of these signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

from blogforever.urls import page_key
from blogforever.wordlists import WordLists

_words = WordLists("blogforever.discover", "acting.toml").words
_DEEDS, _SURE, _TEXTS = _words("deeds"), _words("sure"), _words("texts")
_PARAMETERS = _words("parameters") | _SURE
_CONTROLLERS, _VALUES = _words("controllers"), _words("values") | _DEEDS
_NAMES, _OTHER_NAMES = _words("names"), _words("other_names")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_YEAR, _IN_YEAR = re.compile(r"(?:19|20)\d\d"), re.compile(r"\d\d?")
_ID = re.compile(r"\d+|[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
# What stands behind a deed: which way it goes.
_WAY = frozenset({"up", "down", "yes", "no"})
# Links are called by a word or two; what is longer is a title.
_FEW_WORDS = 2
# Addresses whose reading is remembered: those of one blog's links, which stand on page after page.
_REMEMBERED = 8192


def acts(
    attributes: Mapping[str, str | None], text: Callable[[], str], url: str, beside: Callable[[], Container[str]]
) -> bool:
    """Whether following a link would do something, by its attributes, its text and its address.

    `beside` gives the keys of its page's own address and of the others that are linked there.
    """
    method = (attributes.get("data-method") or "get").lower()
    if method not in ("get", "head") or address_acts(url):
        return True
    classes = attributes.get("class")
    is_named_so = bool(classes) and _is_named_so(classes or "")
    if "nofollow" in (attributes.get("rel") or "").lower():
        return is_named_so or (not _is_plain_page(url) and _is_called_so(text()))
    return is_named_so and _adds_to(url, beside())


@lru_cache(maxsize=_REMEMBERED)
def address_acts(url: str) -> bool:
    """Whether an address says by itself that asking for it does something."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.query and _query_acts(parts.query)) or _path_acts(parts.path)


def _query_acts(query: str) -> bool:
    for name, value in parse_qsl(query, keep_blank_values=True):
        said = _bare(name)
        if said in _PARAMETERS or (said in _CONTROLLERS and _is_deed(value)):
            return True
    return False


def _is_deed(value: str) -> bool:
    """Whether a value says what is to be done: alone, or before what it is done to."""
    words = _WORD.findall(_CAMEL.sub(" ", value).casefold())
    return _bare(value) in _VALUES or bool(words[:1] and words[0] in _DEEDS)


def _path_acts(path: str) -> bool:
    """Whether a path ends in a deed beside an id, or in one that is no page's name; dates are no
    ids.
    """
    segments = _segments(path)
    if not segments or _is_dated(segments):
        return False
    before, last = segments[-2] if len(segments) > 1 else "", segments[-1]
    is_deed_to_id = _bare(last) in _DEEDS and bool(_ID.fullmatch(before))
    is_deed_before_id = _bare(before) in _DEEDS and bool(_ID.fullmatch(last)) and not _YEAR.fullmatch(last)
    return _bare(last) in _SURE or is_deed_to_id or is_deed_before_id


def _segments(path: str) -> list[str]:
    """The parts of a path, without the way a deed goes."""
    segments = [unquote(segment).casefold() for segment in path.split("/") if segment]
    while segments and segments[-1] in _WAY:
        segments.pop()
    # The id of a post, and of the comment below it.
    if len(segments) > 2 and _ID.fullmatch(segments[-1]) and _ID.fullmatch(segments[-2]):
        segments.pop()
    return segments


def _is_dated(segments: list[str]) -> bool:
    """Whether a path is a date and one word: /2020/05/vote is a post of that name."""
    *folders, _last = segments
    while folders and _IN_YEAR.fullmatch(folders[-1]):
        folders.pop()
    return bool(folders) and bool(_YEAR.fullmatch(folders[-1]))


def _is_named_so(classes: str) -> bool:
    """Whether one of the class names has the word of a deed in it: comment-reply-link, but not
    you-may-also-like.
    """
    named = (set(_WORD.findall(name.casefold().replace("_", " "))) for name in classes.split())
    return any(words & _NAMES and not words & _OTHER_NAMES for words in named)


def _is_called_so(text: str) -> bool:
    """Whether the text of a link is a word for a deed, or that and one more."""
    words = _WORD.findall(text.casefold())
    return 0 < len(words) <= _FEW_WORDS and words[0] in _TEXTS


def _is_plain_page(url: str) -> bool:
    """Whether an address is that of a page by a name: no query, no number, no deed at its end."""
    parts = urlsplit(url)
    segments = _segments(parts.path)
    if parts.query or not segments:
        return False
    last = segments[-1]
    return _is_dated(segments) or not (_ID.fullmatch(last) or _bare(last) in _DEEDS)


def _adds_to(url: str, others: Container[str]) -> bool:
    """Whether an address is another one with something more behind it: a query, or a deed."""
    key = page_key(url)
    shorter = key.rpartition("&" if "&" in key else "?")[0]
    folder, _, last = key.rpartition("/")
    return shorter in others or (folder in others and _bare(last) in _DEEDS)


def _bare(text: str) -> str:
    """A word without what joins its parts: add-to-cart, add_to_cart and addToCart are one."""
    return "".join(_WORD.findall(text.casefold().replace("_", " ")))
