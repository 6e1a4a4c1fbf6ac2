"""Where the author stands: names that the feed or the pages give, looked for nearest to the article."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from blogforever.dom import tokenise
from blogforever.elements import HEADINGS
from blogforever.extract.apply import own_text
from blogforever.extract.byline import text_outside_links
from blogforever.extract.hiddennames import HIDDEN_AUTHOR, HIDDEN_AUTHOR_XPATH
from blogforever.extract.metadata import AUTHOR_METAS
from blogforever.extract.names import has_byline_word, is_author_mark, leads_to_name, looks_personal, speaks_of_author
from blogforever.extract.signedname import begins_with_name, name_beside_date, names_in, part_beside_date
from blogforever.learn.candidates import Selector, own_steps, places_from_end, selectors
from blogforever.learn.fields import (
    ASKED,
    NEAREST,
    beside,
    distance,
    element_rule,
    exact_places,
    head_rule,
    holding_places,
    merge,
    rank_rules,
)
from blogforever.learn.rating import PageSet, Placed
from blogforever.learn.samples import Sample
from blogforever.learn.teacher import read_page
from blogforever.model import Rule
from blogforever.page.view import PageView
from blogforever.page.vocabulary import kind_of

# With fewer pages that name their authors nothing is learned of them, unless there are no more
# pages.
_FEWEST_NAMED = 3
# Co-authors of one post whose places propose rules.
_MOST_NAMES = 3
# Words of a by-line beside the name in it: a longer line speaks of somebody.
_BYLINE_WORDS = 14
# Letters that make a word where names are read letter by letter, as in Thai and Chinese.
_LETTERS = 3
# Words from either end of an article in which it may be signed; further in, a name is somebody it
# speaks of.
_EDGE = 60
# A rule on a place that is not the post's must be right on nearly all pages.
_NEARLY_ALL = 0.9

_HEADS = (
    *(head_rule(f'meta[{key}="{name}" i]', f"//meta[@{key}='{name}']/@content") for key, name in AUTHOR_METAS),
    Rule(
        'script[type="application/ld+json"]',
        "//script[@type='application/ld+json']",
        key="author",
    ),
    head_rule(HIDDEN_AUTHOR, HIDDEN_AUTHOR_XPATH),
)

_MARKS = re.compile(r"[\w-]+")
_DIGIT = re.compile(r"\d")

_Words = tuple[str, ...]
"""A name as it is compared."""


_Told = dict[int, tuple[str, ...]]
"""The authors' names by sample."""


def learn_authors(placed: Sequence[Placed]) -> tuple[Rule, ...]:
    """Rules for the authors: the names the feed gives, where they stand nearest to the article.

    Feeds may call people by other names than the pages, which then say themselves whom they name.
    """
    told = {id(p.sample): _names_of(p.sample) for p in placed}
    return _learn(placed, told) or _learn_shown(placed, told)


def _learn(placed: Sequence[Placed], told: _Told, fits: Callable[[Rule], bool] = bool) -> tuple[Rule, ...]:
    """Rules that find the names told, of those that fit."""
    named = [p for p in placed if told.get(id(p.sample))]
    if len(named) < min(_FEWEST_NAMED, len(placed)):
        return ()
    wanted = _by_words(told)

    def names_all(sample: Sample, value: str) -> bool:
        return {_words(name) for name in names_in(value) or (value,)} == wanted[id(sample)]

    def names_one(sample: Sample, value: str) -> bool:
        return _words(value) in wanted[id(sample)]

    proposals = list(filter(fits, (*merge(_proposals(named, told)), *_HEADS)))
    # Each of several authors often stands in an element of the same kind: the rule then finds the
    # first.
    rules = rank_rules(proposals, named, names_all) or rank_rules(proposals, named, names_one)
    # A name that changes with the posts is theirs wherever it stands.
    if not rules and _differ(wanted):
        aside = merge(_exact_author(p, name, _anywhere) for p, name in _asked(named, told))
        rules = [rule for rule in rank_rules(aside, named, names_one) if _is_each_posts(rule, named)]
    return tuple(rules)


def _asked(named: Sequence[Placed], told: _Told) -> list[tuple[Placed, str]]:
    """The names that are looked for, each with its page."""
    return [(p, name) for p in named[:ASKED] for name in told[id(p.sample)][:_MOST_NAMES]]


