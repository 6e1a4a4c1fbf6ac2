"""Subscriptions and deliveries of a store in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from blogforever.storage.following import WatchedAddress
from blogforever.storage.pushes import (
    OPEN_TO_PUSHES,
    REMEMBERED_DELIVERIES,
    Delivery,
    Subscription,
    SubscriptionState,
)

from .memorytables import MemoryTables, add_row, drop_rows


class MemorySubscriptions:
    """The subscriptions."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, one: Subscription) -> None:
        """A new subscription."""
        self._tables.check_open()
        self._tables.subscriptions[one.id] = one

    def change(self, one: str, edit: Callable[[Subscription], Subscription]) -> Subscription | None:
        """What a subscription is after an edit; None where there is none."""
        before = self.find(one)
        if before is not None:
            self.add(edit(before))
        return self.find(one)

    def find(self, one: str) -> Subscription | None:
        """The subscription with this id."""
        return self._tables.subscriptions.get(one)

    def of_blog(self, blog: str) -> list[Subscription]:
        """Those of a followed blog, newest first."""
        own = [one for one in self._by_id() if one.blog == blog]
        return sorted(own, key=lambda one: one.created, reverse=True)

    def page(self, limit: int, after: str = "") -> list[Subscription]:
        """Those of so many blogs, by their names, from one on."""
        blogs = sorted({one.blog for one in self._by_id() if one.blog > after})[:limit]
        return [one for blog in blogs for one in self.of_blog(blog)]

    def due(self, now: str, limit: int) -> list[Subscription]:
        """Those that something is to be asked for, the longest due first."""
        due = [one for one in self._by_id() if one.next_try is not None and one.next_try <= now]
        return sorted(due, key=lambda one: one.next_try or "")[:limit]

    def unmet(self, limit: int) -> list[WatchedAddress]:
        """Feeds that offer to tell us, and nobody asked them; of each blog one."""
        asked = {one.blog for one in self._tables.subscriptions.values() if one.wanted == "subscribe"}
        found: dict[str, WatchedAddress] = {}
        newest_first = sorted(self._tables.watched.values(), key=lambda one: one.last_look or "", reverse=True)
        for address in sorted(newest_first, key=lambda one: (one.blog, one.hub == "")):
            offers = (address.hub or address.cloud) and address.kind == "posts"
            if offers and address.blog not in asked and self._listens(address.blog):
                found.setdefault(address.blog, address)
        return list(found.values())[:limit]

    def forsaken(self, limit: int) -> list[Subscription]:
        """Those that are wanted, and should not be any more."""
        wanted = [one for one in self._by_id() if one.wanted == "subscribe"]
        return [one for one in wanted if not (self._listens(one.blog) and self._is_offered(one))][:limit]

    def _listens(self, blog: str) -> bool:
        followed = self._tables.followed.get(blog)
        return followed is not None and not followed.paused and followed.state in OPEN_TO_PUSHES

    def _is_offered(self, one: Subscription) -> bool:
        own = [address for address in self._tables.watched.values() if address.blog == one.blog]
        known = (address for address in own if address.topic == one.topic)
        return any(one.hub in (address.hub, address.cloud, *address.spares.split()) for address in known)

    def counts(self) -> dict[SubscriptionState, int]:
        """How many there are in each state."""
        return dict(Counter(one.state for one in self._tables.subscriptions.values()))

    def forget(self, before: str) -> int:
        """Drop those that were over before then, with their deliveries."""
        over = {one.id for one in self._by_id() if _is_over(one, before)}
        drop_rows(self._tables.subscriptions, lambda name, _one: name in over)
        drop_rows(self._tables.deliveries, lambda _number, one: one.subscription in over)
        return len(over)

    def _by_id(self) -> list[Subscription]:
        return [one for _, one in sorted(self._tables.subscriptions.items())]


def _is_over(one: Subscription, before: str) -> bool:
    return one.state == "ended" and one.next_try is None and (one.asked or one.created) < before


class MemoryDeliveries:
    """What hubs delivered."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def add(self, delivery: Delivery) -> bool:
        """Keep it; False where the subscription brought the very same before."""
        own = [one for _, one in sorted(self._tables.deliveries.items()) if one.subscription == delivery.subscription]
        if any(one.digest == delivery.digest for one in own):
            return False
        number = add_row(self._tables.deliveries, delivery)
        self._tables.deliveries[number] = replace(delivery, id=number)
        for old in own[: max(0, len(own) + 1 - REMEMBERED_DELIVERIES)]:
            del self._tables.deliveries[old.id]
        return True

    def waiting(self, blog: str) -> Delivery | None:
        """The newest delivery for a followed blog whose body no look has used."""
        waiting = [one for one in self._tables.deliveries.values() if one.blog == blog and one.body]
        return max(waiting, key=lambda one: one.id, default=None)

    def used(self, blog: str, last: int) -> None:
        """The bodies for this blog up to this delivery are not needed any more."""
        for one in [one for one in self._tables.deliveries.values() if one.blog == blog and one.id <= last]:
            self._tables.deliveries[one.id] = replace(one, body=b"")
