"""How long adding takes: many addresses from one XLSX, until each has its answer; then pages of what is followed.

python tools/bench_add.py [--rows 20000]
"""

from __future__ import annotations

import argparse
import io
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from openpyxl import Workbook

from blogforever.service.adding import AddRequest, add_sources, undo_batch
from blogforever.service.desk import Desk, opened_desk
from blogforever.service.lists import export_list
from blogforever.source.reading import given_in_file
from blogforever.storage.following import FollowedQuery, FollowedSort


def workbook(rows: int) -> io.BytesIO:
    """A list of blogs as a library has it."""
    book, out = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet("Blogs")
    sheet.append(["Blog URL", "Title", "Language", "Location", "Topic", "Author institution", "Tags"])
    for number in range(rows):
        host = f"https://blog{number}.example/" if number % 3 else f"https://host{number % 97}.example/~b{number}/"
        sheet.append([host, f"Blog {number}", "de", "Bern", "History", "ETH", "first; second"])
    book.save(out)
    out.seek(0)
    return out


def timed(what: str, work: Callable[[], object]) -> None:
    """Print what a piece of work costs."""
    wall, busy = time.perf_counter(), time.process_time()
    work()
    print(f"{what:<44} {time.perf_counter() - wall:8.3f} s  ({time.process_time() - busy:.3f} s of CPU)")


def add(desk: Desk, data: io.BytesIO) -> str:
    """Add the workbook; the id of its batch."""
    data.seek(0)
    return add_sources(desk, AddRequest(given_in_file(data), "bench.xlsx", "bench", ("t",))).batch.id


def reads_meanwhile(desk: Desk, work: Callable[[], object]) -> None:
    """Print how long a page of followed blogs takes in a thread of the same process while something is done."""
    done, taken = threading.Event(), list[float]()

    def read() -> None:
        while not done.is_set():
            start = time.perf_counter()
            desk.store.followed.page(FollowedQuery(limit=100))
            taken.append(time.perf_counter() - start)
            done.wait(0.02)

    reader = threading.Thread(target=read)
    reader.start()
    work()
    done.set()
    reader.join()
    taken.sort()
    figures = f"median {taken[len(taken) // 2] * 1000:.0f} ms, p95 {taken[int(len(taken) * 0.95)] * 1000:.0f} ms"
    print(f"{len(taken):,} pages read meanwhile: {figures}, longest {taken[-1] * 1000:.0f} ms")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    rows = parser.parse_args().rows
    data = workbook(rows)
    with tempfile.TemporaryDirectory() as folder, opened_desk(Path(folder) / "archive", "bench") as desk:
        timed(f"{rows:,} rows out of an XLSX", lambda: list(given_in_file(data)))
        timed("added, each with its answer (new)", lambda: reads_meanwhile(desk, lambda: add(desk, data)))
        batches: list[str] = []
        timed("added again (known)", lambda: batches.append(add(desk, data)))
        for sort in get_args(FollowedSort):
            query = FollowedQuery(sort=sort, descending=True, limit=100)
            timed(f"100 of them by {sort}", lambda query=query: desk.store.followed.page(query))  # type: ignore[misc]  # bound
        timed("100 of them with words", lambda: desk.store.followed.page(FollowedQuery(q="blog 1999")))
        timed("100 of a tag", lambda: desk.store.followed.page(FollowedQuery(tag="second", sort="created")))
        timed("all of them as OPML", lambda: export_list(desk.store, "bench", "opml", io.BytesIO()))
        timed("all of them as XLSX", lambda: export_list(desk.store, "bench", "xlsx", io.BytesIO()))
        timed("a batch of known ones undone", lambda: undo_batch(desk, batches[0]))


if __name__ == "__main__":
    main()
