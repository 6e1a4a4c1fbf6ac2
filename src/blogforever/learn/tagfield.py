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
# With fewer pages nobody can tell what all of them show.
_FEWEST_PAGES = 3
# Words of a tag.
_LONGEST = 20
# A rule that finds little but tags is better than one that finds more of them among other things.
_PURE = 0.97
# Share of a rule's values that the feed has as tags.
_RIGHT = 0.75
# Rules for one field together, and pages on which each of them must find what the others do not.
_MOST_JOINED, _ADDS = 3, 2
# Elements around a link that may mark the list it stands in, and marks of each that are tried.
_LEVELS, _MOST_MARKS = 3, 3
# Marks of the link itself that are tried inside such a list, beside the last: that by its address.
_SUREST = 2


_Tagged = tuple[Placed, set[str]]
"""A page with the tags that the feed gives it."""


@dataclass(frozen=True)
class _JudgedRule:
    """A rule for tags, with how many of its values are right and which of a page's tags it finds."""

    rule: Rule
    right: int
    share: float
    anywhere: bool
    found: tuple[set[str], ...]

    @property
    def order(self) -> tuple[bool, int, float, bool, int]:
        """Pure ones first, then those that find most; of equals the shorter."""
        return self.share < _PURE, -self.right, -self.share, self.anywhere, len(self.rule.css)

    @property
    def for_categories(self) -> bool:
        """Whether its selector says that it finds categories."""
        return "ategor" in self.rule.css

    @property
    def is_usual(self) -> bool:
        """Whether it finds something on most pages."""
        return 2 * sum(map(bool, self.found)) >= len(self.found)


def learn_tags(placed: Sequence[Placed]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules for tags and for categories; either may be empty."""
    tagged: list[_Tagged] = []
    for p in placed:
        if p.sample.entry and p.sample.entry.tags:
            tagged.append((p, _keys(p.sample.entry.tags)))
    proposals: dict[Selector, None] = {}
    for p, tags in tagged[:_ASKED]:
        proposals |= dict.fromkeys(_places(p, tags))
    judged = list(_judged(proposals, tagged))
    if _differ(tagged):
        judged = [one for one in judged if not _is_blogs_list(one.rule, placed)]
    judged.sort(key=lambda one: one.order)
    tags_first = _together([one for one in judged if not one.for_categories])
    categories_first = _together([one for one in judged if one.for_categories])
    return tags_first, categories_first


def _together(judged: Sequence[_JudgedRule]) -> tuple[Rule, ...]:
    """The best rule, and as one with it those that find what it does not: posts may be filed in two places."""
    best = next((one for one in judged if one.is_usual), None)
    if best is None:
        return ()
    chosen = [best]
    for one in judged:
        if len(chosen) < _MOST_JOINED and one.share >= _PURE and _adds(one, chosen):
            chosen.append(one)
    css, xpath = ", ".join(one.rule.css for one in chosen), " | ".join(one.rule.xpath for one in chosen)
    return (replace(best.rule, css=css, xpath=xpath),)


def _adds(one: _JudgedRule, chosen: Sequence[_JudgedRule]) -> bool:
    """Whether a rule finds on several pages what those chosen do not."""
    new_on = 0
    for n, tags in enumerate(one.found):
        new_on += bool(tags.difference(*(other.found[n] for other in chosen)))
    return new_on >= _ADDS


def _judged(proposals: Iterable[Selector], tagged: Sequence[_Tagged]) -> Iterator[_JudgedRule]:
    """The proposed rules that mostly find tags."""
    texts: dict[int, str] = {}
    for selector in proposals:
        rule = Rule(css_of(selector), xpath_of(selector))
        shown = _shown(rule, tagged, texts)
        if not shown:
            continue
        found = tuple(values & tags for values, (_p, tags) in zip(shown, tagged, strict=True))
        right, given = sum(map(len, found)), sum(map(len, shown))
        rated = replace(rule, confidence=trust(right, given), pages=len(tagged))
        yield _JudgedRule(rated, right, right / given, _anywhere(selector), found)


def _anywhere(selector: Selector) -> bool:
    """Whether a selector knows a link only by where it
    leads: another page of the blog may list all of them.
    """
    return all(not (step.id or step.classes or step.attribute) for step in selector)


def _keys(texts: Sequence[str]) -> set[str]:
    """Texts for comparison, without those that have no words."""
    return {" ".join(tokenise(text)) for text in texts} - {""}


def _shown(rule: Rule, tagged: Sequence[_Tagged], texts: dict[int, str]) -> list[set[str]]:
    """What a rule shows on each page; nothing at all where too little of it are tags, or it is the blog's list."""
    left = sum(len(tags) for _p, tags in tagged)
    right = given = 0
    shown: list[set[str]] = []
    for p, tags in tagged:
        values = _values(p, rule, texts)
        shown.append(values)
        right += len(values & tags)
        given += len(values)
        left -= len(tags)
        # Even if all the other pages were right in everything, it would not do.
        if right + left < _RIGHT * (given + left):
            return []
    # What stands alike on every page, whatever the posts' tags are, is the blog's list and no post's.
    always_alike = len(tagged) > 1 and all(values == shown[0] for values in shown)
    if not given or (always_alike and right < given and _differ(tagged)):
        return []
    return shown


def _is_blogs_list(rule: Rule, placed: Sequence[Placed]) -> bool:
    """Whether a rule shows the same several names on every page, also on those whose tags nobody told."""
    if len(placed) < _FEWEST_PAGES:
        return False
    texts: dict[int, str] = {}
    first = _values(placed[0], rule, texts)
    return len(first) > 1 and all(_values(p, rule, texts) == first for p in placed[1:])


def _differ(tagged: Sequence[_Tagged]) -> bool:
    """Whether different posts have different tags."""
    return any(tags != tagged[0][1] for _p, tags in tagged)


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
