"""How far the record of each post on a list page reaches, and whether it shows a date."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from blogforever.elements import HEADINGS, word_set
from blogforever.extract.segment_links import PostLink
from blogforever.extract.segment_outline import TEXT, Outline, stable_names

YEAR = re.compile(r"(?:19|20)\d\d")
DIGIT = re.compile(r"\d")
_RECORD_NAMES = word_set("post entry hentry h-entry article blogpost blog-post story item card")
_RECORD_TAGS = frozenset(("article", "li"))
_WHOLE_PAGE = frozenset(("body", "main"))
_BARE_TAGS = HEADINGS | {"a", "dt", TEXT}

LONGEST_DATE = 40
"""Characters of a line that holds a date and little else."""
FULL_DATE, MAYBE_DATE, NO_DATE = 1.0, 0.5, 0.0
"""How surely a record shows a date; a short text with a number may be a day and month alone."""

# A list of two has no usual kind of element that a third could be brought down to.
_FEWEST_TO_LEVEL = 3
# Entries in which a record's date and heading are looked for: a whole post may follow them.
_MOST_SEARCHED = 400
_LONGEST_DATED_TEXT = 80
_LONGEST_DAY = 20
# Elements around a link, itself included, that say whether two links stand in places alike.
_PLACE_LEVELS = 3
# Characters between two lines below which there is only punctuation or a button.
_LEAST_GAP = 20
# Characters that a line may have beside the link itself, for quotes or an arrow.
_BESIDE_LINK = 2


@dataclass(slots=True)
class Record:
    """One post of the page: the entries [start, end), and what stands before it."""

    link: PostLink
    start: int
    end: int
    lead: int  # where what stands before the record begins
    closing: bool = False  # the link stands in the last line of loose siblings


Span = tuple[int, int]
"""The first entry of a subtree, and the one after its last."""


def make_records(page: Outline, links: list[PostLink]) -> list[Record]:
    """How far the record of each link reaches: a container of its own, or loose siblings."""
    tops = find_tops(page, links)
    if not are_loose(page, links, tops):
        return _contained(page, links, tops)
    if links[0].is_title:
        return _from_headings(page, links, tops)
    return _up_to_links(page, links, tops)


def _contained(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
    """Each record in a container of its own."""
    records: list[Record] = []
    lead = 0
    for link, top in zip(links, tops, strict=True):
        records.append(Record(link, top, page.ends[top], min(lead, top)))
        lead = page.ends[top]
    return records


def _from_headings(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
    """Loose siblings, each record from its heading to the next one.

    A date above the heading belongs to it.
    """
    before = _siblings_before(page, tops)
    dated_above = _is_date_line(page, before[tops[0]])
    starts = []
    for top in tops:
        has_date = dated_above and _is_date_line(page, before[top])
        starts.append(before[top] if has_date else top)
    records = []
    for n, (link, top) in enumerate(zip(links, tops, strict=True)):
        end = _end_of_siblings(page, top)
        follows = n + 1 < len(starts) and starts[n + 1] > top
        if follows:
            end = min(starts[n + 1], end)
        records.append(Record(link, top, end, starts[n]))
    return records


def _end_of_siblings(page: Outline, entry: int) -> int:
    """Where the element ends that holds an entry."""
    holder = page.parents[entry]
    return page.ends[holder] if holder >= 0 else len(page.tags)


def _up_to_links(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
    """Loose siblings whose link stands in the last line of each record."""
    records: list[Record] = []
    for n, (link, top) in enumerate(zip(links, tops, strict=True)):
        start = page.parents[top] + 1
        if n and page.parents[tops[n - 1]] == page.parents[top]:
            start = page.ends[tops[n - 1]]
        records.append(Record(link, start, page.ends[top], start, closing=True))
    return records


def _siblings_before(page: Outline, tops: list[int]) -> dict[int, int]:
    """The sibling right before each top, -1 for a first child."""
    before: dict[int, int] = {}
    for holder in {page.parents[top] for top in tops}:
        previous, child = -1, holder + 1
        last = page.ends[holder] if holder >= 0 else len(page.tags)
        while child < last:
            before[child] = previous
            previous, child = child, max(child + 1, page.ends[child])
    return {top: before.get(top, -1) for top in tops}


def _is_date_line(page: Outline, entry: int) -> bool:
    """Whether an entry is a date and little else."""
    if entry < 0:
        return False
    length = page.length(entry, page.ends[entry])
    return 0 < length <= LONGEST_DATE and YEAR.search(page.inner(entry)) is not None


# --- the element of each record


def spans_of(page: Outline, links: list[PostLink]) -> list[Span]:
    """For each link the largest subtree that holds no other link of the list."""
    return [(top, page.ends[top]) for top in find_tops(page, links)]


def find_tops(page: Outline, links: list[PostLink]) -> list[int]:
    """The roots of these subtrees."""
    alone = len(links) == 1
    tops = []
    for n, link in enumerate(links):
        before = links[n - 1].entry if n else -1
        after = links[n + 1].entry if n + 1 < len(links) else len(page.tags)
        tops.append(climb(page, link.entry, before, after, alone=alone))
    return _levelled(page, links, tops)


def climb(page: Outline, entry: int, before: int, after: int, *, alone: bool) -> int:
    """The highest element around an entry that holds neither of two others.

    Of a link that stands alone it is the first that calls itself a post.
    """
    while True:
        above = page.parents[entry]
        if above < 0 or above <= before or page.ends[above] > after:
            return entry
        if page.tags[above] in _WHOLE_PAGE:
            return entry
        if alone and _is_named_record(page, entry):
            return entry
        entry = above


def _is_named_record(page: Outline, entry: int) -> bool:
    """Whether an element calls itself a post."""
    if page.tags[entry] in _RECORD_TAGS:
        return True
    names = (page.attributes[entry].get("class") or "").lower().split()
    return not _RECORD_NAMES.isdisjoint(names)


def _levelled(page: Outline, links: list[PostLink], tops: list[int]) -> list[int]:
    """The tops as the kind of element most records are.

    The only post of its month or row climbs too high, and is brought down.
    """
    if len(tops) < _FEWEST_TO_LEVEL:
        return tops
    paths = page.full_paths
    usual, votes = Counter(paths[top] for top in tops).most_common(1)[0]
    if votes * 2 < len(tops):  # class names vary too much, tags alone may not
        paths = page.tag_paths
        usual, _ = Counter(paths[top] for top in tops).most_common(1)[0]
    pairs = zip(links, tops, strict=True)
    return [_descend(page, paths, link.entry, top, usual) for link, top in pairs]


def _descend(page: Outline, paths: list[int], entry: int, top: int, usual: int) -> int:
    """The element of the usual kind between a top and an entry in it; the top without one."""
    here = entry
    while here > top:
        if paths[here] == usual:
            return here
        here = page.parents[here]
    return top


def are_loose(page: Outline, links: list[PostLink], tops: list[int]) -> bool:
    """Whether the records have no container.

    Then the tops hold the link's line alone, and the text stands between them.
    """
    if len(tops) < 2:
        return False
    gaps = list(_gaps(page, tops))
    usual = len(tops) - 1
    wide = sum(gap > _LEAST_GAP for gap in gaps)
    if len(gaps) * 2 < usual or wide * 2 < usual:
        return False
    bare = sum(_is_bare(page, link, top) for link, top in zip(links, tops, strict=True))
    if bare * 2 > len(tops):
        return True
    line = sum(page.length(top, page.ends[top]) for top in tops) / len(tops)
    return not links[0].is_title and sum(gaps) / len(gaps) > 2 * line


def _gaps(page: Outline, tops: list[int]) -> Iterator[int]:
    """How much text stands between siblings."""
    for top, following in pairwise(tops):
        if page.parents[top] == page.parents[following]:
            yield page.length(page.ends[top], following)


def _is_bare(page: Outline, link: PostLink, top: int) -> bool:
    """Whether a top is the link's own line and no container."""
    if page.tags[top] in _BARE_TAGS:
        return True
    return page.length(top, page.ends[top]) <= len(link.text) + _BESIDE_LINK


