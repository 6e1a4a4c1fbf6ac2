"""Who, when and under which words: what an author changes beside the text reaches the record and makes a version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import Changes
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Reply, layout, send
from server.editedblog import EditedBlog, Written, serve_edited

POSTS = 16
DAY = "2023-05-01T10:00:00Z"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


@pytest.fixture
def blog() -> Iterator[EditedBlog]:
    with serve_edited(POSTS) as made:
        for post in made.posts:
            post.tags = ("boats", f"year {post.number % 3}")
        yield made


def crawl(blog: EditedBlog, archive: Path, **more: Any) -> Changes | None:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(blog.base, Config(**(values | {"requisites": "none", "render": "never"} | more))).update


def update(blog: EditedBlog, archive: Path, **more: Any) -> Changes:
    changes = crawl(blog, archive, **more)
    assert changes
    return changes


def kept(archive: Path) -> dict[int, PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {number_of(post): post for post in opened.library.posts(found.id)}


def number_of(post: PostRecord) -> int:
    return int(post.url.rstrip("/").rpartition("-")[2])


def change(blog: EditedBlog, number: int, announced: bool = True, **facts: Any) -> Written:
    post = blog.posts[number]
    blog.clock += 1
    post.written = blog.clock * 3600
    for name, value in facts.items():
        setattr(post, name, value)
    if announced:
        post.lastmod = DAY
    return post


def versions(archive: Path) -> dict[int, int]:
    return {number: post.version for number, post in kept(archive).items() if post.version > 1}


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("number", [3, POSTS - 2])
def test_tags_author_and_date_make_a_version(blog: EditedBlog, archive: Path, number: int, announced: bool) -> None:
    crawl(blog, archive)
    options = {} if announced else {"recheck": 1.0}
    facts: list[dict[str, Any]] = [{"tags": ("boats", "tides")}, {"author": "Bea Quill"}, {"published": "2020-03-04"}]
    for count, fact in enumerate(facts, 1):
        change(blog, number, announced, **fact)
        blog.posts[number].lastmod = f"2023-05-0{count}T10:00:00Z" if announced else blog.posts[number].lastmod
        changes = update(blog, archive, **options)
        assert (changes.edited, versions(archive)) == (1, {number: count + 1})
    post = kept(archive)[number]
    assert (set(post.tags), [author.name for author in post.authors]) == ({"boats", "tides"}, ["Bea Quill"])
    assert (post.published or "").startswith("2020-03-04")
    assert update(blog, archive, **options).edited == 0


def test_all_tags_taken_away(blog: EditedBlog, archive: Path) -> None:
    crawl(blog, archive)
    change(blog, 4, tags=())
    assert update(blog, archive).edited == 1
    assert kept(archive)[4].tags == ()


def test_a_whole_crawl_keeps_what_the_tags_were(blog: EditedBlog, archive: Path) -> None:
    crawl(blog, archive)
    change(blog, 4, announced=False, tags=("boats", "tides"))
    crawl(blog, archive, full=True)
    assert (versions(archive), set(kept(archive)[4].tags)) == ({4: 2}, {"boats", "tides"})


def test_a_name_that_most_posts_change_at_once_is_another_reading(blog: EditedBlog, archive: Path) -> None:
    crawl(blog, archive)
    for post in blog.posts:
        change(blog, post.number, announced=False, author="A. Ferrier")
    assert update(blog, archive, recheck=1.0).frozen is None
    assert versions(archive) == {}


def test_what_the_feed_told_stays_when_it_tells_it_no_more(blog: EditedBlog, archive: Path) -> None:
    hide_tags(blog)
    crawl(blog, archive)
    number = POSTS - 6
    assert kept(archive)[number].tags
    blog.publish()
    update(blog, archive)
    blog.edit(blog.posts[number], lastmod=DAY)
    assert update(blog, archive).edited == 1
    assert set(kept(archive)[number].tags) == set(blog.posts[number].tags)


def hide_tags(blog: EditedBlog) -> None:
    """Pages without a word on tags: only the feed tells them."""
    for post in blog.posts:
        blog.instead[post.path] = _answer(post)


def _answer(post: Written) -> Callable[[BaseHTTPRequestHandler], None]:
    """What is served of a post, as it is when somebody asks."""
    return lambda handler: send(handler, Reply(_page(post)))


def _page(post: Written) -> bytes:
    head = f'<h1 class="entry-title">{post.title}</h1><time datetime="{post.day}">{post.day}</time>'
    body = f'{head}<div class="entry-content">{post.words}</div>'
    return layout(post.title, f'<article class="entry">{body}</article>')


def test_what_only_the_feed_tells_makes_a_version_though_no_page_changed(blog: EditedBlog, archive: Path) -> None:
    hide_tags(blog)
    crawl(blog, archive)
    blog.posts[-2].tags = ("boats", "tides")
    assert update(blog, archive).edited == 1
    assert (versions(archive), set(kept(archive)[POSTS - 2].tags)) == ({POSTS - 2: 2}, {"boats", "tides"})
    blog.posts[-2].tags = ()
    assert update(blog, archive).edited == 1
    assert kept(archive)[POSTS - 2].tags == ()


def show_player(blog: EditedBlog) -> None:
    """Pages that show a player where the words should be: only the feed has text, title, author and date."""
    page = layout("Listen", '<article class="entry"><div class="player"></div></article>')
    for post in blog.posts:
        blog.instead[post.path] = lambda handler: send(handler, Reply(page))


@pytest.mark.parametrize(
    "fact", [{"name": "A ferry renamed"}, {"published": "2020-03-04"}, {"published": "2023-06-07"}]
)
def test_a_post_of_the_feed_alone_that_is_renamed_backdated_or_published_again(
    blog: EditedBlog, archive: Path, fact: dict[str, str]
) -> None:
    show_player(blog)
    blog.instead["/sitemap.xml"] = lambda handler: send(handler, Reply(b"", 404))
    crawl(blog, archive)
    number = POSTS - 3
    assert kept(archive)[number].text
    for name, value in fact.items():
        setattr(blog.posts[number], name, value)
    assert update(blog, archive).edited == 1
    post = kept(archive)[number]
    assert post.version == 2
    assert fact.get("name", post.title) == post.title
    assert (post.published or "").startswith(fact.get("published", ""))
    assert update(blog, archive).edited == 0


def test_a_post_of_a_blog_with_nothing_but_a_feed_that_is_renamed_with_its_address(
    blog: EditedBlog, archive: Path
) -> None:
    blog.instead["/sitemap.xml"] = lambda handler: send(handler, Reply(b"", 404))
    crawl(blog, archive)
    number = POSTS - 3
    change(blog, number, announced=False, name="A ferry renamed", slug=f"a-ferry-renamed-{number}")
    changes = update(blog, archive)
    assert (changes.new, changes.missing, changes.moved, changes.edited) == (0, 0, 1, 1)
    post = kept(archive)[number]
    assert (post.title, post.version, len(kept(archive))) == ("A ferry renamed", 2, POSTS)
