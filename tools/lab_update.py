"""Drive a real WordPress on loopback through a blog's life; after each event update the archive and check what it says.

    python tools/lab_update.py [--lab LAB/wordpress.sh] [--data DATA] [--port 8500] [--archive DIR]

Prints a line for each event with what the update found, and exits with 1 where anything differs from the truth.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Report
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder

STRUCTURE = "/%year%/%monthnum%/%postname%/"
SOURCES = ("/feed", "sitemap", "?feed=", "/comments/feed")


@dataclass(slots=True)
class Lab:
    """A WordPress that is told what to do by its shell script."""

    script: Path
    data: Path
    port: int
    archive: Path
    failures: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where the blog is."""
        return f"http://127.0.0.1:{self.port}/"

    def do(self, command: str, *arguments: str, text: str | None = None) -> str:
        """Run one of the lab's commands."""
        call = ["bash", str(self.script), command, str(self.data), *arguments]
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=False)  # noqa: S603  our own lab
        if done.returncode:
            raise SystemExit(f"The lab's {command} failed: {done.stderr.strip()}")
        return done.stdout.strip()

    def truth(self) -> dict[str, Any]:
        """Every post as WordPress itself has it, by its number."""
        return {str(post["id"]): post for post in json.loads(self.do("truth"))["posts"]}

    def update(self, **options: Any) -> Report:
        """Crawl; a known blog is brought up to date."""
        values: dict[str, Any] = {
            "archive": self.archive,
            "allow_private": True,
            "delay": 0.0,
            "concurrency": 4,
            "requisites": "none",
        }
        return crawl_blog(self.url, Config(**(values | options)))

    @contextmanager
    def watched(self) -> Iterator[list[str]]:
        """The requests the lab's server gets meanwhile."""
        log = self.data / "log" / "access.log"
        start = log.stat().st_size if log.exists() else 0
        asked: list[str] = []
        yield asked
        with log.open(encoding="utf-8", errors="replace") as lines:
            lines.seek(start)
            asked += [line.split('"')[1].split()[1] for line in lines if "blogforever" in line]

    def posts(self) -> dict[str, dict[str, Any]]:
        """The archive's posts by WordPress's number."""
        with ArchiveFolder(self.archive, writing=False) as archive:
            (blog,) = archive.library.blogs()
            return {str(post["native_id"]): post for post in archive.library.posts(blog["id"])}

    def expect(self, event: str, what: str, found: object, wanted: object) -> None:
        """Compare, and remember what differs."""
        if found != wanted:
            self.failures.append(f"{event}: {what} is {found!r}, not {wanted!r}")


