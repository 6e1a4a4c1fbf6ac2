"""Which links of a list page lead to the posts it shows: every group of links is weighed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from blogforever.elements import word_set
from blogforever.extract.segment_links import LinkGroup, PostLink
from blogforever.extract.segment_outline import Outline
from blogforever.extract.segment_records import (
    DIGIT,
    FULL_DATE,
    LONGEST_DATE,
    Record,
    Span,
    are_loose,
    are_most,
    climb,
    date_evidence,
    find_tops,
    holds_heading,
    is_within,
    make_records,
    place_of,
    spans_of,
)

_URL_DATE = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?(?:[/-]|\b)")
_SLUG = re.compile(r"(?<![^\W_])[^\W_]++(?:[-_+][^\W_]+)+|\d{2,}|\.html?$|%[0-9a-f]{2}|[^\x00-\x7f]", re.I)
_INLINE_TAGS = word_set("span b strong em i u small font")
_LOOSE_TAGS = frozenset(("div", "section", "article"))

# --- what makes up a score

# Links say of themselves what they lead to. "Read more", pictures and numbers of comments lead to
# posts, too, but a group of titles stands beside them on nearly every page and is the better one.
_KIND_SCORES = {"title": 1.0, "text": 0.0, "more": -2.0, "comments": -3.5, "picture": -3.0}
_TITLED = 2.5
# Many links are a list; beyond this power of two more of them say nothing more.
_COUNT_WEIGHT, _MOST_DOUBLINGS = 0.6, 5.0
# Posts bring text with them: by the size of each record (in powers of ten), and by the share of the
# page's text they have together.
_LENGTH_WEIGHT, _MOST_TENFOLDS = 0.8, 3.0
_SHARE_WEIGHT = 2.0
_DATES_WEIGHT = 2.0
_HEADINGS_WEIGHT = 2.0
# A link inside running text is a reference.
_INLINE_WEIGHT = 3.0
# A single link is rarely a list, unless it is a heading or calls itself a permalink.
_LONELY, _LONELY_BUT_MARKED = 5.0, 2.0
# Links in side bars, menus and footers lead to posts that are shown elsewhere.
_IN_FURNITURE, _TITLED_IN_FURNITURE = 9.0, 6.0
# The same words again and again are a button; words of a few characters are numbers or arrows.
_REPEATED, _TINY = 2.5, 2.0
_TINY_TEXT = 4

# --- what a score must be

# Below these a page shows no list of posts; links that are no headings must show more.
_LEAST_SCORE = 3.0
_LEAST_BARE_SCORE = 4.0
# Another group joins the best one with this share of its score, or less where it stands alike.
_SHARE_OF_BEST = 0.55
_SHARE_OF_TWIN = 0.3

# --- sizes

# Entries before a record in which its date may stand.
_SHORT_LEAD = 4
# Characters of a sentence before a link in it; fewer are a date or a label.
_INLINE_LEAD = 40
# Characters of a text that is prose rather than a label, of prose that makes an article, and how
# many times the list's own text it must be.
_PROSE = 100
_LEAST_PROSE = 1_000
_FAR_MORE = 3
# Characters below which a heading stands without an excerpt, as the name of the blog does.
_LEAST_EXCERPT = 200


def find_records(page: Outline, groups: list[LinkGroup]) -> list[Record]:
    """The records of the page in document order; empty where nothing looks like a list of posts."""
    ranked = _ranked(page, groups)
    if not ranked or not _is_list(ranked[0]):
        return []
    best, others = ranked[0], ranked[1:]
    spans = spans_of(page, best.group.links)
    is_doubtful = not best.group.titled or page.furniture[best.group.links[0].entry]
    if is_doubtful and _is_beside_prose(page, spans):
        return []
    taken = [best.group, *(other.group for other in others if _is_more_of(page, best, other, spans))]
    posts = _by_target(taken)
    posts |= _untitled(page, groups, posts)
    return make_records(page, sorted(posts.values(), key=lambda link: link.entry))


def _by_target(groups: Iterable[LinkGroup]) -> dict[str, PostLink]:
    """The first link to each post."""
    posts: dict[str, PostLink] = {}
    for group in groups:
        for link in group.links:
            posts.setdefault(link.key, link)
    return posts


@dataclass(frozen=True, slots=True)
class _ScoredGroup:
    score: float
    group: LinkGroup


def _ranked(page: Outline, groups: list[LinkGroup]) -> list[_ScoredGroup]:
    """The groups with their scores, best first, of equals the first on the page."""
    scored = [_ScoredGroup(_score(page, group), group) for group in groups]
    return sorted(scored, key=lambda one: -one.score)


def _is_list(best: _ScoredGroup) -> bool:
    """Whether the best group is good enough to be a list of posts."""
    least = _LEAST_SCORE if best.group.titled else _LEAST_BARE_SCORE
    return best.score >= least


def _is_beside_prose(page: Outline, spans: list[Span]) -> bool:
    """Whether far more prose stands outside the links' stretch than in it.

    Then the page is a post that lists a few others.
    """
    first, last = spans[0][0], spans[-1][1]
    prose = 0
    for entry, text in enumerate(page.texts):
        outside = not first <= entry < last
        if len(text) >= _PROSE and outside and not page.furniture[entry]:
            prose += len(text)
    return prose > max(_LEAST_PROSE, _FAR_MORE * page.length(first, last))


# --- the score


def _score(page: Outline, group: LinkGroup) -> float:
    """How much the links look like those of the posts a page lists."""
    links, count = group.links, len(group.links)
    tops = find_tops(page, links)
    ends = [page.ends[top] for top in tops]
    reach = [*tops[1:], ends[-1]] if are_loose(page, links, tops) else ends
    before = [0, *ends[:-1]]
    leads = [max(0, top - _SHORT_LEAD, end) for top, end in zip(tops, before, strict=True)]
    score = min(_MOST_DOUBLINGS, math.log2(count)) * _COUNT_WEIGHT
    score = score - _lonely(group) + _said(page, group, leads)
    score += _text_score(page, [page.length(*span) for span in zip(tops, reach, strict=True)])
    dated = [date_evidence(page, *record) for record in zip(links, leads, ends, strict=True)]
    score += _DATES_WEIGHT * _share(dated)
    if not group.titled:
        headed = (holds_heading(page, *span) for span in zip(tops, reach, strict=True))
        score += _HEADINGS_WEIGHT * _share(headed)
    score += _share(_URL_DATE.search(link.url) is not None for link in links)
    return score + _share(_has_slug(link) for link in links)


def _lonely(group: LinkGroup) -> float:
    """What speaks against a single link."""
    if len(group.links) > 1:
        return 0.0
    is_marked = group.titled or group.links[0].bookmark
    return _LONELY_BUT_MARKED if is_marked else _LONELY


def _text_score(page: Outline, lengths: list[int]) -> float:
    """What the characters of the records, and their share of the page's, say."""
    total = sum(lengths)
    tenfolds = min(_MOST_TENFOLDS, math.log10(1 + total / len(lengths)))
    share = min(1.0, total / max(1, page.chars[-1]))
    return tenfolds * _LENGTH_WEIGHT + _SHARE_WEIGHT * share


