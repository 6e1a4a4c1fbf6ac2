"""How well tags are learned: what is read on posts whose entries were held out, against the entries' categories.

    .venv/bin/python tools/tags.py                  F1 over the whole corpus, and the blogs below it
    .venv/bin/python tools/tags.py --blogs a,b -v   some blogs, with what was missed and what was too much

Every second entry with categories teaches, the others judge, then the other way round. Tags and categories count
alike, as feeds do not tell them apart. A category that stands no more often on the post's page than on those of posts
without it is nowhere to be read and does not count. `--without` lets the feed teach none. Needs ../shared/corpus.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from blogforever import Entry, Feed, Page, extract_post, learn_rules, parse_feed
from blogforever.dom import decode, parse, tokenise
from blogforever.errors import BlogForeverError
from blogforever.urls import url_key

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
GOAL = 0.95
FEWEST = 4
"""Entries with categories and pages; a blog with fewer judges nothing."""
ANSWERED = "200"
LABELS = "a, span, li, p, td, em, strong, small"
"""Elements that may hold a tag and nothing else."""
LONGEST = 100
"""Characters of such an element."""


@dataclass(frozen=True)
class Judged:
    """One held-out post: which of its entry's categories its page shows, and what was read."""

    url: str
    told: frozenset[str]
    read: frozenset[str]

    @property
    def f1(self) -> float:
        """Of the two sets."""
        return 2 * len(self.told & self.read) / (len(self.told) + len(self.read))


class Shelf:
    """The pages of a blog's entries, and what each of them shows."""

    def __init__(self, pages: Mapping[str, Page], entries: Sequence[Entry]) -> None:
        self.entries = [entry for entry in entries if url_key(entry.url) in pages and keys(entry.tags)]
        self.pages = {entry.url: replace(pages[url_key(entry.url)], url=entry.url) for entry in self.entries}
        self._shown = {url: shown_labels(page) for url, page in self.pages.items()}

    def readable(self, entry: Entry) -> frozenset[str]:
        """The categories that the entry's page shows more often than pages of posts without them."""
        found = set()
        people = keys([author.name for author in entry.authors])
        for key in keys(entry.tags):
            others = [self._shown[other.url][key] for other in self.entries if key not in keys(other.tags)]
            if self._shown[entry.url][key] > min(others, default=0) and key not in people:
                found.add(key)
        return frozenset(found)


def shown_labels(page: Page) -> Counter[str]:
    """How often each short text is the whole of a link or small element, or a part of a meta element's list."""
    tree = parse(decode(page.content, page.headers))
    labels = [node.text() for node in tree.css(LABELS)]
    for node in tree.css("meta[content]"):
        labels += re.split("[,;]", node.attributes["content"] or "")
    return Counter(" ".join(tokenise(label)) for label in labels if len(label) <= LONGEST)


def pages_and_feeds(bundle: Path) -> tuple[dict[str, Page], list[Feed]]:
    """The pages of a blog by address, and the feeds of its posts."""
    meta = json.loads((bundle / "meta.json").read_text(encoding="utf-8"))
    feeds: list[Feed] = []
    pages: dict[str, Page] = {}
    source = next(path for path in bundle.iterdir() if path.name in ("blog.warc.gz", "blog.warc"))
    with source.open("rb") as stream:
        for record in ArchiveIterator(stream):
            answer = record.http_headers
            if record.rec_type != "response" or answer is None or answer.get_statuscode() != ANSWERED:
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            body = record.content_stream().read()
            if url in meta["feeds"]:
                feeds += read_feed(body, url)
            pages[url_key(url)] = Page(url, body, dict(answer.headers))
    return pages, feeds


def read_feed(body: bytes, url: str) -> Iterator[Feed]:
    """The feed, where it is one."""
    try:
        yield parse_feed(body, url)
    except BlogForeverError:
        return


def judge(bundle: Path, *, without: bool) -> list[Judged]:
    """The held-out posts of a blog."""
    pages, feeds = pages_and_feeds(bundle)
    if not feeds:
        return []
    shelf = Shelf(pages, feeds[0].entries)
    if len(shelf.entries) < FEWEST:
        return []
    if without:
        untagged = [replace(entry, tags=()) for entry in shelf.entries]
        return list(judge_half(feeds[0], untagged, shelf.entries, shelf))
    one, other = shelf.entries[::2], shelf.entries[1::2]
    return [*judge_half(feeds[0], one, other, shelf), *judge_half(feeds[0], other, one, shelf)]


def judge_half(feed: Feed, teaching: Sequence[Entry], held: Sequence[Entry], shelf: Shelf) -> Iterator[Judged]:
    """Learn from some entries, and read the pages of the others."""
    pages = [shelf.pages[entry.url] for entry in teaching]
    rules = learn_rules(replace(feed, entries=tuple(teaching)), pages)
    for entry in held:
        post = extract_post(shelf.pages[entry.url], rules)
        read = keys((*post.tags, *post.categories))
        told = shelf.readable(entry) | (read & keys(entry.tags))
        if told or read:
            yield Judged(entry.url, told, read)


def keys(names: Sequence[str]) -> frozenset[str]:
    """Names as they are compared."""
    return frozenset(" ".join(tokenise(name)) for name in names) - {""}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blogs", default="", help="comma-separated ids; default: all")
    parser.add_argument("--without", action="store_true", help="let the feed teach no tags")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", action="store_true", help="show the posts that differ")
    args = parser.parse_args()
    if not CORPUS.is_dir():
        print("There is no ../shared/corpus here, so there is nothing to measure.", file=sys.stderr)
        return 2
    wanted = set(filter(None, args.blogs.split(",")))
    bundles = sorted(path.parent for path in CORPUS.glob("*/meta.json"))
    bundles = [bundle for bundle in bundles if not wanted or bundle.name in wanted]
    with ProcessPoolExecutor(args.jobs) as pool:
        results = zip(bundles, pool.map(partial(judge, without=args.without), bundles), strict=True)
        means = [mean for bundle, judged in results if (mean := show(bundle.name, judged, verbose=args.v)) is not None]
    mean = sum(means) / len(means) if means else 0.0
    print(f"F1 {mean:.4f} over {len(means)} blogs (wanted {GOAL})")
    return 0 if mean >= GOAL else 1


def show(name: str, judged: Sequence[Judged], *, verbose: bool) -> float | None:
    """Print a blog that is below the goal; its mean, where there was something to judge."""
    if not judged:
        return None
    mean = sum(post.f1 for post in judged) / len(judged)
    if mean < GOAL or verbose:
        print(f"{name:28}{mean:.3f}  {len(judged)} posts", flush=True)
    for post in judged if verbose else ():
        if post.f1 < 1:
            missed, extra = sorted(post.told - post.read), sorted(post.read - post.told)
            print(f"    {post.url}\n        missed {missed}, too much {extra}")
    return mean


if __name__ == "__main__":
    sys.exit(main())
