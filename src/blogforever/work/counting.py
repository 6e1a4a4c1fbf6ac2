"""Counts the jobs that ended, in the transaction that says so."""

from __future__ import annotations

from blogforever.storage.counting import HourCount, this_hour
from blogforever.storage.tables import Store
from blogforever.storage.work import JobRow, JobState


def count_job(store: Store, job: JobRow, state: JobState) -> None:
    """A job has ended so."""
    store.counters.add(this_hour(), [HourCount("jobs", f"{job.kind} {state}")])
