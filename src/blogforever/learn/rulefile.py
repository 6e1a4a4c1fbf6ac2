"""Rules to and from versioned JSON that a person can read and edit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from blogforever.errors import RulesError
from blogforever.model import CommentRules, Need, Rule, Rules, SharedPages, Template
from blogforever.typedjson import converted

Kind = TypeVar("Kind", Rule, Rules)
VERSION = 1
_ATTRIBUTE = re.compile(r"@[a-zA-Z][\w:-]*\s*$")
_PROBE = LexborHTMLParser("<p></p>")


def dump_rules(rules: Rules) -> str:
    """The rules as JSON text; what has its default value is left out."""
    return json.dumps(
        {
            "version": VERSION,
            "blog": rules.blog,
            "feed": rules.feed,
            "language": rules.language,
            "full_feed": rules.full_feed,
            "author": rules.author,
            **({"placeholders": rules.placeholders} if rules.placeholders else {}),
            "templates": [_template_out(template) for template in rules.templates],
            "comments": [asdict(item) for item in rules.comments],
            **({"browser": asdict(rules.browser)} if rules.browser else {}),
            **({"shared": asdict(rules.shared)} if rules.shared else {}),
            **({"by": rules.by} if rules.by else {}),
        },
        ensure_ascii=False,
        indent=1,
    )


def load_rules(text: str) -> Rules:
    """Rules from JSON text; RulesError says in one sentence what cannot be understood."""
    try:
        data = json.loads(text)
        # JSON may name half a character, which no file and no database takes.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise RulesError(f"the rule file is no JSON: {error}") from error
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise RulesError(f'the rule file must be an object with "version": {VERSION}')
    try:
        rules = Rules(
            blog=str(data.get("blog") or ""),
            templates=tuple(_template_in(item) for item in data.get("templates", ())),
            feed=data.get("feed"),
            language=data.get("language"),
            full_feed=data.get("full_feed"),
            author=data.get("author"),
            placeholders=tuple(map(str, data.get("placeholders", ()))),
            comments=tuple(_comments_in(item) for item in data.get("comments", ())),
            browser=_browser_in(data.get("browser")),
            shared=_shared_in(data["shared"]) if data.get("shared") else None,
            by=str(data.get("by") or ""),
        )
        return _of_its_types(rules)
    except (TypeError, KeyError, AttributeError, ValueError, RecursionError) as error:
        raise RulesError(f"the rule file has an entry that cannot be understood: {error}") from error


def read_rule(text: str) -> Rule:
    """A rule as a person writes it: a selector,
    `selector@attribute`, or an object of the rule file.
    """
    text = text.strip()
    try:
        if text.startswith("{"):
            return rule_in(json.loads(text))
        css, _, attribute = text.rpartition("@") if _ATTRIBUTE.search(text) else (text, "", "")
        rule = Rule(css.strip(), "", attribute=attribute.strip() or None)
        _check(rule.css)
    except (ValueError, TypeError, RecursionError) as error:
        raise RulesError(f"the rule {text[:80]!r} cannot be understood: {error}") from error
    if not rule.css:
        raise RulesError("a rule needs a selector")
    return replace(rule, xpath=_xpath(rule.css))


def _xpath(css: str) -> str:
    """The same node for people and other tools; empty where a selector has no such twin."""
    from cssselect import HTMLTranslator, SelectorError  # noqa: PLC0415  only rules that people write need it

    try:
        return HTMLTranslator().css_to_xpath(css, prefix="//")
    except SelectorError:
        return ""


def _browser_in(item: Any) -> Need | None:
    """Whether the blog needs a browser, as it was written; None where nothing was."""
    if not isinstance(item, Mapping):
        return None
    return Need(
        articles=bool(item.get("articles")),
        comments=bool(item.get("comments")),
        checked=str(item.get("checked") or ""),
        evidence=tuple(str(line) for line in item.get("evidence") or ()),
    )


def _template_out(template: Template) -> dict[str, Any]:
    """A template as the rule file writes it."""
    fields = {name: rules for name, rules in template.fields.items() if rules}
    return {
        "pages": template.pages,
        "article": rule_out(template.article),
        "fields": {name: [rule_out(rule) for rule in rules] for name, rules in fields.items()},
        "exclude": [rule_out(rule) for rule in template.exclude],
    }


def _template_in(data: dict[str, Any]) -> Template:
    """A template of the rule file, checked."""
    fields = data.get("fields", {})
    return Template(
        article=rule_in(data["article"]),
        exclude=tuple(map(rule_in, data.get("exclude", ()))),
        fields={name: tuple(map(rule_in, items)) for name, items in fields.items()},
        pages=int(data.get("pages", 0)),
    )


def rule_out(rule: Rule) -> dict[str, Any]:
    """A rule as the rule file writes it."""
    written: dict[str, Any] = {}
    for item in fields(Rule):
        value = getattr(rule, item.name)
        # A rule without a selector could not be read back;
        # all others are understood where they are missing.
        if item.name in ("css", "xpath") or value != item.default:
            written[item.name] = value
    return written


def rule_in(data: Mapping[str, Any]) -> Rule:
    """A rule of the rule file, checked."""
    rule = _of_its_types(Rule(**data))
    _check(rule.css, rule.after, rule.before, rule.beside)
    return rule


def _of_its_types(value: Kind) -> Kind:
    """The same, where each field holds what it is made for; ValueError where somebody wrote a number for a word."""
    return converted(asdict(value), type(value))


def _comments_in(data: dict[str, Any]) -> CommentRules:
    """Rules for comments of the rule file, checked."""
    rules = CommentRules(**data)
    _check(rules.item, rules.author, rules.date, rules.text, rules.parent)
    return rules


def _shared_in(data: dict[str, Any]) -> SharedPages:
    """Where posts begin on pages that they share, checked."""
    shared = SharedPages(**data)
    _check(shared.css, shared.inside)
    return shared


def _check(*selectors: str) -> None:
    """Let the parser try each selector that is not empty."""
    for css in filter(None, selectors):
        try:
            _PROBE.css_first(css)
        except SelectolaxError as error:
            raise RulesError(f"the rule file has a selector that cannot be read: {css}") from error
