"""Only what was published or changed since a day, of a blog nobody has crawled: the past is not walked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from server.blogserver import Answers, Reply, Site, serve_answers, story

POSTS, PER_PAGE, YOUNG = 60, 5, 9
FIRST = date(2020, 1, 1)
XML = {"Content-Type": "application/xml"}
SINCE = (FIRST + timedelta(days=10 * (POSTS - YOUNG))).isoformat()


def day(number: int) -> str:
    return (FIRST + timedelta(days=10 * number)).isoformat()


def plain(number: int) -> str:
    return f"/tales/the-tale-of-number-{number}/"


def dated(number: int) -> str:
    return f"/{day(number).replace('-', '/')}/the-tale-of-number-{number}/"


def page(title: str, body: str) -> Reply:
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return Reply(f"<html lang=en><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode())


def post(number: int) -> Reply:
    text = "".join(f"<p>{line}</p>" for line in story(number))
    when = f'<time datetime="{day(number)}">{day(number)}</time>'
    return page(f"Tale {number}", f'<article><h1>Tale {number}</h1>{when}<div class="text">{text}</div></article>')


def blog(base: str, path: Callable[[int], str], sitemap: bool = False) -> Answers:
    """Twelve lists of five posts, the newest first; the feed has the newest three."""
    lists = {}
    for n in range(POSTS // PER_PAGE):
        newest = POSTS - 1 - n * PER_PAGE
        items = "".join(
            f'<h2><a href="{path(i)}">Tale {i}</a></h2><p>{story(i)[0]}</p>'
            for i in range(newest, newest - PER_PAGE, -1)
        )
        lists["/" if n == 0 else f"/page/{n + 1}/"] = page("Tales", f'{items}<a href="/page/{n + 2}/">Older</a>')
    entries = "".join(
        f"<item><title>Tale {n}</title><link>{base}{path(n)}</link><pubDate>{day(n)}T08:00:00Z</pubDate>"
        f"<description><![CDATA[{''.join(f'<p>{line}</p>' for line in story(n))}]]></description></item>"
        for n in range(POSTS - 1, POSTS - 4, -1)
    )
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Tales</title><link>{base}/</link>{entries}'
    pages = lists | {path(n): post(n) for n in range(POSTS)}
    pages["/feed.xml"] = Reply(f"{feed}</channel></rss>".encode(), headers=XML)
    if sitemap:
        # One old tale was changed a short while ago.
        places = "".join(
            f"<url><loc>{base}{path(n)}</loc><lastmod>{day(POSTS - 1 if n == 2 else n)}</lastmod></url>"
            for n in range(POSTS)
        )
        pages["/sitemap.xml"] = Reply(f'<?xml version="1.0"?><urlset>{places}</urlset>'.encode(), headers=XML)
    return pages.get


def crawl(site: Site, archive: Path, **more: Any) -> tuple[CrawlReport, dict[str, Any]]:
    config = Config(archive=archive, allow_private=True, delay=0.0, requisites="none", render="never", **more)
    report = crawl_blog(site.base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    return report, {record["url"].removeprefix(site.base): record for record in records if record["type"] == "post"}


def numbers(site: Site) -> set[int]:
    """The posts that were asked for."""
    return {int(found[1]) for path in site.asked if (found := re.search(r"number-(\d+)/$", path))}


@pytest.mark.parametrize("path", [plain, dated])
def test_lists_are_left_where_they_show_only_what_is_older(path: Callable[[int], str], tmp_path: Path) -> None:
    with serve_answers(partial(blog, path=path)) as site:
        report, posts = crawl(site, tmp_path, since=SINCE)
    assert set(posts) == {path(n) for n in range(POSTS - YOUNG, POSTS)}
    assert not any(f"/page/{n}/" in site.asked for n in range(5, 20))
    assert min(numbers(site)) >= POSTS - YOUNG - (2 * PER_PAGE if path is plain else 0)
    assert not report.completeness.missing


def test_a_sitemap_tells_what_was_changed_and_what_was_left_out_is_said(tmp_path: Path) -> None:
    with serve_answers(partial(blog, path=plain, sitemap=True)) as site:
        report, posts = crawl(site, tmp_path, since=SINCE)
        assert numbers(site) == {2, *range(POSTS - YOUNG, POSTS)}
        assert set(posts) == {plain(n) for n in (2, *range(POSTS - YOUNG, POSTS))}
        sentences = " ".join(report.completeness.sentences())
        assert (
            f"{POSTS - YOUNG - 1} announced addresses set aside (left out by choice: older than --since)" in sentences
        )
        assert not report.completeness.missing
        report, posts = crawl(site, tmp_path)
        assert report.posts == POSTS
        assert numbers(site) == set(range(POSTS))
