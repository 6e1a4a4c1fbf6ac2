"""Where the article stands: found on each page by the feed's words, then agreed upon over all pages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from blogforever.extract.apply import find_node
from blogforever.extract.templates import PAGE
from blogforever.learn.candidates import Selector, Step, css_of, own_steps, selectors
from blogforever.learn.samples import FoundEntry, Sample
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

# Parts of a text, never the whole of an article: the search climbs out of them.
_PARTS = frozenset(
    "p li ul ol dl dt dd blockquote a b i em strong span font small big code pre u s q cite sub sup "
    "abbr h1 h2 h3 h4 h5 h6 table tbody thead tr figure figcaption img br center label time tt kbd "
    "mark ins del".split()
)
# Elements of a line that old pages put around whole texts.
_WRAPPERS = frozenset({"font", "center", "span"})
_BLOCKS = frozenset({"p", "li", "pre", "blockquote", "div", "h2", "h3", "h4"})
# An element and an entry that cover so much of each other are the same text.
_FILLED = 0.9
# From this likeness on, the feed carries the whole article.
_FULL = 0.7
# A rule fits a page when it gives at least so much of what was looked for.
_FIT = 0.8
# Layouts of one blog; each further one would be learned from fewer pages.
_MOST_TEMPLATES = 5
# Share of the hits in an element that names itself the body: the rest is an echo of it elsewhere.
_NEARLY_ALL = 0.95
# Words that may follow the last common one in its piece of text, before it counts as cut short.
_TAIL = 6
# A page's text may stand in more than one place.
_MOST_PLACES = 3
# Elements looked at before the best of them are taken;
# of one text there are several around each other.
_MOST_HOLDERS = 3 * _MOST_PLACES
# An element around one of the last few found is no place of its own. Inner ones come last in a
# page, so that those before them are elsewhere, and comparing with all would cost their square.
_COMPARED_HOLDERS = 3
# With fewer words of the entry on the page, or a smaller share of them, the page does not show it.
_FEWEST_HITS, _LEAST_SHARE = 2.0, 0.2
# Share of what can be found that an element must hold to be a place of the text.
_HOLDS_MOST = 0.8
# Shorter texts are like some element of every page by chance.
_TELLING_WORDS = 10
# From so many pages on, two must agree: a rule for
# one page alone is most often that page's accident.
_SEVERAL_PAGES = 4
# Pages whose articles must be the whole page for that to be a rule: there is nothing in the page's
# mark-up to bear it out.
_FEWEST_WHOLE = 3
# Pages whose articles propose selectors; every page judges them.
_ASKED = 6
# Too little to outweigh what a page says: of equally good selectors the surer kind wins.
_RANK_COST = 1e-6


@dataclass(frozen=True)
class ArticleRule:
    """A selector with the samples it fits and the mean overlap on them."""

    selector: Selector
    fits: tuple[int, ...]
    agreement: float


Articles = Sequence[Sequence[FoundEntry]]
"""For each sample, the elements that may hold its article."""


def find_articles(sample: Sample) -> tuple[FoundEntry, ...]:
    """The elements of one page that may hold the text of its entry, likeliest first.

    None where it has too little.

    A page that lists excerpts of recent posts shows its own text twice: which of the two is the
    article, the pages decide together.
    """
    if sample.articles is None:
        sample.articles = _search_articles(sample)
    return sample.articles


def _search_articles(sample: Sample) -> tuple[FoundEntry, ...]:
    """The same, searched: by where enough of the text stands, and by what is most like it."""
    wanted = len(sample.target)
    total = sample.hits_of(0) if sample.hits else 0.0
    if wanted == 0 or total < max(_FEWEST_HITS, _LEAST_SHARE * wanted):
        return ()
    holders = _holders(sample, enough=_HOLDS_MOST * min(total, wanted))
    places = dict.fromkeys(settle(sample, climb(sample, place)) for place in holders)
    if wanted >= _TELLING_WORDS:
        best = settle(sample, climb(sample, best_likeness(sample)))
        if likeness(sample, best) >= _FULL:
            places = {best: None} | places
    return tuple(measure(sample, place) for place in list(places)[:_MOST_PLACES])


def measure(sample: Sample, place: int) -> FoundEntry:
    """How well an element and the entry's text cover each other."""
    hits, weight, wanted = sample.hits_of(place), sample.weight_of(place), len(sample.target)
    recall = min(1.0, hits / wanted) if wanted else 0.0
    precision = min(1.0, hits / weight) if weight else 0.0
    return FoundEntry(place, recall, precision)


