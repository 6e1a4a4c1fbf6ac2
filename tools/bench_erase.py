"""Measures how long it takes to erase one post of a large archive: seconds of the whole command; fails above 60.

The archive holds some 1 GB of WARC files of many blogs of the same size, half of it pages, half pictures: `--blogs` and
`--posts` say how many of what. The work must be bounded by the post's blog, so that twice the blogs cost hardly more.
What other programs do meanwhile counts, too: read the figure on a quiet machine.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace

from blogforever.archive.opening import open_archive
from blogforever.pipeline.record import post_id
from blogforever.protocols import Exchange, Recorder
from blogforever.records import AuthorRecord, BlogRecord, PostRecord, SourceRecord
from blogforever.store.folder import ArchiveFolder

MOST_SECONDS = 60.0
BLOGS, POSTS = 40, 1000
# Paragraphs of a post, and of what stands around it on its page: side columns, the beginnings of other posts.
OF_POST, AROUND = 12, 48
WORDS = 4000
IN_PARAGRAPH, OF_TITLE = 60, 7
PICTURE = 12_000
IN_FEED = 20
HTML, FEED, PNG = (
    (("Content-Type", kind),) for kind in ("text/html; charset=utf-8", "application/rss+xml", "image/png")
)


class Maker:
    """Makes blogs that differ, always the same ones."""

    def __init__(self, posts: int) -> None:
        self._posts, self._chance = posts, random.Random(1)  # noqa: S311  nothing secret
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._words = ["".join(self._chance.choices(letters, k=self._chance.randint(2, 9))) for _ in range(WORDS)]
        # As in a language, few words are most of a text.
        self._often = list(accumulate(1 / (place + 1) for place in range(WORDS)))

    def blog(self, archive: ArchiveFolder, name: str) -> str:
        """Write a blog; the address of one of its posts."""
        archive.hold([name])
        run, _ = archive.store.runs.open(name)
        record = archive.recorder(name, run, {"software": "bench"})
        archive.store.blogs.keep(BlogRecord(id=name, url=f"https://{name}/", title=name))
        with archive.store.transaction():
            posts = list(self._write_posts(archive, run, record, name))
        items = "".join(f"<item><link>{post.url}</link><description>{post.text}</description></item>" for post in posts)
        record(_answer(f"https://{name}/feed", FEED, f"<rss><channel>{items}</channel></rss>".encode()))
        archive.store.runs.close(run, "finished")
        archive.finish_files(name)
        return posts[-1].url

    def _write_posts(self, archive: ArchiveFolder, run: int, record: Recorder, name: str) -> Iterator[PostRecord]:
        """The posts of the feed, when all are written."""
        for number in range(self._posts):
            post, page = self._post(name, number)
            picture = self._chance.randbytes(PICTURE)
            record(_answer(f"{post.url}picture.png", PNG, b"\x89PNG\r\n\x1a\n" + picture))
            ref = record(_answer(post.url, HTML, page))
            source = SourceRecord(record_id=ref.record_id, url=post.url, digest=ref.digest)
            archive.store.posts.keep(run, replace(post, sources=(source,)), "none")
            if number >= self._posts - IN_FEED:
                yield post

    def _post(self, name: str, number: int) -> tuple[PostRecord, bytes]:
        url = f"https://{name}/2020/05/a-post-of-the-bench-{number}/"
        said = [self._paragraph() for _ in range(OF_POST + AROUND)]
        own, around = said[:OF_POST], said[OF_POST:]
        title = " ".join(self._chance.choices(self._words, k=OF_TITLE)).capitalize()
        html = "".join(f"<p>{text}</p>" for text in own)
        aside = "".join(f"<div class=box><a href=/about/>{text}</a></div>\n" for text in around)
        page = f"<title>{title}</title><body><article><h1>{title}</h1>{html}</article><aside>{aside}</aside>"
        record = PostRecord(
            id=post_id(name, url),
            blog=name,
            url=url,
            title=title,
            authors=(AuthorRecord(name="Bench Writer"),),
            published="2020-05-01",
            text="\n\n".join(own),
            html=html,
        )
        return record, page.encode()

    def _paragraph(self) -> str:
        return " ".join(self._chance.choices(self._words, cum_weights=self._often, k=IN_PARAGRAPH))


def _answer(url: str, headers: tuple[tuple[str, str], ...], body: bytes) -> Exchange:
    return Exchange(url, "GET", (), 200, "OK", headers, body, datetime.now(UTC), "192.0.2.1")


def make(folder: Path, blogs: int, posts: int) -> str:
    """An archive with these blogs; the address of a post in the last one."""
    maker, address = Maker(posts), ""
    with open_archive(folder, writing=True) as archive:
        for number in range(blogs):
            address = maker.blog(archive, f"blog{number}.example")
        archive.search.update()
    return address


def erased_in(folder: Path, address: str, *more: str) -> float:
    """Seconds that the command takes; it prints what it did."""
    command = [sys.executable, "-m", "blogforever", "suppress", address, "--erase", "--reason", "bench", *more]
    began = perf_counter()
    subprocess.run([*command, "--archive", str(folder)], check=True)  # noqa: S603  our own command
    return perf_counter() - began


def size_of(folder: Path) -> float:
    """Megabytes of all files below it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blogs", type=int, default=BLOGS)
    parser.add_argument("--posts", type=int, default=POSTS, help="of each blog")
    parser.add_argument("--folder", type=Path, help="where the archive is made, to look at it afterwards")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as spare:
        folder = (given.folder or Path(spare)) / "archive"
        began = perf_counter()
        address = make(folder, given.blogs, given.posts)
        warcs, records = size_of(folder / "warc"), (folder / "archive.db").stat().st_size / 1e6
        print(f"{given.blogs} blogs of {given.posts} posts: {warcs:.0f} MB of WARC files, {records:.0f} MB of records")
        print(f"made in {perf_counter() - began:.0f} s", flush=True)
        seen = erased_in(folder, address, "--dry-run")
        took = erased_in(folder, address)
    print(f"one post shown in {seen:.1f} s, erased in {took:.1f} s (at most {MOST_SECONDS:.0f})")
    return 0 if took <= MOST_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
