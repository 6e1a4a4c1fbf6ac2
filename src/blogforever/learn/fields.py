"""Where title, authors, date and tags stand: what the feed says of a post is looked for on its page."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from blogforever.dom import tokenise
from blogforever.extract.apply import own_text
from blogforever.extract.names import has_byline_word
from blogforever.extract.vocabulary import kind_of
from blogforever.learn.candidates import Selector, css_of, own_steps, selectors, xpath_of
from blogforever.learn.pagetree import PageTree
from blogforever.learn.rating import PageSet, Placed, trust
from blogforever.learn.samples import Sample
from blogforever.model import Rule

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MOST_STARTS = 200
_LONGEST_VALUE = 200  # words of a title or a name; longer ones are looked for in vain
_MARGINS = frozenset({"footer", "aside", "nav", "header"})
_NEAREST = 4  # of the places a value stands at, so many nearest to the article are tried
_ASKED = 5  # pages that propose rules; all pages judge them
_NEARLY_ALL = 0.9  # a rule on a place that is not the post's must be right on so many
_ENOUGH = 0.5  # a rule must be right on this share of the pages


Judge = Callable[[Sample, str], bool]


def head_rule(css: str, xpath: str, attribute: str | None = "content") -> Rule:
    """A rule on an element of the page's head."""
    return Rule(css, xpath, attribute)


TITLE_HEADS = (
    head_rule('meta[property="og:title"]', "//meta[@property='og:title']/@content"),
    head_rule('meta[name="twitter:title"]', "//meta[@name='twitter:title']/@content"),
    head_rule("title", "//title", None),
)
AUTHOR_HEADS = (
    head_rule('meta[name="author"]', "//meta[@name='author']/@content"),
    head_rule('meta[property="article:author"]', "//meta[@property='article:author']/@content"),
    Rule('script[type="application/ld+json"]', "//script[@type='application/ld+json']", key="author"),
)


def element_rule(selector: Selector, *, own: bool = False, prefix: str = "", suffix: str = "") -> Rule:
    """A rule on an element of the page's body."""
    return Rule(css_of(selector), xpath_of(selector), own=own, prefix=prefix, suffix=suffix)


def rank_rules(rules: Iterable[Rule], placed: Sequence[Placed], right: Judge, most: int = 3) -> list[Rule]:
    """The rules that are right on most pages, best first; of equals the one proposed first."""
    judged: list[tuple[float, int, Rule]] = []
    pages = PageSet(placed)
    known: dict[tuple[str | None, ...], int] = {}
    for order, rule in enumerate(pages.different(rules)):
        values = tuple(pages.values(rule))
        if values not in known:
            told = zip(placed, values, strict=True)
            known[values] = sum(bool(value and right(p.sample, value)) for p, value in told)
        hits = known[values]
        share = hits / len(placed)
        if share >= _ENOUGH:
            judged.append((share, -order, replace(rule, confidence=trust(hits, len(placed)), pages=hits)))
    judged.sort(key=lambda item: (-round(item[0], 2), -item[1]))
    return [rule for _share, _order, rule in judged[:most]]


# --- titles


def learn_title(placed: Sequence[Placed]) -> tuple[Rule, ...]:
    """Rules for the title, from the page's body first, then from its head."""
    told = [p for p in placed if p.sample.entry and p.sample.entry.title and tokenise(p.sample.entry.title)]
    wanted = {id(p.sample): words for p, words in zip(told, _titles(told), strict=True)}

    def right(sample: Sample, value: str) -> bool:
        return tokenise(value) == wanted[id(sample)]

    proposals = _merge(_title_places(p, wanted[id(p.sample)]) for p in told[:_ASKED])
    body = rank_rules(proposals, told, right, most=2)
    heads = rank_rules([_with_affixes(rule, told) for rule in TITLE_HEADS], told, right, most=2)
    best = sorted([*body, *heads], key=lambda rule: -round(rule.confidence, 1))
    return tuple(best[:3])


