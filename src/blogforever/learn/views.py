"""One page's article with the sums needed to judge its parts against the feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


def _kept(sample: Sample, place: int, target: Sequence[str]) -> list[float]:
    """Marks of the words the feed has; a refrain is the article's where it stands amid it, not where it follows it."""
    marks = shingle_marks(sample.tree.words, target)
    if sample.refrain:
        first, stop = sample.tree.start[place], sample.tree.end[place]
        last = next((n for n in range(stop - 1, first - 1, -1) if marks[n]), first)
        again = shingle_marks(sample.tree.words[:last], sample.refrain)
        marks[:last] = [max(pair) for pair in zip(marks, again, strict=False)]
    return marks


def view_of(sample: Sample, place: int, target: Sequence[str] | None) -> View:
    """A page's article beside the entry's words; None for those where the feed does not have the whole text."""
    tree = sample.tree
    links = [0.0] * len(tree.words)
    for i, tag in enumerate(tree.tags):
        if tag == "a":
            links[tree.start[i] : tree.end[i]] = [1.0] * tree.count(i)
    kept = _kept(sample, place, target) if target else [0.0] * len(tree.words)
    return View(sample, place, target is not None, prefix_sums(kept), prefix_sums(links))
