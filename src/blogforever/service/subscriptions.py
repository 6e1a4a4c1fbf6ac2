"""How a subscription goes: asked for, confirmed, gone on with, ended. Values in, values out; nobody is asked here."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus

from blogforever import clock
from blogforever.fetch.posting import Posted
from blogforever.ping.rsscloud import KNOWN_FOR, is_refused
from blogforever.ping.websub import LONGEST_REASON, RENEWED_AT, Confirmed, Denied
from blogforever.storage.following import WatchedAddress
from blogforever.storage.pushes import Subscription, SubscriptionState, Wanted, Way
from blogforever.storage.tables import Store

from .pingstats import ServerFigures

# Random bytes of an address that nobody can guess, and of a secret.
UNGUESSABLE = 24
# Time after which a hub that took our question and did not confirm is asked again.
CONFIRMS_WITHIN = timedelta(hours=1)
# Time until a hub that failed is asked again: the first time, twice as long each time, and at most.
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(days=1)
# A hub that said no may think otherwise one day: feeds go on naming it.
AFTER_DENIAL = timedelta(days=7)
# Tries to tell a hub to stop. Then it finds out by itself: what it sends is refused.
MOST_GOODBYES = 3
# Days for which is remembered that a subscription is over, so that who goes on to deliver is told.
KNOWN_AS_OVER = timedelta(days=1)
# Characters of a date without its hour.
DAY = len("2026-11-16")
WAYS: tuple[Way, ...] = ("websub", "rsscloud")
REFUSED = "It says that it will not tell us."


def new_subscription(address: WatchedAddress, now: datetime) -> Subscription:
    """What is to be asked for where a feed offers to tell us."""
    way: Way = "websub" if address.hub else "rsscloud"
    return Subscription(
        secrets.token_urlsafe(UNGUESSABLE),
        address.blog,
        way,
        address.hub or address.cloud,
        address.topic,
        address.procedure,
        secrets.token_urlsafe(UNGUESSABLE) if way == "websub" else "",
        created=stamp(now),
        next_try=stamp(now),
    )


def taken_back(one: Subscription, now: datetime) -> Subscription:
    """Nobody wants it any more. A hub is told so; a cloud forgets us within a day, and one that
    never confirmed has nothing to end.
    """
    has_begun = one.way == "websub" and one.granted is not None
    if not has_begun:
        return replace(over(one), wanted="unsubscribe", asked=stamp(now))
    return replace(one, wanted="unsubscribe", failures=0, error="", next_try=stamp(now))


def next_hub(one: Subscription, addresses: Iterable[WatchedAddress]) -> str:
    """The hub to ask where that of a subscription does not tell us; empty where the feed names no
    other.
    """
    for address in addresses:
        hubs = [address.hub, *address.spares.split()]
        if address.topic == one.topic and one.hub in hubs and len(hubs) > 1:
            return hubs[(hubs.index(one.hub) + 1) % len(hubs)]
    return ""


def gives_way(one: Subscription, now: datetime) -> bool:
    """Whether its hub had its chance: it failed, did not confirm or said no, and we are not told."""
    is_wanted = one.way == "websub" and one.wanted == "subscribe"
    return is_wanted and one.failures > 0 and not is_working(one, now)


def asked_elsewhere(one: Subscription, hub: str, now: datetime) -> Subscription:
    """The same at another hub, under a name and with a secret that the first does not know. What
    failed so far counts: where none tells us, all are asked ever more seldom.
    """
    return replace(
        one,
        id=secrets.token_urlsafe(UNGUESSABLE),
        hub=hub,
        secret=secrets.token_urlsafe(UNGUESSABLE),
        state="asking",
        created=stamp(now),
        asked=None,
        until=None,
        next_try=stamp(now),
        last_delivery=None,
        deliveries=0,
    )


def over(one: Subscription) -> Subscription:
    """It has ended."""
    return replace(one, state="ended", next_try=None, until=None, error="")


def after_asking(one: Subscription, asked: Subscription, posted: Posted, now: datetime) -> Subscription:
    """A subscription after its hub was asked; `asked` is what it was then. Where the hub confirmed
    before it answered, or we want something else by now, that counts.
    """
    if (one.granted, one.wanted, one.state) != (asked.granted, asked.wanted, asked.state):
        return one
    is_taken = posted.is_taken and not (one.way == "rsscloud" and is_refused(posted.text))
    if not is_taken:
        return _failed(one, _why(posted), now)
    if one.way == "rsscloud":
        return granted(one, KNOWN_FOR, now)
    if one.wanted == "unsubscribe" and one.failures >= MOST_GOODBYES:
        return replace(over(one), asked=stamp(now))
    waits = stamp(now + CONFIRMS_WITHIN)
    state: SubscriptionState = "asked" if one.state == "asking" else one.state
    # An answer is no confirmation: one that never comes counts as a failure when it is asked again.
    return replace(one, state=state, asked=stamp(now), next_try=waits, failures=one.failures + 1)


def _why(posted: Posted) -> str:
    if posted.is_taken:
        return REFUSED
    said = " ".join(posted.text.decode("utf-8", "replace").split())[:LONGEST_REASON]
    return posted.error or f"It answered with status {posted.status}{': ' if said else '.'}{said}"


def _failed(one: Subscription, error: str, now: datetime) -> Subscription:
    failures = one.failures + 1
    if one.wanted == "unsubscribe" and failures >= MOST_GOODBYES:
        return replace(over(one), asked=stamp(now))
    return replace(one, failures=failures, error=error, asked=stamp(now), next_try=stamp(now + _wait(failures)))


def _wait(failures: int) -> timedelta:
    doublings: int = 2 ** min(failures - 1, 20)
    return min(FIRST_WAIT * doublings, LONGEST_WAIT)


def granted(one: Subscription, lease: int, now: datetime) -> Subscription:
    """It is confirmed for so many seconds, and gone on with before they are over."""
    return replace(
        one,
        state="active",
        granted=stamp(now),
        until=stamp(now + timedelta(seconds=lease)),
        next_try=stamp(now + timedelta(seconds=lease * RENEWED_AT)),
        failures=0,
        error="",
    )


def after_hearing(one: Subscription, heard: Confirmed | Denied, now: datetime, has_spare: bool = False) -> Subscription:
    """A subscription after its hub confirmed it, or said no; then another is asked soon, where
    there is one.
    """
    if isinstance(heard, Confirmed):
        return replace(over(one), asked=stamp(now)) if heard.lease is None else granted(one, heard.lease, now)
    if one.wanted == "unsubscribe":
        return replace(over(one), asked=stamp(now))
    failures = one.failures + 1
    wait = _wait(failures) if has_spare else AFTER_DENIAL
    return replace(one, state="denied", until=None, error=heard.reason, failures=failures, next_try=stamp(now + wait))


def is_listening(one: Subscription) -> bool:
    """Whether what comes under its name is taken: it was confirmed once, and is wanted."""
    return one.wanted == "subscribe" and one.granted is not None and one.state != "ended"


def is_working(one: Subscription, now: datetime) -> bool:
    """Whether we are told now."""
    return is_listening(one) and one.until is not None and one.until > stamp(now)


def is_see_other(posted: Posted) -> bool:
    """Whether a hub says that another address is to be asked, as the W3C allows it."""
    return posted.status in (HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT) and bool(posted.location)


@dataclass(frozen=True, slots=True)
class ListedSubscription:
    """A subscription for people: without what only its hub may know."""

    blog: str
    way: Way
    hub: str
    topic: str
    wanted: Wanted
    state: SubscriptionState
    asked: str | None
    until: str | None
    next_try: str | None
    last_delivery: str | None
    deliveries: int
    failures: int
    error: str


def listed(one: Subscription) -> ListedSubscription:
    """The same without its secrets."""
    return ListedSubscription(
        one.blog,
        one.way,
        one.hub,
        one.topic,
        one.wanted,
        one.state,
        one.asked,
        one.until,
        one.next_try,
        one.last_delivery,
        one.deliveries,
        one.failures,
        one.error,
    )


def told_by_hub(one: ListedSubscription) -> str:
    """How it stands, in one sentence."""
    who = "Its hub" if one.way == "websub" else "Its cloud"
    if one.wanted == "unsubscribe":
        return f"{who} need not tell us any more."
    if one.state == "active":
        last = f", last on {one.last_delivery[:DAY]}" if one.last_delivery else ""
        return f"{who} tells us of new posts until {(one.until or '')[:DAY]} (told {one.deliveries} times{last})."
    if one.state == "denied":
        return f"{who} will not tell us: {one.error or 'it does not say why'}"
    wrong = f"; the last time: {one.error}" if one.error else ""
    return f"{who} was asked to tell us of new posts and has not confirmed{wrong}."


@dataclass(frozen=True, slots=True)
class HubsView:
    """How all subscriptions stand, and what was delivered, left out, found by it and missed in some
    time; `is_open` says that hubs can call us.
    """

    is_open: bool
    counts: Mapping[SubscriptionState, int]
    received: int
    left_out: int
    posts: int
    missed: int

    @property
    def waiting(self) -> int:
        """Those that nobody has confirmed."""
        return self.counts.get("asking", 0) + self.counts.get("asked", 0)


def view_hubs(store: Store, figures: Mapping[str, ServerFigures], public_url: str) -> HubsView:
    """How they stand; `figures` are those of all servers in some time."""
    told = [figures[way] for way in WAYS if way in figures]
    return HubsView(
        bool(public_url),
        store.subscriptions.counts(),
        sum(one.received for one in told),
        sum(one.filtered for one in told),
        sum(one.posts for one in told),
        sum(one.missed for one in told),
    )


def list_subscriptions(store: Store, limit: int, after: str = "") -> list[ListedSubscription]:
    """Those of so many blogs, by their names, from one on."""
    return [listed(one) for one in store.subscriptions.page(limit, after)]


def subscription_of(store: Store, blog: str) -> ListedSubscription | None:
    """The newest subscription of a followed blog."""
    return next((listed(one) for one in store.subscriptions.of_blog(blog)), None)


def forget_ended(store: Store) -> int:
    """Drop what was over long enough for everybody to know; how many."""
    return store.subscriptions.forget(stamp(clock.now() - KNOWN_AS_OVER))


def stamp(moment: datetime) -> str:
    """A moment as the store has it."""
    return moment.isoformat(timespec="seconds")
