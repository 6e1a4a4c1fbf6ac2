"""What the archive knows of a blog, handed to a crawl as values; and what a crawl leaves for the next one to know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from blogforever.care.decisions import Apart
from blogforever.config import Config
from blogforever.dom import tokenise
from blogforever.extract.content import content_of
from blogforever.learn.rulefile import dump_rules, load_rules
from blogforever.model import Entry, Feed, Page, Post, Rules
from blogforever.pipeline.entries import entry_digest, stated_change
from blogforever.pipeline.findings import Move
from blogforever.pipeline.fuller import is_bare, is_far_less, why_kept, with_text_of
from blogforever.pipeline.identity import Identity, names_of
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.page import StageFailed
from blogforever.pipeline.platforms import PlatformSeen
from blogforever.pipeline.record import old_identity
from blogforever.pipeline.remembered import KnownPost, Remembered
from blogforever.pipeline.states import Sighting
from blogforever.pipeline.versions import Capture, Judgement, alike, judge
from blogforever.protocols import Record
from blogforever.store.folder import ArchiveFolder
from blogforever.store.records import Change
from blogforever.urls import url_key

from .jobs import Run
from .kept import KeptBlog
from .past import Version

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def known_blogs(archive: ArchiveFolder) -> dict[str, str]:
    """The addresses of the archive's blogs: they need no search for their home."""
    return {blog["url"]: blog["url"] for blog in archive.library.blogs(everything=True) if blog.get("url")}


def known_name(archive: ArchiveFolder, url: str) -> str | None:
    """The name of the blog that is kept under this address, though it may have been found under another."""
    found = (b for b in archive.library.blogs(everything=True) if b.get("url") and url_key(b["url"]) == url_key(url))
    return next((blog["id"] for blog in found), None)


def remembered(archive: ArchiveFolder, blog: str, config: Config, now: datetime | None = None) -> Remembered | None:
    """A blog that can be brought up to date; None for a new one, and for one whose first walk was cut short."""
    history = archive.history
    last = history.last_judged(blog)
    record = history.blog(blog)
    if config.replay or config.full or last is None or record is None:
        return None
    whole = record.get("walked", not (record.get("completeness") or {}).get("stopped_by"))
    posts = known_posts(archive, blog) if whole else ()
    if not posts:
        return None
    addresses = list(history.seen_addresses(blog))
    feeds = [record.get("feed"), *(record.get("feeds") or [])]
    return Remembered(
        blog=blog,
        url=record["url"],
        posts=posts,
        recall=history.record,
        last=_moment(last),
        feeds=tuple(dict.fromkeys(feed for feed in feeds if feed)),
        comment_feeds=tuple(record.get("comment_feeds") or ()),
        sitemaps=tuple(record.get("sitemap") or ()),
        api=record.get("api"),
        rules=KeptBlog(archive, blog, now).rules(),
        platform=record.get("platform"),
        generator=record.get("generator"),
        seen=frozenset(map(url_key, addresses)),
        fresh=frozenset(history.fresh_addresses(blog, (now or datetime.now(UTC)).isoformat())),
        addresses=frozenset(addresses),
        unjudged=frozenset(map(url_key, history.frozen_addresses(blog))),
        apart=apart_by(archive, now),
    )


def apart_by(archive: ArchiveFolder, now: datetime | None) -> tuple[Apart, ...]:
    """What people have said is not one, up to a moment: a crawl that is gone through again knew no more."""
    apart = archive.journal.state().apart
    return apart if now is None else tuple(one for one in apart if datetime.fromisoformat(one.at) <= now)


def keep_rules(archive: ArchiveFolder, blog: str, rules: Rules | None, reason: str, when: datetime) -> int | None:
    """The number of these rules among all the blog has had; they become its present ones."""
    if rules is None:
        return None
    text = dump_rules(rules)
    archive.write_rules(blog, text)
    return archive.history.add_revision(blog, text, reason, when.isoformat(timespec="seconds"))


