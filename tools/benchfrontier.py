"""Measures what the order of the walk costs: a made site with ten times as many other pages as posts, no history told.

Downloads until a share of the posts is found, for the learned order and for plain breadth-first order;
writes docs/frontier.svg and the table in docs/frontier.md. Fails when the bound is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from benchfigure import HEIGHT, LEFT, WIDTH, across, curve, up
from benchpages import ROOT
from blogforever.extract.post import extract_post
from blogforever.learn import learn_rules
from blogforever.model import Failure, Page
from blogforever.pipeline.crawl import BlogCrawl, Limits
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.waiting import Order
from blogforever.protocols import Answer, Ask, Record, Ref

BASE = "https://made.example"
POSTS, IN_FEED, ON_A_PAGE = 300, 10, 10
FORUM, WIKI, SHOP, TAGS = 1200, 900, 500, 400
BOUND = 0.5
PAGE, FIGURE = ROOT / "docs/frontier.md", ROOT / "docs/frontier.svg"
NAMES: dict[Order, str] = {"knn": "learned order", "bfs": "breadth first"}
WORDS = (
    "amber birch cobalt delta elm fjord grove hazel iris jade kelp lark moss nova onyx pine quartz reed sage".split()
)


def post_url(number: int) -> str:
    """Where a post is."""
    return f"/{2005 + number // 30}/{number % 12 + 1:02}/{WORDS[number % 19]}-{WORDS[number % 17]}-{number}/"


def page(title: str, links: Sequence[str], text: str = "") -> bytes:
    """Every page has the site's menu, and every post's page looks like the others."""
    menu = "".join(f'<a href="{url}">{url}</a>' for url in ("/", "/forum/", "/wiki/", "/shop/", "/tags/", "/notes/"))
    items = "".join(f'<li><a href="{url}">{url}</a></li>' for url in links)
    return f"<!doctype html><html><body><nav>{menu}</nav><h1>{title}</h1>{text}<ul>{items}</ul></body></html>".encode()


def site() -> dict[str, bytes]:
    """All pages by their address."""
    pages: dict[str, bytes] = {}
    for n in range(POSTS):
        words = " ".join(WORDS[(n * 7 + i * i) % 19] for i in range(80))
        text = f'<div class="body"><p>Number {n} tells: {words}.</p></div><time>{2005 + n // 30}-01-01</time>'
        tags = [f"/tags/{WORDS[n % 19]}/", f"/wiki/{WORDS[n % 13]}_{n % WIKI}"]
        pages[post_url(n)] = page(f"Post {n}", tags, text)
    newest = [post_url(n) for n in range(POSTS - 1, -1, -1)]
    lists = -(-POSTS // ON_A_PAGE)
    for n in range(1, lists + 1):
        older = [f"/notes/older-{n + 1}"] if n < lists else []
        pages["/notes/" if n == 1 else f"/notes/older-{n}"] = page(
            f"Notes {n}", newest[(n - 1) * ON_A_PAGE : n * ON_A_PAGE] + older
        )
    for name, number, width in (("forum", FORUM, 40), ("wiki", WIKI, 30), ("shop", SHOP, 25)):
        pages |= section(name, number, width)
    pages |= {f"/tags/{word}/": page(word, newest[i : i + 2]) for i, word in enumerate(WORDS)}
    many = [f"/tags/{a}+{b}/" for a in WORDS for b in WORDS if a < b] + [
        f"/tags/{a}{n}/" for n in range(13) for a in WORDS
    ]
    pages |= {url: page(url, many[i + 1 : i + 4]) for i, url in enumerate(many[:TAGS])}
    pages["/tags/"] = page("Tags", [*(f"/tags/{word}/" for word in WORDS), *many[:40]])
    pages["/"] = page("Made", ["/about/", *newest[:3]])
    pages["/about/"] = page("About", [])
    return pages


def section(name: str, number: int, width: int) -> dict[str, bytes]:
    """A part of the site that is no blog: numbered lists of pages that lead to each other."""
    urls = [f"/{name}/{WORDS[n % 19]}_{n}" for n in range(number)]
    pages = {
        url: page(f"{name} {n}", [urls[(n * 3 + i) % number] for i in range(1, 5)], f"<p>{WORDS[n % 19]} talk</p>")
        for n, url in enumerate(urls)
    }
    for n in range(-(-number // width)):
        place = f"/{name}/" if n == 0 else f"/{name}/list/{n + 1}/"
        pages[place] = page(f"{name} list {n}", [*urls[n * width : (n + 1) * width], f"/{name}/list/{n + 2}/"])
    return pages


def feed() -> bytes:
    """The last posts, and no more."""
    items = "".join(
        f"<item><title>Post {n}</title><link>{BASE}{post_url(n)}</link><description>Number {n}</description></item>"
        for n in range(POSTS - IN_FEED, POSTS)
    )
    return f'<rss version="2.0"><channel><title>Made</title><link>{BASE}/</link>{items}</channel></rss>'.encode()


class Nothing:
    """Keeps nothing: only the order of the downloads counts."""

    def keep(self, url: str, record: Record) -> None:
        """Not kept."""

    def fail(self, failure: Failure) -> None:
        """Not kept."""


def downloads(order: Order) -> list[int]:
    """How many pages had been fetched when each post was."""
    pages = site()
    read: dict[int, Page] = {}

    def again(ref: Ref) -> Page:
        return read[ref.offset]

    crawl = BlogCrawl(f"{BASE}/", "made", Tools(learn_rules, extract_post, again, Nothing()), Limits(order=order))
    queue: list[Ask] = list(crawl.start())
    found: list[int] = []
    fetched = 0
    while queue or (queue := list(crawl.idle())):
        queue.sort(key=lambda ask: -ask.priority)
        ask = queue.pop(0)
        path = ask.url.removeprefix(BASE)
        body = feed() if path == "/feed/" else pages.get(path)
        if body is None:
            queue += crawl.handle(Answer(ask, 404))
            continue
        fetched += ask.role not in ("feed", "robots", "sitemap", "api")
        if re.match(r"/\d{4}/", path):
            found.append(fetched)
        read[fetched] = Page(ask.url, body, {"content-type": "text/html"})
        queue += crawl.handle(Answer(ask, 200, read[fetched], ref=Ref("", fetched)))
    return found


def beyond(found: Sequence[int], share: float) -> int:
    """Downloads beyond the posts themselves, when this share of the posts was there."""
    wanted = round(POSTS * share)
    return found[wanted - 1] - wanted if len(found) >= wanted else sys.maxsize


def figure(lines: dict[str, list[float]]) -> str:
    """Downloads over posts."""
    top = max(line[-1] for line in lines.values())
    colours = ("#b03a2e", "#2e6da4", "#4d8a3f")
    ticks = [
        f'<text x="{LEFT - 6}" y="{up(n * top / 4, top) + 4:.1f}" text-anchor="end">{n * top / 4:.0f}</text>'
        f'<text x="{across(n * POSTS / 4, POSTS):.0f}" y="{HEIGHT - 30}" text-anchor="middle">{n * POSTS // 4}</text>'
        f'<path d="M{LEFT} {up(n * top / 4, top):.1f}H{WIDTH - 20}" stroke="#ddd"/>'
        for n in range(5)
    ]
    drawn = [curve(name, line, colours[n], n, POSTS, top) for n, (name, line) in enumerate(lines.items())]
    labels = f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">posts found</text>'
    labels += '<text x="8" y="14">downloads</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join(
        [head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *ticks, *drawn, labels, "</svg>", ""]
    )


def report(measured: dict[Order, list[int]], others: int) -> str:
    """The page for the docs."""
    rows = "\n".join(
        f"| {NAMES[order]} | " + " | ".join(f"{beyond(found, share):,}" for share in (0.5, 0.9, 1.0)) + " |"
        for order, found in measured.items()
    )
    ratio = beyond(measured["knn"], 0.9) / beyond(measured["bfs"], 0.9)
    return f"""# The order of the walk

