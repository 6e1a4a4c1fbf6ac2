"""Run the service against a web in a box: follow its blogs, play days in minutes, kill processes, hold the truth.

    python tools/webbox.py [--hosts 20] [--days 2] [--speed 1200] [--kills 1] [--data DIR] [--workers N]

Needs ../shared/lab/webbox. Prints what check.py says of records, states and manners, and exits with 1 where anything
is missing, twice, invented, impolite, late, in the wrong state, or costs too many requests. The first harvest runs
while the box's clock is paused. That of thousands of hosts takes hours: `--days 0` ends behind it, and `--go-on` takes
up what lies in --data, also where the harvest was cut off.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from blogforever.store.folder import ArchiveFolder
from labblog import free_ports

BOX = Path(__file__).resolve().parents[2] / "shared/lab/webbox"
COMMAND = Path(sys.executable).with_name("blogforever")
# Names that the product's own table of services knows: through a proxy it cannot see that two share an address.
SERVICES = (
    "blogspot.com,wordpress.com,tumblr.com,livejournal.com,dreamwidth.org,typepad.com,"
    "medium.com,substack.com,ghost.io,weebly.com,github.io,netlify.app"
)
# What is followed: also what moves, dies or hides, but not what was never a blog.
FOLLOWED = ("blog", "moved", "dead", "walled")
# Virtual minutes that a post may be young and still absent at the end, and a move or death unnoticed.
GRACE = 12 * 60
# Posts of a rhythm below which its figures say little.
ENOUGH = 20
# The share of its blog's own interval that a post may wait, and what a look may take on top of it, in real seconds.
LATE_SHARE, LOOK_TAKES = 0.25, 1.5
# Virtual minutes that a post of a daily blog may wait, and requests for it that bring nothing new.
DAILY_LATE, DAILY_WASTE = 6 * 60, 4
# What is told of the days that were played, without the last look at each blog.
AS_PLAYED = ("late_virtual_minutes", "by_rhythm", "polls_of_pinging_hosts", "requests")
# Real seconds that the box, the service or the end of the queue are waited for, and the first harvest.
PATIENCE, HARVEST_PATIENCE = 3600.0, 4 * 3600.0


def asked(url: str, method: str = "GET", token: str = "") -> Any:
    """The answer of the box or of the service."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return urlopen(Request(url, method=method, headers=headers), timeout=120)  # noqa: S310  our own, on loopback


