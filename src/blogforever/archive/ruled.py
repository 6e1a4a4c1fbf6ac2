"""One blog of an open archive whose rules are in somebody's hands: read, locked, unlocked, learned anew, taken over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from blogforever.care.decisions import Decision
from blogforever.care.locks import FIELDS, Locks, field_rules, with_field, with_locks
from blogforever.dom import decode
from blogforever.errors import UsageError
from blogforever.export.frame import blog_title
from blogforever.extract.sharedpage import page_of
from blogforever.learn import learn_rules
from blogforever.learn.rulefile import dump_rules, load_rules, rule_out
from blogforever.model import Entry, Feed, Page, Rule, Rules, SharedPages
from blogforever.records import BlogRecord, PostRecord
from blogforever.storage.values import RevisionRow
from blogforever.store.folder import ArchiveFolder
from blogforever.store.journal import moment
from blogforever.urls import url_key

from .erasing import hidden_of
from .kept import KeptBlog
from .opening import open_archive, write_to
from .reading import choose_blog

# Pages that examples are taken from: each is read out of its WARC file.
LOOKED_AT = 12
# Pages that a field is learned anew from: each is read out of its WARC file and parsed.
TRAINING_PAGES = 30
UTF8 = {"content-type": "text/html; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class RuledBlog:
    """A blog whose rules are in somebody's hands; who changes them has opened the archive to write,
    and holds it.
    """

    archive: ArchiveFolder
    record: BlogRecord
    kept: KeptBlog

    @property
    def id(self) -> str:
        """Its name in the archive."""
        return self.record.id

    @property
    def title(self) -> str:
        """What people call it."""
        return blog_title(self.record)

    def rules(self) -> Rules:
        """Those in force; UsageError where there are none."""
        found = self.kept.rules()
        if found is None:
            raise UsageError(f"The archive has no rules of {self.title}; crawl it, or import some.")
        return found

    def shared(self) -> SharedPages | None:
        """Where posts begin on pages that they share."""
        rules = self.kept.rules()
        return rules.shared if rules else None

    def revisions(self) -> list[RevisionRow]:
        """The rules as they once were, newest first."""
        return self.archive.store.blogs.revisions(self.id)[::-1]

    def posts(self) -> Iterator[tuple[PostRecord, Page]]:
        """Some posts with their pages, spread over the years."""
        urls = [url for _day, _title, url in self.archive.library.headings(self.id)]
        step = max(1, len(urls) // LOOKED_AT)
        shared = self.shared()
        for url in urls[::step]:
            post = self.post_at(url)
            if post and (sources := self.kept.sources(post)):
                yield post, self.shown(page_of(sources[0][1], post.url, shared))

    def shown(self, page: Page) -> Page:
        """A page without what must not be shown of it."""
        if not self.archive.veil.mark(self.id):
            return page
        text = hidden_of(self.archive, self.id).blank(decode(page.content, page.headers), page.url)
        return replace(page, content=text.encode("utf-8", "replace"), headers=UTF8)

    def post_at(self, url: str) -> PostRecord | None:
        """The post at an address, if it is of this blog and may be shown."""
        named = [post for post in self.archive.store.posts.named(url) if post.blog == self.id]
        # One that had this address once must not hide the one that has it now.
        named.sort(key=lambda post: post.url != url)
        return self.archive.veil.post(named[0]) if named else None

    # ------------------------------------------------------------------ decisions

    def keep(self, rules: Rules, reason: str) -> None:
        """Put rules in force, for good."""
        decision = Decision(moment(), "rules", self.id, reason=reason, text=dump_rules(rules))
        self.archive.decide(decision)
        put_in_force(self.archive, decision)

    def lock(self, field: str, rules: Sequence[Rule], reason: str = "") -> None:
        """Read a field by these rules from now on, whatever is learned."""
        self._note_lock(checked_field(field), rules, reason)
        self.keep(self.rules(), f"{field} locked by hand")

    def lock_present(self, field: str, reason: str = "") -> tuple[Rule, ...]:
        """Keep the present rules of a field, whatever is learned."""
        rules = field_rules(self.rules(), checked_field(field))
        if not rules:
            raise UsageError(f"There is no rule for {field} that could be locked.")
        self.lock(field, rules, reason)
        return rules

    def unlock(self, field: str, reason: str = "") -> int:
        """Let a field be learned again, and learn it; from how many pages."""
        if checked_field(field) not in self.kept.locks():
            raise UsageError(f"The field {field} is not locked.")
        self.archive.decide(Decision(moment(), "unlock", self.id, reason=reason, field=field))
        return self._learn(field)

    def relearn(self, field: str) -> int:
        """Learn the rules of a field anew; from how many pages."""
        if checked_field(field) in self.kept.locks():
            raise UsageError(f"The field {field} is locked; unlock it first.")
        pages = self._learn(field)
        if not pages:
            raise UsageError(f"The archive has no feed of {self.title} to learn from.")
        return pages

    def take_over(self, rules: Rules, reason: str) -> None:
        """Put somebody's rules in force; what is locked there is locked here from now on."""
        for field in FIELDS:
            if locked := tuple(rule for rule in field_rules(rules, field) if rule.locked):
                self._note_lock(field, locked, reason)
        self.keep(with_locks(rules, self.kept.locks()), reason)

    def go_back(self, number: int) -> None:
        """Put the rules of a revision in force again; what is locked now stays so."""
        revision = self.archive.store.blogs.revision(self.id, number)
        if revision is None:
            raise UsageError(f"There is no revision {number} of the rules of {self.title}.")
        rules = with_locks(load_rules(revision.rules), self.kept.locks())
        self.keep(rules, f"back to revision {number} by hand")

    def _note_lock(self, field: str, rules: Sequence[Rule], reason: str) -> None:
        written = tuple(rule_out(rule) for rule in rules)
        self.archive.decide(Decision(moment(), "lock", self.id, reason=reason, field=field, rules=written))

    def _learn(self, field: str) -> int:
        """Learn one field from the archived feeds; from how many pages.

        The earlier rules stay where there is no feed.
        """
        entries = self.kept.entries()
        present = self.kept.rules() or Rules(self.id)
        pages = list(islice(self._training_pages(entries), TRAINING_PAGES))
        if not pages:
            self.keep(with_locks(present, self.kept.locks()), f"{field} unlocked by hand")
            return 0
        feed = Feed(
            present.feed or "", "rss", link=present.blog, language=present.language, entries=tuple(entries.values())
        )
        earlier = [load_rules(revision.rules) for revision in self.revisions()]
        fresh = with_field(present, field, [learn_rules(feed, pages), *earlier])
        self.keep(with_locks(fresh, self.kept.locks()), f"{field} learned anew by hand")
        return len(pages)

    def _training_pages(self, entries: Mapping[str, Entry]) -> Iterator[Page]:
        """The archived pages of posts that a feed tells of."""
        shared = self.shared()
        for post in self.archive.library.posts(self.id, everything=True):
            sources = self.kept.sources(post) if url_key(post.url) in entries else []
            if sources:
                yield page_of(sources[0][1], post.url, shared)


