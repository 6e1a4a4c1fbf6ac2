"""How many jobs and followed blogs stand how is the same as counting them, whatever was done to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from blogforever.storage.following import FollowedBlog, FollowedQuery
from blogforever.storage.tables import Store
from blogforever.storage.work import JOB_KINDS, JobFilter, NewJob

NOW, SOON, LATER = "2026-11-16T08:00:00+00:00", "2026-11-16T08:01:00+00:00", "2026-11-16T09:00:00+00:00"
STEPS = 150
CHANGES: tuple[Callable[[FollowedBlog], FollowedBlog], ...] = (
    lambda blog: replace(blog, state="following"),
    lambda blog: replace(blog, state="dead"),
    lambda blog: replace(blog, notes="not another state"),
)


def counted_jobs(store: Store) -> Counter[tuple[str, str]]:
    return Counter((row.kind, row.state) for row in store.jobs.newest(JobFilter(), 10_000))


def counted_blogs(store: Store) -> Counter[str]:
    return Counter(blog.state for blog in store.followed.page(FollowedQuery(limit=1000)).items)


def test_jobs_are_counted_as_they_are_after_every_step(store: Store) -> None:
    chance = random.Random(1)
    for _ in range(STEPS):
        chance.choice(WORK)(store, chance)
        assert store.jobs.counts() == dict(counted_jobs(store))
    assert len(counted_jobs(store)) > len(JOB_KINDS)


def put(store: Store, chance: random.Random) -> None:
    store.jobs.put(NewJob(chance.choice(JOB_KINDS), chance.choice("abcdef")), NOW)


def take(store: Store, chance: random.Random) -> None:
    store.jobs.take(chance.choice("vw"), {chance.choice(JOB_KINDS): 2}, NOW)


def end(store: Store, chance: random.Random) -> None:
    for row in store.jobs.newest(JobFilter(state="running"), 1):
        worker = row.worker or ""
        match chance.randrange(5):
            case 0:
                store.jobs.done(row.id, worker, "", chance.choice((NOW, LATER)))
            case 1 | 2:
                store.jobs.fail(row.id, worker, "no", NOW, chance.choice((None, SOON)))
            case 3:
                store.jobs.give_back(row.id, worker, NOW)
            case 4:
                store.jobs.stopped(row.id, worker, NOW)


def cancel(store: Store, chance: random.Random) -> None:
    for row in store.jobs.newest(JobFilter(), 1):
        store.jobs.cancel(row.id, NOW)
    store.jobs.cancel_of({chance.choice("abcdef")}, NOW)


def forget(store: Store, chance: random.Random) -> None:
    store.jobs.take_over({chance.choice("vw")}, NOW)
    store.jobs.forget(chance.choice((NOW, SOON)))


WORK = (put, put, put, take, take, end, end, cancel, forget)


def test_followed_blogs_are_counted_as_they_are_after_every_step(store: Store) -> None:
    chance = random.Random(2)
    for _ in range(STEPS):
        names = [f"b{chance.randrange(20)}" for _ in range(3)]
        match chance.randrange(4):
            case 0 | 1:
                store.followed.add([FollowedBlog(name, f"https://{name}.example/", NOW) for name in names])
            case 2:
                for blog in store.followed.some(names):
                    store.followed.change(blog.id, chance.choice(CHANGES))
            case 3:
                store.followed.drop(names[:1])
        assert store.followed.counts() == dict(counted_blogs(store))
    assert counted_blogs(store)


def test_what_is_given_up_is_not_counted(store: Store) -> None:
    store.jobs.put(NewJob("update", "a"), NOW)

    def fail() -> None:
        with store.transaction():
            store.jobs.put(NewJob("update", "b"), NOW)
            store.followed.add([FollowedBlog("b", "https://b.example/", NOW)])
            raise ValueError("given up")

    with pytest.raises(ValueError, match="given up"):
        fail()
    store.recount()
    assert (store.jobs.counts(), store.followed.counts()) == ({("update", "waiting"): 1}, {})