class Box:
    """The web in a box."""

    def __init__(self, data: Path, port: int, options: list[str]) -> None:
        self.data, self.port, self.control = data, port, f"http://127.0.0.1:{port + 1}"
        self._call("start", str(data), str(port), *options)
        wait_for(lambda: bool(self.now()), "the box")

    def now(self) -> dict[str, Any]:
        """Its clock."""
        try:
            with asked(f"{self.control}/now") as answer:
                said: dict[str, Any] = json.load(answer)
                return said
        except OSError:
            return {}

    def moment(self) -> str:
        """Its virtual time, as check.py reads it."""
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(float(self.now()["virtual"])))

    def pause(self, on: bool) -> None:
        """Stop its clock, or let it run."""
        with asked(f"{self.control}/pause?on={int(on)}", "POST"):
            pass

    def blogs(self) -> Iterator[dict[str, Any]]:
        """All that live in it."""
        offset: str | None = "0"
        while offset:
            with asked(f"{self.control}/truth/blogs?offset={offset}") as answer:
                yield from map(json.loads, answer.read().splitlines())
                offset = answer.headers.get("X-Next")

    def stop(self) -> None:
        """End it."""
        self._call("stop", str(self.data))

    def _call(self, *arguments: str) -> None:
        subprocess.run([sys.executable, str(BOX / "box.py"), *arguments], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  our own lab


@dataclass
class ServiceUnderTest:
    """The service as its operator starts it, and starts again when it was killed."""

    box: Box
    archive: Path
    port: int
    flags: list[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    killed: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Until it answers."""
        environment = os.environ | {"SSL_CERT_FILE": str(self.box.data / "ca.pem")}
        environment["BLOGFOREVER_CLOCK"] = f"{self.box.control}/now"
        command = [str(COMMAND), "serve", "--archive", str(self.archive), "--port", str(self.port)]
        command += ["--proxy", f"http://127.0.0.1:{self.box.port}", "--render", "never", *self.flags]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603  our own command
        wait_for(self.answers, "the service")

    def answers(self) -> bool:
        """Whether it does."""
        if self.process is None or self.process.poll() is not None:
            raise SystemExit(f"the service ended; see {self.log}")
        try:
            with asked(f"http://127.0.0.1:{self.port}/health") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill_one(self, chance: random.Random) -> None:
        """`kill -9` of one of its processes; where that was the main one, it is started again."""
        assert self.process
        with ArchiveFolder(self.archive, writing=False) as archive:
            pids = [self.process.pid, *(worker.pid for worker in archive.store.workers.rows())]
        pid = chance.choice(pids)
        is_main = pid == self.process.pid
        self.killed.append("service" if is_main else "worker")
        os.kill(pid, signal.SIGKILL)
        if is_main:
            self.process.wait()
            self.start()

    def stop(self) -> int:
        """End it in good order; its exit code."""
        assert self.process
        self.process.terminate()
        return self.process.wait(300)

    def standing(self) -> tuple[dict[str, int], int]:
        """How many blogs are in each state, and how many jobs wait or run."""
        with ArchiveFolder(self.archive, writing=False) as archive:
            counts = archive.store.jobs.counts()
            is_open = sum(number for (_, state), number in counts.items() if state in ("waiting", "running"))
            return archive.store.followed.counts(), is_open

    def add(self, urls: list[str]) -> None:
        """Follow these."""
        self.command("add", "-", text="\n".join(urls))

    def command(self, *words: str, text: str = "") -> None:
        """What a person does beside it."""
        self.told_by(*words, text=text)

    def told_by(self, *words: str, text: str = "") -> str:
        """What a command of a person says."""
        command = [str(COMMAND), *words, "--archive", str(self.archive)]
        environment = os.environ | {"BLOGFOREVER_CLOCK": f"{self.box.control}/now"}
        done = subprocess.run(command, input=text.encode(), check=True, stdout=subprocess.PIPE, env=environment)  # noqa: S603  our own command
        return done.stdout.decode()

    def token(self, name: str) -> str:
        """A token that reads everything."""
        secret: str = json.loads(self.told_by("token", "create", name, "--json"))["token"]
        return secret


def after(moment: str) -> str:
    """A second later: what was asked while the clock stood still belongs to the first harvest."""
    return (datetime.fromisoformat(moment) + timedelta(seconds=1)).isoformat()


def wait_for(is_so: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Until it is so; who waits in vain is told."""
    last = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > last:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.5)


def harvested(service: ServiceUnderTest) -> bool:
    """Whether every blog has had its first look, and nothing is under way."""
    states, is_open = service.standing()
    print(f"  {is_open} jobs; {states}", flush=True)
    time.sleep(4)
    return not is_open and not {"waiting", "analysing", "harvesting"} & states.keys()


def wait_for_harvest(service: ServiceUnderTest, hosts: int) -> None:
    """Until the first harvest of so many hosts is over; how long it took is told."""
    begun = time.monotonic()
    wait_for(lambda: harvested(service), "the first harvest", HARVEST_PATIENCE)
    print(f"first harvest of {hosts} hosts: {time.monotonic() - begun:.0f} s", flush=True)


def play(service: ServiceUnderTest, seconds: float, kills: int, chance: random.Random) -> None:
    """Let the days pass, with deaths in between."""
    moments = sorted(chance.uniform(0.05, 0.9) * seconds for _ in range(kills))
    begun = time.monotonic()
    for moment in [*moments, seconds]:
        while (rest := moment - (time.monotonic() - begun)) > 0:
            time.sleep(min(rest, 10))
        if moment < seconds:
            service.kill_one(chance)
            print(f"  killed a {service.killed[-1]} at {service.box.moment()}", flush=True)


def is_followed(blog: dict[str, Any], longest_delay: float) -> bool:
    """Whether a host of the box is given to the service."""
    return blog["class"] in FOLLOWED and blog["crawl_delay"] <= longest_delay


@dataclass(frozen=True, slots=True)
class Checked:
    """What check.py says, and whether it finds anything wrong."""

    told: dict[str, Any]
    is_wrong: bool


def check(service: ServiceUnderTest, place: Path, since: str, until: str, given: argparse.Namespace) -> Checked:
    """What check.py says of it all."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    records, states, hosts = place / "records.jsonl", place / "states.json", place.parent / "hosts.txt"
    service.command("export", "--format", "jsonl", str(records))
    states.write_text(json.dumps({"items": list(standings(service.archive)), "next": None}), encoding="utf-8")
    call = [sys.executable, str(BOX / "check.py"), service.box.control, "--jsonl", str(records)]
    call += ["--states", states.resolve().as_uri(), "--hosts", str(hosts), "--since", since]
    call += ["--until", until, "--grace", str(GRACE), "--delay", str(given.delay), "--wrong-share", "0.005"]
    checked = subprocess.run([*call, "--json"], check=False, stdout=subprocess.PIPE)  # noqa: S603  our own lab
    (place / "check.json").write_bytes(checked.stdout)
    return Checked(json.loads(checked.stdout), checked.returncode != 0)


def judged(played: Checked, whole: Checked, speed: float) -> int:
    """Print what was found, and what was promised and not held; the exit code."""
    for name, value in (whole.told | {name: played.told[name] for name in AS_PLAYED}).items():
        print(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    broken = list(not_held(played.told, speed))
    for sentence in broken:
        print(f"not held: {sentence}")
    return 1 if whole.is_wrong or broken else 0


def not_held(told: dict[str, Any], speed: float) -> Iterator[str]:
    """What the service promises beyond what check.py judges by itself."""
    if told["twice"]["n"]:
        yield f"{told['twice']['n']} records are there twice"
    for name, rhythm in told["by_rhythm"].items():
        late, share = rhythm["late_median_min"], rhythm["late_of_interval_median"]
        if name == "no blog" or rhythm["published"] < ENOUGH or late is None or not share:
            continue
        # The seconds that a look takes are hours of a web that is played fast.
        most = LATE_SHARE * late / share + LOOK_TAKES * speed / 60
        if late > most:
            yield f"posts of blogs that post {name} wait {late:.0f} virtual minutes (median); {most:.0f} are promised"
    yield from _not_held_of_daily(told["by_rhythm"].get("daily", {}))


def _not_held_of_daily(daily: dict[str, Any]) -> Iterator[str]:
    if daily.get("published", 0) < ENOUGH:
        return
    if daily["late_median_min"] > DAILY_LATE:
        yield f"daily blogs' posts wait {daily['late_median_min']:.0f} virtual minutes; {DAILY_LATE} are promised"
    if daily["wasted_per_new_post"] > DAILY_WASTE:
        wasted = daily["wasted_per_new_post"]
        yield f"{wasted} requests are wasted for a post of a daily blog; {DAILY_WASTE} are promised"


def standings(archive: Path) -> Iterator[dict[str, Any]]:
    """The followed blogs, as the API gives them."""
    from blogforever.storage.following import FollowedQuery  # noqa: PLC0415  only here

    with ArchiveFolder(archive, writing=False) as folder:
        for blog in folder.store.followed.page(FollowedQuery(limit=100_000)).items:
            yield {"url": blog.url, "state": blog.state, "reason": blog.reason, "moved_to": blog.moved_to}


def run(given: argparse.Namespace) -> int:
    """Everything, from an empty archive to the verdict."""
    data: Path = given.data.resolve()
    if not given.go_on:
        shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True, exist_ok=True)
    port = given.box_port or free_ports(3)
    options = ["--blogs", str(given.hosts), "--speed", str(given.speed), "--paused"]
    options += [] if given.go_on else ["--fresh"]
    options += ["--services", SERVICES, "--seed", given.seed, *(["--nice", "-10"] if os.geteuid() == 0 else [])]
    box = Box(data / "box", port, options)
    flags = ["--delay", str(given.delay), "--workers", str(given.workers), *given.flags]
    service = ServiceUnderTest(box, data / "archive", free_ports(1), flags, data / "service.log")
    try:
        urls = [blog["url"] for blog in box.blogs() if is_followed(blog, given.longest_delay)]
        (data / "hosts.txt").write_text("\n".join(urls), encoding="utf-8")
        service.start()
        service.add(urls)
        wait_for_harvest(service, len(urls))
        if not given.days:
            return 0
        box.pause(False)
        since = after(box.moment())
        play(service, given.days * 86_400 / given.speed, given.kills, random.Random(given.seed))  # noqa: S311  repeatable
        until = box.moment()
        # Nothing more is planned; what is in the queue is due by a clock that must go on for that.
        service.command("jobs", "pause", "scheduler")
        wait_for(lambda: service.standing()[1] == 0, "the end of the queue")
        box.pause(True)
        promised = check(service, data / "played", since, until, given)
        # Of a blog that posts rarely, what it wrote of late may wait by right: one look more, and everything is there.
        box.pause(False)
        service.command("schedule", "now", "--all")
        wait_for(lambda: service.standing()[1] == 0, "the last looks")
        box.pause(True)
        verdict = judged(promised, check(service, data / "whole", since, until, given), given.speed)
        print(f"killed: {service.killed}; the service ended with {service.stop()}")
        return verdict
    finally:
        if service.process and service.process.poll() is None:
            service.stop()
        box.stop()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=20, help="made-up hosts in the box; splogs and non-blogs stay out")
    parser.add_argument("--days", type=float, default=2, help="virtual days after the first harvest")
    parser.add_argument("--speed", type=int, default=1200, help="virtual seconds in a real one")
    parser.add_argument("--kills", type=int, default=1, help="processes killed meanwhile")
    parser.add_argument("--delay", type=float, default=0.1, help="seconds between two requests to one host or service")
    parser.add_argument(
        "--longest-delay",
        type=float,
        default=math.inf,
        help="leave out hosts whose Crawl-delay is longer: at ten seconds a first harvest takes twenty minutes",
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", default="webbox", help="another one is another world")
    parser.add_argument("--box-port", type=int, help="the first of three ports of the box; otherwise free ones")
    parser.add_argument("--data", type=Path, default=Path("out/webbox"), help="where box, archive and logs are kept")
    parser.add_argument(
        "--go-on", action="store_true", help="with what an earlier run left in --data, of the same seed"
    )
    parser.add_argument("flags", nargs="*", help="further flags for the service, after --")
    given = parser.parse_args()
    # Who ends this ends the box and the service, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
