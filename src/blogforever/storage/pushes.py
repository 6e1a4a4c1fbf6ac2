"""Subscriptions at hubs and clouds that tell us of new posts, and what they delivered. Part of `Store`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from .following import FollowState, WatchedAddress

Way = Literal["websub", "rsscloud"]
"""By which rules a feed offers to tell us."""
Wanted = Literal["subscribe", "unsubscribe"]
SubscriptionState = Literal["asking", "asked", "active", "denied", "ended"]
"""To be asked for; asked for and not confirmed; confirmed; refused by the hub; over."""
OPEN_TO_PUSHES: tuple[FollowState, ...] = ("following", "failing", "frozen")
"""Blogs in these states are looked at when somebody tells of them."""
REMEMBERED_DELIVERIES = 100
"""Deliveries of a subscription that are known again when somebody sends them a second time."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed that a hub, or a cloud, tells us of. `id` stands in the address it calls, and nobody
    else knows it.
    """

    id: str
    blog: str
    """The followed blog."""
    way: Way
    hub: str
    topic: str
    """The address of the feed, as the hub knows it."""
    procedure: str = ""
    """What a cloud is called to do, where it is asked by XML-RPC."""
    secret: str = ""
    wanted: Wanted = "subscribe"
    """What we asked for last: nothing else may be confirmed."""
    state: SubscriptionState = "asking"
    created: str = ""
    asked: str | None = None
    granted: str | None = None
    """When it was confirmed last."""
    until: str | None = None
    next_try: str | None = None
    """When it is asked for next: for the first time, again, or to go on; None where it is over."""
    last_delivery: str | None = None
    deliveries: int = 0
    failures: int = 0
    """In a row."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a hub delivered; its body goes when a look has used it, its digest stays a while."""

    subscription: str
    blog: str
    at: str
    digest: str
    type: str = ""
    body: bytes = b""
    id: int = 0


class SubscriptionTable(Protocol):
    """What we asked hubs for, and how that stands."""

    def add(self, one: Subscription) -> None:
        """A new subscription."""

    def change(self, one: str, edit: Callable[[Subscription], Subscription]) -> Subscription | None:
        """What a subscription is after an edit; None where there is none. Nobody comes between: a
        hub may confirm while it is still being asked.
        """

    def find(self, one: str) -> Subscription | None:
        """The subscription with this id."""

    def of_blog(self, blog: str) -> list[Subscription]:
        """Those of a followed blog, newest first."""

    def page(self, limit: int, after: str = "") -> list[Subscription]:
        """Those of so many blogs, by their names, from one on; of each the newest first."""

    def due(self, now: str, limit: int) -> list[Subscription]:
        """Those that something is to be asked for, the longest due first."""

    def unmet(self, limit: int) -> list[WatchedAddress]:
        """Feeds of blogs that are looked at which offer to tell us, and nobody asked them; of each
        blog one, before others one with a hub.
        """

    def forsaken(self, limit: int) -> list[Subscription]:
        """Those that are wanted though their blog is not looked at any more, or offers them no
        more.
        """

    def counts(self) -> dict[SubscriptionState, int]:
        """How many there are in each state."""

    def forget(self, before: str) -> int:
        """Drop those that were over before then, with their deliveries; how many."""


class DeliveryTable(Protocol):
    """What hubs delivered."""

    def add(self, delivery: Delivery) -> bool:
        """Keep it; False where the subscription brought the very same before."""

    def waiting(self, blog: str) -> Delivery | None:
        """The newest delivery for a followed blog whose body no look has used."""

    def used(self, blog: str, last: int) -> None:
        """The bodies for this blog up to this delivery are not needed any more."""
