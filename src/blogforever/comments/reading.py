"""What the comments of a page say: author, date, text, picture, permalink."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.comments.bodies import shared_bodies
from blogforever.comments.counting import drop_ordinals, usual_numbers
from blogforever.comments.dating import DateFinder
from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.loosenames import read_loose_names
from blogforever.comments.naming import NameFinder
from blogforever.comments.replied import answered_lines, tie_by_lines
from blogforever.comments.spoken import drop_spoken_days
from blogforever.comments.usualnames import drop_counts, drop_usual_brackets, drop_usual_openings, usual_names
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.wording import TextFinder
from blogforever.comments.words import FRAGMENT, PINGBACK

_LINKBACKS = ("pingback", "trackback", "webmention")
# Elements below the tops of a comment whose classes say what it is: themes wrap it once or twice.
_CLASSED_BELOW = 2
_PICTURE = re.compile(r"avatar|gravatar|photo|userpic|profile", re.IGNORECASE)


class CommentReader:
    """Reads the comments of one page."""

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.dates = DateFinder(context)
        self.names = NameFinder(context)
        self.texts = TextFinder(context)

    def drafts(self, items: Sequence[CommentItem]) -> list[CommentDraft]:
        """All comments of the page."""
        drafts = [self._dated_draft(item) for item in items]
        drop_spoken_days(self.context, drafts)
        for draft in drafts:
            self._read_beside_date(draft)
        for n, place in usual_names(self.context.tree, drafts).items():
            self.names.read_at(drafts[n], place)
        read_loose_names(self.context, drafts)
        drop_counts(drafts)
        drop_usual_openings(drafts)
        drop_usual_brackets(drafts)
        self.texts.answered = answered_lines(self.context, drafts)
        tie_by_lines(drafts, self.texts.answered)
        refrains = self.texts.refrains(drafts)
        self.texts.shared = shared_bodies(self.context, drafts)
        self.texts.numbers = usual_numbers(self.context.tree, drafts)
        for draft in drafts:
            self.texts.fill(draft, refrains)
        drop_ordinals(drafts)
        return drafts

    def _dated_draft(self, item: CommentItem) -> CommentDraft:
        """A comment of which only is read what it is and when it was written."""
        draft = CommentDraft(item)
        places = list(own_places(self.context.tree, item))
        for i in places[: len(item.tops) + _CLASSED_BELOW]:
            draft.classes.extend(self.context.tree.classes(i))
        draft.kind = self._kind(draft)
        self.dates.read(draft, places)
        return draft

    def _read_beside_date(self, draft: CommentDraft) -> None:
        """Note all else of a comment but its text: what labels are, all drafts together tell."""
        places = list(own_places(self.context.tree, draft.item))
        self.names.read(draft, places)
        draft.avatar = self._picture(places)
        draft.url = self._permalink(draft, places)

    def _picture(self, places: Sequence[int]) -> str | None:
        """The first image that its class, its address or what is around it calls an avatar."""
        tree = self.context.tree
        for i in places:
            if tree.tags[i] != "img":
                continue
            source = tree.attribute(i, "data-src") or tree.attribute(i, "src")
            own, around = tree.attribute(i, "class"), tree.attribute(tree.parents[i], "class")
            is_avatar = _PICTURE.search(f"{own} {source} {around}") is not None
            # A picture written out in the page only stands for one that a script loads.
            if is_avatar and not source.startswith("data:"):
                return self.context.absolute(source)
        return None

    def _permalink(self, draft: CommentDraft, places: Sequence[int]) -> str | None:
        """The first link to the comment itself: by its number, or by how such links are written."""
        tree = self.context.tree
        number = draft.item.number
        for i in places:
            if tree.tags[i] != "a":
                continue
            href = tree.attribute(i, "href")
            fragment = href.partition("#")[2]
            if not fragment or "respond" in fragment:
                continue
            is_own = number in fragment if number else FRAGMENT.search(href) is not None
            if is_own:
                return self.context.absolute(href)
        return None

    def _kind(self, draft: CommentDraft) -> str:
        """What the classes of a comment, or its first words, say that it is."""
        names = " ".join(draft.classes).casefold()
        for kind in _LINKBACKS:
            if kind in names:
                return kind
        own = self.context.own_texts(draft.item)
        if not own:
            return "comment"
        _parent, _first, _stop, opening = self.context.tree.texts[own[0]]
        match = PINGBACK.match(opening)
        word = match[1].casefold() if match else ""
        return word if word in _LINKBACKS else "comment"
