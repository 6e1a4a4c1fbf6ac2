"""Where the date stands and how this blog writes it: the feed's dates decide what 03/04/2013 means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from blogforever.dates import find_dates, learn_format, parse_machine_date
from blogforever.extract.apply import read_moment
from blogforever.learn.candidates import selectors
from blogforever.learn.fields import distance, element_rule, head_rule
from blogforever.learn.rating import PageSet, Placed, trust
from blogforever.learn.samples import Sample
from blogforever.model import Rule

_DIGIT = re.compile(r"\d")
_NEAREST = 6
_ASKED = 4
_MOST = 200  # elements near the article that are read as dates
_ENOUGH = 0.5
_MACHINE = ("datetime", "content", "title", "data-date", "data-time", "data-datetime", "data-timestamp")
_WORDS_A_STEP = 4
_LONGEST = 30  # words of an element that is asked for a date
HEADS = (
    head_rule('meta[property="article:published_time"]', "//meta[@property='article:published_time']/@content"),
    head_rule('meta[itemprop="datePublished"]', "//meta[@itemprop='datePublished']/@content"),
    head_rule('meta[name="date"]', "//meta[@name='date']/@content"),
    Rule('script[type="application/ld+json"]', "//script[@type='application/ld+json']", key="datePublished"),
)


def entry_day(sample: Sample) -> date | None:
    """The day the feed gives for a page."""
    moment = sample.entry and (sample.entry.published or sample.entry.updated)
    return moment.day if moment else None


def learn_published(placed: Sequence[Placed], languages: Sequence[str]) -> tuple[Rule, ...]:
    """Rules for the date of publication, each with the written form it is to be read in."""
    told = [p for p in placed if entry_day(p.sample) is not None]
    proposals: dict[Rule, int] = {}
    for p in told[:_ASKED]:
        for rank, rule in enumerate(_places(p, languages)):
            proposals[rule] = min(rank, proposals.get(rule, rank))
    ordered = [*sorted(proposals, key=lambda rule: proposals[rule]), *HEADS]
    pages = PageSet(told)
    known: dict[tuple[object, ...], _Judgement | None] = {}
    judged: list[tuple[Rule, _Judgement]] = []
    for rule in pages.different(ordered):
        values = tuple(pages.values(rule))
        key = (bool(rule.attribute or rule.key), values)
        if key not in known:
            known[key] = _judge(rule, values, told, languages)
        if found := known[key]:
            judged.append((found.applied(rule), found))
    judged.sort(key=lambda pair: (-round(pair[1].confidence + pair[1].exact, 1), not pair[1].timed, _is_read(pair[0])))
    return tuple(rule for rule, _found in judged[:3])


def _is_read(rule: Rule) -> bool:
    """Whether the date is written for people."""
    return not (rule.attribute or rule.key)


def _near(found: date, wanted: date) -> bool:
    return abs((found - wanted).days) <= 1


def _places(p: Placed, languages: Sequence[str]) -> Iterator[Rule]:
    """Rules on the elements nearest to the article that show the feed's day."""
    wanted = entry_day(p.sample)
    tree = p.sample.tree
    if wanted is None:
        return
    # Near the article, and little else than the date: a header that holds the title too may show a date in that.
    shown = sorted(_dated_elements(p), key=lambda i: distance(p, i) + tree.count(i) / _WORDS_A_STEP)
    given = 0
    for i in shown[:_MOST]:
        if given >= _NEAREST:
            return
        for name in _MACHINE:
            moment = parse_machine_date(tree.attributes(i).get(name) or "")
            if moment and _near(moment.day, wanted):
                given += 1
                yield from (replace(element_rule(selector), attribute=name) for selector in selectors(tree, i))
        text = tree.text(i) if tree.count(i) <= _LONGEST else ""
        if any(_near(reading.moment.day, wanted) for reading in find_dates(text, languages, p.sample.page.captured)):
            given += 1
            yield from (element_rule(selector) for selector in selectors(tree, i))


def _dated_elements(p: Placed) -> list[int]:
    """Small elements with a digit in their text or a machine-readable attribute."""
    tree = p.sample.tree
    found: dict[int, None] = {}
    for parent, _first, _stop, text in tree.texts:
        if _DIGIT.search(text):
            place = parent
            for _level in range(3):
                if place <= 0 or tree.count(place) > _LONGEST:
                    break
                found[place] = None
                place = tree.parents[place]
    for i, tag in enumerate(tree.tags):
        if tag in ("time", "abbr", "meta"):
            found[i] = None
    return list(found)


@dataclass(frozen=True)
class _Judgement:
    """What a rule's values on the pages say of it: the form they are to be read in, how often it is right."""

    format: str | None
    language: str | None
    confidence: float
    pages: int
    exact: float
    timed: bool
    """Whether it tells the hour, too."""

    def applied(self, rule: Rule) -> Rule:
        """The rule with what was found of it."""
        found = (self.format, self.language, self.confidence, self.pages)
        return replace(rule, format=found[0], language=found[1], confidence=found[2], pages=found[3])


def _judge(
    rule: Rule, values: Sequence[str | None], told: Sequence[Placed], languages: Sequence[str]
) -> _Judgement | None:
    """The rule's date format, and its share of the very day; None where it is mostly wrong.

    The day before or after is right too, because of time zones; a first comment often has that day.
    """
    days = [entry_day(p.sample) for p in told]
    pairs = [(value, day) for value, day in zip(values, days, strict=True) if value and day]
    if len(pairs) < _ENOUGH * len(told):
        return None
    if _is_read(rule):
        learned = learn_format(pairs, languages)
        if learned is None:
            return None
        rule = replace(rule, format=learned.format, language=learned.language)
    read = [(read_moment(rule, text, languages), day) for text, day in pairs]
    right = sum(moment is not None and _near(moment.day, day) for moment, day in read)
    exact = sum(moment is not None and moment.day == day for moment, day in read)
    if right < _ENOUGH * len(told):
        return None
    timed = 2 * sum(moment is not None and "T" in moment.iso for moment, _day in read) > len(read)
    return _Judgement(rule.format, rule.language, trust(right, len(told)), right, exact / len(told), timed)
