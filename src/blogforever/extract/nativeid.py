"""The platform's own number of a post, which stays when title and address change."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from blogforever.page.view import PageView

_SHORTLINK = re.compile(r"(?:[?&]p=|/node/|/archives/)(\d{1,20})/?$")
_BODY_CLASS = re.compile(r"(?:^|\s)(?:postid-|page-node-|node-id-)(\d{1,20})(?=\s|$)")
# Characters of an attribute that are looked at.
_LONGEST = 4000


def native_id(page: PageView) -> str | None:
    """The number in the page's short link, or among the class names of its body."""
    in_link = _number_in(page.landmarks.short_link, "href", _SHORTLINK)
    return in_link or _number_in(page.tree.body, "class", _BODY_CLASS)


def _number_in(node: LexborNode | None, attribute: str, pattern: re.Pattern[str]) -> str | None:
    found = pattern.search((node.attributes.get(attribute) or "")[:_LONGEST]) if node else None
    return found[1] if found else None
