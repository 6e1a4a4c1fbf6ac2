"""Four machines' workers, a service and a PostgreSQL against a web in a box: kill, stop, cut; nothing is lost or twice.

    python tools/failover.py [--hosts 12] [--days 0.5] [--speed 1200] [--every 30] [--outages 1] [--cuts 1]

Needs ../shared/lab/webbox and PostgreSQL. The service leaves the work to four `blogforever worker`, each a process
group of its own, as machines that share the archive folder; what a lock file tells is taken away, so that only signs of
life speak. While the days pass, a worker is killed (`kill -9`) every so many seconds and another one started in its
place, the database is stopped and started, and all connections to it are cut. Exits with 1 where a record is missing,
twice or wrong, a job of a killed worker was not taken over within a minute, or the archive is not sound.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sqlalchemy import create_engine, text

from blogforever.archive.checking import verify
from blogforever.errors import ArchiveError
from blogforever.storage.work import JobFilter, WorkerRow
from blogforever.store.database import DRIVER, postgres_url
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import LOCKS
from blogforever.store.lock import WORKERS
from blogforever.store.place import settle
from labblog import free_ports
from labpostgres import LabPostgres
from webbox import COMMAND, SERVICES, Box, ServiceUnderTest, after, check, is_followed, wait_for, wait_for_harvest

MACHINES = 4
# Seconds within which a job of a killed worker must be with another one, or wait for one.
TAKEN_OVER = 60.0
# Seconds that the database stays away, and that a machine has to begin with work.
AWAY, BEGINS = 5.0, 120.0
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"


@dataclass
class Machine:
    """One more machine: `blogforever worker`, and the process that it started to work."""

    process: subprocess.Popen[bytes]

    def working(self) -> int | None:
        """The process that works, if there is one now."""
        pid = self.process.pid
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        except OSError:
            return None
        return int(children[0]) if children else None


@dataclass
class Fleet:
    """A service and its machines, and what happened to them."""

    service: ServiceUnderTest
    server: LabPostgres
    url: str
    chance: random.Random
    machines: list[Machine] = field(default_factory=list)
    takeovers: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def add_machine(self) -> None:
        """One more."""
        box = self.service.box
        environment = os.environ | {"SSL_CERT_FILE": str(box.data / "ca.pem")}
        environment["BLOGFOREVER_CLOCK"] = f"{box.control}/now"
        command = [str(COMMAND), "worker", "--archive", str(self.service.archive), "--database", self.url]
        command += ["--proxy", f"http://127.0.0.1:{box.port}", "--render", "never", "--delay", "0.1", "--harvests", "4"]
        with self.service.log.open("ab") as log:
            started = subprocess.Popen(command, env=environment, stdout=log, stderr=log, process_group=0)  # noqa: S603  our own command
        self.machines.append(Machine(started))

    def workers(self) -> dict[int, WorkerRow]:
        """The workers that live, by their process."""
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            return {row.pid: row for row in archive.store.workers.rows()}

    def kill_one(self) -> None:
        """`kill -9` of a machine, the busiest more likely than others; how long its jobs were nobody's."""
        known = self.workers()
        able = [machine for machine in self.machines if machine.working() in known]
        if not able:
            self.note("no machine works yet")
            return
        weights = [1 + known[pid].running for machine in able if (pid := machine.working()) is not None]
        machine = self.chance.choices(able, weights)[0]
        pid = machine.working()
        assert pid is not None
        # Who would start another one there must not, and must not tell this one to end.
        machine.process.send_signal(signal.SIGSTOP)
        os.kill(pid, signal.SIGKILL)
        machine.process.kill()
        machine.process.wait()
        name, begun = known[pid].name, time.monotonic()
        (self.service.archive / LOCKS / WORKERS / name).unlink(missing_ok=True)
        self.machines.remove(machine)
        held = self.held_by(name)
        self.add_machine()
        wait_for(lambda: not self.held_by(name), f"the jobs of {name}", 10 * TAKEN_OVER)
        if held:
            self.takeovers.append(time.monotonic() - begun)
        self.note(f"killed a machine with {held} jobs; they were taken over after {time.monotonic() - begun:.0f} s")

    def held_by(self, name: str) -> int:
        """How many jobs are under way with this worker."""
        with ArchiveFolder(self.service.archive, writing=False) as archive:
            running = archive.store.jobs.newest(JobFilter(state="running"), 10_000)
            return sum(job.worker == name for job in running)

    def stop_server(self) -> None:
        """Stop the database and start it again, by turns in good order and as if its machine had fallen."""
        how = self.chance.choice(("fast", "immediate"))
        self.server.stop(how)
        time.sleep(AWAY)
        self.server.start()
        self.note(f"stopped the database ({how}) and started it")
        self.go_on()

    def cut(self) -> None:
        """Cut every connection to the database."""
        engine = create_engine(postgres_url(self.url).set(drivername=DRIVER))
        with engine.begin() as connection:
            number = len(connection.execute(text(CUT)).all())
        engine.dispose()
        self.note(f"cut {number} connections")
        self.go_on()

    def go_on(self) -> None:
        """What ended by itself is started again, as an operator's system does."""
        assert self.service.process
        if self.service.process.poll() is not None:
            self.note("the service had ended, and is started again")
            self.service.start()
        for machine in [one for one in self.machines if one.process.poll() is not None]:
            self.note("a machine had ended, and another one is started")
            self.machines.remove(machine)
            self.add_machine()

    def note(self, what: str) -> None:
        """Say it, and keep it."""
        self.told.append(what)
        print(f"  {self.service.box.moment()}: {what}", flush=True)

    def end(self) -> list[int]:
        """Drain all machines; their exit codes."""
        for machine in self.machines:
            machine.process.terminate()
        return [machine.process.wait(300) for machine in self.machines]


