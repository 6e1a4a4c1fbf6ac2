"""Where the article stands: found on each page by the feed's words, then agreed upon over all pages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from blogforever.extract.apply import find_node
from blogforever.extract.vocabulary import kind_of
from blogforever.learn.candidates import Selector, css_of, own_steps, selectors
from blogforever.learn.pagetree import PageTree
from blogforever.learn.samples import FoundEntry, Sample

# Parts of a text, never the whole of an article: the search climbs out of them.
_PARTS = frozenset(
    [
        "p",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "blockquote",
        "a",
        "b",
        "i",
        "em",
        "strong",
        "span",
        "font",
        "small",
        "big",
        "code",
        "pre",
        "u",
        "s",
        "q",
        "cite",
        "sub",
        "sup",
        "abbr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "tbody",
        "thead",
        "tr",
        "figure",
        "figcaption",
        "img",
        "br",
        "center",
        "label",
        "time",
        "tt",
        "kbd",
        "mark",
        "ins",
        "del",
    ]
)
_WRAPPERS = frozenset({"font", "center", "span"})
_BLOCKS = frozenset({"p", "li", "pre", "blockquote", "div", "h2", "h3", "h4"})
_FILLED = 0.9  # an element and an entry that cover so much of each other are the same text
_FULL = 0.7  # from this likeness on, the feed carries the whole article
_FIT = 0.8  # a rule fits a page when it gives at least so much of what was looked for
_MOST_TEMPLATES = 5
_NEARLY_ALL = 0.95  # of the hits, in an element that names itself the body: the rest is an echo of it
_TAIL = 6  # words that may follow the last common one in its piece of text
_MOST_PLACES = 3  # a page's text may stand in more than one place


@dataclass(frozen=True)
class ArticleRule:
    """A selector with the samples it fits and the mean overlap on them."""

    selector: Selector
    fits: tuple[int, ...]
    agreement: float


def find_articles(sample: Sample) -> tuple[FoundEntry, ...]:
    """The elements of one page that may hold the text of its entry, likeliest first; none where it has too little.

    A page that lists excerpts of recent posts shows its own text twice: which of the two is the article, the pages
    decide together.
    """
    if sample.articles is None:
        sample.articles = _find_articles(sample)
    return sample.articles


def _find_articles(sample: Sample) -> tuple[FoundEntry, ...]:
    wanted = len(sample.target)
    total = sample.hits_of(0) if sample.hits else 0.0
    if wanted == 0 or total < max(2.0, 0.2 * wanted):
        return ()
    places = dict.fromkeys(settle(sample, climb(sample, place)) for place in _holders(sample, 0.8 * min(total, wanted)))
    if wanted >= 10:
        best = settle(sample, climb(sample, best_likeness(sample)))
        if likeness(sample, best) >= _FULL:
            places = {best: None} | places
    return tuple(measure(sample, place) for place in list(places)[:_MOST_PLACES])


def measure(sample: Sample, place: int) -> FoundEntry:
    """How well an element and the entry's text cover each other."""
    hits, weight, wanted = sample.hits_of(place), sample.weight_of(place), len(sample.target)
    return FoundEntry(place, min(1.0, hits / wanted) if wanted else 0.0, min(1.0, hits / weight) if weight else 0.0)


def fills(sample: Sample) -> bool:
    """Whether the entry's text fills an element of several blocks, as only a whole article does."""
    for article in find_articles(sample):
        if min(article.recall, article.precision) >= _FILLED and _blocks(sample.tree, article.place) > 1:
            return True
    return False


def _blocks(tree: PageTree, place: int) -> int:
    return sum(tree.tags[i] in _BLOCKS and tree.count(i) > 0 for i in range(place + 1, tree.last[place]))


def ends_amid(sample: Sample, place: int) -> bool:
    """Whether the entry's text ends in the middle of a piece of the article's: the feed cut it short."""
    first, stop = sample.tree.start[place], sample.tree.end[place]
    last = bisect_left(sample.hits, sample.hits[stop], first, stop)  # one past the last hit
    for _parent, begin, end, _text in sample.tree.texts:
        if begin < last <= end:
            return end - last > _TAIL
    return False


def likeness(sample: Sample, i: int) -> float:
    """Dice coefficient of an element's words and the entry's, counted where they stand in the same company."""
    wanted = len(sample.target)
    size = wanted + sample.weight_of(i)
    return 2 * min(sample.hits_of(i), wanted) / size if size else 0.0  # a text shown twice counts once


