"""Which pages are posts, whatever their addresses look like: the feed gives a first pattern, the pages correct it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.config import Config
from server.blogserver import serve_answers
from server.shapes import Shaped, numbered, prose, serve_shape

BESIDE = {
    "/docs/install/": prose("Install"),
    "/docs/usage/": prose("Usage"),
    "/docs/reference/": prose("Reference"),
    "/shop/kettle/": prose("Kettle", 30),
    "/shop/lantern/": prose("Lantern", 30),
    "/wiki/Ropes": prose("Ropes", like_posts=False),
    "/wiki/Knots": prose("Knots", like_posts=False),
}
AT_THE_ROOT = {"/crew/": prose("Crew"), "/timetable/": prose("Timetable"), "/our-boats/": prose("Our boats")}

WHOLE = (
    '<article><p class=meta>Bo Reed, <time datetime={day}>{day}</time> <a href="{url}">#</a></p>'
    '<div class="words"><p>{text}</p></div></article>'
)
SHAPES = {
    "dated": Shaped(numbered("/2021/{month:02}/{word}/"), BESIDE),
    "root slugs": Shaped(numbered("/{word}/"), BESIDE | AT_THE_ROOT),
    "root files": Shaped(
        numbered("/{word}.html"), BESIDE | {"/crew.html": prose("Crew"), "/boats.html": prose("Boats")}
    ),
    "plain permalinks": Shaped(
        numbered("/?p={n}", first=7), {"/?page_id=2": prose("Crew"), "/?cat=3": prose("News")}, older="/?paged={}"
    ),
    "nodes": Shaped(numbered("/node/{n}", first=351), BESIDE | {"/node/2": prose("Crew")}, older="/node?page={}"),
    "numbered files": Shaped(numbered("/archives/{n:06}.html", first=481), BESIDE, older="/index{}.html"),
    "not ASCII": Shaped(tuple(f"/{n}-й-рассказ-о-море/" for n in range(20)), BESIDE | {"/команда/": prose("Crew")}),
    "CJK": Shaped(tuple(f"/記事/港の話-{'一二三四五六七八九十'[n % 10]}{n}/" for n in range(20)), BESIDE),
    "in a folder": Shaped(numbered("/blog/{word}"), BESIDE | AT_THE_ROOT, older="/blog/page/{}/"),
    "words of machinery": Shaped(
        (*numbered("/notes/{word}/"), "/notes/print/", "/notes/atom/", "/notes/embed/", "/notes/node.js"),
        BESIDE,
        in_feed=tuple(range(14, 20)),
        older="/notes/page/{}/",
    ),
    # A title without a letter that an address may have leaves the number, as titles of other scripts do.
    "some by a number": Shaped(
        ("/blog/42", "/blog/7", "/blog/3", *numbered("/blog/{word}", 17)), BESIDE, older="/blog/page/{}/"
    ),
    "some by a number that lists have, too": Shaped(
        ("/blog/42", "/blog/77", "/blog/93", *numbered("/blog/{word}", 18)), BESIDE, older="/blog/{}", item=WHOLE
    ),
    # The last page of its lists shows one post, at an address that may be taken for one by its shape.
    "long numbers": Shaped(numbered("/post/{n}", 21, first=7000000300), BESIDE, older="/page/{}", item=WHOLE),
    "scripts": Shaped(numbered("/cgi-bin/blog.cgi/{word}.html"), BESIDE, older="/cgi-bin/blog.cgi/page/{}/"),
    "scripts with queries": Shaped(numbered("/cgi-bin/blog.pl?id={n}", first=7), BESIDE, older="/page/{}/"),
    "moved once": Shaped(numbered("/{word}/", 8) + numbered("/2021/{month:02}/{word}-new/", 12), BESIDE),
    "moved twice": Shaped(
        numbered("/?p={n}", 5, first=7) + numbered("/node/{n}", 5, first=30) + numbered("/notes/{word}/", 10), BESIDE
    ),
}


def harvest(blog: Shaped, folder: Path) -> set[str]:
    config = Config(archive=folder / "a", allow_private=True, delay=0.0, timeout=20.0, retries=0, requisites="none")
    with serve_answers(serve_shape(blog)) as site:
        report = crawl_blog(site.base, config)
    records = [json.loads(line) for line in write_run(config, report.run)]
    return {unquote(record["url"].removeprefix(site.base)) for record in records if record["type"] == "post"}


@pytest.mark.parametrize("name", SHAPES)
def test_every_post_and_nothing_beside_the_blog(name: str, tmp_path: Path) -> None:
    blog = SHAPES[name]
    assert harvest(blog, tmp_path) == set(blog.posts)


@pytest.mark.parametrize("name", SHAPES)
def test_without_a_feed_the_pages_alone_tell(name: str, tmp_path: Path) -> None:
    blog = Shaped(SHAPES[name].posts, SHAPES[name].beside, older=SHAPES[name].older, feed=False)
    assert harvest(blog, tmp_path) == set(blog.posts)


def test_without_a_feed_and_without_dates_the_lists_tell(tmp_path: Path) -> None:
    blog = Shaped(SHAPES["root slugs"].posts, AT_THE_ROOT, feed=False, dated=False)
    assert harvest(blog, tmp_path) == set(blog.posts)


@pytest.mark.parametrize(
    "item",
    [
        '<div class="row"><a href="{url}">{title}</a> <time>{day}</time></div>',
        '<div class="card"><a href="{url}"><h3>{title}</h3><p>{text}</p></a></div>',
    ],
    ids=["rows with days", "cards that are links"],
)
def test_without_a_feed_and_without_dates_lists_tell_in_their_own_form(item: str, tmp_path: Path) -> None:
    blog = Shaped(SHAPES["root slugs"].posts, AT_THE_ROOT, feed=False, dated=False, item=item)
    assert harvest(blog, tmp_path) == set(blog.posts)


def test_without_a_feed_posts_called_by_their_days_are_told_by_lists(tmp_path: Path) -> None:
    posts = tuple(f"/diary/2021-{n % 12 + 1:02}-{n + 1:02}.html" for n in range(12))
    row = '<div class="row"><a href="{url}">{title}</a> <time>{day}</time></div>'
    blog = Shaped(posts, {"/crew.html": prose("Crew")}, feed=False, item=row)
    assert harvest(blog, tmp_path) == set(blog.posts)


def test_without_a_feed_posts_in_many_folders_are_one_family(tmp_path: Path) -> None:
    blog = Shaped(tuple(f"/{word}/{word}-told/" for word in numbered("{word}")), BESIDE, feed=False)
    assert harvest(blog, tmp_path) == set(blog.posts)


COPIES = (
    "print/",
    "amp/",
    "?replytocom=5",
    "?share=mail",
    "feed/",
    "attachment/photo-1/",
    "photo-2/",
    "?print=1",
    "?amp=1",
)


@pytest.mark.parametrize("feed", [True, False])
@pytest.mark.parametrize("name", ["dated", "root slugs", "moved once"])
def test_prints_and_answers_and_pictures_of_a_post_are_no_posts(name: str, feed: bool, tmp_path: Path) -> None:
    blog = Shaped(SHAPES[name].posts, copies=COPIES, feed=feed)
    assert harvest(blog, tmp_path) == set(blog.posts)


def test_pages_with_the_address_of_a_post_but_no_article_are_dropped(tmp_path: Path) -> None:
    empty = {
        "/2021/03/soon/": "<p>Soon.</p>",
        "/2021/04/album/": "".join(f'<h2><a href="{path}">x</a></h2>' for path in SHAPES["dated"].posts),
        "/2021/05/map/": "<div class='map'></div>",
    }
    blog = Shaped(SHAPES["dated"].posts, empty)
    assert harvest(blog, tmp_path) == set(blog.posts)
