"""One list out of several: the page, its comment pages, its feeds; each comment once, naming where it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from blogforever.dates import same_day
from blogforever.dom import tokenise
from blogforever.model import Author, Comment, Moment

_OPENING = 30  # words that tell two comments of one author apart


def merge_comments(pages: Iterable[Sequence[Comment]], others: Iterable[Sequence[Comment]] = ()) -> tuple[Comment, ...]:
    """The comments of a post's pages, in the order of the thread, then those only other sources know."""
    kept: dict[str, Comment] = {}
    known: dict[tuple[str, ...], str] = {}
    same: dict[str, str] = {}
    for comments in [*_in_order(list(pages)), *others]:
        seen: Counter[tuple[str, ...]] = Counter()
        for comment in comments:
            keys = _keys(comment)
            seen[keys[-1]] += 1
            keys = [*keys[:-1], (*keys[-1], str(seen[keys[-1]]))]
            twin = next((known[key] for key in keys if key in known), None)
            if twin is None or not _may_be_same(kept[twin], comment):
                twin = comment.id
                kept.setdefault(twin, comment)
            else:
                kept[twin] = _joined(kept[twin], comment)
            same[comment.id] = twin
            for key in keys:
                known.setdefault(key, twin)
    return tuple(
        replace(comment, position=position, parent=same.get(comment.parent or ""))
        for position, comment in enumerate(kept.values())
    )


def _keys(comment: Comment) -> list[tuple[str, ...]]:
    name = comment.author.name.casefold() if comment.author else ""
    told = ("said", " ".join(name.split()), " ".join(tokenise(comment.text)[:_OPENING]))
    return [("native", comment.native_id), told] if comment.native_id else [told]


def _may_be_same(a: Comment, b: Comment) -> bool:
    """Two numbers of the same system are two comments, whatever they say."""
    return not (a.native_id and b.native_id and a.native_id != b.native_id)


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
