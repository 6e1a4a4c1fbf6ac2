"""Where the tags and categories stand: links near the article whose texts are the entry's categories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from blogforever.dom import tokenise
from blogforever.extract.apply import MOST_VALUES, find_nodes, text_of
from blogforever.learn.candidates import Selector, Step, css_of, own_steps, xpath_of
from blogforever.learn.fields import distance
from blogforever.learn.rating import Placed, trust
from blogforever.model import Rule
from blogforever.page.view import PageView

_FOLDER = re.compile(
    r"((?:/|^)[a-z][a-z_-]+/|[?&][a-z_-]+=)[^/?&=#]+(?:/(?:index\.\w+)?)?$",
    re.IGNORECASE,
)
# Links nearest to the article that propose rules, on each of so many pages.
_NEAREST = 6
_ASKED = 4
# Links that are looked at more closely.
_MOST = 1000
# Words of a tag.
_LONGEST = 20
# A rule that finds little but tags is better than one that finds more of them among other things.
_PURE = 0.97
# Share of a rule's values that the feed has as tags.
_RIGHT = 0.75
# Elements around a link that may mark the list it stands in, and marks of each that are tried.
_LEVELS, _MOST_MARKS = 3, 3
# Marks of the link itself that are tried inside such a list, beside the last: that by its address.
_SUREST = 2


_Tagged = tuple[Placed, set[str]]
"""A page with the tags that the feed gives it."""


@dataclass(frozen=True)
class _JudgedRule:
    """A rule for tags with how many of its values are right."""

    rule: Rule
    right: int
    share: float
    anywhere: bool

    @property
    def order(self) -> tuple[bool, int, float, bool, int]:
        """Pure ones first, then those that find most; of equals the shorter."""
        return self.share < _PURE, -self.right, -self.share, self.anywhere, len(self.rule.css)

    @property
    def for_categories(self) -> bool:
        """Whether its selector says that it finds categories."""
        return "ategor" in self.rule.css


def learn_tags(placed: Sequence[Placed]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules for tags and for categories; either may be empty."""
    tagged: list[_Tagged] = []
    for p in placed:
        if p.sample.entry and p.sample.entry.tags:
            tagged.append((p, _keys(p.sample.entry.tags)))
    proposals: dict[Selector, None] = {}
    for p, tags in tagged[:_ASKED]:
        proposals |= dict.fromkeys(_places(p, tags))
    judged = sorted(_judged(proposals, tagged), key=lambda one: one.order)
    tags_first = [one.rule for one in judged if not one.for_categories]
    categories_first = [one.rule for one in judged if one.for_categories]
    return tuple(tags_first[:1]), tuple(categories_first[:1])


def _judged(proposals: Iterable[Selector], tagged: Sequence[_Tagged]) -> Iterator[_JudgedRule]:
    """The proposed rules that mostly find tags."""
    texts: dict[int, str] = {}
    for selector in proposals:
        rule = Rule(css_of(selector), xpath_of(selector))
        counts = _count(rule, tagged, texts)
        if counts:
            right, given = counts
            rated = replace(rule, confidence=trust(right, given), pages=len(tagged))
            yield _JudgedRule(rated, right, right / given, _anywhere(selector))


def _anywhere(selector: Selector) -> bool:
    """Whether a selector knows a link only by where it
    leads: another page of the blog may list all of them.
    """
    return all(not (step.id or step.classes or step.attribute) for step in selector)


def _keys(texts: Sequence[str]) -> set[str]:
    """Texts for comparison, without those that have no words."""
    return {" ".join(tokenise(text)) for text in texts} - {""}


def _count(rule: Rule, tagged: Sequence[_Tagged], texts: dict[int, str]) -> tuple[int, int] | None:
    """How many of a rule's values are tags, and of how many.

    None where too few are, or too few pages have any.
    """
    left = sum(len(tags) for _p, tags in tagged)
    right = given = empty = 0
    shown: set[frozenset[str]] = set()
    for p, tags in tagged:
        values = _values(p, rule, texts)
        shown.add(frozenset(values))
        right += len(values & tags)
        given += len(values)
        empty += not values
        left -= len(tags)
        # Even if all the other pages were right in everything, it would not do.
        best_share_missed = right + left < _RIGHT * (given + left)
        if best_share_missed or 2 * empty > len(tagged):
            return None
    # What stands alike on every page, whatever the
    # posts' tags are, is the blog's list and no post's.
    always_alike = len(tagged) > 1 and len(shown) == 1
    if not given or (always_alike and _differ(tagged)):
        return None
    return right, given


def _differ(tagged: Sequence[_Tagged]) -> bool:
    """Whether the feed gives different tags to different posts."""
    first = tagged[0][1]
    return any(tags != first for _p, tags in tagged)


def _values(p: Placed, rule: Rule, texts: dict[int, str]) -> set[str]:
    """What a rule shows on a page; many rules find the same nodes, and each node is read once."""
    nodes = find_nodes(p.sample.tree.tree, rule.css)[:MOST_VALUES]
    for node in nodes:
        if node.mem_id not in texts:
            texts[node.mem_id] = " ".join(tokenise(text_of(node, rule) or ""))
    return {texts[node.mem_id] for node in nodes} - {""}


def _places(p: Placed, tags: set[str]) -> Iterator[Selector]:
    """Selectors of the links nearest to the article that show a tag."""
    tree = p.sample.tree
    shown = islice(_tag_links(tree, tags), _MOST)
    for i in sorted(shown, key=lambda i: distance(p, i))[:_NEAREST]:
        own = [*own_steps(tree, i), *_by_address(tree.attribute(i, "href"))]
        yield from ((step,) for step in own)
        inside = (*own[:_SUREST], *own[-1:])
        for ancestor in islice(tree.ancestors(i), _LEVELS):
            for mark in own_steps(tree, ancestor)[:_MOST_MARKS]:
                yield (mark, Step("a"))
                yield from ((mark, step) for step in inside)


def _tag_links(tree: PageView, tags: set[str]) -> Iterator[int]:
    """The links whose text is one of the tags."""
    for i, tag in enumerate(tree.tags):
        if tag == "a" and tree.count(i) <= _LONGEST and " ".join(tree.words_of(i)) in tags:
            yield i


def _by_address(href: str) -> list[Step]:
    """A link as one that leads where all tags lie, as /tag/ does."""
    found = _FOLDER.search(href)
    return [Step("a", leads=found[1])] if found else []
