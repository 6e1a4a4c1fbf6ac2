"""Processes that take turns: each asks what it is told to, and prints when; run as a program, it is one of them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

from sqlalchemy import URL

from blogforever.fetch.turns import ServiceTurns, SharedTurns

# Seconds after which any of this has failed.
LONG = 120.0


@dataclass(frozen=True, slots=True)
class Asking:
    """What one process asks: each key so many times, all at once, with a delay and a concurrency; at a server, or of
    nobody for a while.
    """

    keys: str
    times: int
    delay: float = 0.0
    at_once: int = 1
    lasting: float = 0.0
    server: str = ""
    silence: float = 0.0
    """After so many seconds without a word a process has lost its turns; 0 is as usual."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, on the clock that all processes share."""

    key: str
    began: float
    ended: float


def place_of(place: Path | URL) -> str:
    """A place as the command line has it."""
    return str(place) if isinstance(place, Path) else place.render_as_string(hide_password=False)


def begun(place: Path | URL, *askings: Asking) -> list[subprocess.Popen[str]]:
    """Processes that are ready to ask."""
    running = [_begun(place, asking) for asking in askings]
    for process in running:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    return running


def _begun(place: Path | URL, asking: Asking) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "server.turntaking", place_of(place), json.dumps(asdict(asking))]
    tests = Path(__file__).parent.parent
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tests)


@contextmanager
def let_go(*processes: subprocess.Popen[str]) -> Iterator[None]:
    """Let them ask; whatever happens, none is left."""
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


def told(process: subprocess.Popen[str]) -> list[Asked]:
    """What a process says of its requests, when all are done."""
    out, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    return [Asked(key, float(began), float(ended)) for key, began, ended in map(str.split, out.splitlines())]


def most_at_once(rows: list[Asked]) -> int:
    """How many were under way together."""
    return max(sum(row.began <= one.began < row.ended for row in rows) for one in rows)


def turns_at(place: str, silence: float = 0.0) -> ServiceTurns:
    """The turns that a file or a database tells of."""
    if "://" not in place:
        return SharedTurns(Path(place))
    from blogforever.storage import turns as values  # noqa: PLC0415  what follows reads the number in it

    if silence:
        values.LASTING = silence
    from blogforever.fetch.serverturns import ServerTurns  # noqa: PLC0415  as above
    from blogforever.store.database import postgres_url  # noqa: PLC0415  as above
    from blogforever.store.turntable import PostgresTurns  # noqa: PLC0415  as above

    return ServerTurns(PostgresTurns(postgres_url(place)))


async def _ask(turns: ServiceTurns, key: str, asking: Asking, request: Callable[[], object]) -> None:
    from blogforever.fetch.turns import TurnLost  # noqa: PLC0415  only here

    while True:
        try:
            async with turns.turn(key, asking.delay, asking.at_once):
                began = monotonic()
                await request()  # type: ignore[misc]  # either of the two below
                ended = monotonic()
            break
        except TurnLost:
            continue
    print(key, began, ended, flush=True)


async def _get(server: str, key: str) -> None:
    parts = urlsplit(server)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(f"GET /{key} HTTP/1.0\r\nHost: {parts.netloc}\r\n\r\n".encode())
        await writer.drain()
        assert b" 200 " in await reader.readline()
        await reader.read()
    finally:
        writer.close()


async def main(place: str, said: str) -> None:
    """Ask, when somebody says so."""
    asking = Asking(**json.loads(said))
    turns = turns_at(place, asking.silence)
    print("ready", flush=True)
    sys.stdin.readline()

    def requested(key: str) -> Callable[[], object]:
        return lambda: _get(asking.server, key) if asking.server else asyncio.sleep(asking.lasting)

    await asyncio.gather(*(_ask(turns, key, asking, requested(key)) for key in asking.keys.split() * asking.times))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
