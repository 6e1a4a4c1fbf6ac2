"""What a blog's rules find: examples from archived pages, one rule tried on a page, all fields before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from selectolax.lexbor import LexborNode

from blogforever.care.locks import ARTICLE, EXCLUDE, Locks
from blogforever.dom import node_text
from blogforever.errors import UsageError
from blogforever.extract.apply import find_nodes, read_moment, text_of
from blogforever.extract.sharedpage import page_of
from blogforever.extract.templates import choose_template
from blogforever.learn.rulefile import read_rule, rule_out
from blogforever.model import CommentRules, Page, Rule, Rules, Template
from blogforever.page.view import view_of
from blogforever.pipeline.again import read_again
from blogforever.pipeline.guard import StageGuard
from blogforever.pipeline.reading import StageFailed, read_page
from blogforever.records import PostRecord, SourceRecord
from blogforever.urls import url_key

from .ruled import RuledBlog, checked_field, with_proposed
from .stages import load_stages, reading_by

# What a rule finds on two pages shows whether it finds the same on each.
EXAMPLES = 2
# A rule that finds more finds too much: the first elements show what.
ELEMENTS_SHOWN = 4
# What the rule file says of a rule beside what finds and changes a text.
NOT_WRITTEN = ("css", "xpath", "attribute", "confidence", "pages", "locked")
# The fields of a record that rules read, and the rules that read them: the text is what the article
# holds.
READ_BY = {
    "title": "title",
    "authors": "authors",
    "published": "published",
    "tags": "tags",
    "categories": "categories",
    "text": ARTICLE,
}


@dataclass(frozen=True, slots=True)
class RuleExample:
    """What a rule finds on an archived page."""

    url: str
    value: str


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule of a field as one may write it, and what the first rule of a field finds; `css` is its
    selector.
    """

    field: str
    written: str
    confidence: float
    locked: bool
    examples: tuple[RuleExample, ...] = ()
    css: str = ""


@dataclass(frozen=True, slots=True)
class ShownTemplate:
    """One kind of page of a blog: how many of its pages taught the rules, and the rules."""

    pages: int
    rules: tuple[ShownRule, ...]


@dataclass(frozen=True, slots=True)
class ShownRules:
    """All rules of a blog; `feed` is where they were learned from."""

    title: str
    feed: str | None
    templates: tuple[ShownTemplate, ...]
    comments: tuple[CommentRules, ...]


