"""Where the date stands and how this blog writes it: the feed's dates decide what 03/04/2013 means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from selectolax.lexbor import LexborNode

from blogforever.dates import MACHINE_ATTRIBUTES, find_dates, learn_format, parse_machine_date
from blogforever.dom import node_text
from blogforever.extract.apply import read_moment
from blogforever.extract.dateline import names_change, speaks_of_change
from blogforever.learn.candidates import places_from_end, selectors
from blogforever.learn.fields import distance, element_rule, head_rule
from blogforever.learn.rating import PageSet, Placed, trust
from blogforever.learn.samples import Sample
from blogforever.model import Rule
from blogforever.page.view import PageView

_DIGIT = re.compile(r"\d")
# Elements that show the feed's day and so propose rules, on each of so many pages.
_NEAREST = 6
_ASKED = 4
# Elements near the article that are read as dates; reading is slow.
_MOST = 200
# Share of the pages on which a rule must give a date, and the right one.
_ENOUGH = 0.5
_MACHINE_TAGS = ("time", "abbr", "meta")
# So many words beside a date weigh as much as one step away from the article.
_WORDS_A_STEP = 4
# Words of an element that is asked for a date; and the characters of one with more, where each
# letter counts as a word, as in Thai.
_LONGEST, _LONGEST_LETTERS = 30, 120
# Elements around a text with a digit that may be the
# date's own; further out stands more than a date.
_LEVELS = 3
# Characters of a line in which a date has a label, and of the label.
_LONGEST_LINE, _LABEL = 200, 30
# Rules kept for a post's date: the others are for pages that lack what the first looks for.
_MOST_RULES = 3
HEADS = (
    head_rule(
        'meta[property="article:published_time"]',
        "//meta[@property='article:published_time']/@content",
    ),
    head_rule('meta[itemprop="datePublished"]', "//meta[@itemprop='datePublished']/@content"),
    head_rule('meta[name="date"]', "//meta[@name='date']/@content"),
    Rule(
        'script[type="application/ld+json"]',
        "//script[@type='application/ld+json']",
        key="datePublished",
    ),
)


def entry_day(sample: Sample) -> date | None:
    """The day the feed gives for a page."""
    moment = sample.entry and (sample.entry.published or sample.entry.updated)
    return moment.day if moment else None


def learn_published(placed: Sequence[Placed], languages: Sequence[str]) -> tuple[Rule, ...]:
    """Rules for the date of publication, each with the written form it is to be read in."""
    dated = [p for p in placed if entry_day(p.sample) is not None]
    pages = PageSet(dated)
    judgements: dict[tuple[object, ...], _Judgement | None] = {}
    judged: list[tuple[Rule, _Judgement]] = []
    for rule in pages.different([*_proposals(dated, languages), *HEADS]):
        values = tuple(pages.values(rule))
        key = (_is_read(rule), values)
        if key not in judgements:
            judgements[key] = _judge(rule, values, dated, languages)
        judgement = judgements[key]
        if judgement is not None:
            judged.append((judgement.applied(rule), judgement))
    # The day of an edit is mostly that of publication, but not when it matters.
    judged.sort(key=lambda one: (_tells_edit(one[0], pages), *_order(one)))
    return tuple(rule for rule, _judgement in judged[:_MOST_RULES])


def _tells_edit(rule: Rule, pages: PageSet) -> bool:
    """Whether the names of what a rule finds, or the words before the date, say that it is the day
    of an edit.
    """
    nodes = (pages.node(rule.css, n) for n in range(len(pages.placed)))
    node = next(filter(None, nodes), None)
    if node is None or rule.key or node.tag == "meta":
        return False
    attributes = node.attributes
    names = f"{attributes.get('class') or ''} {attributes.get('itemprop') or ''}"
    return names_change(names) or speaks_of_change(_label(node))


def _label(node: LexborNode) -> str:
    """The words right before a date: in its element, and before that in a short line around it."""
    shown = node_text(node)
    own = _DIGIT.split(shown, maxsplit=1)[0]
    line = node_text(node.parent) if node.parent is not None else ""
    before = line[: line.find(shown)] if shown and len(line) <= _LONGEST_LINE else ""
    return f"{before[-_LABEL:]} {own}"


def _order(judged: tuple[Rule, _Judgement]) -> tuple[float, bool, bool]:
    """The surest and most exact first; of equals one that tells the hour, then one for machines."""
    rule, judgement = judged
    return -round(judgement.confidence + judgement.exact, 1), not judgement.timed, _is_read(rule)


def _proposals(dated: Sequence[Placed], languages: Sequence[str]) -> list[Rule]:
    """What a few pages propose, by the best rank a rule has on any of them."""
    ranks: dict[Rule, int] = {}
    for p in dated[:_ASKED]:
        for rank, rule in enumerate(_places(p, languages)):
            ranks[rule] = min(rank, ranks.get(rule, rank))
    return sorted(ranks, key=lambda rule: ranks[rule])


def _is_read(rule: Rule) -> bool:
    """Whether the date is written for people."""
    return not (rule.attribute or rule.key)


def _near(day: date, wanted: date) -> bool:
    """The same day, or one beside it: a clock in another zone may show that."""
    return abs((day - wanted).days) <= 1


def _places(p: Placed, languages: Sequence[str]) -> Iterator[Rule]:
    """Rules on the elements nearest to the article that show the feed's day."""
    wanted = entry_day(p.sample)
    tree = p.sample.tree
    if wanted is None:
        return

    # Near the article, and little else than the date: a
    # header that holds the title too may show a date in that.
    def apart(i: int) -> float:
        return distance(p, i) + tree.count(i) / _WORDS_A_STEP

    given = 0
    for i in sorted(_dated_elements(tree), key=apart)[:_MOST]:
        if given >= _NEAREST:
            return
        for name in _machine_dates(tree, i, wanted):
            given += 1
            for selector in selectors(tree, i):
                yield replace(element_rule(selector), attribute=name)
        if _shows_day(p, i, wanted, languages):
            given += 1
            ways = chain(selectors(tree, i), places_from_end(tree, i))
            yield from (element_rule(selector) for selector in ways)


