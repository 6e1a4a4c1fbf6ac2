"""Which group of links are the posts a list page shows, and how far each post's record reaches."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from blogforever.extract.segment_links import LinkGroup, PostLink
from blogforever.extract.segment_outline import HEADINGS, TEXT, Outline, stable_names, word_set

_YEAR = re.compile(r"(?:19|20)\d\d")
_URL_DATE = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?(?:[/-]|\b)")
_SLUG = re.compile(r"(?<![^\W_])[^\W_]++(?:[-_+][^\W_]+)+|\d{2,}|\.html?$|%[0-9a-f]{2}|[^\x00-\x7f]", re.I)
_RECORD_NAMES = word_set("post entry hentry h-entry article blogpost blog-post story item card")
_DIGIT = re.compile(r"\d")
_LONGEST_DATE = 40
_LEAST_GAP = 20
_INLINE_LEAD = 40
_SHORT_LEAD = 4
_PROSE = 100
_LEAST_EXCERPT = 200
_LEAST_PROSE = 1_000
_KIND_SCORES = {"title": 1.0, "text": 0.0, "more": -2.0, "comments": -3.5, "picture": -3.0}
_LEAST_SCORE = 3.0
_LEAST_BARE_SCORE = 4.0
_SHARE_OF_BEST = 0.55
_SHARE_OF_TWIN = 0.3


@dataclass(slots=True)
class Record:
    """One post of the page: the entries [start, end), and what stands before it since the record before."""

    link: PostLink
    start: int
    end: int
    lead: int  # where what stands before the record begins
    closing: bool = False  # the link stands in the last line of loose siblings


def find_records(page: Outline, groups: list[LinkGroup]) -> list[Record]:
    """The records of the page in document order; empty where nothing looks like a list of posts."""
    scored = sorted(((_score(page, group), n) for n, group in enumerate(groups)), key=lambda pair: (-pair[0], pair[1]))
    if not scored or scored[0][0] < (_LEAST_SCORE if groups[scored[0][1]].titled else _LEAST_BARE_SCORE):
        return []
    best_score, best = scored[0]
    links = list(groups[best].links)
    spans = _spans(page, links)
    if (not groups[best].titled or page.furniture[links[0].entry]) and _is_beside_prose(page, spans):
        return []
    known = {link.key for link in links}
    for score, n in scored[1:]:
        if _alike(page, groups[best], groups[n], spans, score / best_score):
            links += [link for link in groups[n].links if link.key not in known]
            known |= {link.key for link in groups[n].links}
    links += _untitled(page, groups, links)
    links.sort(key=lambda link: link.entry)
    return _records(page, links)


def _is_beside_prose(page: Outline, spans: list[tuple[int, int]]) -> bool:
    """Whether far more running text stands outside the links' stretch than in it: a post that lists a few others."""
    first, last = spans[0][0], spans[-1][1]
    prose = sum(
        len(text)
        for entry, text in enumerate(page.texts)
        if len(text) >= _PROSE and not first <= entry < last and not page.furniture[entry]
    )
    return prose > max(_LEAST_PROSE, 3 * page.length(first, last))


def _untitled(page: Outline, groups: list[LinkGroup], links: list[PostLink]) -> list[PostLink]:
    """Posts without a title: date, permalink or comment links stand under every post, headings only under some."""
    known = {link.key for link in links}
    for group in groups:
        one = group.links[0]
        if one.heading >= 0 or one.kind == "picture" or page.furniture[one.entry] != page.furniture[links[0].entry]:
            continue
        keys = {link.key for link in group.links}
        if len(keys) > len(known) and len(keys & known) * 5 >= len(known) * 4 and _is_permalink(group):
            return [link for link in group.links if link.key not in known]
    return []


def _is_permalink(group: LinkGroup) -> bool:
    """Whether the links say "permalink", a date or a number of comments rather than a title."""
    texts = [link.text for link in group.links]
    numbers = sum(bool(_DIGIT.search(text)) and len(text) <= _LONGEST_DATE for text in texts)
    return (
        len(set(texts)) * 2 <= len(texts) or numbers * 5 >= len(texts) * 4 or all(link.bookmark for link in group.links)
    )


def _score(page: Outline, group: LinkGroup) -> float:
    """How much the links look like those of the posts a page lists."""
    links, count = group.links, len(group.links)
    tops = _tops(page, links)
    ends = [page.ends[top] for top in tops]
    reach = [*tops[1:], ends[-1]] if _are_loose(page, links, tops) else ends
    lengths = [page.length(top, end) for top, end in zip(tops, reach, strict=True)]
    leads = [max(0, top - _SHORT_LEAD, before) for top, before in zip(tops, [0, *ends], strict=False)]
    score = min(5.0, math.log2(count)) * 0.6 - _lonely(group) + _said(page, group, leads)
    score += min(3.0, math.log10(1 + sum(lengths) / count)) * 0.8 + 2.0 * min(
        1.0, sum(lengths) / max(1, page.chars[-1])
    )
    score += 2.0 * _share(_date_evidence(page, links[n], leads[n], ends[n]) for n in range(count))
    if not group.titled:
        score += 2.0 * _share(_holds_heading(page, top, end) for top, end in zip(tops, reach, strict=True))
    score += _share(_URL_DATE.search(link.url) is not None for link in links)
    return score + _share(_SLUG.search(link.url.rstrip("/").rpartition("/")[2]) is not None for link in links)


