"""What class and id names say about a block: article text, page furniture, by-line, or nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from blogforever.wordlists import LiveWords, WordLists


def alternatives(text: str) -> str:
    """A list of regular expressions, one or several a line between bars, as one group."""
    return "(?:" + "|".join(line.strip().strip("|") for line in text.strip().splitlines()) + ")"


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PIECES = re.compile(r"[^a-zA-Z0-9]+")
# What follows two dashes, or "with" and the like, says in which state a block is, not which block
# it is: "layout--sidebar", "page-with-sidebar".
_STATE = re.compile(r"(?<=[a-z0-9])--.*|(?<=[a-z0-9])[-_](?:with|without|has|no|is)[-_].*", re.IGNORECASE)
# A word with a number behind it, as "widget12".
_NUMBERED = re.compile(r"([A-Za-z]+)\d+")
# Letters of a word that a number may follow, and of one between capitals: shorter ones stand in
# names made by programs by chance, such as "ad12" and "hJpRRP".
_LEAST_NUMBERED, _LEAST_HUMP = 4, 3
# Letters of names that programs give out one after the other, as "ab", "ac", "ad".
_COUNTED_NAME = 2
# Names a theme derives from the post itself (its number, tags, state) say nothing about the block.
_DERIVED = re.compile(
    r"^(?:tag|category|cat|has|no|is|with|status|format|type|post_tag|single|page|js|hide|show)[-_]",
    re.IGNORECASE,
)
_FOR_SCRIPTS = re.compile(r"js[-_]")
# What stands before a colon says when a style holds, not which block it is: "print:hidden" is all
# that stays off paper. A number behind it makes both together a name, as "comment:12".
_WHEN = re.compile(r"^.*:(?=[a-z!-])", re.IGNORECASE)
# Page builders call every block of a page so; only what follows says which one it is.
_BUILT = re.compile(
    r"^(?:elementor|siteorigin|so|fl|et_pb|brxe|wpb|vc)[-_](?:(?:widget|module|element|block)(?:[-_]|$))?"
)

_LISTS = WordLists("blogforever.page", "blocks.toml")
_WHOSE = _LISTS.words("whose")
_ONE_POST = _LISTS.words("one_post")
_WHAT = _LISTS.words("what")
_BODY_JOINED = _LISTS.words("body_joined")
_POST = _LISTS.words("post")

_COMMENT = _LISTS.words("comment")
_COMMENT_ELSEWHERE = re.compile(r"kom+ent|iruzkin")
"""How words for comments begin in other languages than English, whatever the case they stand in."""
_FURNITURE = _LISTS.words("furniture")
_BYLINE = _LISTS.words("byline")
_CODE = _LISTS.words("code")
_OTHERS = LiveWords(lambda: _FURNITURE | _COMMENT | _LISTS.now("others"))
_NAME_PLACES = _LISTS.words("name_places")
_BIO_PLACES = _LISTS.words("bio_places")
_BIO = _LISTS.words("bio")
_FOOT = frozenset(("footer", "foot"))
_POST_EDGE = frozenset(("header", "footer", "head", "foot"))
_OUTER = _LISTS.words("outer")


# Names remembered. An element's names are hardly ever the same on two pages, each of its names
# often is.
_REMEMBERED = 4096
_REMEMBERED_NAMES = 8192
# Names of an element that are looked at; no honest one has more.
_MOST_NAMES = 40


@lru_cache(maxsize=_REMEMBERED)
def parts_of(token: str) -> tuple[str, ...]:
    """The words of one class name or id: "entryMeta-top" is ("entry", "meta", "top").

    What a program made up has none: letters and digits in turn, or capitals anywhere.
    """
    token = _STATE.sub("", _BUILT.sub("", _WHEN.sub("", token)))
    if _DERIVED.match(token):
        return ()
    words: list[str] = []
    for piece in _PIECES.split(token):
        words += _words_of(piece)
    return tuple(words)


def _words_of(piece: str) -> list[str]:
    """The words of a piece of a name that has but letters and digits; none where nobody chose it."""
    numbered = _NUMBERED.fullmatch(piece)
    if numbered:
        piece = numbered[1] if len(numbered[1]) >= _LEAST_NUMBERED else ""
    if not piece.isalpha():
        return []
    humps = _CAMEL.sub("-", piece).lower().split("-")
    is_made_up = len(humps) > 1 and min(map(len, humps)) < _LEAST_HUMP
    return [] if is_made_up else humps


@lru_cache(maxsize=_REMEMBERED)
def kind_of(names: str) -> str:
    """What the class and id of an element say it is.

    One of body, code, comment, bio, furniture, byline, outer, post, or nothing.
    """
    tokens = names.split()[:_MOST_NAMES]
    counted = [token for token in tokens if len(token) <= _COUNTED_NAME]
    if len(counted) > 1:
        tokens = [token for token in tokens if len(token) > _COUNTED_NAME]
    kinds = {_token_kind(token) for token in tokens}
    for kind in ("body", "code", "post", "comment", "bio", "furniture", "byline", "outer"):
        if kind in kinds:
            return kind
    return ""


@lru_cache(maxsize=_REMEMBERED_NAMES)
def _token_kind(token: str) -> str:
    """The kind that one class name or id tells.

    What is named for scripts is what they work on; of that, only that it is the article is
    believed.
    """
    for_scripts = _FOR_SCRIPTS.match(token)
    if for_scripts is None:
        return _name_kind(token)
    return "body" if _name_kind(token[for_scripts.end() :]) == "body" else ""


def _name_kind(token: str) -> str:
    """The kind that a name says in its own words."""
    parts = parts_of(token)
    joined = "".join(parts)
    words = {*parts, joined}
    if parts[:1] == ("author",) and len(parts) > 1:
        return _author_kind(parts[1])
    if words & _POST_EDGE and words & _WHOSE:
        return _edge_kind(parts)
    if joined in _BODY_JOINED or _is_body(parts):
        return "body"
    if any(map(_COMMENT_ELSEWHERE.match, parts)):
        return "comment"
    for kind, names in _KINDS:
        if words & names:
            return kind
    return "post" if joined in _POST else ""


def _edge_kind(parts: tuple[str, ...]) -> str:
    """The kind of a post's head or foot, or of a line in it.

    The head has the title, too; a line in the head ("post-header-meta") has not.
    """
    return "byline" if "footer" in parts or set(parts) & _BYLINE else ""


def is_foot_of(foot: str, around: str) -> bool:
    """Whether class names are those of a foot, and those of the element around it a post's: its "footer" is none of the
    page, as a "post-footer" is not.
    """
    is_foot = not _FOOT.isdisjoint(foot.lower().split())
    return is_foot and not _ONE_POST.isdisjoint(around.lower().split())


def _is_body(parts: tuple[str, ...]) -> bool:
    """Whether words end as in "post content"."""
    if len(parts) < 2:
        return False
    *before, whose, what = parts
    return whose in _WHOSE and what in _WHAT and _is_main(tuple(before))


def _is_main(before: tuple[str, ...]) -> bool:
    """Whether words before "post content" name who made the page, not which post.

    So do "wp-block" and "x-widget-theme".
    """
    return not before or not (set(before) - {"widget"}) & _OTHERS


def _author_kind(place: str) -> str:
    if place in _BIO_PLACES:
        return "bio"
    return "byline" if place in _NAME_PLACES else ""  # "author-jane" on a whole post


_KINDS = (
    ("code", _CODE),
    ("comment", _COMMENT),
    ("bio", _BIO),
    ("furniture", _FURNITURE),
    ("byline", _BYLINE),
    ("outer", _OUTER),
)
