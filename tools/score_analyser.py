"""Score the host analyser on the corpus, which it was never trained on: home, list, post and feed addresses.

    python tools/score_analyser.py [--corpus ../shared/corpus] [--blogs a,b] [--posts 6] [-v]

A blog's home must be called a blog, its list pages list pages, its posts posts, its feeds feeds; each must lead to the
blog's own home. Prints the share that is right by sort of address, and what is wrong with -v.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from blogforever.analyse.judging import judge
from blogforever.analyse.looking import Asked, look
from blogforever.analyse.values import HostVerdict
from blogforever.model import Page
from blogforever.urls import page_key, url_key

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
REDIRECTS = range(300, 400)
# Posts of each blog that are judged; all of one blog say the same.
POSTS = 6
MOST_HOPS = 5
GOOD = 200


@dataclass(slots=True)
class RecordedSite:
    """The answers of one blog, by address."""

    answers: dict[str, tuple[int, Page]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> RecordedSite:
        """The answers in a WARC file."""
        site = cls()
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type != "response" or record.http_headers is None:
                    continue
                url = record.rec_headers.get_header("WARC-Target-URI")
                headers = {name.lower(): value for name, value in record.http_headers.headers}
                status = int(record.http_headers.get_statuscode())
                before, _page = site.answers.get(url_key(url), (0, None))
                if before != GOOD:
                    # A page goes before the redirect to it from the same address without its "s" or "www.".
                    site.answers[url_key(url)] = (status, Page(url, record.content_stream().read(), headers))
        return site

    def fetch(self, url: str) -> Asked:
        """What an address answers, where redirects lead."""
        for _ in range(MOST_HOPS):
            status, page = self.answers.get(url_key(url), (404, None))
            if page is None or status not in REDIRECTS or "location" not in page.headers:
                return status, page
            url = page.headers["location"]
        return 0, None


def addresses(folder: Path, posts: int) -> Iterator[tuple[str, str]]:
    """The addresses of a blog that are judged, each with what it is."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    yield meta["base_url"], "blog"
    for url in meta.get("feeds", ()):
        yield url, "feed"
    front = folder / "front.json"
    for listed in json.loads(front.read_text(encoding="utf-8")) if front.exists() else ():
        if not listed.get("home") and page_key(listed["url"]) != page_key(meta["base_url"]):
            yield listed["url"], "list page"
    with gzip.open(folder / "truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        told = [one["url"] for one in map(json.loads, lines) if one["post"]]
    for url in told[:: max(1, len(told) // posts)][:posts]:
        yield url, "post"


def judged(folder: Path, posts: int) -> Iterator[tuple[str, str, HostVerdict]]:
    """Each address that the recording has, what it is, and the verdict on it."""
    site = RecordedSite.read(folder / "blog.warc.gz")
    for url, sort in addresses(folder, posts):
        status, page = site.fetch(url)
        if page is not None and status == GOOD:
            yield url, sort, judge(look(url, site.fetch))


def scored(corpus: Path, blogs: frozenset[str], posts: int, verbose: bool) -> tuple[Counter[str], Counter[str]]:
    """How many addresses of each sort there are, and how many are right."""
    all_of, right = Counter[str](), Counter[str]()
    for folder in sorted(path.parent for path in corpus.glob("*/blog.warc.gz")):
        if blogs and folder.name not in blogs:
            continue
        for url, sort, verdict in judged(folder, posts):
            all_of[sort] += 1
            right[sort] += verdict.kind == sort
            if verbose and verdict.kind != sort:
                reasons = "; ".join(f"{sign.kind} {sign.weight:.2f} {sign.name}" for sign in verdict.reasons)
                print(
                    f"{folder.name}: {url} is a {sort}, was called {verdict.kind} by {verdict.by}: {reasons}",
                    flush=True,
                )
    return all_of, right


def share_right(corpus: Path = CORPUS) -> float:
    """The share of all addresses that are right, for the gate."""
    all_of, right = scored(corpus, frozenset(), POSTS, verbose=False)
    return right.total() / max(1, all_of.total())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--blogs", default="")
    parser.add_argument("--posts", type=int, default=POSTS)
    parser.add_argument("-v", "--verbose", action="store_true")
    given = parser.parse_args()
    blogs = frozenset(filter(None, given.blogs.split(",")))
    all_of, right = scored(given.corpus, blogs, given.posts, given.verbose)
    for sort, number in sorted(all_of.items()):
        print(f"{sort:<12}{right[sort]:>6} of {number:>5}  {right[sort] / number:.4f}")
    print(f"{'all':<12}{right.total():>6} of {all_of.total():>5}  {right.total() / max(1, all_of.total()):.4f}")


if __name__ == "__main__":
    main()
