"""Counts what the service does by the hour: looks as they end, news as they are read, blogs as they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.opening import open_archive
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.storage.counting import HOUR, HourCount, this_hour
from blogforever.storage.tables import Store

log = logger("service")
STATISTICS = "statistics"
"""Who reads the news to count them."""
AT_ONCE = 2000
"""News that are counted in one transaction: others wait for its end."""
LONGEST_CAUSE = 60
"""Letters of a cause by which failures are told apart; causes are words of ours, a plug-in's may be
longer.
"""


def count_look(store: Store, look: BlogLook, failure: str) -> None:
    """A look has ended; in the transaction that says so. `failure` is why the blog could not be
    looked at.
    """
    learned = look.learned
    counts = [HourCount("looks", look.outcome), HourCount("requests", "", learned.requests)]
    counts += [HourCount("bytes", "", learned.bytes), *_failures(store, look, failure)]
    store.counters.add(this_hour(), counts)


def _failures(store: Store, look: BlogLook, failure: str) -> Iterator[HourCount]:
    """Why pages of the blog, or the blog itself, could not be had."""
    pages = store.runs.failures(look.blog) if look.report and look.report.failures else {}
    causes = Counter(pages) if pages else Counter([failure] if failure else [])
    for cause, number in causes.items():
        yield HourCount("failures", cause[:LONGEST_CAUSE], number)


def count_news(store: Store) -> int:
    """Count what became of posts since the last time: each once, whoever is killed over it; how
    many there were.
    """
    if not store.news.after(store.news.reached(STATISTICS), 1):
        return 0
    with store.transaction():
        rows = store.news.after(store.news.reached(STATISTICS), AT_ONCE)
        posts = Counter((row.at[:HOUR], row.kind) for row in rows)
        comments = Counter[str]()
        for row in rows:
            comments[row.at[:HOUR]] += row.comments
        for (hour, kind), number in posts.items():
            store.counters.add(hour, [HourCount("posts", kind, number)])
        for hour, number in comments.items():
            store.counters.add(hour, [HourCount("comments", "", number)])
        if rows:
            store.news.reach(STATISTICS, rows[-1].number)
    return len(rows)


def count_if_possible(folder: Path) -> None:
    """Count the news where the archive can be written now: who reads it where it cannot sees the counts as they are."""
    try:
        with open_archive(folder, writing=True, wait=False) as archive:
            while count_news(archive.store):
                pass
    except ArchiveError as error:
        log.info("what became of posts is not counted now: %s", error)


def note_blogs(store: Store, noted: str) -> str:
    """Note how many blogs are in each state, once in every hour; the hour in which that was done
    last.
    """
    hour = this_hour()
    if hour != noted:
        store.counters.note(hour, "blogs", sorted(store.followed.counts().items()))
    return hour
