"""Links to a category or tag that neither a name nor an address tells: by a word before them, or by the blog's list."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit

from blogforever.dates import find_dates
from blogforever.discover.feedlinks import COMMENT_ANCHOR
from blogforever.dom import tokenise
from blogforever.elements import HEADINGS, is_inline
from blogforever.extract.apply import names_listed
from blogforever.extract.names import is_author_mark, leads_to_name, leads_to_person
from blogforever.page.speech import FILED_IN, words_of
from blogforever.page.view import PageView
from blogforever.wordlists import LivePattern

# Scripts without spaces write what is filed right before the word: 個人分類, 文章標籤.
_LABEL = LivePattern(
    lambda: (
        rf"(?:(?:^|\W|[\u3040-\u30ff\u4e00-\u9fff])(?:{words_of('filed')})\s*[:：]"
        rf"|(?:^|\W)(?:{FILED_IN})(?:\s*[:：])?)\s*$"
    )
)
_LABEL_ALONE = LivePattern(lambda: rf"\W?(?:{words_of('filed')})\s?[:：]?")
_LISTED = LivePattern(lambda: rf"(?P<label>\W?(?:{words_of('filed')})\s?[:：])\s?(?P<names>.+)")
_BY = LivePattern(lambda: rf"(?:^|\W)(?:{words_of('by')})\s*$")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b")
# Words of a name in a list that is one text; a longer one is a part of a sentence.
_NAME_WORDS = 4
# Texts before a link among which the label of a list of links is looked for: it has no more names
# than these.
_MOST_BEFORE = 20
# Words of a line that says when, by whom and under what something was written.
_LINE = 40
# Links beside one another that make a list of the blog's, and elements around a link in which they
# may stand.
_FEWEST_IN_LIST, _LIST_LEVELS = 3, 2
# Elements around the last one before a list, of which one is its label, and words of a label.
_LABEL_LEVELS, _LABEL_WORDS = 2, 3
# Letters of a label in any language, up to its colon.
_LABEL_LETTERS = 24
# Elements with a value, where one beside them has its label.
_CELLS = frozenset(("dd", "td"))
PLAIN_TAGS = frozenset(("span", "li", "div"))
"""Elements that tags stand in where they link nowhere."""
# Places of one link that are looked at, and elements of a list: both bound the work.
_MOST_PLACES, _MOST_ITEMS = 8, 400
# Links of a page that are compared; a page made to be endless has more.
_MOST_LINKS = 5000


class ListedNames(NamedTuple):
    """Names that link nowhere, all in one text behind a word like "Tags:"."""

    label: str
    names: tuple[str, ...]


class Filing:
    """Which links of a page file its post, by what stands around them."""

    def __init__(self, page: PageView) -> None:
        self.page = page

    def is_told(self, i: int) -> bool:
        """Whether a word like "Category:" leads to a link, or a dated line and a list of the blog
        both have it.
        """
        if self._counts_comments(i) or self._leads_below(i):
            return False
        if _LABEL.search(self._text_before(i)) or self._is_in_labelled_cell(i):
            return True
        return self.is_beside_date(i) and not self._is_in_row(i) and self._is_in_list(i)

    def _is_in_labelled_cell(self, i: int) -> bool:
        """Whether a link stands in a cell of a table or list of terms, and a word like "Category" in the one before."""
        line = self._line_of(i)
        return self.page.tags[line] in _CELLS and _LABEL_ALONE.fullmatch(self._line_above(line)) is not None

    def is_in_labelled_list(self, i: int) -> bool:
        """Whether a link is all that an item of a list says, and a word like "Tags" stands right
        above the list: the post's, or the blog's.
        """
        page, item = self.page, self._line_of(i)
        around = page.parents[item]
        is_item = page.tags[item] == "li" and page.count(item) == page.count(i) and around >= 0
        if not is_item or page.links(around) < page.count(around):
            return False
        return _LABEL_ALONE.fullmatch(self._line_above(around)) is not None

    def is_in_line_of_links(self, i: int) -> bool:
        """Whether a link stands in a line that is a few words and a colon, whatever they are, and nothing but links."""
        page, line = self.page, self._line_of(i)
        start, own = page.start[line], page.own_words(line)
        if (
            not 0 < own <= _LABEL_LETTERS
            or page.count(line) > _LINE
            or page.own_words_between(start, start + own) != own
        ):
            return False
        label, colon, _links = page.line(line).replace("：", ":").partition(":")
        is_label = bool(colon) and len(label) <= _LABEL_LETTERS and not leads_to_name(label)
        return is_label and len(tokenise(label)) == own

    def _line_above(self, i: int) -> str:
        """What the element right before one says, where that is short."""
        page = self.page
        above = next((n for n in page.around(i - 1, _LABEL_LEVELS) if page.last[n] == i), i - 1)
        return page.line(above) if above >= 0 and page.count(above) <= _LABEL_WORDS else ""

    @cached_property
    def labelled_rows(self) -> frozenset[int]:
        """Elements without links that make up a line behind a word like "Tags", and nothing else
        does.
        """
        tags = self.page.tags
        holders = {self.page.parents[i] for i, tag in enumerate(tags) if tag in PLAIN_TAGS} - {-1}
        return frozenset(i for holder in holders for i in self._row_in(holder))

    def _row_in(self, holder: int) -> list[int]:
        """The elements of one kind that an element ends in, where a label and these are all it says."""
        page = self.page
        row = _last_alike(page, holder) if 0 < page.count(holder) <= _LINE and not page.links(holder) else []
        if row and _LABEL_ALONE.fullmatch(page.line(row[0])):
            del row[0]  # the label is of the same kind
        if not row or page.tags[row[0]] not in PLAIN_TAGS:
            return []
        first = page.start[row[0]]
        is_all = sum(map(page.count, row)) == page.end[holder] - first
        label = " ".join(page.words[page.start[holder] : first]) or self._line_above(holder)
        return row if is_all and _LABEL_ALONE.fullmatch(label) else []

    def listed_in(self, i: int) -> ListedNames | None:
        """What a line without links lists behind a word like "Tags:"; None where it is no such line."""
        page = self.page
        if not 0 < page.count(i) <= _LINE or page.blocks[i] or page.links(i) or is_inline(page.tags[i]):
            return None
        line = _LISTED.fullmatch(page.line(i))
        names = names_listed(line["names"]) if line else []
        is_list = bool(names) and all(len(name.split()) <= _NAME_WORDS for name in names)
        return ListedNames(line["label"], tuple(names)) if line and is_list else None

    def _is_in_row(self, i: int) -> bool:
        """Whether the dated line of a link stands beside others like it: a list of posts, each with its day."""
        page, line = self.page, self.dated_line(i)
        if line is None:
            return False
        following = page.last[line]
        return any(
            page.tags[n] == page.tags[line] and self._is_dated(n)
            for n in (following, self._before(line))
            if 0 <= n < len(page.tags) and page.parents[n] == page.parents[line]
        )

    def _before(self, i: int) -> int:
        """The element before one beside it; -1 for the first."""
        page = self.page
        return next((n for n in (i - 1, *page.ancestors(i - 1)) if page.parents[n] == page.parents[i]), -1)

    def is_beside_date(self, i: int) -> bool:
        """Whether a link stands in a line that says when something was written, and names nobody."""
        is_other = self._counts_comments(i) or self._is_heading(i) or self._names_person(i)
        return not is_other and self.dated_line(i) is not None

    def _counts_comments(self, i: int) -> bool:
        """Whether a link is a number that leads to a part of a page: "3 comments"."""
        page = self.page
        return "#" in page.attribute(i, "href") and any(map(str.isdigit, page.line(i)))

    def _is_heading(self, i: int) -> bool:
        """Whether a link is all that a heading says: a title."""
        page, line = self.page, self._line_of(i)
        return page.tags[line] in HEADINGS and page.count(line) == page.count(i)

    def _names_person(self, i: int) -> bool:
        """Whether a link is called an author, leads to the page about one, or has a word like "by" right before it."""
        if leads_to_person(self.page.attribute(i, "href")):
            return True
        is_led_to = _BY.search(self._text_before(i, past_links=False)) is not None
        return is_led_to or any(map(is_author_mark, self.page.classes(i)))

    def _text_before(self, i: int, *, past_links: bool = True) -> str:
        """The last text before a link in its line that is no link itself; empty without one, or
        where a link stands between and is not to be passed.
        """
        page = self.page
        begin = page.start[self._line_of(i)]
        last = bisect_left(page.texts, page.start[i], key=lambda piece: piece[1])
        for parent, first, _stop, text in reversed(page.texts[max(0, last - _MOST_BEFORE) : last]):
            link = next((a for a in (parent, *page.around(parent, 2)) if page.tags[a] == "a"), None)
            if link is None and first >= begin:
                return text
            if first < begin or not past_links or self._leads_below(link):
                return ""
        return ""

    def _leads_below(self, link: int | None) -> bool:
        """Whether a link leads further down, as that to comments: what is behind it files no post."""
        href = self.page.attribute(link, "href") if link is not None else ""
        before, _, mark = href.partition("#")
        return bool(mark) and (not before or COMMENT_ANCHOR.match(mark) is not None)

    def _line_of(self, i: int) -> int:
        """The block that a link stands in; among other blocks, the inline element that is a line of its own there."""
        page, below = self.page, i
        for around in page.ancestors(i):
            if not is_inline(page.tags[around]):
                return below if page.blocks[around] and below != i else around
            below = around
        return i

    def dated_line(self, i: int) -> int | None:
        """The line of a link, or the list of such lines, that says when something was written; what
        says it above or below a row of links dates the page and not these.
        """
        line = self._line_of(i)
        # Several links in one item of a list are a value beside the day in another: "3 May", "boats, ropes".
        is_row = _is_list(self.page, line) and self.page.tags[line] != "li"
        lines = (line,) if is_row else (line, self.page.parents[line])
        return next((n for n in lines if n >= 0 and self._is_dated(n)), None)

    def _is_dated(self, i: int) -> bool:
        if not 0 < self.page.count(i) <= _LINE:
            return False
        text = self.page.line(i)
        return _CLOCK.search(text) is not None or bool(find_dates(text, limit=1))

    def _is_in_list(self, i: int) -> bool:
        """Whether a list elsewhere on the page leads to the same place under the same name."""
        page = self.page
        address = _address(page.attribute(i, "href"))
        words = page.words_of(i)
        if address is None or any(map(str.isdigit, page.line(i))):
            return False
        line = self._line_of(i)
        others = [n for n in self._links.get(address, ()) if not page.inside(n, line)][:_MOST_PLACES]
        return any(page.words_of(n)[: len(words)] == words and self._is_one_of_several(n) for n in others)

    @cached_property
    def _links(self) -> dict[str, list[int]]:
        """The links of the page by where they lead."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        links = [i for i, tag in enumerate(self.page.tags) if tag == "a"]
        for i in links[:_MOST_LINKS]:
            address = _address(self.page.attribute(i, "href"))
            if address is not None:
                found[address].append(i)
        return found

    def _is_one_of_several(self, i: int) -> bool:
        """Whether a link stands beside others in a list of links."""
        page = self.page
        return any(_is_list(page, around) for around in page.around(i, _LIST_LEVELS))


def is_label(text: str) -> bool:
    """Whether a text is but a word like "Category"."""
    return _LABEL_ALONE.fullmatch(text) is not None


def _last_alike(page: PageView, holder: int) -> list[int]:
    """The last of an element's parts that have the same tag and class, in order."""
    parts = [i for i in reversed(page.children(holder)) if page.count(i)]
    kinds = groupby(parts, lambda i: (page.tags[i], page.attribute(i, "class")))
    return next((list(alike)[::-1] for _kind, alike in kinds), [])


def _is_list(page: PageView, i: int) -> bool:
    """Whether an element holds several links, and hardly a word beside them."""
    links = _links_in(page, i)
    return len(links) >= _FEWEST_IN_LIST and page.own_words(i) <= 2 * len(links)


def _links_in(page: PageView, i: int) -> Sequence[int]:
    return [n for n in range(i, min(page.last[i], i + _MOST_ITEMS)) if page.tags[n] == "a" and page.count(n)]


def _address(href: str) -> str | None:
    """Where a link leads, for comparison; None where that is the home page, or a place on this one."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    path = parts.path.rstrip("/")
    return f"{path}?{parts.query}" if path or parts.query else None


__all__ = ["PLAIN_TAGS", "Filing", "ListedNames", "is_label"]
