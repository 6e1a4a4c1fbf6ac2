"""After the walk: which pages are posts, and which of them are one and the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from blogforever.learn.postpages import Evidence, post_score, survey
from blogforever.model import Rules
from blogforever.urls import url_key

from .learning import SeenPage
from .lists import Lists


@dataclass(frozen=True, slots=True)
class HarvestedPost:
    """One post: the page it is taken from, and all other addresses of it."""

    url: str
    aliases: tuple[str, ...]


def harvest(pages: Sequence[SeenPage], rules: Rules | None, lists: Lists) -> list[HarvestedPost]:
    """The posts among the pages, each once."""
    for seen in pages:
        names = (seen.evidence.url, *seen.aliases)
        seen.evidence.listed = any(lists.is_entry(url_key(name)) for name in names)
    date_rule = bool(rules and any(template.fields.get("published") for template in rules.templates))
    blog = survey([seen.evidence for seen in pages], date_rule)
    chosen = [seen for seen in pages if post_score(seen.evidence, blog) > 0]
    return [_found(group) for group in same_posts(chosen)]


def same_posts(pages: Sequence[SeenPage]) -> Iterable[list[SeenPage]]:
    """Groups of pages that are one post under several addresses, the best address first."""
    leaders: dict[int, int] = {}

    def leader(i: int) -> int:
        while leaders.setdefault(i, i) != i:
            leaders[i] = leaders[leaders[i]]
            i = leaders[i]
        return i

    for members in _same_sign(pages):
        for other in members[1:]:
            leaders[leader(other)] = leader(members[0])
    groups: defaultdict[int, list[SeenPage]] = defaultdict(list)
    for i, seen in enumerate(pages):
        groups[leader(i)].append(seen)
    return [sorted(group, key=_rank) for group in groups.values()]


def _same_sign(pages: Sequence[SeenPage]) -> Iterable[list[int]]:
    """Places of pages that share a sign of identity; a canonical address only counts where the pages look alike."""
    places = {url_key(seen.evidence.url): i for i, seen in enumerate(pages)}
    natives = Counter(seen.evidence.native_id for seen in pages)
    signs: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, seen in enumerate(pages):
        e = seen.evidence
        if e.title and e.length and (e.published or e.length > 200):
            # What the feed names twice the author published twice.
            signs[("same", e.digest, (e.published or "")[:10], e.url if e.in_feed else "")].append(i)
        if e.native_id and natives[e.native_id] <= 3:
            signs[("id", e.native_id, e.title)].append(i)
        target = places.get(url_key(e.canonical)) if e.canonical else None
        if target is not None and target != i and alike(e, pages[target].evidence):
            signs[("canonical", i)] += [target, i]
    return [members for members in signs.values() if len(members) > 1]


def alike(a: Evidence, b: Evidence) -> bool:
    """Whether two pages could be the same post."""
    if a.digest and a.digest == b.digest:
        return True
    shorter, longer = sorted((a.length, b.length))
    return bool(a.title and a.title == b.title and shorter * 2 >= longer)


def _rank(seen: SeenPage) -> tuple[bool, bool, bool, int]:
    e = seen.evidence
    own = not e.canonical or url_key(e.canonical) == url_key(e.url)
    return not e.in_feed, not own, not e.matches, len(e.url)


def _found(group: list[SeenPage]) -> HarvestedPost:
    main = group[0].evidence
    names = [name for seen in group for name in (seen.evidence.url, *seen.aliases)]
    return HarvestedPost(main.url, tuple(dict.fromkeys(name for name in names if name != main.url)))
