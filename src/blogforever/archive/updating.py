"""Bring a known blog up to date: hand over what the archive knows, and write down what the update found."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from time import monotonic

from blogforever.care.veil import Veil
from blogforever.errors import UsageError
from blogforever.pipeline.announcements import FEED, SITEMAP
from blogforever.pipeline.completeness import NOT_A_POST, Announcement, Completeness, in_words, reconcile
from blogforever.pipeline.entries import entry_digest, stated_change
from blogforever.pipeline.findings import Finding, Move, UpdateFindings
from blogforever.pipeline.fuller import is_bare
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.record import old_identity
from blogforever.pipeline.remembered import KnownPost, Remembered
from blogforever.pipeline.requisites import WithFiles, kept_file
from blogforever.pipeline.since import moment_of
from blogforever.pipeline.statement import SHOWN
from blogforever.pipeline.states import BlogStanding, Sighting, State, next_standing, next_state
from blogforever.pipeline.update import BlogUpdate, Clock
from blogforever.protocols import CUT, Lane, PageHandler, Record
from blogforever.render.chromium import INSTALL
from blogforever.store.history import FROZEN, JUDGED, History
from blogforever.urls import url_key

from .fetchers import warc_info
from .jobs import Changes, CrawlProgress, CrawlReport, Job, Run, Watched, Watcher
from .versioning import check_row, keep_rules, note_move, platform_facts, settled_address


def update_job(known: Remembered, run: Run, watcher: Watcher) -> Job:
    """The update of one blog, ready to be fetched for."""
    config, archive = run.config, run.archive
    clock = Clock(run.now, config.recheck, secrets.token_hex(12), read_since(config.since))
    limits = CrawlLimits(config.max_pages, config.max_time, config.max_total)
    update = BlogUpdate(known, run.tools, clock, limits, run.rendering)
    watched = Watched(update, CrawlProgress(update, run.keeper), watcher)
    wanted = (config.requisites == "page", config.media)
    files = WithFiles(watched, *wanted, update.offers.enclosures, run.find, known.addresses.__contains__)
    handler: PageHandler = files if any(wanted) else watched
    resumed = archive.captured_since(known.blog, run.since) if run.since else None
    deadline = monotonic() + config.max_time if config.max_time else None
    recorder = archive.recorder(known.blog, run.run, warc_info(config, known.url, run.rendering.able))
    earlier = partial(archive.history.condition, known.blog)
    lane = Lane(handler, recorder, resumed, deadline, earlier, distrusted=run.distrusted)
    return Job(lane, partial(_finish, run, update, files))


def read_since(text: str) -> datetime | None:
    """The day of --since."""
    if not text:
        return None
    moment = moment_of(text)
    if moment is None:
        raise UsageError(f"--since wants a day like 2024-05-31, not {text!r}.")
    return moment.replace(hour=0, minute=0, second=0) if len(text) <= 10 else moment


def young(record: Record, since: datetime | None) -> bool:
    """Whether a post was published or changed since; one without a date may have been."""
    told = [moment for name in ("published", "modified") if (moment := moment_of(record.get(name)))]
    return since is None or not told or max(told) >= since


def _finish(run: Run, update: BlogUpdate, files: WithFiles, ending: str) -> CrawlReport:
    known, found = update.remembered, update.report()
    changes = Changes(requests=update.answered, looked=len(found.findings), notes=found.notes)
    if ending == "finished":
        Writing(run, update, files, found, changes).write()
    run.archive.records.close_run(run.run, _how_it_ended(ending, changes))
    run.archive.search.update()
    feed = update.offers.feed
    return CrawlReport(
        blog=known.blog,
        url=update.scope.root,
        run=run.run,
        title=feed.title if feed else (run.archive.history.blog(known.blog) or {}).get("title"),
        ending=ending,
        stopped=update.stopped,
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


def _how_it_ended(ending: str, changes: Changes) -> str:
    """What is written down of the run: only what was taken over is known to the next one."""
    if ending != "finished":
        return ending
    if changes.frozen:
        return FROZEN
    return "unreachable" if changes.unreachable else JUDGED


def statement(update: BlogUpdate, found: UpdateFindings, ending: str, erased: Veil) -> Completeness:
    """How complete the blog is after the update, and how soon old posts have their turn."""
    news, known = found.news, update.remembered
    pattern = update.known.pattern
    places = {k: place.url for k, place in news.places.items() if place.surely_post or pattern.matches(place.url)}
    told = [Announcement(FEED, news.feed.url if news.feed else "", news.announced.get(FEED, {}), only_posts=True)]
    told += [Announcement(SITEMAP, news.sitemaps[0], places)] if news.sitemaps else []
    names = [name for post in known.posts for name in (post.url, *post.names)]
    names += [name for f in found.findings if f.record for name in (f.record["url"], *(f.record.get("aliases") or ()))]
    names += [f.move.new for f in found.findings if f.move]
    # What was erased must not be captured, and is not missing.
    names += [url for source in told for url in source.urls.values() if erased.hides("url", url, known.blog)]

    def why_not(url: str) -> str:
        key = url_key(url)
        found = update.reasons.get(key) or update.guard.why_not(url)
        return found or (NOT_A_POST if key in known.seen or key in update.seen else "not fetched")

    stopped = update.stopped or (ending if ending != "finished" else None)
    bounds = [f"the {source} could not be read ({reason})" for source, reason in news.failures.items()]
    bounds += _unlooked(found)
    unsure = update.mass.sentence()
    bounds += [unsure] if unsure else []
    bounds += map(str, update.guard.broken())
    bounds += news.bounds
    whole = reconcile([source for source in told if source.urls], names, why_not, bounds, stopped)
    turn = found.budget
    cadence = (
        f"Old posts that nothing announces are looked at in turn, {turn.pages:,} of {turn.known:,} in each update,"
        f" so that all have been seen again after {turn.updates:,}"
        if turn.pages
        else "Old posts are looked at again only where something announces a change"
    )
    late = update.late.sentence()
    bare = {post.id: post.bare for post in known.posts}
    bare |= {f.record["id"]: is_bare(f.record) for f in found.findings if f.record}
    told_of = f"{cadence}. {late}" if late else cadence
    return replace(whole, cadence=told_of, posts=len(bare), bare=sum(bare.values()))


def _unlooked(found: UpdateFindings) -> list[str]:
    """Known posts whose pages came cut, or that could not be had though the blog says that they changed."""
    failed = [f for f in found.findings if f.post and f.kind == "nothing"]
    named = [f for f in failed if f.look.announced or f.reason in CUT.values()]
    told = [f"{f.look.url} could not be looked at again ({in_words(f.reason)})" for f in named[:SHOWN]]
    return [*told, f"{len(named) - SHOWN:,} more posts could not be looked at again"] if len(named) > SHOWN else told


class Writing:
    """Puts the findings of one update into the archive."""

    def __init__(self, run: Run, update: BlogUpdate, files: WithFiles, found: UpdateFindings, changes: Changes) -> None:
        self._run, self._update, self._files, self._found, self._changes = run, update, files, found, changes
        self._records, self._history = run.archive.records, run.archive.history
        self._now = update.clock.now
        self._blog = update.remembered.blog
        self._rules: int | None = None
        self._earlier = self._history.revision(self._blog)

    def write(self) -> None:
        """Everything, or of a frozen blog only what was seen."""
        found, changes = self._found, self._changes
        changes.frozen = None if self._run.config.accept_changes else found.freeze
        changes.unreachable = found.failure
        standing = self._standing()
        if changes.frozen or found.failure:
            for finding in found.findings:
                self._sight(finding)
            self._history.forget_conditions(self._blog, self._run.run)
        else:
            rules, verdict = found.rules, self._update.rendering.verdict()
            rules = replace(rules, browser=verdict) if rules and verdict else rules
            why = found.relearned or "unchanged"
            self._rules = keep_rules(self._run.archive, self._blog, rules, why, self._now)
            changes.relearned = found.relearned
            for finding in found.findings:
                self._write(finding)
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

    def _describe(self, record: Record) -> None:
        """Name the files of a post that are kept, those of earlier crawls, too: they were not asked for again."""
        self._files.describe(record)
        for entry in record["media"]:
            ref = None if entry["sha256"] else self._history.file(self._blog, entry["url"])
            if ref:
                kept = kept_file(self._run.tools.read(ref))
                entry |= {"sha256": kept.sha256, "type": entry["type"] or kept.type}

    def _new(self, record: Record) -> None:
        self._describe(record)
        self._records.save_post(self._run.run, record, "compare", self._rules)
        self._history.save_check(check_row(record, *self._told([record["url"], *record["aliases"]])))
        self._changes.new += 1

    def _here(self, finding: Finding, post: KnownPost) -> None:
        """The post is there: the same, edited, moved, or back."""
        self._sight(finding)
        edited = finding.kind == "edit"
        record = finding.record
        if finding.move is not None or (post.state != "active" and record is None):
            record = record or self._history.record(post.id)
        if record is not None:
            record = self._moved(record, finding) if finding.move else record
            self._describe(record)
            before = post.comments
            self._records.save_post(
                self._run.run, record | {"status": "active"}, "content" if edited else "none", self._rules
            )
            self._changes.comments += max(0, len(record.get("comments") or ()) - before)
        if finding.kind == "revision":
            version = int(self._history.record(post.id).get("version") or 1)
            place, moment = (post.id, version), self._now.isoformat(timespec="seconds")
            self._history.add_extraction(place, self._rules, post.digest, finding.reason, moment)
        self._changes.edited += edited
        self._changes.back += post.state != "active"
        moment = self._now.isoformat(timespec="seconds")
        row = self._row(post, finding.move) | {"checked": moment, "captured": moment}
        row |= {"unchanged": 0 if edited else post.unchanged + 1, "record_id": finding.record_id or row["record_id"]}
        self._save(row, "active", post)

    def _moved(self, record: Record, finding: Finding) -> Record:
        move, post = finding.move, finding.post
        assert move is not None
        assert post is not None
        if move.old != move.new:
            note_move(self._run, post.id, move, finding.record_id)
            self._changes.moved += 1
        return old_identity(self._history.record(post.id), record | {"url": move.new})

    def _not_here(self, finding: Finding, post: KnownPost) -> None:
        """The post is not there, or nobody can tell."""
        sighting = self._sight(finding)
        if finding.kind == "nothing":
            return
        state = next_state(post.state, [*post.sightings, sighting])
        if state != post.state:
            record = self._history.record(post.id) | {"status": state}
            self._records.save_post(self._run.run, record, "none", self._rules)
            self._changes.missing += state == "missing"
            self._changes.gone += state == "gone"
        self._save(self._row(post) | {"checked": self._now.isoformat(timespec="seconds")}, state, post)

    def _sight(self, finding: Finding) -> Sighting:
        sighting = Sighting(self._now, finding.outcome, finding.look.evidence)
        if finding.post is not None and _tells(finding, finding.post):
            row = {"post": finding.post.id, "blog": self._blog, "run": self._run.run}
            row |= {"checked": self._now.isoformat(timespec="seconds"), "status": finding.status}
            evidence = {"absent": sorted(finding.look.evidence), "reason": finding.reason}
            self._history.add_sighting(row | {"outcome": finding.outcome}, evidence)
        return sighting

    def _row(self, post: KnownPost, move: Move | None = None) -> Record:
        announced, entry = self._told([move.new, *post.names] if move else post.names)
        return {
            "post": post.id,
            "blog": self._blog,
            "captured": _iso(post.captured),
            "checked": _iso(post.checked),
            "unchanged": post.unchanged,
            "announced": announced or post.announced,
            "entry": entry or post.entry,
            "record_id": post.ref.record_id if post.ref else None,
        }

    def _save(self, row: Record, state: State, post: KnownPost) -> None:
        since = post.since if state == post.state and post.since else self._now
        self._history.save_check(row | {"state": state, "since": _iso(since)})

    def _told(self, names: Iterable[str]) -> tuple[str | None, str | None]:
        """What the blog says today of a post: when it was changed, and its entry's digest."""
        news, keys = self._found.news, [url_key(name) for name in names]
        entry = next((news.entries[key] for key in keys if key in news.entries), None)
        return stated_change(entry, news.lastmod(keys)), entry_digest(entry) if entry else None

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
                self._save(self._row(post), post.state, post)

    def _standing(self) -> BlogStanding:
        before = load_standing(self._history, self._blog)
        after = next_standing(before, self._now, self._found.failure, self._changes.frozen)
        row = {"blog": self._blog, "state": after.state, "since": _iso(after.since), "checked": _iso(after.checked)}
        self._history.save_standing(row | {"misses": after.misses, "message": after.message})
        return after

    def _save_blog(self, standing: BlogStanding) -> None:
        """The blog's own record, with its status; a frozen or silent blog keeps what it said before."""
        record = self._history.blog(self._blog) or {}
        status = {"status": standing.state, "status_message": standing.message or None}
        if standing.state == "active":
            news, update = self._found.news, self._update
            feed = news.feed
            whole = statement(update, self._found, "finished", self._run.archive.erased)
            record |= {
                "url": settled_address(self._run, dict(record), update.scope.root, "redirect", self._earlier),
                "title": (feed.title if feed else None) or record.get("title"),
                "feed": feed.url if feed else record.get("feed"),
                "feeds": list(dict.fromkeys([*([feed.url] if feed else []), *(record.get("feeds") or [])])),
                "sitemap": news.sitemaps or record.get("sitemap"),
                "generator": (feed.generator if feed else None) or record.get("generator"),
                "posts": len(update.remembered.posts) + self._changes.new,
                "completeness": replace(whole, distrusted=self._run.distrusted).to_json(),
            }
            record |= platform_facts(record, self._found.platform, self._now)
        self._records.save_blog(record | status)


def _tells(finding: Finding, post: KnownPost) -> bool:
    """Whether a look is evidence: that a post is here says something only where it was not, or should not be."""
    was_away = bool(post.sightings) and post.sightings[-1].outcome != "here"
    return finding.outcome != "here" or bool(finding.look.evidence) or was_away


def load_standing(history: History, blog: str) -> BlogStanding | None:
    """How a blog stood after the last update."""
    row = history.standing(blog)
    if row is None:
        return None
    moments = (datetime.fromisoformat(row["since"]), datetime.fromisoformat(row["checked"]))
    return BlogStanding(row["state"], *moments, row["misses"], row["message"])


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
