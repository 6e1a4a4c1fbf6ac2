"""Where the tags and categories stand: links near the article whose texts are the entry's categories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from blogforever.dom import tokenise
from blogforever.extract.apply import MOST_VALUES, find_nodes, text_of
from blogforever.learn.candidates import Selector, Step, css_of, own_steps, xpath_of
from blogforever.learn.fields import distance
from blogforever.learn.rating import Placed, trust
from blogforever.model import Rule

_ASKED = 4
_FOLDER = re.compile(r"((?:/|^)[a-z][a-z_-]+/|[?&][a-z_-]+=)[^/?&=#]+(?:/(?:index\.\w+)?)?$", re.IGNORECASE)
_NEAREST = 6
_MOST = 1000  # links that are looked at more closely
_LONGEST = 20  # words of a tag
_PURE = 0.97  # a rule that finds little but tags is better than one that finds more of them among other things
_RIGHT = 0.75  # share of a rule's values that the feed has as tags


def learn_tags(placed: Sequence[Placed]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules for tags and for categories; either may be empty."""
    told = [p for p in placed if p.sample.entry and p.sample.entry.tags]
    wanted = [_keys(p.sample.entry.tags) for p in told if p.sample.entry]
    proposals = dict.fromkeys(s for p, tags in zip(told[:_ASKED], wanted, strict=False) for s in _places(p, tags))
    judged: list[tuple[float, int, bool, Rule]] = []
    shown: dict[int, str] = {}
    for selector in proposals:
        rule = Rule(css_of(selector), xpath_of(selector))
        if counts := _count(rule, told, wanted, shown):
            right, given = counts
            fitted = replace(rule, confidence=trust(right, given), pages=len(told))
            judged.append((right / given, right, _anywhere(selector), fitted))
    judged.sort(key=lambda item: (item[0] < _PURE, -item[1], -item[0], item[2], len(item[3].css)))
    categories = next((item[3] for item in judged if "ategor" in item[3].css), None)
    tags = next((item[3] for item in judged if "ategor" not in item[3].css), None)
    return (tags,) if tags else (), (categories,) if categories else ()


def _anywhere(selector: Selector) -> bool:
    """Whether a selector knows a link only by where it leads: another page of the blog may list all of them."""
    return all(not (step.id or step.classes or step.attribute) for step in selector)


def _keys(texts: Sequence[str]) -> set[str]:
    return {" ".join(tokenise(text)) for text in texts} - {""}


def _count(
    rule: Rule, told: Sequence[Placed], wanted: Sequence[set[str]], known: dict[int, str]
) -> tuple[int, int] | None:
    """How many of a rule's values are tags, and of how many; None where too few are, or too few pages have any.

    What stands alike on every page, whatever the posts' tags are, is the blog's list and no post's.
    """
    left = sum(map(len, wanted))
    right = given = empty = 0
    seen: set[frozenset[str]] = set()
    for p, tags in zip(told, wanted, strict=True):
        mine = _shown(p, rule, known)
        seen.add(frozenset(mine))
        right, given, empty = right + len(mine & tags), given + len(mine), empty + (not mine)
        left -= len(tags)
        # Even if all the other pages were right in everything, it would not do.
        if right + left < _RIGHT * (given + left) or 2 * empty > len(told):
            return None
    alike = len(told) > 1 and len(seen) == 1 and any(tags != wanted[0] for tags in wanted)
    return (right, given) if given and not alike else None


def _shown(p: Placed, rule: Rule, known: dict[int, str]) -> set[str]:
    """What a rule shows on a page; many rules find the same nodes, and each node is read once."""
    nodes = find_nodes(p.sample.tree.parser, rule.css)[:MOST_VALUES]
    for node in nodes:
        if node.mem_id not in known:
            known[node.mem_id] = " ".join(tokenise(text_of(node, rule) or ""))
    return {known[node.mem_id] for node in nodes} - {""}


def _places(p: Placed, tags: set[str]) -> Iterator[Selector]:
    """Selectors of the links nearest to the article that show a tag."""
    tree = p.sample.tree
    links = (i for i, tag in enumerate(tree.tags) if tag == "a" and tree.count(i) <= _LONGEST)
    shown = islice((i for i in links if " ".join(tree.words[tree.start[i] : tree.end[i]]) in tags), _MOST)
    for i in sorted(shown, key=lambda i: distance(p, i))[:_NEAREST]:
        own = [*own_steps(tree, i), *_by_address(tree.attributes(i).get("href") or "")]
        yield from ((step,) for step in own)
        for level, ancestor in enumerate(tree.ancestors(i)):
            if level >= 3:
                break
            for mark in own_steps(tree, ancestor)[:3]:
                yield (mark, Step("a"))
                yield from ((mark, step) for step in (*own[:2], *own[-1:]))


def _by_address(href: str) -> list[Step]:
    """A link as one that leads where all tags lie, as /tag/ does."""
    found = _FOLDER.search(href)
    return [Step("a", leads=found[1])] if found else []