def with_templates(learned: Rules, earlier: Rules | None) -> Rules:
    """New rules with the templates of earlier ones behind their own."""
    old = [template for template in (earlier.templates if earlier else ()) if template not in learned.templates]
    return replace(learned, templates=(*learned.templates, *old))


def known_posts(archive: ArchiveFolder, blog: str) -> tuple[KnownPost, ...]:
    """The blog's posts with how they stand."""
    checks, digests = archive.history.checks(blog), archive.history.digests(blog)
    sightings = archive.history.sightings(blog)
    former: dict[str, list[str]] = {}
    for move in archive.history.moves(blog):
        former.setdefault(move["post"], []).append(move["old"])

    def known(record: Record) -> KnownPost:
        post = record["id"]
        about = _known(record, checks.get(post, {}), digests.get(post, ""), sightings.get(post, []))
        return replace(about, former=tuple(former[post])) if post in former else about

    return tuple(map(known, archive.library.posts(blog, everything=True)))


def _known(record: Record, check: Record, digest: str, sightings: list[Record]) -> KnownPost:
    captured = next((source.get("captured") for source in record.get("sources") or ()), None)
    return KnownPost(
        id=record["id"],
        url=record["url"],
        names=(record["url"], *(record.get("aliases") or ())),
        guid=record.get("guid"),
        native_id=record.get("native_id"),
        title=record.get("title"),
        published=record.get("published"),
        digest=digest,
        state=check.get("state", "active"),
        since=_moment(check.get("since") or captured),
        captured=_moment(check.get("captured") or captured),
        checked=_moment(check.get("checked") or captured),
        unchanged=check.get("unchanged", 0),
        announced=check.get("announced"),
        entry=check.get("entry"),
        comments=len(record.get("comments") or ()),
        stated=(record.get("extra") or {}).get("comments_stated"),
        ref=check.get("ref"),
        sightings=tuple(_sighting(row) for row in sightings),
        bare=is_bare(record),
    )


def _sighting(row: Record) -> Sighting:
    return Sighting(_moment(row["checked"]) or NEVER, row["outcome"], frozenset(row["evidence"].get("absent", ())))


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def told_entries(offers: Offers) -> dict[str, Entry]:
    """The entries of the blog's feed as it was on the day of a walk, by the keys of their addresses."""
    feed: Feed | None = next((f for f in offers.feeds if offers.feed and f.url == offers.feed.url), None)
    return {url_key(entry.url): entry for entry in (feed.entries if feed else ())}


def entry_told(record: Record, entries: Mapping[str, Entry]) -> Entry | None:
    """The entry that speaks of a post, by any address it has."""
    return next((entries[key] for key in _keys(record) if key in entries), None)


def _keys(record: Record) -> list[str]:
    return [url_key(name) for name in (record["url"], *(record.get("aliases") or ()))]


def first_check(record: Record, offers: Offers, entries: Mapping[str, Entry]) -> Record:
    """How a post stands after a walk, with what the blog says of it that day."""
    entry, keys = entry_told(record, entries), _keys(record)
    changed = stated_change(entry, offers.lastmod(keys))
    return check_row(record, changed, entry_digest(entry) if entry else None)


def check_row(record: Record, announced: str | None, entry: str | None) -> Record:
    """The row of a post that was just captured."""
    source: Record = next(iter(record.get("sources") or ()), {})
    moment = source.get("captured") or datetime.now(UTC).isoformat(timespec="seconds")
    row = {"post": record["id"], "blog": record["blog"], "state": "active", "since": moment, "captured": moment}
    row |= {"checked": moment, "unchanged": 0, "announced": announced, "entry": entry}
    return row | {"record_id": source.get("record_id")}


def note_move(this: Run, post: str, move: Move, record_id: str | None) -> None:
    """A post was found at another address; what was kept of it before is put by."""
    before = this.archive.history.kept(post) | {"found": record_id}
    this.archive.history.add_move(_move_row(this, post, move), before)


