"""What a worker makes of a job: the look that was asked for, with the options it was asked with."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from blogforever.archive.bloglook import BlogLook, PushedFeed
from blogforever.config import Config
from blogforever.service.working import LookHandler
from blogforever.storage.following import FollowedBlog
from blogforever.storage.work import ACCEPT, JobRow, NewJob
from blogforever.testing import MemoryStore

NOW = "2024-01-01T00:00:00+00:00"


class Looked:
    """A follower that notes how it was asked."""

    def __init__(self, store: MemoryStore, outcome: str = "finished") -> None:
        self.archive, self._outcome = SimpleNamespace(store=store, following=SimpleNamespace(titles=frozenset)), outcome
        self.asked: list[tuple[str, str, Config]] = []

    async def look_at(
        self, typed: str, blog: str, config: Config, pushed: PushedFeed | None = None, _gate: object = None
    ) -> BlogLook:
        self.asked.append((typed, blog, config))
        return BlogLook(self._outcome, typed, blog)  # type: ignore[arg-type]  # a word of the outcomes


def job_of(store: MemoryStore, **more: Any) -> JobRow:
    store.followed.add([FollowedBlog("a.example", "https://a.example/", NOW, blog="a.example")])
    return store.jobs.put(NewJob("update", "a.example", **more), NOW)


def carried(follower: Looked, job: JobRow) -> Any:
    return asyncio.run(LookHandler(follower, Config()).carry_out(job))  # type: ignore[arg-type]  # all that is asked of one


def test_a_blog_is_looked_at_under_its_address_and_its_name_in_the_archive() -> None:
    store = MemoryStore()
    follower = Looked(store)
    carried(follower, job_of(store))
    ((address, name, config),) = follower.asked
    assert (address, name, config.accept_changes) == ("https://a.example/", "a.example", False)


def test_what_a_frozen_blog_shows_is_taken_over_where_a_person_says_so() -> None:
    store = MemoryStore()
    follower = Looked(store)
    carried(follower, job_of(store, input=ACCEPT))
    assert [config.accept_changes for _, _, config in follower.asked] == [True]


def test_a_blog_that_somebody_else_writes_is_tried_again_later() -> None:
    store = MemoryStore()
    assert carried(Looked(store, "busy"), job_of(store)).postponed


def test_a_look_that_nobody_answered_has_failed_and_says_why() -> None:
    store = MemoryStore()
    job = job_of(store)
    assert carried(Looked(store), job).failed == ""
    assert carried(Looked(store, "nothing"), job).failed == ""
    unanswered = carried(Looked(store, "unreachable"), job)
    assert (unanswered.failed, '"unreachable"' in unanswered.result) == ("nobody answers", True)


def test_nothing_is_asked_of_a_blog_that_nobody_follows_any_more() -> None:
    store = MemoryStore()
    job = job_of(store)
    store.followed.drop(["a.example"])
    follower = Looked(store)
    assert "forgotten" in carried(follower, job).result
    assert follower.asked == []
