"""A blog whose hub tells us of its posts, from the offer in its feed to the post in the archive; and hostile hubs."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import xmlrpc.client
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

from blogforever import clock
from blogforever.archive.following import Follower
from blogforever.archive.opening import open_archive
from blogforever.archive.rebuilding import restore
from blogforever.config import Config
from blogforever.service.desk import desk_of
from blogforever.service.pinged import follow_up
from blogforever.service.pushed import NOT_SIGNED, REPLAYED
from blogforever.service.standing import Standing
from blogforever.service.subscribing import Subscriber
from blogforever.service.working import LookHandler
from blogforever.source.address import blog_name
from blogforever.storage.following import FollowedBlog, WatchedAddress
from blogforever.storage.pushes import Subscription
from blogforever.storage.tables import Store
from blogforever.storage.work import PERSON, NewJob
from blogforever.web.app import make_app
from server.blogserver import Answers, Reply, serve_answers
from server.wpblog import Blog, answer

pytestmark = pytest.mark.anyio
PUBLIC = "http://127.0.0.1:1"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Hub:
    """A hub, or a cloud, that does what it is asked for: confirms at once, and notes the question."""

    asked: list[dict[str, str]] = field(default_factory=list)
    status: int = 202
    client: TestClient | None = None
    lease: int = 600

    def answers(self, _base: str) -> Answers:
        return lambda _path: self._take

    def _take(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        form = dict(parse_qsl(body.decode()))
        self.asked.append(form)
        is_called = body.startswith(b"<")
        if self.client and self.status < 300 and not is_called:
            self._confirm(form, self.client)
        handler.send_response(self.status)
        handler.end_headers()

    def _confirm(self, form: dict[str, str], client: TestClient) -> None:
        if "url1" in form:
            told = client.get(form["path"], params={"url": form["url1"], "challenge": "xyz"})
        else:
            question = {name: form[f"hub.{name}"] for name in ("mode", "topic")}
            question |= {"challenge": "xyz", "lease_seconds": str(self.lease)}
            path = urlsplit(form["hub.callback"]).path
            told = client.get(path, params={f"hub.{name}": value for name, value in question.items()})
        assert (told.status_code, told.text) == (200, "xyz")


@dataclass
class World:
    """A blog with its hub, and the service that follows it."""

    blog: list[Blog]
    hub: Hub
    base: str
    asked: list[str]
    standing: Standing
    client: TestClient
    handler: LookHandler | None
    config: Config

    @property
    def store(self) -> Store:
        return self.standing.archive.store

    @property
    def name(self) -> str:
        return blog_name(self.base)

    @property
    def subscription(self) -> Subscription:
        return self.store.subscriptions.of_blog(self.name)[0]

    async def look(self, by: str = "me") -> list[str]:
        """Have done what waits, or a look that a person asks for; what the blog was asked for."""
        if by != "ping":
            self.store.jobs.put(NewJob("update", self.name, PERSON, asked_by=by), clock.stamp())
        (job,) = self.store.jobs.take("w", {"update": 1}, (clock.now() + timedelta(days=1)).isoformat())
        assert self.handler
        carried = await self.handler.carry_out(job)
        with self.store.transaction():
            self.store.jobs.done(job.id, "w", carried.result, clock.stamp())
            carried.write()
        asked = [*self.asked]
        self.asked.clear()
        return asked

    def take_for_harvested(self, hub: str) -> None:
        """As if the blog were followed, and its feed had named this hub."""
        self.store.followed.change(self.name, lambda blog: replace(blog, blog=blog.id, state="following"))
        feed = f"{self.base}/feed/"
        self.store.followed.watch(WatchedAddress(self.name, feed, hub=hub, topic=feed, offered_by="feed"))

    async def subscribe(self) -> None:
        await Subscriber(self.standing.archive, self.config).look()

    def feed(self) -> bytes:
        reply = answer(self.blog[-1], self.base, "/feed/")
        assert reply
        return reply.body

    def deliver(self, body: bytes, secret: str = "", name: str = "") -> int:
        signed = hmac.new((secret or self.subscription.secret).encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature": f"sha256={signed}", "Content-Type": "application/rss+xml"}
        return self.client.post(f"/websub/{name or self.subscription.id}", content=body, headers=headers).status_code

    def follow_up(self) -> int:
        return follow_up(desk_of(self.standing.archive))

    def posts(self) -> int:
        return len(list(self.standing.archive.library.posts(self.name)))


@asynccontextmanager
async def world(
    tmp_path: Path, offer: str = '<atom:link rel="hub" href="{hub}"/>', is_harvested: bool = True
) -> AsyncIterator[World]:
    """A blog that was harvested, or only taken for it, and offers to tell of its posts."""
    blogs, hub = [Blog(posts=6, in_feed=4)], Hub()
    config = Config(
        archive=tmp_path / "a",
        allow_private=True,
        delay=0.0,
        retries=0,
        render="never",
        public_url=PUBLIC,
    )
    with serve_answers(hub.answers) as hub_site:
        place = urlsplit(hub_site.base)
        head = offer.format(hub=hub_site.base, host=place.hostname, port=place.port).encode()

        def answers(base: str) -> Answers:
            def told(path: str) -> Reply | None:
                reply = answer(blogs[-1], base, path)
                return replace(reply, body=reply.body.replace(b"<item>", head + b"<item>", 1)) if reply else None

            return told

        async with AsyncExitStack() as stack:
            site = stack.enter_context(serve_answers(answers))
            if is_harvested:
                follower = await stack.enter_async_context(Follower(config))
                archive, handler = follower.archive, LookHandler(follower, config)
            else:
                archive, handler = stack.enter_context(open_archive(config.archive, writing=True)), None
            standing = Standing(archive, config=config)
            hub.client = TestClient(make_app(standing, "1"), base_url=PUBLIC)
            made = World(blogs, hub, site.base, site.asked, standing, hub.client, handler, config)
            made.store.followed.add([FollowedBlog(made.name, site.base, clock.stamp())])
            if is_harvested:
                await made.look()
            else:
                made.take_for_harvested(hub_site.base)
            yield made


async def test_a_hub_that_a_feed_names_is_asked_and_what_it_delivers_is_the_feed(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.subscribe()
        assert (here.subscription.state, here.subscription.topic) == ("active", f"{here.base}/feed/")
        here.blog.append(Blog(posts=7, in_feed=4))
        body = here.feed()
        assert here.deliver(body) == 200
        assert here.follow_up() == 1
        await here.look("ping")
        assert here.posts() == 7
        looks = here.store.schedule.looks(here.name)
        assert (looks[-1].cause, looks[-1].found) == ("ping", 1)
        assert here.store.deliveries.waiting(here.name) is None
        assert here.store.followed.watched(here.name)[0].hub, "what was delivered takes back no offer"
        await here.subscribe()
        assert len(here.hub.asked) == 1, "it is asked once"
    (tmp_path / "a" / "archive.db").unlink()
    assert restore(None, tmp_path / "a").posts == 7, "what was delivered lies in the WARC files"


async def test_of_a_delivered_feed_only_the_posts_are_asked_for(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.subscribe()
        here.blog.append(Blog(posts=7, in_feed=4))
        here.deliver(here.feed())
        here.follow_up()
        asked = await here.look("ping")
        assert "/feed/" not in asked
        assert here.blog[-1].path(6) in asked
        here.blog.append(Blog(posts=8, in_feed=4))
        part = b"<rss><channel>" + here.feed().partition(b"<item>")[2].partition(b"</item>")[0] + b"</channel></rss>"
        here.deliver(part)
        here.follow_up()
        asked = await here.look("ping")
        assert "/feed/" in asked, "a part of a feed is a ping"
        assert here.posts() == 8


async def test_a_look_that_no_hub_asked_for_asks_the_feed_itself_and_counts_what_was_missed(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        await here.subscribe()
        here.deliver(here.feed())
        here.blog.append(Blog(posts=8, in_feed=4))
        assert "/feed/" in await here.look("me")
        assert here.store.deliveries.waiting(here.name) is None
        assert here.store.schedule.looks(here.name)[-1].found == 2


async def test_forged_and_repeated_deliveries_lead_to_nothing_and_say_why(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        await here.subscribe()
        here.blog.append(Blog(posts=7, in_feed=4))
        body = here.feed()
        assert here.deliver(body, secret="guessed") == 200, "who forges it learns nothing"
        assert here.client.post(f"/websub/{here.subscription.id}", content=body).status_code == 200
        assert here.follow_up() == 0
        assert here.deliver(body) == here.deliver(body) == 200
        assert here.follow_up() == 1
        reasons = [row.reason for row in here.store.pings.newest(10, state="dropped")]
        assert reasons == [REPLAYED, NOT_SIGNED, NOT_SIGNED]
        assert here.subscription.deliveries == 1
        packages = here.store.pings.packages(10)
        assert sum(one.received for one in packages) == 4
        assert sum(one.filtered for one in packages) == 3
        assert here.client.post("/websub/guessed", content=body).status_code == 404


async def test_nobody_is_confirmed_whom_we_did_not_ask(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        here.hub.client = None
        await here.subscribe()
        ours = f"/websub/{here.subscription.id}"
        assert here.subscription.state == "asked"
        assert here.deliver(here.feed()) == 404, "it is not confirmed"
        question = {"hub.mode": "subscribe", "hub.topic": here.subscription.topic, "hub.challenge": "x"}
        for changed in ({"hub.topic": "http://other.example/"}, {"hub.mode": "unsubscribe"}, {"hub.challenge": ""}):
            assert here.client.get(ours, params=question | changed).status_code == 404
        assert here.client.get("/websub/guessed", params=question).status_code == 404
        denied = {"hub.mode": "denied", "hub.topic": here.subscription.topic, "hub.reason": "too many"}
        assert here.client.get(ours, params=denied).status_code == 200
        assert (here.subscription.state, here.subscription.error) == ("denied", "too many")


async def test_it_goes_on_before_it_ends_and_ends_with_the_blog(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        await here.subscribe()
        before = here.subscription
        past = clock.now() - timedelta(hours=1)
        here.store.subscriptions.change(before.id, lambda one: replace(one, next_try=past.isoformat()))
        await here.subscribe()
        assert [form["hub.mode"] for form in here.hub.asked] == ["subscribe", "subscribe"]
        assert here.hub.asked[0]["hub.callback"] == here.hub.asked[1]["hub.callback"]
        here.store.followed.change(here.name, lambda blog: replace(blog, paused=True, state="paused"))
        await here.subscribe()
        assert [form["hub.mode"] for form in here.hub.asked][2:] == ["unsubscribe"]
        assert here.subscription.state == "ended"
        assert here.deliver(here.feed()) == 410
        assert here.follow_up() == 0
        question = {"hub.mode": "subscribe", "hub.topic": before.topic, "hub.challenge": "x"}
        assert here.client.get(f"/websub/{before.id}", params=question).status_code == 404


async def test_a_hub_that_fails_is_asked_more_and_more_seldom(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        here.hub.status = 500
        await here.subscribe()
        assert here.subscription.error == "It answered with status 500."
        first = here.subscription.next_try
        assert first
        assert first > clock.stamp()
        await here.subscribe()
        assert len(here.hub.asked) == 1, "not again at once"


async def test_of_several_hubs_the_first_that_confirms_is_kept_and_the_others_are_spare(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        (offer,) = here.store.followed.watched(here.name)
        here.store.followed.watch(replace(offer, hub="http://127.0.0.1:9/hub", spares=offer.hub))
        await here.subscribe()
        assert "cannot be reached" in here.subscription.error
        past = clock.stamp()
        here.store.subscriptions.change(here.subscription.id, lambda one: replace(one, next_try=past, created="2026"))
        await here.subscribe()
        assert (here.subscription.state, here.subscription.hub) == ("active", offer.hub)
        assert [one.state for one in here.store.subscriptions.of_blog(here.name)] == ["active", "ended"]
        assert here.deliver(here.feed()) == 200
        assert here.follow_up() == 1
        await here.subscribe()
        assert here.subscription.state == "active", "nobody goes back to the first"


async def test_no_hub_is_asked_at_a_private_place_nor_without_an_address_of_ours(tmp_path: Path) -> None:
    async with world(tmp_path, is_harvested=False) as here:
        public = replace(here.config, public_url="")
        await Subscriber(here.standing.archive, public).run(asyncio.Event())
        assert here.store.subscriptions.of_blog(here.name) == []
        await Subscriber(here.standing.archive, replace(here.config, allow_private=False)).look()
        assert "private" in here.subscription.error
        assert here.hub.asked == []


@pytest.mark.parametrize(
    "offer",
    [
        '<cloud domain="{host}" port="{port}" path="/ask" registerProcedure="" protocol="http-post"/>',
        '<cloud domain="{host}" port="{port}" path="/RPC2" registerProcedure="cloud.notify" protocol="xml-rpc"/>',
    ],
    ids=["http-post", "xml-rpc"],
)
async def test_a_cloud_tells_us_too(tmp_path: Path, offer: str) -> None:
    async with world(tmp_path, offer) as here:
        await here.subscribe()
        ours, feed = f"/rsscloud/{here.subscription.id}", f"{here.base}/feed/"
        assert (here.subscription.state, here.subscription.way) == ("active", "rsscloud")
        here.blog.append(Blog(posts=7, in_feed=4))
        assert here.client.post(ours, data={"url": "http://other.example/"}).status_code == 200
        assert here.follow_up() == 0
        call = xmlrpc.client.dumps((feed,), "rssCloud.notify")
        is_called = "xml-rpc" in offer
        told = here.client.post(ours, content=call) if is_called else here.client.post(ours, data={"url": feed})
        assert told.status_code == 200
        assert ("boolean" in told.text) == is_called
        assert here.follow_up() == 1
        assert "/feed/" in await here.look("ping")
        assert here.posts() == 7
        assert here.client.post("/rsscloud/guessed", data={"url": feed}).status_code == 404
