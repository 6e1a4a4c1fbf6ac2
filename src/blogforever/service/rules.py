"""The rules of a followed blog, for people: seen, tried on any archived page, changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from blogforever.archive.ruled import RuledBlog, checked_field, opened_rules, ruled_as
from blogforever.archive.rulefindings import ShownTemplate, TriedPage, read_rules, shown_rules, tried_page
from blogforever.care.locks import FIELDS
from blogforever.errors import UsageError
from blogforever.learn.rulefile import load_rules
from blogforever.model import CommentRules, Rule
from blogforever.storage.following import FollowedBlog
from blogforever.storage.values import RevisionRow
from blogforever.store.folder import ArchiveFolder

# Revisions that are told of at once, the newest: who looks further back asks for one by its number.
REVISIONS_TOLD = 50
NOT_HARVESTED = "was not harvested yet: there is nothing to read by rules."


@dataclass(frozen=True, slots=True)
class RuleRevision:
    """Rules as they once were: when and why they came to be so."""

    number: int
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class BlogRules:
    """Everything about the rules of one blog: `feed` is where they were learned from, `locked` are
    the fields that learning leaves alone.
    """

    blog: str
    title: str
    feed: str | None
    templates: tuple[ShownTemplate, ...]
    comments: tuple[CommentRules, ...]
    locked: tuple[str, ...]
    revisions: tuple[RuleRevision, ...]


@dataclass(frozen=True, slots=True)
class RulesChange:
    """What somebody wants of a blog's rules; it is done in this order, and ends with the first that
    cannot be done.
    """

    file: str = ""
    """A whole rule file to be taken over."""
    revision: int | None = None
    """The number of earlier rules to go back to."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rules by field, as people write them: they are locked."""
    lock: tuple[str, ...] = ()
    unlock: tuple[str, ...] = ()
    relearn: tuple[str, ...] = ()
    reason: str = ""

    def told(self) -> str:
        """What is changed, in few words."""
        parts = {
            "import": ["file"] if self.file else [],
            "revision": [str(self.revision)] if self.revision is not None else [],
            "set": [*self.fields],
            "lock": [*self.lock],
            "unlock": [*self.unlock],
            "relearn": [*self.relearn],
        }
        return "; ".join(f"{what} {', '.join(which)}" for what, which in parts.items() if which)


def rules_of(archive: ArchiveFolder, followed: FollowedBlog) -> BlogRules:
    """The rules of a followed blog with confidence, examples and history."""
    blog = ruled_blog(archive, followed)
    revisions = (RuleRevision(row.number, row.learned, row.reason) for row in blog.revisions()[:REVISIONS_TOLD])
    locks, shown = blog.kept.locks(), shown_rules(blog)
    locked = tuple(name for name in FIELDS if name in locks)
    return BlogRules(followed.id, shown.title, shown.feed, shown.templates, shown.comments, locked, tuple(revisions))


def rules_revision(archive: ArchiveFolder, followed: FollowedBlog, number: int) -> RevisionRow | None:
    """The rules as they were in a revision, as a rule file."""
    return archive.store.blogs.revision(followed.blog, number) if followed.blog else None


def try_rules(
    archive: ArchiveFolder, followed: FollowedBlog, url: str, proposed: Mapping[str, tuple[str, ...]]
) -> TriedPage:
    """What each field of an archived page is, and what it would be by the rules that are proposed."""
    return tried_page(ruled_blog(archive, followed), url, read_rules(proposed))


def change_rules(folder: Path, followed: FollowedBlog, change: RulesChange) -> None:
    """Change a blog's rules; every decision stands in the journal.

    ArchiveLocked where the blog is written by somebody else at this moment.
    """
    if not change.told():
        raise UsageError("Nothing is to be changed; give fields, lock, unlock, relearn, file or revision.")
    if not followed.blog:
        raise UsageError(f"The blog {followed.id} {NOT_HARVESTED}")
    imported = load_rules(change.file) if change.file else None
    written = read_rules(change.fields)
    for name in (*change.lock, *change.unlock, *change.relearn):
        checked_field(name)
    with opened_rules(folder, followed.blog, writing=True, wait=False) as blog:
        if imported is not None:
            blog.take_over(imported, change.reason or "imported by hand")
        if change.revision is not None:
            blog.go_back(change.revision)
        _change_fields(blog, change, written)


def _change_fields(blog: RuledBlog, change: RulesChange, written: Mapping[str, tuple[Rule, ...]]) -> None:
    for name, rules in written.items():
        blog.lock(name, rules, change.reason)
    for name in change.lock:
        blog.lock_present(name, change.reason)
    for name in change.unlock:
        blog.unlock(name, change.reason)
    for name in change.relearn:
        blog.relearn(name)


def ruled_blog(archive: ArchiveFolder, followed: FollowedBlog) -> RuledBlog:
    """A followed blog that was harvested and may be shown."""
    record = archive.store.blogs.find(followed.blog) if followed.blog else None
    if record is None or archive.veil.blog(record.id):
        raise UsageError(f"The blog {followed.id} {NOT_HARVESTED}")
    return ruled_as(archive, record)
