"""The arithmetic of the fleet: small numbers, worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

# A script beside the package, not part of it.
from fleetmodel import DAY, Costs, Demand, Limit, Machines, SimulatedJob, blogs_within, limits, makespan

ONE, TWO = "one.example", "two.example"
# Seconds between requests to a budget, until an answer, and at the end of a job.
DELAY, ANSWER, ENDING = 2.0, 1.0, 0.5
COSTS = Costs(
    look_cpu=0.5,
    look_requests=3.0,
    post_cpu=2.0,
    post_warc=0.0,
    post_rows=0.0,
    post_bytes=0.0,
    look_warc=0.0,
    look_write=0.05,
    jobs_a_second=8.0,
    connections=2.0,
)
# Two looks and one post a second; half of the looks at one service.
DEMAND = Demand(blogs=1000, looks=2 * DAY, posts=DAY, largest_service=0.5)
FLEET = Machines(number=2, cores=4, connections=64, delay=2.0, at_once=4)


def took(jobs: list[SimulatedJob], slots: int = 1) -> float:
    return makespan(jobs, slots, DELAY, ANSWER, ENDING)


def test_nothing_to_do_takes_no_time_and_a_job_without_requests_its_end() -> None:
    assert took([]) == 0.0
    assert took([SimulatedJob(0, ONE)]) == ENDING


def test_the_requests_of_a_job_keep_the_delay_between_them() -> None:
    # Answered at 1; asked again at 3, answered at 4; the end.
    assert took([SimulatedJob(2, ONE)]) == 4.5


def test_one_slot_carries_one_job_after_the_other() -> None:
    # The first ends at 1.5, the second asks another budget at once: 1.5 + 1 + 0.5.
    assert took([SimulatedJob(1, ONE), SimulatedJob(1, TWO)]) == 3.0
    # Out of the same budget it waits until 1 + 2: 3 + 1 + 0.5.
    assert took([SimulatedJob(1, ONE), SimulatedJob(1, ONE)]) == 4.5


def test_slots_work_side_by_side_but_not_within_one_budget() -> None:
    assert took([SimulatedJob(1, ONE), SimulatedJob(1, TWO)], slots=2) == 1.5
    assert took([SimulatedJob(1, ONE), SimulatedJob(1, ONE)], slots=2) == 4.5
    # Requests of one budget at 0, 3, 6 and 9, however many slots there are.
    assert took([SimulatedJob(2, ONE)] * 2, slots=9) == 10.5


def test_a_slot_that_is_free_takes_the_next_job() -> None:
    # Three jobs of their own budgets on two slots: two until 1.5, the third until 3.
    jobs = [SimulatedJob(1, f"{name}.example") for name in "abc"]
    assert took(jobs, slots=2) == 3.0
    # A long one beside two short ones ends last: 1, 4, 7, and the end.
    assert took([SimulatedJob(3, ONE), *jobs[:2]], slots=2) == 7.5


def test_each_limit_is_what_is_needed_of_what_there_is() -> None:
    found = {limit.name: limit for limit in limits(DEMAND, COSTS, FLEET)}
    assert {name: (limit.needed, limit.there) for name, limit in found.items()} == {
        # 2 looks x 0.5 s and 1 post x 2 s, on 2 x 4 cores.
        "processors of the workers": (3.0, 8),
        "jobs through the engine": (2.0, 8.0),
        # 2 looks x 0.05 s of every second.
        "one writer at a time": (0.1, 1.0),
        # 8 workers with 2 each.
        "connections of the server": (16.0, 64),
        # Half of 2 looks x 3 requests and half of 1 post; 4 at once, 2 s apart.
        "budget of the largest service": (3.5, 2.0),
    }


def test_the_tightest_comes_first() -> None:
    assert [limit.share for limit in limits(DEMAND, COSTS, FLEET)] == [1.75, 0.375, 0.25, 0.25, 0.1]
    assert limits(DEMAND, COSTS, FLEET)[0].name == "budget of the largest service"


@pytest.mark.parametrize(("needed", "blogs"), [(1.0, 4000.0), (4.0, 1000.0), (8.0, 500.0)])
def test_a_limit_suffices_for_as_many_blogs_as_its_share_leaves(needed: float, blogs: float) -> None:
    assert blogs_within(DEMAND, Limit("something", needed, 4.0)) == blogs


def test_more_machines_are_more_processors_and_more_connections_and_no_larger_budget() -> None:
    more = {limit.name: limit.share for limit in limits(DEMAND, COSTS, Machines(4, 4, 64, 2.0, 4))}
    assert more["processors of the workers"] == 0.1875
    assert more["connections of the server"] == 0.5
    assert more["budget of the largest service"] == 1.75
