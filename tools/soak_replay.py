"""Replays generated blogs of 5,000, 20,000 and 50,000 pages out of WARC files; prints memory and CPU for each.

Fails where the largest takes 400 MiB or more, loses a post, or costs much more CPU for a page than the smallest.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from blogforever.protocols import Exchange
from blogforever.store.folder import ArchiveFolder
from blogforever.store.warc import WarcWriter

BASE = "https://soak.example/"
SIZES = (5_000, 20_000, 50_000)
MOST_MIB = 400.0
MOST_GROWTH = 1.2
ON_A_LIST, IN_FEED, IN_A_SITEMAP = 12, 20, 1000
TAGS = 60
FIRST_DAY = date(2005, 1, 1)
DAYS = 20 * 365


@dataclass(frozen=True)
class Post:
    """A post to be: where it lies and what stands around its text."""

    path: str
    title: str
    day: date
    tags: tuple[int, ...]


class Blog:
    """A blog of so many pages: posts, lists of them by page and by tag, a feed and sitemaps."""

    def __init__(self, pages: int) -> None:
        self._chance = random.Random(7)  # noqa: S311  the same blog each time
        letters = "abcdefghijklmnoprstuvw"
        self._words = ["".join(self._chance.choices(letters, k=self._chance.randint(2, 9))) for _ in range(4000)]
        self.posts = [self._post(number, pages) for number in range(posts_of(pages))]

    def responses(self) -> Iterator[tuple[str, str, str]]:
        """Path, content type and text of every page."""
        yield "robots.txt", "text/plain", f"User-agent: *\nSitemap: {BASE}sitemap.xml\n"
        texts = [self._text() for _ in self.posts[-IN_FEED:]]
        yield "feed.xml", "application/rss+xml", self._feed(texts)
        yield from self._sitemaps()
        for number, post in enumerate(self.posts):
            told = number - len(self.posts) + len(texts)
            yield post.path, "text/html", self._page(number, texts[told] if told >= 0 else self._text())
        for tag in range(TAGS):
            found = [post for post in self.posts if tag in post.tags]
            yield from self._lists(f"tag/subject-{tag}/", f"Subject {tag}", found)
        yield from self._lists("", "Soak", self.posts)

    def _post(self, number: int, pages: int) -> Post:
        day = FIRST_DAY + timedelta(days=number * DAYS // pages)
        title = self._some(5).capitalize()
        return Post(f"{day:%Y/%m}/{title.replace(' ', '-').lower()}-{number}/", title, day, (number % TAGS,))

    def _some(self, count: int) -> str:
        return " ".join(self._chance.choices(self._words, k=count))

    def _text(self) -> str:
        return "".join(f"<p>{self._some(60).capitalize()}.</p>\n" for _ in range(self._chance.randint(4, 16)))

    def _page(self, number: int, text: str) -> str:
        post = self.posts[number]
        near = [self.posts[n] for n in (number - 1, number + 1) if 0 <= n < len(self.posts)]
        links = "".join(f'<a href="/{other.path}">{other.title}</a> ' for other in near)
        tags = "".join(f'<a rel="tag" href="/tag/subject-{tag}/">subject {tag}</a>' for tag in post.tags)
        said = "".join(
            f'<li class="comment" id="comment-{number * 10 + n}"><cite class="fn">Reader {n}</cite> '
            f'<a href="#comment-{number * 10 + n}">{post.day + timedelta(days=n + 1)}</a><p>{self._some(20)}.</p></li>'
            for n in range(number % 4)
        )
        return frame(
            f"{post.title} - Soak",
            f'<article class="post"><h1 class="title">{post.title}</h1><time datetime="{post.day}">{post.day}</time>'
            f'<div class="text">{text}</div><p class="tags">{tags}</p></article><nav>{links}</nav>'
            f'<ol class="commentlist">{said}</ol>',
        )

    def _lists(self, path: str, title: str, posts: list[Post]) -> Iterator[tuple[str, str, str]]:
        newest = posts[::-1]
        count = max(1, -(-len(newest) // ON_A_LIST))
        for number in range(count):
            shown = newest[number * ON_A_LIST : (number + 1) * ON_A_LIST]
            entries = "".join(f'<h2><a href="/{post.path}">{post.title}</a></h2><p>{post.day}</p>' for post in shown)
            more = f'<a rel="next" href="/{path}page/{number + 2}/">Older</a>' if number + 1 < count else ""
            yield f"{path}page/{number + 1}/" if number else path, "text/html", frame(title, entries + more)

    def _feed(self, texts: list[str]) -> str:
        items = "".join(
            f"<item><title>{post.title}</title><link>{BASE}{post.path}</link><pubDate>{post.day}T08:00:00Z</pubDate>"
            f"<description><![CDATA[{text}]]></description></item>"
            for post, text in zip(self.posts[-IN_FEED:], texts, strict=True)
        )
        return f'<rss version="2.0"><channel><title>Soak</title><link>{BASE}</link>{items}</channel></rss>'

    def _sitemaps(self) -> Iterator[tuple[str, str, str]]:
        parts = range(0, len(self.posts), IN_A_SITEMAP)
        names = "".join(f"<sitemap><loc>{BASE}sitemap-{n}.xml</loc></sitemap>" for n in range(len(parts)))
        yield "sitemap.xml", "application/xml", f"<sitemapindex>{names}</sitemapindex>"
        for n, start in enumerate(parts):
            shown = self.posts[start : start + IN_A_SITEMAP]
            urls = "".join(f"<url><loc>{BASE}{post.path}</loc></url>" for post in shown)
            yield f"sitemap-{n}.xml", "application/xml", f"<urlset>{urls}</urlset>"


def posts_of(pages: int) -> int:
    """So many of the pages are posts; each stands on one list of the blog and on one of its tag."""
    return pages * ON_A_LIST // (ON_A_LIST + 2)


def frame(title: str, body: str) -> str:
    """A page around what is special to it."""
    side = "".join(f'<li><a href="/tag/subject-{tag}/">subject {tag}</a></li>' for tag in range(TAGS))
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>"
        '<link rel=alternate type="application/rss+xml" href="/feed.xml"></head>'
        f'<body><header><a href="/">Soak</a></header><main>{body}</main><aside><ul>{side}</ul></aside></body></html>'
    )


def write_blog(folder: Path, blog: Blog) -> None:
    """The blog as somebody would have kept it."""
    writer = WarcWriter(folder, folder, {"software": "soak"})
    now = datetime.now(UTC)
    for path, kind, text in blog.responses():
        headers = (("Content-Type", f"{kind}; charset=utf-8"),)
        writer.write(Exchange(BASE + path, "GET", (), 200, "OK", headers, text.encode(), now))
    writer.close()


def replay(folder: Path) -> tuple[float, float]:
    """CPU seconds and MiB of memory of one replay, start to end."""
    command = [sys.executable, "-m", "blogforever", "crawl", BASE, "--replay", str(folder / "warc")]
    process = subprocess.Popen([*command, "--archive", str(folder / "archive")], stdout=subprocess.DEVNULL)  # noqa: S603
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("the replay failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def soak(pages: int) -> tuple[float, float, bool]:
    """CPU milliseconds a page, MiB of memory, and whether every post was found, for a blog of so many pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        blog = Blog(pages)
        write_blog(folder / "warc", blog)
        seconds, memory = replay(folder)
        with ArchiveFolder(folder / "archive", writing=False) as archive:
            kept = sum(blog.kept for blog in archive.library.blogs())
    each = seconds * 1000 / pages
    print(
        f"{pages:>6} pages: {each:.2f} ms CPU a page, {memory:.0f} MiB, {kept} of {len(blog.posts)} posts", flush=True
    )
    return each, memory, kept == len(blog.posts)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="pages of the blogs, the smallest first")
    found = [soak(pages) for pages in parser.parse_args().sizes]
    growth, memory = found[-1][0] / found[0][0], max(memory for _, memory, _ in found)
    whole = all(whole for _, _, whole in found)
    print(f"cost of a page, the largest blog against the smallest: {growth:.2f} x (at most {MOST_GROWTH} x)")
    print(f"memory: {memory:.0f} MiB (below {MOST_MIB:.0f} MiB); every post kept: {'yes' if whole else 'no'}")
    return 0 if growth <= MOST_GROWTH and memory < MOST_MIB and whole else 1


if __name__ == "__main__":
    sys.exit(main())
