"""A fleet as numbers: how long jobs take on workers with slots and budgets, and what a million blogs ask of everything.

Pure: costs and demands in, figures out. `simulate_fleet.py` measures the costs, and asks the schedule for the demands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

DAY = 86_400.0
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class SimulatedJob:
    """A job: so many requests, one after the other, out of one budget."""

    requests: int
    budget: str


def makespan(jobs: Sequence[SimulatedJob], slots: int, delay: float, answer: float, ending: float) -> float:
    """Seconds until all jobs are done that wait at the beginning: `slots` at a time, each request after the `delay`
    of its budget, answered in so many seconds; `ending` is what a job takes beside its requests.
    """
    waiting, free_from = list(reversed(jobs)), dict[str, float]()
    under_way: list[tuple[float, int, SimulatedJob, int]] = []
    for number in range(min(slots, len(jobs))):
        job = waiting.pop()
        under_way.append((0.0, number, job, job.requests))
    heapify(under_way)
    last = 0.0
    while under_way:
        moment, number, job, left = heappop(under_way)
        if left:
            begun = max(moment, free_from.get(job.budget, 0.0))
            free_from[job.budget] = begun + answer + delay
            heappush(under_way, (begun + answer, number, job, left - 1))
            continue
        last = max(last, moment + ending)
        if waiting:
            following = waiting.pop()
            heappush(under_way, (moment + ending, number, following, following.requests))
    return last


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured: seconds of a processor, bytes, rows, and what a server of records does."""

    look_cpu: float
    look_requests: float
    post_cpu: float
    post_warc: float
    post_rows: float
    post_bytes: float
    look_warc: float
    look_write: float
    """Seconds for which a look keeps other writers waiting."""
    jobs_a_second: float
    connections: float
    """That a worker process has open."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What so many blogs want in a day."""

    blogs: int
    looks: float
    posts: float
    largest_service: float
    """The share of all looks that goes to the service that has most blogs."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of something a demand needs, and how much there is."""

    name: str
    needed: float
    there: float

    @property
    def share(self) -> float:
        """Above 1 it does not suffice."""
        return self.needed / self.there


@dataclass(frozen=True, slots=True)
class Machines:
    """What a fleet has."""

    number: int
    cores: int
    connections: int
    delay: float
    at_once: int


def limits(demand: Demand, costs: Costs, fleet: Machines) -> list[Limit]:
    """Everything that could be too little, the tightest first."""
    looks, posts = demand.looks / DAY, demand.posts / DAY
    busy = looks * costs.look_cpu + posts * costs.post_cpu
    workers = fleet.number * fleet.cores
    service = looks * demand.largest_service * costs.look_requests + posts * demand.largest_service
    found = [
        Limit("processors of the workers", busy, workers),
        Limit("jobs through the engine", looks, costs.jobs_a_second),
        Limit("one writer at a time", looks * costs.look_write, 1.0),
        Limit("connections of the server", workers * costs.connections, fleet.connections),
        Limit("budget of the largest service", service, fleet.at_once / fleet.delay),
    ]
    return sorted(found, key=lambda one: -one.share)


def blogs_within(demand: Demand, limit: Limit) -> float:
    """How many blogs something suffices for."""
    return demand.blogs / limit.share
