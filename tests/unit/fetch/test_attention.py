"""Time in which we could have read, told from the clock on the wall by a loop that comes late."""

from __future__ import annotations

from collections.abc import Callable

from blogforever.fetch.limits import TICK, Attention


class Loop:
    """A clock, and one call that waits for its time."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.waiting: Callable[[], None] | None = None

    def later(self, _seconds: float, call: Callable[[], None]) -> Loop:
        self.waiting = call
        return self

    def cancel(self) -> None:
        self.waiting = None

    def turn(self, seconds: float) -> None:
        self.time += seconds
        assert self.waiting
        self.waiting()


def test_a_loop_that_turns_counts_all_time_and_one_that_stalls_next_to_none() -> None:
    loop = Loop()
    attention = Attention(lambda: loop.time, loop.later)
    attention.begin()
    begun = attention.now()
    for _ in range(40):
        loop.turn(TICK)
    assert attention.now() - begun == 40 * TICK
    begun = attention.now()
    loop.time += 600
    # The first that is heard after a stall comes before the loop looked at the clock.
    assert attention.now() - begun <= 2 * TICK
    loop.turn(0)
    assert attention.now() - begun <= 2 * TICK


def test_a_clock_that_is_stopped_waits_for_nothing() -> None:
    loop = Loop()
    attention = Attention(lambda: loop.time, loop.later)
    attention.end()
    attention.begin()
    assert loop.waiting
    attention.end()
    assert loop.waiting is None
