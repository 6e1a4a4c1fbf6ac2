"""What the archive knows of a blog, handed to a crawl as values; and what a crawl leaves for the next one to know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast
from urllib.parse import urlsplit

from msgspec import structs

from blogforever import clock
from blogforever.care.decisions import Apart
from blogforever.config import Config
from blogforever.dom import tokenise
from blogforever.extract.content import content_of
from blogforever.extract.sharedpage import page_of
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.model import Entry, Feed, Page, Post, Rules
from blogforever.pipeline.entries import entry_digest, says_anew, stated_change
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.reading import StageFailed
from blogforever.pipeline.record import old_identity
from blogforever.protocols import Ref
from blogforever.records import BlogRecord, PlatformChange, PostRecord, SourceRecord
from blogforever.schedule.values import to_be_tried_again
from blogforever.storage.values import BeforeMove, Change, CheckedPost, CheckRow, MoveRow, RevisionRow, SightingRow
from blogforever.store.folder import ArchiveFolder
from blogforever.update.findings import Move
from blogforever.update.fuller import is_bare, is_far_less, why_kept, why_shorter, with_text_of
from blogforever.update.identity import Identity, names_of
from blogforever.update.platforms import PlatformSeen
from blogforever.update.remembered import LONG_AGO, KnownPost, Remembered
from blogforever.update.states import Outcome, Sighting, State
from blogforever.update.versions import Capture, Judgement, alike, judge, judge_facts
from blogforever.urls import url_key

from .jobs import Run
from .kept import KeptBlog
from .past import Version

# A picture, style sheet or icon that is not there is not asked for again by every page that names
# it; but it may come.
STAYS_ABSENT = timedelta(days=30)


def known_blogs(archive: ArchiveFolder) -> dict[str, str]:
    """The addresses of the archive's blogs: they need no search for their home."""
    return {url: url for url in archive.store.blogs.addresses().values()}


def known_name(archive: ArchiveFolder, url: str) -> str | None:
    """The name of the blog that is kept under this address, though it may have been found under
    another.
    """
    addresses = archive.store.blogs.addresses()
    return next((blog for blog, address in addresses.items() if url_key(address) == url_key(url)), None)


def remembered(archive: ArchiveFolder, outline: Remembered, now: datetime | None = None) -> Remembered:
    """A blog that can be brought up to date, with all that is known of its posts."""
    blog = outline.blog
    addresses = list(archive.store.captures.seen_addresses(blog))
    lately = (now or clock.now()) - STAYS_ABSENT
    return replace(
        outline,
        posts=known_posts(archive, blog),
        rules=KeptBlog(archive, blog, now).rules(),
        seen=frozenset(map(url_key, addresses)),
        fresh=frozenset(archive.store.captures.fresh_addresses(blog, (now or clock.now()).isoformat())),
        addresses=frozenset(addresses),
        absent=frozenset(archive.store.captures.absent_addresses(blog, lately.isoformat(timespec="seconds"))),
        unjudged=frozenset(map(url_key, archive.store.captures.frozen_addresses(blog))),
        unfetched=to_be_tried_again(archive.store.runs.unfetched(blog)),
        apart=apart_by(archive, now),
        pages=tuple(archive.store.pages.of_blog(blog)),
    )


def outlined(archive: ArchiveFolder, blog: str, config: Config) -> Remembered | None:
    """What a blog's own record tells of one that can be brought up to date, without anything of its
    posts.

    None for a new one, and for one whose first walk was cut short.
    """
    last, record = archive.store.runs.last_judged(blog), archive.store.blogs.find(blog)
    if config.replay or config.full or last is None or record is None:
        return None
    if not record.walked_whole or not archive.store.posts.any_of(blog):
        return None
    feeds = [record.feed, *record.feeds]
    return Remembered(
        blog=blog,
        url=record.url,
        posts=(),
        recall=archive.store.posts.record,
        last=_lists_asked(archive, blog, config) or _moment(last),
        feeds=tuple(dict.fromkeys(feed for feed in feeds if feed)),
        comment_feeds=record.comment_feeds,
        sitemaps=record.sitemap,
        api=record.api or None,
        platform=record.platform,
        generator=record.generator or None,
        stated=record.completeness,
    )


def _lists_asked(archive: ArchiveFolder, blog: str, config: Config) -> datetime | None:
    """When a blog that is mostly asked for its feed alone was last asked for everything."""
    quiet = archive.store.blogs.quiet(blog) if config.brief else None
    return _moment(quiet.turned) if quiet else None


