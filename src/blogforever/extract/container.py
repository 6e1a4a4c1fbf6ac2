"""Which element of a page holds the article: names, paragraphs, and nearness to the heading decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blogforever.extract.layout import Layout
from blogforever.extract.vocabulary import word_set

_CONTAINERS = word_set("""
    div section article main td center body font span dd figure blockquote custom li form table tbody tr
""")
_JUNK_TAGS = frozenset(("nav", "footer", "aside", "form", "dialog"))
_JUNK_KINDS = frozenset(("comment", "furniture", "byline", "bio"))
_PASS_ON = (1.0, 0.8, 0.5, 0.25, 0.1)
_SECTION = 15
_LEVELS = 4
_HALF_WAY = 200
_LEAST = 0.15
_KIND_FACTOR = {"body": 1.5, "post": 1.15, "outer": 0.5}


def junk_spans(page: Layout, heading: int | None, kinds: frozenset[str] = _JUNK_KINDS) -> list[bool]:
    """For every element whether it or one around it is page furniture by name or tag; never what holds the heading."""
    marks = [False] * len(page.nodes)
    total = page.words(0) if page.nodes else 0
    for i, parent in enumerate(page.parents):
        around = heading is not None and page.inside(heading, i)
        marks[i] = parent >= 0 and not around and (marks[parent] or _is_junk(page, i, total, kinds))
    return marks if heading is not None else _spare_bodies(page, marks)


def _spare_bodies(page: Layout, marks: list[bool]) -> list[bool]:
    """Without a heading to go by, what holds an element named as article text is no furniture, whatever its name."""
    for i, kind in enumerate(page.kinds):
        if kind != "body" or not marks[i]:
            continue
        around = [a for a in page.ancestors(i) if marks[a]]
        if not any(page.tags[a] in _JUNK_TAGS or page.kinds[a] == "comment" for a in around):
            for spared in (*around, *range(i, page.ends[i])):
                marks[spared] = False
    return marks


def _is_junk(page: Layout, i: int, total: int, kinds: frozenset[str]) -> bool:
    kind = page.kinds[i]
    if kind == "comment":
        return page.tags[i] not in ("body", "main", "article")
    if page.tags[i] == "footer" and (kind == "byline" or any(page.tags[a] == "article" for a in page.ancestors(i))):
        kind = "byline"
    elif page.tags[i] in _JUNK_TAGS:
        kind = "furniture"
    if kind in kinds:
        # A wrapper called "page-with-sidebar" or a form around the whole page is not furniture.
        return page.words(i) - page.links(i) < 0.6 * total or total < 40
    return False


def find_container(page: Layout, junk: Sequence[bool], heading: int | None) -> int | None:
    """The element that holds the article."""
    scores = _scores(page, junk, heading)
    if not scores:
        return None
    best = max(range(len(scores)), key=scores.__getitem__)
    named = _outermost(page, [i for i in _named(page) if not junk[i] and _follows(page, i, heading)])
    if named:
        chosen = max(named, key=lambda i: (scores[i] > 0, scores[i], -i))
        if _plausible(page, junk, chosen, best, heading):
            return chosen
    if (
        heading is not None
        and (near := _after_heading(page, junk, heading)) is not None
        and scores[near] >= 0.3 * scores[best]
    ):
        best = near if not page.inside(best, near) else best
    return _with_its_like(page, junk, best, heading) if scores[best] > 0 else None


def _with_its_like(page: Layout, junk: Sequence[bool], best: int, heading: int | None) -> int:
    """The element around all sections of the article, where the best is in one of several that are alike."""
    for section in [best, *page.ancestors(best)[:_LEVELS]]:
        parent = page.parents[section]
        if (
            parent <= 0
            or (heading is not None and page.inside(heading, section))
            or page.tags[section] not in _CONTAINERS
        ):
            break
        alike = (i for i in _children(page, parent) if _is_like(page, i, section))
        if page.tags[parent] in _CONTAINERS and any(not junk[i] and _follows(page, i, heading) for i in alike):
            best = parent
    return best


def _is_like(page: Layout, i: int, best: int) -> bool:
    if i == best or page.tags[i] != page.tags[best] or page.words(i) - 2 * page.links(i) < _SECTION:
        return False
    return page.nodes[i].attributes.get("class") == page.nodes[best].attributes.get("class")


def _children(page: Layout, parent: int) -> Iterator[int]:
    child = parent + 1
    while child < page.ends[parent]:
        yield child
        child = page.ends[child]


def _named(page: Layout) -> list[int]:
    return [i for i, kind in enumerate(page.kinds) if kind == "body" and page.tags[i] in _CONTAINERS]


def _outermost(page: Layout, elements: Sequence[int]) -> list[int]:
    found: list[int] = []
    for i in elements:
        if not found or i >= page.ends[found[-1]]:
            found.append(i)
    return found


def _follows(page: Layout, i: int, heading: int | None) -> bool:
    return heading is None or i > heading or page.inside(heading, i)


def _plausible(page: Layout, junk: Sequence[bool], chosen: int, best: int, heading: int | None) -> bool:
    own = page.words(chosen) - page.links(chosen)
    if page.inside(best, chosen) or own >= 0.3 * (page.words(best) - page.links(best)):
        return True
    return heading is not None and not page.inside(heading, chosen) and _gap(page, junk, heading, chosen) < 40


def _gap(page: Layout, junk: Sequence[bool], heading: int, i: int) -> int:
    """Words shown between the heading and an element after it, page furniture left out."""
    between = page.starts[i] - page.stops[heading]
    skipped = 0
    j = page.ends[heading]
    while j < i:
        if junk[j]:
            skipped += page.words(j)
            j = page.ends[j]
        else:
            j += 1
    return between - skipped


def _after_heading(page: Layout, junk: Sequence[bool], heading: int) -> int | None:
    """The smallest container around the heading that also holds text after it."""
    for i in page.ancestors(heading):
        if page.tags[i] in _CONTAINERS and _own_text(page, junk, page.ends[heading], page.ends[i]) > 0:
            return i
    return None


def _own_text(page: Layout, junk: Sequence[bool], first: int, end: int) -> int:
    words = 0
    while first < end:
        if junk[first] or not page.blocks[first]:
            words += 0 if junk[first] else page.words(first) - page.links(first)
            first = page.ends[first]
        else:
            first += 1
    return words


def _scores(page: Layout, junk: Sequence[bool], heading: int | None) -> list[float]:
    scores = [0.0] * len(page.nodes)
    for i, tag in enumerate(page.tags):
        if junk[i] or (page.blocks[i] and tag not in ("div", "td", "section", "article", "center", "blockquote")):
            continue
        words = _text_of(page, i)
        if words <= 0:
            continue
        points = min(words, 20) / 20 + min(words / 20, 5)
        if heading is not None:
            points *= _nearness(page, heading, i)
        _hand_on(page, scores, i, points)
    for i, tag in enumerate(page.tags):
        if tag not in _CONTAINERS or junk[i] or page.kinds[i] == "code":
            scores[i] = 0.0
        elif scores[i]:
            density = page.links(i) / max(1, page.words(i))
            scores[i] *= (1 - density) * _KIND_FACTOR.get(page.kinds[i], 1.0)
    return scores


def _nearness(page: Layout, heading: int, i: int) -> float:
    """Text right after the heading counts full, text further down less and less, text before it little."""
    if i < heading:
        return _LEAST
    return max(_LEAST, 1 / (1 + (page.starts[i] - page.stops[heading]) / _HALF_WAY))


def _text_of(page: Layout, i: int) -> int:
    """Words outside links that stand in the element itself, not in blocks inside it."""
    if not page.blocks[i]:
        return page.words(i) - 2 * page.links(i)
    own = page.words(i) - page.links(i)
    child = i + 1
    while child < page.ends[i]:
        own -= page.words(child) - page.links(child)
        child = page.ends[child]
    return own


def _hand_on(page: Layout, scores: list[float], i: int, points: float) -> None:
    receiver = (
        i
        if page.tags[i] in _CONTAINERS and page.tags[i] not in ("blockquote", "li", "span", "font")
        else page.parents[i]
    )
    for share in _PASS_ON:
        if receiver < 0:
            return
        scores[receiver] += share * points
        receiver = page.parents[receiver]
