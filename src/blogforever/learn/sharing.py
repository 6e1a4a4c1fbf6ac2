"""Which pages of a blog several posts share, and where each begins: learned from the marks in
addresses (#p12).

A mark is believed where the page has it, and the words of its entry stand in the part of the page
that begins there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from blogforever.dates import find_dates
from blogforever.discover.feedlinks import COMMENT_ANCHOR
from blogforever.dom import node_text, parse, tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.sharedpage import cut_apart
from blogforever.model import Entry, Page, SharedPages
from blogforever.page.view import view_of
from blogforever.urls import mark_of, page_key

from .candidates import Step

# Posts of one page that must be found for it to be one that they share.
SEVERAL = 2
# Share of an entry's words that must stand where its mark is.
FOUND_SHARE = 0.6
# Words of an entry that are looked for.
MOST_WORDS = 60
# Parts of a page that must be alike where no feed says that they are posts.
SEVERAL_ALONE = 3
MOST_OF_PAGE, NEARLY_ALL = 0.6, 0.8
# Words of a part with less to read than this say nothing.
FEW_WORDS = 8
# Characters of a line that says when something was written, and how many are looked at.
LONGEST_LINE, MOST_LINES = 100, 200
# How a page says that it is one article, and how microformats name an element that holds one.
ONE_ARTICLE = "meta[property='og:type'][content='article'], meta[property='article:published_time']"
ENTRY_NAMES = frozenset({"hentry", "h-entry"})
_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")
_HOLDERS = ("id", "name")


@dataclass(frozen=True, slots=True)
class _Anchor:
    """An element that has the mark of an entry."""

    mark: str
    attribute: str
    node: LexborNode

    @property
    def place(self) -> tuple[str, str, str]:
        """What all anchors of a template have in common."""
        parent = self.node.parent
        return self.attribute, self.node.tag or "", (parent.tag or "") if parent else ""


def marked_entries(entries: Mapping[str, Entry]) -> dict[str, dict[str, Entry]]:
    """The entries that name a place of a page, by the key of the
    page and by the mark; they come by the keys of their addresses.
    """
    found: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
    for key, entry in entries.items():
        page, _, mark = key.partition("#")
        if mark and mark_of(entry.url):
            found[page].setdefault(mark, entry)
    return dict(found)


def learn_shared(pages: Iterable[Page], entries: Mapping[str, Mapping[str, Entry]]) -> SharedPages | None:
    """Where posts begin on the pages that they share; None where the entries' marks do not show
    it.
    """
    told = [page for page in pages if page_key(page.url) in entries]
    anchors = [_anchors(page, entries[page_key(page.url)]) for page in told]
    if max(map(len, anchors), default=0) < SEVERAL:
        return None
    rule = _rule(_alike([anchor for found in anchors for anchor in found]))
    proved = sum(_is_proved(page, entries[page_key(page.url)], rule) for page in told)
    return replace(rule, pages=proved) if 2 * proved > len(told) else None


def _alike(anchors: Sequence[_Anchor]) -> list[_Anchor]:
    """Those of the anchors that stand in the same place of repeated mark-up, the most."""
    places = Counter(anchor.place for anchor in anchors).most_common(1)
    return [anchor for anchor in anchors if anchor.place == places[0][0]]


# --- a page that shows by itself that posts share it


def shown_shared(pages: Iterable[Page]) -> SharedPages | None:
    """Where posts begin on pages that show it without a feed: as most of those do that have several,
    or as several do that have two.
    """
    some = list(pages)
    rules = Counter(rule for page in some if (rule := _shown_on(page, SEVERAL_ALONE)))
    if not rules:
        pairs = Counter(rule for page in some if (rule := _shown_on(page, SEVERAL)))
        rules = Counter({rule: count for rule, count in pairs.items() if count >= SEVERAL_ALONE})
    return rules.most_common(1)[0][0] if rules else None


def _shown_on(page: Page, fewest: int) -> SharedPages | None:
    """Where posts begin on one page: parts alike that make up most of it, at least so many, each
    with a heading, a day, and a link to its own place. None for a list of links to sections, for the
    sections of one article, and for a thread of comments.
    """
    anchors = _alike([*_linked_anchors(page)])
    if len(anchors) < fewest or _is_one_article(page, anchors):
        return None
    rule = _rule(anchors)
    posts = cut_apart(page, rule)
    looks_so = sum(_looks_like_post(mark, post) for mark, post in posts.items())
    is_most = sum(map(_count, posts.values())) >= MOST_OF_PAGE * _count(page)
    is_shared = is_most and looks_so >= max(fewest, NEARLY_ALL * len(posts))
    return rule if is_shared else None


def _is_one_article(page: Page, anchors: Sequence[_Anchor]) -> bool:
    """Whether the page says that all of this is one: an
    article that holds several of the marks, or its own word.
    """
    says_so = view_of(page).tree.css_first(ONE_ARTICLE) is not None
    around = Counter(node.mem_id for anchor in anchors for node in _around(anchor.node) if _is_article(node))
    return says_so or any(count > 1 for count in around.values())


def _around(node: LexborNode) -> Iterator[LexborNode]:
    """An element, and those that hold it."""
    above: LexborNode | None = node
    while above is not None and above.tag not in ("body", "html"):
        yield above
        above = above.parent


def _is_article(node: LexborNode) -> bool:
    names = set((node.attributes.get("class") or "").split())
    kind = node.attributes.get("itemtype") or ""
    return node.tag == "article" or bool(names & ENTRY_NAMES) or kind.endswith(("BlogPosting", "Article"))


def _linked_anchors(page: Page) -> Iterator[_Anchor]:
    """The elements of a page whose marks it links to, but those of comments."""
    links = view_of(page).tree.css("a[href*='#']")
    marks = {mark_of(node.attributes.get("href") or "") for node in links} - {""}
    return (anchor for anchor in _anchors(page, marks) if not COMMENT_ANCHOR.match(anchor.mark))


def _looks_like_post(mark: str, post: Page) -> bool:
    """Whether a part of a page has a heading, a day, a link to its place, and something to read."""
    tree = view_of(post).tree
    if tree.body is None or not _has_permalink(tree.body, mark):
        return False
    is_headed = any(node_text(node).strip() for node in tree.css("h1, h2, h3, h4, h5, h6"))
    return (is_headed or _has_bold_line(tree)) and _count(post) >= FEW_WORDS and _is_dated(post)


def _has_bold_line(tree: LexborHTMLParser) -> bool:
    """Whether a line is bold as a whole, and says no day: old pages know no other headings."""
    lines = (node_text(node).strip() for node in tree.css("b, strong") if _is_line(node))
    return any(0 < len(line) <= LONGEST_LINE and not find_dates(line) for line in lines)


def _is_line(node: LexborNode) -> bool:
    """Whether nothing stands beside an element in what holds it."""
    return node.parent is not None and node_text(node.parent).strip() == node_text(node).strip()


def _has_permalink(body: LexborNode, mark: str) -> bool:
    """Whether something leads to this place as a reader would keep it: not only the
    sign that headings link to themselves by, which sections of an article have, too.
    """
    links = [node for node in body.css("a[href*='#']") if mark_of(node.attributes.get("href") or "") == mark]
    return any(_WORD.search(node_text(node)) or not _is_in_heading(node) for node in links)


def _is_in_heading(node: LexborNode) -> bool:
    return any(above.tag in HEADINGS for above in _around(node))


def _is_dated(post: Page) -> bool:
    """Whether a part of a page says a day, in a line that says little else."""
    view = view_of(post)
    if view.tree.css_first("time[datetime]") is not None:
        return True
    lines = (text for _parent, _first, _stop, text in view.texts if len(text) <= LONGEST_LINE)
    return any(find_dates(line) for line in islice(lines, MOST_LINES))


def _count(page: Page) -> int:
    return len(view_of(page).words)


# --- what anchors have in common


def _anchors(page: Page, marks: Iterable[str]) -> list[_Anchor]:
    """The elements of a page that have these marks."""
    wanted = set(marks)
    found: dict[str, _Anchor] = {}
    for node in view_of(page).tree.css("[id], a[name]"):
        attributes = node.attributes
        for attribute in _HOLDERS:
            mark = mark_of(f"#{attributes.get(attribute) or ''}")
            if mark in wanted:
                found.setdefault(mark, _Anchor(mark, attribute, node))
    return list(found.values())


def _rule(anchors: Sequence[_Anchor]) -> SharedPages:
    """What all of these have in common."""
    attribute = anchors[0].attribute
    marks = [anchor.node.attributes.get(attribute) or "" for anchor in anchors]
    prefix = _DIGIT.split(marks[0], maxsplit=1)[0]
    numbered = all(mark.startswith(prefix) and _DIGIT.match(mark[len(prefix) :]) for mark in marks)
    parents = [anchor.node.parent for anchor in anchors if anchor.node.parent]
    around = f"{_step(parents)} > " if parents else ""
    own = _step([anchor.node for anchor in anchors])
    return SharedPages(
        css=f"{around}{own}[{attribute}]",
        attribute=attribute,
        prefix=prefix if numbered else "",
        number=numbered,
        inside=_holder(anchors),
    )


def _step(nodes: Sequence[LexborNode]) -> str:
    """A selector for elements like all of these: their tag, and the classes they share."""
    classes = set((nodes[0].attributes.get("class") or "").split())
    for node in nodes[1:]:
        classes &= set((node.attributes.get("class") or "").split())
    return Step(nodes[0].tag or "*", classes=tuple(sorted(filter(_NAME.fullmatch, classes)))).css()


def _holder(anchors: Sequence[_Anchor]) -> str:
    """A selector for the nearest element around several of these; empty where it has no name."""
    above = Counter[int]()
    nodes: dict[int, LexborNode] = {}
    for anchor in anchors:
        node = anchor.node.parent
        while node is not None and node.tag not in ("body", "html"):
            above[node.mem_id] += 1
            nodes[node.mem_id] = node
            if above[node.mem_id] == SEVERAL:
                # Those around it hold several, too.
                return _named(node)
            node = node.parent
    return ""


def _named(node: LexborNode) -> str:
    name = node.attributes.get("id") or ""
    if _NAME.fullmatch(name):
        return Step(node.tag or "*", id=name).css()
    step = _step([node])
    return step if "." in step else ""


def _is_proved(page: Page, entries: Mapping[str, Entry], rule: SharedPages) -> bool:
    """Whether most of the entries stand where their marks are."""
    posts = cut_apart(page, rule)
    proved = sum(mark in posts and _stands_in(entry, posts[mark]) for mark, entry in entries.items())
    return 2 * proved > len(entries)


def _stands_in(entry: Entry, page: Page) -> bool:
    """Whether a page has the words of an entry: of its text,
    else of its title; one without words stands anywhere.
    """
    html = entry.html or entry.summary_html
    words = tokenise(parse(html).text() if html else entry.title or "")[:MOST_WORDS]
    body = view_of(page).tree.body
    there = set(tokenise(node_text(body))) if body else set()
    return sum(word in there for word in words) >= FOUND_SHARE * len(words)
