"""Measures speed and success beside other extractors: CPU time, one core, one run; writes docs/bench.md and its figure.

On the pages of ../shared/corpus where it is present, else on the sample blog. Fails when a bound is missed.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import process_time
from typing import Any

import trafilatura
from readability import Document

from benchfigure import figure
from benchpages import CORPUS, ROOT, Blog, blogs
from blogforever.comments import extract_comments
from blogforever.discover.feed import parse_feed
from blogforever.dom import decode, parse, tokenise
from blogforever.extract.apply import find_node, listed_values, value_of
from blogforever.extract.post import extract_post
from blogforever.extract.templates import choose_template
from blogforever.extract.trimming import foreign_nodes
from blogforever.learn import learn_rules
from blogforever.model import Page, Rules
from blogforever.similarity import bigram_dice

PAGE = ROOT / "docs/bench.md"
FIGURE = ROOT / "docs/running-time.svg"
FIGURE_POSTS = 60
PEERS = ("BlogForever", "trafilatura", "readability-lxml")

Extracted = tuple[str, str]


@dataclass
class Clock:
    """CPU seconds by name."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, name: str, work: Callable[[], Any]) -> Any:
        """Do the work and add what it cost."""
        started = process_time()
        result = work()
        self.seconds[name] = self.seconds.get(name, 0.0) + process_time() - started
        return result


@dataclass
class Tally:
    """What the extractors gave, page by page, and what it cost."""

    clock: Clock = field(default_factory=Clock)
    fitting: Clock = field(default_factory=Clock)
    other: Clock = field(default_factory=Clock)
    pages: int = 0
    fitting_pages: int = 0
    scores: dict[str, list[tuple[float, float, float]]] = field(default_factory=lambda: {name: [] for name in PEERS})


# --- the extractors


def ours(page: Page, rules: Rules) -> Extracted:
    """Title and text by learned rules."""
    post = extract_post(page, rules)
    return post.title or "", post.text


def trafilatura_does(html: str, url: str) -> Extracted:
    """Title and text by trafilatura, with metadata, as it is meant to be used."""
    found: Any = trafilatura.bare_extraction(html, url=url, with_metadata=True, include_comments=False)
    return (found.title or "", found.text or "") if found else ("", "")


def readability_does(html: str) -> Extracted:
    """Title and text by readability-lxml."""
    try:
        document = Document(html)
        return document.short_title() or "", parse(document.summary()).text(separator=" ")
    except Exception:  # a peer that fails has given nothing
        return "", ""


def select_all(page_parser: Any, rules: Rules) -> None:
    """Every field of the fitting template, selected on a parsed page; nothing is cleaned."""
    for template in rules.templates[:1]:
        article = find_node(page_parser, template.article.css)
        for name, found in template.fields.items():
            for rule in found[:1]:
                if name in ("tags", "categories"):
                    listed_values(page_parser, rule, rules.blog)
                else:
                    value_of(page_parser, rule)
        if article is not None:
            foreign_nodes(article, template.exclude)


# --- scores


def word_f1(found: str, wanted: str) -> float:
    """F1 of the bags of words."""
    a, b = Counter(tokenise(found)), Counter(tokenise(wanted))
    return 2 * (a & b).total() / (a.total() + b.total()) if a or b else 1.0


def score(found: Extracted, truth: dict[str, Any]) -> tuple[float, float, float]:
    """Body F1, body Dice, title right."""
    title, text = found
    right = tokenise(title) == tokenise(truth.get("title") or "")
    return word_f1(text, truth["text"]), bigram_dice(text.casefold(), truth["text"].casefold()), float(right)


# --- the measurements


def measure_blog(blog: Blog, tally: Tally) -> None:
    """Learn from one blog's feed, then extract its other posts with everybody."""
    clock = tally.clock
    clock.time("parse training", lambda: [parse(decode(page.content, page.headers)) for page in blog.training])
    rules = clock.time("learn", lambda: learn_rules(blog.feed, blog.training))
    for page, _truth in blog.posts:  # page after page, as a crawl does it, without a peer in between
        parser = clock.time("parse", partial(parse, decode(page.content, page.headers)))
        clock.time("select", partial(select_all, parser, rules))
    for page, truth in blog.posts:
        html = decode(page.content, page.headers)
        fits = choose_template(parse(html), rules) is not None
        run = tally.fitting if fits else tally.other
        tally.pages += 1
        tally.fitting_pages += fits
        for name, found in run_peers(run, page, html, rules).items():
            tally.scores[name].append(score(found, truth))


