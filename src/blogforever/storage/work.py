"""The seam of the service's work: jobs in a queue, who carries them, and which parts are paused.

A blog is worked on by one job at a time; of one kind at most one job waits for it. So every engine
needs two locks that are named by the blog, and nothing else; tests/contract holds any engine to
that. Times are those of the clock (`blogforever.clock`), handed in as they are written: an engine
has no clock of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

JobKind = Literal["harvest", "update", "render", "analyse", "export", "reread"]
JOB_KINDS: tuple[JobKind, ...] = get_args(JobKind)
LOOKS: tuple[JobKind, ...] = ("harvest", "update", "render")
"""The kinds of jobs that look at a blog, so that the next look is planned by what they bring."""
JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
OPEN: tuple[JobState, ...] = ("waiting", "running")

# Who goes first; the lower number does.
PERSON, PING, SCHEDULE, HISTORY = 0, 1, 2, 3

# The input of an update that takes over what a frozen blog shows.
ACCEPT = '{"accept_changes":true}'

# Seconds without a sign of life after which a worker on another machine is taken for dead: three
# signs that did not come, and half of the minute in which its jobs must go on elsewhere.
SILENCE = 30.0

# A job that was tried so often when its worker died is taken for the cause of that.
MOST_TRIES = 5
LOST_WORKER = "The worker that carried it died, each time it was tried."
MERGED = "Another job of this kind waits for the blog already."


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work somebody asks for; `input` says what more there is to know, as JSON."""

    kind: JobKind
    blog: str = ""
    priority: int = SCHEDULE
    due: str = ""
    asked_by: str = ""
    input: str = ""


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job of the queue as it stands; `result` is JSON,
    `error` a sentence, `cancel` that somebody wants it ended.
    """

    id: int
    kind: JobKind
    blog: str
    priority: int
    state: JobState
    due: str
    attempts: int
    created: str
    asked_by: str
    input: str
    worker: str | None = None
    started: str | None = None
    ended: str | None = None
    result: str | None = None
    error: str | None = None
    cancel: bool = False


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs are meant; what is empty means all. `day` is the day (UTC) on which they ended."""

    state: JobState | None = None
    kind: JobKind | None = None
    blog: str = ""
    day: str = ""


class JobQueue(Protocol):
    """Jobs: put by whoever asks, taken by workers, each ended once."""

    def put(self, new: NewJob, now: str) -> JobRow:
        """The job that does it: a new one, or the one of this kind that waits for this
        blog already, which is then due as early, and goes as early, as either was to.
        """

    def take(self, worker: str, wanted: Mapping[JobKind, int], now: str) -> list[JobRow]:
        """At most so many jobs of each kind that are due, for this worker; the most
        urgent first, of these the longest due. A blog that is worked on is passed over.
        """

    def done(self, job: int, worker: str, result: str, now: str) -> bool:
        """It is carried out; whether it was this worker's to end."""

    def fail(
        self, job: int, worker: str, error: str, now: str, again: str | None = None, result: str | None = None
    ) -> bool:
        """It failed: for good, with what it says of itself, or it is due `again` then; whether it was this worker's to
        end.
        """

    def give_back(self, job: int, worker: str, now: str, due: str | None = None) -> bool:
        """It was not carried out, and nobody is to blame: it waits again,
        as if it had not been taken; `due` then, where it is no use before.
        """

    def cancel(self, job: int, now: str) -> JobRow | None:
        """Nobody wants it any more: one that waits is cancelled;
        of one under way its worker is told by `unwanted`.
        """

    def cancel_of(self, blogs: Collection[str], now: str) -> None:
        """Nobody wants anything done for these blogs any more."""

    def unwanted(self, worker: str) -> list[int]:
        """The jobs of this worker that somebody wants ended."""

    def stopped(self, job: int, worker: str, now: str) -> bool:
        """It was ended because somebody wanted that."""

    def holders(self) -> frozenset[str]:
        """The workers that have jobs under way, whether they live or not."""

    def take_over(self, dead: Collection[str], now: str) -> list[JobRow]:
        """The jobs of workers that live no more wait again; one that was tried too often has
        failed. As they stand now.

        Ask for the `holders` before you ask who lives: who joined meanwhile is then not among the
        dead.
        """

    def find(self, job: int) -> JobRow | None:
        """The job with this number."""

    def newest(self, meant: JobFilter, limit: int, after: int | None = None) -> list[JobRow]:
        """Jobs, newest first, older than the one with the number `after`."""

    def counts(self) -> dict[tuple[JobKind, JobState], int]:
        """How many jobs of each kind stand how."""

    def longest_due(self) -> str | None:
        """Since when the job that waits the longest is due, or when the first will be."""

    def busy(self, kinds: Collection[JobKind] = JOB_KINDS, among: Collection[str] | None = None) -> frozenset[str]:
        """The blogs, all or among these, that have a job, of one of these kinds, that waits or is under way."""

    def forget(self, before: str) -> int:
        """Drop jobs that ended before then; how many."""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """What a worker last told of itself: its process, since when, with how much memory (bytes) and
    how many jobs; on which machine, of which version of the product. `slots` are the jobs of all
    kinds that it takes at a time (0: as many as of each kind), `queues` the kinds, with commas
    between (empty: all).
    """

    name: str
    pid: int
    started: str
    told: str
    memory: int
    running: int
    host: str = ""
    version: str = ""
    slots: int = 0
    queues: str = ""


class WorkerTable(Protocol):
    """The workers there are; whether one lives is never a guess where the system can tell."""

    def join(self, name: str, silence: float = SILENCE) -> AbstractContextManager[None]:
        """Be alive under this name, until the end of the context or of the process; where the
        system cannot tell, until it gave no sign of life for so many seconds.
        """

    def alive(self) -> frozenset[str]:
        """The names of those that live now."""

    def tell(self, worker: WorkerRow) -> bool:
        """Say how it stands; whether it is still taken for alive. Who is not has lost his jobs to
        others.
        """

    def rows(self) -> list[WorkerRow]:
        """What those that live last told, by name."""


@dataclass(frozen=True, slots=True)
class PausedPart:
    """A part of the service that a person has paused:
    the scheduler, all workers, or the jobs of one kind.
    """

    part: str
    since: str
    by: str


class PartTable(Protocol):
    """Which parts of the service are paused; what is not there runs."""

    def pause(self, part: PausedPart) -> None:
        """Pause it, from now on; a part that is paused stays so since when it was."""

    def resume(self, part: str) -> bool:
        """Let it run; whether it was paused."""

    def paused(self) -> list[PausedPart]:
        """Those that are paused, by name."""
