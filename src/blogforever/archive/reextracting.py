"""Apply the present rules to everything that is archived, without the network, and say what reads otherwise now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from msgspec import structs

from blogforever import clock
from blogforever.care.decisions import Decision
from blogforever.export.frame import blog_title
from blogforever.extract.content import content_of
from blogforever.extract.sharedpage import page_of
from blogforever.headway import told_of
from blogforever.learn.rulefile import dump_rules
from blogforever.logs import logger
from blogforever.model import Entry, Page, Rules
from blogforever.pipeline.again import differences, read_again
from blogforever.pipeline.entries import entry_digest, stated_change
from blogforever.pipeline.guard import BrokenStage, StageGuard
from blogforever.pipeline.page import Knowledge
from blogforever.pipeline.reading import Reading, StageFailed
from blogforever.pipeline.recognising import Recognition
from blogforever.records import BlogRecord, BlogSummary, PageRecord, PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.update.fuller import is_bare, why_kept, why_shorter, with_text_of
from blogforever.urls import url_key

from .kept import KeptBlog
from .notices import finished_sentence
from .opening import finish_erasures, open_archive, write_to
from .reading import choose_blog
from .referenced import OutsideResponses, responses_outside
from .stages import Loaded, load_stages, reading_by
from .versioning import check_row, keep_rules

# Changes of one field that are shown: enough to see what kind they are.
EXAMPLES = 3
# Posts that tell whether this blog marks its own posts as something else: then the mark says
# nothing.
LOOKED_AT = 20
log = logger("archive")
Watcher = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a post that reads otherwise now."""

    url: str
    before: object
    after: object


@dataclass(slots=True)
class Reextraction:
    """What reading a blog again has changed."""

    blog: str
    title: str
    posts: int = 0
    versions: int = 0
    changed: int = 0
    pages: int = 0
    """The blog's own pages that are new, or read otherwise."""
    new: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    fuller: list[str] = field(default_factory=list)
    """Posts that keep the text they had: the new reading has far less."""
    fields: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[FieldChange]] = field(default_factory=dict)
    """The first changes of each field."""
    outside: tuple[OutsideResponses, ...] = ()
    """The pages that the archive only points to."""
    broken: list[BrokenStage] = field(default_factory=list)
    """The stages that raised; what they raised on is left as it is."""


def reextract(
    folder: Path,
    wanted: str | None = None,
    watcher: Watcher = lambda _done: None,
    stages: Loaded | None = None,
    wait: bool = True,
) -> list[Reextraction]:
    """Read one blog again, or all of them one after the other, by the stages as they are
    configured.
    """
    stages = stages or load_stages()
    if wanted is None:
        for finished in finish_erasures(folder, wait=wait):
            log.warning("%s", finished_sentence(finished))
    with open_archive(folder, writing=True, wait=wait) as archive:
        blogs = [choose_blog(archive, wanted, everything=True)] if wanted else archive.library.blogs(everything=True)
        names = [blog.id for blog in blogs]
    found = (_reextract_alone(folder, name, stages, watcher, wait) for name in names)
    return [report for report in found if report is not None]


def _reextract_alone(folder: Path, blog: str, stages: Loaded, watcher: Watcher, wait: bool) -> Reextraction | None:
    """Read one blog again while nobody else writes it; None where it was forgotten meanwhile."""
    with open_archive(folder, writing=True, wait=wait) as archive:
        write_to(archive, [blog])
        record = next((one for one in archive.library.blogs(everything=True) if one.id == blog), None)
        return _decided(archive, record, stages, watcher) if record is not None else None


def _decided(archive: ArchiveFolder, blog: BlogSummary, stages: Loaded, watcher: Watcher) -> Reextraction:
    """The journal says when everything was read again, and by which rules: so it can be done again
    in a restore.
    """
    rules, now = KeptBlog(archive, blog.id).rules(), clock.now()
    text = dump_rules(rules) if rules else ""
    archive.decide(Decision(now.isoformat(timespec="microseconds"), "reextract", blog.id, text=text))
    return reextract_blog(archive, blog.record, rules, now, stages, watcher)


