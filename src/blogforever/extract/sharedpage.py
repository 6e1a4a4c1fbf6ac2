"""Pages that several posts share: each cut out as a page of its own, under its address with a mark
(/2004_05.html#p12).

A mark stands where its post begins: at the element that holds the post, or at its heading, with the
rest after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from selectolax.lexbor import LexborNode

from blogforever.dates import find_dates
from blogforever.dom import base_of, decode, node_text, tokenise
from blogforever.elements import HEADINGS
from blogforever.model import Page, SharedPages
from blogforever.page.view import PageView
from blogforever.urls import join, mark_of, page_key, with_mark

MOST_POSTS = 2_000
"""Posts on one page that are told apart: more than
anybody wrote on one, so that a page of mere marks ends.
"""
# Pages whose posts are remembered: they are asked for one after the other.
_REMEMBERED = 4
# Characters of a line that says on which day the posts below it were written.
_LONGEST_DAY = 60
_NUMBER = re.compile(r"\d")
_TYPE = {"Content-Type": "text/html; charset=utf-8"}
# Elements that no post goes on with, where it has no element of its own.
_ENDS = frozenset({"footer", "nav", "aside", "form"})
_ROWS = frozenset({"tbody", "tr", "td"})
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a post begins: its mark, the element that has
    it, the largest around it that holds no other post's.
    """

    mark: str
    place: int
    own: int


@dataclass(frozen=True, slots=True)
class _Part:
    """What a page has of a post, and where the post has its place, if that is another page."""

    content: bytes
    elsewhere: str


def posts_on(page: Page, rule: SharedPages) -> dict[str, Page]:
    """The posts of a page by their marks, each as a page of its own; none where it has no such
    marks.

    A list shows posts of other pages, too, with links to where they stand: those are left out.
    """
    cut = _cut(page.content, tuple(page.headers.items()), page.url, rule)
    return {mark: _own_page(page, mark, part.content) for mark, part in cut.items() if not part.elsewhere}


def shown_here(page: Page, rule: SharedPages) -> dict[str, str]:
    """The posts that a page only shows: where each has its place, by its mark."""
    cut = _cut(page.content, tuple(page.headers.items()), page.url, rule)
    return {mark: part.elsewhere for mark, part in cut.items() if part.elsewhere}


def cut_apart(page: Page, rule: SharedPages) -> dict[str, Page]:
    """All posts of a page, those that have their place on another one, too."""
    cut = _cut(page.content, tuple(page.headers.items()), page.url, rule)
    return {mark: _own_page(page, mark, part.content) for mark, part in cut.items()}


def page_of(page: Page, url: str, rule: SharedPages | None) -> Page:
    """A page under the address of its post: of one that posts
    share, what is that post's; nothing where it is gone.
    """
    mark = mark_of(url)
    is_cut_out = mark_of(page.url) == mark
    if rule is None or not mark or is_cut_out:
        return replace(page, url=url)
    part = _cut(page.content, tuple(page.headers.items()), page.url, rule).get(mark)
    return replace(_own_page(page, mark, part.content if part else b""), url=url)


def _own_page(page: Page, mark: str, content: bytes) -> Page:
    return replace(page, url=with_mark(page.url, mark), content=content, headers=_TYPE)


@lru_cache(maxsize=_REMEMBERED)
def _cut(content: bytes, headers: Headers, url: str, rule: SharedPages) -> Mapping[str, _Part]:
    """The posts of a page as pages, in their order."""
    view = PageView(decode(content, dict(headers)))
    starts = _starts(view, rule)
    if not starts or len(starts) > MOST_POSTS:
        return {}
    head, base = _head(view, url), base_of(view.tree, url)
    found = {}
    for start, nodes in zip(starts, _all_nodes(view, starts), strict=True):
        html = f"{head}<body>{_body(nodes)}</body></html>".encode(errors="replace")
        found[start.mark] = _Part(html, _stands_elsewhere(nodes, start.mark, base, url))
    return found


