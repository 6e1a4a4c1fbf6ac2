"""How late posts are found and how many looks that takes, by the rhythms of ../shared/lab/webbox: a simulation.

    python tools/bench_schedule.py [--blogs 400] [--days 30] [--seed webbox]

Nothing is fetched: each blog of the box is looked at when the schedule says so, and finds what it has published.
Wanted: for every rhythm a median delay of at most a quarter of the blog's own interval, for daily blogs at most six
hours, and at most three looks for each new post.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

from blogforever.model import LookPolicy
from blogforever.schedule.planning import next_look
from blogforever.schedule.values import BlogHistory, PastLook

BOX = Path(__file__).resolve().parents[2] / "shared/lab/webbox"
START = datetime(2025, 1, 6, tzinfo=UTC)
KNOWN = 100
"""Posts that a history has, as the service reads them."""
LOOKS = 60
MOST_OF_INTERVAL, MOST_HOURS_DAILY, MOST_LOOKS_DAILY = 0.25, 6.0, 3.0


@dataclass(slots=True)
class Measured:
    """What the blogs of one rhythm came to."""

    blogs: int = 0
    posts: int = 0
    looks: int = 0
    late: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        """A line of the table."""
        looks = self.looks / self.posts if self.posts else float("inf")
        hours = median(self.late) if self.late else float("nan")
        share = median(self.shares) if self.shares else float("nan")
        a_week = self.looks / self.blogs
        return f"{name:12} {self.blogs:5} {self.posts:6} {hours:9.1f} {share:9.3f} {looks:9.2f} {a_week:9.1f}"


def play(blog: Any, world: Any, days: int, measured: Measured) -> None:
    """Look at one blog for some days as the schedule says."""
    zone = timezone(timedelta(hours=blog.offset))
    end = START + timedelta(days=days)
    times = [datetime.fromtimestamp(t, UTC).astimezone(zone) for t in world.ids(blog, end.timestamp())[0]]
    gaps = sorted(b - a for a, b in pairwise(times))
    gaps = gaps[:-1] if blog.rhythm == "waking" else gaps
    interval = mean(gap / timedelta(hours=1) for gap in gaps) if gaps else None
    looks = [PastLook(START, found=len(times))]
    measured.blogs += 1
    while True:
        at = looks[-1].at
        known = [t for t in times if t <= at][-KNOWN:]
        planned = next_look(BlogHistory(tuple(looks[-LOOKS:]), tuple(known)), LookPolicy(), at).at
        if planned is None or planned > end:
            break
        new = [t for t in times if at < t <= planned]
        late = [(planned - t) / timedelta(hours=1) for t in new]
        looks.append(PastLook(planned, found=len(new)))
        measured.looks += 1
        measured.posts += len(new)
        measured.late += late
        measured.shares += [hours / interval for hours in late] if interval else []


def main() -> int:
    """Print a line for each rhythm; 1 where a bound is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--blogs", type=int, default=400)
    options.add_argument("--days", type=int, default=30)
    options.add_argument("--seed", default="webbox")
    told = options.parse_args()
    if not BOX.is_dir():
        print("There is no ../shared/lab/webbox here, so there is nothing to measure.", file=sys.stderr)
        return 0
    sys.path.insert(0, str(BOX))
    World = import_module("world").World

    world = World(told.blogs, START.timestamp(), told.seed)
    by_rhythm: dict[str, Measured] = defaultdict(Measured)
    for blog in world.blogs():
        if blog.kind == "blog":
            play(blog, world, told.days, by_rhythm[blog.rhythm])
    print(f"{'rhythm':12} {'blogs':>5} {'posts':>6} {'hours':>9} {'interval':>9} {'looks':>9} {'looks/blog':>9}")
    for name, measured in sorted(by_rhythm.items(), key=lambda pair: -pair[1].posts):
        print(measured.line(name))
    return 1 if any(missed(name, measured) for name, measured in by_rhythm.items()) else 0


def missed(name: str, measured: Measured) -> bool:
    """Whether a bound is missed, with a word about it."""
    share = bool(measured.shares) and median(measured.shares) > MOST_OF_INTERVAL
    daily = name == "daily"
    late = daily and median(measured.late) > MOST_HOURS_DAILY
    many = daily and measured.looks > MOST_LOOKS_DAILY * measured.posts
    for is_so, what in ((share, "delay"), (late, "hours"), (many, "looks")):
        if is_so:
            print(f"Missed: {what} of {name}")
    return share or late or many


if __name__ == "__main__":
    sys.exit(main())