@dataclass(frozen=True, slots=True)
class FoundElement:
    """An element of a page that a rule finds."""

    tag: str
    attributes: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class TriedRule:
    """What a rule finds on a page: how many elements, the first of them, and what the field would
    be.
    """

    written: str
    url: str
    number: int
    elements: tuple[FoundElement, ...]
    field: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class TriedField:
    """A field of a page: as the archive has it, and as it would be read; by what, and how sure that
    is.
    """

    field: str
    before: str | None
    after: str | None
    by: str
    rule: str | None
    confidence: float | None

    @property
    def changes(self) -> bool:
        """Whether it would read otherwise."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class TriedPage:
    """All fields of a page, and what each rule that was proposed finds there."""

    url: str
    captured: str
    is_post: bool
    fields: tuple[TriedField, ...]
    proposed: tuple[TriedRule, ...]


@dataclass(frozen=True, slots=True)
class RulePage:
    """An archived page that rules are tried on; `post` is what the archive has of it as a post."""

    url: str
    page: Page
    post: PostRecord | None = None
    others: tuple[tuple[SourceRecord, Page], ...] = ()


def shown_rules(blog: RuledBlog) -> ShownRules:
    """Every rule of a blog with its confidence, and what it finds on archived pages."""
    rules = blog.rules()
    pages = _pages_by_template(blog, rules)
    templates = (_shown_template(template, pages, rules.language) for template in rules.templates)
    return ShownRules(blog.title, rules.feed, tuple(templates), rules.comments)


def rule_page(blog: RuledBlog, typed: str) -> RulePage:
    """The archived page at an address, if it may be shown; UsageError where there is none."""
    url = typed if "//" in typed else f"https://{typed}"
    post = blog.post_at(url)
    sources = blog.kept.sources(post) if post else []
    if post and sources:
        own = blog.shown(page_of(sources[0][1], post.url, blog.shared()))
        return RulePage(post.url, own, post, tuple(sources[1:]))
    is_hidden = blog.archive.veil.blog(blog.id) or blog.archive.veil.hides("url", url, blog.id)
    page = None if is_hidden else blog.kept.last(url)
    if page is None:
        raise UsageError(f"The archive has no page {url} of {blog.title}.")
    return RulePage(page.url, blog.shown(page))


def tried_rule(blog: RuledBlog, rule: Rule, field: str | None, url: str) -> TriedRule:
    """What a rule finds on an archived page: the elements, and the value the field would get."""
    return _tried(blog, rule_page(blog, url).page, rule, field)


def tried_page(blog: RuledBlog, url: str, proposed: Locks) -> TriedPage:
    """What an archived page would be read as by the present rules and those that are proposed."""
    for field in proposed:
        checked_field(field)
    place = rule_page(blog, url)
    rules = blog.kept.rules()
    if proposed:
        rules = with_proposed(rules or Rules(blog.id), blog.kept.locks(), proposed)
    fresh = _read(blog, place, rules)
    found = (_tried(blog, place.page, rule, field) for field, rules in proposed.items() for rule in rules)
    return TriedPage(
        place.url,
        _stamp(place.page.captured),
        place.post is not None,
        tuple(_tried_field(name, place.post, fresh) for name in READ_BY),
        tuple(found),
    )


def read_rules(written: Mapping[str, Sequence[str]]) -> dict[str, tuple[Rule, ...]]:
    """Rules by field as people write them; one clear sentence where one is none."""
    return {checked_field(field): tuple(map(read_rule, rules)) for field, rules in written.items()}


def written_rule(rule: Rule) -> str:
    """A rule as --try and --set take it, with what it does to the text behind it."""
    more = {name: value for name, value in rule_out(rule).items() if name not in NOT_WRITTEN}
    attribute = f"@{rule.attribute}" if rule.attribute else ""
    return rule.css + attribute + "".join(f" {name}={value!r}" for name, value in more.items())


def _read(blog: RuledBlog, place: RulePage, rules: Rules | None) -> PostRecord:
    """The page read by these rules, as a re-reading of the whole blog would."""
    reading = reading_by(rules, load_stages(), StageGuard())
    entry = blog.kept.entries().get(url_key(place.url)) if place.post else None
    try:
        if place.post:
            return read_again(place.post, place.page, reading, entry, place.others)
        return read_page(place.page, reading, entry, blog=blog.id).record
    except StageFailed as error:
        raise UsageError(f"The page {place.url} cannot be read.") from error


def _tried_field(name: str, before: PostRecord | None, after: PostRecord) -> TriedField:
    # The text is that of the article, which records know by its HTML.
    said = after.provenance.get("html" if name == "text" else name)
    return TriedField(
        name,
        _as_text(getattr(before, name)) if before else None,
        _as_text(getattr(after, name)),
        said.by if said else "",
        said.rule if said else None,
        said.confidence if said else None,
    )


def _as_text(value: object) -> str | None:
    """The value of a field as one text."""
    if isinstance(value, tuple):
        return ", ".join(getattr(one, "name", None) or str(one) for one in value) or None
    return str(value) if value else None


def _stamp(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


def _pages_by_template(blog: RuledBlog, rules: Rules) -> list[tuple[Page, Template]]:
    """Some pages of posts, each with the template that reads it."""
    found: list[tuple[Page, Template]] = []
    for _post, page in blog.posts():
        fit = choose_template(view_of(page).tree, rules)
        if fit:
            found.append((page, fit.template))
    return found


def _shown_template(template: Template, pages: Sequence[tuple[Page, Template]], language: str | None) -> ShownTemplate:
    own_pages = [page for page, chosen in pages if chosen == template]
    fields: Mapping[str, Sequence[Rule]] = {ARTICLE: [template.article], **template.fields, EXCLUDE: template.exclude}
    shown: list[ShownRule] = []
    for name, rules in fields.items():
        for number, rule in enumerate(rules):
            # What is left out is no value of the post; further rules of a field are only asked
            # where the first fails.
            is_example = number == 0 and name != EXCLUDE
            examples = _examples(own_pages, rule, name, language) if is_example else ()
            shown.append(ShownRule(name, written_rule(rule), rule.confidence, rule.locked, examples, rule.css))
    return ShownTemplate(template.pages, tuple(shown))


def _examples(pages: Iterable[Page], rule: Rule, field: str, language: str | None) -> tuple[RuleExample, ...]:
    values = ((page.url, value_by(page, rule, field, language)) for page in pages)
    examples = (RuleExample(url, value) for url, value in values if value)
    return tuple(islice(examples, EXAMPLES))


def value_by(page: Page, rule: Rule, field: str, language: str | None) -> str | None:
    """What a field gets by a rule from a page."""
    nodes = find_nodes(view_of(page).tree, rule.css)
    if not nodes:
        return None
    if field in ("tags", "categories"):
        texts = [text_of(node, rule) for node in nodes]
        return ", ".join(text for text in texts if text) or None
    text = text_of(nodes[0], rule)
    if field == "published" and text:
        languages = [language] if language else []
        when = read_moment(rule, text, languages, page.captured)
        return when.iso if when else text
    return text or None


def _tried(blog: RuledBlog, page: Page, rule: Rule, field: str | None) -> TriedRule:
    nodes = find_nodes(view_of(page).tree, rule.css)
    elements = tuple(_element(node) for node in nodes[:ELEMENTS_SHOWN])
    tried = TriedRule(written_rule(rule), page.url, len(nodes), elements)
    if not field:
        return tried
    rules = blog.kept.rules()
    value = value_by(page, rule, checked_field(field), rules.language if rules else None)
    return replace(tried, field=field, value=value)


def _element(node: LexborNode) -> FoundElement:
    attributes = {name: value or "" for name, value in node.attributes.items()}
    return FoundElement(node.tag or "", attributes, " ".join(node_text(node).split()))
