"""A blog's rules in people's hands, for the command line: shown, tried, set, locked, handed on, learned anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from blogforever.learn.rulefile import dump_rules, load_rules, read_rule
from blogforever.model import Rules

from .ruled import checked_field, opened_rules
from .rulefindings import ShownRules, TriedRule, shown_rules, tried_rule


@dataclass(frozen=True, slots=True)
class LockedField:
    """A field that is read by these selectors from now on."""

    field: str
    selectors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LearnedField:
    """A field whose rules were learned anew from so many pages; from none where the archive has no
    feed.
    """

    field: str
    pages: int


def show_rules(folder: Path, wanted: str) -> ShownRules:
    """Every rule of a blog with its confidence, and what it finds on archived pages."""
    with opened_rules(folder, wanted, writing=False) as blog:
        return shown_rules(blog)


def try_rule(folder: Path, wanted: str, written: str, field: str | None, url: str) -> TriedRule:
    """What a rule finds on an archived page: the elements, and the value the field would get."""
    rule = read_rule(written)
    with opened_rules(folder, wanted, writing=False) as blog:
        return tried_rule(blog, rule, field, url)


def set_rule(
    folder: Path, wanted: str, written: Sequence[str], field: str, reason: str = "", wait: bool = True
) -> LockedField:
    """Read a field by these rules from now on, whatever is learned."""
    rules = tuple(map(read_rule, written))
    checked_field(field)
    with opened_rules(folder, wanted, writing=True, wait=wait) as blog:
        blog.lock(field, rules, reason)
    return LockedField(field, tuple(rule.css for rule in rules))


def lock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> LockedField:
    """Keep the present rules of a field, whatever is learned."""
    with opened_rules(folder, wanted, writing=True, wait=wait) as blog:
        rules = blog.lock_present(field, reason)
    return LockedField(field, tuple(rule.css for rule in rules))


def unlock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> LearnedField:
    """Let a field be learned again, and learn it where there is a feed to learn from."""
    with opened_rules(folder, wanted, writing=True, wait=wait) as blog:
        return LearnedField(field, blog.unlock(field, reason))


def relearn_field(folder: Path, wanted: str, field: str, wait: bool = True) -> LearnedField:
    """Learn the rules of one field anew from the archived feeds and pages; all others stay as they
    are.
    """
    with opened_rules(folder, wanted, writing=True, wait=wait) as blog:
        return LearnedField(field, blog.relearn(field))


def export_rules(folder: Path, wanted: str) -> str:
    """The rules as a rule file."""
    with opened_rules(folder, wanted, writing=False) as blog:
        return dump_rules(blog.rules()) + "\n"


def import_rules(folder: Path, wanted: str, text: str, wait: bool = True) -> Rules:
    """Take over the rules of a rule file; what is locked there is locked here from now on."""
    rules = load_rules(text)
    with opened_rules(folder, wanted, writing=True, wait=wait) as blog:
        blog.take_over(rules, "imported by hand")
    return rules
