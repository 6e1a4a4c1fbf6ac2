"""How many comments a page says it has: a check on those that were found."""

from __future__ import annotations

import re
from itertools import islice

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.margins import outside_margins
from blogforever.comments.words import count_words, has_token
from blogforever.elements import HEADINGS, word_set
from blogforever.model import Page
from blogforever.page.view import PageView, view_of
from blogforever.wordlists import LivePattern

_NUMBER = r"(\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d{1,6})"
_LEADING = LivePattern(
    lambda: (
        rf"^\W*(?:there (?:are|is) |il y a |hay |es gibt |(?:已有|仅有|共有?|目前有|现有)\s?)?"
        rf"(?:{_NUMBER}|({count_words('none')})|({count_words('one')}))\s*+"
        rf"(?:(?:件の|条|則|個|개의|reader |user |visitor )\s*+)?(?:{count_words('nouns')})(?!\w)"
    )
)
_TRAILING = LivePattern(
    lambda: (
        rf"^\W*(?:reader |user |visitor |all )?(?:{count_words('nouns')})(?:\W{{1,3}}|\s+[^\d\W]\w*\W{{1,3}})?[(\[（:]?"
        rf"\s*{_NUMBER}\s*(?:개|件|条)?\W*$"
        rf"|(?:^|\W){_NUMBER}\s+(?:{count_words('nouns')})\W*$"
    )
)
_COUNTERS = word_set("""
    commentstitle commenttitle commentscount commentcount commentsnumber commentnumber
    commentsheading commentheading commentslink commentlink commentsheader numcomments commentnum
    responsestitle commentcounter numberofcomments commentscounter totalcomments
""")
# A link to the list of comments on the same page. It is believed where it says that there are none:
# other numbers of such links also count comments that wait for moderation.
_OWN_LIST = re.compile(r"#(?:comments?|respon[ds]\w*)\b", re.IGNORECASE)
_MARKED_COUNTS = "[itemprop='commentCount'], [itemprop='interactionCount']"
# Marked numbers that are looked at: a list of posts has one for each, and they differ soon.
_MOST_MARKED = 5
# Digits of a marked number of comments; a longer one is a time stamp or an id.
_MOST_DIGITS = 6
# Elements of one page that are looked at, so that a page made to be endless comes to an end.
_MOST_ELEMENTS = 20_000


def stated_on(page: Page) -> int | None:
    """The number of comments that a page states."""
    return stated_count(view_of(page))


def stated_count(tree: PageView) -> int | None:
    """The number of comments a page states, in mark-up or in words; None if it states several."""
    marked = _only(_marked(tree))
    if marked is not None:
        return marked
    in_headings, in_counters, in_links = set[int](), set[int](), set[int]()
    for i in islice(outside_margins(tree), _MOST_ELEMENTS):
        if not 0 < tree.count(i) <= LONGEST_LABEL:
            continue
        if tree.tags[i] in HEADINGS:
            numbers = in_headings
        elif not tree.attributes(i):
            continue
        elif has_token([tree.attribute(i, "id"), *tree.classes(i)], _COUNTERS):
            numbers = in_counters
        elif _OWN_LIST.match(tree.attribute(i, "href")):
            numbers = in_links
        else:
            continue
        number = read_count(tree.text(i))
        if number is not None:
            numbers.add(number)
    return _only(in_headings or in_counters or in_links & {0})


def _only(numbers: set[int]) -> int | None:
    """The number on which all agree."""
    return next(iter(numbers)) if len(numbers) == 1 else None


def read_count(text: str) -> int | None:
    """The number in "6 comments", "Kommentare (6)", "No comments"; None in any other text."""
    line = " ".join(text.split())
    leading = _LEADING.match(line)
    if leading:
        digits, none, _one = leading.groups()
        if digits:
            return _value(digits)
        return 0 if none else 1
    trailing = _TRAILING.search(line)
    return _value(trailing[1] or trailing[2]) if trailing else None


def says_none(tree: PageView, i: int) -> bool:
    """Whether an element is a line that says that there are no comments: "No comments yet. Log in to write one."."""
    return tree.count(i) <= LONGEST_LABEL and read_count(tree.text(i)) == 0


def _value(digits: str) -> int:
    """The number that digits mean, with whatever signs between them."""
    return int(re.sub(r"\D", "", digits))


def _marked(tree: PageView) -> set[int]:
    """The numbers that schema.org mark-up says."""
    numbers = set()
    for node in tree.tree.css(_MARKED_COUNTS)[:_MOST_MARKED]:
        text = (node.attributes.get("content") or node.text()).strip()
        text = text.removeprefix("UserComments:").strip()
        if text.isdecimal() and len(text) <= _MOST_DIGITS:
            numbers.add(int(text))
    return numbers
