"""Delay and concurrency of a service hold over all processes; each process tells when it asked, on the shared clock."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from blogforever.fetch import turns
from blogforever.fetch.turns import OwnTurns, SharedTurns, turns_in

LONG = 60.0
# Takes turns and prints when each began and ended.
ASKING = """
import asyncio, sys
from pathlib import Path
from time import monotonic
from blogforever.fetch.turns import SharedTurns

async def ask(shared, key, delay, at_once, lasting):
    async with shared.turn(key, delay, at_once):
        began = monotonic()
        await asyncio.sleep(lasting)
        print(key, began, monotonic(), flush=True)

async def main(path, keys, times, delay, at_once, lasting):
    shared = SharedTurns(Path(path))
    print("ready", flush=True)
    sys.stdin.readline()
    wanted = float(delay), int(at_once), float(lasting)
    await asyncio.gather(*(ask(shared, key, *wanted) for key in keys.split() * int(times)))

asyncio.run(main(*sys.argv[1:]))
"""


def begun(path: Path, keys: str, times: int, delay: float, at_once: int, lasting: float) -> subprocess.Popen[str]:
    values = [keys, str(times), str(delay), str(at_once), str(lasting)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process: subprocess.Popen[str] = subprocess.Popen([sys.executable, "-c", ASKING, str(path), *values], **pipes)  # type: ignore[call-overload]  # mypy cannot see what a dict unpacks to
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


@contextmanager
def asking(*processes: subprocess.Popen[str]) -> Iterator[None]:
    try:
        for process in processes:
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def told(process: subprocess.Popen[str]) -> list[tuple[str, float, float]]:
    out, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    rows = [line.split() for line in out.splitlines()]
    return [(key, float(began), float(ended)) for key, began, ended in rows]


def most_at_once(spans: list[tuple[float, float]]) -> int:
    return max(sum(began <= moment < ended for began, ended in spans) for moment, _end in spans)


def test_two_processes_keep_the_delay_of_a_service_together(tmp_path: Path) -> None:
    delay, times = 0.03, 12
    two = [begun(tmp_path / "turns", "service:a", times, delay, 4, 0.0) for _ in range(2)]
    with asking(*two):
        spans = [told(process) for process in two]
    assert [len(rows) for rows in spans] == [times, times]
    starts = sorted(began for rows in spans for _key, began, _ended in rows)
    # A turn begins a moment after it was noted: by that moment two may come nearer to each other.
    assert starts[-1] - starts[0] >= (2 * times - 1) * delay * 0.9
    owners = [
        process for _began, process in sorted((began, n) for n, rows in enumerate(spans) for _k, began, _e in rows)
    ]
    assert owners != sorted(owners), "they took turns"


def test_two_processes_together_have_no_more_under_way_than_allowed(tmp_path: Path) -> None:
    two = [begun(tmp_path / "turns", "service:a host:b", 10, 0.0, 2, 0.01) for _ in range(2)]
    with asking(*two):
        rows = [row for process in two for row in told(process)]
    for key in ("service:a", "host:b"):
        spans = [(began, ended) for name, began, ended in rows if name == key]
        assert len(spans) == 20
        assert most_at_once(spans) <= 2


def test_a_process_that_is_killed_leaves_no_place_taken(tmp_path: Path) -> None:
    holder = begun(tmp_path / "turns", "service:a", 2, 0.0, 1, LONG)
    with asking(holder):
        shared = SharedTurns(tmp_path / "turns")
        while (place := shared._take("service:a", 1)) is not None:
            shared._give_back("service:a", place)
        holder.kill()
        holder.wait(LONG)

        async def take() -> None:
            async with shared.turn("service:a", 0.0, 1):
                assert shared._take("service:a", 1) is None, "it is this one that has it"

        asyncio.run(asyncio.wait_for(take(), LONG))
    assert shared._take("service:a", 1) == 0


def test_a_pause_that_one_process_was_asked_for_holds_for_the_others(tmp_path: Path) -> None:
    SharedTurns(tmp_path / "turns").pause("service:a", 0.2)
    until = monotonic() + 0.2

    async def take(key: str) -> float:
        async with SharedTurns(tmp_path / "turns").turn(key, 0.0, 1):
            return monotonic()

    assert asyncio.run(take("service:b")) > 0
    assert asyncio.run(take("service:a")) >= until - 0.01


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
