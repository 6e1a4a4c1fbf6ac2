"""When a comment was written, and how a page writes its dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from blogforever.comments.dated import LONGEST_AGE, LONGEST_LABEL, TO_THE_DAY, tells_age
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import META, has_token
from blogforever.comments.yearless import find_days, has_yearless_day, in_first_year, in_order
from blogforever.dates import MACHINE_ATTRIBUTES, DateReading, find_dates, is_age, parse_machine_date, signature
from blogforever.model import Moment

_MARKED_TAGS = frozenset({"time", "abbr", "meta", "span", "a"})
_UNTITLED_TAGS = frozenset({"meta"})
_CELLS = frozenset({"li", "td"})
_DATE_TAGS = frozenset({"time", "small"})
# Characters of a title that only says when; a longer one describes a link, and may name any date.
_LONGEST_TITLE = 60
# Characters in which a text may begin with a date.
_LEAD = 60
# Texts of a comment that are looked at for a date without a mark: it stands at the head or the foot
# of a short comment. With more, days of which a long comment speaks are taken for its date.
_MOST_TEXTS = 12
# Words of a text that is only a date, with "posted on", "at" and the time.
_LONGEST_DATE = 10
# The clocks of a page and its comments may be in other zones than that of the post, or ours.
_ZONE_SLACK = timedelta(days=1)


class _DateRank(NamedTuple):
    """How well an element shows the date of a comment: the least is best."""

    unnamed: bool
    says_more: bool
    words: int


class DateFinder:
    """Finds where each comment shows its date."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def read(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note the date of a comment: marked for machines, in an element, or in plain text."""
        places = self._named_by_rule(places)
        for i in places:
            if self._may_be_mark(i) and self._read_mark(draft, i):
                self._find_shown(draft, places)
                return
        self._read_shown(draft, places)
        if draft.date_place is None:
            self._read_loose(draft)
        elif draft.item.tops == [draft.date_place]:
            self._read_line(draft)

    def _named_by_rule(self, places: Sequence[int]) -> Sequence[int]:
        """The element that a rule names as the date, with all in it; else all elements."""
        ruled = self.context.by_rule.date
        for i in places:
            if i in ruled:
                return range(i, self.context.tree.last[i])
        return places

    def _may_be_mark(self, i: int) -> bool:
        """Whether an element may say for machines when a comment was written: by its tag, or as it
        shows but an age.
        """
        tree = self.context.tree
        if tree.tags[i] in _MARKED_TAGS:
            return True
        return 0 < tree.count(i) <= LONGEST_AGE and bool(tree.attribute(i, "title")) and is_age(tree.text(i))

    def _read_mark(self, draft: CommentDraft, i: int) -> bool:
        """Note the date in the attributes of an element, if they hold one."""
        tree = self.context.tree
        attributes = tree.attributes(i)
        if not attributes:
            return False
        for name in MACHINE_ATTRIBUTES:
            value = attributes.get(name)
            if not value or not any(map(str.isdigit, value)):
                continue
            moment = parse_machine_date(value)
            if moment is not None:
                draft.marked_date = moment
                draft.date_place = i
                draft.date_text = tree.text(i) or value
                return True
        title = attributes.get("title") or ""
        if tree.tags[i] in _UNTITLED_TAGS or len(title) >= _LONGEST_TITLE:
            return False
        if not self.context.dated(title):
            return False
        draft.date_text = title
        draft.date_place = i
        return True

    def _find_shown(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note where the day is shown that is marked in an element without words."""
        tree, marked = self.context.tree, draft.marked_date
        if draft.date_place is None or tree.count(draft.date_place) or marked is None:
            return
        for i in places:
            found = self.context.first_date(tree.text(i)) if 0 < tree.count(i) <= _LONGEST_DATE else None
            if found is not None and abs(found.moment.day - marked.day) <= _ZONE_SLACK:
                draft.date_place, draft.date_text = i, tree.text(i)
                return

    def _read_shown(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note the smallest element with a date, first of those named or linked as dates are, and of those that say
        nothing else: others tell since when somebody is a member, or a name is like that of a month.
        """
        tree = self.context.tree
        best: _DateRank | None = None
        tops = draft.item.tops
        for i in places:
            if not 0 < tree.count(i) <= LONGEST_LABEL or self._wraps_all(i, tops):
                continue
            rank = self._rank(draft, i, best)
            if rank is not None and (best is None or rank < best):
                best = rank
                draft.date_text = tree.text(i)
                draft.date_place = i
        if best is not None and best.says_more:
            self._read_cell(draft)
        if draft.item.tops == [draft.date_place]:
            # The element is the whole comment: all but the date is what the comment says.
            first = self.context.first_date(draft.date_text)
            if first is not None:
                draft.date_text = draft.date_text[first.start : first.end]

    def _rank(self, draft: CommentDraft, i: int, best: _DateRank | None) -> _DateRank | None:
        """How well an element shows the date; None where it shows none, or cannot be better than the best."""
        tree, count = self.context.tree, self.context.tree.count(i)
        if best is not None and best <= (False, False, count):
            return None  # nothing can be better
        unnamed = not self._is_named_as_date(i, draft.item.tops)
        if best is not None and best <= (unnamed, False, count):
            return None
        text = tree.text(i)
        has_date = self._has_full_date(draft, text) if unnamed else self.context.dated(text)
        return _DateRank(unnamed, not self.context.tells_only_when(text), count) if has_date else None

    def _read_cell(self, draft: CommentDraft) -> None:
        """Note the part of a list or a row that only says when, where the line with the date is one."""
        tree, line = self.context.tree, draft.date_place
        inside = range(line + 1, tree.last[line]) if line is not None and line not in draft.item.tops else range(0)
        cells = (i for i in inside if tree.tags[i] in _CELLS and tree.count(i))
        cell = next((i for i in cells if self.context.tells_only_when(tree.text(i))), None)
        if cell is not None:
            draft.date_place, draft.date_text = cell, tree.text(cell)

    def _wraps_all(self, i: int, tops: Sequence[int]) -> bool:
        """Whether an element is but a box around all that a comment says."""
        tree = self.context.tree
        is_box = len(tops) == 1 and i != tops[0] and tree.blocks[tops[0]]
        return is_box and tree.count(i) == tree.count(tops[0])

    def _is_named_as_date(self, i: int, tops: Sequence[int]) -> bool:
        """Whether an element is linked or called as dates of comments are; what a whole comment is
        called says nothing of its date.
        """
        tree = self.context.tree
        if tops == [i]:
            return False
        if "#" in tree.attribute(i, "href"):  # the date is the usual permalink
            return True
        if i in self.context.by_rule.date or tree.tags[i] in _DATE_TAGS:
            return True
        return has_token(tree.classes(i), META)

    def _has_full_date(self, draft: CommentDraft, text: str) -> bool:
        """Whether a text that nothing marks as a date has one with its year, or is but an age."""
        if draft.kind != "comment":
            return False  # pingbacks show the titles of posts, and those have dates in them
        has_year = bool(find_dates(text, self.context.languages, limit=1))
        return has_year or tells_age(text) or has_yearless_day(text)

    def _read_loose(self, draft: CommentDraft) -> None:
        """Note a date in plain text: alone, or before what is said, as in "(2 May 2013): …"."""
        for n in self.context.own_texts(draft.item)[:_MOST_TEXTS]:
            _parent, first, stop, text = self.context.tree.texts[n]
            # Some scripts are cut into many words.
            if stop - first > _LONGEST_DATE and not self.context.tells_only_when(text):
                leading = self._leading_date(draft, text)
                if leading:
                    draft.date_text = leading
                    return
            elif self._has_full_date(draft, text):
                draft.date_text = " ".join(text.split())
                draft.date_text_place = n
                return

    def _read_line(self, draft: CommentDraft) -> None:
        """Note the loose text that is no more than the date, where the whole comment is as short as
        a line.
        """
        for n in self.context.own_texts(draft.item):
            _parent, _first, _stop, text = self.context.tree.texts[n]
            if draft.kind == "comment" and self.context.tells_only_when(text):
                draft.date_text, draft.date_place, draft.date_text_place = " ".join(text.split()), None, n
                return

    def _leading_date(self, draft: CommentDraft, text: str) -> str:
        """The date with which a text begins; empty if it has none."""
        if draft.kind != "comment":
            return ""
        found = find_dates(text[:_LEAD], self.context.languages, limit=1)
        if not found:
            return ""
        start, end = found[0].start, found[0].end
        if any(c.isalnum() for c in text[:start]):
            return ""
        return text[start:end]


@dataclass
class _FormatVotes:
    """What speaks for each way to write dates, by its signature, in all comments of a page."""

    comments: Counter[str] = field(default_factory=Counter)  # whose first date can be read so
    plausible: Counter[str] = field(default_factory=Counter)  # of its dates
    distance: Counter[str] = field(default_factory=Counter)  # days from the post to the comments

    def rank(self, reading: DateReading) -> tuple[int, int, int]:
        """How likely a reading is beside others of the same text; the highest wins."""
        kind = signature(reading.format)
        return self.comments[kind], self.plausible[kind], -self.distance[kind]


def decide_dates(
    drafts: Sequence[CommentDraft],
    languages: Sequence[str],
    captured: datetime | None,
    after: date | None,
    form: str | None = None,
) -> list[Moment | None]:
    """The date of each comment; numbers that could be day or month are read the way that fits all.

    `after` is the day of the post, `form` the format which a rule knows: it outvotes all comments.
    """
    readings = [_readings(draft, languages, captured, after) for draft in drafts]
    votes = _counted_votes(readings, captured, after)
    if form:
        votes.comments[signature(form)] += len(drafts) + 1
    chosen = [max(possible, key=votes.rank) if possible else None for possible in readings]
    # Answers stand below what they answer, whenever they were written.
    is_flat = not any(draft.item.parent is not None for draft in drafts)
    shown = in_order(chosen, captured) if is_flat else [one.moment if one else None for one in chosen]
    return [draft.marked_date or moment for draft, moment in zip(drafts, shown, strict=True)]


def _readings(
    draft: CommentDraft,
    languages: Sequence[str],
    captured: datetime | None,
    after: date | None,
) -> list[DateReading]:
    """All ways to read the date that a comment shows; none where it is written for machines."""
    if draft.marked_date or not draft.date_text:
        return []
    found = find_days(draft.date_text, languages, captured)
    # Beside a day "2 years ago" says less.
    found = [reading for reading in found if reading.moment.precision in TO_THE_DAY] or found
    return [in_first_year(reading, after, captured) for reading in found]


def _counted_votes(
    readings: Sequence[Sequence[DateReading]],
    captured: datetime | None,
    after: date | None,
) -> _FormatVotes:
    """How often each way to write dates fits, and how far off the post it is."""
    votes = _FormatVotes()
    for possible in readings:
        if not possible:
            continue
        first = possible[0].start
        votes.comments.update({signature(one.format) for one in possible if one.start == first})
        for one in possible:
            kind = signature(one.format)
            if _is_plausible(one.moment.day, captured, after):
                votes.plausible[kind] += 1
            if after is not None:
                votes.distance[kind] += abs((one.moment.day - after).days)
    return votes


def _is_plausible(day: date, captured: datetime | None, after: date | None) -> bool:
    """Whether a comment may be of that day: not before its post, and not after its capture."""
    if captured is not None and day > captured.date() + _ZONE_SLACK:
        return False
    return after is None or day - after >= -_ZONE_SLACK
