"""Measures an archive with its records in PostgreSQL: N posts of 1 kB and 10 N captures, and a tenth of it.

A hundredth of each is made through the store and multiplied by the server (multiplied.py). Both are looked into by the
store (look-ups), then by `blogforever serve` with ten clients at once (lists and newest-first pages). The 95th
percentiles of the large one must stay below their limits, and below one and a half times those of the small one.

python tools/bench_postgres.py [--posts 100000] [--database postgresql://...]

The database must be empty, and is for the large one; without any, a server is started.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from sqlalchemy import URL

from bench_api import API, asked, served
from bigarchive import BEGUN, Size, blog_name, make_big
from blogforever.archive.opening import open_archive
from blogforever.protocols import Ref
from blogforever.storage.tables import Store
from blogforever.store.place import read_address, settle
from multiplied import COPIES, Multiplied, multiply

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from server.postgres import bare_database

POSTS = 100_000
# Posts of one blog, and captures of one post.
OF_BLOG, OF_POST = 15, 10
# Captures of one transaction.
TOGETHER = 20_000
LOOKUP_LIMIT, LIST_LIMIT = 0.020, 0.200
MOST_TIMES = 1.5
# Below this, half as long again is the noise of clock and machine.
FLOOR = 0.005
LOOKUPS = 500
LISTS = (
    f"{API}/posts",
    f"{API}/posts?full=1",
    f"{API}/blogs/{{blog}}/posts",
    f"{API}/blogs?sort=-last_look",
    f"{API}/posts?language=de",
    "/",
    "/output",
    "/output?view=table",
    "/sources",
    "/sources/{blog}",
    "/posts/{post}",
)


def multiplied(posts: int) -> Multiplied:
    """An archive with so many posts."""
    part = max(1, posts // COPIES)
    return Multiplied(Size(max(2, part // OF_BLOG), part))


def load(folder: Path, url: URL, wanted: Multiplied) -> None:
    """Posts, and ten captures of each."""
    begun, size = time.perf_counter(), wanted.part
    make_big(folder, size)
    with open_archive(folder, writing=True) as archive:
        store = archive.store
        runs = [store.runs.last(blog_name(number)) for number in range(size.blogs)]
        for start in range(0, size.posts, TOGETHER // OF_POST):
            with store.transaction():
                for place in range(start, min(size.posts, start + TOGETHER // OF_POST)):
                    add_captures(store, runs[wanted.of_blog(place)], place, wanted)
    multiply(url, wanted)
    posts, seconds = wanted.size.posts, time.perf_counter() - begun
    print(f"loaded {posts:,} posts and {OF_POST * posts:,} captures in {seconds:.0f} s", flush=True)


def add_captures(store: Store, run: int, place: int, wanted: Multiplied) -> None:
    """Where the responses of one post lie."""
    url, blog = wanted.address(place), wanted.blog(place)
    for number in range(OF_POST):
        ref = Ref(f"warc/{blog}/{number}.warc.gz", place, f"urn:uuid:{place}-{number}", f"sha1:{place}-{number}")
        store.captures.add(run, url, 200, BEGUN + timedelta(hours=place + number), ref)


def lookups(store: Store, wanted: Multiplied) -> Iterator[tuple[str, Callable[[int], object]]]:
    """What is looked up while a blog is crawled or read, each by the number of a post."""
    yield "a post by its id", lambda n: store.posts.find(wanted.post(n))
    yield "a post by its address", lambda n: store.posts.at(wanted.address(n))
    yield "a capture by its record", lambda n: store.captures.find(f"urn:uuid:{n}-3")
    yield "answers of an address", lambda n: store.captures.answers(wanted.blog(n), wanted.address(n), 5)
    yield "a response with a digest", lambda n: store.captures.same(wanted.blog(n), f"sha1:{n}-3")


def measured(folder: Path, wanted: Multiplied) -> dict[str, float]:
    """The 95th percentiles of the seconds that everything takes."""
    found: dict[str, float] = {}
    size = wanted.size
    chance = random.Random(size.posts)  # noqa: S311  nothing secret
    with open_archive(folder, writing=False) as archive:
        for name, look in lookups(archive.store, wanted):
            found[name] = percentile([_seconds(look, chance.randrange(size.posts)) for _ in range(LOOKUPS)])
    with served(folder, size) as service:
        for path in LISTS:
            found[path] = asked(service, path.format(**service.known))
    return found


def _seconds(look: Callable[[int], object], number: int) -> float:
    start = time.perf_counter()
    if not look(number):
        raise SystemExit(f"post {number} was not found")
    return time.perf_counter() - start


def percentile(seconds: list[float]) -> float:
    """What 95 of 100 stay below."""
    return sorted(seconds)[int(len(seconds) * 0.95)]


def run(url: URL, folder: Path, posts: int) -> dict[str, float]:
    """One size."""
    wanted = multiplied(posts)
    settle(folder, url)
    # A folder without the pages that a database knows of is refused; there are none, but a place for them.
    (folder / "warc/made-up").mkdir(parents=True)
    load(folder, url, wanted)
    return measured(folder, wanted)


def verdicts(small: dict[str, float], large: dict[str, float]) -> list[str]:
    """What is too slow; every figure is printed."""
    too_slow = []
    for name, many in large.items():
        one, limit = small[name], LIST_LIMIT if name in LISTS else LOOKUP_LIMIT
        is_well = many < limit and (many < MOST_TIMES * one or many < FLOOR)
        too_slow += [] if is_well else [name]
        verdict = "" if is_well else "  TOO SLOW"
        print(f"{name:<40} {one * 1000:7.1f} ms {many * 1000:7.1f} ms  {many / one:4.1f} x{verdict}")
    return too_slow


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=POSTS)
    parser.add_argument("--database", help="an empty database for the large one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as spare, bare_database("small") as small, bare_database("large") as large:
        place = read_address(given.database)[0] if given.database else large
        tenth = run(small, Path(spare, "small"), given.posts // 10)
        whole = run(place, Path(spare, "large"), given.posts)
    too_slow = verdicts(tenth, whole)
    print(json.dumps({"posts": given.posts, "captures": OF_POST * given.posts, "too slow": too_slow}))
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