def play(fleet: Fleet, seconds: float, given: argparse.Namespace) -> None:
    """Let the days pass, with everything that can happen in between."""
    events: list[tuple[float, Callable[[], None]]] = []
    events += [(moment, fleet.kill_one) for moment in range(int(given.every), int(seconds), int(given.every))]
    events += [(fleet.chance.uniform(0.1, 0.9) * seconds, fleet.stop_server) for _ in range(given.outages)]
    events += [(fleet.chance.uniform(0.1, 0.9) * seconds, fleet.cut) for _ in range(given.cuts)]
    begun = time.monotonic()
    for moment, happen in sorted(events, key=lambda event: event[0]):
        while (rest := moment - (time.monotonic() - begun)) > 0:
            time.sleep(min(rest, 10))
        happen()
    time.sleep(max(0.0, seconds - (time.monotonic() - begun)))


def quiet(service: ServiceUnderTest) -> bool:
    """Whether nothing waits or runs."""
    try:
        return service.standing()[1] == 0
    except ArchiveError:
        return False


def judged(fleet: Fleet, place: Path, since: str, until: str, given: argparse.Namespace) -> list[str]:
    """What was promised and not held."""
    whole = check(fleet.service, place, since, until, given)
    for name, value in whole.told.items():
        print(f"{name}: {value}")
    broken = ["check.py finds something wrong"] if whole.is_wrong else []
    broken += [f"{whole.told['twice']['n']} records are there twice"] if whole.told["twice"]["n"] else []
    broken += [f"a job was taken over after {took:.0f} s" for took in fleet.takeovers if took > TAKEN_OVER]
    problems = verify(fleet.service.archive).problems
    return broken + ([f"the archive has {problems} problems"] if problems else [])


def run(given: argparse.Namespace) -> int:
    """Everything, from an empty archive to the verdict."""
    data: Path = given.data.resolve()
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    server = LabPostgres(data / "pg")
    url = server.make()
    options = ["--blogs", str(given.hosts), "--speed", str(given.speed), "--fresh", "--paused"]
    box = Box(data / "box", free_ports(3), [*options, "--services", SERVICES, "--seed", given.seed])
    settle(data / "archive", postgres_url(url))
    flags = ["--delay", str(given.delay), "--workers", "0"]
    service = ServiceUnderTest(box, data / "archive", free_ports(1), flags, data / "service.log")
    fleet = Fleet(service, server, url, random.Random(given.seed))  # noqa: S311  repeatable
    try:
        urls = [blog["url"] for blog in box.blogs() if is_followed(blog, given.longest_delay)]
        (data / "hosts.txt").write_text("\n".join(urls), encoding="utf-8")
        service.start()
        for _ in range(MACHINES):
            fleet.add_machine()
        service.add(urls)
        wait_for(lambda: len(fleet.workers()) == MACHINES, "the machines", BEGINS)
        fleet.kill_one()
        wait_for_harvest(service, len(urls))
        box.pause(False)
        since = after(box.moment())
        play(fleet, given.days * 86_400 / given.speed, given)
        until = box.moment()
        service.command("jobs", "pause", "scheduler")
        wait_for(partial(quiet, service), "the end of the queue")
        # Of a blog that posts rarely, what it wrote of late may wait by right: one look more, and everything is there.
        service.command("schedule", "now", "--all")
        wait_for(partial(quiet, service), "the last looks")
        box.pause(True)
        broken = judged(fleet, data / "whole", since, until, given)
        codes = [*fleet.end(), service.stop()]
        broken += [f"a process ended with {code}" for code in codes if code]
        print("\n".join(f"not held: {sentence}" for sentence in broken))
        print(f"{len(fleet.takeovers)} takeovers, the longest after {max(fleet.takeovers, default=0):.0f} s")
        return 1 if broken else 0
    finally:
        for machine in fleet.machines:
            machine.process.kill()
        if service.process and service.process.poll() is None:
            service.stop()
        box.stop()
        server.stop()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=12, help="made-up hosts in the box; splogs and non-blogs stay out")
    parser.add_argument("--days", type=float, default=0.5, help="virtual days after the first harvest")
    parser.add_argument("--speed", type=int, default=600, help="virtual seconds in a real one")
    parser.add_argument("--every", type=float, default=30.0, help="seconds between two deaths")
    parser.add_argument("--outages", type=int, default=1, help="how often the database is stopped and started")
    parser.add_argument("--cuts", type=int, default=1, help="how often all connections to it are cut")
    parser.add_argument("--delay", type=float, default=0.1, help="seconds between two requests to one host or service")
    parser.add_argument(
        "--longest-delay", type=float, default=math.inf, help="leave out hosts with a longer Crawl-delay"
    )
    parser.add_argument("--seed", default="webbox", help="another one is another world")
    parser.add_argument("--data", type=Path, default=Path("out/failover"), help="where everything is kept")
    given = parser.parse_args()
    # Who ends this ends all of it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
