"""Which pings we listen to: a tree of filters, tried in a time that does not depend on what somebody wrote into them.

A filter *holds* for a ping where its pattern and its conditions do. It *takes* the ping where it holds, and of the
filters below it
- those of its own kind narrow it: where there are any, one of them has to take the ping too;
- those of the other kind are exceptions: where one of them takes the ping, this one does not.
A ping is let in where a filter at the top that includes takes it, and none at the top that excludes. So without a
filter nothing is let in.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import re2

from blogforever.errors import UsageError
from blogforever.wording import N_

from .notice import Notice, host_of_notice

PatternKind = Literal["words", "wildcards", "expression"]
Subject = Literal["address", "name"]
# Shorter words are in every second address.
SHORTEST_WORD = 3
# Characters of a pattern, and filters in all: who needs more makes a list of sources.
LONGEST_PATTERN = 1000
MOST_FILTERS = 1000
# Filters below filters; nobody reads a deeper tree.
DEEPEST = 20
NOBODY = N_("no filter takes it")
PlatformOf = Callable[[str], str | None]


def unknown_platform(_host: str) -> str | None:
    """Of no host it is known on what it runs."""
    return None


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a ping must be beside what its pattern says; empty is anything."""

    domains: tuple[str, ...] = ()
    """Ends of the host: `de`, `blogspot.com`."""
    services: tuple[str, ...] = ()
    """Who sent it on, in the server's words."""
    has_feed: bool | None = None
    platforms: tuple[str, ...] = ()
    """On what the blog runs: `wordpress`, `blogger`. A host that belongs to no platform may run on
    any: the first harvest knows.
    """
    languages: tuple[str, ...] = ()
    """In which languages it is, as `de` or `pt-BR`; no ping says so, the first harvest does."""

    def hold(self, notice: Notice, platform_of: PlatformOf) -> bool:
        """Whether they do for a ping, as far as it tells."""
        host = f".{host_of_notice(notice.url)}"
        is_on_platform = not self.platforms or (platform_of(host[1:]) or self.platforms[0]) in self.platforms
        is_in_domain = not self.domains or any(host.endswith(f".{domain}") for domain in self.domains)
        is_of_service = not self.services or notice.service in self.services
        is_with_feed = self.has_feed is None or self.has_feed == bool(notice.feed)
        return is_in_domain and is_of_service and is_with_feed and is_on_platform

    def why_not(self, platform: str, language: str) -> str:
        """Why they do not hold for a blog that was harvested; empty where they do, or nobody knows."""
        is_of_others = self.platforms and platform and platform.casefold() not in self.platforms
        if is_of_others:
            return N_(f"it runs on {platform}, not on {' or '.join(self.platforms)}")
        is_in_one = any(is_spoken(language, one) for one in self.languages)
        if self.languages and language and not is_in_one:
            return N_(f"its language is {language}, not {' or '.join(self.languages)}")
        return ""


def is_spoken(language: str, wanted: str) -> bool:
    """`pt-BR` is `pt`, too."""
    spoken, asked = language.casefold().replace("_", "-"), wanted.casefold().replace("_", "-")
    return spoken == asked or spoken.startswith(f"{asked}-")


ANYTHING = Conditions()


@dataclass(frozen=True, slots=True)
class PingFilter:
    """One filter of the tree."""

    id: str
    name: str
    pattern: str
    kind: PatternKind = "words"
    subject: Subject = "address"
    excludes: bool = False
    parent: str | None = None
    order: int = 0
    is_on: bool = True
    conditions: Conditions = ANYTHING
    created: str = ""


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    """Whether a ping is let in, by which filter it was decided, in words, and all filters that took
    it.
    """

    is_let_in: bool
    reason: str
    by: str | None = None
    takers: tuple[str, ...] = ()


def expression_of(pattern: str, kind: PatternKind) -> str:
    """A pattern as an expression of the linear-time engine; UsageError where it cannot be one."""
    if len(pattern) > LONGEST_PATTERN:
        raise UsageError(f"The pattern is longer than {LONGEST_PATTERN} characters.")
    if kind == "words":
        return _any_of_words(pattern.split())
    if kind == "wildcards":
        return _with_wildcards(pattern.strip())
    return _checked(f"(?i:{pattern})")


def _any_of_words(words: Sequence[str]) -> str:
    short = [word for word in words if len(word) < SHORTEST_WORD]
    if short or not words:
        raise UsageError(f"A filter needs words of {SHORTEST_WORD} letters or more, each tried alone.")
    return "(?i:" + "|".join(map(re.escape, words)) + ")"


def _with_wildcards(pattern: str) -> str:
    if not pattern.strip("*?"):
        raise UsageError("A pattern of wildcards alone takes every ping; write at least a word.")
    pieces = (".*" if mark == "*" else "." if mark == "?" else re.escape(mark) for mark in pattern)
    return "(?is:^" + "".join(pieces) + "$)"


def _checked(expression: str) -> str:
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(expression, options=options)
    except re2.error as error:
        raise UsageError(f"The expression cannot be used: {_said(error)}.") from error
    return expression


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)