def apart_by(archive: ArchiveFolder, now: datetime | None) -> tuple[Apart, ...]:
    """What people have said is not one, up to a moment: a crawl that is gone through again knew no
    more.
    """
    apart = archive.journal.state().apart
    return apart if now is None else tuple(one for one in apart if datetime.fromisoformat(one.at) <= now)


def keep_rules(archive: ArchiveFolder, blog: str, rules: Rules | None, reason: str, when: datetime) -> int | None:
    """The number of these rules among all the blog has had; they become its present ones."""
    if rules is None:
        return None
    text = dump_rules(rules)
    archive.write_rules(blog, text)
    return archive.store.blogs.add_revision(blog, text, reason, when.isoformat(timespec="seconds"))


def with_templates(learned: Rules, earlier: Rules | None) -> Rules:
    """New rules with the templates of earlier ones behind their own."""
    old = [template for template in (earlier.templates if earlier else ()) if template not in learned.templates]
    return replace(learned, templates=(*learned.templates, *old))


def kept_addresses(archive: ArchiveFolder, blog: str) -> frozenset[str]:
    """The keys of all addresses of the blog's posts."""
    records = archive.library.posts(blog, everything=True)
    return frozenset(url_key(name) for record in records for name in record.addresses)


def known_posts(archive: ArchiveFolder, blog: str) -> tuple[KnownPost, ...]:
    """The blog's posts with how they stand."""
    checks, digests = archive.store.checks.of_blog(blog), archive.store.posts.digests(blog)
    sightings = archive.store.checks.sightings(blog)
    former: dict[str, list[str]] = {}
    for move in archive.store.moves.of_blog(blog):
        former.setdefault(move.post, []).append(move.old)

    def known(record: PostRecord) -> KnownPost:
        post = record.id
        about = _known(record, checks.get(post), digests.get(post, ""), sightings.get(post, []))
        return replace(about, former=tuple(former[post])) if post in former else about

    return tuple(map(known, archive.library.posts(blog, everything=True)))


def _known(record: PostRecord, checked: CheckedPost | None, digest: str, sightings: list[SightingRow]) -> KnownPost:
    captured = record.capture.captured if record.capture else None
    check = checked.check if checked else CheckRow(post=record.id, blog=record.blog, state="active", since="")
    return KnownPost(
        id=record.id,
        url=record.url,
        names=record.addresses,
        guid=record.guid,
        native_id=record.native_id,
        title=record.title,
        published=record.published,
        digest=digest,
        # The column holds what `next_state` gave.
        state=cast("State", check.state),
        since=_moment(check.since or captured),
        captured=_moment(check.captured or captured),
        checked=_moment(check.checked or captured),
        unchanged=check.unchanged,
        announced=check.announced,
        entry=check.entry,
        comments=len(record.comments),
        stated=record.extra.comments_stated,
        ref=checked.ref if checked else None,
        sightings=tuple(_sighting(row) for row in sightings),
        bare=is_bare(record),
        cut=record.extra.cut,
    )


def _sighting(row: SightingRow) -> Sighting:
    return Sighting(_moment(row.checked) or LONG_AGO, cast("Outcome", row.outcome), frozenset(row.absent))


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def told_entries(offers: Offers) -> dict[str, Entry]:
    """The entries of the blog's feed as it was on the day of a walk, by the keys of their
    addresses.
    """
    feed: Feed | None = next((f for f in offers.feeds if offers.feed and f.url == offers.feed.url), None)
    return {url_key(entry.url): entry for entry in (feed.entries if feed else ())}


def entry_told(record: PostRecord, entries: Mapping[str, Entry]) -> Entry | None:
    """The entry that speaks of a post, by any address it has."""
    return next((entries[key] for key in _keys(record) if key in entries), None)


def _keys(record: PostRecord) -> list[str]:
    return [url_key(address) for address in record.addresses]


def first_check(record: PostRecord, offers: Offers, entries: Mapping[str, Entry]) -> CheckRow:
    """How a post stands after a walk, with what the blog says of it that day."""
    entry, keys = entry_told(record, entries), _keys(record)
    changed = stated_change(entry, offers.lastmod(keys))
    return check_row(record, changed, entry_digest(entry) if entry else None)


def check_row(record: PostRecord, announced: str | None, entry: str | None) -> CheckRow:
    """The row of a post that was just captured."""
    capture = record.capture
    moment = (capture.captured if capture else None) or clock.stamp()
    return CheckRow(
        post=record.id,
        blog=record.blog,
        state="active",
        since=moment,
        captured=moment,
        checked=moment,
        announced=announced,
        entry=entry,
        record_id=capture.record_id if capture else None,
    )


