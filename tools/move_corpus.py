"""Carries an archive of corpus blogs to PostgreSQL and back, and compares everything that people can see of it.

    python tools/move_corpus.py [--blogs a,b | --blogs all]      needs ../shared/corpus

The blogs are harvested by replay into one archive. Then records, versions, comments, states and what searches find are
written down, and again after `archive move` to a server and after the way back: all must be the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.relocating import relocate
from blogforever.config import Config
from blogforever.dom import tokenise
from blogforever.store.folder import ArchiveFolder

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared/corpus"
sys.path.insert(0, str(ROOT / "tests"))
from server.postgres import bare_database  # noqa: E402  after the path to it

USUAL = 5
# Words that are searched for, one alone and with the next: spread over all that occur in titles.
ASKED = 40
# Posts that a search finds are all compared; no word of the corpus has more.
MOST = 100_000


def harvest(folder: Path, blogs: list[Path]) -> None:
    """All blogs into one archive, out of their files alone."""
    for blog in blogs:
        url = json.loads((blog / "meta.json").read_text(encoding="utf-8"))["base_url"]
        begun = time.perf_counter()
        report = crawl_blog(url, Config(archive=folder, replay=(str(blog / "blog.warc.gz"),)))
        print(f"{blog.name}: {report.posts} posts in {time.perf_counter() - begun:.0f} s", flush=True)


def everything(folder: Path, asked: list[str]) -> dict[str, Any]:
    """What can be seen of an archive, by kind."""
    with ArchiveFolder(folder, writing=False) as archive:
        store = archive.store
        posts = [
            post for blog in archive.library.blogs(everything=True) for post in archive.library.posts(blog.id, True)
        ]
        return {
            "records": list(archive.exported()),
            "versions": {
                post.id: [store.versions.record(post.id, n) for n in range(1, post.version + 1)] for post in posts
            },
            "comments": {post.id: post.comments for post in posts},
            "states": {post.id: (post.status, store.checks.find(post.id)) for post in posts},
            "hits": {words: sorted(post.id for post in archive.search.find(words, limit=MOST)) for words in asked},
        }


def questions(folder: Path) -> list[str]:
    """Words of the archive's own titles, alone and in pairs."""
    with ArchiveFolder(folder, writing=False) as archive:
        words = Counter(word for _day, title, _url in headings(archive) for word in tokenise(title or ""))
    chosen = sorted(words)[:: max(1, len(words) // ASKED)]
    return [*chosen, *(f"{one} {other}" for one, other in zip(chosen, sorted(words), strict=False))]


def headings(archive: ArchiveFolder) -> Iterator[tuple[str | None, str | None, str]]:
    """Day, title and address of every post."""
    for blog in archive.library.blogs(everything=True):
        yield from archive.library.headings(blog.id)


def told(kind: str, value: Any) -> str:
    """How many there are of a kind."""
    number = sum(map(len, value.values())) if kind in ("versions", "comments", "hits") else len(value)
    return f"{number:,} {kind}"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blogs", default="", help="names with commas between, or all; else a few")
    given = parser.parse_args()
    names = sorted(path.name for path in CORPUS.iterdir() if (path / "blog.warc.gz").is_file())
    wanted = names if given.blogs == "all" else given.blogs.split(",") if given.blogs else names[:: len(names) // USUAL]
    wrong = []
    with tempfile.TemporaryDirectory() as spare, bare_database("moved") as url:
        folder = Path(spare, "archive")
        harvest(folder, [CORPUS / name for name in wanted])
        asked = questions(folder)
        before = everything(folder, asked)
        print("; ".join(told(kind, value) for kind, value in before.items()), flush=True)
        for place in (url.render_as_string(), "sqlite"):
            moved = relocate(folder, place)
            after = everything(folder, asked)
            differ = [kind for kind in before if after[kind] != before[kind]]
            wrong += differ
            print(
                f"{moved.rows:,} rows to {moved.new}: {', '.join(differ) + ' differ' if differ else 'all is the same'}"
            )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
