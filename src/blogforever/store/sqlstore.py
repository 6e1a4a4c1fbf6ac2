"""The records of an archive in its database, table by table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import Engine, select

from blogforever.storage.values import Cleaning, Rewritten

from . import schema
from .blogs import SqlBlogs
from .captures import SqlCaptures
from .checks import SqlChecks
from .dialects import POSTGRES
from .followed import SqlFollowed
from .hooks import SqlHooks
from .jobs import SqlJobs
from .looks import SqlSchedule
from .moves import SqlMoves
from .news import SqlCounters, SqlNews
from .outbox import SqlFtpAccounts, SqlOutbox, SqlOutboxAsks
from .pages import SqlPages
from .people import SqlAudit, SqlSessions, SqlTokens, SqlUsers
from .pings import SqlPingFilters, SqlPings, SqlPingServers
from .posts import SqlPosts
from .purging import forget_blog, purge, relocate, wipe
from .pushes import SqlDeliveries, SqlSubscriptions
from .rows import Rows
from .runs import SqlRuns
from .searches import SqlSearches, SqlTagRules
from .sources import SqlBlocks, SqlLists, SqlSources
from .suspects import SqlPrints, SqlSuspicions
from .tallies import recount
from .verdicts import SqlVerdicts
from .versions import SqlVersions
from .workers import SqlParts, SqlWorkers


class SqlStore:
    """Reads and writes an archive's database, from as many threads as the process has; it lies in
    the `folder`.
    """

    def __init__(self, engine: Engine, folder: Path | None = None) -> None:
        self._engine, self.rows = engine, Rows(engine)
        self.blogs = SqlBlogs(self.rows)
        self.runs = SqlRuns(self.rows)
        self.captures = SqlCaptures(self.rows)
        self.versions = SqlVersions(self.rows)
        self.checks = SqlChecks(self.rows)
        self.posts = SqlPosts(self.rows, self.versions)
        self.pages = SqlPages(self.rows)
        self.moves = SqlMoves(self.rows, self.posts)
        self.jobs, self.workers = _work_of(self.rows, folder or Path(str(engine.url.database)).parent)
        self.parts = SqlParts(self.rows)
        self.followed = SqlFollowed(self.rows)
        self.schedule = SqlSchedule(self.rows)
        self.sources = SqlSources(self.rows)
        self.lists = SqlLists(self.rows)
        self.searches = SqlSearches(self.rows)
        self.tag_rules = SqlTagRules(self.rows)
        self.verdicts = SqlVerdicts(self.rows)
        self.blocked = SqlBlocks(self.rows)
        self.tokens = SqlTokens(self.rows)
        self.users = SqlUsers(self.rows)
        self.sessions = SqlSessions(self.rows)
        self.audit = SqlAudit(self.rows)
        self.news = SqlNews(self.rows)
        self.counters = SqlCounters(self.rows)
        self.hooks = SqlHooks(self.rows)
        self.ping_servers = SqlPingServers(self.rows)
        self.ping_filters = SqlPingFilters(self.rows)
        self.pings = SqlPings(self.rows)
        self.prints = SqlPrints(self.rows)
        self.suspicions = SqlSuspicions(self.rows)
        self.outbox = SqlOutbox(self.rows)
        self.outbox_asks = SqlOutboxAsks(self.rows)
        self.ftp_accounts = SqlFtpAccounts(self.rows)
        self.subscriptions = SqlSubscriptions(self.rows)
        self.deliveries = SqlDeliveries(self.rows)

    def transaction(self) -> AbstractContextManager[object]:
        """Everything that is written inside is written together, or nothing of it is."""
        return self.rows.transaction()

    def recount(self) -> None:
        """Let the numbers of what is there be true, whatever others did to the database."""
        with self.rows.transaction() as connection:
            recount(connection)

    def flush(self) -> None:
        """Let other processes see what was written."""
        self.rows.flush()

    def close(self) -> None:
        """Write what waits and close the database; nothing can be written any more."""
        self.rows.close()

    def export(self, run: int | None = None, pages: bool = True) -> Iterator[str]:
        """JSON lines of all records, or of those one run captured or
        changed: blogs, then posts, pages where they are wished for, failures.
        """
        self.flush()
        if run is None:
            yield from self.blogs.lines()
            yield from self.posts.lines()
            yield from self.pages.lines() if pages else ()
            yield from self.runs.lines()
        else:
            crawled = select(schema.runs.c.blog).where(schema.runs.c.id == run)
            yield from self.blogs.lines(schema.blogs.c.id.in_(crawled))
            yield from self.posts.lines(schema.posts.c.run == run)
            yield from self.pages.lines(schema.pages.c.run == run) if pages else ()
            yield from self.runs.lines(schema.failures.c.run == run)

    def forget(self, blog: str) -> None:
        """Everything that speaks of a blog goes."""
        self.flush()
        forget_blog(self._engine, blog)

    def erase(self, blog: str, posts: frozenset[str], rewritten: Rewritten, cleaning: Cleaning) -> None:
        """Delete these posts, and make what is left of the blog fit its
        WARC files as they are now: all, or nothing.
        """
        self.flush()
        purge(self._engine, blog, posts, rewritten, cleaning)

    def relocate(self, blog: str, rewritten: Rewritten) -> None:
        """Tell where the responses of a blog lie now, all in one."""
        self.flush()
        relocate(self._engine, blog, rewritten)

    def wipe(self) -> None:
        """Leave nothing on the disk of what was deleted."""
        self.flush()
        wipe(self._engine)


def _work_of(rows: Rows, folder: Path) -> tuple[SqlJobs, SqlWorkers]:
    """Jobs and workers: on PostgreSQL an engine brings them together, on any machine."""
    if rows.dialect is not POSTGRES:
        return SqlJobs(rows), SqlWorkers(rows, folder)
    from .enginejobs import EngineJobs  # noqa: PLC0415  only who uses PostgreSQL has the engine
    from .engineworkers import EngineWorkers  # noqa: PLC0415  as above

    return EngineJobs(rows), EngineWorkers(rows, folder)