def _lonely(group: LinkGroup) -> float:
    """A single link is rarely a list, unless it is a heading or calls itself a permalink."""
    if len(group.links) > 1:
        return 0.0
    return 2.0 if group.titled or group.links[0].bookmark else 5.0


def _said(page: Outline, group: LinkGroup, leads: list[int]) -> float:
    """What the links' own text and place say: titles, sentences, "read more", side bars."""
    links, count = group.links, len(group.links)
    score = _KIND_SCORES[links[0].kind] + (2.5 if group.titled else 0.0) + _share(link.bookmark for link in links)
    if page.furniture[links[0].entry]:
        score -= 6.0 if group.titled else 9.0
    score -= 3.0 * _share(_is_inline(page, link, lead) for link, lead in zip(links, leads, strict=True))
    if links[0].kind in ("title", "text"):
        score -= 2.5 if len({link.text for link in links}) < 0.5 * count else 0.0
        score -= 2.0 if sum(len(link.text) for link in links) < 4 * count else 0.0
    return score


def _share(tests: Iterable[float]) -> float:
    found = list(tests)
    return sum(found) / len(found) if found else 0.0


def _spans(page: Outline, links: list[PostLink]) -> list[tuple[int, int]]:
    """For each link the largest subtree that holds no other link of the list."""
    tops = _tops(page, links)
    return [(top, page.ends[top]) for top in tops]


def _tops(page: Outline, links: list[PostLink]) -> list[int]:
    tops = []
    for n, link in enumerate(links):
        before = links[n - 1].entry if n else -1
        after = links[n + 1].entry if n + 1 < len(links) else len(page.tags)
        tops.append(_climb(page, link.entry, before, after, alone=len(links) == 1))
    return _levelled(page, links, tops)


def _climb(page: Outline, entry: int, before: int, after: int, *, alone: bool) -> int:
    while True:
        above = page.parents[entry]
        if above < 0 or above <= before or page.ends[above] > after or page.tags[above] in ("body", "main"):
            return entry
        if alone and (page.tags[entry] in ("article", "li") or not _RECORD_NAMES.isdisjoint(_class_names(page, entry))):
            return entry
        entry = above


def _class_names(page: Outline, entry: int) -> list[str]:
    return (page.attributes[entry].get("class") or "").lower().split()


def _levelled(page: Outline, links: list[PostLink], tops: list[int]) -> list[int]:
    """The only post of its month or row climbs too high: bring it down to the kind of element most records are."""
    if len(tops) < 3:
        return tops
    usual, votes = Counter(page.full_paths[top] for top in tops).most_common(1)[0]
    if votes * 2 < len(tops):
        usual, votes = Counter(page.tag_paths[top] for top in tops).most_common(1)[0]
        paths = page.tag_paths
    else:
        paths = page.full_paths
    return [_descend(page, paths, link.entry, top, usual) for link, top in zip(links, tops, strict=True)]


def _descend(page: Outline, paths: list[int], entry: int, top: int, usual: int) -> int:
    here = entry
    while here > top:
        if paths[here] == usual:
            return here
        here = page.parents[here]
    return top


def _date_evidence(page: Outline, link: PostLink, start: int, end: int) -> float:
    """1 where a record seems to show a date, less where it may be a day and month alone."""
    short = 0.0
    for entry in range(start, min(end, start + 400)):
        if page.tags[entry] == "time" or "data-date" in page.attributes[entry]:
            return 1.0
        text = page.texts[entry]
        if text and len(text) < 80 and _YEAR.search(text):
            return 1.0
        if text and len(text) <= 20 and _DIGIT.search(text) and text != link.text:
            short = 0.5
    return short


def _holds_heading(page: Outline, start: int, end: int) -> bool:
    return any(tag in HEADINGS for tag in page.tags[start : min(end, start + 400)])


def _is_inline(page: Outline, link: PostLink, before: int) -> bool:
    """Whether the link stands in the middle of a sentence; `before` is where the record before ends."""
    block = page.parents[link.entry]
    while block >= 0 and page.tags[block] in ("span", "b", "strong", "em", "i", "u", "small", "font"):
        block = page.parents[block]
    if block < 0 or page.tags[block] in ("div", "section", "article"):
        return False
    return page.length(max(block, before), link.entry) > _INLINE_LEAD


