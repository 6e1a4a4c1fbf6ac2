"""Rules that a person has set: they stand in for what was learned, whenever a blog is learned again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from blogforever.model import Rule, Rules, Template

ARTICLE, EXCLUDE = "article", "exclude"
FIELDS = ("title", "authors", "published", "tags", "categories", ARTICLE, EXCLUDE)
Locks = Mapping[str, tuple[Rule, ...]]


def with_locks(rules: Rules, locks: Locks) -> Rules:
    """The rules with the locked ones in force, and no others that were locked before.

    A locked field is read by its locked rules alone, in every template. A locked article comes as a template of its own
    before the learned ones, with the fields of the first; locked exclusions join the learned ones.
    """
    learned = [template for template in rules.templates if not template.article.locked]
    articles = [Template(_locked(rule)) for rule in locks.get(ARTICLE, ())]
    if learned:
        articles = [replace(one, exclude=learned[0].exclude, fields=learned[0].fields) for one in articles]
    return replace(rules, templates=tuple(_template(one, locks) for one in (*articles, *learned)))


def field_rules(rules: Rules, name: str) -> tuple[Rule, ...]:
    """All rules of a field over the templates, each once."""
    if name == ARTICLE:
        return tuple(dict.fromkeys(template.article for template in rules.templates))
    return tuple(dict.fromkeys(rule for template in rules.templates for rule in _rules_of(template, name)))


def with_field(rules: Rules, name: str, sources: Sequence[Rules]) -> Rules:
    """The rules with one field as the first of these has it, which was learned anew.

    A template that it does not know gets the rules that the field had there before, in the first that knows any.
    """
    if name == ARTICLE:
        return sources[0]
    return replace(rules, templates=tuple(_from_first(template, name, sources) for template in rules.templates))


def _from_first(template: Template, name: str, sources: Sequence[Rules]) -> Template:
    twins = (twin for one in sources for twin in one.templates if twin.article.css == template.article.css)
    for number, twin in enumerate(twins):
        if (number == 0 and twin in sources[0].templates) or _learned(_rules_of(twin, name)):
            return _with_rules(template, name, twin)
    return template


def _rules_of(template: Template, name: str) -> tuple[Rule, ...]:
    return template.exclude if name == EXCLUDE else template.fields.get(name, ())


def _with_rules(template: Template, name: str, source: Template) -> Template:
    fresh = _learned(_rules_of(source, name))
    if name == EXCLUDE:
        return replace(template, exclude=fresh)
    others = {field: found for field, found in template.fields.items() if field != name}
    return replace(template, fields=others | ({name: fresh} if fresh else {}))


def _template(template: Template, locks: Locks) -> Template:
    fields = {name: _learned(found) for name, found in template.fields.items()}
    fields |= {name: tuple(map(_locked, found)) for name, found in locks.items() if name not in (ARTICLE, EXCLUDE)}
    exclude = tuple(map(_locked, locks.get(EXCLUDE, ())))
    mine = {rule.css for rule in exclude}
    learned = [rule for rule in _learned(template.exclude) if rule.css not in mine]
    return replace(template, fields={n: found for n, found in fields.items() if found}, exclude=(*exclude, *learned))


def _learned(found: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in found if not rule.locked)


def _locked(rule: Rule) -> Rule:
    return replace(rule, locked=True)
