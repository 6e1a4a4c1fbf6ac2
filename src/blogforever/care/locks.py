"""Rules that a person has set: they stand in for what was learned, whenever a blog is learned again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from blogforever.model import Rule, Rules, Template

ARTICLE, EXCLUDE = "article", "exclude"
FIELDS = ("title", "authors", "published", "tags", "categories", ARTICLE, EXCLUDE)
Locks = Mapping[str, tuple[Rule, ...]]


def with_locks(rules: Rules, locks: Locks) -> Rules:
    """The rules with the locked ones in force, and no others that were locked before.

    A locked field is read by its locked rules alone, in every template. A
    locked article comes as a template of its own before the learned ones,
    with the fields of the first; locked exclusions join the learned ones.
    """
    learned = [template for template in rules.templates if not template.article.locked]
    articles = [_article(_locked(rule), learned) for rule in locks.get(ARTICLE, ())]
    templates = [_template(template, locks) for template in (*articles, *learned)]
    return replace(rules, templates=tuple(templates))


def _article(rule: Rule, learned: Sequence[Template]) -> Template:
    """A locked article as a template of its own, with the fields of the first learned one."""
    if not learned:
        return Template(rule)
    return Template(rule, exclude=learned[0].exclude, fields=learned[0].fields)


def field_rules(rules: Rules, name: str) -> tuple[Rule, ...]:
    """All rules of a field over the templates, each once."""
    found: dict[Rule, None] = {}
    for template in rules.templates:
        of_template = (template.article,) if name == ARTICLE else _rules_of(template, name)
        found |= dict.fromkeys(of_template)
    return tuple(found)


def with_field(rules: Rules, name: str, sources: Sequence[Rules]) -> Rules:
    """The rules with one field as the first of these has it, which was learned anew.

    A template that it does not know gets the rules that the
    field had there before, in the first that knows any.
    """
    if name == ARTICLE:
        return sources[0]
    templates = [_from_first(template, name, sources) for template in rules.templates]
    return replace(rules, templates=tuple(templates))


def _from_first(template: Template, name: str, sources: Sequence[Rules]) -> Template:
    """The template with a field's rules as the first of the sources has them that knows any."""
    for number, (source, twin) in enumerate(_twins(template, sources)):
        # The first source was learned anew: what it does not know any more is gone.
        is_learned_anew = number == 0 and source is sources[0]
        if is_learned_anew or _learned(_rules_of(twin, name)):
            return _with_rules(template, name, twin)
    return template


def _twins(template: Template, sources: Sequence[Rules]) -> Iterator[tuple[Rules, Template]]:
    """The same template in other rules: the one with the same article."""
    for source in sources:
        for twin in source.templates:
            if twin.article.css == template.article.css:
                yield source, twin


def _rules_of(template: Template, name: str) -> tuple[Rule, ...]:
    """The rules of a field other than the article."""
    return template.exclude if name == EXCLUDE else template.fields.get(name, ())


def _with_rules(template: Template, name: str, source: Template) -> Template:
    """The template with one field as the other has it."""
    fresh = _learned(_rules_of(source, name))
    if name == EXCLUDE:
        return replace(template, exclude=fresh)
    fields = {field: rules for field, rules in template.fields.items() if field != name}
    if fresh:
        fields[name] = fresh
    return replace(template, fields=fields)


def _template(template: Template, locks: Locks) -> Template:
    """A template with the locked rules in force."""
    fields = {name: _learned(rules) for name, rules in template.fields.items()}
    for name, rules in locks.items():
        if name not in (ARTICLE, EXCLUDE):
            fields[name] = tuple(map(_locked, rules))
    locked = tuple(map(_locked, locks.get(EXCLUDE, ())))
    # A learned exclusion that is locked now stands among the locked ones.
    selectors = {rule.css for rule in locked}
    learned = [rule for rule in _learned(template.exclude) if rule.css not in selectors]
    return replace(
        template,
        fields={name: rules for name, rules in fields.items() if rules},
        exclude=(*locked, *learned),
    )


def _learned(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if not rule.locked)


def _locked(rule: Rule) -> Rule:
    return replace(rule, locked=True)
