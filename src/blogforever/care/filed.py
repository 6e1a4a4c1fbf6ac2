"""Pages that list what is filed under one tag, or by one author: they go with the last post that is filed there."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import unquote, urlsplit

from blogforever.dom import tokenise

from .decisions import target_digest

# Under these parts of an address blogs list what has a tag, or is by somebody.
_LISTS = frozenset("tag tags label labels category categories topic topics keyword keywords author authors".split())


def filed_mark(name: str) -> str:
    """By this a tag or an author is known without being named."""
    return target_digest("filed", "-".join(tokenise(name)))


def mark_of_list(url: str) -> str | None:
    """The same, of the tag or the author whose posts an address lists; None where it is no such address."""
    parts = [unquote(part).lower() for part in urlsplit(url).path.split("/")]
    for before, part in pairwise(parts):
        if before in _LISTS and part:
            return filed_mark(part.replace("+", " "))
    return None
