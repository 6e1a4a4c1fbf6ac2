"""A blog's rules in people's hands: shown with examples, tried on a page, set, locked, handed on, learned anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from blogforever.care.decisions import Decision
from blogforever.care.locks import ARTICLE, EXCLUDE, FIELDS, field_rules, with_field, with_locks
from blogforever.dom import node_text, parse_page
from blogforever.errors import UsageError
from blogforever.export.frame import blog_title
from blogforever.extract.apply import find_nodes, read_moment, text_of
from blogforever.extract.templates import choose_template
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules, load_rules, read_rule, rule_out
from blogforever.model import Feed, Page, Rule, Rules, Template
from blogforever.records import BlogRecord, PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import url_key
from blogforever.wording import counted

from .kept import KeptBlog
from .opening import open_archive, write_to
from .reading import choose_blog

EXAMPLES = 2
LOOKED_AT = 12  # pages that examples are taken from
TRAINING_PAGES = 30
SHOWN = 70


@dataclass(frozen=True, slots=True)
class _Blog:
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
        for post in posts[::step]:
            if sources := self.kept.sources(post):
                yield post, sources[0][1]


def show_rules(folder: Path, wanted: str) -> list[str]:
    """Every rule of a blog with its confidence, and what it finds on archived pages."""
    with open_archive(folder, writing=False) as archive:
        blog = _open(archive, wanted)
        return list(_shown(blog, blog.rules()))


def try_rule(folder: Path, wanted: str, written: str, field: str | None, url: str) -> list[str]:
    """What a rule finds on an archived page: the elements, and the value the field would get."""
    rule = read_rule(written)
    with open_archive(folder, writing=False) as archive:
        blog = _open(archive, wanted)
        page = blog.kept.last(url if "//" in url else f"https://{url}")
        if page is None:
            raise UsageError(f"The archive has no page {url} of {blog_title(blog.record)}.")
        rules = blog.kept.rules()
        return list(_tried(page, rule, _field(field) if field else "", rules.language if rules else None))


def set_rule(folder: Path, wanted: str, written: Sequence[str], field: str, reason: str = "", wait: bool = True) -> str:
    """Read a field by these rules from now on, whatever is learned."""
    rules = tuple(read_rule(one) for one in written)
    return _lock(folder, wanted, _field(field), rules, reason, wait)


def lock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> str:
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


def unlock_field(folder: Path, wanted: str, field: str, reason: str = "", wait: bool = True) -> str:
    """Let a field be learned again."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        if _field(field) not in blog.kept.locks():
            raise UsageError(f"The field {field} is not locked.")
        archive.decide(Decision(moment(), "unlock", blog.id, reason=reason, field=field))
        told = _relearn(blog, field)
        return f"The rules of {field} are unlocked{told}."


