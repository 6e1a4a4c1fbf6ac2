"""The update of a blog that may be unchanged: its announcements first, and its posts only where these say otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from blogforever.crawl.completeness import Completeness, kept_statement
from blogforever.protocols import PageHandler
from blogforever.render.chromium import INSTALL
from blogforever.storage.values import JUDGED, QuietRow
from blogforever.update.news import News
from blogforever.update.remembered import Remembered
from blogforever.update.states import next_standing
from blogforever.update.unchanged import AnnouncementsFirst
from blogforever.update.update import Clock

from .jobs import Changes, CrawlReport, Job, Run, Watcher
from .quiet import asks_for_more, last_turn, settings_mark
from .updating import WholeUpdate, lane_of, load_standing, standing_row, whole_update
from .versioning import remembered


def shortcut_job(run: Run, outline: Remembered, watcher: Watcher) -> Job | None:
    """The update of one blog that ends where its announcements say what they said; None where it
    cannot end there.

    `outline` is what is known of the blog without its posts.
    """
    quiet = quiet_now(run)
    if quiet is None:
        return None
    turned = last_turn(quiet, run.config.recheck)
    clock = Clock(run.now, turned=turned, brief=run.config.brief, late_comments=run.config.late_comments)
    asks = News().ask_for(outline, outline.told_until, clock.reach)
    if not asks or not all(ask.role == "api" or ask.url in quiet.said for ask in asks):
        return None
    shortcut = Shortcut(run, outline, quiet, watcher)
    handler = AnnouncementsFirst(asks, quiet.said, shortcut.begin_whole)
    return Job(lane_of(handler, run, outline.url), partial(shortcut.finish, handler))


def quiet_now(run: Run) -> QuietRow | None:
    """What the announcements said last time, where they are all that this update must look at."""
    quiet = run.archive.store.blogs.quiet(run.blog)
    goes_on = run.since is not None
    if quiet is None or quiet.until is None or goes_on or asks_for_more(run.config):
        return None
    is_quiet_still = run.now < datetime.fromisoformat(quiet.until)
    return quiet if is_quiet_still and _is_last_word(quiet, run) and _is_active(run) else None


def _is_last_word(quiet: QuietRow, run: Run) -> bool:
    """Whether nothing has happened since: another run, or other settings, may have left something
    to do.
    """
    last = run.archive.store.runs.before(run.blog, run.run)
    return last == quiet.run and quiet.settings == settings_mark(run)


def _is_active(run: Run) -> bool:
    """Whether the blog is neither frozen nor silent."""
    standing = load_standing(run.archive.store, run.blog)
    return standing is not None and standing.state == "active"


@dataclass(slots=True)
class Shortcut:
    """Ends the update at once, or begins a whole one."""

    run: Run
    outline: Remembered
    quiet: QuietRow
    watcher: Watcher
    _whole: WholeUpdate | None = field(default=None, init=False)

    def begin_whole(self) -> PageHandler:
        """Read what is known of the posts, and begin."""
        known = remembered(self.run.archive, self.outline)
        self._whole = whole_update(known, self.run, self.watcher)
        return self._whole.handler

    def finish(self, handler: AnnouncementsFirst, ending: str) -> CrawlReport:
        """Write down that the blog was looked at, or what the whole update found."""
        if self._whole is None and not handler.unchanged:
            # It was interrupted, or the blog was lost, before all announcements came.
            handler.begin_whole()
        if self._whole is not None:
            return self._whole.finish(ending)
        return self._finish_unchanged(handler.answered)

    def _finish_unchanged(self, requests: int) -> CrawlReport:
        run, store = self.run, self.run.archive.store
        standing = next_standing(load_standing(store, run.blog), run.now, None, None)
        with store.transaction():
            store.blogs.save_standing(standing_row(run.blog, standing))
            store.blogs.save_quiet(replace(self.quiet, run=run.run))
            store.runs.close(run.run, JUDGED)
        record = store.blogs.find(run.blog)
        assert record is not None, "a blog that was brought up to date has a record"
        statement = kept_statement(record.completeness, record.posts) if record.completeness else Completeness()
        return CrawlReport(
            blog=run.blog,
            url=record.url,
            run=run.run,
            title=record.title,
            feed=record.feed or None,
            posts=record.posts,
            pages=requests,
            completeness=replace(statement, distrusted=run.distrusted),
            unseen=run.rendering.unseen(INSTALL),
            update=Changes(requests=requests),
        )
