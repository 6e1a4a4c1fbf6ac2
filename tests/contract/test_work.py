"""The contract of the service's work: every engine of jobs passes all of this."""

from __future__ import annotations

from dataclasses import replace

from blogforever.storage.tables import Store
from blogforever.storage.work import (
    ACCEPT,
    HISTORY,
    LOOKS,
    LOST_WORKER,
    MERGED,
    MOST_TRIES,
    PERSON,
    PING,
    SCHEDULE,
    JobFilter,
    JobKind,
    JobRow,
    NewJob,
    PausedPart,
    WorkerRow,
)

NOW, SOON, LATER = "2026-11-16T08:00:00+00:00", "2026-11-16T08:01:00+00:00", "2026-11-16T09:00:00+00:00"


def job(blog: str = "a", kind: JobKind = "update", priority: int = SCHEDULE, due: str = "") -> NewJob:
    return NewJob(kind, blog, priority, due, asked_by="somebody", input='{"full": true}')


def taken(store: Store, most: int = 1, kind: JobKind = "update", worker: str = "w", now: str = NOW) -> list[JobRow]:
    return store.jobs.take(worker, {kind: most}, now)


def stands(store: Store, number: int) -> JobRow:
    row = store.jobs.find(number)
    assert row
    return row


# ------------------------------------------------------------------ put and take


def test_a_job_waits_as_it_was_put_until_it_is_taken(store: Store) -> None:
    put = store.jobs.put(job(), NOW)
    assert (put.kind, put.blog, put.state, put.due, put.created) == ("update", "a", "waiting", NOW, NOW)
    assert (put.asked_by, put.input, put.attempts, put.worker) == ("somebody", '{"full": true}', 0, None)
    assert stands(store, put.id) == put
    (row,) = taken(store, now=SOON)
    assert row == replace(put, state="running", worker="w", started=SOON, attempts=1)
    assert stands(store, put.id) == row
    assert taken(store) == []
    assert store.jobs.find(put.id + 1) is None


def test_who_is_most_urgent_goes_first_then_who_is_due_longest(store: Store) -> None:
    for blog, priority in (("history", HISTORY), ("schedule", SCHEDULE), ("ping", PING), ("person", PERSON)):
        store.jobs.put(job(blog, priority=priority, due=NOW), NOW)
    store.jobs.put(job("earlier", due="2026-11-16T07:00:00+00:00"), NOW)
    assert [row.blog for row in taken(store, 9)] == ["person", "ping", "earlier", "schedule", "history"]


def test_what_is_not_due_is_not_taken(store: Store) -> None:
    store.jobs.put(job(due=LATER), NOW)
    assert taken(store, now=SOON) == []
    assert [row.blog for row in taken(store, now=LATER)] == ["a"]


def test_no_more_are_taken_than_wanted_of_each_kind(store: Store) -> None:
    for number in range(4):
        store.jobs.put(job(f"u{number}"), NOW)
        store.jobs.put(job(f"h{number}", "harvest"), NOW)
    first = store.jobs.take("w", {"update": 3, "harvest": 1, "export": 2}, NOW)
    assert sorted(row.blog for row in first) == ["h0", "u0", "u1", "u2"]
    assert store.jobs.take("w", {"harvest": 0}, NOW) == []


def test_one_job_of_a_kind_waits_for_a_blog_as_urgent_as_either(store: Store) -> None:
    first = store.jobs.put(job(due=LATER), NOW)
    asked = NewJob("update", "a", PERSON, due=SOON, asked_by="another")
    second = store.jobs.put(asked, SOON)
    assert second == replace(first, priority=PERSON, due=SOON, asked_by="another")
    third = store.jobs.put(NewJob("update", "a", HISTORY, due=LATER, asked_by="a third"), SOON)
    assert third == second
    assert store.jobs.put(job(kind="reread"), NOW).id != first.id


