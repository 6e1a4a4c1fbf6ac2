"""A list page as flat columns, in document order: every question about a subtree is an interval."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from selectolax.lexbor import LexborNode

from blogforever.extract.treewalk import walk_tree


def word_set(words: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(words.split())


TEXT = "#text"
HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_HIDDEN = word_set("script style noscript template textarea select svg object iframe head option")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_FURNITURE = word_set(
    "sidebar sidebars widget widgets nav navbar navigation navi menu menus breadcrumb breadcrumbs "
    "crumbs blogroll related recommended recommendations popular pagination pager paging paginator "
    "tagcloud categories comment comments commentlist respond share sharing social modal cookie "
    "search footer colophon toc prevnext newsletter subscribe"
)
_CONTENT = word_set("content posts articles entries hfeed layout has no with without")
_ALWAYS = word_set(
    "nav navbar navigation menu menus breadcrumb breadcrumbs pagination pager related recommended popular"
)
# Class names by which a block says it holds the posts, even inside something called a widget.
_FEED_NAMES = word_set("hfeed hentry h-feed h-entry blog-posts")
_POST_WORDS = word_set("post entry hentry article")
_POST_TAGS = frozenset(("article", "li"))
# Names a theme derives from the post itself (number, tags, state) differ between records of one
# list.
_DERIVED = re.compile(
    r"(?:tag|category|cat|status|format|type|author|sticky|first|last|odd|even|alt|active|current|"
    r"has|no|is)(?:[-_]|$)",
    re.I,
)
_DIGIT = re.compile(r"\d")

# Bounds of work on hostile pages: entries of a page, names of an element and their characters,
# elements around another, and names remembered.
_MAX_ENTRIES = 400_000
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


def _names_of(attributes: dict[str, str | None]) -> str:
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
    nodes: list[LexborNode] = field(default_factory=list)
    attributes: list[dict[str, str | None]] = field(default_factory=list)
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


class _OutlineMaker:
    """Reads a tree into columns: the page so far, where it stands, and how much text was met."""

    def __init__(self) -> None:
        self.page = Outline()
        self.current = -1
        self.total = 0

    def enter(self, node: LexborNode) -> bool:
        """Add a node; whether it is an element that is shown, so that what it holds is next."""
        if len(self.page.tags) >= _MAX_ENTRIES:
            return False
        if node.is_text_node:
            text = " ".join((node.text_content or "").split())
            if text:
                _add_text(self.page, node, self.current, text, self.total)
                self.total += len(text)
            return False
        if not node.is_element_node or node.tag in _HIDDEN:
            return False
        self.current = _add_element(self.page, node, self.current, self.total)
        return True

    def leave(self) -> None:
        """The current element ends here."""
        self.page.ends[self.current] = len(self.page.tags)
        self.current = self.page.parents[self.current]


def outline_of(root: LexborNode) -> Outline:
    """Read the tree under root into columns, leaving out what is never shown."""
    maker = _OutlineMaker()
    walk_tree(root, maker.enter, maker.leave)
    maker.page.chars.append(maker.total)
    return maker.page


_NO_ATTRIBUTES: dict[str, str | None] = {}


def _add_text(page: Outline, node: LexborNode, parent: int, text: str, total: int) -> None:
    page.tags.append(TEXT)
    page.parents.append(parent)
    page.ends.append(len(page.tags))
    page.nodes.append(node)
    page.attributes.append(_NO_ATTRIBUTES)
    page.texts.append(text)
    page.chars.append(total)
    page.tag_paths.append(hash((_path_to(page.tag_paths, parent), TEXT)))
    page.full_paths.append(hash((_path_to(page.full_paths, parent), TEXT)))
    page.furniture.append(parent >= 0 and page.furniture[parent])


def _add_element(page: Outline, node: LexborNode, parent: int, total: int) -> int:
    """Add an element; its number."""
    tag = node.tag or ""
    attributes = node.attributes
    page.tags.append(tag)
    page.parents.append(parent)
    page.ends.append(len(page.tags))
    page.nodes.append(node)
    page.attributes.append(attributes)
    page.texts.append("")
    page.chars.append(total)
    page.tag_paths.append(hash((_path_to(page.tag_paths, parent), tag)))
    names = attributes.get("class") or ""
    page.full_paths.append(hash((_path_to(page.full_paths, parent), tag, stable_names(names))))
    page.furniture.append(_is_furniture(page, tag, attributes, parent))
    return len(page.tags) - 1


def _path_to(paths: list[int], parent: int) -> int:
    """The path of the element around an entry; the root has none."""
    return paths[parent] if parent >= 0 else 0


def _is_furniture(
    page: Outline,
    tag: str,
    attributes: dict[str, str | None],
    parent: int,
) -> bool:
    """Whether an element stands in navigation, a side bar, a footer or the like."""
    if parent < 0:
        return False
    names = _names_of(attributes)
    if page.furniture[parent]:
        return tag != "main" and _FEED_NAMES.isdisjoint(names.lower().split())
    if tag in ("nav", "aside"):
        return True
    if tag in ("main", "article", "body"):
        return False
    is_footer = tag == "footer"
    is_named = names != " " and _names_furniture(names)
    if not is_footer and not is_named:
        return False
    is_footer = is_footer or "footer" in name_words(names)
    return not (is_footer and _in_article(page, parent))


def _in_article(page: Outline, entry: int) -> bool:
    """Whether an entry belongs to one post: its footer holds tags and comments, not the page's."""
    for _ in range(_MOST_AROUND):
        if entry < 0:
            return False
        if page.tags[entry] in _POST_TAGS or page.words(entry) & _POST_WORDS:
            return True
        entry = page.parents[entry]
    return False