def ruled(archive: ArchiveFolder, wanted: str) -> RuledBlog:
    """The blog a person means; who writes holds it."""
    record = _record(archive, wanted)
    if archive.writing and write_to(archive, [record.id]):
        record = _record(archive, wanted)
    return ruled_as(archive, record)


def ruled_as(archive: ArchiveFolder, record: BlogRecord) -> RuledBlog:
    """A blog that is known, for who only looks at its rules."""
    return RuledBlog(archive, record, KeptBlog(archive, record.id))


@contextmanager
def opened_rules(folder: Path, wanted: str, writing: bool, wait: bool = True) -> Iterator[RuledBlog]:
    """A blog of the archive in a folder, to look at its rules or to change them."""
    with open_archive(folder, writing=writing, wait=wait) as archive:
        yield ruled(archive, wanted)


def put_in_force(archive: ArchiveFolder, decision: Decision) -> None:
    """Make rules that somebody chose the blog's present ones."""
    blog = decision.blog or ""
    archive.write_rules(blog, decision.text)
    archive.store.blogs.add_revision(blog, decision.text, decision.reason, decision.at)


def checked_field(name: str) -> str:
    """The name of a field; UsageError where there is none of that name."""
    if name not in FIELDS:
        raise UsageError(f"There is no field {name!r}; there is: {', '.join(FIELDS)}.")
    return name


def with_proposed(rules: Rules, locks: Locks, proposed: Locks) -> Rules:
    """The rules as they would be if these were locked, too."""
    return with_locks(rules, {**locks, **proposed})


def _record(archive: ArchiveFolder, wanted: str) -> BlogRecord:
    """By its id at once: among twenty thousand blogs a search takes long."""
    return archive.store.blogs.find(wanted) or choose_blog(archive, wanted, everything=True).record