def _body(nodes: Sequence[LexborNode]) -> str:
    """All nodes of a post in one element, as those of other blogs stand."""
    html = "".join(node.html or "" for node in nodes)
    is_in_table = any(node.tag in _ROWS for node in nodes)
    return f"<article>{f'<table>{html}</table>' if is_in_table else html}</article>"


def _head(view: PageView, url: str) -> str:
    """What the page says of all its posts alike; its title is none of theirs."""
    root = view.tree.css_first("html")
    language = (root.attributes.get("lang") if root else None) or ""
    said = view.tree.css("head meta[name=author i], head meta[name=generator i]")
    kept = "".join(node.html or "" for node in said)
    base = escape(base_of(view.tree, url))
    lang = f' lang="{escape(language)}"' if language else ""
    return f'<!DOCTYPE html><html{lang}><head><meta charset="utf-8"><base href="{base}">{kept}</head>'


# --- where posts begin


def _starts(view: PageView, rule: SharedPages) -> list[_Start]:
    """Where the posts of a page begin, in order, each mark once."""
    places: dict[str, int] = {}
    for node in view.tree.css(rule.css):
        mark, place = node.attributes.get(rule.attribute) or "", view.place(node)
        if place is not None and _fits(mark, rule):
            places.setdefault(mark_of(f"#{mark}"), place)
    marks = sorted((place, mark) for mark, place in places.items())
    afters = [*(place for place, _mark in marks[1:]), len(view.tags)]
    # What holds the beginning of another post is none.
    apart = [found for found, after in zip(marks, afters, strict=False) if view.last[found[0]] <= after]
    return list(_owned(view, apart, rule))


def _fits(mark: str, rule: SharedPages) -> bool:
    """Whether a mark is written as those of the blog's posts are."""
    rest = mark.removeprefix(rule.prefix)
    is_written_so = bool(rest) and mark.startswith(rule.prefix)
    return is_written_so and (not rule.number or _NUMBER.match(rest) is not None)


def _owned(view: PageView, marks: Sequence[tuple[int, str]], rule: SharedPages) -> Iterator[_Start]:
    places = [place for place, _mark in marks]
    befores, afters = [-1, *places], [*places[1:], len(view.tags)]
    # Of several, each shows how far the others reach; a single one has no such neighbours.
    is_single = len(marks) == 1
    holders = _holders(view, rule) if is_single else frozenset[int]()
    # Nobody knows how far up such a post reaches: what holds nothing stands right before it.
    is_beside = is_single and not holders and not view.count(places[0])
    for (place, mark), before, after in zip(marks, befores, afters, strict=False):
        own = place
        while not is_beside and _has_alone(view, view.parents[own], before, after):
            if view.parents[own] in holders:
                break
            own = view.parents[own]
        yield _Start(mark, place, own)


def _holders(view: PageView, rule: SharedPages) -> frozenset[int]:
    """The elements that hold the posts of a page."""
    found = view.tree.css(rule.inside) if rule.inside else []
    return frozenset(place for node in found if (place := view.place(node)) is not None)


def _has_alone(view: PageView, around: int, before: int, after: int) -> bool:
    """Whether an element below the body holds neither the mark before nor the one after."""
    return around > max(before, 0) and view.last[around] <= after


# --- what belongs to each of them


def _all_nodes(view: PageView, starts: Sequence[_Start]) -> list[list[LexborNode]]:
    """The nodes of each post: its element with what follows
    up to the next one, and the headings right before it.
    """
    owns = [view.nodes[start.own] for start in starts]
    heads = [_heads_before(own, before) for before, own in zip([None, *owns], owns, strict=False)]
    firsts = [(head or [own])[0] for head, own in zip(heads, owns, strict=True)]
    runs = [_run(own, after) for own, after in zip(owns, [*firsts[1:], None], strict=True)]
    _end_last(view, runs)
    _carry_days(view, starts, heads)
    return [[*head, *run] for head, run in zip(heads, runs, strict=True)]