def _machine_dates(tree: PageView, i: int, wanted: date) -> Iterator[str]:
    """The attributes of an element that give the day to machines."""
    attributes = tree.attributes(i)
    for name in MACHINE_ATTRIBUTES:
        stamp = attributes.get(name)
        moment = parse_machine_date(stamp) if stamp else None
        if moment and _near(moment.day, wanted):
            yield name


def _shows_day(p: Placed, i: int, wanted: date, languages: Sequence[str]) -> bool:
    """Whether the words of a short element can be read as the day."""
    tree = p.sample.tree
    if _is_long(tree, i):
        return False
    readings = find_dates(tree.text(i), languages, p.sample.page.captured)
    return any(_near(reading.moment.day, wanted) for reading in readings)


def _is_long(tree: PageView, i: int) -> bool:
    """Whether an element has more words than a line about a post."""
    count = tree.count(i)
    return count > _LONGEST and (count > _LONGEST_LETTERS or len(tree.text(i)) > _LONGEST_LETTERS)


def _dated_elements(tree: PageView) -> list[int]:
    """Small elements with a digit in their text or a machine-readable attribute."""
    found: dict[int, None] = {}
    for parent, _first, _stop, text in tree.texts:
        if not _DIGIT.search(text):
            continue
        place = parent
        for _level in range(_LEVELS):
            if place <= 0 or _is_long(tree, place):
                break
            found[place] = None
            place = tree.parents[place]
    for i, tag in enumerate(tree.tags):
        if tag in _MACHINE_TAGS:
            found[i] = None
    return list(found)


@dataclass(frozen=True)
class _Judgement:
    """What a rule's values on the pages say of it: the
    form they are to be read in, how often it is right.
    """

    format: str | None
    language: str | None
    confidence: float
    pages: int
    exact: float
    timed: bool
    """Whether it tells the hour, too."""

    def applied(self, rule: Rule) -> Rule:
        """The rule with what was found of it."""
        return replace(
            rule,
            format=self.format,
            language=self.language,
            confidence=self.confidence,
            pages=self.pages,
        )


def _judge(
    rule: Rule, values: Sequence[str | None], dated: Sequence[Placed], languages: Sequence[str]
) -> _Judgement | None:
    """The rule's date format, and its share of the very day; None where it is mostly wrong."""
    pairs = _values_with_days(values, dated)
    enough = _ENOUGH * len(dated)
    if len(pairs) < enough:
        return None
    if _is_read(rule):
        learned = learn_format(pairs, languages)
        if learned is None:
            return None
        rule = replace(rule, format=learned.format, language=learned.language)
    read = [(read_moment(rule, text, languages), day) for text, day in pairs]
    moments = [(moment, day) for moment, day in read if moment is not None]
    # The day before or after is right too, because of
    # time zones; but a first comment often has that day.
    right = sum(_near(moment.day, day) for moment, day in moments)
    exact = sum(moment.day == day for moment, day in moments)
    if right < enough:
        return None
    timed = sum("T" in moment.iso for moment, _day in moments)
    return _Judgement(
        rule.format,
        rule.language,
        confidence=trust(right, len(dated)),
        pages=right,
        exact=exact / len(dated),
        timed=2 * timed > len(read),
    )


def _values_with_days(
    values: Sequence[str | None],
    dated: Sequence[Placed],
) -> list[tuple[str, date]]:
    """What a rule gives on the pages where it gives something, each with the day of the feed."""
    pairs = []
    for value, p in zip(values, dated, strict=True):
        day = entry_day(p.sample)
        if value and day:
            pairs.append((value, day))
    return pairs