def fills(sample: Sample) -> bool:
    """Whether the entry's text fills an element of several blocks, as only a whole article does."""
    for article in find_articles(sample):
        is_same_text = min(article.recall, article.precision) >= _FILLED
        if is_same_text and _blocks(sample.tree, article.place) > 1:
            return True
    return False


def _blocks(tree: PageView, place: int) -> int:
    """Paragraphs and the like with words in them, below an element."""
    below = range(place + 1, tree.last[place])
    return sum(tree.tags[i] in _BLOCKS and tree.count(i) > 0 for i in below)


def ends_amid(sample: Sample, place: int) -> bool:
    """Whether the entry's text ends in the middle of a
    piece of the article's: the feed cut it short.
    """
    first, stop = sample.tree.start[place], sample.tree.end[place]
    after_last_hit = bisect_left(sample.hits, sample.hits[stop], first, stop)
    for _parent, begin, end, _text in sample.tree.texts:
        if begin < after_last_hit <= end:
            return end - after_last_hit > _TAIL
    return False


def likeness(sample: Sample, i: int) -> float:
    """Dice coefficient of an element's words and the
    entry's, counted where they stand in the same company.
    """
    wanted = len(sample.target)
    size = wanted + sample.weight_of(i)
    # A text that the page shows twice counts once.
    common = min(sample.hits_of(i), wanted)
    return 2 * common / size if size else 0.0


def best_likeness(sample: Sample) -> int:
    """The element most like the entry's text; of equals the innermost."""
    tree, hits, weight, wanted = sample.tree, sample.hits, sample.weight, len(sample.target)
    best, place = -1.0, 0
    # The one loop of learning that runs for every element of a page: no calls, and no score where
    # nothing is common.
    for i, (start, end) in enumerate(zip(tree.start, tree.end, strict=True)):
        common = hits[end] - hits[start]
        if common or best <= 0:
            size = wanted + weight[end] - weight[start]
            score = 2 * min(common, wanted) / size if size else 0.0
            if score >= best:
                best, place = score, i
    return place


def _holders(sample: Sample, enough: float) -> list[int]:
    """The innermost elements with enough hits, the one with most of them first."""
    tree = sample.tree
    found: list[int] = []
    # Inner elements come after the outer ones.
    for i in range(len(tree.nodes) - 1, -1, -1):
        if sample.hits_of(i) < enough:
            continue
        if any(i < inner < tree.last[i] for inner in found[-_COMPARED_HOLDERS:]):
            continue
        found.append(i)
        if len(found) > _MOST_HOLDERS:
            break

    def order(i: int) -> tuple[float, float]:
        return -round(sample.hits_of(i) / max(1.0, enough), 1), -likeness(sample, i)

    return sorted(found, key=order)


def climb(sample: Sample, i: int) -> int:
    """Out of paragraphs, lists and inline elements to the container around them."""
    tree = sample.tree
    while tree.tags[i] in _PARTS and tree.parents[i] >= 0 and not _wraps(tree, i):
        i = tree.parents[i]
    return i


def _wraps(tree: PageView, i: int) -> bool:
    """Whether an element that usually stands in a line is used as a container here."""
    if tree.tags[i] not in _WRAPPERS:
        return False
    return any(tree.tags[child] in _BLOCKS for child in tree.children(i))


