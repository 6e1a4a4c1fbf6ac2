"""One list of a post's comments out of several: each comment once, in its thread.

`merge_comments` joins what the pages, comment pages and feeds of one day tell; `keep_comments`
joins the comments that are kept with those of a later reading. Both know a comment again by keys,
and place it in its thread, in the same way; they differ in whose word counts where two readings of
one comment do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from msgspec import structs

from blogforever.comments.identity import different_numbers, said_by
from blogforever.comments.order import Spot, is_newest_first, thread_order
from blogforever.comments.vanishing import Shown, no_longer_shown
from blogforever.comments.withdrawn import WITHDRAWN
from blogforever.dates import same_day
from blogforever.model import Author, Comment, Moment
from blogforever.records import CommentRecord

# Spaces between words that two comments hardly share by chance: so many words alone tell a comment.
_SEVERAL = 5
_Key = tuple[str, ...]
_Name = TypeVar("_Name", bound=Hashable)


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


def keep_comments(
    older: Sequence[CommentRecord],
    newer: Sequence[CommentRecord],
    shown: Shown = "unknown",
) -> tuple[CommentRecord, ...]:
    """The comments of a later record, with those that only the earlier one has, in their threads.

    A list that was paged, folded or cut short says nothing about what it leaves out; what has left
    the page is kept as missing, until it is shown again (`shown` tells how much of its list the
    page showed). A comment that both have keeps the id it was given first, and what only the
    earlier reading knew of it: its date, its link, where it was found; its words, too, where only a
    line stands in their place that says it was deleted. Where a list that is no shorter has hardly
    a comment of the earlier one, it is another reading, and replaces it.
    """
    earlier = _EarlierComments(older)
    now = _shown_now(earlier, newer)
    merged = {comment.id: comment for comment in now}
    shown_ids = set(merged)
    known = {comment.id for comment in older}
    on_page = [joined.id for joined, read in zip(now, newer, strict=True) if "page" in read.sources]
    gone = no_longer_shown(older, set(on_page), len(set(on_page) - known), shown)
    merged |= {comment.id: _left(comment, comment.id in gone) for comment in earlier.rest(len(newer))}
    for name, comment in merged.items():
        if comment.parent not in merged:
            merged[name] = structs.replace(comment, parent=None)
    order = thread_order(
        [_record_spot(merged[comment.id]) for comment in now],
        [_record_spot(comment) for name, comment in merged.items() if name not in shown_ids],
    )
    return tuple(structs.replace(merged[name], position=position) for position, name in enumerate(order))


def _left(comment: CommentRecord, is_gone: bool) -> CommentRecord:
    """An earlier comment that is not shown now, as missing where it has left the page."""
    return structs.replace(comment, status="missing") if is_gone and comment.status == "active" else comment


def _spot(comment: Comment) -> Spot:
    return Spot(comment.id, comment.parent, _day(comment))


def _record_spot(comment: CommentRecord) -> Spot:
    return Spot(comment.id, comment.parent, comment.published or "")


def _day(comment: Comment) -> str:
    """When it was written; empty where that is not known."""
    return comment.published.iso if comment.published else ""


class _Index(Generic[_Name]):
    """Comments by what they are known again by: their number in the system, what was said by whom."""

    def __init__(self) -> None:
        self._names: dict[_Key, _Name] = {}
        self._numbers: dict[_Name, str | None] = {}

    def note(self, name: _Name, keys: Iterable[_Key], number: str | None) -> None:
        """A comment under its name, or another reading of the one with this name."""
        self._numbers[name] = self._numbers.get(name) or number
        for key in keys:
            self._names.setdefault(key, name)

    def twin(self, keys: Iterable[_Key], number: str | None, taken: Collection[_Name] = ()) -> _Name | None:
        """The name of the same comment, where one was noted that is not taken; two numbers are two
        comments.
        """
        for key in keys:
            name = self._names.get(key)
            if name is None or name in taken:
                continue
            if not different_numbers(self._numbers[name], number):
                return name
        return None


# ------------------------------------------------------------------ several sources of one day


class _Merged:
    """Comments of several sources, each once: `kept` by id, `same` from all ids to kept ones."""

    def __init__(self) -> None:
        self.kept: dict[str, Comment] = {}
        self.same: dict[str, str] = {}
        self._index: _Index[str] = _Index()

    def add(self, comments: Sequence[Comment]) -> None:
        """One more source."""
        seen: Counter[_Key] = Counter()
        for comment in comments:
            keys = _keys(comment, seen)
            twin = self._index.twin(keys, comment.native_id)
            if twin is None:
                twin = comment.id
                self.kept.setdefault(twin, comment)
            else:
                self.kept[twin] = _joined(self.kept[twin], comment)
            self.same[comment.id] = twin
            self._index.note(twin, keys, comment.native_id)

    def with_parents(self) -> dict[str, Comment]:
        """The comments, each naming the kept one that it answers, or none."""
        parents = {name: self.same.get(comment.parent or "") for name, comment in self.kept.items()}
        return {name: replace(comment, parent=parents[name]) for name, comment in self.kept.items()}


def _keys(comment: Comment, seen: Counter[_Key]) -> list[_Key]:
    """Its number, and who says what; of what another blog sent, pages show the title, and feeds a
    quotation.
    """
    name = comment.author.name if comment.author else ""
    said = said_by(name, comment.text if comment.kind == "comment" else comment.kind)
    numbered = [("native", comment.native_id)] if comment.native_id else []
    return [*numbered, _nth(said, seen)]


def _nth(said: _Key, seen: Counter[_Key]) -> _Key:
    """Which of those that say the same it is: `seen` counts them."""
    seen[said] += 1
    return (*said, str(seen[said]))


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
        sources=_each_once(first.sources, second.sources),
    )


def _each_once(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


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


# ------------------------------------------------------------------ an earlier and a later reading


def _shown_now(
    earlier: _EarlierComments,
    newer: Sequence[CommentRecord],
) -> list[CommentRecord]:
    """The later comments, each joined with its earlier reading."""
    new_ids: dict[str, str] = {}
    shown: list[CommentRecord] = []
    for comment in newer:
        before = earlier.twin(comment)
        joined = _read_again(before, comment) if before else comment
        new_ids[comment.id] = joined.id
        shown.append(joined)
    return [structs.replace(one, parent=new_ids.get(one.parent or "", one.parent)) for one in shown]


class _EarlierComments:
    """The earlier comments, to be found again among later ones, each once."""

    def __init__(self, older: Sequence[CommentRecord]) -> None:
        self._older = list(older)
        self._index: _Index[int] = _Index()
        self._taken: set[int] = set()
        seen: Counter[_Key] = Counter()
        for place, comment in enumerate(self._older):
            self._index.note(place, _record_keys(comment, seen), comment.native_id)
        self._seen: Counter[_Key] = Counter()

    def twin(self, comment: CommentRecord) -> CommentRecord | None:
        """The earlier reading of this comment."""
        place = self._index.twin(_record_keys(comment, self._seen), comment.native_id, self._taken)
        if place is None:
            return None
        self._taken.add(place)
        return self._older[place]

    def rest(self, newer: int) -> list[CommentRecord]:
        """Those no later comment was found to be; none where the later ones are another reading."""
        rest = [comment for place, comment in enumerate(self._older) if place not in self._taken]
        if any(comment.native_id for comment in rest):
            return rest
        is_reread = newer >= len(self._older) and 2 * len(rest) > len(self._older)
        return [] if is_reread else rest


def _record_keys(comment: CommentRecord, seen: Counter[_Key]) -> list[_Key]:
    """What tells a comment from others, the surest first: names are spelled otherwise over the
    years.
    """
    said = said_by(comment.author.name or "", comment.text)
    keys: list[_Key] = [("id", comment.id)]
    if comment.native_id:
        keys.append(("native", comment.native_id))
    keys.append(_nth(said, seen))
    _said, _name, words = said
    if words.count(" ") >= _SEVERAL:
        keys.append(("words", words))
    return keys


def _read_again(before: CommentRecord, now: CommentRecord) -> CommentRecord:
    """A comment as it is now, with what only the earlier reading knew."""
    joined = _completed(now, before)
    if _is_withdrawn(now) and not _is_withdrawn(before):
        joined = structs.replace(
            joined,
            author=before.author,
            text=before.text,
            html=before.html,
            status="deleted",
        )
    # A feed may cut a text that the page had in full.
    if "page" in before.sources and "page" not in now.sources:
        words = {"text": before.text or joined.text, "html": before.html or joined.html}
        joined = structs.replace(joined, **words)
    return structs.replace(joined, id=before.id, sources=_each_once(now.sources, before.sources))


def _completed(now: CommentRecord, before: CommentRecord) -> CommentRecord:
    """A comment with each field that is empty now as it was."""
    return structs.replace(
        now,
        native_id=now.native_id or before.native_id,
        url=now.url or before.url,
        published=now.published or before.published,
        published_precision=now.published_precision or before.published_precision,
        published_raw=now.published_raw or before.published_raw,
        text=now.text or before.text,
        html=now.html or before.html,
        parent=now.parent or before.parent,
        further=now.further or before.further,
    )


def _is_withdrawn(comment: CommentRecord) -> bool:
    return WITHDRAWN.match(comment.text) is not None
