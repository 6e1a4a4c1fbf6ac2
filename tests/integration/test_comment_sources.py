"""A crawl asks every source of comments: the pages, the open API over its pages, the feed of a post that lacks some."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from server.blogserver import Answers, Reply, Site, serve_answers
from server.wpblog import Blog, answer

BLOG = Blog(posts=8, in_feed=8, api=True)
SHORT, LOCKED, SILENT = 3, 4, 5
LIST = "/wp-json/wp/v2/comments"


def item(base: str, number: int, parent: int = 0) -> dict[str, Any]:
    return {
        "id": number,
        "parent": parent,
        "author_name": f"Reader {number}",
        "link": f"{base}{BLOG.path(SHORT)}comment-page-1/#comment-{number}",
        "date": f"2021-06-{number:02}T08:00:00",
        "content": {"rendered": f"<p>What reader {number} has to say about it.</p>"},
        "type": "comment",
    }


def api(base: str, number: int) -> Reply:
    shown = [item(base, 10), item(base, 11, 10)] if number == 1 else [item(base, 12)]
    kind = {"Content-Type": "application/json", "X-WP-Total": "3", "X-WP-TotalPages": "2"}
    return Reply(json.dumps(shown).encode(), headers=kind)


def post_feed(base: str) -> Reply:
    link = f"{base}{BLOG.path(LOCKED)}#comment-20"
    text = '<form><input name="post_password" type="password"></form>'
    entry = (
        f"<title>By: Bo</title><link>{link}</link><guid>{link}</guid><pubDate>Mon, 07 Jun 2021 08:00:00 +0000</pubDate>"
    )
    body = f"<item>{entry}<description><![CDATA[{text}]]></description></item>"
    feed = f"<rss version='2.0'><channel><title>Comments on: it</title>{body}</channel></rss>"
    return Reply(feed.encode(), headers={"Content-Type": "application/rss+xml"})


SHOWN = (
    '<h3>3 comments</h3><ol class="commentlist"><li class="comment" id="comment-10"><cite class="fn">Reader 10</cite>'
    '<time datetime="2021-06-10T08:00">June 10</time><p>What reader 10 has to say about it.</p></li></ol>'
)
PASSWORD = '<form><input name="post_password" type="password"></form><script src="/wp-content/a.js"></script>'


def answered(base: str) -> Answers:
    def reply(target: str) -> Reply | None:
        path, query = urlsplit(target).path, parse_qs(urlsplit(target).query)
        if path == LIST:
            return api(base, int(query["page"][0]))
        if path == f"{BLOG.path(LOCKED)}feed/":
            return post_feed(base)
        if path == "/comments/feed/":
            return None
        plain = answer(BLOG, base, target)
        if plain is None or path not in (BLOG.path(SHORT), BLOG.path(LOCKED)):
            return plain
        body = plain.body.decode()
        if path == BLOG.path(LOCKED):
            body = re.sub(r'(?<=<div class="entry-content">).*?(?=</div>)', PASSWORD, body, flags=re.DOTALL)
        else:
            body = body.replace("</body>", f"{SHOWN}</body>")
        return Reply(body.encode(), plain.status, plain.headers)

    return reply


Crawled = tuple[dict[int, dict[str, Any]], Site]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """The posts by their number, and what was asked for."""
    archive = tmp_path_factory.mktemp("comments") / "a"
    config = Config(archive=archive, allow_private=True, delay=0.0, retries=0, requisites="none", render="never")
    with serve_answers(answered) as site:
        report = crawl_blog(f"{site.base}/", config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    numbers = {site.base + BLOG.path(n): n for n in range(BLOG.posts)}
    return {numbers[record["url"]]: record for record in records if record["type"] == "post"}, site


def test_comments_of_all_sources_are_one_list(crawled: Crawled) -> None:
    posts, site = crawled
    thread = posts[SHORT]["comments"]
    assert [(c["native_id"], c["sources"]) for c in thread] == [
        ("10", ["page", "api"]),
        ("11", ["api"]),
        ("12", ["api"]),
    ]
    assert thread[1]["parent"] == thread[0]["id"]
    assert "comments_stated" not in posts[SHORT]["extra"]
    assert {source["role"] for source in posts[SHORT]["sources"]} == {"page", "api"}
    assert f"{BLOG.path(SHORT)}feed/" not in site.asked, "nothing was lacking any more"


def test_a_locked_post_is_asked_for_its_feed_and_no_other(crawled: Crawled) -> None:
    posts, site = crawled
    (comment,) = posts[LOCKED]["comments"]
    assert (comment["author"]["name"], comment["text"], comment["sources"]) == ("Bo", "", ["feed"])
    assert posts[SILENT]["comments"] == []
    assert [path for path in site.asked if path.endswith("/feed/") and path.count("/") > 3] == [
        f"{BLOG.path(LOCKED)}feed/"
    ]
