"""Elements that are content by what they are, as code, tables and quotations; which of them only speak of the post."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice

from blogforever.elements import HEADINGS
from blogforever.learn.views import View
from blogforever.page.view import PageView
from blogforever.urls import join, page_key, same_site

QUOTATION = "blockquote"
"""What others said, or what a theme sets apart as if they had."""
# Content even where a feed leaves it out.
_CONTENT = frozenset("pre code figure math img video audio table td tr th tbody picture blockquote".split())
# An element with at most so many times the words of a table or picture in it is but its frame.
_LITTLE_ELSE = 1.5
# A table of which so many words are links may be a list of other posts, with their dates beside
# them.
_OF_LINKS = 0.4
_MOST_LINKS = 50
# A list of parts of the page is made of links but for numbers and a heading.
_ALL_LINKS = 0.7
# Elements of such a list; more are looked at by nobody.
_MOST_PARTS = 400
# Elements around a link that may be the heading it leads to.
_LEVELS = 3
# Words of a quotation that only says where the post stands, by whom it is, and what may be done with it.
_LONGEST_NOTICE = 80


def content_elements(tree: PageView, place: int) -> set[int]:
    """Code, tables and pictures, what stands in them and what holds little else.

    Each is kept with the words up to which everything around it was found, too. So nothing is
    climbed twice: what holds little else than two elements beside each other cannot be, and what
    stands in an element reaches no further.
    """
    reached: dict[int, float] = {}
    for i in range(place + 1, tree.last[place]):
        if tree.tags[i] not in _CONTENT and tree.parents[i] not in reached:
            continue
        most = _LITTLE_ELSE * tree.count(i)
        reached[i], holder = most, tree.parents[i]
        while holder != place and tree.count(holder) <= most and reached.get(holder, -1.0) < most:
            reached[holder] = most
            holder = tree.parents[holder]
    return set(reached)


def is_of_links(view: View, i: int) -> bool:
    """Whether so much of a table links to the blog itself that it may be a list of other posts."""
    tree, url = view.sample.tree, view.sample.page.url
    if view.links(i) < _OF_LINKS * tree.count(i):
        return False
    links = (tree.attribute(n, "href") for n in range(i, tree.last[i]) if tree.tags[n] == "a")
    return all(same_site(join(url, href) or "", url) for href in islice(links, _MOST_LINKS))


def is_table_of_contents(view: View, i: int) -> bool:
    """Whether a block is a list of links to parts of its page that the feed does not have: the words of their headings
    it has, where these stand.
    """
    tree, sample = view.sample.tree, view.sample
    is_of_links = tree.last[i] - i <= _MOST_PARTS and view.links(i) >= _ALL_LINKS * tree.count(i)
    if not is_of_links or sample.entry is None or _has_heading(tree, i):
        return False
    links = [tree.attribute(n, "href") for n in range(i, tree.last[i]) if tree.tags[n] == "a"][:_MOST_LINKS]
    parts = [part for part in map(_part_of_page(sample.page.url), links) if part]
    html = sample.entry.html or sample.entry.summary_html
    return 0 < len(parts) == len(links) and not any(f"#{part}" in html for part in parts)


def _has_heading(tree: PageView, i: int) -> bool:
    """Whether a block is a heading or a part of one, or holds what it leads to: headings may lead to themselves."""
    if any(tree.tags[n] in HEADINGS for n in (i, *tree.around(i, _LEVELS))):
        return True
    inside = range(i, tree.last[i])
    named = {tree.attribute(n, "id") for n in inside} - {""}
    return any(tree.attribute(n, "href").partition("#")[2] in named for n in inside)


def _part_of_page(url: str) -> Callable[[str], str]:
    """What tells the part of a page that a link on it leads to; nothing for a link to elsewhere."""
    key = page_key(url)

    def part(href: str) -> str:
        before, _, mark = href.partition("#")
        is_here = not before or page_key(join(url, before) or "") == key
        return mark if is_here else ""

    return part


def links_to_itself(view: View) -> list[int]:
    """The links of an article to the page it stands on, in order; those to a part of it are not meant."""
    tree, url = view.sample.tree, view.sample.page.url
    key = page_key(url)
    links = (n for n in range(view.place + 1, tree.last[view.place]) if tree.tags[n] == "a")
    return [n for n in links if _leads_to(tree.attribute(n, "href"), url, key)]


def _leads_to(href: str, url: str, key: str) -> bool:
    return bool(href) and "#" not in href and page_key(join(url, href) or "") == key


def is_notice(view: View, i: int, own: Sequence[int]) -> bool:
    """Whether a quotation links to the page that quotes it: then nobody else is quoted."""
    tree = view.sample.tree
    if tree.tags[i] != QUOTATION or tree.count(i) > _LONGEST_NOTICE:
        return False
    first = bisect_left(own, i)
    return first < len(own) and own[first] < tree.last[i]
