"""A blog's rules in people's hands: shown, tried, set, locked, handed on, learned anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from selectolax.lexbor import LexborNode

from blogforever.care.decisions import Decision
from blogforever.care.locks import ARTICLE, EXCLUDE, FIELDS, field_rules, with_field, with_locks
from blogforever.dom import node_text
from blogforever.errors import UsageError
from blogforever.export.frame import blog_title
from blogforever.extract.apply import find_nodes, read_moment, text_of
from blogforever.extract.sharedpage import page_of
from blogforever.extract.templates import choose_template
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules, load_rules, read_rule, rule_out
from blogforever.model import CommentRules, Entry, Feed, Page, Rule, Rules, Template
from blogforever.page.view import view_of
from blogforever.records import BlogRecord, PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import url_key

from .kept import KeptBlog
from .opening import open_archive, write_to
from .reading import choose_blog

# What a rule finds on two pages shows whether it finds the same on each.
EXAMPLES = 2
# Pages that examples are taken from: each is read out of its WARC file.
LOOKED_AT = 12
# A rule that finds more finds too much: the first elements show what.
ELEMENTS_SHOWN = 4
# Pages that a field is learned anew from: each is read out of its WARC file and parsed.
TRAINING_PAGES = 30
# What the rule file says of a rule beside what finds and changes a text.
NOT_WRITTEN = ("css", "xpath", "attribute", "confidence", "pages", "locked")


@dataclass(frozen=True, slots=True)
class RuleExample:
    """What a rule finds on an archived page."""

    url: str
    value: str


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule of a field as one may write it, and what the first rule of a field finds."""

    field: str
    written: str
    confidence: float
    locked: bool
    examples: tuple[RuleExample, ...] = ()


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


