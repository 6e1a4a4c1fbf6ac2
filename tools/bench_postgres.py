"""Measures an archive with its records in PostgreSQL: N posts of 1 kB and 10 N captures, and a tenth of it.

Both are made through the store and looked into by the store (look-ups), then by `blogforever serve` with ten clients at
once (lists and newest-first pages). The 95th percentiles of the large one must stay below their limits, and below one
and a half times those of the small one.

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
from bigarchive import BEGUN, LARGEST, Size, blog_name, make_big
from blogforever.archive.opening import open_archive
from blogforever.pipeline.record import post_id
from blogforever.protocols import Ref
from blogforever.storage.tables import Store
from blogforever.store.place import read_address, settle

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


def size_of(posts: int) -> Size:
    """An archive with so many posts."""
    return Size(max(20, posts // OF_BLOG), posts)


def of_blog(place: int, size: Size) -> int:
    """The blog of a post, as `bigarchive` spreads them."""
    return 0 if place % LARGEST == 0 else place % size.blogs


def address(place: int, size: Size) -> str:
    """The address of a post."""
    return f"https://{blog_name(of_blog(place, size))}/post-{place}/"


def load(folder: Path, size: Size) -> None:
    """Posts, and ten captures of each."""
    begun = time.perf_counter()
    make_big(folder, size)
    with open_archive(folder, writing=True) as archive:
        store = archive.store
        runs = [store.runs.last(blog_name(number)) for number in range(size.blogs)]
        for start in range(0, size.posts, TOGETHER // OF_POST):
            with store.transaction():
                for place in range(start, min(size.posts, start + TOGETHER // OF_POST)):
                    add_captures(store, runs[of_blog(place, size)], place, size)
    seconds = time.perf_counter() - begun
    print(f"loaded {size.posts:,} posts and {OF_POST * size.posts:,} captures in {seconds:.0f} s", flush=True)


def add_captures(store: Store, run: int, place: int, size: Size) -> None:
    """Where the responses of one post lie."""
    url, blog = address(place, size), blog_name(of_blog(place, size))
    for number in range(OF_POST):
        ref = Ref(f"warc/{blog}/{number}.warc.gz", place, f"urn:uuid:{place}-{number}", f"sha1:{place}-{number}")
        store.captures.add(run, url, 200, BEGUN + timedelta(hours=place + number), ref)


def lookups(store: Store, size: Size) -> Iterator[tuple[str, Callable[[int], object]]]:
    """What is looked up while a blog is crawled or read, each by the number of a post."""
    yield "a post by its id", lambda n: store.posts.find(post_id(blog_name(of_blog(n, size)), address(n, size)))
    yield "a post by its address", lambda n: store.posts.at(address(n, size))
    yield "a capture by its record", lambda n: store.captures.find(f"urn:uuid:{n}-3")
    yield "answers of an address", lambda n: store.captures.answers(blog_name(of_blog(n, size)), address(n, size), 5)
    yield "a response with a digest", lambda n: store.captures.same(blog_name(of_blog(n, size)), f"sha1:{n}-3")


def measured(folder: Path, size: Size) -> dict[str, float]:
    """The 95th percentiles of the seconds that everything takes."""
    found: dict[str, float] = {}
    chance = random.Random(size.posts)  # noqa: S311  nothing secret
    with open_archive(folder, writing=False) as archive:
        for name, look in lookups(archive.store, size):
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
    size = size_of(posts)
    settle(folder, url)
    # A folder without the pages that a database knows of is refused; there are none, but a place for them.
    (folder / "warc/made-up").mkdir(parents=True)
    load(folder, size)
    return measured(folder, size)


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
