"""A million blogs on N machines: what they ask of workers, engine, server and services; checked by a real run.

    python tools/simulate_fleet.py [--blogs 1000000] [--sample 400] [--days 14] [--write]

1. The schedule itself says how often blogs with the rhythms of ../shared/lab/webbox are looked at (as in
   `bench_schedule.py`), and the box which of them share a service.
2. A real run measures what harvests cost: `blogforever worker` on a real PostgreSQL with blogs on loopback. What a look
   at an unchanged blog costs, and what the engine does, are figures of `bench_update.py` and `bench_engine.py`.
3. The simulation of slots and budgets is compared with real runs of one and two workers: within 15 %.
4. The limits of fleets of 1 to 64 machines, and which comes first. `--write` makes docs/fleet.md and docs/fleet.svg.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, text

from bench_schedule import BOX, START, Measured, play
from benchfigure import BOTTOM, COLOURS, HEIGHT, LEFT, WIDTH
from blogforever.archive.opening import open_archive
from blogforever.service.scheduling import enqueue_due
from blogforever.store.database import DRIVER
from blogforever.store.place import settle
from fleetmodel import DAY, MILLION, Costs, Demand, Limit, Machines, SimulatedJob, blogs_within, limits, makespan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from server.blogserver import Answers, routes, serve_answers
from server.postgres import bare_database
from server.service import COMMAND, follow, until

DOCS = Path(__file__).resolve().parents[1] / "docs"
# Seconds of a processor and requests of a look at an unchanged blog, as `bench_update.py` prints them; jobs a second
# with 100,000 queued, as `bench_engine.py` prints them.
LOOK_CPU, LOOK_REQUESTS, JOBS_A_SECOND = 0.044, 4.0, 159.0
# Bytes of WARC that four answers "nothing new" take.
LOOK_WARC = 4 * 1_200.0
# Seconds between requests, and jobs at a time, of the runs that are compared.
DELAY, SLOTS = 0.5, 3
ROUNDS = 4
MOST_APART = 0.15
# What fleets are made of, unless said otherwise: cores of a machine, connections that a server allows, and how a
# service is asked.
CORES, CONNECTIONS, SERVICE_DELAY, AT_ONCE = 8, 500, 1.0, 2
FLEETS = (1, 2, 4, 8, 16, 32, 64)
# Dollars, as large providers ask: an hour of a core, a month of a gigabyte in a bucket.
CORE_HOUR, GIGABYTE_MONTH = 0.04, 0.023
COMMITS = 200
INTRODUCTION = (
    "`python tools/simulate_fleet.py --write` writes this page. How often blogs are looked at says the",
    "schedule itself, played over the rhythms of a web in a box. What harvests cost was measured in a real",
    "run: worker, server and made-up blogs with short pages on one shared machine of two cores; what a look at",
    "an unchanged blog costs and what the engine does, by `bench_update.py` and `bench_engine.py`. Ratios say",
    "more than seconds. Lower bounds are: bytes and prices, because pages of real blogs are larger; the",
    "writer's share, because the server of this run does not wait for its disk; and connections, which were",
    "counted before a worker had work.",
)


@dataclass(slots=True)
class Run:
    """What a real run of some harvests showed."""

    blogs: int
    requests: int
    seconds: float
    of_blog: float
    cpu: float
    posts: int
    warc: int
    rows: int
    bytes: int
    connections: float
    commit: float
    commits: float


@contextmanager
def blogs_served(number: int, seen: dict[str, list[float]]) -> Iterator[list[str]]:
    """Blogs on loopback, each at an address of its own, so that each has its own budget; `seen` hears of requests."""

    def made(base: str) -> Answers:
        pages = routes(base)

        def answer(path: str) -> object:
            seen.setdefault(base, []).append(time.monotonic())
            return pages.get(path)

        return answer  # type: ignore[return-value]

    with ExitStack() as stack:
        yield [stack.enter_context(serve_answers(made, host=f"127.0.1.{n + 1}")).base for n in range(number)]


@contextmanager
def worker(archive: Path) -> Iterator[subprocess.Popen[str]]:
    """One machine at work."""
    command = [str(COMMAND), "worker", "--archive", str(archive), "--allow-private", "--render", "never"]
    command += ["--delay", str(DELAY), "--harvests", str(SLOTS), "--queue", "harvest"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, process_group=0) as process:  # noqa: S603  our own
        if not process.stdout or not process.stdout.readline().startswith("Working for"):
            raise SystemExit("the worker did not start")
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def harvested(number: int, workers: int) -> Run:
    """Harvest so many blogs with so many workers, and measure."""
    seen: dict[str, list[float]] = {}
    with TemporaryDirectory() as spare, bare_database(f"fleet{workers}_{number}") as url, ExitStack() as stack:
        folder = Path(spare, "archive")
        settle(folder, url)
        archive = stack.enter_context(open_archive(folder, writing=True))
        engine = create_engine(url.set(drivername=DRIVER), isolation_level="AUTOCOMMIT")
        server = stack.enter_context(engine.connect())
        bases = stack.enter_context(blogs_served(number, seen))
        before, children = _committed(server), os.times()
        with ExitStack() as machines:
            for _ in range(workers):
                machines.enter_context(worker(folder))
            idle = _connected(server)
            follow(folder, *bases)
            enqueue_due(archive.store)
            until(lambda: archive.store.followed.counts() == {"following": number})
        after = os.times()
        posts = sum(1 for blog in archive.library.blogs() for _post in archive.library.posts(blog.id))
        spent = after.children_user + after.children_system - children.children_user - children.children_system
        tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        names = [row[0] for row in server.execute(text(tables))]
        counts = [f'SELECT count(*) FROM "{name}"' for name in names]  # noqa: S608  our own tables
        rows = sum(int(server.execute(text(count)).scalar() or 0) for count in counts)
        size = sum(
            int(server.execute(text(f"SELECT pg_total_relation_size('\"{name}\"')")).scalar() or 0) for name in names
        )
        empty = 8192 * 3 * len(names)
        warc = sum(path.stat().st_size for path in (folder / "warc").rglob("*.warc.gz*"))
        run = Run(
            number,
            sum(map(len, seen.values())),
            max(map(max, seen.values())) - min(map(min, seen.values())),
            sum(times[-1] - times[0] for times in seen.values()) / number,
            spent,
            posts,
            warc,
            rows,
            max(0, size - empty),
            idle / workers,
            _commit_seconds(server),
            (_committed(server) - before) / number,
        )
        server.close()
        engine.dispose()
    return run


def _committed(server: object) -> int:
    query = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
    return int(server.execute(text(query)).scalar() or 0)  # type: ignore[attr-defined]


def _connected(server: object) -> float:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    return float(server.execute(text(query)).scalar() or 0)  # type: ignore[attr-defined]


def _commit_seconds(server: object) -> float:
    """What a short transaction that writes takes on this server."""
    execute = server.execute  # type: ignore[attr-defined]
    execute(text("CREATE TABLE IF NOT EXISTS commits (n INTEGER)"))
    begun = time.perf_counter()
    for number in range(COMMITS):
        execute(text("INSERT INTO commits VALUES (:n)"), {"n": number})
    return (time.perf_counter() - begun) / COMMITS


def demanded(blogs: int, sample: int, days: int) -> Demand:
    """What the schedule makes of blogs with the rhythms of the box."""
    sys.path.insert(0, str(BOX))
    world = import_module("world").World(sample, START.timestamp(), "webbox")
    by_rhythm: dict[str, Measured] = defaultdict(Measured)
    services: Counter[str] = Counter()
    for blog in world.blogs():
        if blog.kind == "blog":
            play(blog, world, days, by_rhythm[blog.rhythm])
            services[blog.service] += 1
    number = sum(one.blogs for one in by_rhythm.values())
    scale = blogs / number / days
    looks, posts = (sum(getattr(one, name) for one in by_rhythm.values()) for name in ("looks", "posts"))
    return Demand(blogs, looks * scale, posts * scale, services.most_common(1)[0][1] / number)


def costs_of(run: Run) -> Costs:
    """What a real run says of one post, with what other tools measured of a look."""
    return Costs(
        look_cpu=LOOK_CPU,
        look_requests=LOOK_REQUESTS,
        post_cpu=run.cpu / run.posts,
        post_warc=run.warc / run.posts,
        post_rows=run.rows / run.posts,
        post_bytes=run.bytes / run.posts,
        look_warc=LOOK_WARC,
        # A look writes when it is taken, when it ends, and its answers in one batch.
        look_write=3 * run.commit,
        jobs_a_second=JOBS_A_SECOND,
        connections=run.connections,
    )


def compared(calibrated: Run, real: Run, workers: int) -> tuple[float, float]:
    """Seconds as simulated and as they were."""
    a_blog = calibrated.requests / calibrated.blogs
    answer = max(0.0, calibrated.of_blog / (a_blog - 1) - DELAY)
    rounds = calibrated.blogs / SLOTS
    ending = max(0.0, (calibrated.seconds - rounds * calibrated.of_blog) / max(1.0, rounds - 1))
    jobs = [SimulatedJob(round(a_blog), str(number)) for number in range(real.blogs)]
    # The last job's end is not seen by the blogs, and its first request waits for nothing.
    return makespan(jobs, SLOTS * workers, DELAY, answer, ending) - ending - answer, real.seconds


def report(demand: Demand, costs: Costs, checks: list[tuple[int, float, float]]) -> str:
    """The page."""
    looks, posts = demand.looks / DAY, demand.posts / DAY
    warc = demand.looks * costs.look_warc + demand.posts * costs.post_warc
    cores = looks * costs.look_cpu + posts * costs.post_cpu
    pages = demand.posts / MILLION
    dollars = cores * 24 * CORE_HOUR / pages + costs.post_warc * MILLION / 1e9 * GIGABYTE_MONTH
    one, two = checks[0][2], checks[1][2]
    lines = [
        "# A million blogs",
        "",
        *INTRODUCTION,
        "",
        f"| {demand.blogs:,} blogs ask for | |",
        "|---|---|",
        f"| looks a day, a second | {demand.looks:,.0f}, {looks:.1f} |",
        f"| new posts a day | {demand.posts:,.0f} |",
        f"| requests a second | {looks * costs.look_requests + posts:.0f} |",
        f"| cores that are busy | {cores:.1f} |",
        f"| seconds of a core, rows and bytes of the database for a post | {costs.post_cpu:.2f} s, "
        f"{costs.post_rows:.0f}, {costs.post_bytes:,.0f} |",
        f"| WARC a day | {warc / 1e9:,.1f} GB |",
        f"| connections of a worker | {costs.connections:.0f} |",
        f"| a million new posts cost | {dollars:,.2f} $ (core {CORE_HOUR} $ an hour, GB {GIGABYTE_MONTH} $ a month) |",
        "",
        f"Machines have {CORES} cores with a worker each, the server allows {CONNECTIONS} connections, a service is",
        f"asked {AT_ONCE} times at once with {SERVICE_DELAY:g} s between requests. How much of each is used (above 1",
        "it does not suffice), and for how many blogs the tightest suffices:",
        "",
    ]
    names = sorted(limit.name for limit in limits(demand, costs, fleet(1)))
    lines += [f"| machines | {' | '.join(names)} | first limit | blogs |", "|" + "---|" * (len(names) + 3)]
    for number in FLEETS:
        found = limits(demand, costs, fleet(number))
        shares = {limit.name: f"{limit.share:.2f}" for limit in found}
        cells = " | ".join(shares[name] for name in names)
        lines.append(f"| {number} | {cells} | {found[0].name} | {blogs_within(demand, found[0]):,.0f} |")
    lines += ["", "![Blogs that each limit suffices for, by machines](fleet.svg)", "", "## Held against real runs", ""]
    lines += ["| workers | simulated | real | |", "|---|---|---|---|"]
    lines += [f"| {n} | {a:.1f} s | {b:.1f} s | {a / b - 1:+.1%} |" for n, a, b in checks]
    lines += [
        "",
        f"Two workers were {one / two:.2f} times as fast as one: {SLOTS} harvests at a time each, and a delay of",
    ]
    lines += [f"{DELAY:g} s between requests to a blog."]
    return "\n".join(lines) + "\n"


def fleet(number: int) -> Machines:
    """So many machines."""
    return Machines(number, CORES, CONNECTIONS, SERVICE_DELAY, AT_ONCE)


def drawing(demand: Demand, costs: Costs) -> str:
    """For how many blogs each limit suffices, by the number of machines, as SVG; both axes grow by doubling."""
    by_name: dict[str, list[Limit]] = defaultdict(list)
    for number in FLEETS:
        for limit in limits(demand, costs, fleet(number)):
            by_name[limit.name].append(limit)
    lowest, highest = 1e4, 1e9
    right, top = WIDTH - 20, 20

    def place(step: int, blogs: float) -> str:
        from math import log  # noqa: PLC0415  only drawings need it

        up = log(min(max(blogs, lowest), highest) / lowest) / log(highest / lowest)
        x = LEFT + (right - LEFT) * step / (len(FLEETS) - 1)
        return f"{x:.1f},{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - top) * up:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"',
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">machines</text>',
        '<text x="8" y="14">blogs that it suffices for</text>',
    ]
    for blogs in (1e4, 1e5, 1e6, 1e7, 1e8, 1e9):
        x, y = place(0, blogs).split(",")
        parts.append(f'<path d="M{x} {y}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y}" text-anchor="end">{blogs:.0e}</text>')
    for step, number in enumerate(FLEETS):
        x = place(step, lowest).split(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - 30}" text-anchor="middle">{number}</text>')
    for order, (name, found) in enumerate(sorted(by_name.items())):
        colour = (*COLOURS, "#555")[order % (len(COLOURS) + 1)]
        points = " ".join(place(step, blogs_within(demand, limit)) for step, limit in enumerate(found))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + 8}" y="{top + 14 * (order + 1)}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    """Command line; 1 where simulation and real run are too far apart."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--blogs", type=int, default=MILLION)
    options.add_argument("--sample", type=int, default=400)
    options.add_argument("--days", type=int, default=14)
    options.add_argument("--write", action="store_true")
    told = options.parse_args()
    if not BOX.is_dir():
        print("There is no ../shared/lab/webbox here, so nothing says how often blogs publish.", file=sys.stderr)
        return 0
    demand = demanded(told.blogs, told.sample, told.days)
    calibrated = harvested(2 * SLOTS, 1)
    checks = []
    for workers in (1, 2):
        real = harvested(ROUNDS * SLOTS, workers)
        checks.append((workers, *compared(calibrated, real, workers)))
    page = report(demand, costs_of(calibrated), checks)
    print(page)
    if told.write:
        (DOCS / "fleet.md").write_text(page, encoding="utf-8")
        (DOCS / "fleet.svg").write_text(drawing(demand, costs_of(calibrated)), encoding="utf-8")
    far = [n for n, simulated, real in checks if abs(simulated / real - 1) > MOST_APART]
    print(f"more than {MOST_APART:.0%} apart: {far or 'none'}")
    return 1 if far else 0


if __name__ == "__main__":
    sys.exit(main())
