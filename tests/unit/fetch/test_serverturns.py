"""A process that takes turns on a server: what it tells, how it waits, and when it stops because it was not heard."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic, sleep

import pytest

from blogforever.errors import ArchiveError
from blogforever.fetch import serverturns
from blogforever.fetch.serverturns import ServerTurns
from blogforever.fetch.turns import ON_THE_WIRE, TurnLost
from blogforever.storage.turns import BudgetNews, KnownRobots, TurnAnswer

LONG = 60.0
SILENCE = 1.0


class ScriptedTable:
    """Grants every wish, unless it is said to be away, or to have forgotten who asks."""

    def __init__(self) -> None:
        self.news: list[BudgetNews] = []
        self.heard: list[str] = []
        self.away = 0
        self.forgets = 0
        self.left = self.tidied = 0
        self.known: list[tuple[str, str]] = []
        self.buried: list[str] = []

    def exchange(self, asker: str, name: str, news: Sequence[BudgetNews]) -> Mapping[str, TurnAnswer] | None:
        if self.away:
            self.away -= 1
            raise ArchiveError("The database is away.")
        self.heard.append(asker)
        if self.forgets:
            self.forgets -= 1
            return None
        self.news += news
        return {one.key: TurnAnswer(True) for one in news if one.wish}

    def leave(self, asker: str) -> None:
        self.left += 1

    def askers(self) -> list[tuple[str, str]]:
        return self.known

    def bury(self, asker: str) -> None:
        self.buried.append(asker)

    def agreed(self, host: str, key: str) -> tuple[str, float]:
        if self.away:
            self.away -= 1
            raise ArchiveError("The database is away.")
        return "ip:192.0.2.1", LONG

    def robots(self, origin: str) -> KnownRobots | None:
        return None

    def keep_robots(self, origin: str, known: KnownRobots) -> None:
        raise AssertionError

    def tidy(self) -> None:
        self.tidied += 1

    def close(self) -> None:
        pass


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ScriptedTable:
    monkeypatch.setattr(serverturns, "GONE_FOR", 0.01)
    return ScriptedTable()


@pytest.fixture
def turns(table: ScriptedTable) -> Iterator[ServerTurns]:
    made = ServerTurns(table)
    yield made
    made.close()
    assert table.left == 1


def test_what_is_told_of_one_after_the_other_ends_with_when_it_was_last_asked(
    turns: ServerTurns, table: ScriptedTable
) -> None:
    async def ask() -> None:
        async with turns.turn("host:a", 0.5, 1):
            pass

    asyncio.run(asyncio.wait_for(ask(), LONG))
    turns.close()
    wish = next(one.wish for one in table.news if one.wish)
    assert (wish.apart, wish.at_once) == (0.5 + ON_THE_WIRE, 1)
    assert [number for one in table.news for number in one.started] == [wish.number]
    assert [number for one in table.news for number in one.ended] == [wish.number]
    assert next(one.asked for one in table.news if one.ended) is not None
    table.left = 1


def test_while_the_database_is_away_nothing_begins_and_then_everything_goes_on(
    turns: ServerTurns, table: ScriptedTable
) -> None:
    table.away = 5

    async def ask() -> int:
        turns.pause("service:b", LONG)
        async with turns.turn("service:a", 0.0, 2):
            return table.away

    assert asyncio.run(asyncio.wait_for(ask(), LONG)) == 0
    rests = [one.rests for one in table.news if one.key == "service:b"]
    assert len(rests) == 1
    assert rests[0] is not None
    assert LONG - 30 < rests[0] <= LONG


def test_a_turn_that_cannot_be_kept_is_cut_off(
    turns: ServerTurns, table: ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("LASTING", SILENCE), ("RENEWED", SILENCE / 4), ("CUT_BEFORE", SILENCE / 10)):
        monkeypatch.setattr(serverturns, name, seconds)

    async def ask() -> None:
        async with turns.turn("service:a", 0.0, 2):
            table.away = 1_000_000
            await asyncio.sleep(LONG)

    with pytest.raises(TurnLost, match="service:a"):
        asyncio.run(asyncio.wait_for(ask(), LONG))
    first, until = table.heard[0], monotonic() + LONG
    while turns._clerk._asker == first and monotonic() < until:
        sleep(0.01)
    table.away = 0

    async def again() -> str:
        async with turns.turn("service:a", 0.0, 2):
            return table.heard[-1]

    # Who was silent for too long comes back as somebody else: what he had is not his any more.
    assert asyncio.run(asyncio.wait_for(again(), LONG)) != first


def test_who_is_forgotten_asks_anew_under_another_name(turns: ServerTurns, table: ScriptedTable) -> None:
    table.forgets = 1

    async def ask() -> None:
        async with turns.turn("service:a", 0.0, 2):
            pass

    asyncio.run(asyncio.wait_for(ask(), LONG))
    assert len(set(table.heard)) == 2


def test_who_gives_up_waiting_leaves_nothing_behind(turns: ServerTurns, table: ScriptedTable) -> None:
    table.away = 1_000_000

    async def ask() -> None:
        async with turns.turn("service:a", 0.0, 2):
            raise AssertionError

    async def give_up() -> None:
        waiting = asyncio.ensure_future(ask())
        while table.away > 1_000_000 - 3:
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(asyncio.wait_for(give_up(), LONG))
    table.away = 0
    turns.close()
    # It may have been granted, unheard: so its end is told.
    assert [number for one in table.news for number in one.ended] == [1]
    assert [one.asked for one in table.news] == [None]
    table.left = 1


def test_what_was_agreed_for_a_host_is_asked_once_and_waited_for(turns: ServerTurns, table: ScriptedTable) -> None:
    table.away = 2

    async def ask() -> list[str]:
        return [await turns.agreed("a.example", "domain:a.example") for _ in range(2)]

    assert asyncio.run(asyncio.wait_for(ask(), LONG)) == ["ip:192.0.2.1"] * 2


def test_now_and_then_the_server_is_asked_to_forget(
    turns: ServerTurns, table: ScriptedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serverturns, "TIDIED", 0.0)

    async def ask() -> None:
        until = monotonic() + LONG
        while not table.tidied and monotonic() < until:
            async with turns.turn("service:a", 0.0, 2):
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(ask(), LONG))
    assert table.tidied


def test_who_was_killed_on_this_machine_is_known_to_be_dead_and_nobody_else_is(table: ScriptedTable) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = serverturns._machine()
    table.known = [
        ("lives", f"a/{os.getpid()}{here}"),
        ("died", f"a/{gone.pid}{here}"),
        ("elsewhere", f"a/{gone.pid}@another"),
    ]
    ServerTurns(table).close()
    assert table.buried == ["died"]