# --- what a record shows


def date_evidence(page: Outline, link: PostLink, start: int, end: int) -> float:
    """How surely entries show a date."""
    evidence = NO_DATE
    for entry in range(start, min(end, start + _MOST_SEARCHED)):
        if page.tags[entry] == "time" or "data-date" in page.attributes[entry]:
            return FULL_DATE
        text = page.texts[entry]
        if not text:
            continue
        if len(text) < _LONGEST_DATED_TEXT and YEAR.search(text):
            return FULL_DATE
        if len(text) <= _LONGEST_DAY and DIGIT.search(text) and text != link.text:
            evidence = MAYBE_DATE
    return evidence


def holds_heading(page: Outline, start: int, end: int) -> bool:
    """Whether a heading is among the first entries of a record."""
    return any(tag in HEADINGS for tag in page.tags[start : min(end, start + _MOST_SEARCHED)])


def place_of(page: Outline, link: PostLink) -> tuple[object, ...]:
    """The tags and stable class names right around a link, whatever holds them."""
    place: list[object] = []
    entry = link.entry
    for _ in range(_PLACE_LEVELS):
        place += [page.tags[entry], stable_names(page.attributes[entry].get("class") or "")]
        entry = page.parents[entry]
    return tuple(place)


def is_within(spans: list[Span], starts: list[int], entry: int) -> bool:
    """Whether an entry stands in one of the spans, which are in order and begin at these starts."""
    n = bisect_left(starts, entry + 1) - 1
    return n >= 0 and entry < spans[n][1]


def are_most(some: int, of_all: int) -> bool:
    """Whether they are four of five."""
    return some * 5 >= of_all * 4