def _proposals(named: Sequence[Placed], told: _Told) -> Iterator[Iterator[Rule]]:
    """Rules on the places of all names of a page together, and of each."""
    yield from (_joint_lines(p, told[id(p.sample)]) for p in named[:ASKED])
    yield from (_author_places(p, name) for p, name in _asked(named, told))


def _differ(wanted: Mapping[int, set[_Words]]) -> bool:
    """Whether the pages are by different authors."""
    return len({frozenset(names) for names in wanted.values() if names}) > 1


def _learn_shown(placed: Sequence[Placed], told: _Told) -> tuple[Rule, ...]:
    """Rules that find the names shown in by-lines that say so, where the feed has names that no
    page shows.
    """
    asked = placed[:ASKED]
    if not any(told.values()):
        return ()
    shown = {id(p.sample): tuple(a.name for a in read_page(p.sample).get("authors", ())) for p in asked}
    mostly_shown = 2 * sum(map(bool, shown.values())) > len(asked)
    is_everywhere = _differ(_by_words(told)) and not _differ(_by_words(shown))
    if not mostly_shown or is_everywhere:
        return ()
    return tuple(rule for rule in _learn(asked, shown, _says_author) if _says_author(rule))


def _by_words(told: _Told) -> dict[int, set[_Words]]:
    return {key: {_words(name) for name in names} for key, names in told.items()}


def _says_author(rule: Rule) -> bool:
    """Whether a rule's place says itself that it names an author."""
    is_marked = rule.key == "author" or any(map(speaks_of_author, _MARKS.findall(rule.css)))
    return is_marked or has_byline_word(rule.prefix.lstrip())


def _names_of(sample: Sample) -> tuple[str, ...]:
    """The authors' names as the feed has them, those without a letter left out."""
    authors = sample.entry.authors if sample.entry else ()
    return tuple(author.name for author in authors if _words(author.name))


def _words(name: str) -> _Words:
    return tuple(tokenise(name))


def _anywhere(_placed: Placed, _i: int) -> bool:
    return True


def _is_each_posts(rule: Rule, named: Sequence[Placed]) -> bool:
    """Whether an element that is nearly always right shows several names in turn.

    That of the blog's owner stands in its head on every page.
    """
    if rule.pages < _NEARLY_ALL * len(named):
        return False
    return len({_words(value) for value in PageSet(named).values(rule) if value}) > 1


# --- where a name stands


def _author_places(placed: Placed, name: str) -> Iterator[Rule]:
    """Rules on the elements that hold just a name, then on by-lines that hold it among other words."""
    yield from _exact_author(placed, name, _signs)
    yield from _line_rules(placed, (name,))


def _joint_lines(placed: Placed, names: Sequence[str]) -> Iterator[Rule]:
    """Rules on by-lines that name several people together."""
    if len(names) > 1:
        yield from _line_rules(placed, names)


def _line_rules(placed: Placed, names: Sequence[str]) -> Iterator[Rule]:
    """Rules on by-lines that hold names among other words."""
    first = list(_words(names[0]))
    is_in_letters = max(map(len, first)) == 1
    beside_it = _BYLINE_WORDS * _LETTERS if is_in_letters else _BYLINE_WORDS
    spare = beside_it + sum(len(_words(name)) for name in names[1:])
    holding = holding_places(placed, first, spare=spare)
    bylines = [i for i in holding if _is_labelled(placed, i) or (beside(placed, i) and _may_sign(placed, i))]
    for i in sorted(bylines, key=lambda i: distance(placed, i))[:NEAREST]:
        yield from _byline_rules(placed.sample.tree, i, names, own=False)
        yield from _byline_rules(placed.sample.tree, i, names, own=True)


def _is_labelled(placed: Placed, i: int) -> bool:
    """Whether a line is a word like "Author", a colon and what stands behind it: wherever a theme
    shows that, in a box about the licence, too, it says who wrote the post.
    """
    label, colon, _name = placed.sample.tree.line(i).replace("：", ":").partition(":")
    return bool(colon) and leads_to_name(label)


def _exact_author(placed: Placed, name: str, fits: Callable[[Placed, int], bool]) -> Iterator[Rule]:
    """Rules on the elements that hold just a name, the nearest to the article first."""
    tree = placed.sample.tree
    fitting = [i for i in exact_places(placed, list(_words(name))) if fits(placed, i)]
    for i in sorted(fitting, key=lambda i: distance(placed, i))[:NEAREST]:
        yield from (element_rule(selector) for selector in _ways_to(tree, i))


