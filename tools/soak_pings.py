"""The use case of the weblog spider, played: two days of a busy ping server, two filters, killed now and then.

    python tools/soak_pings.py [--share 1.0] [--kills 5] [--data DIR]

8 million pings over a simulated two days, 36,000 blogs under 2,000 service names that two filters select, 25,000 posts
processed: `--share 0.1` plays a tenth of it. Pings go the whole way: read as XML, sifted, kept, followed up, put into
the queue, taken out of it; only the fetching of a page is played. Exits with 1 where a blog or a ping is lost over a
kill -9, or where queue or memory grow beyond their bounds. Prints a table beside the figures of 2011.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from blogforever import clock
from blogforever.archive.bloglook import BlogLook, Learned
from blogforever.archive.opening import open_archive
from blogforever.ping.changes import ChangesReader
from blogforever.records import PostRecord
from blogforever.service.desk import Desk, desk_of
from blogforever.service.pinged import PingReceiver, follow_up
from blogforever.service.pings import FilterWish, ServerWish, add_server, change_server, keep_filter
from blogforever.service.scheduling import begun, enqueue_due, looked
from blogforever.storage.following import FollowedQuery
from blogforever.storage.pings import PingServer
from blogforever.storage.tables import Store
from blogforever.storage.work import JobRow

PINGS, BLOGS, SERVICES, POSTS = 8_000_000, 36_000, 2_000, 25_000
# Of so many pings one is of a blog that the filters select: 222,000 posts were announced in 2011.
SELECTED = 36
# Pings that come in one package.
PACKAGE = 10_000
# Every so many rows one that is broken.
BROKEN = 1000
BEGIN, LASTS = datetime(2011, 11, 22, tzinfo=UTC), timedelta(days=2)
# MiB that the process may have at most, whatever the share.
MOST_MEMORY = 600
WORKER = "soak"
FILTERS = (
    FilterWish("Blogs of 2011", "*service*.example/2011*", kind="wildcards"),
    FilterWish("Science", "science"),
)
# A prime, so that every blog has its turn, whatever the share.
STRIDE = 7919


@dataclass(slots=True)
class Progress:
    """How far it is; written after each package, so that a process that was killed goes on behind the last one."""

    package: int = 0
    posts: int = 0
    memory: float = 0.0
    queue: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, folder: Path) -> Progress:
        """As it was written last."""
        file = folder / "progress.json"
        return cls(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else cls()

    def write(self, folder: Path) -> None:
        """At once and whole, or not at all."""
        new = folder / "progress.new"
        new.write_text(json.dumps(asdict(self)), encoding="utf-8")
        new.replace(folder / "progress.json")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is played."""

    share: float

    @property
    def packages(self) -> int:
        """Packages of pings."""
        return max(1, round(PINGS * self.share / PACKAGE))

    @property
    def blogs(self) -> int:
        """Blogs that the filters select."""
        return round(BLOGS * self.share)

    @property
    def posts(self) -> int:
        """Posts that are processed."""
        return round(POSTS * self.share)

    def host(self, number: int) -> str:
        """The host of a blog that is selected: every second one by its year, the others by a word."""
        topic = "" if number % 2 else "-science"
        return f"b{number}{topic}.service{number % SERVICES}.example"

    def address(self, number: int) -> str:
        """What it pings."""
        return f"http://{self.host(number)}/{'2011/' if number % 2 else ''}"

    def rows(self, package: int) -> Iterator[str]:
        """The pings of a package, as a server writes them."""
        yield '<?xml version="1.0" encoding="utf-8"?>\n<weblogUpdates version="1">\n'
        for number in range(package * PACKAGE, (package + 1) * PACKAGE):
            url = f"http://n{number}.other{number % 997}.example/2012/"
            if number % SELECTED == 0:
                url = self.address(number // SELECTED * STRIDE % self.blogs)
            elif number % BROKEN == 1:
                yield "<weblog name=broken & url=<\n"
                continue
            yield f'<weblog name="Blog &amp; more" url="{url}" service="ping" ts="20111122T00:00:00Z" />\n'
        yield "</weblogUpdates>\n"


def play(folder: Path, size: Size) -> None:
    """Go on where the last process was; ends when everything is played."""
    progress = Progress.read(folder)
    start = progress.seconds - time.process_time()
    with open_archive(folder / "archive", writing=True) as archive:
        desk = desk_of(archive, "soak")
        server = the_server(desk)
        # As the service does with the jobs of a worker that is gone.
        archive.store.jobs.take_over({WORKER}, clock.stamp())
        receiver = PingReceiver(archive.store)
        while progress.package < size.packages:
            moment = BEGIN + LASTS * (progress.package / size.packages)
            with clock.handed_in(lambda: moment):  # noqa: B023  it is asked only here
                take_in(desk, receiver, server, size, progress)
                process(archive.store, size, progress)
            progress.package += 1
            progress.seconds = start + time.process_time()
            progress.memory = max(progress.memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            progress.write(folder)


def the_server(desk: Desk) -> PingServer:
    """The busy one, with its filters."""
    servers = desk.store.ping_servers.all()
    if servers and servers[0].is_on:
        return servers[0]
    if not desk.store.ping_filters.all():
        for wish in FILTERS:
            keep_filter(desk, wish)
    made = servers[0] if servers else add_server(desk, ServerWish("Busy", "changes", "http://ping.example/changes.xml"))
    return change_server(desk, made.id, is_on=True)


def take_in(desk: Desk, receiver: PingReceiver, server: PingServer, size: Size, progress: Progress) -> None:
    """Read a package, keep what leads to a look, and follow it up."""
    reader = ChangesReader()
    notices = reader.feed("".join(size.rows(progress.package)).encode())
    receiver.receive(server, notices, reader.malformed)
    while follow_up(desk):
        pass
    enqueue_due(desk.store)


def process(store: Store, size: Size, progress: Progress) -> None:
    """Carry out as many jobs as the machine of 2011 did in this time."""
    counts = store.jobs.counts()
    progress.queue = max(progress.queue, sum(number for (_, state), number in counts.items() if state == "waiting"))
    done = sum(number for (_, state), number in counts.items() if state == "done")
    wanted = round(size.posts * (progress.package + 1) / size.packages) - done
    if wanted > 0:
        # Of each kind its half: new blogs, and new posts of blogs that are known.
        first = store.jobs.take(WORKER, {"update": wanted // 2}, clock.stamp())
        jobs = [*first, *store.jobs.take(WORKER, {"harvest": wanted - len(first)}, clock.stamp())]
        for job in jobs:
            look(store, job)
        done += len(jobs)
    progress.posts = done


def look(store: Store, job: JobRow) -> None:
    """A look at a blog that has a new post."""
    url = f"http://{job.blog}/2011/11/post-{job.id}.html"
    with store.transaction():
        begun(store, job.blog)
        run, _ = store.runs.open(job.blog)
        published = clock.stamp()
        text = f"What was new on {job.blog}, the {job.id}th of all. " * 40
        store.posts.keep(
            run, PostRecord(id=f"{job.blog}-{job.id}", blog=job.blog, url=url, published=published, text=text)
        )
        looked(store, job, BlogLook("finished", f"http://{job.blog}/", job.blog, learned=Learned(found=1)))
        store.jobs.done(job.id, WORKER, "", clock.stamp())


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it, in the words of the table."""

    pings: int
    blogs: int
    posts: int
    queued: int
    lost: tuple[str, ...]


def outcome(folder: Path, size: Size) -> Outcome:
    """Compare what is kept with what was sent."""
    with open_archive(folder / "archive", writing=False) as archive:
        store = archive.store
        followed = {blog.id: blog for blog in store.followed.page(FollowedQuery(limit=10 * BLOGS)).items}
        sent = {size.host(number): size.address(number) for number in range(size.blogs)}
        ours = {urlsplit(blog.url).hostname: blog for blog in followed.values()}
        lost = [f"{host} was pinged and is not followed" for host in sent if host not in ours]
        lost += [f"{host} is followed and no filter selected it" for host in ours if host not in sent]
        waiting = store.pings.waiting(10)
        lost += [f"the ping of {row.url} still waits" for row in waiting]
        busy = store.jobs.busy(("harvest", "update"))
        unseen = (blog.id for blog in followed.values() if not blog.last_look and blog.id not in busy)
        lost += [f"{blog} was never looked at, and nobody will" for blog in unseen]
        counts = store.jobs.counts()
        states = {name: sum(n for (_, state), n in counts.items() if state == name) for name in ("done", "waiting")}
        received = sum(one.number for one in store.counters.sums("2011", "2012", 4) if one.label.endswith("/received"))
        return Outcome(received, len(followed), states["done"], states["waiting"], tuple(lost))


def play_to_the_end(folder: Path, size: Size, kills: int) -> int:
    """Have a process play it, and kill it as often; how often it was killed."""
    chance, killed = random.Random(size.packages), 0  # noqa: S311  repeatable
    moments = sorted(chance.randrange(1, size.packages) for _ in range(min(kills, size.packages - 1)))
    while Progress.read(folder).package < size.packages:
        again = [sys.executable, __file__, "--child", "--share", str(size.share), "--data", str(folder)]
        child = subprocess.Popen(again)  # noqa: S603  ourselves
        while child.poll() is None:
            time.sleep(0.2)
            if killed < len(moments) and Progress.read(folder).package >= moments[killed]:
                child.send_signal(signal.SIGKILL)
                child.wait()
                killed += 1
        if child.returncode not in (0, -signal.SIGKILL):
            raise SystemExit(f"it ended with {child.returncode}")
    return killed


def table(progress: Progress, came: Outcome, killed: int, size: Size) -> None:
    """Ours beside the seed's."""
    lines = [
        ("pings evaluated", "8,000,000", f"{came.pings:,}"),
        ("distinct blogs selected", "36,000", f"{came.blogs:,}"),
        ("posts processed", "25,000", f"{came.posts:,}"),
        ("queued", "197,000 posts", f"{came.queued:,} looks"),
        ("longest queue", "not told", f"{progress.queue:,}"),
        ("memory", "4 GB machine", f"{progress.memory:.0f} MiB"),
        ("processor", "2 days of two", f"{progress.seconds:.0f} s of one"),
        ("kills survived", "not told", f"{killed}"),
    ]
    print(f"{'':26}{'2011':>16}{f'here ({size.share:g})':>20}")
    for name, then, now in lines:
        print(f"{name:26}{then:>16}{now:>20}")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="of everything")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--data", type=Path, default=Path("out/soak_pings"), help="where the archive is kept")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    size = Size(given.share)
    if given.child:
        play(given.data, size)
        return 0
    folder: Path = given.data.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    killed = play_to_the_end(folder, size, given.kills)
    progress, came = Progress.read(folder), outcome(folder, size)
    table(progress, came, killed, size)
    broken = list(not_held(progress, came, size))
    for sentence in broken:
        print(f"not held: {sentence}")
    return int(bool(broken))


def not_held(progress: Progress, came: Outcome, size: Size) -> Iterator[str]:
    """What was promised and is not so."""
    yield from came.lost[:10]
    if came.posts != size.posts:
        yield f"{came.posts:,} posts were processed, not {size.posts:,}"
    if progress.queue > size.blogs:
        yield f"{progress.queue:,} jobs waited, for {size.blogs:,} blogs"
    if progress.memory > MOST_MEMORY:
        yield f"it took {progress.memory:.0f} MiB; {MOST_MEMORY} are promised"


if __name__ == "__main__":
    sys.exit(main())