def _has_slug(link: PostLink) -> bool:
    """Whether the last part of the address is made of words or numbers, as those of posts are."""
    return _SLUG.search(link.url.rstrip("/").rpartition("/")[2]) is not None


def _said(page: Outline, group: LinkGroup, leads: list[int]) -> float:
    """What the links' own text and place say: titles, sentences, "read more", side bars."""
    links = group.links
    score = _KIND_SCORES[links[0].kind] + (_TITLED if group.titled else 0.0)
    score += _share(link.bookmark for link in links)
    if page.furniture[links[0].entry]:
        score -= _TITLED_IN_FURNITURE if group.titled else _IN_FURNITURE
    inline = (_is_inline(page, link, lead) for link, lead in zip(links, leads, strict=True))
    score -= _INLINE_WEIGHT * _share(inline)
    if links[0].kind in ("title", "text"):
        score = _less_buttons(score, [link.text for link in links])
    return score


def _less_buttons(score: float, texts: list[str]) -> float:
    """The score of links, less where their texts are the same or tiny, as those of buttons are."""
    if 2 * len(set(texts)) < len(texts):
        score -= _REPEATED
    if sum(map(len, texts)) < _TINY_TEXT * len(texts):
        score -= _TINY
    return score


def _share(tests: Iterable[float]) -> float:
    """The mean of what was asked of every link."""
    results = list(tests)
    return sum(results) / len(results) if results else 0.0