def test_what_more_there_is_to_know_is_known_to_the_job_that_waits_already(store: Store) -> None:
    """Somebody accepts what a frozen blog shows while a look of the schedule waits."""
    waits = store.jobs.put(NewJob("update", "a", due=LATER), NOW)
    accepted = store.jobs.put(NewJob("update", "a", PERSON, asked_by="ann", input=ACCEPT), NOW)
    assert (accepted.id, accepted.input) == (waits.id, ACCEPT)
    assert store.jobs.put(NewJob("update", "a"), NOW).input == ACCEPT
    (running,) = taken(store)
    later = store.jobs.put(NewJob("update", "a", due=LATER, asked_by="schedule"), NOW)
    assert store.jobs.give_back(running.id, "w", NOW, due=SOON)
    found = stands(store, later.id)
    assert (found.input, found.asked_by, found.due, found.priority) == (ACCEPT, "ann", SOON, PERSON)


def test_jobs_without_a_blog_stand_for_themselves(store: Store) -> None:
    numbers = {store.jobs.put(NewJob("export"), NOW).id for _ in range(3)}
    assert len(numbers) == 3
    assert {row.id for row in taken(store, 9, "export")} == numbers
    assert store.jobs.busy() == frozenset()


def test_a_blog_is_worked_on_by_one_job_at_a_time(store: Store) -> None:
    store.jobs.put(job(), NOW)
    store.jobs.put(job(kind="reread"), NOW)
    (row,) = store.jobs.take("w", {"update": 1, "reread": 1}, NOW)
    again = store.jobs.put(job(), NOW)
    assert again.id != row.id
    assert store.jobs.take("other", {"update": 1, "reread": 1}, NOW) == []
    assert store.jobs.done(row.id, "w", "", NOW)
    assert len(store.jobs.take("other", {"update": 1, "reread": 1}, NOW)) == 1


# ------------------------------------------------------------------ how jobs end


def test_a_job_is_ended_once_and_by_who_has_it(store: Store) -> None:
    number = store.jobs.put(job(), NOW).id
    assert not store.jobs.done(number, "w", "", NOW)
    taken(store)
    assert not store.jobs.done(number, "other", "", NOW)
    assert store.jobs.done(number, "w", '{"new": 2}', SOON)
    row = stands(store, number)
    assert (row.state, row.result, row.ended, row.error) == ("done", '{"new": 2}', SOON, None)
    assert not store.jobs.fail(number, "w", "too late", LATER)
    assert not store.jobs.give_back(number, "w", LATER)
    assert stands(store, number) == row


def test_a_job_that_failed_is_tried_again_when_it_is_due_again(store: Store) -> None:
    number = store.jobs.put(job(), NOW).id
    taken(store)
    assert store.jobs.fail(number, "w", "The disk was full.", NOW, again=SOON)
    row = stands(store, number)
    assert (row.state, row.due, row.error, row.attempts, row.worker) == ("waiting", SOON, "The disk was full.", 1, None)
    assert taken(store) == []
    assert [(row.attempts, row.error) for row in taken(store, now=SOON)] == [(2, None)]
    assert store.jobs.fail(number, "w", "It was full again.", LATER)
    assert (stands(store, number).state, stands(store, number).ended) == ("failed", LATER)


def test_a_job_that_failed_for_good_may_say_what_came_of_it(store: Store) -> None:
    number = store.jobs.put(job(), NOW).id
    taken(store)
    assert store.jobs.fail(number, "w", "Nobody answered.", LATER, result='{"requests": 2}')
    row = stands(store, number)
    assert (row.state, row.error, row.result, row.ended) == ("failed", "Nobody answered.", '{"requests": 2}', LATER)


def test_what_is_given_back_was_not_tried(store: Store) -> None:
    put = store.jobs.put(job(), NOW)
    taken(store)
    assert store.jobs.give_back(put.id, "w", SOON)
    assert stands(store, put.id) == put
    taken(store)
    assert store.jobs.give_back(put.id, "w", SOON, due=LATER)
    assert stands(store, put.id) == replace(put, due=LATER)