def _titles(told: Sequence[Placed]) -> list[list[str]]:
    """The words of the entries' titles, without the author's name where the feed puts it before each."""
    titles, plain = [], []
    for p in told:
        title = (p.sample.entry.title if p.sample.entry else "") or ""
        names = [author.name for author in p.sample.entry.authors] if p.sample.entry else []
        titles.append(tokenise(title))
        plain.append(tokenise(next((title[len(n) + 1 :] for n in names if title.startswith(f"{n}:")), "")))
    return plain if 2 * sum(map(bool, plain)) > len(told) else titles


def _title_places(placed: Placed, wanted: list[str]) -> Iterator[Rule]:
    tree = placed.sample.tree
    places = sorted(exact_places(placed, wanted), key=lambda i: (tree.tags[i] not in _HEADINGS, distance(placed, i)))
    for i in places[:_NEAREST]:
        yield from (element_rule(selector) for selector in selectors(tree, i))
    longer = (i for i, tag in enumerate(tree.tags) if tag in _HEADINGS and tree.count(i) > len(wanted))
    for i in islice((i for i in longer if tokenise(own_text(tree.nodes[i])) == wanted), _NEAREST):
        yield from (element_rule(selector, own=True) for selector in selectors(tree, i))


def _with_affixes(rule: Rule, told: Sequence[Placed]) -> Rule:
    """The rule with what the site adds before and after every title ("… | My blog")."""
    prefixes: Counter[str] = Counter()
    suffixes: Counter[str] = Counter()
    for p, found in zip(told, PageSet(told).values(rule), strict=True):
        value, title = found or "", (p.sample.entry.title if p.sample.entry else "") or ""
        at = value.casefold().find(" ".join(title.split()).casefold())
        if at >= 0 and title and len(value) > at:
            prefixes[value[:at]] += 1
            suffixes[value[at + len(" ".join(title.split())) :]] += 1
    prefix, suffix = _usual(prefixes), _usual(suffixes)
    return replace(rule, prefix=prefix, suffix=suffix)


def _usual(found: Counter[str]) -> str:
    common = found.most_common(1)
    return common[0][0] if common and common[0][1] * 2 > found.total() else ""


# --- authors


def learn_authors(placed: Sequence[Placed]) -> tuple[Rule, ...]:
    """Rules for the author: the name the feed gives, where it stands nearest to the article."""
    told = [p for p in placed if p.sample.entry and len(p.sample.entry.authors) == 1]
    if len(told) < min(3, len(placed)):
        return ()
    names = {id(p.sample): p.sample.entry.authors[0].name for p in told if p.sample.entry}

    def right(sample: Sample, value: str) -> bool:
        return tokenise(value) == tokenise(names[id(sample)])

    proposals = list(_merge(_author_places(p, names[id(p.sample)]) for p in told[:_ASKED]))
    rules = rank_rules([*proposals, *AUTHOR_HEADS], told, right)
    if not rules and len(set(names.values())) > 1:  # a name that changes with the posts is theirs wherever it stands
        aside = _merge(_exact_author(p, names[id(p.sample)], lambda p, i: True) for p in told[:_ASKED])
        rules = [r for r in rank_rules(aside, told, right) if r.pages >= _NEARLY_ALL * len(told) and _changes(r, told)]
    return tuple(rules)


def _changes(rule: Rule, told: Sequence[Placed]) -> bool:
    """Whether an element shows several names in turn; that of the blog's owner stands in its head on every page."""
    return len({tuple(tokenise(value)) for value in PageSet(told).values(rule) if value}) > 1


def _exact_author(placed: Placed, name: str, fits: Callable[[Placed, int], bool]) -> Iterator[Rule]:
    """Rules on the elements that hold just a name, the nearest to the article first."""
    tree, wanted = placed.sample.tree, tokenise(name)
    near = sorted(
        (i for i in exact_places(placed, wanted) if fits(placed, i)) if wanted else (),
        key=lambda i: distance(placed, i),
    )
    for i in near[:_NEAREST]:
        yield from (element_rule(selector) for selector in selectors(tree, i))