def _is_inline(page: Outline, link: PostLink, before: int) -> bool:
    """Whether the link stands amid a sentence; `before` is where the record before ends."""
    block = page.parents[link.entry]
    while block >= 0 and page.tags[block] in _INLINE_TAGS:
        block = page.parents[block]
    if block < 0 or page.tags[block] in _LOOSE_TAGS:
        return False
    return page.length(max(block, before), link.entry) > _INLINE_LEAD


# --- more posts of the same list


def _is_more_of(page: Outline, best: _ScoredGroup, other: _ScoredGroup, spans: list[Span]) -> bool:
    """Whether another group shows more posts of the list."""
    if not _is_same_sort(page, best.group, other.group):
        return False
    ratio = other.score / best.score
    if place_of(page, best.group.links[0]) == place_of(page, other.group.links[0]):
        return ratio >= _SHARE_OF_TWIN
    if not best.group.titled or ratio < _SHARE_OF_BEST:
        return False
    if _is_masthead(page, other.group, spans[0][0]):
        return False
    starts = [start for start, _ in spans]
    inside_a_record = any(is_within(spans, starts, link.entry) for link in other.group.links)
    return not inside_a_record


def _is_same_sort(page: Outline, best: LinkGroup, other: LinkGroup) -> bool:
    """Whether links say the same of themselves, and do not stand in a side bar beside the list."""
    one, two = best.links[0], other.links[0]
    if one.kind != two.kind or best.titled != other.titled:
        return False
    only_other_in_furniture = page.furniture[two.entry] and not page.furniture[one.entry]
    return not only_other_in_furniture


def _is_masthead(page: Outline, group: LinkGroup, first: int) -> bool:
    """Whether a lone heading above the first record is the blog's name: no date, hardly a text."""
    link = group.links[0]
    if len(group.links) > 1 or link.entry > first:
        return False
    top = climb(page, link.entry, -1, first, alone=True)
    end = min(page.ends[top], first)
    if page.length(top, end) >= _LEAST_EXCERPT:
        return False
    return date_evidence(page, link, top, end) < FULL_DATE


def _untitled(page: Outline, groups: list[LinkGroup], posts: dict[str, PostLink]) -> dict[str, PostLink]:
    """Posts without a title.

    Dates, permalinks or numbers of comments stand under every post, headings only under some.
    """
    in_furniture = page.furniture[next(iter(posts.values())).entry]
    for group in groups:
        first = group.links[0]
        if first.heading >= 0 or first.kind == "picture":
            continue
        is_beside = page.furniture[first.entry] != in_furniture
        if not is_beside and _is_under_more(group, posts) and _is_permalink(group):
            return {link.key: link for link in group.links if link.key not in posts}
    return {}


def _is_under_more(group: LinkGroup, posts: Mapping[str, PostLink]) -> bool:
    """Whether a group leads to nearly all posts of the list and to more."""
    keys = {link.key for link in group.links}
    shared = sum(key in posts for key in keys)
    return len(keys) > len(posts) and are_most(shared, len(posts))


def _is_permalink(group: LinkGroup) -> bool:
    """Whether links say "permalink", a date or a number of comments rather than a title."""
    texts = [link.text for link in group.links]
    is_repeated = len(set(texts)) * 2 <= len(texts)
    if is_repeated or all(link.bookmark for link in group.links):
        return True
    short = [text for text in texts if len(text) <= LONGEST_DATE]
    numbered = sum(DIGIT.search(text) is not None for text in short)
    return are_most(numbered, len(texts))