def settle(sample: Sample, i: int) -> int:
    """Of nested elements with the same words, the one that names itself the body, else the
    innermost with a mark.
    """
    tree = sample.tree
    most_hits = _NEARLY_ALL * sample.hits_of(i)
    for place in range(i + 1, tree.last[i]):
        if sample.hits_of(place) >= most_hits and _names_itself(tree, place):
            return place
    chain = _with_same_words(tree, i)
    named = [place for place in chain if _names_itself(tree, place)]
    marked = [place for place in chain if own_steps(tree, place)]
    return (named or marked or chain)[0]


def _with_same_words(tree: PageView, i: int) -> list[int]:
    """An element and those around it that hold nothing else, the innermost first."""
    chain = [i]
    parent = tree.parents[i]
    while parent > 0 and tree.count(parent) == tree.count(i):
        chain.append(parent)
        parent = tree.parents[parent]
    return chain


def _names_itself(tree: PageView, i: int) -> bool:
    return kind_of(" ".join(tree.classes(i))) == "body"


def overlap(sample: Sample, a: int, b: int) -> float:
    """F1 of the words two elements of a page share."""
    tree, weight = sample.tree, sample.weight
    first, stop = max(tree.start[a], tree.start[b]), min(tree.end[a], tree.end[b])
    both = sample.weight_of(a) + sample.weight_of(b)
    if not both:
        return float(a == b)
    if stop <= first:
        return 0.0
    return 2 * (weight[stop] - weight[first]) / both


def agree(samples: Sequence[Sample], articles: Articles) -> list[ArticleRule]:
    """The selectors the pages agree on: the best over
    all, then the best over those it leaves, and so on.
    """
    rules: list[ArticleRule] = []
    left = [n for n, places in enumerate(articles) if places]
    enough = 1 if len(left) < _SEVERAL_PAGES else 2
    while left and len(rules) < _MOST_TEMPLATES:
        rule = _best_rule(samples, articles, left)
        if rule is None or len(rule.fits) < enough:
            break
        rules.append(rule)
        left = [n for n in left if n not in rule.fits]
    whole = _whole_page(samples, articles, left)
    return [*rules, whole] if whole and len(rules) < _MOST_TEMPLATES else rules


def _whole_page(samples: Sequence[Sample], articles: Articles, left: Sequence[int]) -> ArticleRule | None:
    """The page itself, where texts stand right below it, and nothing else marks them."""
    fits = tuple(n for n in left if articles[n][0].place == 0 and samples[n].tree.tags[0] == PAGE)
    return ArticleRule((Step(PAGE),), fits, 1.0) if len(fits) >= _FEWEST_WHOLE else None


def _best_rule(
    samples: Sequence[Sample],
    articles: Articles,
    left: Sequence[int],
) -> ArticleRule | None:
    """The selector that gives most of the articles of the pages that are left."""
    best: ArticleRule | None = None
    best_score = 0.0
    for rank, selector in enumerate(_candidates(samples, articles, left)):
        css = css_of(selector)
        scores = {n: _score(samples[n], articles[n], css) for n in left}
        total = sum(scores.values()) - _RANK_COST * rank
        if total > best_score:
            fits = tuple(n for n in left if scores[n] >= _FIT)
            best, best_score = ArticleRule(selector, fits, total / len(left)), total
    return best


def _candidates(
    samples: Sequence[Sample],
    articles: Articles,
    left: Sequence[int],
) -> Iterable[Selector]:
    """The distinct selectors of the articles found on a few pages, the surest kind first."""
    ranks: dict[Selector, int] = {}
    for n in left[:_ASKED]:
        for article in articles[n]:
            for rank, selector in enumerate(selectors(samples[n].tree, article.place)):
                ranks.setdefault(selector, rank)
    return sorted(ranks, key=lambda selector: ranks[selector])


def _score(sample: Sample, articles: Sequence[FoundEntry], css: str) -> float:
    """How much of the likeliest of a page's articles a selector gives."""
    place = sample.tree.place(find_node(sample.tree.tree, css, sample.tops))
    if place is None:
        return 0.0
    return max(overlap(sample, place, article.place) for article in articles)