def _run(own: LexborNode, after: LexborNode | None) -> list[LexborNode]:
    """The element in which a post begins, and its siblings up to where the next one begins."""
    node: LexborNode | None = own
    end = after.mem_id if after else None
    found: list[LexborNode] = []
    while node is not None and node.mem_id != end:
        found.append(node)
        node = node.next
    return found


def _heads_before(own: LexborNode, before: LexborNode | None) -> list[LexborNode]:
    """The headings and days right before a post: they belong to it, and not to the post before."""
    found: list[LexborNode] = []
    node, end = own.prev, before.mem_id if before else None
    while node is not None and node.mem_id != end and _is_head_or_blank(node):
        found.append(node)
        node = node.prev
    return found[::-1]


def _is_head_or_blank(node: LexborNode) -> bool:
    """Whether a node is a heading, a line with nothing but a day, or nothing to read at all."""
    if node.tag in HEADINGS:
        return True
    text = node_text(node) if node.is_element_node else node.text_content or ""
    return not text.strip() or (_is_element(node) and _is_day(text))


def _is_day(text: str) -> bool:
    """Whether a line says a day, and nothing else."""
    text = " ".join(text.split())
    found = find_dates(text) if 0 < len(text) <= _LONGEST_DAY else []
    days = [date for date in found if date.moment.precision not in ("month", "year")]
    return bool(days) and not any(word.isalpha() for word in tokenise(text[: days[0].start] + text[days[0].end :]))


def _end_last(view: PageView, runs: list[list[LexborNode]]) -> None:
    """The last post ends where something follows that none of the others has."""
    *others, last = runs
    usual = {_shape(node) for run in others for node in filter(_is_element, run[1:])}
    if others and not usual:
        # Each has an element of its own.
        del last[1:]
    for place, node in enumerate(last[1:], start=1):
        is_strange = bool(others) and _is_named(node) and _shape(node) not in usual
        if is_strange or node.tag in _ENDS or _is_furniture(view, node):
            del last[place:]
            return


def _is_named(node: LexborNode) -> bool:
    return _is_element(node) and any(node.attributes.get(name) for name in ("class", "id"))


def _shape(node: LexborNode) -> tuple[str, str]:
    return node.tag or "", node.attributes.get("class") or ""


def _is_furniture(view: PageView, node: LexborNode) -> bool:
    place = view.place(node)
    return place is not None and view.kinds[place] == "furniture"


def _carry_days(view: PageView, starts: Sequence[_Start], heads: list[list[LexborNode]]) -> None:
    """A day stands above all posts that were written on it, as far as the next one."""
    day: LexborNode | None = None
    around: int | None = None
    for start, head in zip(starts, heads, strict=True):
        own = [node for node in filter(_is_element, head) if _is_day(node_text(node))]
        is_same_list = view.parents[start.own] == around
        if own:
            day = own[-1]
        elif day is not None and is_same_list:
            head.insert(0, day)
        else:
            day = None
        around = view.parents[start.own]


def _stands_elsewhere(nodes: Iterable[LexborNode], mark: str, base: str, url: str) -> str:
    """The place that a post links to as its own, where
    that is on another page; empty where it is here.
    """
    pages: dict[str, str] = {}
    for node in filter(_is_element, nodes):
        for href in links_to(node, mark):
            address = href.partition("#")[0]
            target = join(base, address) if address else url
            if target:
                pages.setdefault(page_key(target), target)
    is_here = not pages or page_key(url) in pages
    return "" if is_here else with_mark(next(iter(pages.values())), mark)


def links_to(node: LexborNode, mark: str) -> list[str]:
    """The links below a node that lead to this mark, of whatever page, as they are written."""
    hrefs = (link.attributes.get("href") or "" for link in node.css("a[href*='#']"))
    return [href for href in hrefs if mark_of(href) == mark]


def _is_element(node: LexborNode) -> bool:
    return bool(node.is_element_node)