def run_peers(clock: Clock, page: Page, html: str, rules: Rules) -> dict[str, Extracted]:
    """One page through every extractor."""
    return {
        "BlogForever": clock.time("BlogForever", lambda: ours(page, rules)),
        "trafilatura": clock.time("trafilatura", lambda: trafilatura_does(html, page.url)),
        "readability-lxml": clock.time("readability-lxml", lambda: readability_does(html)),
    }


def running_time(blog: Blog) -> dict[str, list[float]]:
    """Cumulated seconds over the posts of one blog, learning included."""
    clock = Clock()
    rules = clock.time("BlogForever", lambda: learn_rules(blog.feed, blog.training))
    lines: dict[str, list[float]] = {name: [clock.seconds.get(name, 0.0)] for name in PEERS}
    for page, _ in blog.posts[:FIGURE_POSTS]:
        run_peers(clock, page, decode(page.content, page.headers), rules)
        for name in PEERS:
            lines[name].append(clock.seconds[name])
    return lines


def scaling(nested: bool) -> list[float]:
    """Seconds to learn from pages of 1, 4 and 16 times the size."""
    return [min(learning_time(size, nested) for _ in range(3)) for size in (1, 4, 16)]


def learning_time(size: int, nested: bool) -> float:
    """CPU seconds to learn from three made pages of a size, flat or deeply nested, all told by the feed."""
    pages, items = [], []
    for n in range(3):
        lines = [f"<p>{' '.join(f'w{n}x{line}x{m}' for m in range(12))}</p>" for line in range(250 * size)]
        body = "".join(f"<div>{line}" for line in lines) + "</div>" * len(lines) if nested else "".join(lines)
        pages.append(Page(f"https://b.example/{n}/", f"<body><h1>Post {n}</h1><main>{body}</main></body>".encode()))
        text = "".join(lines).replace("<", "&lt;")
        items.append(
            f"<item><title>Post {n}</title><link>{pages[n].url}</link><description>{text}</description></item>"
        )
    feed = parse_feed(f'<rss version="2.0"><channel>{"".join(items)}</channel></rss>'.encode(), "https://b.example/rss")
    started = process_time()
    learn_rules(feed, pages)
    return process_time() - started


def comments_time(count: int, run: int = 0) -> float:
    """CPU seconds to read a page with so many comments, every third an answer to the one before."""
    one = (
        '<li class="comment" id="comment-{n}"><cite class="fn">Reader {n}</cite> <a href="#comment-{n}">2013-03-04</a>'
    )
    items = []
    for n in range(0, count, 3):
        parts = [one.format(n=m) + f"<p>{' '.join(f'w{run}x{m}x{k}' for k in range(40))}</p>" for m in range(n, n + 3)]
        items.append(f'{parts[0]}</li>{parts[1]}<ul class="children">{parts[2]}</li></ul></li>')
    html = f'<body><h1>Post</h1><p>Text.</p><ol class="commentlist">{"".join(items)}</ol></body>'
    page = Page("https://b.example/c/", html.encode())
    started = process_time()
    extract_comments(page)
    return process_time() - started


def import_time() -> float:
    """CPU seconds to import the core in a fresh interpreter."""
    core = "from blogforever import extract_post, learn_rules, parse_feed, segment_page"
    code = f"import time; t = time.process_time(); {core}; print(time.process_time() - t)"
    run = [sys.executable, "-c", code]
    return min(float(subprocess.check_output(run)) for _ in range(5))  # noqa: S603  # our own interpreter


# --- the report


@dataclass(frozen=True)
class Bound:
    """One promise: a figure, and what it must not pass."""

    what: str
    value: float
    bound: float
    least: bool = False

    @property
    def held(self) -> bool:
        """Whether the promise is kept."""
        return self.value >= self.bound if self.least else self.value <= self.bound

    def row(self) -> str:
        """The promise as a line of a table."""
        sign = ">=" if self.least else "<="
        return f"| {self.what} | {self.value:.2f} | {sign} {self.bound} | {'held' if self.held else 'MISSED'} |"


