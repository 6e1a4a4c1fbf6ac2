"""Comment systems known by their mark-up (data), and what a blog's own rules find on a page."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from blogforever.extract.apply import find_nodes
from blogforever.knowledge import COMMENTS, Shape, Wrong, own_folders, own_tables, read_tables
from blogforever.model import CommentRules
from blogforever.page.view import PageView
from blogforever.wordlists import data_of

_DATA = data_of("blogforever.discover") / "comments.toml"
# Of letters and digits in turn only the whole tells comments apart: many of a page end alike.
_NUMBER = re.compile(
    r"((?<![0-9a-f-])[0-9a-f-]{16,}|(?<![^\W_])(?=[^\W_]*\d[a-z])[^\W_]++|(?<!\d)\d++)$", re.IGNORECASE
)

_SHAPE: Shape = {**dict.fromkeys(("item", "author", "date", "text", "parent"), "text"), "format": "text"}


@dataclass(frozen=True)
class RulePlaces:
    """Where rules say that comments and their fields stand on one page."""

    items: dict[int, str | None] = field(default_factory=dict)
    author: frozenset[int] = frozenset()
    date: frozenset[int] = frozenset()
    text: frozenset[int] = frozenset()
    parent: frozenset[int] = frozenset()
    format: str | None = None


def load_systems() -> tuple[CommentRules, ...]:
    """All known comment systems, read once from the packaged data and from the folders that others add."""
    return _systems(own_folders())


@cache
def _systems(_folders: tuple[Path, ...]) -> tuple[CommentRules, ...]:
    raw = tomllib.loads(_DATA.read_text("utf-8"))
    for path in own_tables(COMMENTS):
        added, wrong = read_tables(path, _SHAPE, ["item"])
        for system in added.values():
            _check_selectors(system, wrong)
        raw |= added
    return tuple(CommentRules(**system) for system in raw.values())


def has_added_systems() -> bool:
    """Whether others have added systems: the words by which we know that a page has comments say nothing of theirs."""
    return bool(own_folders()) and _are_added(own_folders())


@cache
def _are_added(_folders: tuple[Path, ...]) -> bool:
    return bool(own_tables(COMMENTS))


def _check_selectors(system: Mapping[str, str], wrong: Wrong) -> None:
    """Whether somebody's selectors are any."""
    page = LexborHTMLParser("<p></p>")
    for name, css in system.items():
        try:
            page.css(css if name != "format" else "p")
        except SelectolaxError as error:
            raise wrong(name, f"{name} has {css!r}, which is no CSS selector.") from error


@cache
def _any_item(_folders: tuple[Path, ...]) -> str:
    """One selector for the comments of all systems."""
    return ", ".join(system.item for system in load_systems())


def find_rule_places(tree: PageView, rules: Sequence[CommentRules] = ()) -> RulePlaces:
    """What the blog's own rules find on a page; if they find nothing, what the known systems do."""
    by_own = _first_that_fits(tree, rules)
    if by_own.items:
        return by_own
    # One search for all systems at once: most pages have none of them.
    if not find_nodes(tree.tree, _any_item(own_folders())):
        return RulePlaces()
    return _first_that_fits(tree, load_systems())


def _first_that_fits(tree: PageView, candidates: Sequence[CommentRules]) -> RulePlaces:
    """What the first rules find that find comments at all."""
    for rules in candidates:
        places = _applied(tree, rules)
        if places.items:
            return places
    return RulePlaces()


def _applied(tree: PageView, rules: CommentRules) -> RulePlaces:
    """What one set of rules finds on a page."""
    items = {place: _number_of(tree, place) for place in places_of(tree, rules.item)}
    if not items:
        return RulePlaces()
    return RulePlaces(
        items=items,
        author=frozenset(places_of(tree, rules.author)),
        date=frozenset(places_of(tree, rules.date)),
        text=frozenset(places_of(tree, rules.text)),
        parent=frozenset(places_of(tree, rules.parent)),
        format=rules.format,
    )


def _number_of(tree: PageView, place: int) -> str | None:
    """The number that the system gives to the comment in an element."""
    name = tree.attribute(place, "id") or tree.attribute(place, "data-comment-id")
    match = _NUMBER.search(name)
    return match[1] if match else None


def places_of(tree: PageView, css: str) -> list[int]:
    """The elements that a selector finds, in order."""
    if not css:
        return []
    places = {tree.place(node) for node in find_nodes(tree.tree, css)}
    return sorted(place for place in places if place is not None)
