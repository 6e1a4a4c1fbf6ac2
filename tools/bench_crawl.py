"""Measures the CPU a page costs in a whole crawl, beside a bare Scrapy spider that follows links; fails above 3 x.

Twice, on a small and on a larger blog: the difference is what a further page costs, without start and learning. Each
several times, in turns, and the least counts: what else runs on the machine only ever adds.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import sleep
from urllib.request import urlopen

BOUND = 3.0
BASE = "http://127.0.0.1:8791/"
SIZES = (80, 400)
IN_FEED = 20
ROUNDS = 3
SPIDER = """
import sys, scrapy
from scrapy.crawler import CrawlerProcess
class Bare(scrapy.Spider):
    name = "bare"
    start_urls = [sys.argv[1]]
    def parse(self, response):
        if "text/html" in response.headers.get("Content-Type", b"").decode():
            yield from response.follow_all(css="a", callback=self.parse)
process = CrawlerProcess({"LOG_ENABLED": False, "ROBOTSTXT_OBEY": True, "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0})
process.crawl(Bare)
process.start()
"""


def make_site(folder: Path, base: str, posts: int) -> None:
    """A plain blog of files."""
    chance = random.Random(3)  # noqa: S311  the same blog each time
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(3000)]
    frame = "<!doctype html><html><head><title>{0} - Bench</title>" + (
        "<link rel=alternate type=application/rss+xml href=/feed.xml></head><body><header><a href=/>Bench</a></header>"
        "<main>{1}</main><aside>" + "<p>About this blog, and its many friends.</p>" * 40 + "</aside></body></html>"
    )
    items: list[tuple[str, str, str, str]] = []
    for number in range(posts):
        text = "".join(f"<p>{' '.join(chance.choices(words, k=70))}.</p>" for _ in range(12))
        day = f"20{number // 40 + 10:02}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        path = f"{day[:4]}/{day[5:7]}/post-number-{number}"
        title = " ".join(chance.choices(words, k=5)).capitalize()
        body = f"<article><h1>{title}</h1><time datetime={day}>{day}</time><div class=text>{text}</div></article>"
        near = f'<a href="/{items[-1][0]}/">older</a>' if items else ""
        (folder / path).mkdir(parents=True)
        (folder / path / "index.html").write_text(frame.format(title, body + near), encoding="utf-8")
        items.append((path, title, text, day))
    links = "".join(f'<h2><a href="/{path}/">{title}</a></h2>' for path, title, _, _ in reversed(items))
    (folder / "index.html").write_text(frame.format("Home", links), encoding="utf-8")
    entries = "".join(
        f"<item><title>{title}</title><link>{base}{path}/</link><pubDate>{day}T08:00:00Z</pubDate>"
        f"<description><![CDATA[{text}]]></description></item>"
        for path, title, text, day in items[-IN_FEED:]
    )
    head = f"<title>Bench</title><link>{base}</link>"
    feed = f"<?xml version='1.0'?><rss version='2.0'><channel>{head}{entries}</channel></rss>"
    (folder / "feed.xml").write_text(feed, encoding="utf-8")


def cpu_of(command: list[str]) -> float:
    """CPU seconds of one command, start to end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603  our own programs
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[1:4]} failed")
    return usage.ru_utime + usage.ru_stime


def measure(posts: int) -> tuple[float, float]:
    """CPU seconds of our crawl and of the bare spider on a blog of this size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "site").mkdir()
        make_site(folder / "site", BASE, posts)
        server = subprocess.Popen(  # noqa: S603  Python's own server
            [sys.executable, "-m", "http.server", "8791", "--bind", "127.0.0.1", "--directory", str(folder / "site")],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_for(BASE)
            crawl = [sys.executable, "-m", "blogforever", "crawl", BASE, "--allow-private", "--delay", "0"]
            return cpu_of([*crawl, "--archive", str(folder / "archive")]), cpu_of([sys.executable, "-c", SPIDER, BASE])
        finally:
            server.terminate()
            server.wait()


def main() -> int:
    """Command line."""
    runs = [[measure(posts) for posts in SIZES] for _ in range(ROUNDS)]
    small, large = ([min(costs) for costs in zip(*found, strict=True)] for found in zip(*runs, strict=True))
    pages = SIZES[1] - SIZES[0]
    ours, bare = ((b - a) / pages * 1000 for a, b in zip(small, large, strict=True))
    print(f"{SIZES[1]} posts, all in all: {large[0]:.2f} s CPU, bare Scrapy spider {large[1]:.2f} s")
    print(f"a further page: {ours:.2f} ms CPU, bare Scrapy spider {bare:.2f} ms: {ours / bare:.2f} x")
    return 0 if ours / bare <= BOUND else 1


def wait_for(base: str) -> None:
    """Until the server answers."""
    for _ in range(100):
        try:
            urlopen(base, timeout=5).close()  # noqa: S310  our own server
        except OSError:
            sleep(0.1)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
