"""Measures how fast responses are written to WARC files: megabytes of body a second, one core; fails below 80."""

from __future__ import annotations

import random
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

from blogforever.protocols import Exchange
from blogforever.store.warc import WarcWriter

FLOOR = 80.0
PAGES, SIZE = 1500, 80_000
WORDS = 4000
HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("Server", "bench"))


def page(chance: random.Random, words: list[str]) -> bytes:
    """A page of prose in mark-up, which packs about as well as blogs do."""
    paragraphs = (f"<p class='entry'>{' '.join(chance.choices(words, k=60))}</p>\n" for _ in range(SIZE // 420))
    return "".join(paragraphs).encode()


def bodies() -> list[bytes]:
    """Bodies that differ, made before the clock runs."""
    chance = random.Random(1)  # noqa: S311  the same pages each time
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(WORDS)]
    return [page(chance, words) for _ in range(100)]


def main() -> int:
    """Command line."""
    pages = bodies()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        writer = WarcWriter(root / "warc", root, {"software": "bench"})
        wall, cpu = perf_counter(), process_time()
        for number in range(PAGES):
            body = pages[number % len(pages)]
            url = f"https://bench.example/{number}/"
            writer.write(Exchange(url, "GET", (), 200, "OK", HEADERS, body, datetime.now(UTC), "192.0.2.1"))
        writer.close()
        wall, cpu = perf_counter() - wall, process_time() - cpu
        written = sum(path.stat().st_size for path in (root / "warc").iterdir())
    size = sum(len(pages[number % len(pages)]) for number in range(PAGES)) / 1e6
    print(f"{size:.0f} MB of bodies in {cpu:.2f} s CPU ({wall:.2f} s): {size / cpu:.0f} MB/s")
    print(f"packed to {written / 1e6:.0f} MB")
    return 0 if size / cpu >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
