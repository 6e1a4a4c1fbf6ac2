"""Harvests the sample blog: builds it, serves it on loopback, crawls it, and shows what came home."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from serve import served

OUT = Path("out")
SITE, ARCHIVE, RECORDS = OUT / "sample-site", OUT / "sample-archive", OUT / "sample.jsonl"
SHOWN = 5


def harvest(more: list[str]) -> int:
    """Crawl the freshly built blog into a fresh archive; gives the exit code of the crawl."""
    shutil.rmtree(ARCHIVE, ignore_errors=True)
    RECORDS.unlink(missing_ok=True)
    with served(SITE) as url:
        print(f"The sample blog is served at {url}/", flush=True)
        arguments = ["--allow-private", "--delay", "0", "--archive", str(ARCHIVE), "--jsonl", str(RECORDS), *more]
        command = [str(Path(sys.executable).with_name("blogforever")), "crawl", f"{url}/", *arguments]
        print("$ " + " ".join(["blogforever", *command[1:]]), flush=True)
        return subprocess.run(command, check=False).returncode  # noqa: S603  # our own command


def posts() -> list[dict[str, Any]]:
    """The posts among the records, oldest first."""
    records = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    return sorted((r for r in records if r["type"] == "post"), key=lambda r: str(r["published"]))


def show(found: list[dict[str, Any]], seconds: float) -> None:
    """A few lines a person likes to read."""
    print(f"\n{len(found)} posts harvested in {seconds:.0f} seconds, for example:")
    for post in found[:: max(1, len(found) // SHOWN)][:SHOWN]:
        names = ", ".join(author["name"] for author in post["authors"])
        print(f"  {str(post['published'])[:10]}  {post['title']} ({names}, {len(post['text'].split())} words)")
    print(f"\nrecords   {RECORDS}\narchive   {ARCHIVE}   (the pages as served are in {ARCHIVE / 'warc'})")
    print("next      make crawl URL=https://a-blog-you-love.example/")


def main() -> int:
    """Command line: further arguments go to the crawl."""
    started = time.monotonic()
    status = harvest(sys.argv[1:])
    if RECORDS.exists():
        show(posts(), time.monotonic() - started)
    return status


if __name__ == "__main__":
    sys.exit(main())