def reextract_blog(
    archive: ArchiveFolder,
    blog: BlogRecord,
    rules: Rules | None,
    when: datetime,
    stages: Loaded,
    watcher: Watcher = lambda _done: None,
) -> Reextraction:
    """Read every post of a blog and its older versions again; a restore does it as it was done
    then.
    """
    report = Reextraction(blog.id, blog_title(blog))
    # Nearly every record is read: it takes far longer to ask a store for one after the other.
    archive.warcs_here(blog.id)
    kept = KeptBlog(archive, blog.id, when)
    guard = StageGuard()
    reader = _Reader(archive, kept, reading_by(rules, stages, guard), report, when)
    posts = list(archive.library.posts(blog.id, everything=True))
    for post in told_of(posts, f"reading {report.title}", len(posts), "posts"):
        reader.read(post)
        watcher(report.posts)
    for page in list(archive.store.pages.of_blog(blog.id)):
        reader.read_page(page)
    archive.store.flush()
    if rules is not None and posts:
        reader.recognise(posts)
    report.broken = guard.broken()
    report.outside = responses_outside(archive, blog.id)
    archive.search.forget(reader.changed)
    archive.search.update()
    return report


class _Reader:
    def __init__(
        self, archive: ArchiveFolder, kept: KeptBlog, reading: Reading, report: Reextraction, now: datetime
    ) -> None:
        self._archive, self._kept, self._reading, self._report = archive, kept, reading, report
        self._when = now.isoformat(timespec="seconds")
        self._revision = keep_rules(archive, report.blog, reading.rules, "applied to everything archived", now)
        self.changed: list[str] = []

    def read(self, post: PostRecord) -> None:
        self._report.posts += 1
        fresh = self._again(post)
        if fresh is None:
            self._report.unread.append(post.url)
        elif self._note(post, fresh):
            self._report.changed += 1
            self.changed.append(post.id)
            self._archive.store.posts.revise(fresh, self._revision, self._when)
        for number in range(1, post.version):
            self._read_version(post.id, number)

    def recognise(self, posts: list[PostRecord]) -> None:
        """Look for posts among all pages that are kept; what looks like none any more is only told."""
        archive, blog = self._archive, self._report.blog
        found = self._recognition(posts).result()
        urls = {post.id: post.url for post in posts}
        self._report.doubtful = [urls[post] for post in found.doubtful if self._shown(urls[post])]
        for record in found.new:
            self._add(record)
        self._add_pages(found.pages)
        if self._report.new and (facts := archive.store.blogs.find(blog)):
            archive.store.blogs.keep(structs.replace(facts, posts=len(posts) + len(self._report.new)))
            archive.store.flush()

    def _recognition(self, posts: list[PostRecord]) -> Recognition:
        """The search for posts, when it has looked at every page that is kept and may be shown."""
        kept, blog = self._kept, self._report.blog
        knowledge = Knowledge(
            blog,
            self._reading.extract,
            kept.read,
            rules=self._reading.rules,
            entries=dict(kept.entries()),
            comments=self._reading.comments,
            shared=self._reading.shared,
            erased=lambda url: self._archive.erased.hides("url", url, blog),
        )
        names = {post.id: post.addresses for post in posts}
        search = Recognition(knowledge, names, (source.url for post in posts for source in post.sources))
        search.doubt_marks(self._first_pages(posts[:LOOKED_AT]))
        for page, ref in kept.pages():
            if not self._archive.erased.hides("url", page.url, blog):
                search.look(page, ref)
        return search

    def _first_pages(self, posts: list[PostRecord]) -> Iterator[Page]:
        """The pages these posts were read from."""
        for post in posts:
            if sources := self._kept.sources(post):
                yield page_of(sources[0][1], post.url, self._reading.shared)

    def _add(self, record: PostRecord) -> None:
        """A post that was captured long ago, by the crawl that captured it."""
        run = self._run_of(record)
        entry = self._entry(record)
        if run is not None:
            told = (stated_change(entry, None), entry_digest(entry)) if entry else (None, None)
            self._archive.store.posts.keep(run, record, "none", self._revision, check_row(record, *told))
            self._report.new.append(record.url)

    def _add_pages(self, found: list[PageRecord]) -> None:
        """Own pages that were captured before anybody kept such; one that is a post now is none any
        more.
        """
        table, posts = self._archive.store.pages, self._archive.store.posts
        known = {page.id for page in table.of_blog(self._report.blog)}
        table.drop([page for page in known if posts.find(page)])
        for page in found:
            run = self._run_of(page)
            if page.id not in known and run is not None and not is_bare(page):
                table.keep(run, page)
                self._report.pages += 1

    def read_page(self, page: PageRecord) -> None:
        """One of the blog's own pages: read again, it keeps the text it had where the new reading
        has far less.
        """
        sources, run = self._kept.sources(page), self._run_of(page)
        if run is None or not sources or sources[0][0] != page.capture:
            return
        try:
            fresh = read_again(page, sources[0][1], self._reading, None, sources[1:])
        except StageFailed:
            return
        if why_kept(page, fresh, None, self._reading.rules):
            fresh = with_text_of(page, fresh)
        read = PageRecord.of(fresh)
        if any(differences(page, read)):
            self._archive.store.pages.keep(run, read)
            self._report.pages += 1

    def _run_of(self, record: PostRecord) -> int | None:
        """The crawl that captured a post or a page."""
        return self._archive.store.captures.run_of(record.sources[0].record_id or "") if record.sources else None

    def _shown(self, url: str) -> bool:
        return not self._archive.veil.hides("url", url, self._report.blog)

    def _read_version(self, post: str, number: int) -> None:
        old = self._archive.store.versions.record(post, number)
        fresh = self._again(old) if old else None
        if old is None or fresh is None:
            return
        self._report.versions += 1
        if any(differences(old, fresh)):
            self._archive.store.posts.revise_version(fresh, number, self._revision, self._when)

    def _again(self, record: PostRecord) -> PostRecord | None:
        sources = self._kept.sources(record)
        if not sources or sources[0][0] != record.capture:
            return None
        entry = self._entry(record)
        try:
            fresh = read_again(record, sources[0][1], self._reading, entry, sources[1:])
        except StageFailed:
            return None
        reason = why_kept(record, fresh, None, self._reading.rules, entry)
        if reason:
            return self._hold(record, fresh, reason)
        if shorter := why_shorter(record, fresh):
            self._note_reason(record, shorter)
        return fresh

    def _hold(self, record: PostRecord, fresh: PostRecord, reason: str) -> PostRecord:
        """The new reading with the text that was kept: it is the better one, and why is written
        down.
        """
        self._note_reason(record, reason)
        if self._shown(record.url):
            self._report.fuller.append(record.url)
        return with_text_of(record, fresh)

    def _note_reason(self, record: PostRecord, reason: str) -> None:
        place, digest = (record.id, record.version), content_of(record).digest
        self._archive.store.versions.add_extraction(place, self._revision, digest, reason, self._when)

    def _entry(self, record: PostRecord) -> Entry | None:
        entries = self._kept.entries()
        return next((entries[key] for name in record.addresses if (key := url_key(name)) in entries), None)

    def _note(self, old: PostRecord, new: PostRecord) -> bool:
        found = list(differences(old, new))
        shown = self._archive.veil.post(old) == old
        for name, before, after in found:
            self._report.fields[name] += 1
            examples = self._report.examples.setdefault(name, [])
            if shown and len(examples) < EXAMPLES:
                examples.append(FieldChange(old.url, before, after))
        return bool(found)