def relearn_field(folder: Path, wanted: str, field: str, wait: bool = True) -> str:
    """Learn the rules of one field anew from the archived feeds and pages; all others stay as they are."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        if _field(field) in blog.kept.locks():
            raise UsageError(f"The field {field} is locked; unlock it first.")
        told = _relearn(blog, field)
        if not told:
            raise UsageError(f"The archive has no feed of {blog_title(blog.record)} to learn from.")
        return f"The rules of {field} are{told.removeprefix(' and')}."


def export_rules(folder: Path, wanted: str) -> str:
    """The rules as a rule file."""
    with open_archive(folder, writing=False) as archive:
        return dump_rules(_open(archive, wanted).rules()) + "\n"


def import_rules(folder: Path, wanted: str, text: str, wait: bool = True) -> str:
    """Take over the rules of a rule file; what is locked there is locked here from now on."""
    rules = load_rules(text)
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        for field in FIELDS:
            locked = tuple(rule for rule in field_rules(rules, field) if rule.locked)
            if locked:
                archive.decide(_decision(blog.id, field, locked, "imported"))
        blog.keep(with_locks(rules, blog.kept.locks()), "imported by hand")
    return (
        f"{counted(len(rules.templates), 'template')} imported; blogforever reextract applies them to what is archived."
    )


def _open(archive: ArchiveFolder, wanted: str) -> _Blog:
    record = choose_blog(archive, wanted, everything=True).record
    if archive.writing and write_to(archive, [record.id]):
        record = choose_blog(archive, wanted, everything=True).record
    return _Blog(archive, record, KeptBlog(archive, record.id))


def _field(name: str) -> str:
    if name not in FIELDS:
        raise UsageError(f"There is no field {name!r}; there is: {', '.join(FIELDS)}.")
    return name


def _lock(folder: Path, wanted: str, field: str, rules: tuple[Rule, ...], reason: str, wait: bool) -> str:
    with open_archive(folder, writing=True, wait=wait) as archive:
        blog = _open(archive, wanted)
        archive.decide(_decision(blog.id, field, rules, reason))
        blog.keep(blog.rules(), f"{field} locked by hand")
    shown = ", ".join(rule.css for rule in rules)
    return f"Locked: {field} is read by {shown}. blogforever reextract applies it to what is archived."


def _decision(blog: str, field: str, rules: tuple[Rule, ...], reason: str) -> Decision:
    written = tuple(rule_out(rule) for rule in rules)
    return Decision(moment(), "lock", blog, reason=reason, field=field, rules=written)


def _relearn(blog: _Blog, field: str) -> str:
    entries = blog.kept.entries()
    present = blog.kept.rules() or Rules(blog.id)
    pages: list[Page] = []
    for post in blog.archive.library.posts(blog.id, everything=True):
        if len(pages) < TRAINING_PAGES and url_key(post.url) in entries and (found := blog.kept.sources(post)):
            pages.append(Page(post.url, found[0][1].content, found[0][1].headers, found[0][1].captured))
    if not pages:
        blog.keep(with_locks(present, blog.kept.locks()), f"{field} unlocked by hand")
        return ""
    feed = Feed(
        present.feed or "", "rss", link=present.blog, language=present.language, entries=tuple(entries.values())
    )
    earlier = [load_rules(one.rules) for one in reversed(blog.archive.store.blogs.revisions(blog.id))]
    fresh = with_field(present, field, [learn_rules(feed, pages), *earlier])
    blog.keep(with_locks(fresh, blog.kept.locks()), f"{field} learned anew by hand")
    return f" and learned anew from {counted(len(pages), 'page')}"


# ------------------------------------------------------------------ for people to read


def _shown(blog: _Blog, rules: Rules) -> Iterator[str]:
    source = f", learned from {rules.feed}" if rules.feed else ""
    yield f"{blog_title(blog.record)}: {counted(len(rules.templates), 'template')}{source}"
    pages = [(page, fit.template) for _post, page in blog.posts() if (fit := choose_template(parse_page(page), rules))]
    for number, template in enumerate(rules.templates, 1):
        yield f"Template {number}, taught by {counted(template.pages, 'page')}"
        mine = [page for page, chosen in pages if chosen == template]
        yield from _shown_template(template, mine, rules.language)
    for comments in rules.comments:
        yield f"Comments  {comments.item}  {comments.confidence:.2f}"


def _shown_template(template: Template, pages: Sequence[Page], language: str | None) -> Iterator[str]:
    fields: Mapping[str, Sequence[Rule]] = {ARTICLE: [template.article], **template.fields, EXCLUDE: template.exclude}
    for name, rules in fields.items():
        for number, rule in enumerate(rules):
            lock = "  locked" if rule.locked else ""
            yield f"  {name:<10} {_written(rule)}  {rule.confidence:.2f}{lock}"
            wanted = pages if number == 0 and name != EXCLUDE else ()
            values = ((page.url, value) for page in wanted if (value := _value(page, rule, name, language)))
            yield from (f"             {value!r}  {url}" for url, value in islice(values, EXAMPLES))


def _written(rule: Rule) -> str:
    more = rule_out(rule)
    for known in ("css", "xpath", "attribute", "confidence", "pages", "locked"):
        more.pop(known, None)
    attribute = f"@{rule.attribute}" if rule.attribute else ""
    return rule.css + attribute + "".join(f" {name}={value!r}" for name, value in more.items())


def _value(page: Page, rule: Rule, field: str, language: str | None) -> str | None:
    """What a rule takes from a page, as a person may see it."""
    nodes = find_nodes(parse_page(page), rule.css)
    if not nodes:
        return None
    if field in ("tags", "categories"):
        return ", ".join(text for node in nodes if (text := text_of(node, rule)))[:SHOWN] or None
    text = text_of(nodes[0], rule)
    when = (
        read_moment(rule, text, [language] if language else [], page.captured)
        if field == "published" and text
        else None
    )
    return when.iso if when else text[:SHOWN] if text else None


def _tried(page: Page, rule: Rule, field: str, language: str | None) -> Iterator[str]:
    nodes = find_nodes(parse_page(page), rule.css)
    yield f"{_written(rule)} finds {counted(len(nodes), 'element')} on {page.url}"
    for node in nodes[: EXAMPLES * 2]:
        named = "".join(f' {n}="{v or ""}"' for n, v in node.attributes.items())[:SHOWN]
        yield f"  <{node.tag}{named}>  {' '.join(node_text(node).split())[:SHOWN]!r}"
    if field:
        value: Any = _value(page, rule, field, language)
        yield f"{field} would be {value!r}" if value else f"{field} would not be found by it"
