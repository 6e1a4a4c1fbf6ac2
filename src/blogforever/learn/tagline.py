"""Tags that are one text: a line without links that lists them behind a word like "Tags:"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from blogforever.dom import tokenise
from blogforever.extract.apply import listed_values
from blogforever.extract.filing import Filing
from blogforever.learn.candidates import css_of, own_steps, selectors, xpath_of
from blogforever.learn.rating import Placed, trust
from blogforever.model import Rule

# Pages that propose rules, and ways to point at a line that are tried.
_ASKED, _MOST_WAYS = 4, 6
# Share of the names found that must be tags of their posts, and of the tags that must be found.
_RIGHT, _MOST = 0.9, 0.5

Tagged = tuple[Placed, set[str]]
"""A page with the tags that the feed gives it, for comparison."""


def learn_tag_line(tagged: Sequence[Tagged]) -> tuple[Rule, ...]:
    """A rule for the line that lists the tags; none where no line does."""
    proposals = dict.fromkeys(rule for page, tags in tagged[:_ASKED] for rule in _lines(page, tags))
    judged = [_judged(rule, tagged) for rule in proposals]
    best = max(judged, key=lambda rule: rule.confidence, default=None)
    return (best,) if best and best.confidence > 0 else ()


def _lines(placed: Placed, tags: set[str]) -> Iterator[Rule]:
    """Rules for the lines of a page that list its tags and nothing else."""
    tree = placed.sample.tree
    filing = Filing(tree)
    for i in range(len(tree.tags)):
        listed = filing.listed_in(i)
        if listed is None or not _keys(listed.names) <= tags:
            continue
        ways = [*((step,) for step in own_steps(tree, i)), *islice(selectors(tree, i), _MOST_WAYS)]
        for way in dict.fromkeys(ways[:_MOST_WAYS]):
            yield Rule(css_of(way), xpath_of(way), prefix=listed.label)


def _judged(rule: Rule, tagged: Sequence[Tagged]) -> Rule:
    """A rule with how sure it is: not at all where it finds few of the tags, or much else."""
    right = given = told = 0
    for placed, tags in tagged:
        values = _keys(listed_values(placed.sample.tree.tree, rule, placed.sample.page.url))
        right, given, told = right + len(values & tags), given + len(values), told + len(tags)
    is_good = given > 0 and right >= _RIGHT * given and right >= _MOST * told
    return replace(rule, confidence=trust(right, given) if is_good else 0.0, pages=len(tagged))


def _keys(names: Sequence[str]) -> set[str]:
    """Names for comparison."""
    return {" ".join(tokenise(name)) for name in names} - {""}


__all__ = ["Tagged", "learn_tag_line"]
