"""A list page as flat columns, elements and texts in document order: every question about a subtree is an interval."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from selectolax.lexbor import LexborNode


def word_set(words: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(words.split())


TEXT = "#text"
HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_HIDDEN = word_set("script style noscript template textarea select svg object iframe head option")
_MAX_ENTRIES = 400_000
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_FURNITURE = word_set(
    "sidebar sidebars widget widgets nav navbar navigation navi menu menus breadcrumb breadcrumbs crumbs blogroll "
    "related recommended recommendations popular pagination pager paging paginator tagcloud categories comment "
    "comments commentlist respond share sharing social modal cookie search footer colophon toc prevnext newsletter "
    "subscribe"
)
_CONTENT = word_set("content posts articles entries hfeed layout has no with without")
_ALWAYS = word_set(
    "nav navbar navigation menu menus breadcrumb breadcrumbs pagination pager related recommended popular"
)
# Class names by which a block says it holds the posts, even inside something called a widget.
_FEED_NAMES = word_set("hfeed hentry h-feed h-entry blog-posts")
# Names a theme derives from the post itself (number, tags, state) differ between records of one list.
_DERIVED = re.compile(
    r"(?:tag|category|cat|status|format|type|author|sticky|first|last|odd|even|alt|active|current|has|no|is)(?:[-_]|$)",
    re.I,
)
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=4096)
def name_words(names: str) -> frozenset[str]:
    """The words of class names and ids: "entryMeta-top" has entry, meta and top."""
    return frozenset(word.lower() for word in _NAME_WORD.findall(names[:400]))


@lru_cache(maxsize=4096)
def stable_names(names: str) -> tuple[str, ...]:
    """Class names that do not depend on the single post."""
    return tuple(sorted(name for name in names.split()[:30] if not (_DIGIT.search(name) or _DERIVED.match(name))))


@lru_cache(maxsize=4096)
def _names_furniture(names: str) -> bool:
    tokens = [token for token in names.split()[:30] if not _DERIVED.match(token)]
    found = map(name_words, tokens)
    return any(words & _FURNITURE and (words & _ALWAYS or not words & _CONTENT) for words in found)


@dataclass(slots=True)
class Outline:
    """Column i of every list is about entry i (an element or a text); a subtree is the interval [i, ends[i])."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    nodes: list[LexborNode] = field(default_factory=list)
    attributes: list[dict[str, str | None]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # collapsed text of text entries, "" for elements
    chars: list[int] = field(default_factory=list)  # characters of text before the entry
    tag_paths: list[int] = field(default_factory=list)  # hash of the tags from the root down to here
    full_paths: list[int] = field(default_factory=list)  # the same with stable class names
    furniture: list[bool] = field(default_factory=list)  # inside navigation, side bar, footer or the like

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
        found = self.attributes[i]
        return f"{found.get('class') or ''} {found.get('id') or ''}"

    def words(self, i: int) -> frozenset[str]:
        """The words in the class names and id of an element."""
        return name_words(self.names(i))


def outline_of(root: LexborNode) -> Outline:
    """Read the tree under root into columns, leaving out what is never shown."""
    page = Outline()
    current, total = -1, 0
    node: LexborNode | None = root
    while node is not None and len(page.tags) < _MAX_ENTRIES:
        entered = False
        if node.is_text_node:
            text = " ".join((node.text_content or "").split())
            if text:
                _add_text(page, node, current, text, total)
                total += len(text)
        elif node.is_element_node and node.tag not in _HIDDEN:
            current = _add_element(page, node, current, total)
            entered = True
        following = node.child if entered else None
        while following is None and node is not None:
            if entered:
                page.ends[current] = len(page.tags)
                current = page.parents[current]
                if current < 0:
                    node = None
                    break
            following = node.next
            if following is None:
                node, entered = node.parent, True
        node = following
    while current >= 0:
        page.ends[current] = len(page.tags)
        current = page.parents[current]
    page.chars.append(total)
    return page


_NO_ATTRIBUTES: dict[str, str | None] = {}


def _add_text(page: Outline, node: LexborNode, parent: int, text: str, total: int) -> None:
    page.tags.append(TEXT)
    page.parents.append(parent)
    page.ends.append(len(page.tags))
    page.nodes.append(node)
    page.attributes.append(_NO_ATTRIBUTES)
    page.texts.append(text)
    page.chars.append(total)
    page.tag_paths.append(hash((page.tag_paths[parent] if parent >= 0 else 0, TEXT)))
    page.full_paths.append(hash((page.full_paths[parent] if parent >= 0 else 0, TEXT)))
    page.furniture.append(parent >= 0 and page.furniture[parent])


def _add_element(page: Outline, node: LexborNode, parent: int, total: int) -> int:
    tag = node.tag or ""
    attributes = node.attributes
    page.tags.append(tag)
    page.parents.append(parent)
    page.ends.append(len(page.tags))
    page.nodes.append(node)
    page.attributes.append(attributes)
    page.texts.append("")
    page.chars.append(total)
    page.tag_paths.append(hash((page.tag_paths[parent] if parent >= 0 else 0, tag)))
    names = attributes.get("class") or ""
    page.full_paths.append(hash((page.full_paths[parent] if parent >= 0 else 0, tag, stable_names(names))))
    page.furniture.append(_is_furniture(page, tag, attributes, parent))
    return len(page.tags) - 1


def _is_furniture(page: Outline, tag: str, attributes: dict[str, str | None], parent: int) -> bool:
    if parent < 0:
        return False
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    if page.furniture[parent]:
        return tag != "main" and _FEED_NAMES.isdisjoint(names.lower().split())
    if tag in ("nav", "aside"):
        return True
    if tag in ("main", "article", "body"):
        return False
    if tag == "footer" or (names != " " and _names_furniture(names)):
        return not ((tag == "footer" or "footer" in name_words(names)) and _in_article(page, parent))
    return False


def _in_article(page: Outline, i: int) -> bool:
    for _ in range(30):
        if i < 0:
            return False
        if page.tags[i] in ("article", "li") or page.words(i) & {"post", "entry", "hentry", "article"}:
            return True
        i = page.parents[i]
    return False
