"""What hubs and clouds call us with: confirmations, and deliveries, which are kept before they are answered."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from blogforever import clock
from blogforever.archive.bloglook import PushedFeed
from blogforever.ping.rsscloud import confirm_cloud
from blogforever.ping.websub import Confirmed, heard_of_hub, is_signed
from blogforever.storage.counting import HourCount, this_hour
from blogforever.storage.pings import PingPackage, PingRow
from blogforever.storage.pushes import Delivery, Subscription
from blogforever.storage.tables import Store
from blogforever.wording import N_

from .pinged import minute_of
from .rations import Rations
from .subscriptions import after_hearing, is_listening, next_hub

# Deliveries of one subscription: a busy blog has a few in an hour, and each leads to a look.
MOST_AT_ONCE, ONE_MORE_EVERY = 60, 10.0
# Bytes of a delivery that are read: the largest feeds of blogs have a few million.
LARGEST_DELIVERY = 8 * 1024 * 1024
LONGEST_TYPE = 200
NOT_SIGNED = N_("the hub did not sign it with our secret")
REPLAYED = N_("the very same was delivered before")
OTHER_FEED = N_("it tells of another feed")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hub is answered."""

    status: HTTPStatus
    text: str = ""


TAKEN = Answered(HTTPStatus.OK)
NOT_KNOWN = Answered(HTTPStatus.NOT_FOUND, "Nobody asked for this here.")
OVER = Answered(HTTPStatus.GONE, "Nobody wants this any more.")
TOO_MANY = Answered(HTTPStatus.TOO_MANY_REQUESTS, "These are more deliveries than anybody needs; come again later.")


@dataclass(slots=True)
class PushInbox:
    """Hears hubs and clouds, from any thread."""

    store: Store
    _rations: Rations = field(default_factory=lambda: Rations(MOST_AT_ONCE, ONE_MORE_EVERY))

    def refusal(self, name: str) -> Answered | None:
        """Why nothing that is delivered under this name is even read; None where it is."""
        one = self.store.subscriptions.find(name)
        if one is None:
            return NOT_KNOWN
        if not is_listening(one):
            return OVER if one.wanted == "unsubscribe" else NOT_KNOWN
        return TOO_MANY if self._rations.take(name) else None

    def confirm(self, name: str, asked: Mapping[str, str]) -> Answered:
        """A hub asks whether we did ask, or says no."""
        one = self.store.subscriptions.find(name)
        heard = heard_of_hub(one.wanted, one.topic, asked) if one and one.way == "websub" else None
        if heard is None or one is None or one.state == "ended":
            return NOT_KNOWN
        has_spare = bool(next_hub(one, self.store.followed.watched(one.blog)))
        self.store.subscriptions.change(name, lambda before: after_hearing(before, heard, clock.now(), has_spare))
        return Answered(HTTPStatus.OK, heard.challenge if isinstance(heard, Confirmed) else "")

    def confirm_cloud(self, name: str, asked: Mapping[str, str]) -> Answered:
        """A cloud asks the same."""
        one = self.store.subscriptions.find(name)
        is_wanted = one is not None and one.way == "rsscloud" and one.wanted == "subscribe"
        challenge = confirm_cloud(one.topic, asked) if one and is_wanted else None
        return Answered(HTTPStatus.OK, challenge) if challenge else NOT_KNOWN

    def deliver(self, name: str, body: bytes, signature: str, kind: str) -> Answered:
        """A hub delivers a feed, or what is new of it. What it did not sign is answered as if it
        were taken, as the W3C has it, and left: who forges it learns nothing.
        """
        one = self.store.subscriptions.find(name)
        if one is None or one.way != "websub" or not is_listening(one):
            return NOT_KNOWN
        reason = "" if is_signed(one.secret, body, signature) else NOT_SIGNED
        digest = hashlib.sha256(body).hexdigest()
        delivery = Delivery(one.id, one.blog, clock.stamp(), digest, kind[:LONGEST_TYPE], body)
        with self.store.transaction():
            if not reason and not self.store.deliveries.add(delivery):
                reason = REPLAYED
            self._note(one, reason)
        return TAKEN

    def notify(self, name: str, feed: str) -> Answered:
        """A cloud says that a feed has something new."""
        one = self.store.subscriptions.find(name)
        if one is None or one.way != "rsscloud" or not is_listening(one):
            return NOT_KNOWN
        with self.store.transaction():
            self._note(one, "" if feed == one.topic else OTHER_FEED)
        return TAKEN

    def _note(self, one: Subscription, reason: str) -> None:
        """Keep it as a ping of its blog, or why it leads to nothing."""
        now = clock.stamp()
        row = PingRow(now, one.way, one.topic, feed=one.topic, service=one.way, blog=one.blog)
        self.store.pings.add([replace(row, state="dropped", reason=reason) if reason else row])
        counts = [HourCount("pings", f"{one.way}/received", 1), HourCount("pings", f"{one.way}/{reason or 'known'}", 1)]
        self.store.counters.add(this_hour(), counts)
        is_left = bool(reason)
        package = PingPackage(minute_of(now), one.way, received=1, filtered=int(is_left), known=int(not is_left))
        self.store.pings.count(package)
        if not reason:
            self.store.subscriptions.change(
                one.id, lambda before: replace(before, last_delivery=now, deliveries=before.deliveries + 1)
            )


def pushed_feed(store: Store, delivery: Delivery) -> PushedFeed | None:
    """A delivery as the feed that it stands for; None where it is a page, or the feed is not
    offered any more: then it is a ping and no more.
    """
    one = store.subscriptions.find(delivery.subscription)
    feeds = [address for address in store.followed.watched(delivery.blog) if address.offered_by == "feed"]
    place = next((address.url for address in feeds if one and address.topic == one.topic), None)
    return PushedFeed(place, delivery.body, delivery.type) if place else None
