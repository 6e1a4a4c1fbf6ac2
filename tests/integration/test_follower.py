"""Blogs looked at by a program that goes on: one archive, one fetcher, each look ends on its own."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from blogforever.archive.bloglook import BlogLook
from blogforever.archive.checking import verify
from blogforever.archive.following import Follower
from blogforever.archive.jobs import CrawlProgress
from blogforever.config import Config
from blogforever.crawl.crawl import BlogCrawl
from blogforever.errors import ArchiveError
from blogforever.fetch import lanes
from blogforever.protocols import Answer, Ask
from blogforever.schedule.values import Wishes
from blogforever.source.address import blog_name
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, Reply, serve, serve_answers, slug
from server.wpblog import Blog, answer

pytestmark = pytest.mark.long

LONG = 60.0


def options(folder: Path) -> Config:
    return Config(archive=folder / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0, render="never")


def followed(config: Config, do: Callable[[Follower], Awaitable[object]]) -> None:
    async def program() -> None:
        async with Follower(config) as follower:
            await do(follower)

    asyncio.run(program())


def test_new_and_known_blogs_are_looked_at_at_once_and_each_says_how_it_ended(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9/"

    async def looks(follower: Follower) -> None:
        new = await asyncio.gather(*map(follower.look_at, (one.base, two.base, nowhere)))
        assert [look.outcome for look in new] == ["finished", "finished", "nothing"]
        assert [look.report.posts for look in new if look.report] == [POSTS, POSTS, 0]
        assert not any(look.was_known for look in new)
        assert new[2].reason == "connection"
        again = await asyncio.gather(follower.look_at(f"{one.base}/"), follower.look_at(two.base, blog_name(two.base)))
        assert [(look.outcome, look.was_known) for look in again] == [("finished", True)] * 2
        assert all(look.report and look.report.update for look in again)

    with serve() as one, serve() as two:
        followed(options(tmp_path), looks)
    with ArchiveFolder(tmp_path / "a", writing=True) as archive:
        for site in (one, two):
            assert len(list(archive.library.posts(blog_name(site.base)))) == POSTS
            assert archive.warcs(blog_name(site.base))
            assert archive.current_index(blog_name(site.base)) is not None
        assert not list((tmp_path / "a").rglob("*.open"))


def test_a_look_tells_what_it_learned_for_the_next_one(tmp_path: Path) -> None:
    blogs = [Blog(posts=6, in_feed=4)]
    wishes = b"<ttl>90</ttl><skipHours><hour>2</hour></skipHours>"

    def told(base: str) -> Callable[[str], Reply | None]:
        def answers(path: str) -> Reply | None:
            reply = answer(blogs[-1], base, path)
            if path != "/feed/" or not isinstance(reply, Reply):
                return reply
            body = reply.body.replace(b"<item>", wishes + b"<item>", 1)
            return replace(reply, body=body, headers={**reply.headers, "Cache-Control": "public, max-age=600"})

        return answers

    async def looks(follower: Follower) -> None:
        first = (await follower.look_at(site.base)).learned
        assert (first.found, first.changed, first.status) == (6, 0, 200)
        assert len(first.published) == 6
        assert first.published == tuple(sorted(first.published, reverse=True))
        assert first.wishes == Wishes(max_age=600, ttl=5400, skip_hours=(2,))
        (feed,) = [address for address in first.addresses if address.url == f"{site.base}/feed/"]
        assert (feed.kind, feed.entries, feed.new) == ("posts", 4, 4)
        assert first.requests >= 6
        assert first.bytes > 0
        blogs.append(Blog(posts=7, in_feed=4))
        second = (await follower.look_at(site.base)).learned
        assert (second.found, len(second.published)) == (1, 1)
        assert {address.new for address in second.addresses if address.url == feed.url} == {1}

    with serve_answers(told) as site:
        followed(options(tmp_path), looks)


def test_a_blog_is_given_back_as_soon_as_its_look_has_ended(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        await follower.look_at(one.base)
        with ArchiveFolder(tmp_path / "a", writing=True, alone=False, wait=False) as another:
            assert another.take(blog_name(one.base))
            look = await follower.look_at(one.base)
            assert (look.outcome, look.report) == ("busy", None)
            another.give_back(blog_name(one.base))
            assert (await follower.look_at(one.base)).outcome == "finished"

    with serve() as one:
        followed(options(tmp_path), looks)


def test_the_same_blog_is_not_looked_at_twice_at_once(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        both = await asyncio.gather(follower.look_at(one.base), follower.look_at(f"{one.base}/"))
        assert sorted(look.outcome for look in both) == ["busy", "finished"]

    with serve() as one:
        followed(options(tmp_path), looks)


def test_two_addresses_that_lead_to_one_home_are_one_blog_though_nobody_knew_it(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        addresses = (one.base, moved.base)
        both = dict(zip(addresses, await asyncio.gather(*map(follower.look_at, addresses)), strict=True))
        assert sorted(look.outcome for look in both.values()) == ["busy", "finished"]
        (first,) = [look for look in both.values() if look.outcome == "finished"]
        (second,) = [address for address, look in both.items() if look.outcome == "busy"]
        later = await follower.look_at(second)
        assert (later.outcome, later.was_known, later.blog) == ("finished", True, first.blog)

    def away(_target: str) -> Reply:
        return Reply(b"", 302, {"Location": f"{one.base}/"})

    with serve() as one, serve_answers(lambda _base: away) as moved:
        followed(options(tmp_path), looks)


def test_a_fault_in_one_look_is_told_and_costs_no_other_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = BlogCrawl.handle

    def breaks(crawl: BlogCrawl, answered: Answer) -> list[Ask]:
        if crawl.scope.root.startswith(one.base) and len(crawl.seen) > 1:
            raise ZeroDivisionError("a fault in this crawl")
        return list(handle(crawl, answered))

    async def looks(follower: Follower) -> None:
        broken, sound = await asyncio.gather(follower.look_at(one.base), follower.look_at(two.base))
        assert (broken.outcome, broken.reason) == ("crashed", "ZeroDivisionError: a fault in this crawl")
        assert sound.outcome == "finished"
        monkeypatch.undo()
        mended = await follower.look_at(one.base)
        assert (mended.outcome, mended.report and mended.report.resumed) == ("finished", True)

    monkeypatch.setattr(BlogCrawl, "handle", breaks)
    with serve() as one, serve() as two:
        followed(options(tmp_path), looks)


@pytest.mark.parametrize("way", ["stop", "cancel"])
def test_one_look_is_ended_and_goes_on_the_next_time(tmp_path: Path, way: str) -> None:
    blog, begun, may_go_on = Blog(posts=12, in_feed=4), Event(), Event()

    def held(base: str) -> Callable[[str], Reply | None]:
        def answers(path: str) -> Reply | None:
            if path.startswith("/20"):
                begun.set()
                may_go_on.wait(LONG)
            return answer(blog, base, path)

        return answers

    async def looks(follower: Follower) -> None:
        work = asyncio.ensure_future(follower.look_at(site.base))
        await asyncio.to_thread(begun.wait, LONG)
        if way == "stop":
            follower.stop(site.base)
        else:
            work.cancel()
        other = await follower.look_at(two.base)
        may_go_on.set()
        (ended,) = await asyncio.gather(work, return_exceptions=True)
        assert other.outcome == "finished"
        assert isinstance(ended, BlogLook if way == "stop" else asyncio.CancelledError)
        again = await follower.look_at(site.base)
        assert (again.outcome, again.report and again.report.resumed) == ("finished", True)
        assert again.report
        assert again.report.posts == blog.posts

    with serve_answers(held) as site, serve() as two:
        followed(options(tmp_path), looks)


def test_a_look_that_is_ended_does_not_wait_for_a_host_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "GRACE", 0.0)
    blog, begun, is_over = Blog(posts=12, in_feed=4), Event(), Event()

    def held(base: str) -> Callable[[str], Reply | None]:
        def answers(path: str) -> Reply | None:
            if path.startswith("/20"):
                begun.set()
                is_over.wait(2 * LONG)
            return answer(blog, base, path)

        return answers

    async def looks(follower: Follower) -> None:
        work = asyncio.ensure_future(follower.look_at(site.base))
        await asyncio.to_thread(begun.wait, LONG)
        follower.stop(site.base)
        try:
            assert (await asyncio.wait_for(work, LONG)).outcome == "interrupted"
        finally:
            is_over.set()

    with serve_answers(held) as site:
        followed(replace(options(tmp_path), timeout=3 * LONG), looks)


def test_a_follower_that_is_stopped_ends_all_looks_at_once(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        work = [asyncio.ensure_future(follower.look_at(site.base)) for site in (one, two)]
        await asyncio.to_thread(begun.wait, LONG)
        follower.stop()
        assert {look.outcome for look in await asyncio.gather(*work)} == {"interrupted"}

    begun = Event()

    def watch(_standing: CrawlProgress) -> None:
        begun.set()

    async def program() -> None:
        async with Follower(options(tmp_path), watch) as follower:
            await looks(follower)

    with serve() as one, serve() as two:
        asyncio.run(program())


def test_trouble_of_our_own_is_raised_and_the_blog_is_free_again(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        await follower.look_at(one.base)
        follower.archive._min_free = 1 << 60
        with pytest.raises(ArchiveError, match="bytes are free"):
            await follower.look_at(one.base)
        follower.archive._min_free = 0
        assert (await follower.look_at(one.base)).outcome == "finished"

    with serve() as one:
        followed(options(tmp_path), looks)


def test_an_address_of_a_post_leads_to_its_blog_and_costs_no_page_twice(tmp_path: Path) -> None:
    async def looks(follower: Follower) -> None:
        await follower.look_at(other.base)
        before = len(other.asked)
        look = await follower.look_at(f"{one.base}{slug(3)}")
        assert (look.outcome, look.blog, look.url) == ("finished", blog_name(one.base), f"{one.base}/")
        assert max(Counter(one.asked).values()) == 1
        assert len(other.asked) > before, "the other blog was asked whether it is still there"
        assert (await follower.look_at(one.base, config=replace(options(tmp_path), full=True))).was_known

    with serve() as one, serve() as other:
        followed(options(tmp_path), looks)
    assert not verify(tmp_path / "a").damaged


def test_a_blog_is_surveyed_without_keeping_anything(tmp_path: Path) -> None:
    async def surveys(follower: Follower) -> None:
        found, silent = await asyncio.gather(follower.survey(site.base), follower.survey("http://127.0.0.1:9/"))
        assert (found.failure, silent.failure) == (None, "connection")
        assert 0 < found.posts <= POSTS
        assert follower.archive.store.blogs.summaries() == []

    with serve() as site:
        followed(options(tmp_path), surveys)
