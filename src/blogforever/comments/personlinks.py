"""Where the name of a commenter links to: a person's own page, never a comment or what is done to one."""

from __future__ import annotations

import re
from itertools import islice, takewhile

from blogforever.comments.view import PageContext
from blogforever.comments.words import FRAGMENT
from blogforever.urls import page_key

# Elements around a name that have no other word, among which the link is looked for.
_LEVELS = 4
# A place on the page, a script, or where to send a letter: some blogs forget to say that it is one.
_NO_ADDRESS = re.compile(r"#|javascript:|mailto:|[^/?#\s@]++@[^/?#\s@]++$", re.IGNORECASE)


def linked_person(context: PageContext, i: int) -> str | None:
    """The address that the name links to, in its element or around it, where a link has no other word."""
    tree = context.tree
    around = list(islice(takewhile(lambda n: tree.count(n) == tree.count(i), tree.ancestors(i)), _LEVELS))
    for n in (*range(i, tree.last[i]), *(around or [tree.parents[i]])):
        if tree.tags[n] != "a":
            continue
        href = tree.attribute(n, "href").strip()
        if href and not _NO_ADDRESS.match(href) and not _leads_to_comment(context, href):
            return context.absolute(href)
    return None


def _leads_to_comment(context: PageContext, href: str) -> bool:
    """Whether a link leads to a comment of a page, or to any place of this one, not to a
    person.
    """
    if FRAGMENT.search(href):
        return True
    place, _sign, fragment = (context.absolute(href) or "").partition("#")
    return bool(fragment) and page_key(place) == page_key(context.url)