def note_move(this: Run, post: str, move: Move, record_id: str | None) -> None:
    """A post was found at another address; what was kept of it before is put by."""
    before = structs.replace(this.archive.store.moves.before(post), found=record_id)
    this.archive.store.moves.add(_move_row(this, post, move, before))


def settled_address(this: Run, record: BlogRecord | None, new: str, sign: str, rules: RevisionRow | None) -> str:
    """The blog's address; another one than before is a move of the blog, unless somebody has said
    that it is none.
    """
    old = (record.url if record else None) or new
    apart = any(one.kind == "blog" and one.parts(old, new) for one in apart_by(this.archive, this.now))
    if apart or (url_key(old) == url_key(new) and urlsplit(old).scheme == urlsplit(new).scheme):
        return old if apart else new
    before = BeforeMove(blog=record, rules=rules.number if rules else None)
    this.archive.store.moves.add(_move_row(this, this.blog, Move(old, new, sign), before))
    return new


def with_platform(record: BlogRecord, before: BlogRecord, seen: PlatformSeen | None, now: datetime) -> BlogRecord:
    """What the blog's record says of its platform after a crawl; a change is kept with its day and
    its evidence.
    """
    if seen is None:
        return record
    if not seen.changed:
        is_newer = bool(seen.version) and before.platform == seen.name
        return structs.replace(record, platform_version=seen.version) if is_newer else record
    change = PlatformChange(
        at=now.date().isoformat(),
        before=seen.before,
        before_version=before.platform_version,
        after=seen.name,
        after_version=seen.version,
        evidence=seen.evidence,
    )
    return structs.replace(
        record,
        platform=seen.name,
        platform_version=seen.version,
        platform_changes=(*before.platform_changes, change),
    )


def _move_row(this: Run, what: str, move: Move, before: BeforeMove) -> MoveRow:
    moved = this.now.isoformat(timespec="seconds")
    return MoveRow(what, this.blog, this.run, moved, move.old, move.new, move.sign, before)


class Before:
    """The posts a blog had before it is walked again: who they are, and whether their authors
    changed them.
    """

    def __init__(self, this: Run, rules: Rules | None, found: Iterable[str]) -> None:
        archive, blog = this.archive, this.blog
        posts = known_posts(archive, blog) if archive.store.runs.last_judged(blog) else ()
        self._posts = {post.id: post for post in posts}
        apart = [one for one in apart_by(archive, this.now) if one.kind == "url"]
        self._identity = Identity(posts, lambda one, other: any(two.parts(one, other) for two in apart))
        self._store, self._rules, self._read = archive.store, rules, this.tools.read
        self._extract = this.tools.extract
        self._found = frozenset(map(url_key, found))
        revision = archive.store.blogs.revision(blog)
        self._when, self._revision = this.now.isoformat(timespec="seconds"), revision.number if revision else None
        self.moves: dict[str, Move] = {}
        self.fuller = 0
        """Posts whose text stays, because what was read now is none or far less."""

    def compared(self, record: PostRecord, entry: Entry | None = None) -> tuple[PostRecord, Change]:
        """The record under the id it has in the archive, and whether it is another version."""
        post, sign = self._recognised(record)
        if post is None:
            return record, "compare"
        if post.id != record.id or post.url != record.url:
            record = self._again(post, record, sign)
        judgement = self._judgement(post, record)
        old = self._store.posts.record(post.id)
        if judgement == "closed":
            return old, "none"
        # What takes the place of other words is another version, whoever put it there: the words
        # must not be lost.
        changed = judgement in ("edit", "replaced")
        reason = self._why_kept(post, old, record, entry) if is_far_less(old, record) else ""
        if reason:
            self.fuller += 1
            self._note_reason(post, old.version, reason)
            record = with_text_of(old, record)
            changed = changed and content_of(record) != content_of(old)
        elif shorter := why_shorter(old, record, self._page_of(record)):
            self._note_reason(post, old.version + changed, shorter)
        if judgement is None:
            return record, "compare"
        return record, "content" if changed else "none"

    def _recognised(self, record: PostRecord) -> tuple[KnownPost | None, str]:
        """The post that a record is of, and the sign by which that is known."""
        post = self._identity.at(record.url) or self._posts.get(record.id)
        if post or not self._posts:
            return post, "its address"
        hint = self._identity.hinted(record.url, record.guid, record.native_id, moved_host=True)
        proof = self._identity.proved(record, self._alike(record), hint)
        if proof is None:
            return None, ""
        post, sign = proof
        # A post that is still at its own address has not moved: the author published its like
        # again.
        is_elsewhere = post.id in self.moves or any(url_key(name) in self._found for name in names_of(post))
        return (None, "") if is_elsewhere else (post, sign)

    def _note_reason(self, post: KnownPost, version: int, reason: str) -> None:
        self._store.versions.add_extraction((post.id, version), self._revision, post.digest, reason, self._when)

    def _why_kept(self, post: KnownPost, old: PostRecord, record: PostRecord, entry: Entry | None) -> str:
        announced = entry is not None and post.entry is not None and says_anew(entry, post.entry)
        return why_kept(old, record, self._page_of(record), self._rules, entry, announced)

    def _alike(self, record: PostRecord) -> Callable[[KnownPost], bool]:
        words = tokenise(record.text)
        return lambda post: alike(tokenise(self._store.posts.record(post.id).text), words)

    def _again(self, post: KnownPost, record: PostRecord, sign: str) -> PostRecord:
        """A known post under the address it was found at now."""
        if url_key(post.url) == url_key(record.url) and self._identity.apart(post, record.url):
            return old_identity(self._store.posts.record(post.id), structs.replace(record, url=post.url))
        if post.url != record.url and post.id not in self.moves:
            self.moves[post.id] = Move(post.url, record.url, sign)
        return old_identity(self._store.posts.record(post.id), record)

    def _page_of(self, record: PostRecord) -> Page:
        """The page a record was made from; one without words where the archive does not have it."""
        place = self._place_of(record)
        return self._own_page(place, record.url) if place else Page(record.url, b"")

    def _own_page(self, place: Ref, url: str) -> Page:
        return page_of(self._read(place), url, self._rules.shared if self._rules else None)

    def _place_of(self, record: PostRecord) -> Ref | None:
        """Where the capture lies that a record was made from."""
        name = record.capture.record_id if record.capture else None
        return self._store.captures.find(name) if name else None

    def _judgement(self, post: KnownPost, record: PostRecord) -> Judgement | None:
        """What the author did since the last capture; None where there are no two to compare."""
        new = self._place_of(record)
        if post.ref is None or new is None:
            return None
        if post.ref.digest and post.ref.digest == new.digest:
            return "same"

        def read(page: Page) -> Post:
            return self._extract(page, self._rules, None)

        try:
            old, now = (Capture(self._own_page(*at), read) for at in ((post.ref, post.url), (new, record.url)))
        except StageFailed:
            # What cannot be read is no measure: the post stays as it is.
            return "closed"
        verdict = judge(old, now, announced=False)
        return (judge_facts(old, now, announced=False) if verdict.judgement == "same" else verdict).judgement


