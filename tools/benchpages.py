"""What the bench measures on: blogs as (feed, training pages, other posts with their truth)."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from warcio.archiveiterator import ArchiveIterator

from blogforever.discover.feed import parse_feed
from blogforever.errors import FeedError
from blogforever.model import Feed, Page
from blogforever.urls import url_key

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared/corpus"
TRAINING = 20


@dataclass
class Blog:
    """One blog to measure on."""

    feed: Feed
    training: list[Page]
    posts: list[tuple[Page, dict[str, Any]]]


def blogs(most_posts: int) -> Iterator[Blog]:
    """The blogs of the corpus, or the sample blog where there is no corpus."""
    if CORPUS.is_dir():
        for folder in sorted(path.parent for path in CORPUS.glob("*/meta.json")):
            if blog := corpus_blog(folder, most_posts):
                yield blog
    else:
        yield sample_blog()


def corpus_blog(folder: Path, most_posts: int) -> Blog | None:
    """A bundle of the corpus; None where it has no feed that speaks of its posts."""
    responses = dict(read_warc(folder / "blog.warc.gz"))
    with gzip.open(folder / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        truth = {url_key(row["url"]): row for row in map(json.loads, lines) if row.get("post")}
    by_key = {url_key(url): page for url, page in responses.items()}
    feed = best_feed(responses, set(truth))
    if feed is None:
        return None
    told = list(dict.fromkeys(key for entry in feed.entries if (key := url_key(entry.url)) in by_key))[:TRAINING]
    others = [key for key in truth if key in by_key and key not in told] or told
    training = [by_key[key] for key in told]
    return Blog(feed, training, [(by_key[key], truth[key]) for key in others[:most_posts]])


def read_warc(path: Path) -> Iterator[tuple[str, Page]]:
    """The responses of a WARC file that were answered with a page."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                url = record.rec_headers["WARC-Target-URI"]
                yield url, Page(url, record.content_stream().read(), dict(record.http_headers.headers))


def best_feed(responses: dict[str, Page], posts: set[str]) -> Feed | None:
    """The feed that speaks of most posts."""
    best, most = None, 0
    for url, page in responses.items():
        if page.content.lstrip()[:5] != b"<?xml" and b"<rss" not in page.content[:500]:
            continue
        try:
            feed = parse_feed(page.content, url)
        except FeedError:
            continue
        known = len(posts & {url_key(entry.url) for entry in feed.entries})
        if known > most:
            best, most = feed, known
    return best


def sample_blog() -> Blog:
    """The sample blog, built now."""
    site, url = ROOT / "out/bench-site", "http://127.0.0.1:8017"
    build = [sys.executable, str(ROOT / "sample/build.py"), "--out", str(site), "--url", url]
    subprocess.run(build, check=True, capture_output=True)  # noqa: S603  # our own script
    feed = parse_feed((site / "feeds/all.atom.xml").read_bytes(), f"{url}/feeds/all.atom.xml")
    lines = site.with_name("bench-site-truth.jsonl").read_text(encoding="utf-8").splitlines()
    told = {entry.url for entry in feed.entries}
    posts = [(sample_page(site, row["url"]), row) for row in map(json.loads, lines) if row["url"] not in told]
    posts.reverse()
    return Blog(feed, [sample_page(site, address) for address in told], posts)


def sample_page(site: Path, url: str) -> Page:
    """A page of the built sample blog."""
    return Page(url, (site / urlsplit(url).path.strip("/") / "index.html").read_bytes())