def _author_places(placed: Placed, name: str) -> Iterator[Rule]:
    wanted = tokenise(name)
    tree = placed.sample.tree
    if not wanted:
        return
    yield from _exact_author(placed, name, beside)
    holding = (i for i in holding_places(placed, wanted, spare=14) if beside(placed, i) and _may_sign(placed, i))
    for i in sorted(holding, key=lambda i: distance(placed, i))[:_NEAREST]:
        for own in (False, True):
            text = " ".join((own_text(tree.nodes[i]) if own else tree.nodes[i].text(separator=" ")).split())
            at = text.casefold().find(name.casefold())
            if at >= 0:
                after = text[at + len(name) :]
                for selector in selectors(tree, i):
                    for prefix in dict.fromkeys((text[:at], _last_word(text[:at]))):
                        yield element_rule(selector, own=own, prefix=prefix, suffix=_delimiter(after))


def _may_sign(placed: Placed, i: int) -> bool:
    """A by-line inside the article has a mark of its own, or begins as one; other lines there speak of somebody."""
    tree, article = placed.sample.tree, placed.article
    if not article < i < tree.last[article] or any(step.classes or step.id for step in own_steps(tree, i)):
        return True
    return has_byline_word(tree.text(i))


def _last_word(before: str) -> str:
    """What leads to a name inside a by-line: the last word or sign before it."""
    words = before.split()
    return f" {words[-1]} " if len(words) > 1 and before.endswith(" ") else before


def _delimiter(after: str) -> str:
    """What ends a name inside a by-line: the first word or sign after it."""
    words = after.split()
    if not words:
        return ""
    return (" " if after[0].isspace() else "") + words[0]


# --- where a value stands


def exact_places(placed: Placed, wanted: list[str]) -> list[int]:
    """Elements whose words are just the wanted ones."""
    tree, size = placed.sample.tree, len(wanted)
    starts = set(_starts(tree.words, wanted))
    found = (
        i
        for i, start in enumerate(tree.start)
        if start in starts and tree.end[i] == start + size and tree.tags[i] != "body"
    )
    return list(islice(found, _MOST_STARTS))


def holding_places(placed: Placed, wanted: list[str], spare: int) -> list[int]:
    """Small elements that hold the wanted words among at most `spare` others, innermost ones only."""
    tree, size = placed.sample.tree, len(wanted)
    starts = _starts(tree.words, wanted)[:_MOST_STARTS]
    found: list[int] = []
    for i in range(len(tree.nodes) - 1, -1, -1):  # inner elements come after the outer ones
        start, end = tree.start[i], tree.end[i]
        if size < end - start <= size + spare and not (found and i < found[-1] < tree.last[i]):
            at = bisect_left(starts, start)
            if at < len(starts) and starts[at] + size <= end:
                found.append(i)
    return found[::-1]


def _starts(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
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
    above = {ancestor: n for n, ancestor in enumerate([article, *tree.ancestors(article)])}
    for n, ancestor in enumerate([i, *tree.ancestors(i)]):
        if ancestor in above:
            return n + above[ancestor]
    return len(above)


def beside(placed: Placed, i: int) -> bool:
    """Whether an element stands with the article, not in the page's own head, foot or margin."""
    tree, article = placed.sample.tree, placed.article
    inner: list[int] = []
    for ancestor in [i, *tree.ancestors(i)]:
        if ancestor <= article < tree.last[ancestor]:
            return not _is_page_wide(tree, ancestor, article) or not any(_is_margin(tree, place) for place in inner)
        inner.append(ancestor)
    return True


def _is_page_wide(tree: PageTree, i: int, article: int) -> bool:
    """Whether an element around the article is the page rather than the post."""
    if tree.tags[i] == "article" or kind_of(" ".join(tree.classes(i))) == "post":
        return False
    return tree.count(i) > tree.count(article) + 0.5 * (tree.count(0) - tree.count(article))


def _is_margin(tree: PageTree, i: int) -> bool:
    names = " ".join((*tree.classes(i), tree.attributes(i).get("id") or ""))
    return tree.tags[i] in _MARGINS or kind_of(names) in ("furniture", "outer")


def _merge(proposals: Iterable[Iterator[Rule]]) -> Iterator[Rule]:
    """Rules of several pages, those with the best rank on any page first."""
    ranked: dict[Rule, int] = {}
    for rules in proposals:
        for rank, rule in enumerate(rules):
            if rule not in ranked or ranked[rule] > rank:
                ranked[rule] = rank
    return iter(sorted(ranked, key=lambda rule: ranked[rule]))