def _ways_to(tree: PageView, i: int) -> Iterator[Selector]:
    """Selectors of an element; a text without a container is often signed at its end."""
    yield from selectors(tree, i)
    yield from places_from_end(tree, i)


def _byline_rules(tree: PageView, i: int, names: Sequence[str], *, own: bool) -> Iterator[Rule]:
    """Rules that cut names out of a line by what stands before the first and after the last."""
    node = tree.nodes[i]
    shown = own_text(node) if own else node.text(separator=" ")
    text = " ".join(shown.split())
    starts = [text.casefold().find(name.casefold()) for name in names]
    at = min(starts)
    if at < 0 or _goes_on(text[at:], names[0]):
        return
    end = max(start + len(name) for start, name in zip(starts, names, strict=True))
    affixes = list(_affixes(text, at, end))
    for selector in _ways_to(tree, i):
        for prefix, suffix in affixes:
            yield element_rule(selector, own=own, prefix=prefix, suffix=suffix)


def _affixes(text: str, at: int, end: int) -> Iterator[tuple[str, str]]:
    """What may stand before and after the names in a line, from one place up to another."""
    suffix = _delimiter(text[end:])
    is_dated = part_beside_date(text) is not None
    # What follows the name, as a link to mend the post, may look like another name.
    is_dated_before = bool(suffix) and part_beside_date(text[:end]) is not None
    for prefix in dict.fromkeys((text[:at], _last_word(text[:at]))):
        # A day before the name changes with the post: the line is then read as a whole.
        if not ((is_dated or is_dated_before) and _DIGIT.search(prefix)):
            yield prefix, suffix
    if is_dated_before:
        yield "", suffix
    if is_dated:
        yield "", ""


def _goes_on(text: str, name: str) -> bool:
    """Whether a line goes on with the rest of a name of which the feed has but one word."""
    return len(_words(name)) == 1 and text != name and (looks_personal(text) or begins_with_name(text))


def _signs(placed: Placed, i: int) -> bool:
    """Whether an element that holds just a name may say who wrote the article.

    Inside the article it must be marked as that, or stand near either end and be no heading of the
    text.
    """
    tree, article = placed.sample.tree, placed.article
    if not beside(placed, i):
        return _is_below_label(tree, i)
    if not article < i < tree.last[article] or _is_marked(tree, i, article):
        return True
    before = tree.start[i] - tree.start[article]
    behind = tree.end[article] - tree.end[i]
    return tree.tags[i] not in HEADINGS and min(before, behind) <= _EDGE


def _is_below_label(tree: PageView, i: int) -> bool:
    """Whether what stands right before a name is a word like "Author", and they have a box to themselves."""
    label = tree.parents[i] + 1
    return tree.last[label] == i and tree.last[tree.parents[i]] == tree.last[i] and leads_to_name(tree.line(label))


def _is_marked(tree: PageView, i: int, article: int) -> bool:
    """Whether an element, or one around it inside the article, is called an author or a by-line."""
    around = i
    while around != article:
        attributes = tree.attributes(around)
        names = " ".join(attributes.get(key) or "" for key in ("class", "id", "rel", "itemprop"))
        if kind_of(names) in ("byline", "bio") or any(map(is_author_mark, names.split())):
            return True
        around = tree.parents[around]
    return False


def _may_sign(placed: Placed, i: int) -> bool:
    """A by-line inside the article has a mark of its own, begins as one, or is a day and a name: where the day is a
    link to the post, with its links, beside links to tags without them.

    Other lines there speak of somebody.
    """
    tree, article = placed.sample.tree, placed.article
    is_inside = article < i < tree.last[article]
    if not is_inside:
        return True
    is_marked = any(step.classes or step.id for step in own_steps(tree, i))
    if is_marked or has_byline_word(tree.text(i)):
        return True
    return any(map(name_beside_date, (tree.line(i), text_outside_links(tree, i))))


def _last_word(before: str) -> str:
    """What leads to a name inside a by-line: the last word or sign before it."""
    words = before.split()
    if len(words) > 1 and before.endswith(" "):
        return f" {words[-1]} "
    return before


def _delimiter(after: str) -> str:
    """What ends a name inside a by-line: the first word or sign after it."""
    words = after.split()
    if not words:
        return ""
    return (" " if after[0].isspace() else "") + words[0]
