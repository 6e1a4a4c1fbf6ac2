"""Who wrote a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from blogforever.comments.buttons import asks_for_answer
from blogforever.comments.cleaning import LONGEST_NAME, clean_author
from blogforever.comments.counting import first_word, is_bare_number
from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import CommentItem
from blogforever.comments.labelled import labelled_beside, labelled_name
from blogforever.comments.loosenames import read_behind_loose_label
from blogforever.comments.namemarks import Sureness, is_partly_named, mark_of, shown_before
from blogforever.comments.nametexts import line_text, skipped_below, stands_in_text, text_without
from blogforever.comments.personlinks import linked_person
from blogforever.comments.signatures import is_sentence, name_behind_bar, name_behind_number, name_beside_date
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import ACTS, ADDRESSES, BY, FRAGMENT, REPLYING, SPEAKS
from blogforever.dates import is_age
from blogforever.dom import node_text, tokenise
from blogforever.urls import host_of

# Words of a name that nothing marks but its place before the text.
_LONGEST_START = 6
# Words of a name that is stressed at the head of a comment; a longer one is a title.
_LONGEST_STRESSED = 8
# Words of a link or stressed text that may be a name, of a line "by …", of a title with the name.
_LONGEST_NAME_LINE = 12
# Elements at the head of a comment that are looked at for a name: the text follows soon.
_HEAD_STRESSED = 12
_HEAD_BY = 15
_HEAD_MARKED = 12
# Words before a stressed name ("1.", "posted by"); with more it is a stressed word of the text.
_WORDS_BEFORE_STRESS = 3
# Elements around the date, or around a name, that are looked at.
_NEAR_LEVELS = 3
_CONTROL = re.compile(r"reply|[?&/](?:mode=)?(?:edit|delete|report|quote|flag)\b", re.IGNORECASE)
"""Where links lead that do something to a comment; what they are called is no name."""
_SCHEMES = ("http:", "https:")
_ANYBODY = "Ann"
_BOXES = frozenset({"div", "p", "ul"})
_RUNNING = frozenset({"p", "blockquote", "li", "a", "em", "i", "b", "strong", "span", "code"})
_EMPHASIS = frozenset({"b", "strong", "cite", "em", "i", "h3", "h4", "h5", "h6", "dt"})
_TITLES = frozenset({"dt", "h3", "h4", "h5"})
_CELLS = frozenset({"li", "td", "th"})


class _NamePlace(NamedTuple):
    """An element that holds the commenter's name."""

    sureness: Sureness
    i: int

    @property
    def may_hold_date(self) -> bool:
        """Whether a date may stand beside the name: a sure mark holds the name alone."""
        return self.sureness > Sureness.SURE_MARK


class _DateLine(NamedTuple):
    """The words of a page that show the date of a comment: from the first up to the last."""

    first: int
    stop: int
    text: str