class FilterTree:
    """The filters that are on, ready to be tried on any number of pings."""

    def __init__(self, filters: Iterable[PingFilter], platform_of: PlatformOf = unknown_platform) -> None:
        """`platform_of`: the platform that a host belongs to, if it does."""
        self._platform_of = platform_of
        self._filters = _that_count(filters)
        if len(self._filters) > MOST_FILTERS:
            raise UsageError(f"There can be {MOST_FILTERS} filters; for more blogs use a list of sources.")
        self._below: dict[str | None, list[PingFilter]] = defaultdict(list)
        for one in sorted(self._filters.values(), key=lambda one: (one.order, one.id)):
            self._below[one.parent].append(one)
        self._patterns = {subject: _Patterns.of(self._filters.values(), subject) for subject in ("address", "name")}
        self._conditioned = [one for one in self._filters.values() if one.conditions != ANYTHING]
        # Most pings hold nothing at the top by their address; their names matter only where one
        # there looks at names.
        self._has_names_at_top = any(one.subject == "name" for one in self._below[None])
        # What is decided depends on nothing but which filters hold, and few sets of them ever do
        # together.
        self._decided: dict[tuple[str, ...], FilterVerdict] = {}

    def decide(self, notice: Notice) -> FilterVerdict:
        """Whether a ping is let in, and why."""
        holding = self._patterns["address"].found_in(notice.url)
        if holding or self._has_names_at_top:
            holding += self._patterns["name"].found_in(notice.name)
        if self._conditioned and holding:
            holding = [one for one in holding if self._filters[one].conditions.hold(notice, self._platform_of)]
        key = tuple(sorted(holding)) if len(holding) > 1 else tuple(holding)
        decided = self._decided.get(key)
        if decided is None:
            decided = self._decided[key] = self._decide(frozenset(holding))
        return decided

    def _decide(self, holding: frozenset[str]) -> FilterVerdict:
        takers = tuple(self._takers(self._below[None], holding))
        at_top = [one for one in self._below[None] if one.id in takers]
        excluding = next((one for one in at_top if one.excludes), None)
        if excluding:
            return FilterVerdict(False, N_(f"left out by the filter {excluding.name!r}"), excluding.id, takers)
        including = next(iter(at_top), None)
        if including:
            return FilterVerdict(True, N_(f"let in by the filter {including.name!r}"), including.id, takers)
        return self._nearly(holding, takers)

    def _nearly(self, holding: frozenset[str], takers: tuple[str, ...]) -> FilterVerdict:
        """Left out; by an exception of a filter that would have taken it, where there is one."""
        for one in self._below[None]:
            exceptions = (below for below in self._below[one.id] if below.id in takers and below.excludes)
            exception = next(exceptions, None) if one.id in holding and not one.excludes else None
            if exception:
                reason = N_(f"left out by the filter {exception.name!r} below {one.name!r}")
                return FilterVerdict(False, reason, exception.id, takers)
        return FilterVerdict(False, NOBODY, None, takers)

    def _takers(self, filters: Iterable[PingFilter], holding: frozenset[str]) -> Iterator[str]:
        """Which of these filters, and of those below them that the ping reaches, take it."""
        for one in filters:
            if one.id in holding:
                yield from self._takers(self._below[one.id], holding)
            if self._takes(one, holding):
                yield one.id

    def _takes(self, one: PingFilter, holding: frozenset[str]) -> bool:
        if one.id not in holding:
            return False
        below = self._below[one.id]
        narrowing = [child for child in below if child.excludes == one.excludes]
        exceptions = [child for child in below if child.excludes != one.excludes]
        if any(self._takes(child, holding) for child in exceptions):
            return False
        return not narrowing or any(self._takes(child, holding) for child in narrowing)


@dataclass(slots=True)
class _Patterns:
    """The patterns of all filters on one part of a ping, tried at once."""

    ids: list[str]
    _set: re2.Set | None = field(repr=False)

    @classmethod
    def of(cls, filters: Iterable[PingFilter], subject: Subject) -> _Patterns:
        chosen = [one for one in filters if one.subject == subject]
        if not chosen:
            return cls([], None)
        together = re2.Set.SearchSet()
        for one in chosen:
            together.Add(expression_of(one.pattern, one.kind))
        together.Compile()
        return cls([one.id for one in chosen], together)

    def found_in(self, text: str) -> list[str]:
        """The filters whose pattern is in a text."""
        if self._set is None:
            return []
        return [self.ids[number] for number in self._set.Match(text) or ()]


def _that_count(filters: Iterable[PingFilter]) -> Mapping[str, PingFilter]:
    """Those that are on and whose parents are, up to the top; a filter below one that is off is off
    too.
    """
    given = {one.id: one for one in filters}

    def counts(one: PingFilter) -> bool:
        depth = 0
        while one.is_on and one.parent is not None:
            depth += 1
            is_in_a_ring_or_too_deep = depth > DEEPEST
            if is_in_a_ring_or_too_deep or one.parent not in given:
                return False
            one = given[one.parent]
        return one.is_on

    return {name: one for name, one in given.items() if counts(one)}
