"""The platform's own number of a post, which stays when title and address change."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

_SHORTLINK = re.compile(r"(?:[?&]p=|/node/|/archives/)(\d{1,20})/?$")
_BODY_CLASS = re.compile(r"(?:^|\s)(?:postid-|page-node-|node-id-)(\d{1,20})(?=\s|$)")
# Characters of an attribute that are looked at.
_LONGEST = 4000
_PLACES = (("link[rel~='shortlink'][href]", "href", _SHORTLINK), ("body[class]", "class", _BODY_CLASS))


def native_id(parser: LexborHTMLParser) -> str | None:
    """The number in the page's short link, or among the class names of its body."""
    for css, attribute, pattern in _PLACES:
        node = parser.css_first(css)
        found = pattern.search((node.attributes.get(attribute) or "")[:_LONGEST]) if node else None
        if found:
            return found[1]
    return None
