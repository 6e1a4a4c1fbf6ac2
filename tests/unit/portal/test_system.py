"""System and Review: parts, jobs, statistics, and what needs a person, with repairs of one click."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from blogforever import clock
from blogforever.records import read_post
from blogforever.service.schedules import RememberedWeek
from blogforever.service.standing import Standing
from blogforever.storage.browsing import PostQuery
from blogforever.storage.following import FollowedBlog, FollowedQuery, FollowState, SourceBatch, SourceRow
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter, JobKind, JobRow, NewJob
from blogforever.store.catalogue import Sealed
from blogforever.store.diskblobs import DiskBlobs
from blogforever.store.mirror import Mirror, this_machine
from blogforever.store.sizes import KeptBytes, kept_of_all, kept_of_blog
from server.visitor import PortalClient, words

DAY = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def store(standing: Standing) -> Store:
    return standing.archive.store


def follow(store: Store, name: str, state: FollowState, reason: str = "") -> None:
    store.followed.add([FollowedBlog(name, f"https://{name}/", DAY, state=state, reason=reason)])


def state_of(store: Store, name: str) -> str:
    blog = store.followed.find(name)
    return blog.state if blog else "gone"


def running_job(store: Store) -> JobRow:
    """A job for the sample blog that a worker carries."""
    [blog] = store.followed.page(FollowedQuery()).items
    now = clock.stamp()
    store.jobs.put(NewJob("update", blog.id, asked_by="ada"), now)
    return store.jobs.take("w", {"update": 1}, now)[0]


# ------------------------------------------------------------------ system


def test_the_parts_of_the_service_are_paused_and_resumed_by_admins_only(
    admin: PortalClient, curator: PortalClient, store: Store
) -> None:
    assert "by admin" in words(admin.submitted("/system/pause", name="scheduler"))
    assert [one.part for one in store.parts.paused()] == ["scheduler"]
    admin.submitted("/system/resume", name="scheduler")
    assert store.parts.paused() == []
    assert admin.submit("/system/pause", name="everything").status_code == 422
    assert curator.submit("/system/pause", name="scheduler").status_code == 403
    assert not curator.page("/system").xpath("//form[@action='/system/pause']")


def test_everything_rests_for_maintenance_and_goes_on_by_one_click(
    admin: PortalClient, curator: PortalClient, store: Store
) -> None:
    assert "Nothing is under way any more." in words(admin.submitted("/system/rest"))
    assert {"scheduler", "workers", "pings", "webhooks", "outbox"} == {one.part for one in store.parts.paused()}
    assert "First harvests paused with all workers" in words(curator.page("/system"))
    assert "The service is paused" in words(curator.page("/"))
    assert not curator.page("/system").xpath("//form[@action='/system/wake']")
    assert curator.submit("/system/wake").status_code == 403
    assert "Everything works again." in words(admin.submitted("/system/wake"))
    assert store.parts.paused() == []
    assert "The service is paused" not in words(curator.page("/"))


def test_files_that_wait_for_the_store_are_shown_with_why(viewer: PortalClient, standing: Standing) -> None:
    assert "wait for the store" not in words(viewer.page("/system"))
    archive = standing.archive
    archive.mirror = Mirror(archive.folder, DiskBlobs(archive.folder / "store"), archive.engine)
    archive.mirror.list.wait([Sealed("warc/b/1.warc.gz", 2048, "0" * 64)])
    archive.mirror.list.failed(["warc/b/1.warc.gz"], "The store <b>is away</b>.")
    shown = words(viewer.page("/system"))
    archive.mirror = None
    assert "Files that wait for the store" in shown
    assert this_machine(archive.folder) in shown
    assert "The store <b>is away</b>." in shown


def test_what_runs_is_told_live_and_nothing_is_asked_for_where_nothing_runs(
    curator: PortalClient, store: Store
) -> None:
    idle = curator.get("/system/now").text
    assert "Nothing is under way" in idle
    assert "hx-get" not in idle
    job = running_job(store)
    busy = curator.get("/system/now").text
    assert "every 2s" in busy
    assert "<html" not in busy
    curator.submitted(f"/system/jobs/{job.id}/cancel")
    assert store.jobs.unwanted("w") == [job.id]


def test_the_service_says_why_it_takes_no_work_and_how_much_room_there_is(viewer: PortalClient) -> None:
    told = words(viewer.page("/system"))
    assert "No worker lives at this moment." in told
    assert "free on the disk" in told


def test_it_is_told_how_much_the_archive_takes_and_each_blog_in_it(viewer: PortalClient, standing: Standing) -> None:
    archive = standing.archive
    warcs = [path for blog in archive.warc_blogs() for path in archive.warc_paths(blog)]
    size = sum(path.stat().st_size for path in warcs)
    assert kept_of_all(archive) == KeptBytes(size, len(warcs))
    assert kept_of_all(archive, most=len(warcs) - 1) == KeptBytes(
        sum(path.stat().st_size for path in warcs[:-1]), len(warcs) - 1, is_all=False
    )
    assert "taken by the archive" in words(viewer.page("/system"))
    [blog] = archive.store.followed.page(FollowedQuery()).items
    assert kept_of_blog(archive, blog.blog or "") == KeptBytes(size, len(warcs))
    assert f"{len(warcs)} WARC file" in words(viewer.page(f"/sources/{blog.id}"))


def test_a_blog_without_a_title_is_called_by_its_address(viewer: PortalClient, store: Store) -> None:
    follow(store, "untitled.example", "waiting")
    store.followed.change("untitled.example", lambda one: dataclasses.replace(one, url="https://untitled.example/de/"))
    store.jobs.put(NewJob("harvest", "untitled.example"), clock.stamp())
    assert "untitled.example/de" in words(viewer.page("/system/jobs"))
    assert "untitled.example/de" in words(viewer.page("/system").cssselect("#queue")[0])


def test_one_of_something_is_told_as_one(viewer: PortalClient, store: Store) -> None:
    running_job(store)
    figures = [words(one) for one in viewer.page("/system").cssselect(".figure")]
    assert figures[:4] == ["1 followed blog", "1 job under way", "0 jobs that wait", "0 jobs that failed"]


def carried_out(store: Store, kind: JobKind, result: str) -> None:
    """A job that a worker has carried out, and what it says of itself."""
    now = clock.stamp()
    store.jobs.put(NewJob(kind, f"{kind}.example"), now)
    [job] = store.jobs.take("w", {kind: 1}, now)
    store.jobs.done(job.id, "w", result, now)


def test_the_list_of_jobs_says_what_came_of_each(viewer: PortalClient, store: Store) -> None:
    carried_out(store, "update", '{"outcome": "finished", "found": 2, "changed": 1, "requests": 14, "bytes": 9}')
    carried_out(store, "harvest", '{"outcome": "nothing", "reason": "connection", "found": 0}')
    carried_out(store, "reread", '{"posts": 1, "changed": 0, "new": 3, "unread": 0}')
    carried_out(store, "export", '{"file": "4.csv", "bytes": 2000}')
    carried_out(store, "render", "what another version wrote")
    told = [words(cell) for cell in viewer.page("/system/jobs").xpath("//td[@data-label='What came of it']")]
    assert told[:2] == ["", "2 kB"]
    assert told[2] == "1 post read, 3 new, 0 changed"
    assert told[3] == "nothing found the connection is refused or breaks off"
    assert told[4] == "2 new, 1 changed 14 requests"


def test_a_first_harvest_that_failed_says_why_and_where_to_read_what_can_be_done(
    curator: PortalClient, store: Store
) -> None:
    job = running_job(store)
    told = '{"outcome": "nothing", "reason": "connection", "found": 0}'
    assert store.jobs.fail(job.id, "w", "the connection is refused or breaks off", clock.stamp(), result=told)
    page = curator.page("/system/jobs?state=failed")
    [row] = page.xpath("//tbody/tr")
    assert words(row.xpath("td[@data-label='What came of it']")[0]) == "nothing found"
    [state] = row.xpath("td[@data-label='State']")
    assert words(state.xpath("small")[0]) == "the connection is refused or breaks off"
    [way] = state.xpath(".//a")
    assert (words(way), way.get("href")) == ("What can be done of The Long Shelf", f"/sources/{job.blog}")
    assert "asked again by itself" in words(page)


def test_jobs_are_filtered_and_tried_again(curator: PortalClient, store: Store) -> None:
    job = running_job(store)
    store.jobs.fail(job.id, "w", "the disk is full", clock.stamp())
    told = words(curator.page("/system/jobs?state=failed&kind=update"))
    assert "the disk is full" in told
    assert "No job is like that" in words(curator.page("/system/jobs?state=cancelled"))
    curator.submitted(f"/system/jobs/{job.id}/retry")
    assert [one.asked_by for one in store.jobs.newest(JobFilter("waiting"), 9)] == ["curator"]
    assert curator.submit(f"/system/jobs/{2**70}/retry").status_code == 422


def test_what_was_begun_anew_since_is_not_tried_again_once_more(curator: PortalClient, store: Store) -> None:
    for _ in range(2):
        job = running_job(store)
        store.jobs.fail(job.id, "w", "the disk is full", clock.stamp())
    old, new = curator.page("/system/jobs?state=failed").xpath("//tbody/tr")[::-1]
    assert not old.xpath(".//button")
    assert "tried again since:" in words(old)
    assert words(new.xpath(".//button")[0]) == "Try again"
    assert len(curator.page("/system").cssselect("#queue-failed li")) == 1
    assert "1 job is tried again." in words(curator.submitted("/system/jobs/retry", state="failed"))
    assert "0 jobs are tried again." in words(curator.submitted("/system/jobs/retry", state="failed"))


def test_statistics_of_a_range_are_drawn_and_a_wrong_range_is_explained(viewer: PortalClient) -> None:
    found = viewer.page("/system/statistics?by=hour&from=" + clock.today().isoformat())
    assert "how they endedfinished1" in words(found)
    assert found.xpath("//figure[@class='chart']")
    assert "Nothing happened in this time" in words(viewer.page("/system/statistics?from=2001&to=2001"))
    assert "is no day" in words(viewer.page("/system/statistics?from=yesterday"))


# ------------------------------------------------------------------ review


def test_where_nothing_needs_a_person_that_is_said(first_visitor: PortalClient) -> None:
    assert "Nothing needs you" in words(first_visitor.page("/review"))


def test_blogs_that_need_a_person_are_grouped_by_cause_with_evidence_and_repairs(
    curator: PortalClient, store: Store
) -> None:
    follow(store, "cold.org", "frozen", "half of it changed")
    for name in ("a.org", "b.org"):
        follow(store, name, "failing", "timeout")
    follow(store, "c.org", "failing", "status 500")
    first = curator.page("/review")
    assert "cold.org half of it changed" in words(first)
    assert "Accept what it shows" in words(first)
    # By its address, as on all screens, where it has no title: an id is nobody's name.
    store.followed.add(
        [FollowedBlog("d.org-blog-1a2b", "https://d.org/blog/", "2026-01-01T00:00:00+00:00", state="dead")]
    )
    assert curator.page("/review?state=dead").xpath("//ul[@data-keys]/li//h2/a/text()") == ["d.org/blog"]
    failing = curator.page("/review?state=failing&reason=timeout")
    assert failing.xpath("//ul[@data-keys]/li//h2/a/text()") == ["a.org", "b.org"]
    curator.submitted("/review/deed", deed="pause", everything="yes", state="failing", reason="timeout")
    assert [state_of(store, name) for name in ("a.org", "b.org", "c.org")] == ["paused", "paused", "failing"]
    curator.submitted("/review/deed", deed="accept", blog="cold.org", back="/review?state=frozen")
    [job] = store.jobs.newest(JobFilter("waiting"), 9)
    assert (job.blog, "accept" in job.input) == ("cold.org", True)


def test_what_was_taken_for_no_blog_is_tried_again_as_if_it_were_new(curator: PortalClient, store: Store) -> None:
    follow(store, "shop.org", "rejected", "it is a shop")
    store.sources.add(SourceBatch("one", DAY), [SourceRow("one", 1, "shop.org", verdict="not-a-blog", blog="shop.org")])
    assert "it is a shop" in words(curator.page("/review?state=rejected"))
    curator.submitted("/review/deed", deed="again", blog="shop.org")
    assert state_of(store, "shop.org") == "waiting"
    assert [row.verdict for row in store.sources.rows("one")] == ["new"]
    assert [job.kind for job in store.jobs.newest(JobFilter("waiting"), 9)] == ["harvest"]


def test_missing_posts_lead_to_the_post_and_its_blog(curator: PortalClient, store: Store) -> None:
    line = store.posts.page(PostQuery(limit=1)).items[0].line
    post = read_post(line)
    store.posts.rewrite(replace(post, status="missing"))
    found = curator.page("/review?state=missing")
    assert f"/posts/{post.id}" in found.xpath("//ul[@data-keys]//a/@href")
    assert "Look now" in words(found)


def test_who_may_only_look_is_offered_no_repair(viewer: PortalClient, store: Store) -> None:
    follow(store, "cold.org", "frozen")
    assert not viewer.page("/review").xpath("//main//form")
    assert viewer.submit("/review/deed", deed="accept", blog="cold.org").status_code == 403


def test_the_week_to_come_says_how_many_looks_and_which_come_first(
    viewer: PortalClient, curator: PortalClient, standing: Standing, store: Store
) -> None:
    assert "The week to come" in words(viewer.page("/system"))
    [blog] = store.followed.page(FollowedQuery()).items
    page = viewer.page("/system/week")
    assert len(page.xpath("//tbody/tr")) == 7
    assert page.xpath(f"//h3/a[@href='/sources/{blog.id}']")
    assert not page.xpath("//main//a[@href='/settings/policies']")
    assert curator.page("/system/week").xpath("//main//a[@href='/settings/policies']")
    store.followed.change(blog.id, lambda one: dataclasses.replace(one, next_look=None))
    standing.week = RememberedWeek()
    assert "Nothing is planned" in words(viewer.page("/system/week"))


def test_of_much_that_runs_the_rest_is_folded(viewer: PortalClient, store: Store) -> None:
    now = clock.stamp()
    for number in range(11):
        follow(store, f"b{number}.example", "harvesting")
        store.jobs.put(NewJob("harvest", f"b{number}.example"), now)
    store.jobs.take("w", {"harvest": 11}, now)
    queue = viewer.page("/system").get_element_by_id("queue")
    assert len(queue.xpath("./ul/li")) == 8
    assert len(queue.get_element_by_id("queue-more").xpath(".//li")) == 3
