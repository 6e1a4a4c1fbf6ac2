"""blogforever rules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive import rulefindings, ruling
from blogforever.archive.extracting import read_input
from blogforever.config import Config
from blogforever.errors import ArchiveError, UsageError
from blogforever.model import Rules
from blogforever.wording import counted

from .configfile import config_flags, load_config

# Of a text, as much as fits into a line beside an address.
SHOWN = 70
ACTIONS = ("try_it", "put", "lock", "unlock", "relearn", "export_to", "import_from")


@click.command("rules")
@click.argument("blog", metavar="BLOG")
@click.option(
    "--try",
    "try_it",
    metavar="RULE",
    help="Show what RULE finds on --page, and what --field would be.",
)
@click.option(
    "--set",
    "put",
    metavar="RULE",
    multiple=True,
    help="Read --field by RULE from now on; several: in order.",
)
@click.option(
    "--field",
    metavar="FIELD",
    help="title, authors, published, tags, categories, article or exclude.",
)
@click.option("--page", metavar="URL", help="An archived page of the blog.")
@click.option("--lock", metavar="FIELD", help="Keep the present rules of FIELD, whatever is learned.")
@click.option("--unlock", metavar="FIELD", help="Let FIELD be learned again, and learn it.")
@click.option("--relearn", metavar="FIELD", help="Learn FIELD anew from what is archived; the others stay.")
@click.option("--export", "export_to", metavar="FILE|-", help="Write the rules as a rule file.")
@click.option("--import", "import_from", metavar="FILE|-", help="Take over the rules of a rule file.")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@config_flags("archive", "wait", "log_level", "log_format")
def command(blog: str, **flags: Any) -> int:
    """Show a blog's rules with their confidence and examples; try, set, lock, hand on or re-learn
    them.

    A RULE is a CSS selector (h1.headline), a selector with an attribute (time@datetime), or an
    object of the rule file ({"css": "p.by", "xpath": "", "prefix": "By "}). What is set or locked
    is kept in the journal and survives every re-learning. Rules change what is read from now on;
    blogforever reextract applies them to what is archived.

    \b
    blogforever rules some.blog
    blogforever rules some.blog --try "h1.headline" --field title --page https://some.blog/2013/04/a-post/
    blogforever rules some.blog --set "h1.headline" --field title --reason "the feed has only first words"
    blogforever rules some.blog --lock published
    blogforever rules some.blog --relearn authors
    blogforever rules some.blog --export rules.json
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    asked = [name for name in ACTIONS if flags[name]]
    if len(asked) > 1:
        raise UsageError("Only one of --try, --set, --lock, --unlock, --relearn, --export and --import at a time.")
    for line in _done(config, blog, asked[0] if asked else "", flags):
        click.echo(line)
    return 0


def _done(config: Config, blog: str, action: str, flags: dict[str, Any]) -> Iterable[str]:
    archive, wait = config.archive, config.wait
    value: Any = flags.get(action)
    reason = flags["reason"]
    actions: dict[str, Callable[[], Iterable[str]]] = {
        "try_it": lambda: _tried(ruling.try_rule(archive, blog, value, flags["field"], _needed(flags, "page"))),
        "put": lambda: _locked(ruling.set_rule(archive, blog, value, _needed(flags, "field"), reason, wait)),
        "lock": lambda: _locked(ruling.lock_field(archive, blog, value, reason, wait)),
        "unlock": lambda: _unlocked(ruling.unlock_field(archive, blog, value, reason, wait)),
        "relearn": lambda: _learned(ruling.relearn_field(archive, blog, value, wait)),
        "export_to": lambda: _written(ruling.export_rules(archive, blog), value),
        "import_from": lambda: _imported(ruling.import_rules(archive, blog, _read(value), wait)),
    }
    return actions.get(action, lambda: _shown(ruling.show_rules(archive, blog)))()


def _shown(rules: rulefindings.ShownRules) -> Iterator[str]:
    """Every rule with its confidence, and what it finds on archived pages."""
    source = f", learned from {rules.feed}" if rules.feed else ""
    yield f"{rules.title}: {counted(len(rules.templates), 'template')}{source}"
    for number, template in enumerate(rules.templates, 1):
        yield f"Template {number}, taught by {counted(template.pages, 'page')}"
        for rule in template.rules:
            yield from _rule_lines(rule)
    for comments in rules.comments:
        yield f"Comments  {comments.item}  {comments.confidence:.2f}"


def _rule_lines(rule: rulefindings.ShownRule) -> Iterator[str]:
    lock = "  locked" if rule.locked else ""
    yield f"  {rule.field:<10} {rule.written}  {rule.confidence:.2f}{lock}"
    for example in rule.examples:
        yield f"             {example.value[:SHOWN]!r}  {example.url}"


def _tried(tried: rulefindings.TriedRule) -> Iterator[str]:
    """The elements, and the value the field would get."""
    yield f"{tried.written} finds {counted(tried.number, 'element')} on {tried.url}"
    for element in tried.elements:
        attributes = "".join(f' {name}="{value}"' for name, value in element.attributes.items())
        yield f"  <{element.tag}{attributes[:SHOWN]}>  {element.text[:SHOWN]!r}"
    if tried.field and tried.value:
        yield f"{tried.field} would be {tried.value[:SHOWN]!r}"
    elif tried.field:
        yield f"{tried.field} would not be found by it"


def _locked(lock: ruling.LockedField) -> list[str]:
    selectors = ", ".join(lock.selectors)
    return [f"Locked: {lock.field} is read by {selectors}. blogforever reextract applies it to what is archived."]


def _unlocked(field: ruling.LearnedField) -> list[str]:
    learned = f" and learned anew from {counted(field.pages, 'page')}" if field.pages else ""
    return [f"The rules of {field.field} are unlocked{learned}."]


def _learned(field: ruling.LearnedField) -> list[str]:
    return [f"The rules of {field.field} are learned anew from {counted(field.pages, 'page')}."]


def _imported(rules: Rules) -> list[str]:
    templates = counted(len(rules.templates), "template")
    return [f"{templates} imported; blogforever reextract applies them to what is archived."]


def _read(place: str) -> str:
    return read_input(place, sys.stdin.buffer.read() if place == "-" else None).decode("utf-8", "replace")


def _needed(flags: dict[str, Any], name: str) -> str:
    if not flags[name]:
        raise UsageError(f"This needs --{name}, too.")
    return str(flags[name])


def _written(text: str, place: str) -> list[str]:
    if place == "-":
        return [text.rstrip("\n")]
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArchiveError(f"{place} cannot be written: {error.strerror or error}.") from error
    return [f"The rules are in {place}."]
