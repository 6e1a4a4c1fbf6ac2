"""Where the tags and categories stand: links near the article whose texts are the entry's categories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice

from selectolax.lexbor import LexborNode

from blogforever.dom import tokenise
from blogforever.extract.apply import MOST_VALUES, find_nodes, listed_value
from blogforever.extract.filing import PLAIN_TAGS
from blogforever.learn.candidates import Selector, Step, css_of, nth_of_type, own_steps, selectors, xpath_of
from blogforever.learn.fields import distance
from blogforever.learn.rating import Placed, trust
from blogforever.learn.tagline import Tagged, learn_tag_line
from blogforever.model import Rule
from blogforever.page.view import PageView

_FOLDER = re.compile(
    r"((?:/|^)[a-z][a-z_-]+/|[?&][a-z_-]+=)[^/?&=#]+(?:/(?:index\.\w+)?)?$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"((?:/[a-z_-]+)?/[a-z][a-z_-]*)\d+(?:\.\w+|/)?$", re.IGNORECASE)
"""Where lists of posts have numbers for names: /blog-category-7.html, /weblog/C7/."""
# Links nearest to the article that propose rules, on each of so many pages.
_NEAREST = 6
_ASKED = 4
# What microformats call tags and categories alike.
_MARKED = ".p-category"
# Links that are looked at more closely.
_MOST = 1000
# With fewer pages nobody can tell what all of them show.
_FEWEST_PAGES = 3
# Words of a tag.
_LONGEST = 20
# A rule that finds little but tags is better than one that finds more of them among other things.
_PURE = 0.97
# Share of a rule's values that the feed has as tags.
_RIGHT = 0.75
# Rules for one field together, and pages on which each of them must find what the others do not.
_MOST_JOINED, _ADDS = 3, 2
# Elements around a link that may mark the list it stands in, and marks of each that are tried.
_LEVELS, _MOST_MARKS = 3, 3
# Paths to a line without a name that are tried.
_MOST_PATHS = 3
# Marks of the link itself that are tried inside such a list, beside the last: that by its address.
_SUREST = 2


@dataclass(frozen=True)
class _JudgedRule:
    """A rule for tags, with how many of its values are right and which of a page's tags it finds."""

    rule: Rule
    right: int
    share: float
    anywhere: bool
    found: tuple[set[str], ...]
    signs: bool = False
    """Whether it finds who wrote the post as well, on most pages: a tag may be called as somebody now and then."""
    strays: int = 0
    """Links among what it finds on all pages, told or not, that lead elsewhere than tags do."""

    @property
    def order(self) -> tuple[bool, bool, int, float, int, bool, int]:
        """Pure ones first, without who wrote the posts, then those that find most; of equals the one with fewest
        strays, then the shorter.
        """
        is_pure = self.share >= _PURE
        return not is_pure, self.signs, -self.right, -self.share, self.strays, self.anywhere, len(self.rule.css)

    @property
    def for_categories(self) -> bool:
        """Whether its selector says that it finds categories."""
        return "ategor" in self.rule.css.replace(_MARKED, "")

    @property
    def is_usual(self) -> bool:
        """Whether it finds something on most pages."""
        return 2 * sum(map(bool, self.found)) >= len(self.found)


class _Finder:
    """What rules find on the pages: each rule is asked several times, and many find the same nodes.

    Rules for tags take the whole text of a node, so that it is the same for all of them.
    """

    def __init__(self) -> None:
        self._nodes: dict[tuple[int, str], list[LexborNode]] = {}
        self._texts: dict[int, str] = {}
        self._writers: dict[int, set[str]] = {}

    def nodes(self, p: Placed, rule: Rule) -> list[LexborNode]:
        """The first nodes that a rule finds on a page."""
        key = (id(p), rule.css)
        if key not in self._nodes:
            self._nodes[key] = find_nodes(p.sample.tree.tree, rule.css)[:MOST_VALUES]
        return self._nodes[key]

    def values(self, p: Placed, rule: Rule) -> set[str]:
        """What a rule shows on a page, without who wrote it, unless that was told as a tag: pages do not tell of such
        names, and what nobody would tell must not speak against a rule.
        """
        return self._all_values(p, rule) - self._who_wrote(p)

    def shows_writer(self, p: Placed, rule: Rule) -> bool:
        """Whether a rule shows on a page who wrote it, and nobody told that as a tag."""
        return not self._all_values(p, rule).isdisjoint(self._who_wrote(p))

    def _all_values(self, p: Placed, rule: Rule) -> set[str]:
        texts, nodes = self._texts, self.nodes(p, rule)
        for node in nodes:
            if node.mem_id not in texts:
                texts[node.mem_id] = " ".join(tokenise(listed_value(node, rule, p.sample.page.url) or ""))
        return {texts[node.mem_id] for node in nodes} - {""}

    def _who_wrote(self, p: Placed) -> set[str]:
        if id(p) not in self._writers:
            entry = p.sample.entry
            self._writers[id(p)] = _keys(a.name for a in entry.authors) - _keys(entry.tags) if entry else set()
        return self._writers[id(p)]


