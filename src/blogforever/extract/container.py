"""Which element holds the article: names, paragraphs, and nearness to the heading decide."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from blogforever.dates import find_dates
from blogforever.extract.sections import (
    CONTAINERS,
    LITTLE_ELSE,
    SECTION,
    follows,
    with_its_like,
    with_its_other_part,
    with_its_parts,
)
from blogforever.page.view import PageView
from blogforever.page.vocabulary import is_foot_of, parts_of

_JUNK_TAGS = frozenset(("nav", "footer", "aside", "form", "dialog"))
_SIGNING_TAGS = frozenset(("footer", "aside"))
_JUNK_KINDS = frozenset(("comment", "furniture", "byline", "bio"))
_ABOUT_AUTHOR = frozenset(("byline", "bio"))
_COMMENT_WHOLES = frozenset(("body", "main", "article"))
_LOOSE_TEXT_TAGS = frozenset(("div", "td", "section", "article", "center", "blockquote"))
_WITHIN_LINES = frozenset(("span", "font", "em", "strong", "b", "i"))
_NO_RECEIVERS = frozenset(("blockquote", "li", "span", "font"))

# A block gives its points to the element around it, and ever less to those further up: the
# article's
# own element gets those of all its paragraphs, one around it shares them with the rest of the page.
_PASS_ON = (1.0, 0.8, 0.5, 0.25, 0.1)
# A block has up to one point for being a paragraph at all, and one for each so many words, up to a
# bound.
_PARAGRAPH = 20
_MOST_PARAGRAPHS = 5
# Breaks between two paragraphs of a block that has no elements for them.
_BREAKS = 2
# Words after the heading at which text counts half; text far away, or before it, counts this
# little.
_HALF_WAY = 200
_LEAST = 0.15
_KIND_FACTOR = {"body": 1.5, "post": 1.15, "outer": 0.5}
# What has more of the page's words than this is no furniture, unless the page has hardly any.
_MOST_FURNITURE = 0.6
_FEW_WORDS = 40
# Share of the words beside the head of an article that its text has.
_NEARLY_ALL = 0.9
# What is named as the article, or holds the heading, needs only so much of what the best has.
_ENOUGH = 0.3
# What is named as the article, but stands elsewhere than the best, needs so much of its score: a box
# of other stories below the text has the words, but neither the place nor the paragraphs.
_LEAST_OF_ANOTHER = 0.1
# By far the longest text has so many times the words of any other.
_BY_FAR = 2
# Elements around a box of which one may hold the paragraphs beside it.
_BOX_LEVELS = 4
# Share of a page's words that is much.
_MUCH = 0.4
# Words between the heading and the element that follows it.
_RIGHT_AFTER = 40
# Words of a line right below the heading that signs and dates the article.
_BYLINE = 40
# Elements around a part of a by-line of which one is called so.
_BYLINE_LEVELS = 2


def junk_spans(page: PageView, heading: int | None, kinds: frozenset[str] = _JUNK_KINDS) -> list[bool]:
    """For every element whether it or one around it is page furniture by name or tag.

    What holds the heading never is.
    """
    marks = [False] * len(page.nodes)
    words = _PageWords.of(page)
    holders = set() if heading is None else {heading, *page.ancestors(heading)}
    for i, (parent, tag, kind) in enumerate(zip(page.parents, page.tags, page.kinds, strict=True)):
        if parent < 0 or i in holders:
            continue
        # What has neither a telling name nor a telling tag, as most have not, needs no closer look.
        is_telling = kind or tag in _JUNK_TAGS
        marks[i] = marks[parent] or bool(is_telling and _is_junk(page, i, heading, words, kinds))
    return marks if heading is not None else _spare_bodies(page, marks)


def _spare_bodies(page: PageView, marks: list[bool]) -> list[bool]:
    """The marks without what holds an element named as article text, whatever its name.

    So it is only without a heading to go by.
    """
    for i, kind in enumerate(page.kinds):
        if kind != "body" or not marks[i]:
            continue
        around = [a for a in page.ancestors(i) if marks[a]]
        if any(_is_surely_junk(page, a) for a in around):
            continue
        for spared in (*around, *range(i, page.last[i])):
            marks[spared] = False
    return marks


def _is_surely_junk(page: PageView, i: int) -> bool:
    return page.tags[i] in _JUNK_TAGS or page.kinds[i] == "comment"


@dataclass(frozen=True, slots=True)
class _PageWords:
    """How many words a page has, and between which of its elements those stand that are named as
    article text.
    """

    total: int
    bodies: Sequence[int]
    first_end: int
    last_begin: int
    longest: int
    """The element with the most words of those so named, where no other has half as many; -1 where there is none."""

    @classmethod
    def of(cls, page: PageView) -> _PageWords:
        """Read from a page."""
        bodies = [i for i, kind in enumerate(page.kinds) if kind == "body" and page.own_words(i) >= SECTION]
        ends = [page.last[i] for i in bodies]
        total = page.count(0) if page.nodes else 0
        return cls(total, bodies, min(ends, default=len(page.nodes)), max(bodies, default=-1), _longest(page, bodies))

    def has_article_beside(self, page: PageView, i: int) -> bool:
        """Whether an element named as article text stands neither in this one nor around it."""
        return self.first_end <= i or self.last_begin >= page.last[i]

    def holds_most(self, page: PageView, i: int) -> bool:
        """Whether an element holds by far the longest text that is named as an article's, and with it much of what the
        page says: "column-beside-sidebar" may be its name.
        """
        if self.longest < 0 or not page.inside(self.longest, i):
            return False
        return page.own_words(self.longest) >= _MUCH * page.own_words(0)

    def has_article_inside(self, page: PageView, i: int) -> bool:
        """Whether an element named as article text stands in this one: "entry-by-mara" is around
        the whole post.
        """
        next_body = bisect_right(self.bodies, i)
        return next_body < len(self.bodies) and self.bodies[next_body] < page.last[i]


def _longest(page: PageView, bodies: Sequence[int]) -> int:
    """By far the longest of the elements that are named as article text; -1 where none is."""
    longest = max(bodies, key=page.own_words, default=-1)
    around = {longest, *page.ancestors(longest)} if longest >= 0 else set()
    others = (page.own_words(i) for i in bodies if i not in around and not page.inside(i, longest))
    return longest if longest >= 0 and page.own_words(longest) >= _BY_FAR * max(others, default=0) else -1


def _is_junk(page: PageView, i: int, heading: int | None, words: _PageWords, kinds: frozenset[str]) -> bool:
    """Whether an element is page furniture of these kinds, on a page with this heading and these
    words.
    """
    kind = page.kinds[i]
    if kind == "comment":
        return page.tags[i] not in _COMMENT_WHOLES
    if _signs_article(page, i, heading) or (kind == "furniture" and _is_part_of_post(page, i)):
        kind = "byline"
    elif page.tags[i] in _JUNK_TAGS:
        kind = "furniture"
    if kind not in kinds or _is_article_all_the_same(page, i, words, is_about_author=kind in _ABOUT_AUTHOR):
        return False
    # A wrapper called "page-with-sidebar" or a form around the whole page is not furniture.
    is_small = page.own_words(i) < _MOST_FURNITURE * words.total or words.total < _FEW_WORDS
    return is_small or words.has_article_beside(page, i)


def _is_article_all_the_same(page: PageView, i: int, words: _PageWords, *, is_about_author: bool) -> bool:
    """Whether an element called otherwise holds the article or, where it is called a by-line, a passage of it."""
    if is_about_author and (words.has_article_inside(page, i) or is_passage(page, i)):
        return True
    return words.holds_most(page, i)


def is_passage(page: PageView, i: int) -> bool:
    """Whether an element within a line is a passage of the text, whatever it is called: no by-line is as long.

    Text that was copied from elsewhere keeps the names that it had there.
    """
    return page.tags[i] in _WITHIN_LINES and not page.blocks[i] and page.own_words(i) > _BYLINE


def _signs_article(page: PageView, i: int, heading: int | None) -> bool:
    """Whether a footer or an aside signs and dates an article: it is called a by-line, is the
    article's footer, or a line right below the heading.
    """
    tag = page.tags[i]
    if tag == "nav":
        return heading is not None and _is_tags_beside(page, i, heading)
    if tag not in _SIGNING_TAGS:
        return False
    is_articles_footer = tag == "footer" and any(page.tags[a] == "article" for a in page.ancestors(i))
    follows_heading = heading is not None and page.start[i] == page.end[heading] and page.count(i) <= _BYLINE
    return is_articles_footer or follows_heading or page.kinds[i] == "byline"


def _is_tags_beside(page: PageView, i: int, heading: int) -> bool:
    """Whether an element is called a list of tags and stands right above or below the heading."""
    touches = page.end[i] == page.start[heading] or page.start[i] == page.end[heading]
    return touches and page.count(i) <= _BYLINE and any("tags" in parts_of(token) for token in page.classes(i))


def _is_part_of_post(page: PageView, i: int) -> bool:
    """Whether an element stands in a by-line, or is the foot of a post: "footer-tags" and "panel-footer" there are no
    foot of the page.
    """
    is_in_byline = any(page.kinds[a] == "byline" for a in page.around(i, _BYLINE_LEVELS))
    return is_in_byline or is_foot_of(page.attribute(i, "class"), _names_around(page, i))


def _names_around(page: PageView, i: int) -> str:
    """The class names of the element around one; none where it is the whole page."""
    around = page.parents[i]
    return page.attribute(around, "class") if around >= 0 and page.tags[around] != "body" else ""


def find_container(page: PageView, junk: Sequence[bool], heading: int | None) -> int | None:
    """The element that holds the article."""
    scores = _scores(page, junk, heading)
    if not scores:
        return None
    best = max(range(len(scores)), key=scores.__getitem__)
    named = _innermost(page, _best_named(page, junk, scores, heading), best, heading)
    if named is not None and _is_plausible(page, junk, scores, named, best, heading):
        named = with_its_parts(page, junk, named, heading)
        return with_its_other_part(page, junk, named, heading)
    best = _around_box(page, junk, best)
    near = _after_heading(page, junk, heading) if heading is not None else None
    if near is not None and not page.inside(best, near):
        below = _below_head(page, junk, near, best, heading)
        is_strong = scores[near] >= _ENOUGH * scores[best] and below is None
        best = _around_both(page, junk, near, best) or (near if is_strong else below or best)
    if scores[best] <= 0:
        return None
    return with_its_other_part(page, junk, with_its_like(page, junk, best, heading), heading)


def _around_box(page: PageView, junk: Sequence[bool], best: int) -> int:
    """The element among whose paragraphs the best one is but a box, as of pictures with what they show: those have
    more words; else the best one.
    """
    for around in page.around(best, _BOX_LEVELS):
        paragraphs = (i for i in page.children(around) if page.tags[i] == "p" and not junk[i])
        words = sum(page.own_words(i) for i in paragraphs if not page.inside(best, i))
        if words > page.own_words(best) and page.tags[around] in CONTAINERS:
            return around
    return best


def _below_head(page: PageView, junk: Sequence[bool], head: int, best: int, heading: int | None) -> int | None:
    """The text right below an element that is but its head: the heading, and a line with a date.

    It is the best one, or nearly all of it; None where an element is more than a head.
    """
    beside_heading = page.count(head) - (page.count(heading) if heading is not None else 0)
    if beside_heading > _BYLINE or not find_dates(page.line(head), limit=1):
        return None
    around = best if page.inside(head, best) else page.parents[head]
    below = _text_below(page, junk, head, around)
    if below is None:
        return None
    is_rest = page.own_words(below) >= _NEARLY_ALL * (page.own_words(best) - page.own_words(head))
    return below if around == best and is_rest and page.tags[below] in CONTAINERS else best


def _text_below(page: PageView, junk: Sequence[bool], head: int, around: int) -> int | None:
    """The longest of the elements behind a head, if it is longer and follows soon."""
    following = [i for i in page.children(around) if i >= page.last[head] and not junk[i]]
    below = max(following, key=page.own_words, default=None)
    if below is None or page.own_words(below) <= page.own_words(head):
        return None
    return below if _gap(page, junk, head, below) < _RIGHT_AFTER else None


def _around_both(page: PageView, junk: Sequence[bool], lede: int, rest: int) -> int | None:
    """The element around the lines beside a heading and the text that goes on below them; None
    where it does not.
    """
    if rest < lede or not SECTION <= page.own_words(lede) <= page.own_words(rest):
        return None
    around = next((i for i in page.ancestors(lede) if page.inside(rest, i)), None)
    if around is None or page.tags[around] not in CONTAINERS:
        return None
    is_right_below = _gap(page, junk, lede, rest) < _RIGHT_AFTER
    together = page.own_words(lede) + page.own_words(rest)
    return around if is_right_below and page.own_words(around) <= LITTLE_ELSE * together else None


def _best_named(
    page: PageView,
    junk: Sequence[bool],
    scores: Sequence[float],
    heading: int | None,
) -> int | None:
    """The best of the elements that are named as article text, the first of equals."""
    named = [i for i in _named(page) if not junk[i] and follows(page, i, heading)]
    # What stands in several so named has handed on most of its points on the way out: each has the best of those in it.
    best: dict[int, float] = {}
    outermost = -1
    for i in named:
        if outermost < 0 or i >= page.last[outermost]:
            outermost = i
        best[outermost] = max(best.get(outermost, 0.0), scores[i])
    return max(best, key=lambda i: (best[i] > 0, best[i], -i), default=None)


def _innermost(page: PageView, named: int | None, best: int, heading: int | None) -> int | None:
    """The innermost element named as article text around the best one, where the named one holds the heading, too: so
    it holds what stands around the article.
    """
    if named is None or heading is None or not page.inside(heading, named):
        return named
    around = (i for i in (best, *page.ancestors(best)) if page.kinds[i] == "body" and page.tags[i] in CONTAINERS)
    inner = next(around, None)
    is_inner = inner is not None and page.inside(inner, named) and follows(page, inner, heading)
    return inner if is_inner else named


def _named(page: PageView) -> list[int]:
    """The elements that are named as article text and can hold it."""
    return [i for i, kind in enumerate(page.kinds) if kind == "body" and page.tags[i] in CONTAINERS]


def _is_plausible(
    page: PageView,
    junk: Sequence[bool],
    scores: Sequence[float],
    named: int,
    best: int,
    heading: int | None,
) -> bool:
    """Whether an element named as the article may be it, though another has the best score."""
    if not page.count(named) and not _shows_picture(page, named):
        return False  # a script was to fill it
    if page.inside(best, named):
        return True
    if heading is not None and _is_beside_article(page, named, heading):
        return False
    if page.own_words(named) >= _ENOUGH * page.own_words(best):
        return page.inside(named, best) or scores[named] >= _LEAST_OF_ANOTHER * scores[best]
    if heading is None or page.inside(heading, named):
        return False
    return _gap(page, junk, heading, named) < _RIGHT_AFTER


def _is_beside_article(page: PageView, named: int, heading: int) -> bool:
    """Whether an element so named stands outside the article element with the heading, which has as much text: it is
    another post's, as in a list below.
    """
    article = next((i for i in page.ancestors(heading) if page.tags[i] == "article"), None)
    if article is None or page.inside(named, article) or page.inside(article, named):
        return False
    return page.own_words(article) >= page.own_words(named)


def _shows_picture(page: PageView, i: int) -> bool:
    return "img" in page.tags[i : page.last[i]]


def _gap(page: PageView, junk: Sequence[bool], heading: int, i: int) -> int:
    """Words shown between the heading and an element after it, page furniture left out."""
    between = page.start[i] - page.end[heading]
    skipped = 0
    j = page.last[heading]
    while j < i:
        if junk[j]:
            skipped += page.count(j)
            j = page.last[j]
        else:
            j += 1
    return between - skipped


def _after_heading(page: PageView, junk: Sequence[bool], heading: int) -> int | None:
    """The smallest container around the heading that also holds text after it."""
    for i in page.ancestors(heading):
        if page.tags[i] in CONTAINERS and _own_text(page, junk, page.last[heading], page.last[i]) > 0:
            return i
    return None


def _own_text(page: PageView, junk: Sequence[bool], first: int, end: int) -> int:
    """Words outside links in the innermost blocks of a stretch, page furniture left out."""
    words = 0
    while first < end:
        if junk[first]:
            first = page.last[first]
        elif not page.blocks[first]:
            words += page.own_words(first)
            first = page.last[first]
        else:
            first += 1
    return words


def _scores(page: PageView, junk: Sequence[bool], heading: int | None) -> list[float]:
    """How much each element looks like the one that holds the article."""
    scores = [0.0] * len(page.nodes)
    breaks = list(accumulate((tag == "br" for tag in page.tags), initial=0))
    for i in range(len(page.nodes)):
        points = 0.0 if junk[i] else _points(page, i, breaks)
        if points and heading is not None:
            points *= _nearness(page, heading, i)
        if points:
            _hand_on(page, scores, i, points)
    for i, score in enumerate(scores):
        scores[i] = 0.0 if junk[i] else score * _factor(page, i)
    return scores


def _factor(page: PageView, i: int) -> float:
    """How much of its points an element keeps by its tag, its links and its name."""
    kind = page.kinds[i]
    if page.tags[i] not in CONTAINERS or kind == "code":
        return 0.0
    density = page.links(i) / max(1, page.count(i))
    return (1 - density) * _KIND_FACTOR.get(kind, 1.0)


def _points(page: PageView, i: int, breaks: Sequence[int]) -> float:
    """What a block is worth by the text that stands in it; `breaks` says how many lines of the page end before an
    element.
    """
    if page.blocks[i] and page.tags[i] not in _LOOSE_TEXT_TAGS:
        return 0.0
    words = _text_of(page, i)
    if words <= 0:
        return 0.0
    lines = 1 if page.blocks[i] else 1 + (breaks[page.last[i]] - breaks[i]) // _BREAKS
    return min(words / _PARAGRAPH, lines) + min(words / _PARAGRAPH, _MOST_PARAGRAPHS * lines)


def _nearness(page: PageView, heading: int, i: int) -> float:
    """How much text counts by its place.

    Right after the heading it is full, further down less and less, before it little.
    """
    if i < heading:
        return _LEAST
    return max(_LEAST, 1 / (1 + (page.start[i] - page.end[heading]) / _HALF_WAY))


def _text_of(page: PageView, i: int) -> int:
    """Words outside links that stand in the element itself, not in blocks inside it."""
    if not page.blocks[i]:
        return page.count(i) - 2 * page.links(i)
    own = page.own_words(i)
    for child in page.children(i):
        own -= page.own_words(child)
    return own


def _hand_on(page: PageView, scores: list[float], i: int, points: float) -> None:
    """Give the points of a block to the elements around it."""
    is_receiver = page.tags[i] in CONTAINERS and page.tags[i] not in _NO_RECEIVERS
    receiver = i if is_receiver else page.parents[i]
    for share in _PASS_ON:
        if receiver < 0:
            return
        scores[receiver] += share * points
        receiver = page.parents[receiver]
