"""Measures what people wait for in an archive of 100,000 posts: list, search, show, the first index, and the memory of
exports.

Seconds are CPU beyond the process start, the least of some rounds, because what else runs on the machine only ever
adds; the index is made once. Memory is the peak of the whole process. Fails above any limit; `--folder` keeps the
archive for the next time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bigarchive import Size, blog_name, make_big
from blogforever.archive.opening import open_archive
from blogforever.store.place import has_records

BLOGS, POSTS = 200, 100_000
ROUNDS = 3
MEGABYTE = 1e6
# What a command loads is loaded before the clock starts; ru_maxrss is in kilobytes here, and never falls.
MEASURED = """
import contextlib, os, resource, sys
from time import process_time
from importlib import import_module
from blogforever.cli import run
import_module("blogforever.cli." + sys.argv[1])
began = process_time()
with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
    code = run(sys.argv[1:])
print(process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured: seconds of CPU, and bytes at the peak."""

    seconds: float
    peak: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """A command, and what it may cost at most; where nothing is said, anything."""

    name: str
    arguments: tuple[str, ...]
    seconds: float = 0.0
    megabytes: float = 0.0
    rounds: int = ROUNDS


def measured(arguments: tuple[str, ...], folder: Path, rounds: int) -> Figure:
    """The least that this command costs."""
    command = [sys.executable, "-c", MEASURED, *arguments, "--archive", str(folder)]
    found = []
    for _ in range(rounds):
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  our own command
        seconds, peak = said.split()[-2:]
        found.append(Figure(float(seconds), int(peak)))
    return Figure(min(one.seconds for one in found), min(one.peak for one in found))


def told(wanted: Wanted, folder: Path) -> bool:
    """Print what a command costs; whether that is within its limits."""
    figure = measured(wanted.arguments, folder, wanted.rounds)
    megabytes = figure.peak / MEGABYTE
    is_good = not (wanted.seconds and figure.seconds > wanted.seconds)
    is_small = not (wanted.megabytes and megabytes > wanted.megabytes)
    limits = [f"at most {wanted.seconds} s"] * bool(wanted.seconds)
    limits += [f"at most {wanted.megabytes:.0f} MB"] * bool(wanted.megabytes)
    words = f"{wanted.name}: {figure.seconds:.2f} s, {megabytes:.0f} MB ({', '.join(limits)})"
    print(f"{words}{'' if is_good and is_small else '  TOO MUCH'}", flush=True)
    return is_good and is_small


def forget_index(folder: Path) -> str:
    """Let nothing be indexed; the id of some post."""
    with open_archive(folder, writing=True) as archive:
        archive.hold_all()
        ids = [post.id for blog in archive.library.blogs() for post in archive.library.posts(blog.id)]
        archive.search.forget(ids)
        # A first index has nothing of an earlier one to clear away.
        with archive.engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO posts_search(posts_search) VALUES('optimize')")
    return ids[len(ids) // 2]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blogs", type=int, default=BLOGS)
    parser.add_argument("--posts", type=int, default=POSTS)
    parser.add_argument("--folder", type=Path, help="where the archive is, or is made")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as spare:
        folder = given.folder or Path(spare) / "archive"
        if not has_records(folder):
            make_big(folder, Size(given.blogs, given.posts))
        post = forget_index(folder)
        print(f"{given.posts:,} posts of {given.blogs:,} blogs", flush=True)
        figures = (
            Wanted("first index and search", ("search", "harbour"), 10.0, rounds=1),
            Wanted("search", ("search", "bandko"), 0.5),
            Wanted("list", ("list",), 1.5),
            Wanted("list of one blog", ("list", blog_name(0)), 1.5),
            Wanted("show", ("show", post), 0.1),
            Wanted("export csv", ("export", "--format", "csv", f"{spare}/posts.csv"), megabytes=200, rounds=1),
            Wanted("export site", ("export", "--format", "site", f"{spare}/copy"), megabytes=200, rounds=1),
        )
        good = [told(wanted, folder) for wanted in figures]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
