"""What a crawl is while it goes on and when it is over: who keeps its finds, how it stands, what it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from blogforever.config import Config
from blogforever.crawl.completeness import Completeness
from blogforever.crawl.crawl import BlogCrawl
from blogforever.media.requisites import page_files
from blogforever.model import Failure, Page, Said
from blogforever.pipeline.guard import BrokenStage, StageGuard
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.requisites import FindFiles
from blogforever.protocols import Answer, Ask, Lane, Ref, ResponseReader
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.update.update import BlogUpdate

Watcher = Callable[["CrawlProgress"], None]
Read = Callable[[Ref], Page]


@dataclass(slots=True)
class Changes:
    """What an update of a known blog changed in the archive, in numbers, and what a person should
    know.
    """

    new: int = 0
    edited: int = 0
    moved: int = 0
    missing: int = 0
    gone: int = 0
    back: int = 0
    comments: int = 0
    pages: int = 0
    """The blog's own pages that are new, read otherwise, or are no longer there."""
    looked: int = 0
    requests: int = 0
    relearned: str = ""
    frozen: str | None = None
    frozen_said: tuple[Said, ...] = ()
    unreachable: str | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CrawlReport:
    """What one crawl did, in numbers and in the words of its summary."""

    blog: str
    url: str
    run: int
    title: str | None = None
    ending: str = "finished"
    stopped: str | None = None
    home_failure: str | None = None
    feed: str | None = None
    posts: int = 0
    pages: int = 0
    failures: int = 0
    files: int = 0
    completeness: Completeness = field(default_factory=Completeness)
    resumed: bool = False
    drawn: int = 0
    unseen: str | None = None
    update: Changes | None = None
    notes: list[str] = field(default_factory=list)
    broken: list[BrokenStage] = field(default_factory=list)
    """The stages that raised on some of the pages."""
    fault: str = ""
    """What went wrong in this program and ended the crawl of this blog, where others were crawled
    beside it.
    """


class RunKeeper:
    """Puts what a crawl finds into the records of its run."""

    def __init__(self, archive: ArchiveFolder, run: int, blog: str) -> None:
        self._store, self._run, self._blog = archive.store, run, blog
        self.failures = 0

    def keep(self, url: str, record: PostRecord) -> None:
        """Until it is known whether it is a post."""
        self._store.runs.add_candidate(self._run, url, record)

    def fail(self, failure: Failure) -> None:
        """With its reason."""
        self.failures += 1
        self._store.runs.add_failure(self._run, self._blog, failure)


class CrawlProgress:
    """How a crawl stands while it goes on; counted when somebody looks."""

    def __init__(self, crawl: BlogCrawl | BlogUpdate, keeper: RunKeeper) -> None:
        self._crawl, self._keeper = crawl, keeper

    @property
    def blog(self) -> str:
        """The blog's address."""
        return self._crawl.scope.root

    @property
    def posts(self) -> int:
        """Pages that look like posts so far."""
        return sum(seen.evidence.in_feed or seen.evidence.matches for seen in self._crawl.seen.values())

    @property
    def announced(self) -> int:
        """Posts the blog itself speaks of."""
        return len({key for urls in self._crawl.offers.announced.values() for key in urls})

    @property
    def pages(self) -> int:
        """Pages of the blog that were fetched."""
        return len(self._crawl.seen)

    @property
    def answered(self) -> int:
        """Requests that were answered."""
        return self._crawl.answered

    @property
    def waiting(self) -> int:
        """Requests that are not answered yet."""
        return max(self._crawl.asked - self._crawl.answered, 0)

    @property
    def errors(self) -> int:
        """What could not be captured."""
        return self._keeper.failures


class Watched:
    """A handler that tells somebody after each answer."""

    def __init__(self, crawl: BlogCrawl | BlogUpdate, standing: CrawlProgress, watcher: Watcher) -> None:
        self.start, self.idle = crawl.start, crawl.idle
        self._crawl, self._standing, self._watcher = crawl, standing, watcher

    def handle(self, answer: Answer) -> list[Ask]:
        """The crawl's own answer, then a word to who watches."""
        asks = list(self._crawl.handle(answer))
        self._watcher(self._standing)
        return asks


@dataclass(frozen=True, slots=True)
class Run:
    """One run in the archive: of which blog, since when if it goes on, with which options, tools
    and clock.
    """

    archive: ArchiveFolder
    config: Config
    blog: str
    run: int
    since: str | None
    keeper: RunKeeper
    tools: Tools
    now: datetime
    rendering: Rendering = field(default_factory=Rendering)
    find: FindFiles = page_files
    captures: Callable[[str], list[Ref]] | None = None
    """Every capture of an address in the files that are replayed, oldest first."""
    distrusted: dict[str, str] = field(default_factory=dict)
    """The hosts that answered with a certificate that is not valid, and why it is not."""
    source: ResponseReader | None = None
    """The files that are replayed, out of which the blog's records are taken."""
    has_files: bool = True
    """Whether what pages load can be had, too."""
    live: bool = True
    """Whether pages come from the network, where each request costs something, and not out of WARC
    files.
    """


@dataclass(slots=True)
class Job:
    """One blog of a crawl: where its requests go, and what is done when they are answered."""

    lane: Lane
    finish: Callable[[str], CrawlReport]
    told: Callable[[CrawlReport], None] = lambda _report: None
    """Hears of the report as soon as this blog is done."""
    _report: CrawlReport | None = None

    def save_when_done(self) -> None:
        """Write down what was found as soon as this blog is done, not when the slowest of all is."""
        self.lane.done = self._save

    def _save(self) -> None:
        self._report = self.finish("finished")
        self.told(self._report)

    def report(self, ending: str) -> CrawlReport:
        """What the crawl did; a blog that was done before the crawl of others ended was done."""
        return self._report or self.finish(ending)


def finished(finish: Callable[[str], CrawlReport], guard: StageGuard, keeper: RunKeeper, ending: str) -> CrawlReport:
    """The end of a crawl, with what its stages raised: each time the failure of a page."""
    for failure in guard.failures():
        keeper.fail(failure)
    report = finish(ending)
    report.broken = guard.broken()
    return report
