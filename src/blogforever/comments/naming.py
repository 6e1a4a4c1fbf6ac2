"""Who wrote a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.items import CommentItem
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.words import (
    BY,
    NAME,
    SAYS,
    UNVERIFIED,
    has_token,
)
from blogforever.dates import find_dates
from blogforever.dom import node_text

_LONGEST_NAME = 250
_LONGEST_LINE = 600
_LONGEST_PLAIN = 60
_LONGEST_START = 6
_LEADS = re.compile(r"^[\W\d]*(?:par|by|von|por|da|di|door|af|av|from|от)\s", re.IGNORECASE)
_RUNNING = frozenset({"p", "blockquote", "li", "a", "em", "i", "b", "strong", "span", "code"})
_EMPHASIS = frozenset({"b", "strong", "cite", "em", "i", "h3", "h4", "h5", "h6", "dt"})


class NameFinder:
    """Finds the name of each commenter."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def read(self, draft: CommentDraft, places: Sequence[int]) -> None:
        """Note who wrote a comment."""
        best: tuple[int, int] | None = None
        for i in places:
            rank = -1 if i in self.context.by_rule.author else self._name_rank(i)
            if rank is not None and (best is None or rank < best[0]) and self._name_of(draft, i, rank > 0):
                best = (rank, i)
                if rank < 0 or (rank == 0 and not self.context.by_rule.author):
                    break
        if best is None:
            best = self._name_by_date(draft) or self._name_at_date(draft, places)
        if best is None:
            if self._name_in_line(draft):
                return
            best = self._name_by_stress(draft, places) or self._name_at_the_start(draft, places)
        if best is None and not self._name_after_by(draft, places):
            best = self._name_in_front(draft, places)
        if best is None:
            return
        best = self._surest_in(best)
        draft.name_place = best[1]
        draft.name = self._name_of(draft, best[1], best[0] > 0)
        draft.uri = self._link(best[1])

    def _surest_in(self, best: tuple[int, int]) -> tuple[int, int]:
        """The element surely named as a name inside the one a rule found, which may hold an address, too."""
        rank, i = best
        inner = (n for n in range(i + 1, self.context.tree.last[i]) if rank < 0 and self._name_rank(n) == 0)
        return next(((0, n) for n in inner), best)

    def _name_rank(self, i: int) -> int | None:
        """How surely an element is named as a commenter's name, 0 the surest."""
        tree = self.context.tree
        attributes = tree.attributes(i)
        count = tree.count(i)
        if not 0 < count <= LONGEST_LABEL or (not attributes and tree.tags[i] != "cite"):
            return None
        prop = (attributes.get("itemprop") or "").split()
        classes = (attributes.get("class") or "").split()
        words = {"".join(c for c in token.casefold() if c.isalpha()) for token in classes}
        person = "schema:Person" in (attributes.get("typeof") or "") or "dsq-author" in (attributes.get("id") or "")
        if person or words & _SURE_NAMES or ("name" in prop and self._in_author(i)):
            return 0
        if tree.tags[i] == "cite":
            return 1
        if words & NAME or {"author", "creator"} & set(prop):
            return 2
        rel = (attributes.get("rel") or "").split()
        return 3 if tree.tags[i] == "a" and "external" in rel and "nofollow" in rel else None

    def _in_author(self, i: int) -> bool:
        return any(
            (self.context.tree.attributes(n).get("itemprop") or "") in ("author", "creator")
            for n, _ in zip(self.context.tree.ancestors(i), range(3), strict=False)
        )

    def _name_of(self, draft: CommentDraft, i: int, cut: bool = True) -> str:
        tree = self.context.tree
        i = self._person_in(i)
        skipped = self._meta_below(i, draft.date_place)
        text = node_text(tree.nodes[i]) if not skipped else self._text_without(i, skipped)
        if draft.kind in ("pingback", "trackback") and tree.tags[i] == "a":
            return text[:_LONGEST_NAME]
        if cut:
            text = self._before_date(text)
        return clean_author(text)

    def _person_in(self, i: int) -> int:
        """The link to the person in an element that also says more of it, in boxes: ranks, mottos, counts."""
        tree = self.context.tree
        below = range(i + 1, tree.last[i])
        if not any(tree.tags[n] in ("div", "p", "ul") and tree.count(n) for n in below):
            return i
        links = (n for n in below if tree.tags[n] == "a" and tree.count(n))
        return next((n for n in links if not (tree.attributes(n).get("href") or "#").startswith("#")), i)

    def _meta_below(self, i: int, date_place: int | None) -> set[int]:
        tree = self.context.tree
        return {
            n
            for n in range(i + 1, tree.last[i])
            if n == date_place or has_token(tree.classes(n), _NOT_NAMES) or tree.tags[n] in ("time", "small")
        }

    def _text_without(self, i: int, skipped: set[int]) -> str:
        tree = self.context.tree
        spans = [(tree.start[n], tree.end[n]) for n in skipped if tree.count(n)]
        first, stop = self.context.texts_of(i)
        kept = [t for _p, f, _s, t in tree.texts[first:stop] if not any(a <= f < b for a, b in spans)]
        return " ".join(" ".join(kept).split())

    def _before_date(self, text: str) -> str:
        found = find_dates(text, self.context.languages, self.context.captured, limit=1)
        if not found:
            return text
        before, after = text[: found[0].start].strip(), text[found[0].end :].strip()
        return before if clean_author(before) else after

    def _name_by_date(self, draft: CommentDraft) -> tuple[int, int] | None:
        """The link or stressed text in the line of the date."""
        tree = self.context.tree
        if draft.date_place is None:
            return None
        around = self._line(draft.date_place, draft.item)
        for i in range(around, tree.last[around]):
            if i != draft.date_place and self._may_name(i):
                name = self._name_of(draft, i)
                if name and not self.context.dated(name):
                    return 4, i
        return None

    def _name_at_date(self, draft: CommentDraft, places: Sequence[int]) -> tuple[int, int] | None:
        """The link or stressed text right before an element that is only a date, or right after it."""
        tree, date = self.context.tree, draft.date_place
        if date is None or clean_author(self._before_date(tree.text(date))) not in ("", tree.text(date)):
            return None
        for i in places:
            beside = tree.end[i] == tree.start[date] or (
                tree.start[i] == tree.end[date] and tree.start[i] < tree.end[i]
            )
            if beside and self._may_name(i) and tree.count(i) <= _LONGEST_START and self._name_of(draft, i):
                return 4, i
        return None

    def _name_by_stress(self, draft: CommentDraft, places: Sequence[int]) -> tuple[int, int] | None:
        """The first stressed text of a comment, where it begins with it."""
        tree = self.context.tree
        for i in places[:12]:
            if tree.tags[i] in _EMPHASIS and self._may_name(i) and tree.count(i) <= 8:
                name = self._name_of(draft, i)
                after_date = draft.date_place is not None and tree.start[i] == tree.end[draft.date_place]
                if name and (after_date or tree.start[i] - tree.start[draft.item.tops[0]] <= 3):
                    return 5, i
        return None

    def _name_at_the_start(self, draft: CommentDraft, places: Sequence[int]) -> tuple[int, int] | None:
        """A few words in an element of their own, with which the comment begins and after which its date stands."""
        tree, date = self.context.tree, draft.date_place
        first = tree.start[draft.item.tops[0]]
        if date is None or tree.start[date] - first > _LONGEST_START:
            return None
        for i in places:
            if tree.start[i] == first and tree.end[i] == tree.start[date] and tree.count(i) > 0:
                return (6, i) if self._name_of(draft, i) else None
        return None

    def _name_in_front(self, draft: CommentDraft, places: Sequence[int]) -> tuple[int, int] | None:
        """A few words in a marked element of their own before the text, where the date stands elsewhere."""
        tree, date = self.context.tree, draft.date_place
        first, words = tree.start[draft.item.tops[0]], sum(map(tree.count, draft.item.tops))
        for i in places[: 2 * _LONGEST_START] if date is not None else ():
            apart = tree.tags[i] not in _RUNNING and i not in draft.item.tops and bool(tree.classes(i))
            before = tree.start[i] == first and tree.end[i] < tree.start[date or 0]
            if apart and before and 0 < tree.count(i) <= min(_LONGEST_START, words // 2):
                return (6, i) if self._name_of(draft, i) else None
        return None

    def _name_after_by(self, draft: CommentDraft, places: Sequence[int]) -> bool:
        """A name after "by" or "comment from", in a line of its own."""
        tree = self.context.tree
        for i in places[:15]:
            text = tree.text(i) if 0 < tree.count(i) <= 12 else ""
            if text and i not in draft.item.tops and BY.match(text) and (name := clean_author(text)):
                draft.name, draft.name_place = name, i
                return True
        return False

    def _may_name(self, i: int) -> bool:
        tag, href = self.context.tree.tags[i], self.context.tree.attributes(i).get("href") or ""
        if not 0 < self.context.tree.count(i) <= 12:
            return False
        return (tag == "a" and "#" not in href and "reply" not in href) or tag in _EMPHASIS

    def _line(self, i: int, item: CommentItem) -> int:
        """The widest element around a date that is still a line about the comment."""
        tree = self.context.tree
        place = i
        while (
            place not in item.tops
            and tree.count(tree.parents[place]) <= LONGEST_LABEL
            and (tree.parents[place] not in item.tops or len(item.tops) > 1)
        ):
            place = tree.parents[place]
        return place

    def _name_in_line(self, draft: CommentDraft) -> bool:
        """A name that stands as plain words beside the date: "Posted by Ann at …", "on … by Ann"."""
        tree, tops = self.context.tree, draft.item.tops
        place = draft.date_place
        for _level in range(3):
            if place is None or (place in tops and place != draft.date_place and len(tops) == 1):
                break
            text = node_text(tree.nodes[place]) if tree.count(place) <= 2 * LONGEST_LABEL else ""
            found = find_dates(text, self.context.languages, self.context.captured, limit=1) if text else []
            name = self._beside(text, found[0].start, found[0].end) if found else ""
            if name:
                draft.name = name
                return True
            place = tree.parents[place] if place not in tops else None
        for top in tops[:2]:
            text = node_text(tree.nodes[top]) if tree.count(top) <= 12 else ""
            if tree.tags[top] in ("dt", "h3", "h4", "h5") and text:
                draft.name, draft.name_place = clean_author(self._before_date(text)), top
                return True
        return False

    def _beside(self, text: str, start: int, end: int) -> str:
        """The name before a date, or after it where a word like "by" leads to it."""
        after = _LEADS.match(text[end:])
        name = clean_author(text[end + after.end() :] if after else text[:start])
        return name if len(name) <= _LONGEST_PLAIN else ""

    def _link(self, i: int) -> str | None:
        tree = self.context.tree
        near = [i, *range(i + 1, tree.last[i]), tree.parents[i]]
        for n in near:
            href = (tree.attributes(n).get("href") or "").strip() if tree.tags[n] == "a" else ""
            if href and not href.startswith(("#", "javascript:", "mailto:")):
                return self.context.absolute(href)
        return None


_SURE_NAMES = frozenset(
    {"fn", "commentauthorname", "pauthor", "uauthor", "authname", "dsqcommentauthor", "authorname", "commentername"}
)
_NOT_NAMES = frozenset(
    {"says", "avatar", "date", "time", "commentmeta", "commentmetadata", "badge", "role", "label", "screenreadertext"}
)


_COUNTED = re.compile(r"^#\d{1,5}\b[\s.:)]*")
_PREPOSITION = re.compile(r"(?<=\S)\s+(?:at|am|um|on|le|el|il|em|op|den|på|kl|à|às|alle|dnia|pada|vom)$")


def clean_author(text: str) -> str:
    """A commenter's name without "says:", "posted by" and what a system adds to it."""
    name = _COUNTED.sub("", " ".join(text[:_LONGEST_LINE].split()))
    for _ in range(3):
        before = name
        name = SAYS.sub("", UNVERIFIED.sub("", name)).rstrip(" \t|,:;•·–—-@([").lstrip(" \t|,;•·–—-#")
        name = _PREPOSITION.sub("", name)
        stripped = BY.sub("", name).strip()
        name = stripped or name
        if name == before:
            break
    return name if 0 < len(name) <= _LONGEST_NAME and any(c.isalnum() for c in name) else ""
