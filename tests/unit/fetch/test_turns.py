"""The file in which processes of a machine take turns; what holds for all kinds of turns is in tests/contract."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from blogforever.fetch import turns
from blogforever.fetch.turns import OwnTurns, SharedTurns, turns_in

LONG = 60.0


def test_after_a_start_of_the_machine_nobody_waits_for_moments_of_the_old_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SharedTurns(tmp_path / "turns").pause("service:a", 1_000_000.0)
    (tmp_path / "boot").write_bytes(b"another start\n")
    monkeypatch.setattr(turns, "BOOT", tmp_path / "boot")
    shared = SharedTurns(tmp_path / "turns")
    assert shared._left(turns._cell("service:a"), 1.0) < 0


def test_a_file_that_cannot_be_written_leaves_each_process_its_own_turns(tmp_path: Path) -> None:
    alone = turns_in(tmp_path / "nowhere" / "turns")

    async def take() -> None:
        async with alone.turn("service:a", LONG, 1), alone.turn("service:a", LONG, 1):
            alone.pause("service:a", LONG)

    asyncio.run(asyncio.wait_for(take(), LONG))
    assert isinstance(alone, OwnTurns)