def settled_address(this: Run, record: Record | None, new: str, sign: str, rules: Record | None) -> str:
    """The blog's address; another one than before is a move of the blog, unless somebody has said that it is none."""
    old, history = (record or {}).get("url") or new, this.archive.history
    apart = any(one.kind == "blog" and one.parts(old, new) for one in apart_by(this.archive, this.now))
    if apart or (url_key(old) == url_key(new) and urlsplit(old).scheme == urlsplit(new).scheme):
        return str(old if apart else new)
    before = {"blog": record, "rules": rules["number"] if rules else None}
    history.add_move(_move_row(this, this.blog, Move(old, new, sign)), before)
    return new


def platform_facts(record: Record, seen: PlatformSeen | None, now: datetime) -> Record:
    """What the blog's record says of its platform after a crawl; a change is kept with its day and its evidence."""
    if seen is None:
        return {}
    if not seen.changed:
        return {"platform_version": seen.version} if seen.version and record.get("platform") == seen.name else {}
    change = {"at": now.date().isoformat(), "from": seen.before, "from_version": record.get("platform_version")}
    change |= {"to": seen.name, "to_version": seen.version, "evidence": seen.evidence}
    changes = [*(record.get("platform_changes") or []), change]
    return {"platform": seen.name, "platform_version": seen.version, "platform_changes": changes}


def _move_row(this: Run, what: str, move: Move) -> Record:
    row = {"post": what, "blog": this.blog, "run": this.run, "moved": this.now.isoformat(timespec="seconds")}
    return row | {"old": move.old, "new": move.new, "sign": move.sign}


class Before:
    """The posts a blog had before it is walked again: who they are, and whether their authors changed them."""

    def __init__(self, this: Run, rules: Rules | None, found: Iterable[str]) -> None:
        archive, blog = this.archive, this.blog
        posts = known_posts(archive, blog) if archive.history.last_judged(blog) else ()
        self._posts = {post.id: post for post in posts}
        apart = [one for one in apart_by(archive, this.now) if one.kind == "url"]
        self._identity = Identity(posts, lambda one, other: any(two.parts(one, other) for two in apart))
        self._history, self._rules, self._read = archive.history, rules, this.tools.read
        self._extract = this.tools.extract
        self._found = frozenset(map(url_key, found))
        revision = archive.history.revision(blog)
        self._when, self._revision = this.now.isoformat(timespec="seconds"), revision["number"] if revision else None
        self.moves: dict[str, Move] = {}
        self.fuller = 0
        """Posts whose text stays, because what was read now is none or far less."""

    def compared(self, record: Record, entry: Entry | None = None) -> tuple[Record, Change]:
        """The record under the id it has in the archive, and whether it is another version."""
        post = self._identity.at(record["url"]) or self._posts.get(record["id"])
        sign = "its address"
        if post is None and self._posts:
            hint = self._identity.hinted(record["url"], record.get("guid"), record.get("native_id"), moved_host=True)
            proof = self._identity.proved(record, self._alike(record), hint)
            post, sign = proof or (None, "")
            # A post that is still at its own address has not moved: the author published its like again.
            if post and (post.id in self.moves or any(url_key(name) in self._found for name in names_of(post))):
                post = None
        if post is None:
            return record, "compare"
        if post.id != record["id"] or post.url != record["url"]:
            record = self._again(post, record, sign)
        judgement = self._judgement(post, record)
        old = self._history.record(post.id)
        if judgement == "closed":
            return old, "none"
        # What takes the place of other words is another version, whoever put it there: the words must not be lost.
        changed = judgement in ("edit", "replaced")
        if is_far_less(old, record) and (reason := self._why_kept(post, old, record, entry)):
            self.fuller += 1
            place = (post.id, int(old.get("version") or 1))
            self._history.add_extraction(place, self._revision, post.digest, reason, self._when)
            record = with_text_of(old, record)
            changed = changed and content_of(record) != content_of(old)
        return record, "compare" if judgement is None else "content" if changed else "none"

    def _why_kept(self, post: KnownPost, old: Record, record: Record, entry: Entry | None) -> str:
        announced = entry is not None and post.entry is not None and entry_digest(entry) != post.entry
        return why_kept(old, record, self._page_of(record), self._rules, entry, announced)

    def _alike(self, record: Record) -> Callable[[KnownPost], bool]:
        words = tokenise(record.get("text") or "")
        return lambda post: alike(tokenise(self._history.record(post.id).get("text") or ""), words)

    def _again(self, post: KnownPost, record: Record, sign: str) -> Record:
        """A known post under the address it was found at now."""
        if url_key(post.url) == url_key(record["url"]) and self._identity.apart(post, record["url"]):
            return old_identity(self._history.record(post.id), record | {"url": post.url})
        if post.url != record["url"] and post.id not in self.moves:
            self.moves[post.id] = Move(post.url, record["url"], sign)
        return old_identity(self._history.record(post.id), record)

    def _page_of(self, record: Record) -> Page:
        """The page a record was made from; one without words where the archive does not have it."""
        source: Record = next(iter(record.get("sources") or ()), {})
        place = self._history.capture(source["record_id"]) if source.get("record_id") else None
        return self._read(place) if place else Page(record["url"], b"")

    def _judgement(self, post: KnownPost, record: Record) -> Judgement | None:
        """What the author did since the last capture; None where there are no two to compare."""
        source: Record = next(iter(record.get("sources") or ()), {})
        new = self._history.capture(source["record_id"]) if source.get("record_id") else None
        if post.ref is None or new is None:
            return None
        if post.ref.digest and post.ref.digest == new.digest:
            return "same"

        def read(page: Page) -> Post:
            return self._extract(page, self._rules, None)

        try:
            old, now = Capture(self._read(post.ref), read), Capture(self._read(new), read)
        except StageFailed:
            # What cannot be read is no measure: the post stays as it is.
            return "closed"
        return judge(old, now, announced=False).judgement