def learn_tags(placed: Sequence[Placed]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules for tags and for categories; either may be empty."""
    tagged, finder = _tagged(placed), _Finder()
    proposals: dict[Selector, None] = {}
    nearest = [(p, _nearest(p, tags)) for p, tags in tagged]
    for p, links in nearest[:_ASKED]:
        proposals |= dict.fromkeys(_places(p, links))
    judged = _without_blogs_lists(list(_judged(proposals, tagged, finder)), placed, tagged, finder)
    folders = {_folder(p.sample.tree.attribute(i, "href")) for p, links in nearest for i in links}
    judged = sorted(_with_strays(judged, placed, folders, finder), key=lambda one: one.order)
    tags_first = _together([one for one in judged if not one.for_categories])
    categories_first = _together([one for one in judged if one.for_categories])
    if not tags_first and not categories_first:
        tags_first = learn_tag_line(tagged)
    return tags_first, categories_first


def _tagged(placed: Sequence[Placed]) -> list[Tagged]:
    """The pages that the feed gives tags to."""
    told = ((p, _keys(p.sample.entry.tags if p.sample.entry else ())) for p in placed)
    return [(p, tags) for p, tags in told if tags]


def _together(judged: Sequence[_JudgedRule]) -> tuple[Rule, ...]:
    """The best rule, and as one with it those that find what it does not: posts may be filed in two
    places.
    """
    best = next((one for one in judged if one.is_usual), None)
    if best is None:
        return ()
    chosen = [best]
    for one in judged:
        if len(chosen) < _MOST_JOINED and one.share >= _PURE and _adds(one, chosen):
            chosen.append(one)
    css, xpath = ", ".join(one.rule.css for one in chosen), " | ".join(one.rule.xpath for one in chosen)
    return (replace(best.rule, css=css, xpath=xpath),)


def _adds(one: _JudgedRule, chosen: Sequence[_JudgedRule]) -> bool:
    """Whether a rule finds on several pages what those chosen do not."""
    new_on = 0
    for n, tags in enumerate(one.found):
        new_on += bool(tags.difference(*(other.found[n] for other in chosen)))
    return new_on >= _ADDS


def _judged(proposals: Iterable[Selector], tagged: Sequence[Tagged], finder: _Finder) -> Iterator[_JudgedRule]:
    """The proposed rules that mostly find tags."""
    for selector in proposals:
        rule = Rule(css_of(selector), xpath_of(selector))
        shown = _shown(rule, tagged, finder)
        if not shown:
            continue
        found = tuple(values & tags for values, (_p, tags) in zip(shown, tagged, strict=True))
        right, given = sum(map(len, found)), sum(map(len, shown))
        rated = replace(rule, confidence=trust(right, given), pages=len(tagged))
        signs = 2 * sum(finder.shows_writer(p, rule) for p, _tags in tagged) > len(tagged)
        yield _JudgedRule(rated, right, right / given, _anywhere(selector), found, signs)


def _anywhere(selector: Selector) -> bool:
    """Whether a selector knows a link only by where it
    leads: another page of the blog may list all of them.
    """
    return all(not (step.id or step.classes or step.attribute) for step in selector)


def _keys(texts: Iterable[str]) -> set[str]:
    """Texts for comparison, without those that have no words."""
    return {" ".join(tokenise(text)) for text in texts} - {""}


def _shown(rule: Rule, tagged: Sequence[Tagged], finder: _Finder) -> list[set[str]]:
    """What a rule shows on each page; nothing at all where too little of it are tags, or it is the
    blog's list.
    """
    left = sum(len(tags) for _p, tags in tagged)
    right = given = 0
    shown: list[set[str]] = []
    for p, tags in tagged:
        values = finder.values(p, rule)
        shown.append(values)
        right += len(values & tags)
        given += len(values)
        left -= len(tags)
        # Even if all the other pages were right in everything, it would not do.
        if right + left < _RIGHT * (given + left):
            return []
    # What stands alike on every page, whatever the posts' tags are, is the blog's list and no
    # post's.
    always_alike = len(tagged) > 1 and all(values == shown[0] for values in shown)
    if not given or (always_alike and right < given and _differ(tagged)):
        return []
    return shown


def _without_blogs_lists(
    judged: list[_JudgedRule], placed: Sequence[Placed], tagged: Sequence[Tagged], finder: _Finder
) -> list[_JudgedRule]:
    """The rules without those that show a list of the blog's, where that can be told: by pages with
    different tags.

    A single one cannot tell a tag of all posts from such a list, but what takes turns over the
    pages is surer.
    """
    is_only = len(tagged) == 1
    own = [one for one in judged if not _is_blogs_list(one.rule, placed, finder, fewest=1 if is_only else 2)]
    return own if _differ(tagged) or (own and is_only) else judged


def _is_blogs_list(rule: Rule, placed: Sequence[Placed], finder: _Finder, fewest: int) -> bool:
    """Whether a rule shows the same names, at least so many, on every page, also on those whose
    tags nobody told.
    """
    if len(placed) < _FEWEST_PAGES:
        return False
    first = finder.values(placed[0], rule)
    return len(first) >= fewest and all(finder.values(p, rule) == first for p in placed[1:])


def _differ(tagged: Sequence[Tagged]) -> bool:
    """Whether different posts have different tags."""
    return any(tags != tagged[0][1] for _p, tags in tagged)


def _places(p: Placed, links: Iterable[int]) -> Iterator[Selector]:
    """Selectors of links that show a tag."""
    tree = p.sample.tree
    for i in links:
        own = [*own_steps(tree, i), *_by_address(tree.attribute(i, "href"))]
        yield from ((step,) for step in own)
        inside = (*own[:_SUREST], *own[-1:])
        for ancestor in islice(tree.ancestors(i), _LEVELS):
            # All links of a box with the text in it are the tags only until one stands in a text.
            holds_text = ancestor <= p.article < tree.last[ancestor]
            steps = inside if holds_text else (Step(tree.tags[i]), *inside)
            for mark in own_steps(tree, ancestor)[:_MOST_MARKS]:
                yield from ((mark, step) for step in steps)
        yield from _by_path(p, i)


def _nearest(p: Placed, tags: set[str]) -> list[int]:
    """The few links nearest to the article that show a tag."""
    shown = islice(_tag_links(p.sample.tree, tags), _MOST)
    return sorted(shown, key=lambda i: distance(p, i))[:_NEAREST]


def _by_path(p: Placed, i: int) -> Iterator[Selector]:
    """A link by its place in the line, and all links of the line where that has no name."""
    tree = p.sample.tree
    line = tree.parents[i]
    if line < 0:
        return
    is_named = bool(own_steps(tree, line))
    text = _parts_of_text(p, line)
    for selector in islice(selectors(tree, line), _MOST_PATHS):
        # A path to paragraphs of the text as well: their links would be tags.
        if not text.isdisjoint(node.mem_id for node in find_nodes(tree.tree, css_of(selector))):
            continue
        yield (*selector, Step(tree.tags[i], nth=nth_of_type(tree, i), child=True))
        if not is_named:
            yield (*selector, Step(tree.tags[i], child=True))


def _parts_of_text(p: Placed, line: int) -> set[int]:
    """The elements of the article of the same kind as a line, by their nodes, without the line and
    what is around it.
    """
    tree = p.sample.tree
    alike = (i for i in range(p.article + 1, tree.last[p.article]) if tree.tags[i] == tree.tags[line])
    return {tree.nodes[i].mem_id for i in alike if not tree.inside(line, i)}


def _tag_links(tree: PageView, tags: set[str]) -> Iterator[int]:
    """The links whose text is one of the tags, and elements with a mark that hold none."""
    for i, tag in enumerate(tree.tags):
        if tag != "a" and tag not in PLAIN_TAGS:
            continue
        if 0 < tree.count(i) <= _LONGEST and " ".join(tree.words_of(i)) in tags:
            is_marked = tag == "a" or (bool(tree.attribute(i, "class")) and not tree.links(i))
            if is_marked:
                yield i


def _with_strays(
    judged: Sequence[_JudgedRule], placed: Sequence[Placed], folders: Set[str], finder: _Finder
) -> list[_JudgedRule]:
    """The rules with what they find on all pages beside tags, by the folders that the links of tags lead to."""
    return [replace(one, strays=_strays(one.rule, placed, folders, finder)) for one in judged]


def _strays(rule: Rule, placed: Sequence[Placed], folders: Set[str], finder: _Finder) -> int:
    """How many links a rule finds on the pages that lead to none of the folders of tags: they stand
    in the texts.
    """
    found = (node for p in placed for node in finder.nodes(p, rule))
    return sum(node.tag == "a" and _folder(node.attrs.get("href") or "") not in folders for node in found)


def _folder(href: str) -> str:
    """Where an address says that lists of posts lie; empty where it does not say it."""
    place = _FOLDER.search(href) or _NUMBERED.search(href)
    return place[1] if place else ""


def _by_address(href: str) -> list[Step]:
    """A link as one that leads where all tags lie, as /tag/ does."""
    found = (_FOLDER.search(href), _NUMBERED.search(href))
    return [Step("a", leads=place[1]) for place in found if place]
