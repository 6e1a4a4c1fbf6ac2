"""A blog whose addresses, titles, names and tags are as long as servers let them be is kept like any other."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from string import ascii_lowercase

import pytest

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.archive.reading import search_posts
from blogforever.config import Config
from server.blogserver import Answers, Reply, day, layout, serve_answers, story

# An address may have 8,192 letters; what stands on a page may have any number.
PATH, TEXT = 7_900, 100_000
POSTS = 8


def noise(seed: int, length: int) -> str:
    return "".join(Random(seed).choices(ascii_lowercase, k=length))


def path(number: int) -> str:
    return f"/2021/{number + 1:02}/{noise(number, PATH)}/"


def words(seed: int) -> str:
    """A long text of words, none of them longer than words are."""
    text = noise(seed, TEXT)
    return " ".join(text[at : at + 9] for at in range(0, TEXT, 10))


def title(number: int) -> str:
    return f"Story {number} {words(100 + number)}"


def page(number: int) -> bytes:
    text = "".join(f"<p>{line}</p>" for line in story(number))
    tags = f'<a rel="tag" href="/tag/{noise(300 + number, PATH)}/">{noise(200 + number, TEXT)}</a>'
    return layout(
        title(number),
        f'<article><h1>{title(number)}</h1><p>By <span class="author">{words(400 + number)}</span> on '
        f'<time datetime="{day(number)}">{day(number)}</time></p>'
        f'<div class="entry-content">{text}</div>{tags}</article>'
        f'<img src="/{noise(500 + number, PATH)}.png">',
    )


def feed(base: str) -> bytes:
    items = "".join(
        f"<item><title>{title(n)}</title><link>{base}{path(n)}</link><guid isPermaLink='false'>{noise(n, TEXT)}</guid>"
        f"<category>{noise(200 + n, TEXT)}</category><pubDate>{day(n)}T08:00:00Z</pubDate>"
        f"<description><![CDATA[{''.join(f'<p>{line}</p>' for line in story(n))}]]></description></item>"
        for n in range(POSTS)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{words(9)}</title>{items}</channel></rss>'.encode()


def blog(base: str) -> Answers:
    links = "".join(f'<h2><a href="{path(n)}">Story {n}</a></h2>' for n in range(POSTS))
    pages = {
        "/": Reply(layout("Home", f'{links}<a href="http://{noise(7, 5000)}.example/">far</a>')),
        "/feed.xml": Reply(feed(base), headers={"Content-Type": "application/rss+xml"}),
    }
    return (pages | {path(n): Reply(page(n)) for n in range(POSTS)}).get


@pytest.mark.usefixtures("records")
def test_a_blog_with_long_addresses_titles_names_and_tags_is_kept_and_brought_up_to_date(tmp_path: Path) -> None:
    config = Config(archive=tmp_path / "a", allow_private=True, delay=0.0, render="never")
    with serve_answers(blog) as site:
        reports = [crawl_blog(site.base, config) for _again in range(2)]
        lines = [json.loads(line) for line in write_run(config, reports[0].run)]
        posts = {line["url"] for line in lines if line["type"] == "post"}
        assert posts == {site.base + path(number) for number in range(POSTS)}
    assert [report.ending for report in reports] == ["finished", "finished"]
    assert verify(tmp_path / "a").findings == []
    found = search_posts(tmp_path / "a", words(103).split()[50], None, 5)
    assert [hit.url for hit in found.hits] == [site.base + path(3)]
