"""How many pings a second one core sorts: changes.xml of a million pings, nested filters, a million known hosts.

    python tools/bench_pings.py [--pings 1000000] [--known 1000000]

Prints pings per CPU second, with reading, filters, counters and reasons, and the memory they took beside the hosts.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from blogforever.ping.changes import ChangesReader
from blogforever.ping.filters import FilterTree, PingFilter
from blogforever.ping.sieve import Sieve

# What the issue asks for: pings per second on one core.
BOUND = 120_000
# Growth of memory over all pings, in MiB: what is remembered of the last ones, and nothing else.
MOST_MEMORY = 150
PIECE = 65_536
# Every so many rows one that is broken.
BROKEN_EVERY = 1000
FILTERS = (
    PingFilter("1", "Platforms", r"\.(blogspot|wordpress|typepad)\.example/", kind="expression"),
    PingFilter("2", "This year", "*/2011/*", kind="wildcards", parent="1"),
    PingFilter("3", "Science", "science physics biology", parent="2"),
    PingFilter("4", "No shops", "casino viagra", excludes=True, parent="3"),
    PingFilter("5", "By name", "daily weekly", subject="name", parent="3"),
)
PLATFORMS = ("blogspot.example", "wordpress.example", "own.example", "typepad.example", "other.example")
TOPICS = ("science", "garden", "physics", "casino-science", "daily", "travel", "music")


def rows(count: int) -> Iterator[bytes]:
    """Pings as a server streams them, some of them broken."""
    yield b'<?xml version="1.0" encoding="utf-8"?>\n<weblogUpdates version="1" time="20111122T00:00:00Z">\n'
    for number in range(count):
        if number % BROKEN_EVERY == BROKEN_EVERY - 1:
            yield b'<weblog name="a & b" url=broken <<\n'
            continue
        host = f"{TOPICS[number % len(TOPICS)]}-{number}.{PLATFORMS[number % len(PLATFORMS)]}"
        name = "The daily blog" if number % 3 else "Notes &amp; more"
        url = f"http://{host}/2011/11/post-{number}"
        yield f'<weblog name="{name}" url="{url}" service="ping" ts="20111122T00:00:00Z" />\n'.encode()


def pieces(stream: bytes) -> Iterator[bytes]:
    """As they come from a connection."""
    for begin in range(0, len(stream), PIECE):
        yield stream[begin : begin + PIECE]


def memory() -> float:
    """The memory of this process at this moment, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> int:
    """Sort them; 1 where it is too slow or takes too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pings", type=int, default=1_000_000)
    parser.add_argument("--known", type=int, default=1_000_000)
    asked = parser.parse_args()
    known = {f"{TOPICS[number % len(TOPICS)]}-{number * 7}.own.example" for number in range(asked.known)}
    stream = b"".join(rows(asked.pings))
    reader, sieve = ChangesReader(), Sieve(FilterTree(FILTERS), known)
    dropped: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    received = known_ones = let_in = 0
    before, begun = memory(), time.process_time()
    most = before
    for number, piece in enumerate(pieces(stream)):
        sifted = sieve.sift(reader.feed(piece), float(number))
        received += sifted.received
        known_ones += len(sifted.known)
        let_in += len(sifted.unknown)
        dropped.update(sifted.dropped)
        hits.update(sifted.hits)
        most = max(most, memory())
    seconds, grown = time.process_time() - begun, most - before
    speed = received / seconds
    print(f"{received:,} pings ({len(stream) / 1e6:.0f} MB), {len(known):,} known hosts, {len(FILTERS)} filters")
    print(f"{speed:,.0f} pings a CPU second (wanted {BOUND:,}); memory grew by {grown:.0f} MiB (at most {MOST_MEMORY})")
    print(f"known {known_ones:,}, let in {let_in:,}, malformed {reader.malformed:,}, hits {dict(sorted(hits.items()))}")
    for reason, count in dropped.most_common():
        print(f"  {count:>9,}  {reason}")
    return int(speed < BOUND or grown > MOST_MEMORY)


if __name__ == "__main__":
    sys.exit(main())
