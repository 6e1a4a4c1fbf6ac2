"""How long adding takes: many addresses from one XLSX, until each has its answer, over the API and what others wait for
theirs meanwhile; then without it, with pages of what is followed.

python tools/bench_add.py [--rows 20000]
"""

from __future__ import annotations

import argparse
import io
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

from openpyxl import Workbook

from blogforever.service.adding import AddRequest, add_sources, undo_batch
from blogforever.service.desk import Desk, opened_desk
from blogforever.service.jobs import pause_part
from blogforever.service.lists import export_list
from blogforever.service.tokens import create_token
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


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, str]]:
    """A service of this archive that looks at nothing: its host, its port, a token."""
    with opened_desk(folder, "bench") as desk:
        secret = create_token(desk.store, "bench", "admin").secret
        pause_part(desk.store, "scheduler", "bench")
        pause_part(desk.store, "workers", "bench")
    command = (sys.executable, "-m", "blogforever", "serve", "--archive", str(folder), "--port", "0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:  # noqa: S603  ourselves
        assert service.stdout
        address = urlsplit(service.stdout.readline().split()[-1])
        try:
            yield address.hostname or "", address.port or 0, secret
        finally:
            service.send_signal(signal.SIGTERM)


def over_the_api(rows: int, data: io.BytesIO) -> None:
    """Print how long it takes to add the workbook over HTTP, and how long others wait for their answers meanwhile."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "archive") as (host, port, secret):
        headers = {"Authorization": f"Bearer {secret}"}
        done, taken = threading.Event(), list[float]()

        def asked(method: str, path: str, body: bytes | None = None) -> None:
            connection = HTTPConnection(host, port, timeout=600)
            connection.request(method, f"/api/v1{path}", body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status < 300, (path, answer.status)
            connection.close()

        def read() -> None:
            for path in cycle(("/blogs?limit=100", "/jobs?limit=100", "/system", "/batches")):
                if done.is_set():
                    return
                start = time.perf_counter()
                asked("GET", path)
                taken.append(time.perf_counter() - start)
                done.wait(0.02)

        reader = threading.Thread(target=read)
        start = time.perf_counter()
        reader.start()
        asked("POST", "/sources/file?name=bench.xlsx&list=bench", data.getvalue())
        seconds = time.perf_counter() - start
        done.set()
        reader.join()
    taken.sort()
    p95 = taken[int(len(taken) * 0.95)]
    print(f"{rows:,} rows added over the API{seconds:28.3f} s (wanted: < 60)")
    print(
        f"{len(taken):,} answers meanwhile: median {taken[len(taken) // 2] * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms"
        f" (wanted: < 100), longest {taken[-1] * 1000:.0f} ms"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    rows = parser.parse_args().rows
    data = workbook(rows)
    over_the_api(rows, data)
    with tempfile.TemporaryDirectory() as folder, opened_desk(Path(folder) / "archive", "bench") as desk:
        timed(f"{rows:,} rows out of an XLSX", lambda: list(given_in_file(data)))
        timed("added, each with its answer (new)", lambda: add(desk, data))
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
