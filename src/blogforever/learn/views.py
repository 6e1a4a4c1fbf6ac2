"""One page's article with the sums needed to judge its parts against the feed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from blogforever.learn.samples import Sample, prefix_sums
from blogforever.similarity import shingle_marks


@dataclass
class View:
    """An article on a page; `told` where the feed has the whole of its text."""

    sample: Sample
    place: int
    told: bool
    kept: list[float]
    linked: list[float]

    def hits(self, i: int) -> float:
        """Words of element `i` that stand in the feed."""
        return self.kept[self.sample.tree.end[i]] - self.kept[self.sample.tree.start[i]]

    def hits_from(self, i: int) -> float:
        """Words in the feed from element `i` to the end of the article."""
        tree = self.sample.tree
        return self.kept[tree.end[self.place]] - self.kept[tree.start[i]]

    def hits_to(self, i: int) -> float:
        """Words in the feed from the beginning of the article through element `i`."""
        tree = self.sample.tree
        return self.kept[tree.end[i]] - self.kept[tree.start[self.place]]

    def words_from(self, i: int) -> int:
        """Words from element `i` to the end of the article."""
        return self.sample.tree.end[self.place] - self.sample.tree.start[i]

    def words_to(self, i: int) -> int:
        """Words from the beginning of the article through element `i`."""
        return self.sample.tree.end[i] - self.sample.tree.start[self.place]

    def links(self, i: int) -> float:
        """Words of element `i` that are links."""
        return self.linked[self.sample.tree.end[i]] - self.linked[self.sample.tree.start[i]]


def _kept(sample: Sample, place: int, links: Sequence[float]) -> list[float]:
    """Sums of the words the feed has.

    A refrain of many posts is their author's, and so is a signature of nearly all, which feed and page both have. Only
    the links that follow every article are put there by the blog.
    """
    if not (sample.refrain or sample.signature):
        return sample.hits
    words, first, stop = sample.tree.words, sample.tree.start[place], sample.tree.end[place]
    own = [after - before for before, after in pairwise(sample.hits)]
    last = bisect_left(sample.hits, sample.hits[stop], first, stop)
    refrain = shingle_marks(words, sample.refrain)
    signature = shingle_marks(words, sample.signature)
    closing = [mark * (1 - linked) for mark, linked in zip(signature[last:], links[last:], strict=True)]
    return prefix_sums(map(max, own, refrain, [*signature[:last], *closing]))


def view_of(sample: Sample, place: int, *, told: bool) -> View:
    """A page's article beside the entry's words; `told` where the feed has the whole text."""
    tree = sample.tree
    links = [0.0] * len(tree.words)
    for i, tag in enumerate(tree.tags):
        if tag == "a":
            links[tree.start[i] : tree.end[i]] = [1.0] * tree.count(i)
    kept = _kept(sample, place, links) if told else [0.0] * (len(tree.words) + 1)
    return View(sample, place, told, kept, prefix_sums(links))