def test_a_job_that_waits_again_gives_way_to_the_one_that_waits_already(store: Store) -> None:
    old = store.jobs.put(job(priority=PERSON), NOW)
    taken(store)
    new = store.jobs.put(job(), NOW)
    assert store.jobs.give_back(old.id, "w", SOON)
    row = stands(store, old.id)
    assert (row.state, row.error, row.ended) == ("cancelled", MERGED, SOON)
    assert stands(store, new.id) == replace(new, priority=PERSON)


def test_what_waits_is_cancelled_at_once_and_what_runs_by_its_worker(store: Store) -> None:
    waiting, running = store.jobs.put(job("a"), NOW), store.jobs.put(job("b", priority=PERSON), NOW)
    taken(store)
    cancelled, told = store.jobs.cancel(waiting.id, SOON), store.jobs.cancel(running.id, SOON)
    assert cancelled
    assert told
    assert (cancelled.state, cancelled.ended, told.state, told.cancel) == ("cancelled", SOON, "running", True)
    assert store.jobs.unwanted("w") == [running.id]
    assert store.jobs.unwanted("other") == []
    assert store.jobs.stopped(running.id, "w", LATER)
    assert (stands(store, running.id).state, store.jobs.unwanted("w")) == ("cancelled", [])
    assert store.jobs.cancel(running.id, LATER) == stands(store, running.id)
    assert store.jobs.cancel(99, NOW) is None


def test_all_that_is_wanted_of_a_blog_is_cancelled_at_once(store: Store) -> None:
    for blog in ("a", "b", "c"):
        store.jobs.put(job(blog), NOW)
    store.jobs.put(NewJob("export"), NOW)
    (running,) = store.jobs.take("w", {"update": 1}, NOW)
    store.jobs.cancel_of({"a", "b", "unknown"}, SOON)
    store.jobs.cancel_of((), SOON)
    assert (running.blog, store.jobs.unwanted("w")) == ("a", [running.id])
    assert store.jobs.busy() == {"a", "c"}
    assert store.jobs.counts() == {
        ("update", "running"): 1,
        ("update", "cancelled"): 1,
        ("update", "waiting"): 1,
        ("export", "waiting"): 1,
    }


# ------------------------------------------------------------------ workers that die


def test_the_jobs_of_the_dead_wait_again_those_of_the_living_go_on(store: Store) -> None:
    for blog in "abc":
        store.jobs.put(job(blog), NOW)
    (mine,), theirs = taken(store), taken(store, 2, worker="dead")
    assert store.jobs.holders() == {"w", "dead"}
    orphans = store.jobs.take_over({"dead", "never seen"}, SOON)
    assert [(row.id, row.state, row.attempts) for row in orphans] == [(row.id, "waiting", 1) for row in theirs]
    assert stands(store, mine.id) == mine
    assert store.jobs.holders() == {"w"}
    assert not store.jobs.done(theirs[0].id, "dead", "", SOON)
    assert {row.id for row in taken(store, 9)} == {row.id for row in theirs}
    assert store.jobs.take_over([], NOW) == []


def test_a_job_that_kills_every_worker_fails_in_the_end(store: Store) -> None:
    number = store.jobs.put(job(), NOW).id
    for attempt in range(MOST_TRIES):
        taken(store, worker=f"w{attempt}")
        store.jobs.take_over({f"w{attempt}"}, NOW)
    row = stands(store, number)
    assert (row.state, row.error, row.attempts) == ("failed", LOST_WORKER, MOST_TRIES)


def test_an_orphan_gives_way_to_the_job_that_waits_already(store: Store) -> None:
    store.jobs.put(job(), NOW)
    taken(store)
    store.jobs.put(job(), NOW)
    assert [row.state for row in store.jobs.take_over({"w"}, NOW)] == ["cancelled"]
    assert len(taken(store, 9)) == 1


