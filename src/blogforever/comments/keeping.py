"""An earlier and a later list of a post's comments as one: what is no longer shown is not gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from blogforever.comments.identity import different_numbers, said_by
from blogforever.comments.order import Spot, thread_order
from blogforever.comments.words import WITHDRAWN

CommentRecord = Mapping[str, Any]
# Spaces between words that two comments hardly share by chance: so many words alone tell a comment.
_SEVERAL = 5
_EMPTY: tuple[object, ...] = (None, "", [])


def keep_comments(
    older: Sequence[CommentRecord],
    newer: Sequence[CommentRecord],
) -> list[dict[str, Any]]:
    """The comments of a later record, with those that only the earlier one has, in their threads.

    A list that was paged, folded or cut short says nothing about what it leaves out. A comment that
    both have keeps the id it was given first, and what only the earlier reading knew of it: its
    date, its link, where it was found; its words, too, where only a line stands in their place that
    says it was deleted. Where a list that is no shorter has hardly a comment of the earlier one, it
    is another reading, and replaces it.
    """
    earlier = _EarlierComments(older)
    shown = _shown_now(earlier, newer)
    merged = {comment["id"]: comment for comment in shown}
    shown_ids = set(merged)
    merged |= {comment["id"]: dict(comment) for comment in earlier.rest(len(newer))}
    for comment in merged.values():
        if comment["parent"] not in merged:
            comment["parent"] = None
    others = [_spot(comment) for name, comment in merged.items() if name not in shown_ids]
    order = thread_order([_spot(comment) for comment in shown], others)
    return [merged[name] | {"position": position} for position, name in enumerate(order)]


def _shown_now(
    earlier: _EarlierComments,
    newer: Sequence[CommentRecord],
) -> list[dict[str, Any]]:
    """The later comments, each joined with its earlier reading."""
    new_ids: dict[str, str] = {}
    shown: list[dict[str, Any]] = []
    for comment in newer:
        before = earlier.twin(comment)
        joined = _joined(before, comment) if before else dict(comment)
        new_ids[comment["id"]] = joined["id"]
        shown.append(joined)
    for joined in shown:
        parent = joined.get("parent")
        joined["parent"] = new_ids.get(parent or "", parent)
    return shown


class _EarlierComments:
    """The earlier comments by their id, the system's number, and what was said by whom."""

    def __init__(self, older: Sequence[CommentRecord]) -> None:
        self._older = list(older)
        self._places: dict[tuple[str, ...], int] = {}
        self._taken: set[int] = set()
        seen: Counter[tuple[str, ...]] = Counter()
        for n, comment in enumerate(self._older):
            for key in _keys(comment, seen):
                self._places.setdefault(key, n)
        self._seen: Counter[tuple[str, ...]] = Counter()

    def twin(self, comment: CommentRecord) -> CommentRecord | None:
        """The earlier reading of this comment."""
        for key in _keys(comment, self._seen):
            n = self._places.get(key)
            if n is None or n in self._taken:
                continue
            if not different_numbers(self._older[n].get("native_id"), comment.get("native_id")):
                self._taken.add(n)
                return self._older[n]
        return None

    def rest(self, newer: int) -> list[CommentRecord]:
        """Those no later comment was found to be; none where the later ones are another reading."""
        rest = [comment for n, comment in enumerate(self._older) if n not in self._taken]
        if any(comment.get("native_id") for comment in rest):
            return rest
        is_reread = newer >= len(self._older) and 2 * len(rest) > len(self._older)
        return [] if is_reread else rest


def _keys(comment: CommentRecord, seen: Counter[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What tells a comment from others, the surest first; `seen` counts those that say the same."""
    author = comment.get("author") or {}
    said = said_by(author.get("name") or "", comment.get("text") or "")
    seen[said] += 1
    keys: list[tuple[str, ...]] = [("id", comment["id"])]
    if comment.get("native_id"):
        keys.append(("native", str(comment["native_id"])))
    keys.append((*said, str(seen[said])))
    _said, _name, words = said
    if words.count(" ") >= _SEVERAL:
        keys.append(("words", words))
    return keys


def _joined(before: CommentRecord, now: CommentRecord) -> dict[str, Any]:
    """A comment as it is now, with what only the earlier reading knew."""
    joined = dict(now)
    for name in before:
        if now.get(name) in _EMPTY:
            joined[name] = before[name]
    if _is_withdrawn(now) and not _is_withdrawn(before):
        joined |= {name: before[name] for name in ("text", "html", "author") if name in before}
        joined["status"] = "deleted"
    # A feed may cut a text that the page had in full.
    if "page" in _sources(before) and "page" not in _sources(now):
        joined |= {name: before[name] for name in ("text", "html") if before.get(name)}
    joined["id"] = before["id"]
    joined["sources"] = list(dict.fromkeys([*_sources(now), *_sources(before)]))
    return joined


def _sources(comment: CommentRecord) -> Sequence[str]:
    return comment.get("sources") or []


def _is_withdrawn(comment: CommentRecord) -> bool:
    return WITHDRAWN.match(comment.get("text") or "") is not None


def _spot(comment: CommentRecord) -> Spot:
    return Spot(comment["id"], comment["parent"], comment.get("published") or "")