class Versions:
    """The versions the archive has of a blog's posts, to be compared with captures that the `rules`
    read.

    `posts` are the ids of those it had before.
    """

    def __init__(self, archive: ArchiveFolder, blog: str, rules: Rules | None) -> None:
        self._store, self._kept, self._blog = archive.store, KeptBlog(archive, blog), blog
        self.posts = frozenset(archive.store.posts.digests(blog))
        self._templates = _article_rules(rules)
        self._revisions: dict[int, ArticleRules] = {}

    def of(self, post: str) -> list[Version]:
        """Oldest first; the newest also as it was last captured."""
        found: list[Version] = []
        rows = self._store.versions.of(post)
        for row in rows:
            record = self._store.versions.record(post, row.number)
            if record is None:
                continue
            capture, captured = record.capture or SourceRecord(url=record.url), row.captured or ""
            page, last = self._kept.page(row.record_id), self._kept.page(capture.record_id)
            alike = self._reads_alike(record, row.rules)
            found.append(Version(row.number, captured, row.record_id, record, page or last, alike))
            seen = capture.captured or ""
            if row is rows[-1] and seen > captured:
                found.append(Version(row.number, seen, capture.record_id, record, last, alike))
        return found

    def _reads_alike(self, record: PostRecord, number: int | None) -> bool:
        """Whether the rules of then and of now find the article by the same rule, and leave the
        same out of it.
        """
        if number is None:
            return False
        if number not in self._revisions:
            revision = self._store.blogs.revision(self._blog, number)
            self._revisions[number] = _article_rules(load_rules(revision.rules) if revision else None)
        xpath = record.text_source.rule if record.text_source else ""
        return xpath in self._templates and self._templates[xpath] == self._revisions[number].get(xpath)


ArticleRules = dict[str, list[object]]
"""What decides on the text of an article, by the rule that finds it."""


def _article_rules(rules: Rules | None) -> ArticleRules:
    found: ArticleRules = {}
    for template in rules.templates if rules else ():
        article, exclude = template.article, {(rule.css, rule.starts) for rule in template.exclude}
        found.setdefault(article.xpath, []).append((article.css, article.after, article.before, exclude))
    return found
