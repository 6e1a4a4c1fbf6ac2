"""The block list: what nobody may add or follow, with reason, who and when; undone, what it kept out comes back."""

from __future__ import annotations

from dataclasses import dataclass

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.storage.blocklist import blockable
from blogforever.storage.deciding import PlaceBlocked, PlaceUnblocked
from blogforever.storage.following import BlockedPlace, BlockKind
from blogforever.storage.tables import Store

from .desk import Desk, new_id

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """An entry of the block list, and how many followed
    blogs rest because of it, or go on without it.
    """

    place: BlockedPlace
    blogs: int


def block(desk: Desk, what: str, reason: str = "", kind: BlockKind | None = None) -> BlockOutcome:
    """Block a host, an address with what lies below it,
    or a pattern with `*`; what is followed there rests.
    """
    kind, text = blockable(what, kind)
    now = clock.stamp()
    known = next((one for one in desk.store.blocked.all() if (one.kind, one.what) == (kind, text)), None)
    place = BlockedPlace(known.id if known else new_id(), kind, text, reason.strip()[:LONGEST_REASON], desk.by, now)
    before = _resting(desk.store)
    desk.decide(PlaceBlocked(at=now, by=desk.by, place=place))
    return BlockOutcome(place, _resting(desk.store) - before)


def unblock(desk: Desk, wanted: str) -> BlockOutcome:
    """Let something in again, by the id of its entry or by what it blocks."""
    place = _found(desk.store, wanted)
    before = _resting(desk.store)
    desk.decide(PlaceUnblocked(at=clock.stamp(), by=desk.by, place=place.id))
    return BlockOutcome(place, before - _resting(desk.store))


def _found(store: Store, wanted: str) -> BlockedPlace:
    if place := store.blocked.find(wanted):
        return place
    for place in store.blocked.all():
        if wanted.strip() == place.what or _means(wanted, place):
            return place
    raise UsageError(f"Nothing is blocked under {wanted!r}; blogforever block shows what is.")


def _means(wanted: str, place: BlockedPlace) -> bool:
    try:
        return blockable(wanted, place.kind) == (place.kind, place.what)
    except UsageError:
        return False


def _resting(store: Store) -> int:
    return store.followed.counts().get("blocked", 0)
