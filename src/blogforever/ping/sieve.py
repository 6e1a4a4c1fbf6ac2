"""Pings by the million, down to those that lead to a look: known blogs, what filters let in, nothing twice."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from blogforever.wording import N_

from .filters import FilterTree
from .notice import Notice, host_of_notice

NO_ADDRESS = N_("it names no address")
SAME_AGAIN = N_("the same was pinged moments ago")
STORM = N_("its host pings far more than anybody publishes")
NOT_LISTED = N_("it is not on the source list")
# Seconds in which the same unknown address is heard once: blogs ping every server they know, and
# again for each correction. A followed blog is heard each time: its second post of the hour counts.
HEARD_ONCE = 300.0
# Pings of one host heard in that time; on a platform with one host for all its blogs they are
# counted by address.
MOST_OF_A_HOST = 30
# Addresses that are remembered for this: the oldest goes first, so that no flood fills the memory.
REMEMBERED = 200_000
# Dropped pings of one package that can be looked at later; of a flood the rest is counted.
SHOWN_OF_DROPPED = 200


@dataclass(slots=True)
class Sifted:
    """What is left of some pings, and what became of the others, by reason."""

    known: list[Notice] = field(default_factory=list)
    """Of blogs that are followed."""
    unknown: list[Notice] = field(default_factory=list)
    """Let in by a filter, and seen for the first time."""
    received: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    """How often each filter took a ping."""
    left: list[tuple[Notice, str]] = field(default_factory=list)
    """The first of those that were dropped, each with the reason."""

    def drop(self, notice: Notice, reason: str) -> None:
        """It leads to no look."""
        self.dropped[reason] += 1
        if len(self.left) < SHOWN_OF_DROPPED:
            self.left.append((notice, reason))


class Sieve:
    """Sorts pings. One for each ping server: its filters, and what it lately said."""

    def __init__(
        self, tree: FilterTree, known: Container[str], *, is_limited: bool = False, shared: Container[str] = ()
    ) -> None:
        """`known`: hosts of followed blogs. `is_limited`: only these. `shared`: hosts that many
        blogs live on.
        """
        self._tree = tree
        self._known = known
        self._is_limited = is_limited
        self._shared = shared
        self._heard: OrderedDict[str, float] = OrderedDict()
        self._of_place: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def use(self, tree: FilterTree, known: Container[str]) -> None:
        """Go by these filters and these known hosts from now on; what was heard stays heard."""
        self._tree, self._known = tree, known

    def sift(self, notices: Iterable[Notice], now: float) -> Sifted:
        """What is left of these pings at this moment, in seconds of any clock that runs evenly."""
        sifted = Sifted()
        for notice in notices:
            sifted.received += 1
            host = host_of_notice(notice.url)
            if not host:
                sifted.drop(notice, NO_ADDRESS)
            elif host in self._known:
                self._keep(notice, host, now, sifted.known, sifted)
            elif self._is_limited:
                sifted.drop(notice, NOT_LISTED)
            else:
                self._try_filters(notice, host, now, sifted)
        return sifted

    def _try_filters(self, notice: Notice, host: str, now: float, sifted: Sifted) -> None:
        verdict = self._tree.decide(notice)
        for taker in verdict.takers:
            sifted.hits[taker] += 1
        if not verdict.is_let_in:
            sifted.drop(notice, verdict.reason)
        elif self._is_heard(notice.url, now):
            sifted.drop(notice, SAME_AGAIN)
        else:
            self._keep(notice, host, now, sifted.unknown, sifted)

    def _keep(self, notice: Notice, host: str, now: float, kept: list[Notice], sifted: Sifted) -> None:
        if self._is_storm(notice.url if host in self._shared else host, now):
            sifted.drop(notice, STORM)
        else:
            kept.append(notice)

    def _is_heard(self, url: str, now: float) -> bool:
        """Whether the same was heard moments ago; it is remembered from now on."""
        before = self._heard.get(url)
        if before is not None and now - before < HEARD_ONCE:
            return True
        self._heard[url] = now
        self._heard.move_to_end(url)
        if len(self._heard) > REMEMBERED:
            self._heard.popitem(last=False)
        return False

    def _is_storm(self, place: str, now: float) -> bool:
        """Whether a host, or an address, was pinged more often than anybody publishes; this ping is
        counted.
        """
        since, count = self._of_place.get(place, (now, 0))
        if now - since >= HEARD_ONCE:
            since, count = now, 0
        self._of_place[place] = since, count + 1
        self._of_place.move_to_end(place)
        if len(self._of_place) > REMEMBERED:
            self._of_place.popitem(last=False)
        return count >= MOST_OF_A_HOST
