"""What the comments of a page say: author, date, text, picture, permalink."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blogforever.comments.dating import Dates
from blogforever.comments.items import Item, own_places
from blogforever.comments.naming import Names
from blogforever.comments.view import Draft, View
from blogforever.comments.wording import Texts
from blogforever.comments.words import (
    FRAGMENT,
    PINGBACK,
)

_PICTURE = re.compile(r"avatar|gravatar|photo|userpic|profile", re.IGNORECASE)


class Reader:
    """Reads the comments of one page."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.dates, self.names, self.texts = Dates(view), Names(view), Texts(view)

    def drafts(self, items: Sequence[Item]) -> list[Draft]:
        """All comments of the page."""
        drafts = [self._draft(item) for item in items]
        refrains = self.texts.refrains(drafts)
        for draft in drafts:
            self.texts.fill(draft, refrains)
        return drafts

    def _draft(self, item: Item) -> Draft:
        draft = Draft(item)
        places = list(own_places(self.view.tree, item))
        top = places[: 2 + len(item.tops)]
        draft.classes = [token for i in top for token in self.view.tree.classes(i)]
        draft.kind = self._kind(draft)
        self.dates.read(draft, places)
        self.names.read(draft, places)
        draft.avatar = self._picture(draft, places)
        draft.url = self._permalink(draft, places)
        return draft

    def _picture(self, draft: Draft, places: Sequence[int]) -> str | None:
        tree = self.view.tree
        for i in places:
            if tree.tags[i] == "img":
                attributes = tree.attributes(i)
                source = attributes.get("data-src") or attributes.get("src") or ""
                around = tree.attributes(tree.parents[i]).get("class") or ""
                if _PICTURE.search(f"{attributes.get('class') or ''} {source} {around}") and not source.startswith(
                    "data:"
                ):
                    return self.view.absolute(source)
        return None

    def _permalink(self, draft: Draft, places: Sequence[int]) -> str | None:
        tree, number = self.view.tree, draft.item.number
        for i in places:
            href = (tree.attributes(i).get("href") or "") if tree.tags[i] == "a" else ""
            fragment = href.partition("#")[2]
            if not fragment or "respond" in fragment:
                continue
            if (number and number in fragment) or (not number and FRAGMENT.search(href)):
                return self.view.absolute(href)
        return None

    def _kind(self, draft: Draft) -> str:
        names = {token.casefold() for token in draft.classes}
        for kind in ("pingback", "trackback", "webmention"):
            if any(kind in name for name in names):
                return kind
        own = self.view.own_texts(draft.item)
        match = PINGBACK.match(self.view.tree.texts[own[0]][3]) if own else None
        word = match[1].casefold() if match else ""
        return {"pingback": "pingback", "trackback": "trackback", "webmention": "webmention"}.get(word, "comment")
