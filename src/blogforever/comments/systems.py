"""Comment systems known by their mark-up (data), and the rules a blog's own comment feed has taught."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from blogforever.extract.apply import find_nodes
from blogforever.learn.pagetree import PageTree
from blogforever.model import CommentRules

_NUMBER = re.compile(r"(\d+|[0-9a-f-]{16,})$")
_FIELDS = ("author", "date", "text", "parent")


@dataclass(frozen=True)
class RulePlaces:
    """Where rules say that comments and their fields stand on one page."""

    items: dict[int, str | None] = field(default_factory=dict)
    author: frozenset[int] = frozenset()
    date: frozenset[int] = frozenset()
    text: frozenset[int] = frozenset()
    parent: frozenset[int] = frozenset()
    format: str | None = None


@cache
def load_systems() -> tuple[CommentRules, ...]:
    """All known comment systems, read once from the packaged data."""
    raw = tomllib.loads((files("blogforever.discover") / "data" / "comments.toml").read_text("utf-8"))
    return tuple(CommentRules(**system) for system in raw.values())


@cache
def _any_item() -> str:
    return ", ".join(system.item for system in load_systems())


def find_rule_places(tree: PageTree, rules: Sequence[CommentRules] = ()) -> RulePlaces:
    """What the blog's own rules find on a page; where they find nothing, what the known systems do."""
    for own in rules:
        found = _found(tree, own)
        if found.items:
            return found
    if not find_nodes(tree.parser, _any_item()):
        return RulePlaces()
    for system in load_systems():
        found = _found(tree, system)
        if found.items:
            return found
    return RulePlaces()


def _found(tree: PageTree, rules: CommentRules) -> RulePlaces:
    items: dict[int, str | None] = {}
    for place in _places(tree, rules.item):
        attributes = tree.attributes(place)
        number = _NUMBER.search(attributes.get("id") or attributes.get("data-comment-id") or "")
        items[place] = number[1] if number else None
    if not items:
        return RulePlaces()
    author, date, text, parent = (frozenset(_places(tree, getattr(rules, name))) for name in _FIELDS)
    return RulePlaces(items, author, date, text, parent, rules.format)


def _places(tree: PageTree, css: str) -> list[int]:
    found = (tree.place(node) for node in find_nodes(tree.parser, css)) if css else ()
    return sorted({place for place in found if place is not None})
