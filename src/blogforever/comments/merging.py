"""One list out of a post's pages, comment pages and feeds: each comment once, with its sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from blogforever.comments.identity import different_numbers, said_by
from blogforever.comments.order import Spot, is_newest_first, thread_order
from blogforever.dates import same_day
from blogforever.model import Author, Comment, Moment


def merge_comments(
    pages: Iterable[Sequence[Comment]],
    others: Iterable[Sequence[Comment]] = (),
) -> tuple[Comment, ...]:
    """The comments of a post's pages in order, and those of other sources in their threads."""
    merged = _Merged()
    shown: dict[str, None] = {}
    for comments in _in_order(list(pages)):
        before = set(merged.kept)
        merged.add(comments)
        # A page that shows some of the same is a later capture, not a further page: what it adds
        # has its place by date.
        if not any(merged.same[comment.id] in before for comment in comments):
            shown |= dict.fromkeys(name for name in merged.kept if name not in before)
    for comments in others:
        merged.add(comments)
    kept = merged.with_parents()
    order = thread_order(
        [_spot(kept[name]) for name in shown],
        [_spot(comment) for name, comment in kept.items() if name not in shown],
    )
    return tuple(replace(kept[name], position=position) for position, name in enumerate(order))


def _spot(comment: Comment) -> Spot:
    return Spot(comment.id, comment.parent, _day(comment))


def _day(comment: Comment) -> str:
    """When it was written; empty where that is not known."""
    return comment.published.iso if comment.published else ""


class _Merged:
    """Comments of several sources, each once: `kept` by id, `same` from all ids to kept ones."""

    def __init__(self) -> None:
        self.kept: dict[str, Comment] = {}
        self.same: dict[str, str] = {}
        self._by_key: dict[tuple[str, ...], str] = {}

    def add(self, comments: Sequence[Comment]) -> None:
        """One more source."""
        seen: Counter[tuple[str, ...]] = Counter()
        for comment in comments:
            said = _said(comment)
            seen[said] += 1
            keys = [(*said, str(seen[said]))]
            if comment.native_id:
                keys.insert(0, ("native", comment.native_id))
            twin = next((self._by_key[key] for key in keys if key in self._by_key), None)
            if twin is None or different_numbers(self.kept[twin].native_id, comment.native_id):
                twin = comment.id
                self.kept.setdefault(twin, comment)
            else:
                self.kept[twin] = _joined(self.kept[twin], comment)
            self.same[comment.id] = twin
            for key in keys:
                self._by_key.setdefault(key, twin)

    def with_parents(self) -> dict[str, Comment]:
        """The comments, each naming the kept one that it answers, or none."""
        parents = {name: self.same.get(comment.parent or "") for name, comment in self.kept.items()}
        return {name: replace(comment, parent=parents[name]) for name, comment in self.kept.items()}


def _said(comment: Comment) -> tuple[str, ...]:
    """Who says what; of what another blog sent, pages show the title, and feeds a quotation."""
    name = comment.author.name if comment.author else ""
    return said_by(name, comment.text if comment.kind == "comment" else comment.kind)


def _joined(first: Comment, second: Comment) -> Comment:
    """What both know of one comment: the page's word comes first, the feed knows hour and zone."""
    return replace(
        first,
        native_id=first.native_id or second.native_id,
        url=first.url or second.url,
        author=_author(first.author, second.author),
        avatar=first.avatar or second.avatar,
        published=_better(first.published, second.published),
        text=first.text or second.text,
        html=first.html or second.html,
        parent=first.parent or second.parent,
        by_post_author=first.by_post_author or second.by_post_author,
        sources=tuple(dict.fromkeys((*first.sources, *second.sources))),
    )


def _author(first: Author | None, second: Author | None) -> Author | None:
    """The name the page shows, with a link of the same person from elsewhere."""
    if first is None or second is None:
        return first or second
    if first.uri or first.name.casefold() != second.name.casefold():
        return first
    return replace(first, uri=second.uri)


def _better(first: Moment | None, second: Moment | None) -> Moment | None:
    """The moment that the page shows, or a finer one of the same day."""
    if first is None or second is None:
        return first or second
    if len(second.iso) <= len(first.iso) or not same_day(first, second):
        return first
    return replace(second, raw=first.raw)


def _in_order(pages: list[Sequence[Comment]]) -> list[Sequence[Comment]]:
    """The pages of one thread the way their first page runs: oldest first, or newest first."""
    filled = [page for page in pages if page]
    longest = max(filled, key=len, default=())
    days = [_day(comment) for comment in longest if comment.published and comment.parent is None]
    return sorted(filled, key=_first_day, reverse=is_newest_first(days))


def _first_day(comments: Sequence[Comment]) -> str:
    """When the earliest of some comments was written."""
    return min((_day(comment) for comment in comments if comment.published), default="")
