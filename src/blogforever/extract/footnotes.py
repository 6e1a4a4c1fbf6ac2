"""Notes to an article that stand outside its element: the text leads to each of them, and each leads back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.elements import is_inline

# Links to a place on the page that are looked at, and elements around one that may bear the name it
# is led back to.
_MOST_LINKS, _NAMED_LEVELS = 200, 2
# Elements from the name of a note up to what holds the whole of it.
_NOTE_LEVELS = 3
# What leads to a note: a number or a letter in brackets or without, or a mark.
_SIGN = re.compile(r"\W{0,2}(?:\d{1,3}|\w|[^\w\s]{1,3})\W{0,2}")
# What a note stands right behind, in the sentence: other marks open menus there.
_SIGN_OF_NOTE = re.compile(r"[\s\[(]{0,2}(?:\d{1,3}|[a-z]|[*†‡§]{1,3})[\s\]).:]{0,2}", re.IGNORECASE)
# Words of a note in the sentence; fewer say what the number counts.
_FEWEST_WORDS = 4
# Elements and texts beside such a note: its sign, and the white space around.
_MOST_BESIDE = 4
# Elements that may be the sign of a note, and the attributes by which such a one names it.
_MARKS = "a, sup, span, button"
_NAMING = ("data-", "aria-")


def notes_outside(tree: LexborHTMLParser, article: LexborNode) -> list[LexborNode]:
    """The notes that belong to an article and stand behind it, in the order in which its text leads
    to them.
    """
    links = [(link, _led_to(link)) for link in article.css('a[href^="#"]')[:_MOST_LINKS]]
    if not links:
        return []
    names = _named(tree, {name for _link, name in links})
    found: dict[int, LexborNode] = {}
    for link, name in links:
        note = names.get(name)
        if note is not None and not _holds(article, note) and _leads_back(note, _names_of(link)):
            whole = _whole(note)
            found[whole.mem_id] = whole
    return [] if any(_holds(note, article) for note in found.values()) else list(found.values())


def note_names(article: LexborNode) -> set[str]:
    """The names of the places on the page that signs in an article lead to: "1", "[2]", "*"."""
    links = article.css('a[href^="#"]')[:_MOST_LINKS]
    led_to = {_led_to(link) for link in links if _SIGN.fullmatch(link.text(strip=True))}
    return (led_to | _named_by_marks(article)) - {""}


def _named_by_marks(article: LexborNode) -> set[str]:
    """What signs name in attributes that scripts read: `data-note="n1"`, `aria-describedby`."""
    named: set[str] = set()
    for mark in article.css(_MARKS):
        values = [value for key, value in mark.attributes.items() if value and key.startswith(_NAMING)]
        if values and _SIGN.fullmatch(mark.text(strip=True)):
            named |= {value.removeprefix("#") for value in values}
        if len(named) > _MOST_LINKS:
            break
    return named


def is_note_behind_sign(node: LexborNode) -> bool:
    """Whether an element stands in the sentence beside nothing but a sign, and says more than that."""
    around = node.parent
    if around is None or not is_inline(around.tag or ""):
        return False
    beside = list(islice(_children(around), _MOST_BESIDE + 1))
    if len(beside) > _MOST_BESIDE:
        return False
    shown = "".join(part.text(deep=True) for part in beside if part.mem_id != node.mem_id)
    return _SIGN_OF_NOTE.fullmatch(shown) is not None and len(node.text(deep=True).split()) >= _FEWEST_WORDS


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _led_to(link: LexborNode) -> str:
    """The name of the place on the page that a link leads to."""
    return (link.attrs.get("href") or "#")[1:]


def _named(tree: LexborHTMLParser, wanted: Set[str]) -> dict[str, LexborNode]:
    """The elements that bear these names; of several with one name the last."""
    if wanted <= {""}:
        return {}
    named = ((node.id or "", node) for node in tree.css("[id]"))
    return {name: node for name, node in named if name and name in wanted}


def _names_of(link: LexborNode) -> set[str]:
    """The names by which one can be led to a link: its own, or that of a small element around it."""
    around = [link, *_around(link, _NAMED_LEVELS)]
    return {name for node in around if (name := node.attributes.get("id"))}


def _leads_back(note: LexborNode, names: Set[str]) -> bool:
    links = _whole(note).css('a[href^="#"]')[:_MOST_LINKS]
    return any(_led_to(link) in names for link in links)


def _whole(note: LexborNode) -> LexborNode:
    """The block that a note is, where only a word of it bears its name."""
    for node in (note, *_around(note, _NOTE_LEVELS)):
        if not is_inline(node.tag or ""):
            return node
    return note


def _around(node: LexborNode, most: int) -> Iterator[LexborNode]:
    for _ in range(most):
        if node.parent is None or node.parent.tag in (None, "body", "html"):
            return
        node = node.parent
        yield node


def _holds(outer: LexborNode, inner: LexborNode) -> bool:
    current: LexborNode | None = inner
    while current is not None:
        if current.mem_id == outer.mem_id:
            return True
        current = current.parent
    return False
