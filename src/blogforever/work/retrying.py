"""When a job that failed is tried again."""

from __future__ import annotations

from datetime import timedelta

from blogforever import clock

# How often a job is tried in all: what failed so often is no accident, and the schedule decides
# what comes next.
MOST_FAILURES = 3
# Seconds until the second try; each further one waits four times as long.
FIRST_WAIT, GROWTH = 30.0, 4.0


def next_try(attempts: int) -> str | None:
    """When a job is due again that was tried so often; None where that was enough."""
    if attempts >= MOST_FAILURES:
        return None
    return moment_after(FIRST_WAIT * GROWTH ** (attempts - 1))


def moment_after(seconds: float) -> str:
    """The moment that lies so many seconds ahead, as tables write it."""
    return (clock.now() + timedelta(seconds=seconds)).isoformat(timespec="seconds")
