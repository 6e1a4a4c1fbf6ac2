"""The elements and texts of a list page in one row: its posts often have no element of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from blogforever.page.columns import Elements
from blogforever.page.view import Attributes, PageView
from blogforever.wordlists import WordLists

TEXT = "#text"
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LISTS = WordLists("blogforever.extract", "lists.toml")
_FURNITURE = _LISTS.words("furniture")
_CONTENT = _LISTS.words("content")
_ALWAYS = _LISTS.words("always")
_FEED_NAMES = _LISTS.words("feed_names")
_POST_WORDS = _LISTS.words("post_words")
_POST_TAGS = frozenset(("article", "li"))
_MAIN_TAGS = frozenset(("div", "section"))
_MAIN_IDS = frozenset(("main", "content"))
# Names a theme derives from the post itself (number, tags, state) differ between records of one
# list.
_DERIVED = re.compile(
    r"(?:tag|category|cat|status|format|type|author|sticky|first|last|odd|even|alt|active|current|"
    r"has|no|is)(?:[-_]|$)",
    re.I,
)
_DIGIT = re.compile(r"\d")

# Bounds of work on hostile pages: names of an element and their characters, elements around
# another, and names remembered.
_MOST_NAMES = 30
_LONGEST_NAMES = 400
_MOST_AROUND = 30
_REMEMBERED = 4096


@lru_cache(maxsize=_REMEMBERED)
def name_words(names: str) -> frozenset[str]:
    """The words of class names and ids: "entryMeta-top" has entry, meta and top."""
    return frozenset(word.lower() for word in _NAME_WORD.findall(names[:_LONGEST_NAMES]))


@lru_cache(maxsize=_REMEMBERED)
def stable_names(names: str) -> tuple[str, ...]:
    """Class names that do not depend on the single post."""
    return tuple(sorted(filter(_is_stable, names.split()[:_MOST_NAMES])))


def _is_stable(name: str) -> bool:
    return not _DIGIT.search(name) and not _DERIVED.match(name)


@lru_cache(maxsize=_REMEMBERED)
def _names_furniture(names: str) -> bool:
    for name in names.split()[:_MOST_NAMES]:
        words = name_words(name)
        # "content-with-sidebar" holds the posts beside the side bar.
        is_around_posts = words & _CONTENT and not words & _ALWAYS
        if words & _FURNITURE and not is_around_posts and not _DERIVED.match(name):
            return True
    return False


def _names_of(attributes: Attributes) -> str:
    """Class names and id."""
    return f"{attributes.get('class') or ''} {attributes.get('id') or ''}"


@dataclass(slots=True)
class Outline:
    """Column i of every list is about entry i, an element or a text.

    A subtree is the interval [i, ends[i]).
    """

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    attributes: list[Attributes] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # white space collapsed; "" for elements
    chars: list[int] = field(default_factory=list)  # characters of text before the entry
    tag_paths: list[int] = field(default_factory=list)  # hash of the tags from the root down
    full_paths: list[int] = field(default_factory=list)  # the same with stable class names
    furniture: list[bool] = field(default_factory=list)  # in navigation, side bar or the like

    def text(self, start: int, end: int) -> str:
        """The text between two entries, white space collapsed."""
        return " ".join(" ".join(filter(None, self.texts[start:end])).split())

    def inner(self, i: int) -> str:
        """The text of entry i."""
        return self.text(i, self.ends[i])

    def length(self, start: int, end: int) -> int:
        """How many characters of text stand between two entries."""
        last = len(self.chars) - 1
        return self.chars[min(end, last)] - self.chars[min(start, last)]

    def names(self, i: int) -> str:
        """Class names and id of an element."""
        return _names_of(self.attributes[i])

    def words(self, i: int) -> frozenset[str]:
        """The words in the class names and id of an element."""
        return name_words(self.names(i))


def outline_of(view: PageView) -> Outline:
    """The elements and texts of a page in one row."""
    page, elements = Outline(), view.elements
    total, read = 0, 0
    for i, before in enumerate(elements.starts):
        total += _add_texts(page, elements, range(read, before), total)
        read = before
        _add_element(page, view, i, total)
    total += _add_texts(page, elements, range(read, len(elements.pieces)), total)
    page.chars.append(total)
    return page


_NO_ATTRIBUTES: Attributes = {}


def _entry_of(elements: Elements, i: int) -> int:
    """Which entry an element is: the texts before it are entries, too."""
    return i + elements.starts[i] if i >= 0 else -1


def _add_texts(page: Outline, elements: Elements, places: range, total: int) -> int:
    """Add texts; how many characters they have."""
    length = 0
    for place in places:
        holder, text = elements.pieces[place]
        parent = _entry_of(elements, holder)
        page.tags.append(TEXT)
        page.parents.append(parent)
        page.ends.append(len(page.tags))
        page.attributes.append(_NO_ATTRIBUTES)
        page.texts.append(" ".join(text.split()))
        page.chars.append(total + length)
        page.tag_paths.append(hash((_path_to(page.tag_paths, parent), TEXT)))
        page.full_paths.append(hash((_path_to(page.full_paths, parent), TEXT)))
        page.furniture.append(parent >= 0 and page.furniture[parent])
        length += len(page.texts[-1])
    return length


def _add_element(page: Outline, view: PageView, i: int, total: int) -> None:
    elements = view.elements
    tag, parent = elements.tags[i], _entry_of(elements, elements.parents[i])
    attributes = view.attributes(i)
    page.tags.append(tag)
    page.parents.append(parent)
    page.ends.append(elements.last[i] + elements.stops[i])
    page.attributes.append(attributes)
    page.texts.append("")
    page.chars.append(total)
    page.tag_paths.append(hash((_path_to(page.tag_paths, parent), tag)))
    names = attributes.get("class") or ""
    page.full_paths.append(hash((_path_to(page.full_paths, parent), tag, stable_names(names))))
    page.furniture.append(_is_furniture(page, tag, attributes, parent))


def _path_to(paths: list[int], parent: int) -> int:
    """The path of the element around an entry; the root has none."""
    return paths[parent] if parent >= 0 else 0


def _is_furniture(
    page: Outline,
    tag: str,
    attributes: Attributes,
    parent: int,
) -> bool:
    """Whether an element stands in navigation, a side bar, a footer or the like."""
    if parent < 0:
        return False
    names = _names_of(attributes)
    is_main = _is_main(tag, attributes, names)
    if page.furniture[parent]:
        return not is_main and _FEED_NAMES.isdisjoint(names.lower().split())
    if tag in ("nav", "aside"):
        return True
    if is_main or tag in ("article", "body"):
        return False
    is_footer = tag == "footer"
    is_named = names != " " and _names_furniture(names)
    if not is_footer and not is_named:
        return False
    is_footer = is_footer or "footer" in name_words(names)
    return not (is_footer and _in_article(page, parent))


def _is_main(tag: str, attributes: Attributes, names: str) -> bool:
    """Whether an element is the one that holds what the page is about, on whichever side its class says the bar is."""
    is_called_main = (attributes.get("id") or "").lower() in _MAIN_IDS and not name_words(names) & _ALWAYS
    return tag == "main" or (tag in _MAIN_TAGS and is_called_main)


def _in_article(page: Outline, entry: int) -> bool:
    """Whether an entry belongs to one post: its footer holds tags and comments, not the page's."""
    for _ in range(_MOST_AROUND):
        if entry < 0:
            return False
        if page.tags[entry] in _POST_TAGS or page.words(entry) & _POST_WORDS:
            return True
        entry = page.parents[entry]
    return False
