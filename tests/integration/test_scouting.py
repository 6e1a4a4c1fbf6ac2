"""What is fetched to find out which blog an address is of belongs to that blog: kept in its WARC, and fetched once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.checking import verify
from blogforever.archive.crawling import crawl_blog, crawl_blogs
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, serve, slug
from server.movingblog import MovingBlog, serve_moving


def settings(archive: Path, **more: Any) -> Config:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "retries": 0}
    return Config(**(values | {"requisites": "none", "render": "never"} | more))


def kept(archive: Path, blog: str) -> Counter[str]:
    """How often each address is in the WARC files of a blog."""
    with ArchiveFolder(archive, writing=False) as opened:
        files = opened.warcs(blog)
    found: Counter[str] = Counter()
    for path in files:
        with path.open("rb") as stream:
            heads = [record.rec_headers for record in ArchiveIterator(stream) if record.rec_type != "request"]
        kinds = ("response", "revisit")
        found.update(head.get_header("WARC-Target-URI") for head in heads if head.get_header("WARC-Type") in kinds)
    return found


def test_any_address_of_a_blog_leads_to_it_without_a_second_request(tmp_path: Path) -> None:
    with serve() as site:
        report = crawl_blog(f"{site.base}{slug(3)}", settings(tmp_path / "a"))
        asked = Counter(site.base + path for path in site.asked)
    assert report.posts == POSTS
    assert max(asked.values()) == 1
    assert kept(tmp_path / "a", report.blog) == asked
    assert not report.resumed
    assert not verify(tmp_path / "a").damaged


def test_a_new_blog_beside_others_is_looked_at_once(tmp_path: Path) -> None:
    with serve() as first, serve() as second:
        crawl_blog(first.base, settings(tmp_path / "a"))
        before = len(first.asked)
        (report,) = crawl_blogs([f"{second.base}{slug(3)}"], settings(tmp_path / "a"))
        asked = Counter(second.base + path for path in second.asked)
        looked = Counter(first.base + path for path in first.asked[before:])
        (other,) = [name for name in (tmp_path / "a" / "warc").iterdir() if name.name != report.blog]
        both = kept(tmp_path / "a", other.name)
    assert max(asked.values()) == 1
    assert kept(tmp_path / "a", report.blog) == asked
    assert looked, "the other blog was asked whether it is still there"
    assert {url: both[url] for url in looked} == dict.fromkeys(looked, 2)
    assert not verify(tmp_path / "a").damaged


def test_what_is_asked_of_the_old_address_of_a_blog_that_moved_is_kept_with_it(tmp_path: Path) -> None:
    blog = MovingBlog(12)
    with serve_moving(blog, "127.0.0.2") as home:
        first = crawl_blog(home.base, settings(tmp_path / "a"))
    blog.theme, blog.shape, blog.guids = "b", 1, "{url}"
    with serve_moving(blog, "127.0.0.3") as site:
        report = crawl_blog(site.base, settings(tmp_path / "a"))
        asked = Counter(site.base + path for path in site.asked)
    assert report.blog == first.blog
    assert max(asked.values()) == 1
    assert asked.items() <= kept(tmp_path / "a", report.blog).items()
