"""Who carries out jobs, kind by kind: the seam between a worker and what it works at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from blogforever.storage.work import JobRow


@dataclass(frozen=True, slots=True)
class Carried:
    """What came of a job: its result as JSON, what else is written in one with its end; why it failed all the same,
    where nobody is helped by trying the same at once; or seconds until it is tried again, where it could not be done
    now and nobody is to blame.
    """

    result: str = ""
    write: Callable[[], None] = lambda: None
    failed: str = ""
    postponed: float | None = None


class JobHandler(Protocol):
    """Carries out the jobs of one kind. Who is cancelled
    ends in good order, so that the job can go on later.
    """

    async def carry_out(self, job: JobRow) -> Carried:
        """Do it; what this raises fails this job, and no other."""

    def give_up(self, job: JobRow, error: str) -> None:
        """It failed for good, or was cancelled; called in the transaction that says so."""
