"""Measures what the order of the walk costs: made sites with ten times as many other pages as posts, no history told.

Downloads until a share of the posts is found, for the learned order and for plain breadth-first order, on two sites of
different build; writes docs/frontier*.svg and the tables in docs/frontier.md. Fails when the bound is missed on either.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchfigure import HEIGHT, LEFT, WIDTH, across, curve, up
from benchpages import ROOT
from blogforever.crawl.crawl import BlogCrawl
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.pipeline.waiting import Order
from blogforever.protocols import Answer, Ask, Ref
from blogforever.records import PostRecord
from frontiersites import BASE, IN_FEED, SITES, MadeSite

BOUND = 0.5
SHARES = (0.5, 0.9, 1.0)
PAGE = ROOT / "docs/frontier.md"
NAMES: dict[Order, str] = {"knn": "learned order", "bfs": "breadth first"}
Measured = dict[Order, list[int]]


class Nothing:
    """Keeps nothing: only the order of the downloads counts."""

    def keep(self, url: str, record: PostRecord) -> None:
        """Not kept."""

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def downloads(site: MadeSite, order: Order) -> list[int]:
    """How many pages had been asked for, found or not, when each post was there."""
    read: dict[int, Page] = {}

    def again(ref: Ref) -> Page:
        return read[ref.offset]

    crawl = BlogCrawl(f"{BASE}/", "made", Tools(learn_rules, extract_post, again, Nothing()), CrawlLimits(order=order))
    posts = set(site.posts)
    queue: list[Ask] = list(crawl.start())
    found: list[int] = []
    fetched = 0
    while queue or (queue := list(crawl.idle())):
        queue.sort(key=lambda ask: -ask.priority)
        ask = queue.pop(0)
        path = ask.url.removeprefix(BASE)
        body = site.feed() if path == "/feed/" else site.pages.get(path)
        fetched += ask.role not in ("feed", "robots", "sitemap", "api")
        if body is None:
            queue += crawl.handle(Answer(ask, 404))
            continue
        if path in posts:
            found.append(fetched)
        read[fetched] = Page(ask.url, body, {"content-type": "text/html"})
        queue += crawl.handle(Answer(ask, 200, read[fetched], ref=Ref("", fetched)))
    return found


def beyond(site: MadeSite, found: Sequence[int], share: float) -> int:
    """Downloads beyond the posts themselves, when this share of the posts was there."""
    wanted = round(len(site.posts) * share)
    return found[wanted - 1] - wanted if len(found) >= wanted else sys.maxsize


def figure(lines: dict[str, list[float]], posts: int) -> str:
    """Downloads over posts."""
    top = max(line[-1] for line in lines.values())
    colours = ("#b03a2e", "#2e6da4", "#4d8a3f")
    ticks = [
        f'<text x="{LEFT - 6}" y="{up(n * top / 4, top) + 4:.1f}" text-anchor="end">{n * top / 4:.0f}</text>'
        f'<text x="{across(n * posts / 4, posts):.0f}" y="{HEIGHT - 30}" text-anchor="middle">{n * posts // 4}</text>'
        f'<path d="M{LEFT} {up(n * top / 4, top):.1f}H{WIDTH - 20}" stroke="#ddd"/>'
        for n in range(5)
    ]
    drawn = [curve(name, line, colours[n], n, posts, top) for n, (name, line) in enumerate(lines.items())]
    labels = f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">posts found</text>'
    labels += '<text x="8" y="14">downloads</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join(
        [head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *ticks, *drawn, labels, "</svg>", ""]
    )


def drawing(number: int) -> Path:
    """The figure of a site."""
    return ROOT / ("docs/frontier.svg" if number == 0 else f"docs/frontier-{number + 1}.svg")


def section(number: int, site: MadeSite, measured: Measured) -> str:
    """One site's table and curve."""
    rows = "\n".join(
        f"| {NAMES[order]} | " + " | ".join(f"{beyond(site, found, share):,}" for share in SHARES) + " |"
        for order, found in measured.items()
    )
    return f"""## {site.name.capitalize()}

{len(site.posts):,} posts and {len(site.pages) - len(site.posts):,} other pages ({site.beside}).

| order | 50 % | 90 % | 100 % |
|---|---|---|---|
{rows}

At 90 % the learned order needs {ratio(site, measured):.0%} of what breadth first needs; the bound is {BOUND:.0%}.

![Downloads over posts found]({drawing(number).name})
"""


def ratio(site: MadeSite, measured: Measured) -> float:
    """What the learned order needs at 90 %, as a share of what breadth first needs."""
    return beyond(site, measured["knn"], 0.9) / beyond(site, measured["bfs"], 0.9)


def report(sites: Sequence[MadeSite], measured: Sequence[Measured]) -> str:
    """The page for the docs."""
    parts = [section(n, site, figures) for n, (site, figures) in enumerate(zip(sites, measured, strict=True))]
    return f"""# The order of the walk

Written by `make bench`: two made sites, built differently, walked with the same settings. The feed knows the last
{IN_FEED} posts, and neither older feed pages nor a sitemap tell the rest. How many pages are asked for beyond the posts
themselves, those that are not there included, when half, 90 % and all of them are found
([how the order is learned](explanation/whole-blog.md#the-order-of-the-walk)):

{chr(10).join(parts)}"""


def measure(write: bool) -> bool:
    """Measure, write, and say whether the bound was held on every site."""
    sites = [make() for make in SITES]
    measured: list[Measured] = [{order: downloads(site, order) for order in NAMES} for site in sites]
    text = report(sites, measured)
    print(text)
    if write:
        PAGE.write_text(text, encoding="utf-8")
        for n, (site, figures) in enumerate(zip(sites, measured, strict=True)):
            lines = {NAMES[order]: [0.0, *map(float, found)] for order, found in figures.items()}
            drawing(n).write_text(figure(lines, len(site.posts)), encoding="utf-8")
    return all(ratio(site, figures) <= BOUND for site, figures in zip(sites, measured, strict=True))


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--no-write", action="store_true", help="leave the docs alone")
    return 0 if measure(not parser.parse_args().no_write) else 1


if __name__ == "__main__":
    sys.exit(main())