def best_likeness(sample: Sample) -> int:
    """The element most like the entry's text; of equals the innermost."""
    tree, hits, weight, wanted = sample.tree, sample.hits, sample.weight, len(sample.target)
    best, place = -1.0, 0
    for i, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        common = hits[end] - hits[start]
        if common or best <= 0:  # the loop of learning that runs once for every element
            size = wanted + weight[end] - weight[start]
            score = 2 * min(common, wanted) / size if size else 0.0
            if score >= best:
                best, place = score, i
    return place


def _holders(sample: Sample, enough: float) -> list[int]:
    """The innermost elements with enough hits, the one with most of them first."""
    tree = sample.tree
    found: list[int] = []
    for i in range(len(tree.nodes) - 1, -1, -1):  # inner elements come after the outer ones
        if sample.hits_of(i) >= enough and not any(i < j < tree.last[i] for j in found[-3:]):
            found.append(i)
            if len(found) > _MOST_PLACES * 3:
                break
    return sorted(found, key=lambda i: (-round(sample.hits_of(i) / max(1.0, enough), 1), -likeness(sample, i)))


def climb(sample: Sample, i: int) -> int:
    """Out of paragraphs, lists and inline elements to the container around them."""
    tree = sample.tree
    while tree.tags[i] in _PARTS and tree.parents[i] > 0 and not _wraps(tree, i):
        i = tree.parents[i]
    return i


def _wraps(tree: PageTree, i: int) -> bool:
    """Whether an element that usually stands in a line is used as a container here."""
    return tree.tags[i] in _WRAPPERS and any(tree.tags[child] in _BLOCKS for child in tree.children(i))


def settle(sample: Sample, i: int) -> int:
    """Of nested elements with the same words, the one that names itself the body, else the innermost with a mark."""
    tree, chain = sample.tree, [i]
    for place in range(i + 1, tree.last[i]):
        if sample.hits_of(place) >= _NEARLY_ALL * sample.hits_of(i) and _names_itself(tree, place):
            return place
    while tree.parents[chain[-1]] > 0 and tree.count(tree.parents[chain[-1]]) == tree.count(i):
        chain.append(tree.parents[chain[-1]])
    named = [place for place in chain if _names_itself(tree, place)]
    marked = [place for place in chain if own_steps(tree, place)]
    return (named or marked or chain)[0]


def _names_itself(tree: PageTree, i: int) -> bool:
    return kind_of(" ".join(tree.classes(i))) == "body"


def overlap(sample: Sample, a: int, b: int) -> float:
    """F1 of the words two elements of a page share."""
    tree, weight = sample.tree, sample.weight
    first, stop = max(tree.start[a], tree.start[b]), min(tree.end[a], tree.end[b])
    both = sample.weight_of(a) + sample.weight_of(b)
    if not both:
        return float(a == b)
    return 2 * (weight[stop] - weight[first]) / both if stop > first else 0.0


def agree(samples: Sequence[Sample], found: Sequence[Sequence[FoundEntry]]) -> list[ArticleRule]:
    """The selectors the pages agree on: the best over all, then the best over those it leaves, and so on."""
    rules: list[ArticleRule] = []
    left = [n for n, places in enumerate(found) if places]
    enough = 1 if len(left) < 4 else 2
    while left and len(rules) < _MOST_TEMPLATES:
        rule = _best_rule(samples, found, left)
        if rule is None or len(rule.fits) < enough:
            break
        rules.append(rule)
        left = [n for n in left if n not in rule.fits]
    return rules


def _best_rule(
    samples: Sequence[Sample], found: Sequence[Sequence[FoundEntry]], left: Sequence[int]
) -> ArticleRule | None:
    best: ArticleRule | None = None
    best_score = 0.0
    for rank, selector in enumerate(_candidates(samples, found, left)):
        css = css_of(selector)
        scores = {n: _score(samples[n], found[n], css) for n in left}
        total = sum(scores.values()) - 1e-6 * rank
        if total > best_score:
            fits = tuple(n for n in left if scores[n] >= _FIT)
            best, best_score = ArticleRule(selector, fits, total / len(left)), total
    return best


def _candidates(
    samples: Sequence[Sample], found: Sequence[Sequence[FoundEntry]], left: Sequence[int]
) -> Iterable[Selector]:
    """The distinct selectors of the articles found on a few pages, the surest kind first."""
    seen: dict[Selector, int] = {}
    for n in left[:6]:
        for article in found[n]:
            for rank, selector in enumerate(selectors(samples[n].tree, article.place)):
                seen.setdefault(selector, rank)
    return sorted(seen, key=lambda selector: seen[selector])


def _score(sample: Sample, found: Sequence[FoundEntry], css: str) -> float:
    place = sample.tree.place(find_node(sample.tree.parser, css))
    if place is None:
        return 0.0
    return max(overlap(sample, place, article.place) for article in found)
