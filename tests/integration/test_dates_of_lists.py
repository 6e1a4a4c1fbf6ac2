"""Posts whose pages name no day but that of the last edit: the blog's archive does, and its feed proves it right."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from server.blogserver import Answers, Reply, serve_answers
from server.shapes import HTML

WORDS = ("anchor", "basket", "candle", "desert", "ember", "forest", "glacier", "hammer", "island", "jungle", "kettle")
IN_FEED = (8, 9, 10)
DayOf = Callable[[int], date]


def day_of(n: int) -> date:
    return date(2019, 1, 4) + timedelta(days=23 * n)


def path(n: int) -> str:
    return f"/posts/about-the-{WORDS[n]}/"


def text_of(n: int) -> list[str]:
    said = [WORDS[(n * 3 + k) % len(WORDS)] for k in range(8)]
    return [f"The {said[0]} stood beside the {said[1]} on trip {n}, and the {said[2]} was {part}." for part in "abc"]


def post(n: int) -> bytes:
    text = "".join(f"<p>{line}</p>" for line in text_of(n))
    body = f"<h1>About the {WORDS[n]}</h1><div class='words'>{text}</div><p class='foot'>Last edited 3 June 2024</p>"
    return f"<html><head><title>About the {WORDS[n]}</title></head><body><main>{body}</main></body></html>".encode()


def blog(listed: DayOf, base: str) -> Answers:
    items = "".join(
        f"<div class='item'><a href='{path(n)}'>About the {WORDS[n]}</a><br>Posted {listed(n):%d %B %Y}</div>"
        for n in range(len(WORDS))
    )
    feed_link = "<link rel='alternate' type='application/rss+xml' href='/feed.xml'>"
    home = f"<html><head><title>Trips</title>{feed_link}</head><body><a href='/archives/'>All</a></body></html>"
    told = "".join(
        f"<item><title>About the {WORDS[n]}</title><link>{base}{path(n)}</link>"
        f"<pubDate>{day_of(n):%a, %d %b %Y} 08:00:00 GMT</pubDate>"
        f"<description>{''.join(f'&lt;p&gt;{line}&lt;/p&gt;' for line in text_of(n))}</description></item>"
        for n in IN_FEED
    )
    feed = f"<rss version='2.0'><channel><title>Trips</title><link>{base}/</link>{told}</channel></rss>"
    pages = {path(n): Reply(post(n), headers=HTML) for n in range(len(WORDS))}
    pages["/"] = Reply(home.encode(), headers=HTML)
    pages["/archives/"] = Reply(f"<html><title>All trips</title><body>{items}</body></html>".encode(), headers=HTML)
    pages["/feed.xml"] = Reply(feed.encode(), headers={"Content-Type": "application/rss+xml"})
    return pages.get


def crawled(folder: Path, listed: DayOf) -> dict[str, dict[str, Any]]:
    config = Config(archive=folder / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0, requisites="none")
    with serve_answers(partial(blog, listed)) as site:
        report = crawl_blog(site.base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    return {record["title"]: record for record in records if record["type"] == "post"}


def test_what_pages_do_not_date_the_archive_page_does(tmp_path: Path) -> None:
    posts = crawled(tmp_path, day_of)
    found = {title: record["published"][:10] for title, record in posts.items()}
    assert found == {f"About the {WORDS[n]}": day_of(n).isoformat() for n in range(len(WORDS))}
    assert posts["About the anchor"]["provenance"]["published"]["rule"] == "list of posts"


def test_lists_that_are_wrong_about_dated_posts_date_no_others(tmp_path: Path) -> None:
    posts = crawled(tmp_path, lambda n: day_of(n) + timedelta(days=300))
    dated = {title for title, record in posts.items() if record["published"]}
    assert dated == {f"About the {WORDS[n]}" for n in IN_FEED}
