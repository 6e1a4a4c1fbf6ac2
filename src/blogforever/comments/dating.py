"""When a comment was written, and how a page writes its dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from blogforever.comments.view import LONGEST_META, CommentDraft, PageContext
from blogforever.comments.words import (
    META,
    has_token,
)
from blogforever.dates import find_dates, parse_machine_date, signature
from blogforever.model import Moment

_MACHINE = (
    "datetime",
    "title",
    "content",
    "data-comment-timestamp",
    "data-timestamp",
    "data-time",
    "data-date",
    "data-utime",
)
_LEAD = 60  # characters in which a text may begin with a date
_DATED_TAGS = frozenset({"time", "abbr", "meta", "span", "a"})


class DateFinder:
    """Finds where each comment shows its date."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def read(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note the date of a comment, or the text it stands in."""
        tree = self.context.tree
        if known := [i for i in places if i in self.context.by_rule.date]:
            places = [n for i in known[:1] for n in range(i, tree.last[i])]
        shown: list[tuple[int, int]] = []
        for i in places:
            attributes, count = tree.attributes(i), tree.count(i)
            if draft.marked_date is None and tree.tags[i] in _DATED_TAGS and attributes:
                for name in _MACHINE:
                    value = attributes.get(name)
                    moment = parse_machine_date(value) if value and any(map(str.isdigit, value)) else None
                    if moment:
                        draft.marked_date, draft.date_place, draft.date_text = moment, i, tree.text(i) or value or ""
                        break
                else:
                    title = attributes.get("title") or ""
                    if tree.tags[i] in ("a", "abbr", "span", "time") and len(title) < 60 and self.context.dated(title):
                        draft.date_text, draft.date_place = title, i
                        return
            if 0 < count <= LONGEST_META:
                shown.append((i, count))
        if draft.marked_date is None:
            self._shown_date(draft, shown)
        if draft.marked_date is None and draft.date_place is None:
            self._loose_date(draft)

    def _shown_date(self, draft: CommentDraft, places: Sequence[tuple[int, int]]) -> None:
        """The smallest element with a date, one that is named or linked as dates are before any other."""
        tree = self.context.tree
        best: tuple[int, int, int] | None = None
        for i, count in places:
            if best is not None and best[0] == 0 and best[1] <= count:
                continue
            text = tree.text(i)
            linked = "#" in (tree.attributes(i).get("href") or "")
            named = (
                linked
                or i in self.context.by_rule.date
                or has_token(tree.classes(i), META)
                or tree.tags[i] in ("time", "small")
            )
            if not (self.context.dated(text) if named else self._has_full_date(draft, text)):
                continue
            rank = 0 if named else 1
            if best is None or (rank, count) < best[:2]:
                best = (rank, count, i)
                draft.date_text, draft.date_place = text, i
        if best is not None and best[2] in draft.item.tops and len(draft.item.tops) == 1:
            first = find_dates(draft.date_text, self.context.languages, self.context.captured, limit=1)[0]
            draft.date_text = draft.date_text[first.start : first.end]  # the rest is what the comment says

    def _has_full_date(self, draft: CommentDraft, text: str) -> bool:
        """Whether a text that nothing marks as a date has one with its year; titles of pingbacks have some too."""
        return draft.kind == "comment" and bool(find_dates(text, self.context.languages, limit=1))

    def _loose_date(self, draft: CommentDraft) -> None:
        """A date that stands as plain text beside the comment's text, or with which that begins: "(2 May 2013): …"."""
        for n in self.context.own_texts(draft.item)[:12]:
            _parent, first, stop, text = self.context.tree.texts[n]
            if stop - first <= 10:
                if self._has_full_date(draft, text):
                    draft.date_text, draft.date_text_place = " ".join(text.split()), n
                    return
            elif leading := self._leading_date(draft, text):
                draft.date_text = leading
                return

    def _leading_date(self, draft: CommentDraft, text: str) -> str:
        found = find_dates(text[:_LEAD], self.context.languages, limit=1) if draft.kind == "comment" else []
        if not found or any(c.isalnum() for c in text[: found[0].start]):
            return ""
        return text[found[0].start : found[0].end]


def decide_dates(
    drafts: Sequence[CommentDraft],
    languages: Sequence[str],
    captured: datetime | None,
    after: date | None,
    form: str | None = None,
) -> list[Moment | None]:
    """The date of each comment; numbers that could be day or month are read the way that fits all comments."""
    readings = [
        [] if draft.marked_date else find_dates(draft.date_text, languages, captured) if draft.date_text else []
        for draft in drafts
    ]
    votes: Counter[str] = Counter({signature(form): len(drafts) + 1} if form else {})
    for found in readings:
        first = found[0].start if found else 0
        for kind in {signature(item.format) for item in found if item.start == first}:
            votes[kind] += 1
    fit: Counter[str] = Counter()
    gap: Counter[str] = Counter()
    for found in readings:
        for item in found:
            kind = signature(item.format)
            late = captured is not None and item.moment.day > captured.date() + timedelta(days=1)
            if not late and (after is None or (item.moment.day - after).days >= -1):
                fit[kind] += 1
            gap[kind] += abs((item.moment.day - after).days) if after else 0
    moments: list[Moment | None] = []
    for draft, found in zip(drafts, readings, strict=True):
        if draft.marked_date:
            moments.append(draft.marked_date)
            continue
        order = {id(item): n for n, item in enumerate(found)}
        best = max(
            found,
            key=lambda item: (
                *(votes[signature(item.format)], fit[signature(item.format)], -gap[signature(item.format)]),
                -order[id(item)],
            ),
            default=None,
        )
        moments.append(best.moment if best else None)
    return moments
