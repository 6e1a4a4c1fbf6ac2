"""Measures what people wait for: every list of the API and every screen, with ten of them asking at once.

Two archives are made (bigarchive.py) and served by `blogforever serve`, one after the other: a small one, and one of
20,000 blogs and 300,000 posts. Everything is asked by ten clients that wait for nothing but their answers. Of each the
95th percentile of the large one must stay below its limit, and below three times the same of the small one.

On a machine that has other work to do, clocks say little: `--cpu` tells instead what each answer costs the process that
serves, asked by one client. Ten that ask at once wait for about ten times as long.

python tools/bench_api.py [--blogs 20000 --posts 300000] [--folder DIR] [--only TEXT] [--cpu]
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bigarchive import Size, blog_name, make_big
from blogforever.archive.opening import open_archive
from blogforever.portal.routes import SCREENS
from blogforever.service.tokens import create_token
from blogforever.storage.browsing import PostQuery
from blogforever.store.place import has_records

CLIENTS = 10
# Requests of each kind, of all clients together; those before are not counted: caches are cold once.
ASKED, BEFORE = 100, 20
LIST_LIMIT, PAGE_LIMIT = 0.150, 0.200
MOST_TIMES = 3.0
# Below this, three times as long is nothing that anybody waits for: the clock and the machine are heard.
FLOOR = 0.020
SMALL = Size(20, 100)
# Requests of which the costs are told together, and how often: the least counts, for other work only adds to it.
TOGETHER, TIMES = 10, 5
NANOSECONDS = 1e9
BATCH = "20260101000000000000-bench"
# Seconds in which an idle process uses no whole second of CPU, as `ps` counts them; and how often that is looked at.
WINDOW, MOST_WINDOWS = 4, 30
API = "/api/v1"
LISTS = (
    "/blogs",
    "/blogs?sort=-last_look",
    "/blogs?sort=title",
    "/blogs?status=failing&status=frozen",
    "/blogs?tag=all&sort=-total",
    "/blogs?list=list%203",
    "/blogs?platform=ghost",
    "/blogs?q=13",
    "/blogs?completeness=incomplete",
    "/blogs?completeness=complete&sort=-missing",
    "/blogs/{blog}/posts",
    "/blogs/{blog}/runs",
    "/blogs/{blog}/watched",
    "/blogs/{blog}/failures",
    "/posts",
    "/posts?full=1",
    "/posts?author=Author%203",
    "/posts?tag=band&tag=kert",
    "/posts?language=de&is=commented",
    "/posts?since=2018-01-01&until=2018-02-01",
    "/posts?q=band",
    "/posts?q=band%20kert",
    "/posts?q=band&language=de",
    "/posts?q=band&author=Author%203",
    "/posts?q=band&blog={blog}",
    "/posts?q=band&sort=newest",
    "/posts/{post}/comments",
    "/posts/{post}/versions",
    f"/sources?batch={BATCH}",
    "/batches",
    "/lists",
    "/blocked",
    "/jobs",
    "/jobs?state=waiting",
    "/system",
    "/review",
    "/review/summary",
    "/stats",
    "/audit",
    "/tokens",
    "/searches",
    "/tagrules",
    "/pingservers",
    "/filters",
)
# Screens that show no archive; what is posted to is not read.
NOT_MEASURED = ("/login",)


@dataclass(frozen=True, slots=True)
class Served:
    """A running service: where it answers, and who may ask."""

    host: str
    port: int
    token: str
    known: Mapping[str, str]
    pid: int


@contextmanager
def served(folder: Path, size: Size) -> Iterator[Served]:
    """The archive of this size, made where it is not there yet, behind its service."""
    if not has_records(folder):
        start = time.perf_counter()
        make_big(folder, size)
        print(f"made {size.blogs:,} blogs and {size.posts:,} posts in {time.perf_counter() - start:.0f} s", flush=True)
    with open_archive(folder, writing=True) as archive:
        token = create_token(archive.store, f"bench-{time.time_ns()}", "admin").secret
        post = archive.store.posts.page(PostQuery(blog=blog_name(3), limit=1)).items[0].id
    command = [str(Path(sys.executable).with_name("blogforever")), "serve", "--archive", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own command
        assert process.stdout
        address = urlsplit(process.stdout.readline().split()[-1])
        wait_until_idle(process.pid)
        try:
            known = {"blog": blog_name(3), "post": post, "batch": BATCH}
            yield Served(address.hostname or "", address.port or 0, token, known, process.pid)
        finally:
            process.terminate()


def wait_until_idle(pid: int) -> None:
    """Until what a service does when it starts is over: people ask one that has run for a while."""
    for _ in range(MOST_WINDOWS):
        before = cpu_seconds(pid)
        time.sleep(WINDOW)
        if cpu_seconds(pid) == before:
            return


def cpu_seconds(pid: int) -> float:
    """What a process has used so far."""
    told = subprocess.run(["ps", "-o", "cputimes=", "-p", str(pid)], check=True, capture_output=True, text=True)  # noqa: S603, S607  our own process
    return float(told.stdout)


def worked(service: Served, path: str) -> float:
    """The seconds of CPU that the process that serves needs for one answer."""
    connection = http.client.HTTPConnection(service.host, service.port, timeout=120)

    def ask() -> None:
        connection.request("GET", path, headers={"Authorization": f"Bearer {service.token}"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}")

    ask()
    costs = []
    for _ in range(TIMES):
        before = cpu_of_threads(service.pid)
        for _ in range(TOGETHER):
            ask()
        costs.append((cpu_of_threads(service.pid) - before) / TOGETHER)
    connection.close()
    return min(costs)


def cpu_of_threads(pid: int) -> float:
    """Seconds of CPU that the threads of a process have used so far, exactly; Linux tells it."""
    told = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(one.read_text().split()[0]) for one in told) / NANOSECONDS


def asked(service: Served, path: str) -> float:
    """The 95th percentile of the seconds that one kind of answer takes."""
    places = [(path, number) for number in range(ASKED + BEFORE)]
    taken: list[float] = []
    wrong: list[str] = []

    def client() -> None:
        connection = http.client.HTTPConnection(service.host, service.port, timeout=120)
        while places and not wrong:
            try:
                where, number = places.pop()
            except IndexError:
                break
            start = time.perf_counter()
            connection.request("GET", where, headers={"Authorization": f"Bearer {service.token}"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                wrong.append(f"{where} answered {answer.status}: {body[:200]!r}")
            if number < ASKED:
                taken.append(time.perf_counter() - start)
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise SystemExit(wrong[0])
    return sorted(taken)[int(len(taken) * 0.95)]


def questions(only: str) -> Iterator[tuple[str, float]]:
    """Every list and every screen, with its limit."""
    for path in LISTS:
        if only in API + path:
            yield API + path, LIST_LIMIT
    for screen in SCREENS:
        for path in screen.addresses:
            if path not in NOT_MEASURED and only in path:
                yield path, PAGE_LIMIT


def measured(folder: Path, size: Size, only: str, how: Callable[[Served, str], float]) -> dict[str, float]:
    """What is measured of one archive."""
    with served(folder, size) as service:
        found: dict[str, float] = {}
        for path, _limit in questions(only):
            try:
                address = path.format(**service.known)
            except KeyError:
                # What only the sample archive has.
                continue
            found[path] = how(service, address)
        return found


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blogs", type=int, default=20_000)
    parser.add_argument("--posts", type=int, default=300_000)
    parser.add_argument("--folder", type=Path, help="where the archives are kept for the next time")
    parser.add_argument("--only", default="", help="only paths that hold this")
    parser.add_argument("--cpu", action="store_true", help="seconds of CPU for each answer, not how long ten wait")
    given = parser.parse_args()
    how = worked if given.cpu else asked
    with tempfile.TemporaryDirectory() as spare:
        folder = given.folder or Path(spare)
        small = measured(folder / "small", SMALL, given.only, how)
        large = measured(folder / "large", Size(given.blogs, given.posts), given.only, how)
    too_slow = []
    for path, limit in questions(given.only):
        if path not in large:
            continue
        one, many = small[path], large[path]
        waited = many * (CLIENTS if given.cpu else 1)
        is_well = waited < limit and (many < MOST_TIMES * one or waited < FLOOR)
        too_slow += [] if is_well else [path]
        verdict = "" if is_well else "  TOO SLOW"
        print(f"{path:<60} {one * 1000:7.1f} ms {many * 1000:7.1f} ms  {many / one:5.1f} x{verdict}")
    print(json.dumps({"measured": len(large), "too slow": too_slow}))
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