def bounds(tally: Tally, flat: Sequence[float], nested: Sequence[float]) -> list[Bound]:
    """Everything that is promised about speed."""
    clock, fitting = tally.clock.seconds, tally.fitting.seconds
    mine = fitting.get("BlogForever", 0.0) or 1e-9
    return [
        Bound("parse and select all fields, against the bare parse", 1 + clock["select"] / clock["parse"], 1.3),
        Bound(
            "trafilatura's time over ours, pages the rules fit", fitting.get("trafilatura", 0.0) / mine, 14, least=True
        ),
        Bound(
            "readability-lxml's time over ours, same pages", fitting.get("readability-lxml", 0.0) / mine, 9, least=True
        ),
        Bound("learning, against parsing the pages it learns from", clock["learn"] / clock["parse training"], 16),
        Bound("importing the core, seconds", import_time(), 0.3),
        Bound("learning, a page 16 times as large costs times", flat[2] / flat[0], 24),
        Bound("the same, deeply nested", nested[2] / nested[0], 24),
        Bound("comments, a page with 2,000 costs times one with 100", comments_ratio(), 20),
    ]


def comments_ratio() -> float:
    """What a page with 2,000 comments costs, in pages with 100: twenty of those, so that both take about as long."""
    comments_time(100)
    small = min(sum(comments_time(100, 20 * turn + n) for n in range(20)) / 20 for turn in range(5))
    large = min(comments_time(2000, 1000 + turn) for turn in range(5))
    return large / small


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean."""
    return sum(values) / len(values) if values else 0.0


def success_table(tally: Tally) -> str:
    """The paper's table of success rates, with F1 beside its measure."""
    rows = [
        "| extractor | article, Dice > 0.5 | article, F1 >= 0.9 | article, mean F1 | title |",
        "|---|---|---|---|---|",
    ]
    for name, scores in tally.scores.items():
        f1, dices, titles = zip(*scores, strict=True)
        cells = (mean([d > 0.5 for d in dices]), mean([f >= 0.9 for f in f1]), mean(f1), mean(titles))
        rows.append(f"| {name} | " + " | ".join(f"{cell:.1%}" for cell in cells) + " |")
    return "\n".join(rows)


def time_table(tally: Tally) -> str:
    """Milliseconds a page."""
    clock, fitting, pages = tally.clock.seconds, tally.fitting.seconds, max(1, tally.fitting_pages)
    rows = [
        ("parse (lexbor, decoded text)", clock["parse"] / tally.pages),
        ("select all fields", clock["select"] / tally.pages),
    ]
    rows += [(f"{name}, all fields", fitting.get(name, 0.0) / pages) for name in PEERS]
    return "| step | CPU ms a page |\n|---|---|\n" + "\n".join(f"| {name} | {1000 * s:.2f} |" for name, s in rows)


def report(tally: Tally, promises: Sequence[Bound], learned: int) -> str:
    """The page for the docs."""
    place = "real blogs" if CORPUS.is_dir() else "the sample blog"
    table = "\n".join(["| promise | measured | bound | |", "|---|---|---|---|", *(bound.row() for bound in promises)])
    return f"""# Speed and success

Written by `make bench`: CPU time on one core, all extractors in one run, on {tally.pages} posts of {place}
that were not learned from (or were, where the feed knows all the posts), of which the rules fit {tally.fitting_pages}.
Absolute times change from machine to machine, ratios hardly.

## Promises

{table}

## Time

{time_table(tally)}

## Success

The table of success rates of the published method, with today's peers. Its own measure (Dice of character bigrams above
0.5) hardly tells good from bad; word F1 stands beside it.

{success_table(tally)}

## Running time

Cumulated CPU time over the posts of one blog. Ours begins with the cost of learning from the {learned} pages its feed
speaks of.

![Cumulated running time]({FIGURE.name})
"""


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--posts", type=int, default=16, help="posts measured of each blog")
    parser.add_argument("--no-write", action="store_true", help="leave the docs alone")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warm_up()
    tally, largest = Tally(), None
    for blog in blogs(max(args.posts, FIGURE_POSTS)):
        if largest is None or len(blog.posts) > len(largest.posts):
            largest = blog
        measure_blog(Blog(blog.feed, blog.training, blog.posts[: args.posts]), tally)
    assert largest is not None
    lines = running_time(largest)
    promises = bounds(tally, scaling(nested=False), scaling(nested=True))
    page = report(tally, promises, len(largest.training))
    print(page)
    if not args.no_write:
        PAGE.write_text(page, encoding="utf-8")
        FIGURE.write_text(figure(lines, len(largest.training)), encoding="utf-8")
    return 0 if all(bound.held for bound in promises) else 1


def warm_up() -> None:
    """Load every library before the clock runs, those too that only a page without a text needs."""
    html = "<body><article class=h-entry itemscope><h1>Title</h1><p>Some words.</p></article></body>"
    run_peers(Clock(), Page("https://b.example/", html.encode()), html, Rules(""))


if __name__ == "__main__":
    sys.exit(main())