def test_who_joined_lives_until_he_leaves_and_tells_how_it_stands(store: Store) -> None:
    row = WorkerRow("one", 7, NOW, SOON, 100, 3)
    with store.workers.join("one"), store.workers.join("two"):
        assert store.workers.alive() == {"one", "two"}
        store.workers.tell(row)
        store.workers.tell(replace(row, running=4))
        assert store.workers.rows() == [replace(row, running=4)]
    assert store.workers.alive() == frozenset()
    with store.workers.join("three"):
        assert store.workers.alive() == {"three"}
        assert store.workers.rows() == []


# ------------------------------------------------------------------ what people see


def test_jobs_are_listed_newest_first_page_by_page(store: Store) -> None:
    numbers = [store.jobs.put(job(blog, kind), NOW).id for blog in "ab" for kind in ("update", "reread")]
    everything = JobFilter()
    assert [row.id for row in store.jobs.newest(everything, 3)] == numbers[:0:-1]
    assert [row.id for row in store.jobs.newest(everything, 3, after=numbers[1])] == [numbers[0]]
    taken(store)
    assert [row.blog for row in store.jobs.newest(JobFilter(state="running"), 9)] == ["a"]
    assert [row.kind for row in store.jobs.newest(JobFilter(blog="b"), 9)] == ["reread", "update"]
    assert [row.blog for row in store.jobs.newest(JobFilter(state="waiting", kind="reread"), 9)] == ["b", "a"]
    assert store.jobs.newest(JobFilter(day="2020-01-01"), 9) == []


def test_jobs_are_counted_by_kind_and_state_and_name_the_blogs_that_are_busy(store: Store) -> None:
    for blog in "abc":
        store.jobs.put(job(blog), NOW)
    first, _ = taken(store, 2)
    store.jobs.done(first.id, "w", "", NOW)
    expected = {("update", "done"): 1, ("update", "running"): 1, ("update", "waiting"): 1}
    assert store.jobs.counts() == expected
    assert store.jobs.busy() == {"b", "c"}
    assert store.jobs.busy(among=["a", "c", "d"]) == {"c"}
    assert store.jobs.busy(["harvest"], among=["c"]) == store.jobs.busy(among=[]) == frozenset()


def test_only_what_ended_long_ago_is_forgotten(store: Store) -> None:
    for blog in "abc":
        store.jobs.put(job(blog), NOW)
    first, second = taken(store, 2)
    store.jobs.done(first.id, "w", "", NOW)
    store.jobs.fail(second.id, "w", "no", LATER)
    assert store.jobs.forget(SOON) == 1
    assert [row.blog for row in store.jobs.newest(JobFilter(), 9)] == ["c", "b"]


def test_a_part_is_paused_since_the_first_time_until_it_is_resumed(store: Store) -> None:
    store.parts.pause(PausedPart("workers", NOW, "ann"))
    store.parts.pause(PausedPart("harvest", SOON, "bob"))
    store.parts.pause(PausedPart("workers", LATER, "bob"))
    assert store.parts.paused() == [PausedPart("harvest", SOON, "bob"), PausedPart("workers", NOW, "ann")]
    assert store.parts.resume("workers")
    assert not store.parts.resume("workers")
    assert [part.part for part in store.parts.paused()] == ["harvest"]


def test_what_is_put_in_a_transaction_that_fails_was_not_put(store: Store) -> None:
    try:
        with store.transaction():
            store.jobs.put(job(), NOW)
            raise RuntimeError
    except RuntimeError:
        pass
    assert store.jobs.newest(JobFilter(), 9) == []


def test_how_long_the_first_has_waited_can_be_told_and_kinds_are_told_apart(store: Store) -> None:
    assert store.jobs.longest_due() is None
    store.jobs.put(NewJob("update", "b", due=SOON), NOW)
    store.jobs.put(NewJob("reread", "c", due=NOW), NOW)
    assert store.jobs.longest_due() == NOW
    assert store.jobs.busy(LOOKS) == {"b"}
    store.jobs.take("w", {"reread": 1}, NOW)
    assert store.jobs.longest_due() == SOON
