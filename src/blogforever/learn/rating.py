"""Many proposed rules, few that differ: each is tried on a few pages, the different ones on all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from selectolax.lexbor import LexborNode

from blogforever.extract.apply import find_node, in_comments, text_of, value_of
from blogforever.learn.samples import Sample
from blogforever.model import Rule

# Pages on which a rule must first show that it finds something else than the ones before.
_TRIED = 3
# Rules kept that find the same there: they may differ elsewhere.
_ALIKE = 3
# What is added to the pages asked, and to those a rule was right on: a rule that was right on its
# only page gets 0.8, on ten of ten 0.957, and never 1.
_DOUBT, _CREDIT = 1.5, 1
_DECIMALS = 3


def trust(right: float, asked: int) -> float:
    """How sure a rule is that was right so often: one page
    proves less than ten, and none proves everything.
    """
    return round((right + _CREDIT) / (asked + _DOUBT), _DECIMALS)


@dataclass(frozen=True)
class Placed:
    """A sample with its article's place."""

    sample: Sample
    article: int

    @cached_property
    def above(self) -> dict[int, int]:
        """The article and what is around it, each with the steps from the article."""
        return {i: n for n, i in enumerate([self.article, *self.sample.tree.ancestors(self.article)])}


class PageSet:
    """Pages of one template; what a selector finds on them is looked up once."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self.placed = placed
        self._found: dict[tuple[str, int], LexborNode | None] = {}
        self._of_readers: dict[int, bool] = {}
        self._texts: dict[tuple[object, ...], str | None] = {}

    def node(self, css: str, n: int) -> LexborNode | None:
        """What a selector finds on page `n`, unless readers wrote it."""
        key = (css, n)
        if key not in self._found:
            sample = self.placed[n].sample
            node = find_node(sample.tree.tree, css, sample.tops)
            self._found[key] = None if node is None or self._is_readers(node) else node
        return self._found[key]

    def _is_readers(self, node: LexborNode) -> bool:
        """Whether readers wrote it; many selectors find the same node."""
        if node.mem_id not in self._of_readers:
            self._of_readers[node.mem_id] = in_comments(node)
        return self._of_readers[node.mem_id]

    def values(self, rule: Rule) -> list[str | None]:
        """What a rule says on each page."""
        if rule.key:  # each page may have several scripts
            return [value_of(p.sample.tree.tree, rule) for p in self.placed]
        nodes = [self.node(rule.css, n) for n in range(len(self.placed))]
        return [None if node is None else self._text(node, rule) for node in nodes]

    def _text(self, node: LexborNode, rule: Rule) -> str | None:
        """What rules that find the same node take from it alike is read once.

        The pages keep their nodes alive.
        """
        key = (node.mem_id, rule.attribute, rule.own, rule.key, rule.prefix, rule.suffix)
        if key not in self._texts:
            self._texts[key] = text_of(node, rule)
        return self._texts[key]

    def different(self, rules: Iterable[Rule]) -> Iterator[Rule]:
        """The rules that find something, without those
        that only find the same as several before them.
        """
        tried = range(0, len(self.placed), max(1, len(self.placed) // _TRIED))
        seen: dict[tuple[object, ...], int] = {}
        for rule in dict.fromkeys(rules):
            nodes = [self.node(rule.css, n) for n in tried]
            if all(node is None for node in nodes):
                continue
            places = (node and node.mem_id for node in nodes)
            key = (*places, rule.attribute, rule.own, rule.key, rule.prefix, rule.suffix)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= _ALIKE:
                yield rule
