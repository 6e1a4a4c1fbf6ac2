"""Hold what pings promise against a web in a box whose blogs ping us: how soon, how few other requests, which class.

    python tools/webbox_pings.py [--hosts 60] [--soon 12] [--days 14] [--data DIR] [--workers N]

Needs ../shared/lab/webbox. Most blogs of the box are followed, the others come by their pings; splogs and what is no
blog are added like anything that nobody knows. After a first harvest with the clock paused, hours are played slowly
(speed 60: how soon a pinged post is fetched), then days fast (speed 1200: how often one that pings is asked without).
Exits with 1 where a promise is not held.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labblog import free_ports
from webbox import BOX, SERVICES, Box, ServiceUnderTest, after, asked, check, wait_for, wait_for_harvest

# Of the blogs that ping, every so many stays unknown until its first ping.
LEFT_OUT = 5
SLOW, FAST = 60, 1200
# Real seconds from a ping to the page of its post (median).
SOON = 5.0
# Parts of the service that put jobs into the queue.
PLANNERS = ("scheduler", "pings")
# Requests for the feed of posts that no ping caused, a week and blog, on average and of the blog in the middle. What is
# asked before the first ping that told of a post counts, too: nine of ten blogs are told, and not held.
POLLS_A_WEEK = 1.0
# The share of unknown blogs, splogs and non-blogs that are told apart.
RIGHT = 0.98
TOLD = ("ping_to_fetch_real_seconds", "ping_to_fetch_virtual_minutes", "late_virtual_minutes", "polls_of_pinging_hosts")


@dataclass(frozen=True, slots=True)
class Hosts:
    """Who lives in the box: followed from the start, added though nobody knows what they are, left to their pings."""

    followed: list[str]
    doubtful: list[str]
    pinging: list[str]

    @classmethod
    def of(cls, box: Box, longest_delay: float) -> Hosts:
        """As the box says."""
        hosts = cls([], [], [])
        for number, blog in enumerate(one for one in box.blogs() if one["crawl_delay"] <= longest_delay):
            is_left_out = blog["class"] == "blog" and blog["pings"] and number % LEFT_OUT == 0
            if blog["class"] in ("splog", "non-blog"):
                hosts.doubtful.append(blog["url"])
            else:
                (hosts.pinging if is_left_out else hosts.followed).append(blog["url"])
        return hosts


def speed(box: Box, times: int) -> None:
    """Let its clock run so fast."""
    with asked(f"{box.control}/speed?x={times}", "POST"):
        pass


def told_apart(service: ServiceUnderTest, place: Path, token: str) -> dict[str, Any]:
    """What check.py says of the classes of all that nobody knew."""
    base = f"http://127.0.0.1:{service.port}/api/v1"
    call = [sys.executable, str(BOX / "check.py"), service.box.control, "--json", "--details", "40", "--token", token]
    call += ["--hosts", str(place / "unknown.txt"), "--classes", f"{base}/blogs", f"{base}/review"]
    told = subprocess.run(call, check=False, stdout=subprocess.PIPE)  # noqa: S603  our own lab
    classes: dict[str, Any] = json.loads(told.stdout)["classes"]
    return classes


def not_held(soon: dict[str, Any], days: dict[str, Any], classes: dict[str, Any]) -> Iterator[str]:
    """Which promises were not."""
    took = soon["ping_to_fetch_real_seconds"].get("median_s")
    if took is None or took > SOON:
        yield f"from a ping to the page of its post it takes {took} seconds (median); {SOON} are promised"
    told = days["polls_of_pinging_hosts"]
    polls = told["without_ping_before"]
    weeks = told["pinging_hosts"] * (told["weeks_median"] or 0)
    most = max(polls["median_a_week"] or 0, polls["total"] / weeks if weeks else 0)
    if most > POLLS_A_WEEK:
        yield f"{most} requests a week for a feed that no ping caused; {POLLS_A_WEEK} are promised"
    if (classes["share_right"] or 0) < RIGHT:
        yield f"{classes['share_right']} of what nobody knew is in the right class; {RIGHT} is promised"


def settle(service: ServiceUnderTest) -> None:
    """Until nothing waits; then the clock stands."""
    for part in PLANNERS:
        service.command("jobs", "pause", part)
    wait_for(lambda: service.standing()[1] == 0, "the end of the queue")
    service.box.pause(True)
    for part in PLANNERS:
        service.command("jobs", "resume", part)


def played(service: ServiceUnderTest, name: str, hours: float, given: argparse.Namespace) -> dict[str, Any]:
    """Let hours pass at the speed that is set, and what check.py says of them."""
    times = SLOW if name == "soon" else FAST
    speed(service.box, times)
    service.box.pause(False)
    since = after(service.box.moment())
    time.sleep(hours * 3600 / times)
    until = service.box.moment()
    settle(service)
    told = check(service, given.data / name, since, until, given).told
    print(f"{name}: {hours} hours at speed {times}")
    for what in TOLD:
        print(f"  {what}: {json.dumps(told[what])}", flush=True)
    return told


def run(given: argparse.Namespace) -> int:
    """Everything, from an empty archive to the verdict."""
    data: Path = given.data
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    box_port = free_ports(4)
    port = box_port + 3
    options = ["--blogs", str(given.hosts), "--speed", str(SLOW), "--fresh", "--paused", "--services", SERVICES]
    options += ["--seed", given.seed, "--endpoint", f"http://127.0.0.1:{port}/RPC2"]
    box = Box(data / "box", box_port, options)
    flags = ["--workers", str(given.workers), *given.flags]
    at_first = ["--delay", str(given.harvest_delay or given.delay), *flags]
    service = ServiceUnderTest(box, data / "archive", port, at_first, data / "service.log")
    try:
        hosts = Hosts.of(box, given.longest_delay)
        (data / "hosts.txt").write_text("\n".join(hosts.followed), encoding="utf-8")
        service.start()
        service.add([*hosts.followed, *hosts.doubtful])
        wait_for_harvest(service, len(hosts.followed) + len(hosts.doubtful))
        service.stop()
        service.flags = ["--delay", str(given.delay), *flags]
        service.start()
        service.command("filters", "add", "Everything", "*://*", "--wildcards")
        service.command("ping", "change", "ours", "--on", "--track-new")
        soon = played(service, "soon", given.soon, given)
        days = played(service, "days", given.days * 24, given)
        token = service.token("check")
        heard = {blog["url"] for blog in blogs_of(service, token)} & {*hosts.pinging}
        (data / "unknown.txt").write_text("\n".join([*hosts.doubtful, *heard]), encoding="utf-8")
        classes = told_apart(service, data, token)
        print(f"classes of {len(hosts.doubtful)} added and {len(heard)} that pinged: {json.dumps(classes)}")
        broken = [*not_held(soon, days, classes)]
        for sentence in broken:
            print(f"not held: {sentence}")
        print(f"the service ended with {service.stop()}")
        return int(bool(broken))
    finally:
        if service.process and service.process.poll() is None:
            service.stop()
        box.stop()


def blogs_of(service: ServiceUnderTest, token: str) -> Iterator[dict[str, Any]]:
    """All followed blogs, as the API lists them."""
    place = f"http://127.0.0.1:{service.port}/api/v1/blogs?limit=500"
    after_this: str | None = ""
    while after_this is not None:
        with asked(f"{place}&after={after_this}" if after_this else place, token=token) as answer:
            page = json.load(answer)
        yield from page["items"]
        after_this = page["next"]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=60, help="made-up hosts in the box")
    parser.add_argument("--soon", type=float, default=12, help="virtual hours that are played at speed 60")
    parser.add_argument("--days", type=float, default=14, help="virtual days that are played at speed 1200")
    parser.add_argument("--delay", type=float, default=0.25, help="seconds between two requests to one host or service")
    parser.add_argument(
        "--harvest-delay",
        type=float,
        help="another delay for the first harvest: four hundred blogs of one service take two hours at 0.25",
    )
    parser.add_argument("--longest-delay", type=float, default=10.0, help="leave out hosts with a longer Crawl-delay")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", default="webbox", help="another one is another world")
    parser.add_argument("--data", type=Path, default=Path("out/webbox_pings"), help="where box, archive and logs are")
    parser.add_argument("flags", nargs="*", help="further flags for the service, after --")
    given = parser.parse_args()
    given.data = given.data.resolve()
    # Who ends this ends the box and the service, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(given)


if __name__ == "__main__":
    sys.exit(main())
