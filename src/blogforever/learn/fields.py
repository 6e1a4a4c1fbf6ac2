"""Where a field stands: what the feed says of a post is looked for on its page, first of all the title."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.apply import own_text
from blogforever.learn.candidates import Selector, css_of, selectors, xpath_of
from blogforever.learn.rating import PageSet, Placed, trust
from blogforever.learn.samples import Sample
from blogforever.model import Rule
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

# Places of one value on a page that are looked at: a
# name may stand under each of hundreds of comments.
_MOST_STARTS = 200
# Words of a title or a name; longer ones are looked for in vain.
_LONGEST_VALUE = 200
_MARGINS = frozenset({"footer", "aside", "nav", "header"})
NEAREST = 4
"""Of the places a value stands at, so many nearest to the article are tried."""
ASKED = 5
"""Pages that propose rules; all pages judge them."""
# Rules kept for one field, and of one kind (body, head) for the title.
_MOST_RULES, _MOST_OF_A_KIND = 3, 2
# An element that holds so much of what stands beside the article is the page.
_HALF_THE_PAGE = 0.5
# A rule must be right on this share of the pages.
_ENOUGH = 0.5
# Rules that are remembered: the pages of a blog propose the same ones, one after the other.
_REMEMBERED = 4096


Judge = Callable[[Sample, str], bool]


def head_rule(css: str, xpath: str, attribute: str | None = "content") -> Rule:
    """A rule on an element of the page's head."""
    return Rule(css, xpath, attribute)


_TITLE_HEADS = (
    head_rule('meta[property="og:title"]', "//meta[@property='og:title']/@content"),
    head_rule('meta[name="twitter:title"]', "//meta[@name='twitter:title']/@content"),
    head_rule("title", "//title", None),
)


@lru_cache(maxsize=_REMEMBERED)
def element_rule(
    selector: Selector,
    *,
    own: bool = False,
    prefix: str = "",
    suffix: str = "",
) -> Rule:
    """A rule on an element of the page's body."""
    return Rule(css_of(selector), xpath_of(selector), own=own, prefix=prefix, suffix=suffix)


def rank_rules(
    rules: Iterable[Rule],
    placed: Sequence[Placed],
    is_right: Judge,
    most: int = _MOST_RULES,
) -> list[Rule]:
    """The rules that are right on most pages, best first; of equals the one proposed first."""
    judged: list[tuple[float, Rule]] = []
    pages = PageSet(placed)
    hits_of: dict[tuple[str | None, ...], int] = {}
    for rule in pages.different(rules):
        values = tuple(pages.values(rule))
        if values not in hits_of:
            hits_of[values] = _count_right(values, placed, is_right)
        hits = hits_of[values]
        share = hits / len(placed)
        if share >= _ENOUGH:
            judged.append((share, replace(rule, confidence=trust(hits, len(placed)), pages=hits)))
    judged.sort(key=lambda pair: -round(pair[0], 2))
    return [rule for _share, rule in judged[:most]]


def _count_right(values: Sequence[str | None], placed: Sequence[Placed], is_right: Judge) -> int:
    """On how many pages a value is right."""
    right = 0
    for p, value in zip(placed, values, strict=True):
        right += bool(value and is_right(p.sample, value))
    return right


# --- titles


def learn_title(placed: Sequence[Placed]) -> tuple[Rule, ...]:
    """Rules for the title, from the page's body first, then from its head."""
    titled = [p for p in placed if tokenise(_entry_title(p))]
    wanted = {id(p.sample): words for p, words in zip(titled, _titles(titled), strict=True)}

    def is_right(sample: Sample, value: str) -> bool:
        return tokenise(value) == wanted[id(sample)]

    proposals = merge(_title_places(p, wanted[id(p.sample)]) for p in titled[:ASKED])
    without = [p for p in placed if p.sample.untitled]
    body = rank_rules(_silent_on(proposals, without), titled, is_right, most=_MOST_OF_A_KIND)
    in_head = [_with_affixes(rule, titled) for rule in _TITLE_HEADS]
    heads = rank_rules(in_head, titled, is_right, most=_MOST_OF_A_KIND)
    best = sorted([*body, *heads], key=lambda rule: -round(rule.confidence, 1))
    return tuple(best[:_MOST_RULES])


def _silent_on(rules: Iterable[Rule], untitled: Sequence[Placed]) -> Iterator[Rule]:
    """The rules that say nothing on most of the pages that have no title."""
    pages = PageSet(untitled)
    for rule in rules:
        if 2 * sum(map(bool, pages.values(rule))) <= len(untitled):
            yield rule


def _entry_title(placed: Placed) -> str:
    entry = placed.sample.entry
    return (entry.title or "") if entry else ""


def _titles(titled: Sequence[Placed]) -> list[list[str]]:
    """The words of the entries' titles, without the
    author's name where the feed puts it before each.
    """
    without_names = [tokenise(_after_name(p)) for p in titled]
    is_usual = 2 * sum(map(bool, without_names)) > len(titled)
    return without_names if is_usual else [tokenise(_entry_title(p)) for p in titled]


def _after_name(placed: Placed) -> str:
    """The title after the author's name and a colon; empty where it does not begin so."""
    title = _entry_title(placed)
    for author in placed.sample.entry.authors if placed.sample.entry else ():
        if title.startswith(f"{author.name}:"):
            return title[len(author.name) + 1 :]
    return ""


def _title_places(placed: Placed, wanted: list[str]) -> Iterator[Rule]:
    """Rules on the elements that hold just the title, headings first.

    Then on headings that hold it among others.
    """
    tree = placed.sample.tree

    def order(i: int) -> tuple[bool, int]:
        return tree.tags[i] not in HEADINGS, distance(placed, i)

    for i in sorted(exact_places(placed, wanted), key=order)[:NEAREST]:
        yield from (element_rule(selector) for selector in selectors(tree, i))
    for i in islice(_longer_headings(tree, wanted), NEAREST):
        yield from (element_rule(selector, own=True) for selector in selectors(tree, i))