class NameFinder:
    """Finds the name of each commenter."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def read(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note who wrote a comment: by marks first, then by what stands where names usually do."""
        found = self._marked_name(draft, places) or self._name_behind_label(draft, places)
        found = found or self._name_about_date(draft, places)
        if found is None and self._read_from_line(draft, places):
            return
        found = found or self._name_at_head(draft, places)
        if found is None and (self._read_after_by(draft, places) or read_behind_loose_label(self.context, draft)):
            return
        found = found or self._name_in_a_box(draft, places)
        if found is None:
            draft.name = self._name_behind_bar(draft)
        else:
            self._read_found(draft, found)

    def _read_found(self, draft: CommentDraft, found: _NamePlace) -> None:
        """Note the name at the surest place in one that was found."""
        place = self._surest_in(found)
        shown = shown_before(self.context.tree, place.i)
        self.read_at(draft, place.i if shown is None else shown, place.may_hold_date)
        draft.uri = draft.uri or linked_person(self.context, place.i)

    def read_at(self, draft: CommentDraft, i: int, may_hold_date: bool = True) -> None:
        """Note the name in an element, and where it links to."""
        draft.name_place = i
        draft.name = self._name_of(draft, i, may_hold_date)
        draft.uri = linked_person(self.context, i)

    # --- by marks

    def _marked_name(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """The element most surely marked as a name, the first of equals."""
        ruled = self.context.by_rule.author
        best: _NamePlace | None = None
        for i in places:
            sureness = Sureness.RULE if i in ruled else mark_of(self.context.tree, i)
            if sureness is None:
                continue
            place = _NamePlace(sureness, i)
            if best is not None and sureness >= best.sureness and not self._narrows(best, place):
                continue
            if not self._name_of(draft, i, place.may_hold_date):
                continue
            best = place
            # Nothing is surer than a rule, and without rules nothing is surer than a sure mark.
            if sureness is Sureness.RULE or (sureness is Sureness.SURE_MARK and not ruled):
                break
        return best

    def _narrows(self, outer: _NamePlace, inner: _NamePlace) -> bool:
        """Whether a name is marked as surely as the element around it, which begins with it and has
        further words in elements of their own: whom the comment answers stands there.
        """
        tree, context = self.context.tree, self.context
        begins = tree.inside(inner.i, outer.i) and tree.start[inner.i] == tree.start[outer.i]
        if inner.sureness is not outer.sureness or not begins:
            return False
        first, stop = context.texts_of(outer.i)
        has_loose_words = any(parent == outer.i and end > start for parent, start, end, _ in tree.texts[first:stop])
        return not has_loose_words

    def _surest_in(self, place: _NamePlace) -> _NamePlace:
        """The name behind its label in an element, or the surely marked one in that which a rule found: both may hold
        more.
        """
        labelled = labelled_name(self.context.tree, range(place.i + 1, self.context.tree.last[place.i]))
        if labelled is not None:
            return _NamePlace(place.sureness, labelled)
        if place.sureness is not Sureness.RULE:
            return place
        for n in range(place.i + 1, self.context.tree.last[place.i]):
            if mark_of(self.context.tree, n) is Sureness.SURE_MARK:
                return _NamePlace(Sureness.SURE_MARK, n)
        return place

    def _name_behind_label(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        place = labelled_name(self.context.tree, places)
        place = labelled_beside(self.context, draft) if place is None else place
        return None if place is None else self._in_front(draft, place)

    # --- the name in an element

    def _name_of(self, draft: CommentDraft, i: int, may_hold_date: bool = True) -> str:
        """The name in an element; empty where it holds none."""
        tree = self.context.tree
        i = self._person_in(i)
        skipped = skipped_below(self.context.tree, i, draft.date_place)
        text = text_without(self.context, i, skipped) if skipped else node_text(tree.nodes[i])
        if draft.kind in ("pingback", "trackback") and tree.tags[i] == "a":
            return text[:LONGEST_NAME]
        if not may_hold_date:
            return clean_author(text)
        text = self._before_date(text)
        is_subject = draft.kind == "comment" and self.context.is_subject(text)
        return "" if is_subject else clean_author(text)

    def _person_in(self, i: int) -> int:
        """The link to the person in an element that also has boxes with ranks, mottos or counts."""
        tree = self.context.tree
        filled = [n for n in range(i + 1, tree.last[i]) if tree.count(n)]
        if not any(tree.tags[n] in _BOXES for n in filled):
            return i
        for n in filled:
            if tree.tags[n] != "a":
                continue
            href = tree.attribute(n, "href")
            if href and not href.startswith("#"):
                shown = shown_before(tree, n)
                return n if shown is None else shown
        return i

    def _before_date(self, text: str) -> str:
        """A text without its date: what stands before it, or else behind it."""
        found = self.context.first_date(text)
        if found is None:
            return text
        before = text[: found.start].strip()
        if clean_author(before):
            return before
        return text[found.end :].strip()

    # --- beside the date

    def _name_about_date(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """The name in the line of the date, or right before or after it."""
        beside = self._name_by_date(draft) or self._name_in_cells(draft) or self._name_at_date(draft, places)
        return beside or self._name_called_beside_date(draft)

    def _name_called_beside_date(self, draft: CommentDraft) -> _NamePlace | None:
        """The element in the line of the date, and of no other matter, that a part of its name says is who wrote."""
        line = None if draft.date_place is None else self._line(draft.date_place, draft.item)
        return None if line is None else self._called_in(draft, line)

    def _name_by_date(self, draft: CommentDraft) -> _NamePlace | None:
        """The link or stressed text in the line of the date."""
        if draft.date_place is None:
            return None
        line = self._line(draft.date_place, draft.item)
        if BY.match(self.context.tree.text(draft.date_place)):
            line = draft.date_place  # it says itself who wrote; before a short text stands a subject
        for i in range(line, self.context.tree.last[line]):
            if i == draft.date_place or not self._may_name(i) or self._is_subject(i, draft.date_place):
                continue
            if stands_in_text(self.context, i, draft.date_place):
                continue
            name = self._name_of(draft, i)
            if name and not self.context.dated(name):
                called = self._called_in(draft, line) if self._is_anchored(i) else None
                return called or _NamePlace(Sureness.BESIDE_DATE, i)
        return None

    def _is_anchored(self, i: int) -> bool:
        """Whether an element only links to a place on the page, as a subject links to the
        comment.
        """
        tree = self.context.tree
        inside = (n for n in range(i, tree.last[i]) if tree.count(n) == tree.count(i))
        return any(tree.tags[n] == "a" and tree.attribute(n, "href").startswith("#") for n in inside)

    def _called_in(self, draft: CommentDraft, line: int) -> _NamePlace | None:
        """The element in a line with a name of which a part is a word for who wrote."""
        return self._name_by_part(draft, range(line + 1, self.context.tree.last[line]))

    def _name_in_cells(self, draft: CommentDraft) -> _NamePlace | None:
        """The first part of the date's line that says neither when nor what can be done, where the
        line is a list of such parts.
        """
        tree = self.context.tree
        date = draft.date_place
        if date is None or date in draft.item.tops or tree.tags[date] not in _CELLS:
            return None
        line = tree.parents[date]
        if tree.count(line) > LONGEST_LABEL or draft.item.tops == [line]:
            return None
        named = (i for i in tree.children(line) if i != date and self._may_be_cell(i) and self._name_of(draft, i))
        cell = next(named, None)
        return None if cell is None else _NamePlace(Sureness.BESIDE_DATE, cell)

    def _may_be_cell(self, i: int) -> bool:
        """Whether a part of a line may be a name: a few words, no date, and nothing that is done to
        a comment.
        """
        tree = self.context.tree
        is_short = 0 < tree.count(i) <= _LONGEST_START
        says_how = ACTS.union(ADDRESSES).issuperset(tree.words_of(i))
        return is_short and not says_how and not self.context.dated(tree.text(i))

    def _is_subject(self, i: int, date_place: int) -> bool:
        """Whether a title links to the comment, and a name stands beside the date: it is what the
        comment is about.
        """
        tree = self.context.tree
        links = (tree.attribute(n, "href") for n in range(i, tree.last[i]) if tree.tags[n] == "a")
        leads_to_it = self._is_anchored(i) or (tree.tags[i] in _TITLES and any(map(FRAGMENT.search, links)))
        return leads_to_it and bool(name_beside_date(self.context, tree.text(date_place)))

    def _line(self, i: int, item: CommentItem) -> int:
        """The widest element around a date that is still a line about the comment."""
        tree = self.context.tree
        place = i
        while place not in item.tops:
            around = tree.parents[place]
            is_whole_comment = around in item.tops and len(item.tops) == 1
            if is_whole_comment or tree.count(around) > LONGEST_LABEL:
                break
            place = around
        return place

    def _name_at_date(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """The link or stressed text right before or right after an element that is only a date."""
        tree = self.context.tree
        line = self._date_line(draft)
        if line is None or not self._is_only_date(line.text):
            return None
        for i in places:
            if not self._touches(i, line) or not self._may_name(i):
                continue
            if draft.date_place is not None and stands_in_text(self.context, i, draft.date_place):
                continue
            if tree.count(i) <= _LONGEST_START and self._name_of(draft, i):
                return _NamePlace(Sureness.BESIDE_DATE, i)
        return None

    def _date_line(self, draft: CommentDraft) -> _DateLine | None:
        """The element of the date, or the loose text that is no more than it."""
        tree = self.context.tree
        if draft.date_place is not None:
            place = draft.date_place
            return _DateLine(tree.start[place], tree.end[place], tree.text(place))
        if draft.date_text_place is not None:
            _parent, first, stop, text = tree.texts[draft.date_text_place]
            return _DateLine(first, stop, text)
        return None

    def _is_only_date(self, text: str) -> bool:
        """Whether cutting the date off leaves nothing, or everything."""
        return clean_author(self._before_date(text)) in ("", text) or self.context.tells_only_when(text)

    def _touches(self, i: int, line: _DateLine) -> bool:
        """Whether no word stands between an element and the date."""
        tree = self.context.tree
        if tree.end[i] == line.first:
            return True
        return tree.start[i] == line.stop and tree.count(i) > 0

    def _may_name(self, i: int) -> bool:
        """Whether an element may be a name by its kind: stressed, or a link to elsewhere."""
        tree = self.context.tree
        if not 0 < tree.count(i) <= _LONGEST_NAME_LINE or is_bare_number(tree, i) or asks_for_answer(tree.text(i)):
            return False
        if tree.tags[i] in _EMPHASIS:
            # Behind any name "wrote on" and "at" are no part of it.
            return not is_age(tree.text(i)) and clean_author(f"{_ANYBODY} {tree.text(i)}") != _ANYBODY
        return tree.tags[i] == "a" and self._may_link_person(i)

    def _may_link_person(self, i: int) -> bool:
        """Whether a link leads elsewhere and is called as somebody may be."""
        tree = self.context.tree
        href = tree.attribute(i, "href")
        said = tree.text(i).casefold().split()
        does_something = said[0] in REPLYING or ACTS.issuperset(tree.words_of(i)) or _CONTROL.search(href) is not None
        is_letter = href.startswith("mailto:") and "@" in tree.text(i)
        is_address = tree.text(i).strip().startswith(_SCHEMES)
        return bool(href) and "#" not in href and not (does_something or is_letter or is_address)

    def _read_from_line(self, draft: CommentDraft, places: Sequence[int]) -> bool:
        """Note a name in plain words beside the date ("Posted by Ann at …"), or in the title."""
        tree = self.context.tree
        # The term of a list is about the comment whose words stand in its definition.
        is_told_by_term = tree.tags[draft.item.tops[0]] == "dt" and draft.date_place not in (None, draft.item.tops[0])
        for line in () if is_told_by_term else self._lines_around_date(draft):
            name = name_beside_date(self.context, line) or name_behind_number(self.context, draft, line)
            if name:
                draft.name = name
                draft.name_place = self._place_of(name, places, draft.date_place or 0)
                return True
        for top in draft.item.tops[:2]:
            if tree.tags[top] not in _TITLES or tree.count(top) > _LONGEST_NAME_LINE:
                continue
            text = node_text(tree.nodes[top])
            if text:
                draft.name = clean_author(self._before_date(text))
                draft.name_place = top
                draft.uri = linked_person(self.context, top)
                return True
        return False

    def _name_behind_bar(self, draft: CommentDraft) -> str:
        names = (name_behind_bar(self.context, line) for line in self._lines_around_date(draft))
        return next(filter(None, names), "")

    def _place_of(self, name: str, places: Sequence[int], before: int) -> int | None:
        """The element that holds the name of a comment and no other word, before that of its
        date.
        """
        tree = self.context.tree
        words = tokenise(name)
        head = (i for i in places[:_HEAD_BY] if tree.count(i) == len(words))
        return next((i for i in head if tree.words_of(i) == words and i < before and tree.last[i] <= before), None)

    def _lines_around_date(self, draft: CommentDraft) -> Iterator[str]:
        """The texts of the date's element and of those around it, up to the comment itself."""
        tree = self.context.tree
        tops = draft.item.tops
        place = draft.date_place
        for _level in range(_NEAR_LEVELS):
            if place is None or (tops == [place] and place != draft.date_place):
                return
            if tree.count(place) <= 2 * LONGEST_LABEL:
                yield line_text(self.context, place)
            if place in tops:
                return
            place = tree.parents[place]

    # --- at the head of the comment

    def _name_at_head(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        by_stress = self._name_by_stress(draft, places)
        return by_stress or self._name_that_speaks(draft, places) or self._name_at_the_start(draft, places)

    def _name_by_stress(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """The first stressed text of a comment, at its beginning or behind the date."""
        tree = self.context.tree
        head_end = tree.start[draft.item.tops[0]] + _WORDS_BEFORE_STRESS
        date = draft.date_place
        for i in places[:_HEAD_STRESSED]:
            if tree.tags[i] not in _EMPHASIS or not 0 < tree.count(i) <= _LONGEST_STRESSED or is_bare_number(tree, i):
                continue
            after_date = date is not None and tree.start[i] == tree.end[date]
            if (after_date or tree.start[i] <= head_end) and self._name_of(draft, i):
                return _NamePlace(Sureness.STRESSED, i)
        return None

    def _name_that_speaks(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """A short line at the beginning of a comment that ends with a word like "says"."""
        tree = self.context.tree
        first = tree.start[draft.item.tops[0]]
        for i in places[:_HEAD_STRESSED]:
            if tree.start[i] != first:
                return None
            if 0 < tree.count(i) <= _LONGEST_STRESSED and SPEAKS.search(tree.text(i)):
                return self._in_front(draft, i)
        return None

    def _name_at_the_start(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """A few words in an element of their own, from the beginning of a comment to its date."""
        tree = self.context.tree
        date = draft.date_place
        first = first_word(tree, places)
        if date is None or tree.start[date] - first > _LONGEST_START:
            return None
        for i in places:
            if tree.start[i] == first and tree.end[i] == tree.start[date] and tree.count(i) > 0:
                return self._in_front(draft, i)
        return None

    # --- in a box of its own, wherever

    def _name_in_a_box(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        in_front = self._name_in_front(draft, places)
        return in_front or self._name_at_foot(draft) or self._name_by_part(draft, places)

    def _name_in_front(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """A few words in a marked element of their own before the text, the date elsewhere."""
        tree = self.context.tree
        tops = draft.item.tops
        date = draft.date_place
        if date is None:
            return None
        first = tree.start[tops[0]]
        longest = min(_LONGEST_START, sum(map(tree.count, tops)) // 2)
        for i in places[:_HEAD_MARKED]:
            if tree.tags[i] in _RUNNING or i in tops or not tree.classes(i):
                continue
            is_before = tree.start[i] == first and tree.end[i] < tree.start[date]
            if is_before and 0 < tree.count(i) <= longest:
                return self._in_front(draft, i)
        return None

    def _name_at_foot(self, draft: CommentDraft) -> _NamePlace | None:
        """A few words in a box of their own below the text, which link to another site."""
        tree = self.context.tree
        parts = [i for top in draft.item.tops for i in tree.children(top) if tree.count(i)]
        foot = parts[-1] if len(parts) > 1 else None
        if foot is None or tree.count(foot) > _LONGEST_START or tree.links(foot) < tree.count(foot):
            return None
        link = linked_person(self.context, foot)
        is_elsewhere = link is not None and host_of(link) != host_of(self.context.url)
        is_address = tree.text(foot).strip().startswith((*_SCHEMES, "www."))
        return self._in_front(draft, foot) if is_elsewhere and not is_address else None

    def _name_by_part(self, draft: CommentDraft, places: Sequence[int]) -> _NamePlace | None:
        """A few words in an element with a name of which a part is a word for who wrote: "commentByStyle"."""
        tree = self.context.tree
        for i in places:
            if 0 < tree.count(i) <= _LONGEST_START and draft.item.tops != [i] and is_partly_named(tree, i):
                place = None if self.context.dated(tree.text(i)) else self._in_front(draft, i)
                if place is not None:
                    return place
        return None

    def _in_front(self, draft: CommentDraft, i: int) -> _NamePlace | None:
        """The place of a name before the text, if there is one."""
        name = self._name_of(draft, i)
        is_name = bool(name) and not ACTS.issuperset(tokenise(name)) and not is_sentence(name)
        return _NamePlace(Sureness.IN_FRONT, i) if is_name else None

    def _read_after_by(self, draft: CommentDraft, places: Sequence[int]) -> bool:
        """Note a name after "by" or "comment from", in a line of its own."""
        tree = self.context.tree
        for i in places[:_HEAD_BY]:
            if not 0 < tree.count(i) <= _LONGEST_NAME_LINE or i in draft.item.tops:
                continue
            if tree.tags[i] == "a" and tree.text(i).casefold().split()[0] in REPLYING:
                continue  # "Reply to this comment"
            lead = BY.match(tree.text(i))
            name = clean_author(tree.text(i)[lead.end() :]) if lead else ""
            if name and not ACTS.issuperset(tokenise(name)):
                draft.name = name
                draft.name_place = i
                draft.uri = linked_person(self.context, i)
                return True
        return False
