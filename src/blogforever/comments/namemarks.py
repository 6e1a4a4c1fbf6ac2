"""How surely a class, a property or a kind of link says that an element is the name of a commenter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum

from blogforever.comments.dated import LONGEST_LABEL
from blogforever.comments.words import NAME, NAME_PARTS, SURE_NAME, letters
from blogforever.page.view import PageView

# Elements around a name that may be called its author's.
_NEAR_LEVELS = 3
# Words of a name that is shown before an account.
_LONGEST_SHOWN = 6
_NICK = re.compile(r"[-_](?:nick(?:name)?|(?:user|author|display)[-_]?name)$", re.IGNORECASE)
"""How class names end that are names of persons, whatever a system puts before all of its names:
u_cbox_nick.
"""
_NICK_IN_HUMPS = re.compile(r"[a-z](?:Nick(?:[Nn]ame)?|(?:User|Author|Display)Name)$")
"""The same in names of words that are written together: commUserNick."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# How WordPress marks the address that a commenter gave; search engines are not to follow it.
_COMMENTERS_LINK = frozenset({"external", "nofollow"})
_AUTHOR_PROPERTIES = frozenset({"author", "creator"})


class Sureness(IntEnum):
    """How an element was found to hold the name; the lower, the surer."""

    RULE = -1  # a rule says so
    SURE_MARK = 0  # a class or property that is used for names only
    CITED = 1
    MARK = 2  # a class or property that may also hold other things
    EXTERNAL_LINK = 3  # of the kind that WordPress makes of commenters' addresses
    BESIDE_DATE = 4
    STRESSED = 5
    IN_FRONT = 6


def mark_of(tree: PageView, i: int) -> Sureness | None:
    """How surely an element is marked as a commenter's name; None where it is not."""
    if not 0 < tree.count(i) <= LONGEST_LABEL:
        return None
    is_cited = tree.tags[i] == "cite"
    attributes = tree.attributes(i)
    if not attributes and not is_cited:
        return None
    words = {letters(token) for token in tree.classes(i)}
    properties = tree.attribute(i, "itemprop").split()
    if words & SURE_NAME or _is_person(attributes):
        return Sureness.SURE_MARK
    if "name" in properties and _in_author(tree, i):
        return Sureness.SURE_MARK
    if is_cited:
        return Sureness.CITED
    return _weak_mark(tree, i, words, properties)


def _weak_mark(tree: PageView, i: int, words: set[str], properties: Sequence[str]) -> Sureness | None:
    """How surely an element is a name that only usual marks call so."""
    is_nick = any(_NICK.search(token) or _NICK_IN_HUMPS.search(token) for token in tree.classes(i))
    if is_nick or words & NAME or _AUTHOR_PROPERTIES.intersection(properties):
        return Sureness.MARK
    if tree.tags[i] == "a" and _COMMENTERS_LINK.issubset(tree.attribute(i, "rel").split()):
        return Sureness.EXTERNAL_LINK
    return None


def is_partly_named(tree: PageView, i: int) -> bool:
    """Whether a part of an element's name is a word for who wrote something; digits stand in names
    that programs make, where it may be one by chance.
    """
    names = (token for token in tree.classes(i) if token.replace("-", "").replace("_", "").isalpha())
    return any(part.casefold() in NAME_PARTS for token in names for part in _PARTS.findall(token))


def shown_before(tree: PageView, i: int) -> int | None:
    """The element right before an account, "@ann@social.example", with the name that is shown
    of it.
    """
    box = tree.parents[i]
    if not tree.text(i).strip().startswith("@") or tree.count(i) == tree.count(box):
        return None
    before = (n for n in tree.children(box) if n < i and tree.end[n] == tree.start[i])
    return next((n for n in before if 0 < tree.count(n) <= _LONGEST_SHOWN), None)


def _in_author(tree: PageView, i: int) -> bool:
    """Whether an element stands in one that microdata call the author."""
    for around, _level in zip(tree.ancestors(i), range(_NEAR_LEVELS), strict=False):
        if tree.attribute(around, "itemprop") in _AUTHOR_PROPERTIES:
            return True
    return False


def _is_person(attributes: Mapping[str, str | None]) -> bool:
    """Whether Drupal's or Disqus's mark-up says that an element names a person."""
    typeof = attributes.get("typeof") or ""
    name = attributes.get("id") or ""
    return "schema:Person" in typeof or "dsq-author" in name
