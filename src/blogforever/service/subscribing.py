"""Asks hubs to tell us of new posts, while the service runs: what is offered, what must go on, what is to end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from urllib.parse import urlencode, urlsplit

from blogforever import clock
from blogforever.archive.fetchers import own_version, user_agent
from blogforever.config import Config
from blogforever.errors import ArchiveError, UsageError
from blogforever.fetch.guard import Names
from blogforever.fetch.posting import Posted, checked_target, post
from blogforever.logs import logger
from blogforever.ping.rsscloud import asked_of_cloud, call_of_cloud
from blogforever.ping.websub import asked_of_hub
from blogforever.storage.pushes import Subscription
from blogforever.storage.tables import Store
from blogforever.storage.work import SCHEDULE, NewJob
from blogforever.store.folder import ArchiveFolder

from .listening import PINGS
from .subscriptions import (
    after_asking,
    asked_elsewhere,
    gives_way,
    is_see_other,
    new_subscription,
    next_hub,
    stamp,
    taken_back,
)
from .supervising import pause

# Seconds between two looks at what is to be asked.
LOOKING = 1.0
# Seconds between two rounds of comparing what is offered with what was asked for: of 36,000 blogs
# that takes an eighth of a second.
COMPARED = 5.0
# Subscriptions that are begun, ended or asked for in one round.
AT_ONCE = 50
# Seconds that a hub has to answer. It may call us back before it does.
PATIENCE = 15.0
# Seconds between two questions to one hub: it serves thousands of blogs, and none of this is
# urgent.
APART = 0.2
# Bytes of an answer that are read: where it sends us, or why it says no.
LARGEST_ANSWER = 8192
FORM, XML = "application/x-www-form-urlencoded", "text/xml"
NO_ADDRESS = "no hub is asked to tell of new posts: it could not call us without --public-url"
log = logger("service")


@dataclass(slots=True)
class Subscriber:
    """Keeps subscriptions at hubs and clouds as blogs are followed and feeds offer them."""

    archive: ArchiveFolder
    config: Config
    _names: Names = field(default_factory=Names)
    _compared: float = float("-inf")

    def __post_init__(self) -> None:
        self._names.allow_private = self.config.allow_private

    @property
    def _store(self) -> Store:
        return self.archive.store

    async def run(self, draining: asyncio.Event) -> None:
        """Until the service is drained. Where nobody outside can call us, nobody is asked to."""
        if not self.config.public_url:
            log.info(NO_ADDRESS)
            return
        while not draining.is_set():
            await self.look()
            await pause(LOOKING, unless=draining)

    async def look(self) -> None:
        """Begin what is offered, end what nobody wants, and ask for all that is due."""
        try:
            due = await asyncio.to_thread(self._due)
            by_hub: dict[str, list[Subscription]] = {}
            for one in due:
                by_hub.setdefault(urlsplit(one.hub).netloc, []).append(one)
            await asyncio.gather(*(self._ask_in_turn(some) for some in by_hub.values()))
        except ArchiveError as error:
            log.error("no hub could be asked: %s", error)

    def _due(self) -> list[Subscription]:
        store, now = self._store, clock.now()
        if any(part.part == PINGS for part in store.parts.paused()):
            return []
        if monotonic() - self._compared >= COMPARED:
            self._compared = monotonic()
            self._compare(now)
        return [self._or_elsewhere(one, now) for one in store.subscriptions.due(stamp(now), AT_ONCE)]

    def _or_elsewhere(self, one: Subscription, now: datetime) -> Subscription:
        """What is asked next: the same hub, or where it does not tell us another that the feed
        names.
        """
        store = self._store
        hub = next_hub(one, store.followed.watched(one.blog)) if gives_way(one, now) else ""
        if not hub:
            return one
        other = asked_elsewhere(one, hub, now)
        with store.transaction():
            store.subscriptions.change(one.id, lambda before: taken_back(before, now))
            store.subscriptions.add(other)
        return other

    def _compare(self, now: datetime) -> None:
        """What is offered and followed with what was asked for."""
        store = self._store
        for address in store.subscriptions.unmet(AT_ONCE):
            store.subscriptions.add(new_subscription(address, now))
        for one in store.subscriptions.forsaken(AT_ONCE):
            store.subscriptions.change(one.id, lambda before: taken_back(before, now))

    async def _ask_in_turn(self, some: list[Subscription]) -> None:
        """All of one hub, one after the other."""
        for one in some:
            posted = await self._ask(one)
            await asyncio.to_thread(self._note, one, posted)
            if not posted.is_taken:
                log.warning("the hub of %s: %s", one.blog, posted.error or f"status {posted.status}")
            await asyncio.sleep(APART)

    async def _ask(self, one: Subscription) -> Posted:
        kind, body = question(one, callback_of(self.config.public_url, one))
        posted = await self._post(one.hub, kind, body)
        return await self._post(posted.location, kind, body) if is_see_other(posted) else posted

    async def _post(self, url: str, kind: str, body: bytes) -> Posted:
        try:
            place = checked_target(url)
        except UsageError as error:
            return Posted(error=str(error))
        headers = {"Content-Type": kind, "User-Agent": user_agent(self.config.contact, own_version())}
        return await post(self._names, place, headers, body, PATIENCE, LARGEST_ANSWER)

    def _note(self, asked: Subscription, posted: Posted) -> None:
        """What came of it. Where we are told no more, the blog is looked at again by ourselves."""
        now, store = clock.now(), self._store
        with store.transaction():
            after = store.subscriptions.change(asked.id, lambda one: after_asking(one, asked, posted, now))
            if after and has_lapsed(asked, after, stamp(now)):
                store.jobs.put(NewJob("update", after.blog, SCHEDULE, asked_by="schedule"), clock.stamp())


def has_lapsed(before: Subscription, after: Subscription, now: str) -> bool:
    """Whether a subscription that worked could not be gone on with, and its time is over; said once
    for each try.
    """
    is_wanted = after.wanted == "subscribe" and after.state == "active"
    return is_wanted and after.failures > before.failures and after.until is not None and after.until <= now


def question(one: Subscription, callback: str) -> tuple[str, bytes]:
    """What a hub or a cloud is sent, with its kind."""
    if one.procedure:
        return XML, call_of_cloud(one.procedure, one.topic, callback)
    is_cloud = one.way == "rsscloud"
    form = (
        asked_of_cloud(one.topic, callback) if is_cloud else asked_of_hub(one.wanted, one.topic, callback, one.secret)
    )
    return FORM, urlencode(form).encode()


def callback_of(public_url: str, one: Subscription) -> str:
    """The address that is called when there is something new."""
    return f"{public_url.rstrip('/')}/{one.way}/{one.id}"
