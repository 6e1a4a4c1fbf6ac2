"""How many XML-RPC pings a second one core of the service takes in: over kept connections, and with one for each.

    python tools/bench_endpoint.py [--pings 20000] [--single 6000]

Counted are the CPU seconds of the service's own process, so that neither the clients nor anybody else on the machine
takes part. Every ping is of another blog and let in by a filter, which is the dearest case: all of them are kept. What
follows from them (looks, new sources) is paused; other benches measure that. At the end every thanked ping must be in
the inbox.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from blogforever.archive.opening import open_archive
from blogforever.service.desk import desk_of
from blogforever.service.jobs import pause_part
from blogforever.service.listening import PINGS
from blogforever.service.pings import OURS, FilterWish, change_server, keep_filter

# What the issue asks for: pings per second on one core.
KEPT, EACH = 2000, 1000
# Connections at once, each from an address of its own: a single sender is not heard so often.
SENDERS = 40
CALL = (
    '<?xml version="1.0"?><methodCall><methodName>weblogUpdates.ping</methodName><params>'
    "<param><value>A blog of science</value></param><param><value>http://science-{number}.example/</value></param>"
    "</params></methodCall>"
)


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs: its process, and where it answers."""

    pid: int
    host: str
    port: int

    def cpu(self) -> float:
        """The CPU seconds its process has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(folder: Path) -> Iterator[Service]:
    """A service that takes every ping in and follows up none."""
    with open_archive(folder, writing=True) as archive:
        desk = desk_of(archive, "bench")
        keep_filter(desk, FilterWish("Science", "science"))
        change_server(desk, OURS, is_limited=False)
        pause_part(archive.store, PINGS, "bench")
    command = [sys.executable, "-m", "blogforever", "serve", "--archive", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own command
        assert process.stdout
        address = urlsplit(process.stdout.readline().split()[-1])
        try:
            yield Service(process.pid, address.hostname or "", address.port or 0)
        finally:
            process.terminate()


def call(number: int, kept: bool) -> bytes:
    """A ping as a blog sends it."""
    body = CALL.format(number=number).encode()
    fields = f"Host: here\r\nContent-Type: text/xml\r\nContent-Length: {len(body)}\r\n"
    ends = "" if kept else "Connection: close\r\n"
    return f"POST /RPC2 HTTP/1.1\r\n{fields}{ends}\r\n".encode() + body


async def thanked(reader: asyncio.StreamReader) -> bool:
    """Whether the answer is thanks."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    body = await reader.readexactly(length)
    return b" 200 " in head and b"Thanks" in body


async def over_kept(service: Service, sender: str, numbers: range) -> int:
    """Send these over one connection, one after the other; how many were thanked."""
    reader, writer = await asyncio.open_connection(service.host, service.port, local_addr=(sender, 0))
    count = 0
    for number in numbers:
        writer.write(call(number, kept=True))
        count += await thanked(reader)
    writer.close()
    return count


async def over_each(service: Service, sender: str, numbers: range) -> int:
    """Send these over a connection each; how many were thanked."""
    count = 0
    for number in numbers:
        reader, writer = await asyncio.open_connection(service.host, service.port, local_addr=(sender, 0))
        writer.write(call(number, kept=False))
        count += await thanked(reader)
        writer.close()
    return count


async def sent(
    service: Service, numbers: range, send: Callable[[Service, str, range], Awaitable[int]]
) -> tuple[int, float]:
    """Send these from all senders at once: how many were thanked, and how many a CPU second took in."""
    before = service.cpu()
    parts = [send(service, f"127.0.1.{one + 1}", numbers[one::SENDERS]) for one in range(SENDERS)]
    count = sum(await asyncio.gather(*parts))
    return count, count / (service.cpu() - before)


def main() -> int:
    """Send them; 1 where it is too slow, or a thanked ping is gone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pings", type=int, default=20_000, help="over kept connections")
    parser.add_argument("--single", type=int, default=6000, help="over one each")
    asked = parser.parse_args()
    last = asked.pings + asked.single
    with tempfile.TemporaryDirectory() as folder:
        with served(Path(folder)) as service:
            kept, fast = asyncio.run(sent(service, range(asked.pings), over_kept))
            each, slow = asyncio.run(sent(service, range(asked.pings, last), over_each))
        with open_archive(Path(folder), writing=False) as archive:
            inside = len(archive.store.pings.newest(last + 1, state="waiting"))
    print(f"kept connections: {fast:,.0f} pings a CPU second of the service (wanted {KEPT:,})")
    print(f"a connection each: {slow:,.0f} pings a CPU second of the service (wanted {EACH:,})")
    print(f"thanked {kept + each:,} of {last:,}; in the inbox {inside:,}")
    return int(fast < KEPT or slow < EACH or inside != kept + each or inside != last)


if __name__ == "__main__":
    sys.exit(main())
