"""Pings once more: kept ones through today's filters, and dead letters, tried again or dropped by a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from blogforever.errors import UsageError
from blogforever.fetch.services import service_hosts
from blogforever.ping.filters import FilterTree
from blogforever.ping.notice import Notice
from blogforever.ping.sieve import Sieve
from blogforever.storage.pings import PingRow
from blogforever.storage.tables import Store

from .pings import list_servers, tree_of

# Pings that are changed in one transaction: others wait for its end.
AT_ONCE = 1000
# Dead letters that are tried again at once.
MOST_AGAIN = 10_000
TRIED_AGAIN = "tried again"


@dataclass(frozen=True, slots=True)
class SentAgain:
    """How many pings were looked at once more, and how many of them wait now to be followed up."""

    read: int
    waiting: int


def send_again_since(store: Store, since: str, server: str = "") -> SentAgain:
    """Sort the kept pings from a moment on by the filters and the source list of today: what they
    let in waits to be followed up, whatever became of it before.
    """
    begin = moment_of(since)
    tree = tree_of(store.ping_filters.all())
    sieves = _sieves(store, tree)
    read = waiting = after = 0
    while rows := store.pings.since(begin, after, AT_ONCE, server):
        after = rows[-1].id
        changed = list(_sorted_again(rows, sieves, tree))
        store.pings.change(changed)
        read += len(rows)
        waiting += sum(row.state == "waiting" for row in changed)
    return SentAgain(read, waiting)


def moment_of(said: str) -> str:
    """A moment as pings are kept by it; UsageError where it is none."""
    try:
        moment = datetime.fromisoformat(said.strip())
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        # A moment at the beginning or the end of time may have none in UTC.
        return aware.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{said[:40]!r} is no moment; write it as 2030-01-31 or 2030-01-31T09:30.") from error


def _sieves(store: Store, tree: FilterTree) -> dict[str, Sieve]:
    known, shared = store.followed.hosts(), service_hosts()
    return {one.id: Sieve(tree, known, is_limited=one.is_limited, shared=shared) for one in list_servers(store)}


def _sorted_again(rows: Iterable[PingRow], sieves: dict[str, Sieve], tree: FilterTree) -> Iterator[PingRow]:
    """Those of these pings that are to be changed: they wait now, or are left out for another
    reason.
    """
    for row in rows:
        sieve = sieves.get(row.server)
        if row.state == "waiting" or sieve is None:
            # Of a server that nobody listens to any more, nothing is wanted.
            continue
        notice = Notice(row.url, row.name, row.feed, row.service)
        sifted = sieve.sift([notice], datetime.fromisoformat(row.at).timestamp())
        if sifted.known:
            yield replace(row, state="waiting", reason="", filter="")
        elif sifted.unknown:
            verdict = tree.decide(notice)
            yield replace(row, state="waiting", reason=verdict.reason, filter=verdict.by or "")
        elif row.state == "dropped":
            yield replace(row, reason=sifted.left[0][1])


def try_again(store: Store, number: int | None = None) -> int:
    """Have a dead letter followed up once more, or all of them; how many."""
    rows = [dead_letter(store, number)] if number is not None else store.pings.newest(MOST_AGAIN, state="failed")
    store.pings.change(replace(row, state="waiting", reason=TRIED_AGAIN if row.filter else "") for row in rows)
    return len(rows)


def drop_letter(store: Store, number: int, by: str) -> PingRow:
    """Nobody wants anything done with a dead letter."""
    dropped = replace(dead_letter(store, number), state="dropped", reason=f"dropped by {by or 'somebody'}")
    store.pings.change([dropped])
    return dropped


def dead_letter(store: Store, number: int) -> PingRow:
    """The dead letter with this number; UsageError where there is none."""
    found = store.pings.find(number)
    if found is None or found.state != "failed":
        raise UsageError(f"There is no dead letter {number}; blogforever ping log --state failed lists them.")
    return found