def changed(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What differs between two looks at the archive."""
    both = before.keys() & after.keys()
    return {
        "new": sorted(after.keys() - before.keys()),
        "versions": sorted(n for n in both if after[n]["version"] != before[n]["version"]),
        "states": {n: after[n]["status"] for n in sorted(both) if after[n]["status"] != before[n]["status"]},
        "moved": sorted(n for n in both if after[n]["url"] != before[n]["url"]),
        "ids": sorted(n for n in both if after[n]["id"] != before[n]["id"]),
        "comments": {n: more for n in sorted(both) if (more := len(after[n]["comments"]) - len(before[n]["comments"]))},
    }


def event(lab: Lab, name: str, act: Callable[[], dict[str, Any]], **options: Any) -> None:
    """Something happens on the blog; one update must find exactly that."""
    before = lab.posts()
    wanted = {"new": [], "versions": [], "states": {}, "moved": [], "ids": [], "comments": {}} | act()
    with lab.watched() as asked:
        report = lab.update(**options)
    found = changed(before, lab.posts())
    for what, value in wanted.items():
        lab.expect(name, what, found[what], value)
    if report.update and report.update.frozen:
        lab.failures.append(f"{name}: the blog was frozen: {report.update.frozen}")
    told = ", ".join(f"{what} {_short(value)}" for what, value in found.items() if value) or "nothing"
    print(f"{name:32} {len(asked):4} requests; {told}", flush=True)
    if name == "unchanged":
        beyond = [path for path in asked if not any(source in path for source in SOURCES)]
        share = len(beyond) / len(before)
        print(f"{'':32}      {share:.3f} requests per known post beyond feeds and sitemap (limit 0.1)")
        lab.expect(name, "requests within the limit", share <= 0.1, True)


def _short(value: Any) -> str:
    return str(value) if len(value) <= 4 else f"{len(value)} posts"


def life(lab: Lab) -> None:
    """Everything that happens."""
    posts = lab.truth()
    by_age = sorted(posts, key=lambda number: posts[number]["date_gmt"])
    plain = [
        n
        for n in by_age
        if not posts[n]["protected"] and posts[n]["pages"] == 1 and len(posts[n]["content_html"]) > 400
    ]
    old, middle, recent = plain[3], plain[len(plain) // 2], plain[-2]

    def publish() -> dict[str, Any]:
        text = "<p>" + "A lantern made of paper hangs in the window and swings. " * 12 + "</p>"
        made = json.loads(lab.do("publish", f"A lantern in window {len(posts)}", "-", text=text))
        return {"new": [str(made["id"])]}

    def edit(*numbers: str) -> Callable[[], dict[str, Any]]:
        def act() -> dict[str, Any]:
            for number in numbers:
                html = lab.truth()[number]["content_html"]
                lab.do("edit", number, "-", text=html + "<p>Later: the author thought better of it.</p>")
            return {"versions": sorted(numbers)}

        return act

    def comment(*numbers: str) -> Callable[[], dict[str, Any]]:
        def act() -> dict[str, Any]:
            for number in numbers:
                said = f"A thought that came late, on post {number}, as comment {len(posts[number]['comments']) + 1}."
                lab.do("comment", number, "Late Reader", said)
            return {"comments": dict.fromkeys(sorted(numbers), 1)}

        return act

    def trash(*numbers: str) -> Callable[[], dict[str, Any]]:
        def act() -> dict[str, Any]:
            for number in numbers:
                lab.do("trash", number)
            return {"states": dict.fromkeys(sorted(numbers), "missing")}

        return act

    def told(*command: str) -> Callable[[], dict[str, Any]]:
        def act() -> dict[str, Any]:
            lab.do(*command)
            return {}

        return act

    def permalinks(structure: str) -> Callable[[], dict[str, Any]]:
        def act() -> dict[str, Any]:
            code = f'global $wp_rewrite; $wp_rewrite->set_permalink_structure("{structure}"); flush_rewrite_rules();'
            lab.do("eval", code)
            alive = [number for number, post in lab.posts().items() if post["status"] == "active"]
            return {"moved": sorted(alive)}

        return act

    event(lab, "unchanged", dict)
    event(lab, "publish", publish)
    event(lab, "edit a recent and two old posts", edit(recent, middle, old))
    event(lab, "late comments", comment(recent, old))
    event(lab, "trash a recent and an old post", trash(plain[-4], plain[5]))
    event(lab, "switch the theme", told("theme", "twentytwentytwo"))
    event(lab, "look at every post again", dict, recheck=1.0)
    event(lab, "edit in the new theme", edit(plain[7], plain[-3]))
    event(lab, "switch the feed to excerpts", told("feed", "excerpt"))
    event(lab, "look at every post again", dict, recheck=1.0)
    event(lab, "change the permalinks", permalinks("/archives/%postname%/"))
    event(lab, "unchanged", dict)


def main() -> int:
    """Run the life of a blog."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", type=Path, default=Path("../shared/lab/wordpress.sh"))
    parser.add_argument("--data", type=Path, default=Path("out/lab-update/wordpress"))
    parser.add_argument("--port", type=int, default=8500)
    parser.add_argument("--archive", type=Path)
    given = parser.parse_args()
    lab = Lab(given.lab, given.data, given.port, given.archive or given.data.parent / "archive")
    shutil.rmtree(lab.archive, ignore_errors=True)
    lab.do("start", str(given.port))
    lab.do("theme", "twentytwentyone")
    lab.do("feed", "full")
    lab.do("option", "default_pingback_flag", "0")
    lab.do("eval", f'global $wp_rewrite; $wp_rewrite->set_permalink_structure("{STRUCTURE}"); flush_rewrite_rules();')
    report = lab.update()
    print(f"{'first crawl':32} {report.posts} posts of {len(lab.truth())}", flush=True)
    lab.expect("first crawl", "posts", len(lab.posts()), len(lab.truth()))
    life(lab)
    for failure in lab.failures:
        print(f"WRONG  {failure}")
    print("All as it should be." if not lab.failures else f"{len(lab.failures)} things are wrong.")
    return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(main())
