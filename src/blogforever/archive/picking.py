"""Rules by pointing: elements of an archived page numbered, and the selectors that would find one of them elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from selectolax.lexbor import LexborHTMLParser

from blogforever.dom import decode
from blogforever.extract.apply import find_nodes
from blogforever.learn.candidates import css_of, selectors
from blogforever.learn.rulefile import read_rule
from blogforever.model import Page
from blogforever.page.view import PageView, view_of

from .ruled import RuledBlog
from .rulefindings import value_by

# What an element is called by on a page that is picked from, and what says that rules find it.
NUMBER, FOUND = "data-blogforever-number", "data-blogforever-found"
# Ways to point at an element that are tried, and that are proposed: people choose among few.
TRIED, PROPOSED = 24, 5
# Other pages that a proposal is tried on: each is parsed.
LOOKED_AT = 6
# Fields that have many values: every element that is like the one picked has one.
MANY = ("tags", "categories", "exclude")
# Letters of a value that are shown.
SHOWN = 300


@dataclass(frozen=True, slots=True)
class ProposedRule:
    """A rule that finds the element somebody pointed at: how many elements here, what the field
    would be, and on how many of some other pages it finds something, too.
    """

    written: str
    number: int
    value: str
    found: int
    looked_at: int


def numbered_page(page: Page, written: Iterable[str]) -> str:
    """The mark-up of a page whose elements have their numbers, and a mark where one of these rules
    finds them.
    """
    html = decode(page.content, page.headers)
    view = PageView(html)
    for rule in map(read_rule, written):
        for node in find_nodes(view.tree, rule.css):
            node.attrs[FOUND] = "yes"
    for number, node in enumerate(view.nodes):
        node.attrs[NUMBER] = str(number)
    return view.tree.html or html


def proposed_rules(blog: RuledBlog, page: Page, number: int, field: str) -> tuple[ProposedRule, ...]:
    """Rules that find an element of a page, those first that find something on most other pages."""
    view = view_of(page)
    if not 0 <= number < len(view.nodes):
        return ()
    others = [other for _post, other in islice(blog.posts(), LOOKED_AT) if other.url != page.url]
    found = [_proposed(view, written, field, page, others) for written in _written(view, number, field)]
    # Of two that find as much elsewhere, the one that finds less here means this element more.
    found.sort(key=lambda one: (-one.found, one.number if field not in MANY else 0))
    return tuple(found[:PROPOSED])


def _written(view: PageView, number: int, field: str) -> Iterator[str]:
    """Selectors that find this very element: first of all where a field has one value."""
    is_dated = field == "published" and bool(view.attributes(number).get("datetime"))
    seen: set[str] = set()
    for selector in islice(selectors(view, number), TRIED):
        css = css_of(selector)
        if css in seen or not _finds(view.tree, css, view, number, field):
            continue
        seen.add(css)
        yield f"{css}@datetime" if is_dated else css


def _finds(tree: LexborHTMLParser, css: str, view: PageView, number: int, field: str) -> bool:
    nodes = find_nodes(tree, css)
    wanted = view.nodes[number].mem_id
    return any(node.mem_id == wanted for node in (nodes if field in MANY else nodes[:1]))


def _proposed(view: PageView, written: str, field: str, page: Page, others: Sequence[Page]) -> ProposedRule:
    rule = read_rule(written)
    value = value_by(page, rule, field, None) or ""
    elsewhere = sum(bool(find_nodes(view_of(other).tree, rule.css)) for other in others)
    number = len(find_nodes(view.tree, rule.css))
    return ProposedRule(written, number, value[:SHOWN], elsewhere, len(others))
