"""What a walk through a whole blog found, written down: its posts beside their past, the blog itself, its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from blogforever.crawl.completeness import Completeness, with_cut
from blogforever.crawl.crawl import BlogCrawl
from blogforever.model import Entry, Rules
from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.home import describe_home
from blogforever.pipeline.listdates import ListedDate, dates_by_lists, day_of_all, with_list_date, without_day_of_all
from blogforever.pipeline.reading import Reading
from blogforever.pipeline.record import blog_record, other_addresses, post_id
from blogforever.pipeline.requisites import WithFiles
from blogforever.records import BlogRecord, PostRecord
from blogforever.storage.values import Change
from blogforever.store.folder import ArchiveFolder
from blogforever.update.fuller import is_bare
from blogforever.update.platforms import PlatformSeen

from .jobs import Run
from .kept import KeptBlog
from .past import Captures, Past
from .versioning import (
    Before,
    Versions,
    entry_told,
    first_check,
    keep_rules,
    note_move,
    settled_address,
    told_entries,
    with_platform,
    with_templates,
)

# Comment feeds that are remembered: some blogs name one for every post.
MOST_COMMENT_FEEDS = 20


@dataclass(slots=True)
class NewCrawl:
    """One blog that is walked as a whole: its run in the archive, what is known of it while it goes
    on.
    """

    this: Run
    crawl: BlogCrawl
    files: WithFiles


def save_walk(
    archive: ArchiveFolder, job: NewCrawl, found: list[HarvestedPost], statement: Completeness
) -> tuple[Completeness, int]:
    """The final record of every post, the blog's own record, and its rules.

    The statement with the posts in which nothing could be read, and how many kept the text they
    had.
    """
    crawl, run, blog = job.crawl, job.this.run, job.this.blog
    learned = _learned(crawl, blog)
    known, earlier = archive.store.blogs.find(blog), archive.store.blogs.revision(blog)
    if job.this.config.moved_from and learned:
        # Pages that were captured before the blog moved keep their own rules.
        learned = with_templates(learned, KeptBlog(archive, blog).rules())
    rules = keep_rules(archive, blog, learned, "learned from the feed and its pages", job.this.now)
    before = Before(job.this, learned, [name for post in found for name in (post.url, *post.aliases)])
    versions, told = Versions(archive, blog, learned), told_entries(crawl.offers)
    made_on = day_of_all(found, crawl.seen, learned)
    listed = dates_by_lists(found, crawl.seen, job.this.tools.read, learned, made_on)
    saver = _PostSaver(job, before, versions, learned, rules, told, made_on, listed)
    extracted = archive.store.runs.candidates(run, [post.url for post in found])
    saved, bare, cuts = 0, 0, list[tuple[str, ...]]()
    for post, candidate in zip(found, extracted, strict=True):
        if candidate is not None:
            kept = saver.save(post, candidate)
            saved, bare = saved + 1, bare + is_bare(kept)
            cuts.append(kept.extra.cut)
    statement = with_cut(replace(statement, posts=saved, bare=bare), cuts)
    if crawl.seen:
        sign = f"{len(before.moves)} of its posts" if job.this.config.moved_from else "redirect"
        url = settled_address(job.this, known, crawl.scope.root, sign, earlier)
        record = _blog_record(job.this, crawl, url, known)
        archive.store.blogs.keep(_with_offers(record, crawl, statement))
    return statement, before.fuller


def _learned(crawl: BlogCrawl, blog: str) -> Rules | None:
    """The rules of a walk, with what else it found out about the pages."""
    rules, shared = crawl.known.rules, crawl.known.shared
    if rules is None and shared is None:
        return None
    return replace(rules or Rules(blog), browser=crawl.rendering.verdict(), shared=shared)


@dataclass(frozen=True, slots=True)
class _PostSaver:
    """Writes down the posts of a walk beside what the archive has of them; `rules` is the number of
    `learned`.
    """

    job: NewCrawl
    before: Before
    versions: Versions
    learned: Rules | None
    rules: int | None
    entries: Mapping[str, Entry]
    made_on: str
    """The day that pages show for nearly all posts, which is that of none."""
    listed: Mapping[str, ListedDate]

    def save(self, post: HarvestedPost, candidate: PostRecord) -> PostRecord:
        """The post as it was found; it is written down unless the archive has a later one."""
        this = self.job.this
        aliases = other_addresses(candidate.url, post.aliases)
        made = structs.replace(candidate, id=post_id(this.blog, post.url), aliases=aliases)
        made = without_day_of_all(self.job.files.described(made), self.made_on)
        made = with_list_date(made, self.listed.get(post.url))
        record, change = self.before.compared(made, entry_told(made, self.entries))
        if move := self.before.moves.get(record.id):
            note_move(this, record.id, move, record.sources[0].record_id)
        how = self._after_its_past(record, change)
        if how is not None:
            check = first_check(record, self.job.crawl.offers, self.entries)
            this.archive.store.posts.keep(this.run, record, how, self.rules, check)
        return record

    def _after_its_past(self, record: PostRecord, change: Change) -> Change | None:
        """Write down what replayed files tell of it before now; None where the record is older than
        what is kept.
        """
        this = self.job.this
        if this.captures and record.id in self.versions.posts:
            past = _earlier(this, this.captures, self.learned)
            woven = _weave(self.job, record, self.versions, past, self.rules)
            if woven is None:
                return None
            change = woven
        for older in _past(this.archive, self.job, record, self.learned):
            this.archive.store.posts.keep(this.run, older, "content", self.rules)
            change = "content"
        return change


def _blog_record(this: Run, crawl: BlogCrawl, url: str, before: BlogRecord | None) -> BlogRecord:
    """What feed and home page say of the blog; beside what they said when the blog was walked
    before.
    """
    feed = crawl.offers.feed
    home = describe_home(this.tools.read(crawl.home_ref), feed) if crawl.home_ref else None
    record = blog_record(this.blog, url, feed, home)
    record = structs.replace(record, generator=feed.generator if feed else None)
    if before is None:
        return record
    record = structs.replace(record, platform_changes=before.platform_changes)
    old, new = before.platform, record.platform
    seen = PlatformSeen(new, record.platform_version, old, "told by the home page") if old and new else None
    return with_platform(record, before, seen, this.now)


def _with_offers(record: BlogRecord, crawl: BlogCrawl, statement: Completeness) -> BlogRecord:
    """What a blog offers, and how much of that a walk through it has kept."""
    offers = crawl.offers
    comment_feeds = [link.url for link in offers.links if link.role == "comments"]
    return structs.replace(
        record,
        feeds=tuple(dict.fromkeys(feed.url for feed in offers.feeds)),
        comment_feeds=tuple(comment_feeds[:MOST_COMMENT_FEEDS]),
        sitemap=tuple(sorted(offers.sitemaps, key=lambda url: (len(url), url))),
        feed=offers.feed.url if offers.feed else None,
        api=offers.api,
        walked=statement.stopped is None and not crawl.since,
        posts=statement.posts,
        announced=statement.announced,
        completeness=statement.record(),
    )


def _past(archive: ArchiveFolder, job: NewCrawl, record: PostRecord, rules: Rules | None) -> list[PostRecord]:
    """The versions of a new post that the replayed files hold beside the newest."""
    captures = job.this.captures
    if captures is None:
        return []
    # Most posts were captured once: then there is nothing to compare, and nothing to look up.
    kept = {ref for address in record.addresses for ref in captures(address)}
    if len(kept) < 2 or archive.store.versions.of(record.id):
        return []
    return _earlier(job.this, captures, rules).versions(record)


def _earlier(this: Run, captures: Captures, rules: Rules | None) -> Past:
    """The earlier captures among the files that are replayed, read as this crawl reads."""
    return Past(captures, this.tools.read, Reading(rules, this.tools.extract, this.tools.comments))


def _weave(job: NewCrawl, record: PostRecord, versions: Versions, past: Past, rules: int | None) -> Change | None:
    """Put replayed captures into the history of a known post; None where the record is older than
    what is kept.
    """
    kept = versions.of(record.id)
    order = past.woven(record, kept)
    newest = bool(order) and not isinstance(order[-1], int)
    order = order[:-1] if newest else order
    if len(order) > len({one.number for one in kept}):
        job.this.archive.store.posts.weave(job.this.run, record.id, order, rules)
    if newest:
        return "content"
    return "none" if (record.sources[0].captured or "") >= kept[-1].captured else None
