"""Take pages, feeds and sitemaps out of WARC files, crawl the rest, and see whether it is called complete wrongly.

    python tools/taken_away.py FOLDER [--blogs a,b] [--seed 1] [--share 0.1]

FOLDER holds one folder for each blog, with blog.warc.gz, meta.json (base_url) and truth.jsonl.gz (url, post), as the
corpus does. A blog is crawled four times: as it is, without some pages of posts, without its feeds, and without its
sitemaps and some pages. Each time the statement is compared with the truth: "complete" although a post of the truth is
not among the records is a lie, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from blogforever.urls import url_key

# What the addresses of documents that announce posts have in common.
FEEDS = ("feed", "rss", "atom", "rdf", "index.xml", "wp-json")
SITEMAPS = ("sitemap", "robots.txt")


@dataclass(frozen=True)
class Outcome:
    """What a crawl of what was left said, and which posts of the truth it has not."""

    complete: bool
    found: int
    lost: tuple[str, ...]

    @property
    def lies(self) -> bool:
        """Whether it said that all were there, and they were not."""
        return self.complete and bool(self.lost)


def true_posts(folder: Path) -> dict[str, str]:
    """The posts of the truth by the keys of their addresses."""
    with gzip.open(folder / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        told = [json.loads(line) for line in lines]
    return {url_key(one["url"]): one["url"] for one in told if one["post"]}


def ways(posts: dict[str, str], share: float, chance: random.Random) -> Iterator[tuple[str, Callable[[str], bool]]]:
    """What is taken away, by address."""
    gone = {key for key in sorted(posts) if chance.random() < share}
    yield "nothing", lambda _url: False
    yield "pages", lambda url: url_key(url) in gone
    yield "feeds", lambda url: any(word in url.lower() for word in FEEDS)
    yield "sitemaps and pages", lambda url: url_key(url) in gone or any(word in url.lower() for word in SITEMAPS)


def without(source: Path, dest: Path, taken: Callable[[str], bool]) -> None:
    """A WARC file with all records but those of some addresses."""
    with source.open("rb") as records, dest.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for record in ArchiveIterator(records):
            if not taken(record.rec_headers.get_header("WARC-Target-URI") or ""):
                writer.write_record(record)


def crawl(base: str, warc: Path, folder: Path, posts: dict[str, str]) -> Outcome:
    """Crawl what is left, and compare what it says with the truth."""
    config = Config(archive=folder / "archive", replay=(str(warc),), render="never")
    report = crawl_blog(base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    names = [(one["url"], *one["aliases"]) for one in records if one["type"] == "post"]
    have = {url_key(name) for one in names for name in one}
    lost = tuple(url for key, url in posts.items() if key not in have)
    return Outcome(report.completeness.complete, len(names), lost)


def main() -> int:
    """Every blog, every way; the number of lies decides."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--blogs", default="")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=float, default=0.1)
    given = options.parse_args()
    chance, lies = random.Random(given.seed), 0  # noqa: S311  no secret depends on it
    names = (
        given.blogs.split(",") if given.blogs else sorted(path.parent.name for path in given.folder.glob("*/meta.json"))
    )
    for name in names:
        blog = given.folder / name
        base, posts = json.loads((blog / "meta.json").read_text(encoding="utf-8"))["base_url"], true_posts(blog)
        for way, taken in ways(posts, given.share, chance):
            with tempfile.TemporaryDirectory() as place:
                left = Path(place) / "left.warc.gz"
                without(blog / "blog.warc.gz", left, taken)
                outcome = crawl(base, left, Path(place), posts)
            lies += outcome.lies
            said = "complete" if outcome.complete else "not complete"
            verdict = f"LIES, lost {outcome.lost[:3]}" if outcome.lies else "true"
            print(
                f"{name:28} without {way:20} {said:13} {outcome.found:4} found, {len(outcome.lost):4} lost  {verdict}"
            )
    print(f"{lies} statements say more than is there.")
    return 1 if lies else 0


if __name__ == "__main__":
    sys.exit(main())
