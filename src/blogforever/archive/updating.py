"""Bring a known blog up to date: hand over what the archive knows, and write down what the update found."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import monotonic
from typing import cast

from msgspec import structs

from blogforever.errors import UsageError
from blogforever.pipeline.entries import entry_digest
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.record import old_identity
from blogforever.pipeline.requisites import WithFiles, as_kept, kept_file
from blogforever.pipeline.since import moment_of
from blogforever.protocols import Lane, PageHandler
from blogforever.records import BlogRecord, MediaRecord, PostRecord
from blogforever.render.chromium import INSTALL
from blogforever.storage.tables import Store
from blogforever.storage.values import FROZEN, JUDGED, CheckRow, QuietRow, SightingRow, StandingRow
from blogforever.update.findings import Finding, Move, UpdateFindings
from blogforever.update.fuller import why_shorter
from blogforever.update.remembered import KnownPost, Remembered
from blogforever.update.states import BlogStanding, BlogState, Sighting, State, next_standing, next_state
from blogforever.update.unchanged import quiet_until
from blogforever.update.update import BlogUpdate, Clock
from blogforever.urls import url_key
from blogforever.wording import in_english

from .fetchers import warc_info
from .jobs import Changes, CrawlProgress, CrawlReport, Job, Run, Watched, Watcher
from .ownpages import write_pages
from .quiet import last_turn, settings_mark
from .stating import statement
from .versioning import check_row, keep_rules, note_move, settled_address, with_platform


@dataclass(frozen=True, slots=True)
class WholeUpdate:
    """The update of one blog that knows all its posts: who handles its answers, and what is done at
    its end.
    """

    handler: PageHandler
    finish: Callable[[str], CrawlReport]


def update_job(known: Remembered, run: Run, watcher: Watcher) -> Job:
    """The update of one blog, ready to be fetched for."""
    whole = whole_update(known, run, watcher)
    return Job(lane_of(whole.handler, run, known.url), whole.finish)


def lane_of(handler: PageHandler, run: Run, url: str) -> Lane:
    """Where the requests of an update go: what was kept before is asked for with its conditions."""
    config, archive = run.config, run.archive
    resumed = archive.captured_since(run.blog, run.since) if run.since else None
    deadline = monotonic() + config.max_time if config.max_time else None
    recorder = archive.recorder(run.blog, run.run, warc_info(config, url, run.rendering.able))
    earlier = partial(archive.store.captures.condition, run.blog)
    return Lane(handler, recorder, resumed, deadline, earlier, distrusted=run.distrusted)


def whole_update(known: Remembered, run: Run, watcher: Watcher) -> WholeUpdate:
    """The update, from its announcements to the last post that is looked at."""
    config = run.config
    since = read_since(config.since)
    turned, absurd = _last_turn(known, run), secrets.token_hex(12)
    clock = Clock(run.now, config.recheck, absurd, since, turned, config.brief, config.late_comments)
    limits = CrawlLimits(config.max_pages, config.max_time, config.max_total, config.max_posts)
    update = BlogUpdate(known, run.tools, clock, limits, run.rendering)
    watched = Watched(update, CrawlProgress(update, run.keeper), watcher)
    wanted = (config.requisites == "page", config.media)
    files = WithFiles(watched, *wanted, update.offers.enclosures, run.find, known.has_asked_for_file)
    handler: PageHandler = files if any(wanted) else watched
    return WholeUpdate(handler, partial(_finish, run, update, files))


def _last_turn(known: Remembered, run: Run) -> datetime | None:
    """When old posts last had their turn; before a first brief look, the walk through the whole
    blog was that.
    """
    before = run.archive.store.blogs.quiet(known.blog)
    return known.last if before is None and run.config.brief else last_turn(before, run.config.recheck)


def read_since(text: str) -> datetime | None:
    """The day of --since."""
    if not text:
        return None
    moment = moment_of(text)
    if moment is None:
        raise UsageError(f"--since wants a day like 2024-05-31, not {text!r}.")
    return moment.replace(hour=0, minute=0, second=0) if len(text) <= 10 else moment


def young(record: PostRecord, since: datetime | None) -> bool:
    """Whether a post was published or changed since; one without a date may have been."""
    told = [moment for day in (record.published, record.modified) if (moment := moment_of(day))]
    return since is None or not told or max(told) >= since


def _finish(run: Run, update: BlogUpdate, files: WithFiles, ending: str) -> CrawlReport:
    known, found = update.remembered, update.report()
    changes = Changes(requests=update.answered, looked=len(found.findings), notes=found.notes)
    if ending == "finished":
        Writing(run, update, files, found, changes).write()
        _note_quiet(run, update, found, changes, bool(run.keeper.failures or files.missing))
    run.archive.store.runs.close(run.run, _how_it_ended(ending, changes))
    run.archive.search.update(run.blog)
    feed, record = update.offers.feed, run.archive.store.blogs.find(known.blog)
    return CrawlReport(
        blog=known.blog,
        url=update.scope.root,
        run=run.run,
        title=feed.title if feed else record.title if record else None,
        ending=ending,
        stopped=update.cut_by,
        home_failure=update.home_failure,
        feed=feed.url if feed else None,
        posts=len(known.posts) + changes.new,
        pages=update.answered,
        failures=run.keeper.failures,
        files=len(files.kept),
        completeness=replace(statement(update, found, ending, run.archive.erased), distrusted=run.distrusted),
        resumed=run.since is not None,
        drawn=update.rendering.drawn,
        unseen=update.rendering.unseen(INSTALL),
        update=changes,
    )


def _note_quiet(run: Run, update: BlogUpdate, found: UpdateFindings, changes: Changes, failed: bool) -> None:
    """Write down what the announcements said, and until when the next update can end with them.

    Of a blog that was frozen or could not be reached nothing was judged: the next update is a whole
    one, and what is known of the turns of old posts stays. What has `failed`, a page or a file, is
    tried again by a whole update.
    """
    if changes.frozen or changes.unreachable:
        return
    if update.clock.late_comments:
        _note_comments(run, update, failed)
        return
    had_turns = update.budget.is_time and not update.stopped
    turned = update.clock.now if had_turns else update.clock.turned
    until = None if failed else quiet_until(update, found, turned)
    run.archive.store.blogs.save_quiet(
        QuietRow(
            blog=run.blog,
            run=run.run,
            settings=settings_mark(run),
            share=str(run.config.recheck),
            turned=_iso(turned) if turned else None,
            until=_iso(until) if until else None,
            said=_said_of_the_rest(run, update) | update.said,
        )
    )


def _note_comments(run: Run, update: BlogUpdate, failed: bool) -> None:
    """After a look for late comments alone the next update can end as it could before; nothing was
    learned of what else the blog announces.
    """
    before = run.archive.store.blogs.quiet(run.blog)
    is_last_word = before is not None and before.run == run.archive.store.runs.before(run.blog, run.run)
    if before is not None and is_last_word and not failed and not update.stopped:
        run.archive.store.blogs.save_quiet(replace(before, run=run.run, said=before.said | update.said))


def _said_of_the_rest(run: Run, update: BlogUpdate) -> dict[str, str]:
    """What those said last time that a brief look has left for later."""
    before = run.archive.store.blogs.quiet(run.blog)
    said = before.said if before else {}
    return {ask.url: said[ask.url] for ask in update.offers.left if ask.url in said}


def _how_it_ended(ending: str, changes: Changes) -> str:
    """What is written down of the run: only what was taken over is known to the next one."""
    if ending != "finished":
        return ending
    if changes.frozen:
        return FROZEN
    return "unreachable" if changes.unreachable else JUDGED


class Writing:
    """Puts the findings of one update into the archive."""

    def __init__(self, run: Run, update: BlogUpdate, files: WithFiles, found: UpdateFindings, changes: Changes) -> None:
        self._run, self._update, self._files, self._found, self._changes = run, update, files, found, changes
        self._store = run.archive.store
        self._now = update.clock.now
        self._blog = update.remembered.blog
        self._rules: int | None = None
        self._earlier = self._store.blogs.revision(self._blog)

    def write(self) -> None:
        """Everything, or of a frozen blog only what was seen."""
        found, changes = self._found, self._changes
        changes.frozen_said = (found.freeze,) if found.freeze and not self._run.config.accept_changes else ()
        changes.frozen = in_english(changes.frozen_said) or None
        changes.unreachable = found.failure
        standing = self._standing()
        if changes.frozen or found.failure:
            for finding in found.findings:
                self._sight(finding)
            self._store.captures.forget_conditions(self._blog, self._run.run)
        else:
            rules, verdict = found.rules, self._update.rendering.verdict()
            rules = replace(rules, browser=verdict) if rules and verdict else rules
            why = found.relearned or "unchanged"
            self._rules = keep_rules(self._run.archive, self._blog, rules, why, self._now)
            changes.relearned = found.relearned
            for finding in found.findings:
                self._write(finding)
            changes.pages = write_pages(self._store, self._run.run, self._blog, map(self._described, found.pages))
            self._announcements()
        self._save_blog(standing)

    def _write(self, finding: Finding) -> None:
        if finding.kind == "new" and finding.record is not None:
            if young(finding.record, self._update.clock.since):
                self._new(finding.record)
        elif finding.post is not None and finding.outcome == "here":
            self._here(finding, finding.post)
        elif finding.post is not None:
            self._not_here(finding, finding.post)

    def _described(self, record: PostRecord) -> PostRecord:
        """Name the files of a post that are kept, those of earlier crawls, too: they were not asked
        for again.
        """
        record = self._files.described(record)
        return structs.replace(record, media=tuple(map(self._kept_before, record.media)))

    def _kept_before(self, media: MediaRecord) -> MediaRecord:
        ref = None if media.sha256 else self._store.captures.file(self._blog, media.url)
        return as_kept(media, kept_file(self._run.tools.read(ref))) if ref else media

    def _new(self, record: PostRecord) -> None:
        record = self._described(record)
        check = check_row(record, *self._told(record.addresses))
        self._store.posts.keep(self._run.run, record, "compare", self._rules, check)
        self._changes.new += 1

    def _here(self, finding: Finding, post: KnownPost) -> None:
        """The post is there: the same, edited, moved, or back."""
        self._sight(finding)
        edited = finding.kind == "edit"
        record = finding.record
        if finding.move is not None or (post.state != "active" and record is None):
            record = record or self._store.posts.record(post.id)
        check = self._seen(finding, post, edited)
        is_noted = finding.kind == "revision" or self._is_shorter(post, finding)
        if record is None:
            self._store.checks.keep(check)
        else:
            record = self._moved(record, finding) if finding.move else record
            record = structs.replace(self._described(record), status="active")
            self._store.posts.keep(self._run.run, record, "content" if edited else "none", self._rules, check)
            self._changes.comments += max(0, len(record.comments) - post.comments)
        if is_noted:
            place = (post.id, self._store.posts.record(post.id).version)
            moment = self._now.isoformat(timespec="seconds")
            self._store.versions.add_extraction(place, self._rules, post.digest, finding.reason, moment)
        self._changes.edited += edited
        self._changes.back += post.state != "active"

    def _is_shorter(self, post: KnownPost, finding: Finding) -> bool:
        """Whether an edit leaves less than half of the words: why that is believed is kept with the
        version.
        """
        if finding.kind != "edit" or finding.record is None:
            return False
        return bool(why_shorter(self._store.posts.record(post.id), finding.record))

    def _seen(self, finding: Finding, post: KnownPost, edited: bool) -> CheckRow:
        """How a post stands that was found now."""
        moment = self._now.isoformat(timespec="seconds")
        check = self._check(post, "active", finding.move)
        return structs.replace(
            check,
            checked=moment,
            captured=moment,
            unchanged=0 if edited else post.unchanged + 1,
            record_id=finding.record_id or check.record_id,
        )

    def _moved(self, record: PostRecord, finding: Finding) -> PostRecord:
        move, post = finding.move, finding.post
        assert move is not None
        assert post is not None
        if move.old != move.new:
            note_move(self._run, post.id, move, finding.record_id)
            self._changes.moved += 1
        return old_identity(self._store.posts.record(post.id), structs.replace(record, url=move.new))

    def _not_here(self, finding: Finding, post: KnownPost) -> None:
        """The post is not there, or nobody can tell."""
        sighting = self._sight(finding)
        if finding.kind == "nothing":
            return
        state = next_state(post.state, [*post.sightings, sighting])
        moment = self._now.isoformat(timespec="seconds")
        check = structs.replace(self._check(post, state), checked=moment)
        if state == post.state:
            self._store.checks.keep(check)
            return
        record = structs.replace(self._store.posts.record(post.id), status=state)
        self._store.posts.keep(self._run.run, record, "none", self._rules, check)
        self._changes.missing += state == "missing"
        self._changes.gone += state == "gone"

    def _sight(self, finding: Finding) -> Sighting:
        sighting = Sighting(self._now, finding.outcome, finding.look.evidence)
        if finding.post is not None and _tells(finding, finding.post):
            row = SightingRow(
                post=finding.post.id,
                blog=self._blog,
                run=self._run.run,
                checked=_iso(self._now),
                status=finding.status,
                outcome=finding.outcome,
                absent=tuple(sorted(finding.look.evidence)),
                reason=finding.reason,
            )
            self._store.checks.add_sighting(row)
        return sighting

    def _check(self, post: KnownPost, state: State, move: Move | None = None) -> CheckRow:
        """How a post stands now, with what the blog says of it today; looked at as before."""
        announced, entry = self._told([move.new, *post.names] if move else post.names)
        since = post.since if state == post.state and post.since else self._now
        return CheckRow(
            post=post.id,
            blog=self._blog,
            state=state,
            since=_iso(since),
            captured=_iso(post.captured) if post.captured else None,
            checked=_iso(post.checked) if post.checked else None,
            unchanged=post.unchanged,
            announced=announced or post.announced,
            entry=entry or post.entry,
            record_id=post.ref.record_id if post.ref else None,
        )

    def _told(self, names: Iterable[str]) -> tuple[str | None, str | None]:
        """What the blog says today of a post: when it was changed, and its entry's digest."""
        news, keys = self._found.news, [url_key(name) for name in names]
        entry = next((news.entries[key] for key in keys if key in news.entries), None)
        return news.stated_change(entry, keys), entry_digest(entry) if entry else None

    def _announcements(self) -> None:
        """What is said of posts that needed no look, so that it is no news the next time."""
        if self._update.stopped:
            # Nobody knows which of them would have had one.
            return
        looked = {finding.post.id for finding in self._found.findings if finding.post} | self._update.mass.unknown()
        for post in self._update.remembered.posts:
            announced, entry = self._told(post.names)
            if post.id not in looked and (announced or post.announced, entry or post.entry) != (
                post.announced,
                post.entry,
            ):
                self._store.checks.keep(self._check(post, post.state))

    def _standing(self) -> BlogStanding:
        before = load_standing(self._store, self._blog)
        after = next_standing(before, self._now, self._found.failure, self._changes.frozen)
        self._store.blogs.save_standing(standing_row(self._blog, after))
        return after

    def _save_blog(self, standing: BlogStanding) -> None:
        """The blog's own record, with its status; a frozen or silent blog keeps what it said
        before.
        """
        record = self._store.blogs.find(self._blog) or BlogRecord(id=self._blog, url=self._update.scope.root)
        if standing.state == "active":
            record = self._brought_up_to_date(record)
        message = standing.message or None
        self._store.blogs.keep(structs.replace(record, status=standing.state, status_message=message))

    def _brought_up_to_date(self, record: BlogRecord) -> BlogRecord:
        """The blog's record with what its feed and its sitemap say now, and how complete it is."""
        news, update = self._found.news, self._update
        feed = news.feed
        whole = statement(update, self._found, "finished", self._run.archive.erased)
        fresh = structs.replace(
            record,
            url=settled_address(self._run, record, update.scope.root, "redirect", self._earlier),
            title=(feed.title if feed else None) or record.title,
            feed=feed.url if feed else record.feed or None,
            feeds=tuple(dict.fromkeys([*([feed.url] if feed else []), *record.feeds])),
            sitemap=tuple(news.sitemaps or record.sitemap),
            generator=(feed.generator if feed else None) or record.generator or None,
            posts=len(update.remembered.posts) + self._changes.new,
            completeness=replace(whole, distrusted=self._run.distrusted).record(),
        )
        return with_platform(fresh, fresh, self._found.platform, self._now)


def _tells(finding: Finding, post: KnownPost) -> bool:
    """Whether a look is evidence: that a post is here says something only where it was not, or
    should not be.
    """
    was_away = bool(post.sightings) and post.sightings[-1].outcome != "here"
    return finding.outcome != "here" or bool(finding.look.evidence) or was_away


def load_standing(store: Store, blog: str) -> BlogStanding | None:
    """How a blog stood after the last update."""
    row = store.blogs.standing(blog)
    if row is None:
        return None
    since, checked = datetime.fromisoformat(row.since), datetime.fromisoformat(row.checked)
    # The column holds what `next_standing` gave.
    return BlogStanding(cast("BlogState", row.state), since, checked, row.misses, row.message)


def standing_row(blog: str, standing: BlogStanding) -> StandingRow:
    """How a blog stands, as it is written down."""
    since, checked = _iso(standing.since), _iso(standing.checked)
    return StandingRow(blog, standing.state, since, checked, standing.misses, standing.message)


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