@dataclass(frozen=True, slots=True)
class _RuledBlog:
    """A blog whose rules are in somebody's hands."""

    archive: ArchiveFolder
    record: BlogRecord
    kept: KeptBlog

    @property
    def id(self) -> str:
        return self.record.id

    def rules(self) -> Rules:
        found = self.kept.rules()
        if found is None:
            raise UsageError(f"The archive has no rules of {blog_title(self.record)}; crawl it, or import some.")
        return found

    def keep(self, rules: Rules, reason: str) -> None:
        decision = Decision(moment(), "rules", self.id, reason=reason, text=dump_rules(rules))
        self.archive.decide(decision)
        put_in_force(self.archive, decision)

    def posts(self) -> Iterator[tuple[PostRecord, Page]]:
        """Posts with their pages, spread over the years."""
        posts = list(self.archive.library.posts(self.id))
        step = max(1, len(posts) // LOOKED_AT)
        rules = self.kept.rules()
        shared = rules.shared if rules else None
        for post in posts[::step]:
            if sources := self.kept.sources(post):
                yield post, page_of(sources[0][1], post.url, shared)


def show_rules(folder: Path, wanted: str) -> ShownRules:
    """Every rule of a blog with its confidence, and what it finds on archived pages."""
    with open_archive(folder, writing=False) as archive:
        blog = _open(archive, wanted)
        rules = blog.rules()
        pages = _pages_by_template(blog, rules)
        templates = (_shown_template(template, pages, rules.language) for template in rules.templates)
        return ShownRules(blog_title(blog.record), rules.feed, tuple(templates), rules.comments)


def try_rule(folder: Path, wanted: str, written: str, field: str | None, url: str) -> TriedRule:
    """What a rule finds on an archived page: the elements, and the value the field would get."""
    rule = read_rule(written)
    with open_archive(folder, writing=False) as archive:
        blog = _open(archive, wanted)
        page = blog.kept.last(url if "//" in url else f"https://{url}")
        if page is None:
            raise UsageError(f"The archive has no page {url} of {blog_title(blog.record)}.")
        rules = blog.kept.rules()
        tried = _tried(page, rule)
        if not field:
            return tried
        value = _value(page, rule, _field(field), rules.language if rules else None)
        return replace(tried, field=field, value=value)


def set_rule(
    folder: Path, wanted: str, written: Sequence[str], field: str, reason: str = "", wait: bool = True
) -> LockedField:
    """Read a field by these rules from now on, whatever is learned."""
    rules = tuple(map(read_rule, written))
    return _lock(folder, wanted, _field(field), rules, reason, wait)


def lock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> LockedField:
    """Keep the present rules of a field, whatever is learned."""
    with open_archive(folder, writing=False) as archive:
        rules = field_rules(_open(archive, wanted).rules(), _field(field))
    if not rules:
        raise UsageError(f"There is no rule for {field} that could be locked.")
    return _lock(folder, wanted, field, rules, reason, wait)


def put_in_force(archive: ArchiveFolder, decision: Decision) -> None:
    """Make rules that somebody chose the blog's present ones."""
    blog = decision.blog or ""
    archive.write_rules(blog, decision.text)
    archive.store.blogs.add_revision(blog, decision.text, decision.reason, decision.at)


def unlock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> LearnedField:
    """Let a field be learned again, and learn it where there is a feed to learn from."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        if _field(field) not in blog.kept.locks():
            raise UsageError(f"The field {field} is not locked.")
        archive.decide(Decision(moment(), "unlock", blog.id, reason=reason, field=field))
        return LearnedField(field, _relearn(blog, field))


def relearn_field(folder: Path, wanted: str, field: str, wait: bool = True) -> LearnedField:
    """Learn the rules of one field anew from the archived feeds and pages; all others stay as they
    are.
    """
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        if _field(field) in blog.kept.locks():
            raise UsageError(f"The field {field} is locked; unlock it first.")
        pages = _relearn(blog, field)
        if not pages:
            raise UsageError(f"The archive has no feed of {blog_title(blog.record)} to learn from.")
        return LearnedField(field, pages)


def export_rules(folder: Path, wanted: str) -> str:
    """The rules as a rule file."""
    with open_archive(folder, writing=False) as archive:
        return dump_rules(_open(archive, wanted).rules()) + "\n"


def import_rules(folder: Path, wanted: str, text: str, wait: bool = True) -> Rules:
    """Take over the rules of a rule file; what is locked there is locked here from now on."""
    rules = load_rules(text)
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        for field in FIELDS:
            locked = tuple(rule for rule in field_rules(rules, field) if rule.locked)
            if locked:
                archive.decide(_decision(blog.id, field, locked, "imported"))
        blog.keep(with_locks(rules, blog.kept.locks()), "imported by hand")
    return rules


def _open(archive: ArchiveFolder, wanted: str) -> _RuledBlog:
    record = choose_blog(archive, wanted, everything=True).record
    if archive.writing and write_to(archive, [record.id]):
        record = choose_blog(archive, wanted, everything=True).record
    return _RuledBlog(archive, record, KeptBlog(archive, record.id))


def _field(name: str) -> str:
    if name not in FIELDS:
        raise UsageError(f"There is no field {name!r}; there is: {', '.join(FIELDS)}.")
    return name


def _lock(folder: Path, wanted: str, field: str, rules: tuple[Rule, ...], reason: str, wait: bool) -> LockedField:
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        archive.decide(_decision(blog.id, field, rules, reason))
        blog.keep(blog.rules(), f"{field} locked by hand")
    return LockedField(field, tuple(rule.css for rule in rules))


def _decision(blog: str, field: str, rules: tuple[Rule, ...], reason: str) -> Decision:
    written = tuple(rule_out(rule) for rule in rules)
    return Decision(moment(), "lock", blog, reason=reason, field=field, rules=written)


def _relearn(blog: _RuledBlog, field: str) -> int:
    """Learn one field from the archived feeds; from how many pages. The earlier rules stay where
    there is no feed.
    """
    entries = blog.kept.entries()
    present = blog.kept.rules() or Rules(blog.id)
    pages = list(islice(_training_pages(blog, entries), TRAINING_PAGES))
    if not pages:
        blog.keep(with_locks(present, blog.kept.locks()), f"{field} unlocked by hand")
        return 0
    feed = Feed(
        present.feed or "", "rss", link=present.blog, language=present.language, entries=tuple(entries.values())
    )
    earlier = [load_rules(revision.rules) for revision in reversed(blog.archive.store.blogs.revisions(blog.id))]
    fresh = with_field(present, field, [learn_rules(feed, pages), *earlier])
    blog.keep(with_locks(fresh, blog.kept.locks()), f"{field} learned anew by hand")
    return len(pages)


def _training_pages(blog: _RuledBlog, entries: Mapping[str, Entry]) -> Iterator[Page]:
    """The archived pages of posts that a feed tells of."""
    rules = blog.kept.rules()
    shared = rules.shared if rules else None
    for post in blog.archive.library.posts(blog.id, everything=True):
        sources = blog.kept.sources(post) if url_key(post.url) in entries else []
        if sources:
            yield page_of(sources[0][1], post.url, shared)


def _pages_by_template(blog: _RuledBlog, rules: Rules) -> list[tuple[Page, Template]]:
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
            shown.append(ShownRule(name, _written(rule), rule.confidence, rule.locked, examples))
    return ShownTemplate(template.pages, tuple(shown))


def _examples(pages: Iterable[Page], rule: Rule, field: str, language: str | None) -> tuple[RuleExample, ...]:
    values = ((page.url, _value(page, rule, field, language)) for page in pages)
    examples = (RuleExample(url, value) for url, value in values if value)
    return tuple(islice(examples, EXAMPLES))


def _written(rule: Rule) -> str:
    """A rule as --try and --set take it, with what it does to the text behind it."""
    more = {name: value for name, value in rule_out(rule).items() if name not in NOT_WRITTEN}
    attribute = f"@{rule.attribute}" if rule.attribute else ""
    return rule.css + attribute + "".join(f" {name}={value!r}" for name, value in more.items())


def _value(page: Page, rule: Rule, field: str, language: str | None) -> str | None:
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


def _tried(page: Page, rule: Rule) -> TriedRule:
    nodes = find_nodes(view_of(page).tree, rule.css)
    elements = tuple(_element(node) for node in nodes[:ELEMENTS_SHOWN])
    return TriedRule(_written(rule), page.url, len(nodes), elements)


def _element(node: LexborNode) -> FoundElement:
    attributes = {name: value or "" for name, value in node.attributes.items()}
    return FoundElement(node.tag or "", attributes, " ".join(node_text(node).split()))