Written by `make bench`: a made site of {POSTS:,} posts and {others:,} other pages (forum, wiki, shop, tags), its feed
knows the last {IN_FEED}, and neither older feed pages nor a sitemap tell the rest. How many pages are fetched
beyond the posts themselves, when half, 90 % and all of them are found
([how the order is learned](explanation/whole-blog.md#the-order-of-the-walk)):

| order | 50 % | 90 % | 100 % |
|---|---|---|---|
{rows}

At 90 % the learned order needs {ratio:.0%} of what breadth first needs; the bound is {BOUND:.0%}.

![Downloads over posts found]({FIGURE.name})
"""


def measure(write: bool) -> bool:
    """Measure, write, and say whether the bound was held."""
    measured: dict[Order, list[int]] = {order: downloads(order) for order in NAMES}
    page_text = report(measured, len(site()) - POSTS)
    print(page_text)
    if write:
        PAGE.write_text(page_text, encoding="utf-8")
        FIGURE.write_text(figure({NAMES[o]: [0.0, *map(float, f)] for o, f in measured.items()}), encoding="utf-8")
    return beyond(measured["knn"], 0.9) <= BOUND * beyond(measured["bfs"], 0.9)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--no-write", action="store_true", help="leave the docs alone")
    return 0 if measure(not parser.parse_args().no_write) else 1


if __name__ == "__main__":
    sys.exit(main())