def _longer_headings(tree: PageView, wanted: list[str]) -> Iterator[int]:
    """Headings whose own text is the title, beside elements with other words."""
    for i, tag in enumerate(tree.tags):
        if tag not in HEADINGS or tree.count(i) <= len(wanted):
            continue
        if tokenise(own_text(tree.nodes[i])) == wanted:
            yield i


def _with_affixes(rule: Rule, titled: Sequence[Placed]) -> Rule:
    """The rule with what the site adds before and after every title ("… | My blog")."""
    prefixes: Counter[str] = Counter()
    suffixes: Counter[str] = Counter()
    for p, found in zip(titled, PageSet(titled).values(rule), strict=True):
        value, title = found or "", " ".join(_entry_title(p).split())
        at = value.casefold().find(title.casefold())
        if at >= 0 and _entry_title(p) and len(value) > at:
            prefixes[value[:at]] += 1
            suffixes[value[at + len(title) :]] += 1
    return replace(rule, prefix=_usual(prefixes), suffix=_usual(suffixes))


def _usual(counts: Counter[str]) -> str:
    """What more than half have; empty where nothing is so common."""
    for text, count in counts.most_common(1):
        if 2 * count > counts.total():
            return text
    return ""


# --- where a value stands


def exact_places(placed: Placed, wanted: list[str]) -> list[int]:
    """Elements whose words are just the wanted ones."""
    tree, size = placed.sample.tree, len(wanted)
    starts = set(_starts(tree.words, wanted))
    found: list[int] = []
    for i, start in enumerate(tree.start):
        if start in starts and tree.end[i] == start + size and tree.tags[i] != "body":
            found.append(i)
            if len(found) == _MOST_STARTS:
                break
    return found


def holding_places(placed: Placed, wanted: list[str], spare: int) -> list[int]:
    """Small elements that hold the wanted words among at most `spare` others, innermost ones only."""
    tree, size = placed.sample.tree, len(wanted)
    starts = _starts(tree.words, wanted)[:_MOST_STARTS]
    found: list[int] = []
    # Inner elements come after the outer ones.
    for i in range(len(tree.nodes) - 1, -1, -1):
        start, end = tree.start[i], tree.end[i]
        if not size < end - start <= size + spare:
            continue
        holds_one_found = bool(found) and i < found[-1] < tree.last[i]
        at = bisect_left(starts, start)
        if not holds_one_found and at < len(starts) and starts[at] + size <= end:
            found.append(i)
    return found[::-1]


def _starts(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted words begin among a page's."""
    size, first = len(wanted), wanted[0]
    if size > _LONGEST_VALUE:
        return []
    wanted = list(wanted)
    return [n for n, word in enumerate(words) if word == first and words[n : n + size] == wanted]


def distance(placed: Placed, i: int) -> int:
    """Steps through the tree between an element and the article."""
    tree, article = placed.sample.tree, placed.article
    if article <= i < tree.last[article]:
        top, steps = i, 0
        while top != article:
            top, steps = tree.parents[top], steps + 1
        return steps
    above, top, steps = placed.above, i, 0
    while top >= 0 and top not in above:
        top, steps = tree.parents[top], steps + 1
    return steps + above[top] if top >= 0 else len(above)


def beside(placed: Placed, i: int) -> bool:
    """Whether an element stands with the article, not in the page's own head, foot or margin."""
    tree, article = placed.sample.tree, placed.article
    inner: list[int] = []
    for ancestor in [i, *tree.ancestors(i)]:
        holds_both = ancestor <= article < tree.last[ancestor]
        if holds_both:
            is_posts = not _is_page_wide(tree, ancestor, article)
            return is_posts or not any(_is_margin(tree, place) and not _is_posts_head(placed, place) for place in inner)
        inner.append(ancestor)
    return True


def _is_page_wide(tree: PageView, i: int, article: int) -> bool:
    """Whether an element around the article is the page rather than the post."""
    if tree.tags[i] == "article" or kind_of(" ".join(tree.classes(i))) == "post":
        return False
    beside_article = tree.count(0) - tree.count(article)
    return tree.count(i) > tree.count(article) + _HALF_THE_PAGE * beside_article


def _is_posts_head(placed: Placed, i: int) -> bool:
    """Whether what stands before the article is headed by the post's title: many a theme has it in the page's head."""
    tree, entry = placed.sample.tree, placed.sample.entry
    title = tokenise(entry.title) if entry and entry.title else []
    if not title or tree.last[i] > placed.article:
        return False
    headings = (n for n in range(i + 1, tree.last[i]) if tree.tags[n] in HEADINGS and tree.count(n) == len(title))
    return any(tree.words[tree.start[n] : tree.end[n]] == title for n in headings)


def _is_margin(tree: PageView, i: int) -> bool:
    """Whether an element is a head, foot or margin, by its tag or by its names."""
    names = " ".join((*tree.classes(i), tree.attributes(i).get("id") or ""))
    kind = kind_of(names)
    return (tree.tags[i] in _MARGINS and kind != "byline") or kind in ("furniture", "outer")


def merge(proposals: Iterable[Iterator[Rule]]) -> Iterator[Rule]:
    """Rules of several pages, those with the best rank on any page first."""
    ranked: dict[Rule, int] = {}
    for rules in proposals:
        for rank, rule in enumerate(rules):
            before = ranked.setdefault(rule, rank)
            if before > rank:
                ranked[rule] = rank
    return iter(sorted(ranked, key=ranked.__getitem__))
