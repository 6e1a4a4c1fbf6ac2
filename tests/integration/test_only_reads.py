"""A crawl only reads: a server that writes down every request gets none that would like, answer, vote or delete."""

from __future__ import annotations

from pathlib import Path

from blogforever.archive.crawling import crawl_blog
from blogforever.config import Config
from server.blogserver import Answers, Reply, layout, serve_answers, story

TITLES = ("Tides", "Ferries", "How to reply", "Vote", "Reply", "Like", "Delete", "Lamps", "Ropes", "Logout")
IN_FEED = 4
XML = {"Content-Type": "application/xml"}


def path(number: int) -> str:
    return f"/2021/{number % 12 + 1:02}/{TITLES[number].lower().replace(' ', '-')}/"


def deeds(number: int) -> str:
    """What a reader can do below a post."""
    here = path(number)
    return (
        f'<p><a href="{here}?like={number}">♥</a> <a class="vote-up" href="{here}?v={number}">+</a>'
        f'<a href="/posts/{number}/dislike">no</a> <a class="like" href="{here}like">♥</a>'
        f'<a href="/?post={number}&amp;do=comment">Comment</a> <a href="/user/logout">Log out</a>'
        f'<a rel="nofollow" class="comment-reply-link" href="/answer-form/{number}">Reply</a>'
        f'<a data-method="delete" href="/comments/{number}">Delete</a>'
        f'<a href="/shop/?add-to-cart={number}">Buy</a></p>'
    )


def page(number: int) -> bytes:
    words = "".join(f"<p>{line}</p>" for line in story(number))
    head = f'<h1 class="entry-title">{TITLES[number]}</h1><time datetime="2021-{number + 1:02}-03">2021</time>'
    body = f'<article class="entry">{head}<div class="entry-content">{words}</div></article>'
    return layout(TITLES[number], body + deeds(number))


def make(base: str) -> Answers:
    pages = {path(number): page(number) for number in range(len(TITLES))}
    links = "".join(f'<li><a href="{path(number)}">{title}</a></li>' for number, title in enumerate(TITLES))
    items = "".join(
        f"<item><title>{TITLES[number]}</title><link>{base}{path(number)}</link>"
        f"<description>{' '.join(story(number))}</description></item>"
        for number in range(IN_FEED)
    )
    feed = f"<rss version='2.0'><channel><title>Log</title><link>{base}/</link>{items}</channel></rss>"

    def answer(target: str) -> Reply | None:
        if target == "/feed.xml":
            return Reply(feed.encode(), headers=XML)
        if target == "/":
            return Reply(layout("Home", f"<h1>Home</h1><ul>{links}</ul>{deeds(0)}"))
        return Reply(pages[target]) if target in pages else None

    return answer


def test_nothing_is_asked_for_that_acts_and_every_post_is_there(tmp_path: Path) -> None:
    with serve_answers(make) as site:
        config = Config(archive=tmp_path / "a", allow_private=True, delay=0.0, requisites="none", render="never")
        report = crawl_blog(site.base, config)
    signs = ("like=", "?v=", "/dislike", "do=comment", "/user/logout", "/answer-form", "/comments/", "add-to-cart")
    likes = [path(number) + "like" for number in range(len(TITLES))]
    assert not [asked for asked in site.asked if any(sign in asked for sign in signs) or asked in likes]
    assert report.posts == len(TITLES)
