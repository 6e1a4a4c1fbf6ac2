"""Boxes in an article's element that only lead to other stories of the site: "Most read", the latest headlines.

A list that the author made stands among the paragraphs as they do, or leads elsewhere, or is most of the text. A box is
an element with a name that holds nothing but titles, each a link to another page of the site, perhaps with a date and
the sentence that such lists show of a story; or a row of article elements that each lead to one such page, however much
of its text they show.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate

from blogforever.elements import word_set
from blogforever.extract.lines import TextLine, lines_of
from blogforever.page.view import PageView
from blogforever.urls import is_http, join, page_key, same_site

_BOXES = word_set("div section aside article table ul ol")
# Titles that make a list of stories; words of one, and the share of them that the link has.
_STORIES = 3
_TITLE, _MOSTLY = 3, 0.6
# Lines beside each title, which are its date and a sentence, and words of that; and one above them all.
_LINES_BESIDE, _TEASER = 2, 40
_HEADING, _LONGEST_HEADING = 1, 8
# Words of a story in an article element of its own.
_LONGEST_STORY = 150
# Words the article has beside a box, and never fewer than the box: a text that is but such a list stays.
_ARTICLE = 80


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where the lines of an element begin, and how many before each are titles, something else, and long passages."""

    first: int
    starts: Sequence[int]
    titles: Sequence[int]
    others: Sequence[int]
    passages: Sequence[int]
    stories: Sequence[int]
    """Before each word of the element, how many words of article elements that lead to another page stand in it."""
    story_starts: Sequence[int]

    def are_stories(self, start: int, end: int) -> bool:
        """Whether several such elements stand between two words, and no more beside them than a heading."""
        count = bisect_left(self.story_starts, end) - bisect_left(self.story_starts, start)
        beside = end - start - (self.stories[end - self.first] - self.stories[start - self.first])
        return count >= _STORIES and beside <= _LONGEST_HEADING

    def between(self, counted: Sequence[int], start: int, end: int) -> int:
        """How many lines of a kind begin between two words of the page."""
        return counted[bisect_left(self.starts, end)] - counted[bisect_left(self.starts, start)]


def link_boxes(page: PageView, container: int, dropped: Set[int], url: str) -> set[int]:
    """The outermost boxes in an article's element that only lead to other pages of the site."""
    lines = _lines(page, container, dropped, url)
    found: set[int] = set()
    if max(lines.titles[-1], len(lines.story_starts)) < _STORIES:
        return found
    text = page.own_words(container) - page.own_words_of(dropped)
    i = container + 1
    while i < page.last[container]:
        if i in dropped:
            i = page.last[i]
        elif _is_box(page, i, lines, text):
            found.add(i)
            i = page.last[i]
        else:
            i += 1
    return found


def _is_box(page: PageView, i: int, lines: _Lines, text: int) -> bool:
    """Whether an element is a list of stories and hardly anything else, in an article of so many words."""
    start, end = page.start[i], page.end[i]
    if page.tags[i] not in _BOXES or text - page.own_words(i) < max(_ARTICLE, page.count(i)):
        return False
    return lines.are_stories(start, end) or _is_list(page, i, lines)


def _is_list(page: PageView, i: int, lines: _Lines) -> bool:
    """Whether a named element holds titles that lead on, and hardly anything else."""
    start, end = page.start[i], page.end[i]
    titles = lines.between(lines.titles, start, end)
    if titles < _STORIES or not (page.attribute(i, "class") or page.attribute(i, "id")):
        return False
    is_list = lines.between(lines.others, start, end) <= _HEADING + _LINES_BESIDE * titles
    return is_list and not lines.between(lines.passages, start, end)


def _lines(page: PageView, container: int, dropped: Set[int], url: str) -> _Lines:
    """The lines of an element, told apart."""
    lines = lines_of(page, container, dropped)
    leading = _leading_words(page, container, url)
    first = page.start[container]
    titles = [_is_title(line, leading[line.stop - first] - leading[line.start - first]) for line in lines]
    others = [not is_title for is_title in titles]
    passages = [is_other and line.own_words > _TEASER for line, is_other in zip(lines, others, strict=True)]
    stories = [i for i in _articles(page, container) if _is_story(page, i, leading, first)]
    return _Lines(
        first,
        [line.start for line in lines],
        _sums(titles),
        _sums(others),
        _sums(passages),
        _words_in(page, container, stories),
        [page.start[i] for i in stories],
    )


def _articles(page: PageView, container: int) -> Iterator[int]:
    """The outermost article elements in an element."""
    i = container + 1
    while i < page.last[container]:
        if page.tags[i] == "article":
            yield i
            i = page.last[i]
        else:
            i += 1


def _is_story(page: PageView, i: int, leading: Sequence[int], first: int) -> bool:
    """Whether an article element is short, and all links in it lead to other pages of the site."""
    led = leading[page.end[i] - first] - leading[page.start[i] - first]
    return 0 < led == page.links(i) and page.count(i) <= _LONGEST_STORY


def _words_in(page: PageView, container: int, parts: Iterable[int]) -> list[int]:
    """Before each word of an element, how many words of these parts stand in it."""
    first = page.start[container]
    marks = [False] * page.count(container)
    for i in parts:
        marks[page.start[i] - first : page.end[i] - first] = [True] * page.count(i)
    return _sums(marks)


def _sums(marks: Iterable[bool]) -> list[int]:
    return list(accumulate(marks, initial=0))


def _is_title(line: TextLine, leading: int) -> bool:
    return leading >= _TITLE and leading >= _MOSTLY * line.words


def _leading_words(page: PageView, container: int, url: str) -> list[int]:
    """Before each word of an element, how many words of links to other pages of the site there are in it."""
    first = page.start[container]
    marks = [False] * page.count(container)
    here = page_key(url.partition("#")[0])
    known: dict[str, bool] = {}
    end = first  # of the last link counted: in strange mark-up one stands in another
    for i in range(container, page.last[container]):
        if page.tags[i] != "a" or page.start[i] < end or not page.count(i):
            continue
        href = page.attribute(i, "href")
        if href not in known:
            known[href] = _leads_on(href, url, here)
        if known[href]:
            end = page.end[i]
            marks[page.start[i] - first : end - first] = [True] * page.count(i)
    return _sums(marks)


def _leads_on(href: str, url: str, here: str) -> bool:
    """Whether a link leads to another page of the site."""
    there = join(url, href.partition("#")[0]) if href else None
    return there is not None and is_http(there) and same_site(there, url) and page_key(there) != here
