"""How many new post links a page will give, told from its address: distance-weighted k nearest
neighbours.

Addresses of one shape (the same folders, the same kind of last word, the same query names) form a
group, so that the cost of an address does not grow with the number of pages met. A group knows what
its latest pages gave; its estimate is the mean of the nearest of all groups' values, weighted as
Dudani has it: one for the nearest, falling to nothing at `HORIZON`. Where nobody is near, what such
addresses give on most blogs is taken.
"""

from __future__ import annotations

from bisect import insort
from collections import deque

from .urlpattern import other_kind, shape

Group = tuple[str, ...]

# Values that decide an estimate: few enough to follow what the latest pages gave.
NEIGHBOURS = 8
# Groups further apart than this say nothing of each other.
HORIZON = 0.5
# A blog with more kinds of addresses is met with coarser groups, and with twice as many, with one
# for all the rest: the cost of a new group grows with their number.
MOST_GROUPS = 400
# New post links that such a page gives on most blogs, by what its address says of it.
USUAL = {
    "home": 3.0,
    "page": 4.0,
    "list": 3.0,
    "date": 3.0,
    "static": 0.3,
    "query": 0.2,
    "part": 0.1,
}
USUAL_PAGE = 0.5
# Parts of a path and of a query that tell groups apart: longer addresses are made by machines, each
# one of its own.
LONGEST_PATH, LONGEST_QUERY = 12, 8


def group_of(url: str, coarse: bool = False) -> Group:
    """The group of an address; coarse ones keep only the first folder by name."""
    tokens = shape(url)
    path = [token for token in tokens if not token.startswith("?")]
    query = [token.partition("=")[0] for token in tokens if token.startswith("?")]
    slug = max((i for i, token in enumerate(path) if token.startswith("W")), default=-1)
    named = []
    for i, token in enumerate(path):
        is_unnamed = i == slug or (coarse and i > 0)
        named.append(_plain(token) if is_unnamed else token)
    return (*named[:LONGEST_PATH], *query[:LONGEST_QUERY])


def _plain(token: str) -> str:
    """Of a word only what kind of word it is; anything else as it is."""
    return kind_of_word(token) if token.startswith("W") else token


def kind_of_word(token: str) -> str:
    """Whether a word has digits, has parts, or is plain."""
    if any(character.isdigit() for character in token):
        return "W#"
    return "W-" if "-" in token else "W"


def is_numbered(group: Group) -> bool:
    """Whether the addresses of a group can go on for ever by counting."""
    return any(token in ("Y", "D", "N", "W#") or token.startswith("?") for token in group)


class LinkYield:
    """Learns while the crawl goes on."""

    def __init__(self) -> None:
        self._values: dict[Group, deque[float]] = {}
        self._near: dict[Group, list[tuple[float, Group]]] = {}
        self._usual: dict[Group, float] = {}
        self._estimates: dict[Group, float] = {}

    def group(self, url: str) -> Group:
        """The group of an address; when there are very many, a coarser one."""
        group = group_of(url)
        if group not in self._near:
            if len(self._near) >= MOST_GROUPS:
                group = group_of(url, coarse=True)
            if group not in self._near and len(self._near) >= 2 * MOST_GROUPS:
                group = ("other",)
            self._meet(group, url)
        return group

    def observe(self, url: str, links: int) -> None:
        """A page gave so many links to posts that were not known before."""
        group = self.group(url)
        self._values.setdefault(group, deque(maxlen=NEIGHBOURS)).append(float(links))
        for _, other in self._near[group]:
            self._estimates.pop(other, None)

    def estimate(self, group: Group) -> float:
        """How many new post links the next page of this group will give."""
        estimate = self._estimates.get(group)
        if estimate is None:
            estimate = self._estimates[group] = self._estimate(group)
        return estimate

    def _estimate(self, group: Group) -> float:
        """The mean of the nearest values, those further off counting less."""
        neighbours = self._neighbours(group)
        if not neighbours:
            return self._usual.get(group, USUAL_PAGE)
        nearest = neighbours[0][0]
        weighted = total = 0.0
        for apart, value in neighbours:
            weight = (HORIZON - apart) / (HORIZON - nearest)
            weighted += weight * value
            total += weight
        return weighted / total

    def _neighbours(self, group: Group) -> list[tuple[float, float]]:
        """The nearest values, each with its distance, the latest of a group first."""
        found: list[tuple[float, float]] = []
        for apart, other in self._near.get(group, ()):
            for value in reversed(self._values.get(other, ())):
                if len(found) == NEIGHBOURS:
                    return found
                found.append((apart, value))
        return found

    def _meet(self, group: Group, url: str) -> None:
        """Remember a new group, and who is near it."""
        if group in self._near:
            return
        self._usual[group] = USUAL.get(other_kind(url) or "", USUAL_PAGE)
        self._near[group] = [(0.0, group)]
        for other in self._near:
            apart = distance(group, other)
            if other != group and apart < HORIZON:
                insort(self._near[other], (apart, group))
                insort(self._near[group], (apart, other))
                self._estimates.pop(other, None)


def distance(a: Group, b: Group) -> float:
    """One minus the share of common tokens, each counted by itself and by its place."""
    one, two = _features(a), _features(b)
    return 1.0 - len(one & two) / len(one | two)


def _features(group: Group) -> frozenset[object]:
    """The tokens of a group, each with and without its place, and their number."""
    return frozenset([*group, *enumerate(group), len(group)])
