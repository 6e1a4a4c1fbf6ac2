"""One page's article with the sums needed to judge its parts against the feed."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

from blogforever.learn.pagetree import prefix_sums
from blogforever.learn.samples import Sample
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


def _kept(sample: Sample, place: int) -> list[float]:
    """Sums of the words the feed has; a refrain is the article's where it stands amid it, not where it follows it."""
    if not sample.refrain:
        return sample.hits
    first, stop = sample.tree.start[place], sample.tree.end[place]
    last = bisect_left(sample.hits, sample.hits[stop], first, stop)
    again = shingle_marks(sample.tree.words[:last], sample.refrain)
    own = [after - before for before, after in pairwise(sample.hits)]
    return prefix_sums([*map(max, own, again), *own[last:]])


def view_of(sample: Sample, place: int, *, told: bool) -> View:
    """A page's article beside the entry's words; `told` where the feed has the whole text."""
    tree = sample.tree
    links = [0.0] * len(tree.words)
    for i, tag in enumerate(tree.tags):
        if tag == "a":
            links[tree.start[i] : tree.end[i]] = [1.0] * tree.count(i)
    kept = _kept(sample, place) if told else [0.0] * (len(tree.words) + 1)
    return View(sample, place, told, kept, prefix_sums(links))
