"""One list out of several: the page, its comment pages, its feeds; each comment once, naming where it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from blogforever.comments.identity import different_numbers, said_by
from blogforever.comments.order import Spot, thread_order
from blogforever.dates import same_day
from blogforever.model import Author, Comment, Moment


def merge_comments(pages: Iterable[Sequence[Comment]], others: Iterable[Sequence[Comment]] = ()) -> tuple[Comment, ...]:
    """The comments of a post's pages in their order, and each one only other sources know where its thread has it."""
    merged = _Merged()
    shown: dict[str, None] = {}
    for comments in _in_order(list(pages)):
        before = set(merged.kept)
        merged.add(comments)
        # A page that shows some of the same is a later capture, not a further page: what it adds has its place by date.
        if not any(merged.same[comment.id] in before for comment in comments):
            shown |= dict.fromkeys(made for made in merged.kept if made not in before)
    for comments in others:
        merged.add(comments)
    kept = {made: replace(c, parent=merged.same.get(c.parent or "")) for made, c in merged.kept.items()}
    spots = {made: Spot(made, c.parent, c.published.iso if c.published else "") for made, c in kept.items()}
    order = thread_order([spots[made] for made in shown], [spots[made] for made in kept if made not in shown])
    return tuple(replace(kept[made], position=position) for position, made in enumerate(order))


class _Merged:
    """Comments of several sources, each once."""

    def __init__(self) -> None:
        self.kept: dict[str, Comment] = {}
        self.same: dict[str, str] = {}
        self._known: dict[tuple[str, ...], str] = {}

    def add(self, comments: Sequence[Comment]) -> None:
        """One more source."""
        seen: Counter[tuple[str, ...]] = Counter()
        for comment in comments:
            keys = _keys(comment)
            seen[keys[-1]] += 1
            keys = [*keys[:-1], (*keys[-1], str(seen[keys[-1]]))]
            twin = next((self._known[key] for key in keys if key in self._known), None)
            if twin is None or different_numbers(self.kept[twin].native_id, comment.native_id):
                twin = comment.id
                self.kept.setdefault(twin, comment)
            else:
                self.kept[twin] = _joined(self.kept[twin], comment)
            self.same[comment.id] = twin
            for key in keys:
                self._known.setdefault(key, twin)


def _keys(comment: Comment) -> list[tuple[str, ...]]:
    """Its number, and what it says; of what another blog sent, pages show the title and feeds a quotation."""
    name = comment.author.name if comment.author else ""
    told = said_by(name, comment.text if comment.kind == "comment" else comment.kind)
    return [("native", comment.native_id), told] if comment.native_id else [told]


def _joined(first: Comment, second: Comment) -> Comment:
    """What both know of one comment; the page's word comes first, the feed knows the hour and the zone."""
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


def _author(shown: Author | None, told: Author | None) -> Author | None:
    """The name the page shows, with a link of the same person from elsewhere."""
    if shown is None or told is None:
        return shown or told
    return replace(shown, uri=told.uri) if not shown.uri and shown.name.casefold() == told.name.casefold() else shown


def _better(shown: Moment | None, told: Moment | None) -> Moment | None:
    if shown is None or told is None:
        return shown or told
    finer = len(told.iso) > len(shown.iso) and same_day(shown, told)
    return replace(told, raw=shown.raw) if finer else shown


def _in_order(pages: list[Sequence[Comment]]) -> list[Sequence[Comment]]:
    """The pages of one thread the way their first page runs: oldest first, or newest first."""
    filled = [page for page in pages if page]
    days = [c.published.iso for c in max(filled, key=len, default=()) if c.published and c.parent is None]
    backwards = len(days) > 1 and days[0] > days[-1]
    return sorted(filled, key=_first_day, reverse=backwards)


def _first_day(comments: Sequence[Comment]) -> str:
    return min((c.published.iso for c in comments if c.published), default="")
