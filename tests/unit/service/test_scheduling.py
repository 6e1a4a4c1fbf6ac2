"""The schedule at work, on a store in memory and a clock that is handed in: what becomes a job, what a job decides."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from blogforever import clock
from blogforever.analyse.values import HostVerdict, Sign
from blogforever.archive.bloglook import AddressLook, BlogLook, Learned, Outcome
from blogforever.archive.jobs import Changes, CrawlReport
from blogforever.crawl.completeness import Completeness, Source
from blogforever.discover.pushoffers import PushOffer
from blogforever.fetch.answers import REASONS
from blogforever.model import Failure, LookPolicy
from blogforever.records import BlogRecord
from blogforever.schedule.policies import ScopedPolicy
from blogforever.schedule.values import Wishes
from blogforever.service.scheduling import begun, enqueue_due, given_up, looked, wants_comments
from blogforever.storage.following import FollowedBlog, SourceBatch, SourceRow
from blogforever.storage.schedule import LookRow
from blogforever.storage.tables import Store
from blogforever.storage.values import JUDGED
from blogforever.storage.verdicts import VerdictRow
from blogforever.storage.work import HISTORY, PERSON, PING, SCHEDULE, JobRow, NewJob
from blogforever.testing import FakeClock, MemoryStore
from server.storedposts import post

SOLD = "one and the same page stands in place of 9 of the 9 posts that were looked at: the address may have been sold"


@pytest.fixture
def time() -> Iterator[FakeClock]:
    fake = FakeClock()
    with clock.handed_in(lambda: fake.now):
        yield fake


@pytest.fixture
def store() -> Store:
    return MemoryStore()


def follow(store: Store, name: str = "b", **more: Any) -> None:
    plain = FollowedBlog(name, f"https://{name}.example/", clock.stamp(), next_look=clock.stamp())
    store.followed.add([replace(plain, **more)])


def priorities(store: Store) -> dict[str, tuple[str, int]]:
    jobs = store.jobs.take("w", {"harvest": 99, "update": 99}, clock.stamp())
    return {job.blog: (job.kind, job.priority) for job in jobs}


def taken(store: Store) -> JobRow:
    """The job of the blog, as a worker has it."""
    enqueue_due(store)
    (job,) = store.jobs.take("w", {"harvest": 99, "update": 99}, clock.stamp())
    return job


def stands(store: Store, blog: str = "b") -> FollowedBlog:
    found = store.followed.find(blog)
    assert found
    return found


def look(outcome: Outcome = "finished", reason: str = "", **more: Any) -> BlogLook:
    report = CrawlReport("b", "https://b.example/", 1, title="The blog", posts=9)
    return replace(BlogLook(outcome, "https://b.example/", "b", reason, report=report), **more)


def failing(word: str) -> BlogLook:
    return look("nothing", word, report=CrawlReport("b", "https://b.example/", 1, home_failure=word))


def end(store: Store, told: BlogLook, given: Set[str] = frozenset()) -> FollowedBlog:
    """Look at the blog, which is due."""
    job = taken(store)
    looked(store, job, told, given=given)
    store.jobs.done(job.id, "w", "", clock.stamp())
    return stands(store)


def renamed(title: str, **more: Any) -> BlogLook:
    return look(report=CrawlReport("b", "https://b.example/", 1, title=title, posts=9), was_called="The blog", **more)


def test_a_blog_that_gives_itself_another_name_is_called_so(store: Store, time: FakeClock) -> None:
    follow(store)
    assert end(store, look()).title == "The blog"
    time.move(days=8)
    assert end(store, renamed("Parked", outcome="frozen")).title == "The blog", "nobody knows yet who says so"
    time.move(days=8)
    assert end(store, renamed("The other blog")).title == "The other blog"


def test_the_name_that_a_person_gave_a_blog_stays(store: Store, time: FakeClock) -> None:
    follow(store, title="Ann's")
    assert end(store, look()).title == "Ann's"
    time.move(days=8)
    assert end(store, renamed("The other blog")).title == "Ann's"


def test_a_name_that_nobody_gave_is_the_blogs_own_however_old(store: Store, time: FakeClock) -> None:
    """One that was followed when names were never read again."""
    follow(store, title="The first name")
    assert end(store, renamed("The other blog"), given={"Ann's"}).title == "The other blog"
    time.move(days=8)
    assert end(store, renamed("The third name"), given={"The other blog"}).title == "The other blog"


def with_missed_post(store: Store, ending: str = JUDGED) -> None:
    """The last run of the blog could not have a post that it announces."""
    run, _ = store.runs.open("b")
    store.runs.add_failure(run, "b", Failure("https://b.example/new", "status 503").announced_by("blog"))
    store.runs.close(run, ending)


def test_an_announced_post_that_could_not_be_had_is_tried_again_a_few_times(store: Store, time: FakeClock) -> None:
    follow(store)
    waits = []
    for _ in range(4):
        with_missed_post(store)
        blog = end(store, look())
        waits.append(blog.next_look)
        assert "announced post could not be fetched" in blog.next_reason or len(waits) == 4
        time.move(days=2)
    started = [clock.now() - timedelta(days=2 * number) for number in (4, 3, 2, 1)]
    hours = [datetime.fromisoformat(at or "") - moment for at, moment in zip(waits, started, strict=True)]
    assert [wait / timedelta(hours=1) for wait in hours] == [1, 3, 8, 24]


def test_what_a_frozen_blog_could_not_have_is_not_tried_again(store: Store, time: FakeClock) -> None:
    follow(store)
    with_missed_post(store)
    assert "announced post" not in end(store, look("frozen", "so much changed")).next_reason


def later(**more: float) -> str:
    return (clock.now() + timedelta(**more)).isoformat(timespec="seconds")


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (Completeness(), ("not-known", 0)),
        (Completeness((Source("sitemap", "https://b.example/s.xml", 9, 9, whole=True),), posts=9), ("complete", 0)),
        (Completeness(missing={"https://b.example/1": "http-404"}), ("incomplete", 1)),
        (Completeness(stopped="max-pages"), ("incomplete", 0)),
    ],
)
def test_how_complete_a_blog_is_stands_beside_it_after_a_look(
    store: Store, time: FakeClock, statement: Completeness, told: tuple[str, int]
) -> None:
    follow(store)
    report = CrawlReport("b", "https://b.example/", 1, posts=9, completeness=statement)
    blog = end(store, look(report=report))
    assert (blog.completeness, blog.missing) == told
    time.move(days=8)
    blog = end(store, look("unreachable", "it did not answer", report=None))
    assert (blog.completeness, blog.missing) == told, "nobody was there to say otherwise"


def test_a_look_that_ends_while_the_schedule_reads_what_is_due_is_not_queued_again(
    store: Store, time: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(store)
    job, read = taken(store), store.followed.due
    time.move(days=2)

    def due(now: str, limit: int) -> list[FollowedBlog]:
        found = read(now, limit)
        looked(store, job, look())
        store.jobs.done(job.id, "w", "", clock.stamp())
        return found

    monkeypatch.setattr(store.followed, "due", due)
    assert enqueue_due(store) == 0
    assert stands(store).next_reason != "in the queue"


def test_what_is_due_becomes_a_job_once(store: Store, time: FakeClock) -> None:
    follow(store, "new")
    follow(store, "known", blog="known")
    follow(store, "later", next_look=later(hours=1))
    assert enqueue_due(store) == 2
    assert enqueue_due(store) == 0
    assert priorities(store) == {"new": ("harvest", HISTORY), "known": ("update", SCHEDULE)}
    assert stands(store, "new").next_reason == "in the queue"


def test_a_job_that_was_lost_is_put_again_the_next_day(store: Store, time: FakeClock) -> None:
    follow(store)
    job = taken(store)
    time.move(days=2)
    assert enqueue_due(store) == 0, "it is under way"
    store.jobs.cancel(job.id, clock.stamp())
    store.jobs.stopped(job.id, "w", clock.stamp())
    time.move(days=2)
    assert enqueue_due(store) == 1


def test_what_is_wanted_by_a_day_or_by_a_person_goes_first(store: Store, time: FakeClock) -> None:
    follow(store, "usual")
    follow(store, "wanted", harvest_by="2020-02-01")
    follow(store, "listed", blog="listed", lists=("dear",))
    store.schedule.set_policy(ScopedPolicy("list", "dear", LookPolicy(priority=1)))
    enqueue_due(store)
    assert priorities(store) == {
        "wanted": ("harvest", SCHEDULE),
        "usual": ("harvest", HISTORY),
        "listed": ("update", PING),
    }


def test_of_what_is_wanted_by_a_day_the_nearest_day_goes_first(store: Store, time: FakeClock) -> None:
    days = [(time.now + timedelta(days=ahead)).date().isoformat() for ahead in (300, 2, 40, -1)]
    for name, day in zip("abcd", days, strict=True):
        follow(store, name, harvest_by=day)
        enqueue_due(store)
    assert list(priorities(store)) == ["b", "c", "a", "d"]


def test_a_first_harvest_makes_a_followed_blog(store: Store, time: FakeClock) -> None:
    follow(store)
    job = taken(store)
    begun(store, "b")
    assert stands(store).state == "harvesting"
    store.blogs.keep(BlogRecord(id="b", url="https://b.example/", platform="ghost"))
    looked(store, job, look(learned=Learned(found=9)))
    blog = stands(store)
    assert blog.platform == "ghost"
    assert (blog.state, blog.blog, blog.title, blog.total, blog.last_found) == ("following", "b", "The blog", 9, 9)
    assert blog.last_look == clock.stamp()
    assert (blog.next_look or "") > clock.stamp()
    assert blog.next_reason


def test_the_next_look_goes_by_the_posts_of_the_archive(store: Store, time: FakeClock) -> None:
    run, _ = store.runs.open("b")
    for number in range(60):
        published = (time.now - timedelta(hours=3 * number)).isoformat()
        store.posts.keep(run, post(number, published=published))
    follow(store)
    blog = end(store, look())
    assert clock.stamp() < (blog.next_look or "") < later(hours=3)
    assert blog.next_reason.startswith("posts about")


def test_wishes_of_the_blog_are_remembered_and_kept(store: Store, time: FakeClock) -> None:
    follow(store, policy=LookPolicy(every=60))
    blog = end(store, look(learned=Learned(wishes=Wishes(max_age=5 * 3600))))
    assert blog.next_look == later(hours=5)
    assert blog.next_reason == "set to every 1 min; its Cache-Control says 5 h"


def test_a_day_that_is_in_no_calendar_stops_nobody(store: Store, time: FakeClock) -> None:
    follow(store, "late", harvest_by="2099-02-31")
    follow(store, "other")
    assert enqueue_due(store) == 2


def test_who_is_no_blog_is_rejected_and_the_source_says_so(store: Store, time: FakeClock) -> None:
    store.sources.add(SourceBatch("one", clock.stamp()), [SourceRow("one", 1, "b", verdict="new", blog="b", made=True)])
    follow(store)
    empty = CrawlReport("b", "https://b.example/", 1)
    blog = end(store, look("nothing", "no post was found", report=empty))
    assert (blog.state, blog.reason, blog.next_look, blog.blog) == ("rejected", "no post was found", None, None)
    (row,) = store.sources.rows("one")
    assert (row.verdict, row.reason) == ("not-a-blog", "no post was found")


@pytest.mark.parametrize(("published", "told"), [(None, ("not-a-blog", "shop")), ("2013-01-01", ("blog", "blog"))])
def test_what_looked_like_a_shop_is_a_blog_where_its_posts_have_days(
    store: Store, time: FakeClock, published: str | None, told: tuple[str, str]
) -> None:
    follow(store, verdict="not-a-blog", kind="shop")
    store.posts.keep(store.runs.open("b")[0], post(1, published=published))
    blog = end(store, look())
    assert (blog.state, blog.verdict, blog.kind) == ("following", *told)


@pytest.mark.parametrize(("apart", "told"), [(15, ("not-a-blog", "news site")), (300, ("blog", "blog"))])
def test_a_news_site_stays_one_where_its_posts_come_as_fast_as_nobody_writes(
    store: Store, time: FakeClock, apart: int, told: tuple[str, str]
) -> None:
    follow(store, verdict="not-a-blog", kind="news site")
    run = store.runs.open("b")[0]
    for number in range(1, 31):
        # Of each day thirty are seen, and then the feed has rushed on: that is no blog's rhythm, either.
        moment = clock.now() + timedelta(days=number // 20, minutes=number * apart)
        store.posts.keep(run, post(number, published=moment.isoformat()))
    blog = end(store, look())
    assert (blog.state, blog.verdict, blog.kind) == ("following", *told)


def test_the_source_of_what_is_followed_but_no_blog_says_so(store: Store, time: FakeClock) -> None:
    store.sources.add(SourceBatch("one", clock.stamp()), [SourceRow("one", 1, "b", verdict="new", blog="b", made=True)])
    follow(store, verdict="not-a-blog", kind="shop")
    sells = HostVerdict("https://b.example/", "shop", 0.9, (Sign("cart", "it has a cart", "shop", 0.9),))
    store.verdicts.keep(VerdictRow("b", clock.stamp(), sells))
    blog = end(store, look())
    (row,) = store.sources.rows("one")
    assert (blog.state, row.verdict, row.reason) == ("following", "not-a-blog", "no blog but shop: it has a cart")


def test_who_does_not_answer_is_failing_then_dead_and_may_come_back(store: Store, time: FakeClock) -> None:
    follow(store)
    states = []
    for _ in range(15):
        states.append(end(store, failing("no such host")).state)
        time.move(days=1)
    blog = stands(store)
    assert (states[0], blog.state, blog.failures_in_a_row) == ("failing", "dead", 15)
    assert blog.reason == "nothing has answered since 2020-01-01; there is no such host"
    time.move(days=30)
    blog = end(store, look())
    assert (blog.state, blog.reason, blog.failures_in_a_row) == ("following", "", 0)


@pytest.mark.parametrize("reason", [word for _kind, word in REASONS if word != "time limit"])
def test_why_a_blog_fails_is_told_in_more_than_the_word_of_the_fetcher(
    store: Store, time: FakeClock, reason: str
) -> None:
    follow(store)
    blog = end(store, failing(reason))
    assert (blog.state, blog.reason == reason) == ("failing", False)


def test_a_parked_domain_is_dead_with_the_reason(store: Store, time: FakeClock) -> None:
    follow(store)
    blog = end(store, failing("parked"))
    assert blog.state == "dead"
    assert "for sale" in blog.reason


def test_one_page_for_all_posts_is_a_dead_blog_and_other_changes_are_frozen(store: Store, time: FakeClock) -> None:
    follow(store, "b", blog="b")
    report = CrawlReport("b", "https://b.example/", 1, posts=9, update=Changes(frozen=SOLD))
    blog = end(store, look("frozen", SOLD, was_known=True, report=report))
    assert (blog.state, blog.reason) == ("dead", SOLD)
    time.move(days=2)
    other = replace(report, update=Changes(frozen="9 of its 9 posts changed at once"))
    assert end(store, look("frozen", "9 changed at once", was_known=True, report=other)).state == "frozen"


def test_where_a_blog_moved_is_kept_until_it_is_read_elsewhere(store: Store, time: FakeClock) -> None:
    follow(store)
    assert end(store, look(moved_to="https://new.example/")).moved_to == "https://new.example/"
    time.move(days=9)
    blog = end(store, look("unreachable", "timeout", was_known=True))
    assert (blog.state, blog.moved_to) == ("failing", "https://new.example/")
    time.move(days=9)
    assert end(store, look()).moved_to is None


def test_what_a_person_decides_during_a_look_holds(store: Store, time: FakeClock) -> None:
    follow(store)
    job = taken(store)
    store.followed.change("b", lambda one: replace(one, paused=True, state="paused", next_look=None))
    looked(store, job, look())
    blog = stands(store)
    assert (blog.state, blog.next_look, blog.total) == ("paused", None, 9)
    given_up(store, job, "somebody cancelled it")
    assert stands(store).state == "paused"


def test_a_look_that_was_given_up_comes_again(store: Store, time: FakeClock) -> None:
    follow(store)
    job = taken(store)
    begun(store, "b")
    given_up(store, job, "KeyError: 'x'")
    blog = stands(store)
    assert (blog.state, blog.reason, blog.next_look) == ("waiting", "KeyError: 'x'", later(days=1))


def test_a_blog_is_followed_until_its_day(store: Store, time: FakeClock) -> None:
    follow(store, until="2020-01-03")
    assert end(store, look()).next_look
    time.move(days=9)
    blog = end(store, look())
    assert (blog.next_look, blog.next_reason) == (None, "it was to be followed until 2020-01-03")


def test_watched_addresses_say_what_each_brought(store: Store, time: FakeClock) -> None:
    follow(store)
    feed, api = (
        AddressLook("https://b.example/feed", "posts", new=4),
        AddressLook("https://b.example/api", "api", new=4),
    )
    end(store, look(learned=Learned(addresses=(feed, api))))
    time.move(days=9)
    end(store, look(learned=Learned(addresses=(replace(feed, new=2),))))
    (watched,) = store.followed.watched("b")
    assert (watched.url, watched.kind, watched.last_found, watched.total) == (feed.url, "posts", 2, 6)
    assert watched.last_look == clock.stamp()


def test_who_would_tell_us_is_kept_with_a_feed_until_the_feed_says_otherwise(store: Store, time: FakeClock) -> None:
    hub, none = PushOffer("https://hub.example/", "https://b.example/self"), PushOffer()
    feed = AddressLook("https://b.example/feed", "posts")

    def offered(by_feed: PushOffer | None, by_page: PushOffer | None = None) -> tuple[str, str]:
        time.move(days=9)
        end(store, look(learned=Learned(addresses=(replace(feed, offer=by_feed),), offer=by_page)))
        (watched,) = store.followed.watched("b")
        return watched.hub, watched.offered_by

    follow(store)
    assert offered(hub) == (hub.hub, "feed")
    assert offered(None) == (hub.hub, "feed"), "nobody asked the feed itself"
    assert offered(none) == ("", "")
    assert offered(none, hub) == (hub.hub, "page")
    assert offered(none) == (hub.hub, "page"), "nobody asked the page"
    assert offered(none, none) == ("", "")


@pytest.mark.parametrize(
    ("priority", "by", "cause"), [(PERSON, "me", "person"), (PING, "ping", "ping"), (PING, "schedule", "schedule")]
)
def test_who_wanted_a_look_is_remembered(store: Store, time: FakeClock, priority: int, by: str, cause: str) -> None:
    follow(store, next_look=None)
    store.jobs.put(NewJob("update", "b", priority, asked_by=by), clock.stamp())
    looked(store, taken(store), look())
    assert store.schedule.looks("b")[-1].cause == cause


def test_where_pings_tell_of_posts_the_schedule_looks_for_late_comments_alone(store: Store, time: FakeClock) -> None:
    follow(store, next_look=None, blog="b")
    blog = stands(store)
    store.schedule.add(LookRow("b", clock.stamp(), cause="ping", found=1, comments=1))
    published = (clock.now() - timedelta(hours=1)).isoformat()
    store.posts.keep(store.runs.open("b")[0], post(1, published=published))
    store.jobs.put(NewJob("update", "b", SCHEDULE, asked_by="schedule"), clock.stamp())
    job = taken(store)
    assert not wants_comments(store, job, blog), "the newest post is an hour old"
    time.move(days=1)
    assert wants_comments(store, job, blog)
    assert not wants_comments(store, replace(job, asked_by="ping"), blog)
    looked(store, job, look(), for_comments=True)
    assert store.schedule.looks("b")[-1].cause == "comments"


def test_a_blog_that_is_followed_no_more_is_not_brought_back_by_its_last_look(store: Store, time: FakeClock) -> None:
    follow(store)
    job = taken(store)
    store.followed.drop(["b"])
    looked(store, job, look())
    assert store.followed.find("b") is None
    assert store.schedule.looks("b") == []


def test_a_blog_that_is_followed_under_another_address_is_known(store: Store, time: FakeClock) -> None:
    follow(store, "first", blog="b", state="following", next_look=None)
    store.sources.add(SourceBatch("one", clock.stamp()), [SourceRow("one", 1, "b", verdict="new", blog="b", made=True)])
    follow(store, tags=("late",))
    looked(store, taken(store), look())
    assert store.followed.find("b") is None
    assert stands(store, "first").tags == ("late",)
    (row,) = store.sources.rows("one")
    assert (row.verdict, row.blog, row.reason) == ("known", "first", "the same blog as https://first.example/")
