"""Blocks in articles that lead to other posts, and have no name: proved by the place they stand in
on most pages.

Where the feed has the whole text, it must have none of theirs. Where it has not, what they say of
other posts must stand on the pages of those, or end as what was cut short does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from blogforever.elements import is_inline
from blogforever.extract.leading import Leading, leading_of
from blogforever.extract.trimming import foreign_nodes
from blogforever.learn.candidates import Selector, Step, css_of, xpath_of
from blogforever.learn.exclude import CUT
from blogforever.learn.views import View
from blogforever.model import Rule
from blogforever.similarity import shingle_marks
from blogforever.urls import page_key

# Pages that must have such blocks in one place, and their share: neighbours and teasers stand on
# nearly all.
_FEWEST_PAGES, _SHARE = 3, 0.5
# At most this share of their words may stand in the feed; where other posts are proved to say them,
# this: what two posts of one author say has words in common.
_FOREIGN, _IN_COMMON = 0.1, 0.5
# Words of a block of several teasers; elements of a page that are tried, and around each other.
_LONGEST, _MOST_TRIED, _DEEPEST = 600, 200, 4
# Share of the words of a teaser that its post must have, and of the teasers that must be proved so.
_SAID, _PROVED, _FEWEST_PROVED = 0.6, 0.8, 2
# Share of the pages that have no more blocks than the blog puts on each.
_USUAL = 0.75

_Place = tuple[str, ...]
"""The tags from below the article down to a block."""


@dataclass
class _LeadingPlace:
    """What the blocks of one place have in common over the pages."""

    pages: Counter[int] = field(default_factory=Counter)
    """How many blocks each page has here."""
    left: set[int] = field(default_factory=set)
    """Pages on which no other rule excludes them all."""
    targets: set[str] = field(default_factory=set)
    told_words: int = 0
    told_hits: float = 0.0
    told: set[int] = field(default_factory=set)
    excerpts: int = 0
    proved: int = 0
    disproved: int = 0

    @property
    def is_foreign(self) -> bool:
        """Whether blocks here are no part of the articles."""
        said_elsewhere = self.proved >= max(_FEWEST_PROVED, _PROVED * (self.proved + self.disproved))
        if len(self.told) >= _FEWEST_PAGES:
            return self.told_hits <= (_IN_COMMON if said_elsewhere else _FOREIGN) * self.told_words
        is_in_feed = self.told_hits > _FOREIGN * self.told_words
        if is_in_feed or len(self.targets) < _FEWEST_PAGES:
            return False
        return not self.excerpts or said_elsewhere

    @property
    def most(self) -> int:
        """How many blocks pages have here, but for those whose author made a list of his own."""
        counts = sorted(self.pages.values())
        return counts[int(_USUAL * (len(counts) - 1))]


def learn_leading(views: Sequence[View], exclude: Sequence[Rule]) -> list[Rule]:
    """Rules for the places where blocks only lead to other posts, and that none of the others excludes."""
    places: defaultdict[_Place, _LeadingPlace] = defaultdict(_LeadingPlace)
    words = {page_key(view.sample.page.url): view.sample.tree.words for view in views}
    for n, view in enumerate(views):
        article = view.sample.tree.nodes[view.place]
        foreign = {node.mem_id for node in foreign_nodes(article, exclude)}
        for i, leading in _blocks(view):
            place = places[_place(view, i)]
            _count(place, n, view, i, leading)
            _weigh(place, view, i, leading, words)
            if view.sample.tree.nodes[i].mem_id not in foreign:
                place.left.add(n)
    enough = max(_FEWEST_PAGES, _SHARE * len(views))
    return [
        Rule(css_of(place), xpath_of(place), leads=found.most, pages=len(found.pages))
        for place, found in ((_steps(tags), found) for tags, found in places.items())
        if len(found.left) >= enough and found.is_foreign
    ]


def _blocks(view: View) -> Iterator[tuple[int, Leading]]:
    """The outermost blocks of an article that only lead to other posts."""
    tree, url, tried = view.sample.tree, view.sample.page.url, 0
    i = view.place + 1
    while i < tree.last[view.place] and tried < _MOST_TRIED:
        leading = None
        if view.leading(i) and tree.count(i) <= _LONGEST and not is_inline(tree.tags[i]):
            tried += 1
            leading = leading_of(tree.nodes[i], url)
        if leading is not None and len(_place(view, i)) <= _DEEPEST:
            yield i, leading
        i = tree.last[i] if leading is not None or not view.leading(i) else i + 1


def _place(view: View, i: int) -> _Place:
    tree, tags = view.sample.tree, list[str]()
    while i != view.place:
        tags.append(tree.tags[i])
        i = tree.parents[i]
    return tuple(reversed(tags))


def _steps(place: _Place) -> Selector:
    """Elements right below each other; those of broken pages are called as no selector can say."""
    return tuple(Step(tag, child=n > 0) for n, tag in enumerate(place))


def _count(place: _LeadingPlace, n: int, view: View, i: int, leading: Leading) -> None:
    """Add one block to what is known of its place."""
    place.pages[n] += 1
    place.targets |= leading.targets
    if view.told and not view.sample.taught:
        place.told.add(n)
        place.told_words += view.sample.tree.count(i)
        place.told_hits += view.hits(i)


def _weigh(place: _LeadingPlace, view: View, i: int, leading: Leading, words: Mapping[str, Sequence[str]]) -> None:
    """Ask the posts that a block leads to whether they say what it says of them."""
    if not leading.has_excerpt:
        return
    place.excerpts += 1
    known = [word for target in leading.targets & words.keys() for word in words[target]]
    if len(leading.targets & words.keys()) == len(leading.targets):
        said = sum(shingle_marks(leading.excerpt, known)) >= _SAID * len(leading.excerpt)
        place.proved += said
        place.disproved += not said
    elif view.sample.tree.line(i).endswith(CUT):
        place.proved += 1
