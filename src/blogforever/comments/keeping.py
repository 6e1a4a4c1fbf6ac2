"""An earlier list of a post's comments and a later one as one: what the later one no longer shows is not gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from blogforever.comments.identity import different_numbers, said_by
from blogforever.comments.order import Spot, thread_order
from blogforever.comments.words import WITHDRAWN

_SEVERAL = 5  # spaces between words that two comments hardly share by chance
Told = Mapping[str, Any]


def keep_comments(older: Sequence[Told], newer: Sequence[Told]) -> list[dict[str, Any]]:
    """The comments of a later record, with those that only the earlier one has where their thread has them.

    A list that was paged, folded or cut short says nothing about what it leaves out. A comment that both have keeps
    the id it was given first, and what only the earlier reading knew of it: its date, its link, where it was found; its
    words, too, where only a line stands in their place that says it was deleted.
    Where a list that is no shorter has hardly a comment of the earlier one, it is another reading, and replaces it.
    """
    known = _EarlierComments(older)
    names: dict[str, str] = {}
    found: list[dict[str, Any]] = []
    for comment in newer:
        before = known.twin(comment)
        made = _joined(before, comment) if before else dict(comment)
        names[comment["id"]] = made["id"]
        found.append(made)
    for comment in found:
        comment["parent"] = names.get(comment.get("parent") or "", comment.get("parent"))
    merged = {comment["id"]: comment for comment in (*found, *(dict(c) for c in known.rest(len(newer))))}
    for comment in merged.values():
        comment["parent"] = comment["parent"] if comment["parent"] in merged else None
    shown = [_spot(comment) for comment in found]
    order = thread_order(shown, [_spot(merged[name]) for name in merged if name not in {spot.id for spot in shown}])
    return [merged[name] | {"position": position} for position, name in enumerate(order)]


class _EarlierComments:
    """The earlier comments by their id, the system's number, and what was said by whom."""

    def __init__(self, older: Sequence[Told]) -> None:
        self._older = list(older)
        self._places: dict[tuple[str, ...], int] = {}
        self._taken: set[int] = set()
        seen: Counter[tuple[str, ...]] = Counter()
        for n, comment in enumerate(self._older):
            for key in _keys(comment, seen):
                self._places.setdefault(key, n)
        self._seen: Counter[tuple[str, ...]] = Counter()

    def twin(self, comment: Told) -> Told | None:
        """The earlier reading of this comment."""
        for key in _keys(comment, self._seen):
            n = self._places.get(key)
            if n is None or n in self._taken:
                continue
            if not different_numbers(self._older[n].get("native_id"), comment.get("native_id")):
                self._taken.add(n)
                return self._older[n]
        return None

    def rest(self, newer: int) -> list[Told]:
        """Those no later comment was found to be; none where so many others are only another reading of them."""
        rest = [comment for n, comment in enumerate(self._older) if n not in self._taken]
        unnumbered = not any(comment.get("native_id") for comment in rest)
        reread = unnumbered and newer >= len(self._older) and 2 * len(rest) > len(self._older)
        return [] if reread else rest


def _keys(comment: Told, seen: Counter[tuple[str, ...]]) -> list[tuple[str, ...]]:
    said = said_by((comment.get("author") or {}).get("name") or "", comment.get("text") or "")
    seen[said] += 1
    native = [("native", str(comment["native_id"]))] if comment.get("native_id") else []
    words = [("words", said[2])] if said[2].count(" ") >= _SEVERAL else []
    return [("id", comment["id"]), *native, (*said, str(seen[said])), *words]


def _joined(before: Told, now: Told) -> dict[str, Any]:
    kept = {name: before[name] for name in before if now.get(name) in (None, "", [])}
    if WITHDRAWN.match(now.get("text") or "") and not WITHDRAWN.match(before.get("text") or ""):
        kept |= {name: before[name] for name in ("text", "html", "author") if name in before} | {"status": "deleted"}
    if "page" in (before.get("sources") or ()) and "page" not in (now.get("sources") or ()):
        kept |= {name: before[name] for name in ("text", "html") if before.get(name)}
    sources = list(dict.fromkeys([*(now.get("sources") or []), *(before.get("sources") or [])]))
    return dict(now) | kept | {"id": before["id"], "sources": sources}


def _spot(comment: Told) -> Spot:
    return Spot(comment["id"], comment["parent"], comment.get("published") or "")
