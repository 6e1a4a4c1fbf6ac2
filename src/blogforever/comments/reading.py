"""What the comments of a page say: author, date, text, picture, permalink."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.comments.dating import DateFinder
from blogforever.comments.items import CommentItem, own_places
from blogforever.comments.naming import NameFinder
from blogforever.comments.view import CommentDraft, PageContext
from blogforever.comments.wording import TextFinder
from blogforever.comments.words import (
    FRAGMENT,
    PINGBACK,
)

_PICTURE = re.compile(r"avatar|gravatar|photo|userpic|profile", re.IGNORECASE)


class CommentReader:
    """Reads the comments of one page."""

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.dates, self.names, self.texts = DateFinder(context), NameFinder(context), TextFinder(context)

    def drafts(self, items: Sequence[CommentItem]) -> list[CommentDraft]:
        """All comments of the page."""
        drafts = [self._draft(item) for item in items]
        refrains = self.texts.refrains(drafts)
        for draft in drafts:
            self.texts.fill(draft, refrains)
        return drafts

    def _draft(self, item: CommentItem) -> CommentDraft:
        draft = CommentDraft(item)
        places = list(own_places(self.context.tree, item))
        top = places[: 2 + len(item.tops)]
        draft.classes = [token for i in top for token in self.context.tree.classes(i)]
        draft.kind = self._kind(draft)
        self.dates.read(draft, places)
        self.names.read(draft, places)
        draft.avatar = self._picture(draft, places)
        draft.url = self._permalink(draft, places)
        return draft

    def _picture(self, draft: CommentDraft, places: Sequence[int]) -> str | None:
        tree = self.context.tree
        for i in places:
            if tree.tags[i] == "img":
                attributes = tree.attributes(i)
                source = attributes.get("data-src") or attributes.get("src") or ""
                around = tree.attributes(tree.parents[i]).get("class") or ""
                if _PICTURE.search(f"{attributes.get('class') or ''} {source} {around}") and not source.startswith(
                    "data:"
                ):
                    return self.context.absolute(source)
        return None

    def _permalink(self, draft: CommentDraft, places: Sequence[int]) -> str | None:
        tree, number = self.context.tree, draft.item.number
        for i in places:
            href = (tree.attributes(i).get("href") or "") if tree.tags[i] == "a" else ""
            fragment = href.partition("#")[2]
            if not fragment or "respond" in fragment:
                continue
            if (number and number in fragment) or (not number and FRAGMENT.search(href)):
                return self.context.absolute(href)
        return None

    def _kind(self, draft: CommentDraft) -> str:
        names = {token.casefold() for token in draft.classes}
        for kind in ("pingback", "trackback", "webmention"):
            if any(kind in name for name in names):
                return kind
        own = self.context.own_texts(draft.item)
        match = PINGBACK.match(self.context.tree.texts[own[0]][3]) if own else None
        word = match[1].casefold() if match else ""
        return {"pingback": "pingback", "trackback": "trackback", "webmention": "webmention"}.get(word, "comment")