class Versions:
    """The versions the archive has of a blog's posts, to be compared with captures that the `rules` read.

    `posts` are the ids of those it had before.
    """

    def __init__(self, archive: ArchiveFolder, blog: str, rules: Rules | None) -> None:
        self._history, self._kept, self._blog = archive.history, KeptBlog(archive, blog), blog
        self.posts = frozenset(archive.history.digests(blog))
        self._templates = _article_rules(rules)
        self._revisions: dict[int, ArticleRules] = {}

    def of(self, post: str) -> list[Version]:
        """Oldest first; the newest also as it was last captured."""
        found: list[Version] = []
        rows = self._history.versions(post)
        for row in rows:
            record = self._history.version(post, row["number"]) or {}
            source: Record = next(iter(record.get("sources") or ()), {})
            page, last = self._kept.page(row["record_id"]), self._kept.page(source.get("record_id"))
            alike = self._reads_alike(record, row["rules"])
            found.append(Version(row["number"], row["captured"] or "", row["record_id"], record, page or last, alike))
            seen = source.get("captured") or ""
            if row is rows[-1] and seen > (row["captured"] or ""):
                found.append(Version(row["number"], seen, source.get("record_id"), record, last, alike))
        return found

    def _reads_alike(self, record: Record, number: int | None) -> bool:
        """Whether the rules of then and of now find the article by the same rule, and leave the same out of it."""
        if number is None:
            return False
        if number not in self._revisions:
            revision = self._history.revision(self._blog, number)
            self._revisions[number] = _article_rules(load_rules(revision["rules"]) if revision else None)
        xpath = ((record.get("provenance") or {}).get("html") or {}).get("rule") or ""
        return xpath in self._templates and self._templates[xpath] == self._revisions[number].get(xpath)


ArticleRules = dict[str, list[object]]
"""What decides on the text of an article, by the rule that finds it."""


def _article_rules(rules: Rules | None) -> ArticleRules:
    found: ArticleRules = {}
    for template in rules.templates if rules else ():
        article, exclude = template.article, {(rule.css, rule.starts) for rule in template.exclude}
        found.setdefault(article.xpath, []).append((article.css, article.after, article.before, exclude))
    return found