def _alike(page: Outline, best: LinkGroup, other: LinkGroup, spans: list[tuple[int, int]], ratio: float) -> bool:
    """Whether another group shows more posts of the same list: same sort of link, outside the records found."""
    one, two = best.links[0], other.links[0]
    if one.kind != two.kind or best.titled != other.titled:
        return False
    if page.furniture[two.entry] and not page.furniture[one.entry]:
        return False
    if _place(page, one) == _place(page, two):
        return ratio >= _SHARE_OF_TWIN
    if not best.titled or ratio < _SHARE_OF_BEST or _is_masthead(page, other, spans[0][0]):
        return False
    starts = [start for start, _ in spans]
    return not any(_within(starts, spans, link.entry) for link in other.links)


def _is_masthead(page: Outline, group: LinkGroup, first: int) -> bool:
    """Whether a lone heading above the first record is the name of the blog: no date, hardly a text."""
    link = group.links[0]
    if len(group.links) > 1 or link.entry > first:
        return False
    top = _climb(page, link.entry, -1, first, alone=True)
    end = min(page.ends[top], first)
    return page.length(top, end) < _LEAST_EXCERPT and _date_evidence(page, link, top, end) < 1


def _place(page: Outline, link: PostLink) -> tuple[object, ...]:
    """The tags and stable class names right around a link, whatever holds them."""
    found: list[object] = []
    entry = link.entry
    for _ in range(3):
        found += [page.tags[entry], stable_names(page.attributes[entry].get("class") or "")]
        entry = page.parents[entry]
    return tuple(found)


def _within(starts: list[int], spans: list[tuple[int, int]], entry: int) -> bool:
    n = bisect_left(starts, entry + 1) - 1
    return n >= 0 and entry < spans[n][1]


def _records(page: Outline, links: list[PostLink]) -> list[Record]:
    tops = _tops(page, links)
    if not _are_loose(page, links, tops):
        return _contained(page, links, tops)
    return (
        _from_headings(page, links, tops)
        if links[0].heading >= 0 or links[0].kind == "title"
        else _up_to(page, links, tops)
    )


def _contained(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
    records: list[Record] = []
    lead = 0
    for link, top in zip(links, tops, strict=True):
        records.append(Record(link, top, page.ends[top], min(lead, top)))
        lead = page.ends[top]
    return records


def _from_headings(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
    """Loose siblings, each record from its heading to the next one; a date above the heading belongs to it."""
    before = _siblings_before(page, tops)
    dated_above = _is_date_line(page, before[tops[0]])
    starts = [before[top] if dated_above and _is_date_line(page, before[top]) else top for top in tops]
    records = []
    for n, (link, top) in enumerate(zip(links, tops, strict=True)):
        limit = page.ends[page.parents[top]] if page.parents[top] >= 0 else len(page.tags)
        end = min(starts[n + 1], limit) if n + 1 < len(starts) and starts[n + 1] > top else limit
        records.append(Record(link, top, end, starts[n]))
    return records


def _up_to(page: Outline, links: list[PostLink], tops: list[int]) -> list[Record]:
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
    found = {}
    for holder in {page.parents[top] for top in tops}:
        previous, child = -1, holder + 1
        last = page.ends[holder] if holder >= 0 else len(page.tags)
        while child < last:
            found[child] = previous
            previous, child = child, max(child + 1, page.ends[child])
    return {top: found.get(top, -1) for top in tops}


def _is_date_line(page: Outline, entry: int) -> bool:
    if entry < 0 or not 0 < page.length(entry, page.ends[entry]) <= _LONGEST_DATE:
        return False
    return _YEAR.search(page.inner(entry)) is not None


def _are_loose(page: Outline, links: list[PostLink], tops: list[int]) -> bool:
    """Whether the records have no container: the tops hold the link's line alone, and the text stands between them."""
    if len(tops) < 2:
        return False
    gaps = [
        page.length(page.ends[top], following)
        for top, following in pairwise(tops)
        if page.parents[top] == page.parents[following]
    ]
    if len(gaps) * 2 < len(tops) - 1 or sum(gap > _LEAST_GAP for gap in gaps) * 2 < len(tops) - 1:
        return False
    bare = sum(_is_bare(page, link, top) for link, top in zip(links, tops, strict=True))
    lines = sum(page.length(top, page.ends[top]) for top in tops) / len(tops)
    closing = links[0].heading < 0 and links[0].kind != "title" and sum(gaps) / len(gaps) > 2 * lines
    return bare * 2 > len(tops) or closing


def _is_bare(page: Outline, link: PostLink, top: int) -> bool:
    return page.tags[top] in HEADINGS | {"a", "dt", TEXT} or page.length(top, page.ends[top]) <= len(link.text) + 2
