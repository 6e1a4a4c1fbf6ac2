"""How many comments a page says it has: a check on those that were found."""

from __future__ import annotations

import re

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.words import COUNT_WORD, NO_COUNT, ONE_COUNT, has_token, is_margin
from blogforever.extract.vocabulary import word_set
from blogforever.learn.pagetree import PageTree

_NUMBER = r"(\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d{1,6})"
_LEADING = re.compile(
    rf"^\W*(?:there (?:are|is) |il y a |hay |es gibt )?(?:{_NUMBER}|({NO_COUNT})|({ONE_COUNT}))\s*"
    rf"(?:件の|条|則|個|개의|reader |user |visitor )?\s*(?:{COUNT_WORD})(?!\w)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"^\W*(?:{COUNT_WORD})(?:\W{{1,3}}|\s+[^\d\W]\w*\W{{1,3}})?[(\[（:]?\s*{_NUMBER}\s*(?:개|件|条)?\W*$"
    rf"|(?:^|\W){_NUMBER}\s+(?:{COUNT_WORD})\W*$",
    re.IGNORECASE,
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_COUNTERS = word_set("""
    commentstitle commenttitle commentscount commentcount commentsnumber commentnumber
    commentsheading commentheading commentslink commentlink commentsheader numcomments commentnum
    responsestitle commentcounter numberofcomments commentscounter totalcomments
""")
_MOST = 20_000


def stated_count(tree: PageTree) -> int | None:
    """The number of comments a page states, in its mark-up or in words; None where it states none or disagrees."""
    marked = _marked(tree)
    if marked is not None:
        return marked
    titles, counters = set[int](), set[int]()
    for i in _outside_margins(tree):
        if not 0 < tree.count(i) <= LONGEST_LABEL:
            continue
        heading = tree.tags[i] in _HEADINGS
        if heading or has_token([tree.attributes(i).get("id") or "", *tree.classes(i)], _COUNTERS):
            number = read_count(tree.text(i))
            if number is not None:
                (titles if heading else counters).add(number)
    found = titles or counters
    return found.pop() if len(found) == 1 else None


def read_count(text: str) -> int | None:
    """The number in "6 comments", "Kommentare (6)", "One response to …", "No comments"; None in any other text."""
    line = " ".join(text.split())
    if match := _LEADING.match(line):
        return _value(match[1]) if match[1] else 0 if match[2] else 1
    match = _TRAILING.search(line)
    return _value(match[1] or match[2]) if match else None


def _value(digits: str) -> int:
    return int(re.sub(r"\D", "", digits))


def _marked(tree: PageTree) -> int | None:
    """What schema.org or microformats mark-up says."""
    found = set()
    for node in tree.parser.css("[itemprop='commentCount'], [itemprop='interactionCount']")[:5]:
        text = (node.attributes.get("content") or node.text()).strip().removeprefix("UserComments:").strip()
        if text.isdecimal() and len(text) < 7:
            found.add(int(text))
    return found.pop() if len(found) == 1 else None


def _outside_margins(tree: PageTree) -> list[int]:
    found, i, half = [], 0, tree.count(0) / 2
    while i < min(len(tree.tags), _MOST):
        name = tree.attributes(i).get("id") or ""
        if i and tree.count(i) < half and is_margin(tree.tags[i], name, tree.classes(i)):
            i = tree.last[i]
            continue
        found.append(i)
        i += 1
    return found
