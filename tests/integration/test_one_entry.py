"""A feed that shows one post only: what surrounds an article is seen on the further pages, and learned from them."""

from __future__ import annotations

import json
from pathlib import Path

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from server.blogserver import Answers, Reply, serve_answers
from server.shapes import HTML

WORDS = ("anchor", "basket", "candle", "desert", "ember", "forest", "glacier", "hammer", "island", "jungle")


def text_of(n: int) -> list[str]:
    said = [WORDS[(n * 3 + k) % len(WORDS)] for k in range(8)]
    return [f"The {said[0]} stood beside the {said[1]} on day {n}, and the {said[2]} was {part}." for part in "abc"]


def post(n: int) -> bytes:
    text = "".join(f"<p>{line}</p>" for line in text_of(n))
    others = f"<p>&laquo; <a href='/'>The {WORDS[n - 1]} road</a> | Main | <a href='/'>Of {WORDS[-n]}s</a> &raquo;</p>"
    said = f"<p>So true, said the {WORDS[(n * 7) % 10]} to me.</p><p class='posted'>Posted by: Otto {n} at {n}:12</p>"
    body = f"<div class='content'>{others}<h3>About the {WORDS[n]}</h3>{text}<h2>Comments</h2>{said * 2}</div>"
    return f"<html><head><title>About the {WORDS[n]}</title></head><body>{body}</body></html>".encode()


def blog(base: str) -> Answers:
    links = "".join(
        f"<h3><a href='/2019/{n:02}/about-the-{WORDS[n]}/'>About the {WORDS[n]}</a></h3>" for n in range(1, 10)
    )
    feed_link = "<link rel='alternate' type='application/rss+xml' href='/feed.xml'>"
    home = f"<html><head><title>Roads</title>{feed_link}</head><body>{links}</body></html>"
    told = "".join(f"&lt;p&gt;{line}&lt;/p&gt;" for line in text_of(9))
    item = f"<item><title>About the {WORDS[9]}</title><link>{base}/2019/09/about-the-{WORDS[9]}/</link>"
    item += f"<pubDate>Mon, 02 Sep 2019 08:00:00 GMT</pubDate><description>{told}</description></item>"
    feed = f"<rss version='2.0'><channel><title>Roads</title><link>{base}/</link>{item}</channel></rss>"
    pages = {f"/2019/{n:02}/about-the-{WORDS[n]}/": Reply(post(n), headers=HTML) for n in range(1, 10)}
    pages["/"] = Reply(home.encode(), headers=HTML)
    pages["/feed.xml"] = Reply(feed.encode(), headers={"Content-Type": "application/rss+xml"})
    return pages.get


def test_the_pages_beyond_a_feed_of_one_post_are_read_as_well(tmp_path: Path) -> None:
    config = Config(archive=tmp_path / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0, requisites="none")
    with serve_answers(blog) as site:
        report = crawl_blog(site.base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    posts = {record["title"]: record["text"] for record in records if record["type"] == "post"}
    assert posts == {f"About the {WORDS[n]}": "\n\n".join(text_of(n)) for n in range(1, 10)}
