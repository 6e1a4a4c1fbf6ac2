"""How many new post links a page will give, told from its address: distance-weighted k nearest neighbours.

Addresses of one shape (the same folders, the same kind of last word, the same query names) form a group, so that the
cost of an address does not grow with the number of pages met. A group knows what its latest pages gave; its estimate is
the mean of the nearest of all groups' values, weighted as Dudani has it: one for the nearest, falling to nothing at
`HORIZON`. Where nobody is near, what such addresses give on most blogs is taken.
"""

from __future__ import annotations

from bisect import insort
from collections import deque

from .urlpattern import other_kind, shape

Group = tuple[str, ...]

NEIGHBOURS = 8
HORIZON = 0.5
MOST_GROUPS = 400
USUAL = {"home": 3.0, "page": 4.0, "list": 3.0, "date": 3.0, "static": 0.3, "query": 0.2, "part": 0.1}
USUAL_PAGE = 0.5


def group_of(url: str, coarse: bool = False) -> Group:
    """The group of an address; coarse ones keep only the first folder by name."""
    tokens = shape(url)
    path = [token for token in tokens if not token.startswith("?")]
    query = [token.partition("=")[0] for token in tokens if token.startswith("?")]
    last = max((i for i, token in enumerate(path) if token.startswith("W")), default=-1)
    named = [_plain(token, i == last or (coarse and i > 0)) for i, token in enumerate(path)]
    return (*named[:12], *query[:8])


def _plain(token: str, is_slug: bool) -> str:
    """A word as it is where it is a folder; of a slug only what kind of word it is."""
    return kind_of_word(token) if token.startswith("W") and is_slug else token


def kind_of_word(token: str) -> str:
    """Whether a word has digits, has parts, or is plain."""
    return "W#" if any(character.isdigit() for character in token) else "W-" if "-" in token else "W"


def is_numbered(group: Group) -> bool:
    """Whether the addresses of a group can go on for ever by counting."""
    return any(token in ("Y", "D", "N", "W#") or token.startswith("?") for token in group)


class LinkYield:
    """Learns while the crawl goes on."""

    def __init__(self) -> None:
        self._values: dict[Group, deque[float]] = {}
        self._near: dict[Group, list[tuple[float, Group]]] = {}
        self._usual: dict[Group, float] = {}
        self._known: dict[Group, float] = {}

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
            self._known.pop(other, None)

    def estimate(self, group: Group) -> float:
        """How many new post links the next page of this group will give."""
        known = self._known.get(group)
        if known is None:
            known = self._known[group] = self._estimate(group)
        return known

    def _estimate(self, group: Group) -> float:
        found: list[tuple[float, float]] = []
        for distance, other in self._near.get(group, ()):
            values = self._values.get(other, ())
            found += [(distance, value) for value in reversed(values)][: NEIGHBOURS - len(found)]
            if len(found) >= NEIGHBOURS:
                break
        if not found:
            return self._usual.get(group, USUAL_PAGE)
        first = found[0][0]
        weights = [(HORIZON - distance) / (HORIZON - first) for distance, _ in found]
        return sum(w * value for w, (_, value) in zip(weights, found, strict=True)) / sum(weights)

    def _meet(self, group: Group, url: str) -> None:
        if group in self._near:
            return
        self._usual[group] = USUAL.get(other_kind(url) or "", USUAL_PAGE)
        self._near[group] = [(0.0, group)]
        for other in self._near:
            apart = distance(group, other)
            if other != group and apart < HORIZON:
                insort(self._near[other], (apart, group))
                insort(self._near[group], (apart, other))
                self._known.pop(other, None)


def distance(a: Group, b: Group) -> float:
    """One minus the share of common tokens, each counted by itself and by its place."""
    one, two = _features(a), _features(b)
    return 1.0 - len(one & two) / len(one | two)


def _features(group: Group) -> frozenset[object]:
    return frozenset([*group, *enumerate(group), len(group)])
