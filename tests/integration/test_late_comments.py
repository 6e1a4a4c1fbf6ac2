"""Late comments that only a browser sees: a blog whose pages stay as they are while readers go on writing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.keeping import back_up
from blogforever.archive.rebuilding import restore
from blogforever.archive.reextracting import reextract
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server.blogserver import Site, slug
from server.hostedblog import HOSTED, Talk, serve_hosted

pytestmark = [pytest.mark.browser, pytest.mark.long]


def crawl(site: Site, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"allow_private": True, "delay": 0.0, "timeout": 300.0, "requisites": "none"}
    return crawl_blog(site.base, Config(archive=archive, **(values | more)))


def comments(archive: Path) -> dict[str, list[str]]:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        return {post.url: [comment.text for comment in post.comments] for post in opened.library.posts(blog.id)}


def drawn_pages(site: Site) -> int:
    return sum(path.startswith("/talk/?") for path in site.asked)


def test_a_count_finds_late_comments_on_any_post_and_nothing_else_is_drawn(tmp_path: Path) -> None:
    talk, archive = Talk(), tmp_path / "archive"
    talk.say(5, "The first of all remarks on this story.")
    with serve_hosted(talk) as site:
        crawl(site, archive)
        assert comments(archive)[site.base + slug(5)] == ["The first of all remarks on this story."]
        before = drawn_pages(site)
        crawl(site, archive, recheck=0.0)
        assert drawn_pages(site) == before
        talk.say(5, "A second remark, a while later.")
        talk.say(12, "And one where nobody had written.")
        report = crawl(site, archive, recheck=0.0)
        assert report.update
        assert (report.update.comments, report.drawn) == (2, 2)
        assert drawn_pages(site) == before + 2
        assert [len(paths) for paths in talk.counted] == [len(HOSTED)] * 3
        assert "counts the comments of 9 posts; drawn again for late ones: 2" in report.completeness.cadence
        crawl(site, archive, recheck=0.0)
        assert drawn_pages(site) == before + 2
        late = comments(archive)
        assert late[site.base + slug(12)] == ["And one where nobody had written."]
        assert len(late[site.base + slug(5)]) == 2
    reextract(archive)
    assert comments(archive) == late
    back_up(archive, tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "again")
    assert comments(tmp_path / "again") == late


def test_without_a_count_posts_are_drawn_in_their_turn_though_their_pages_stay_the_same(tmp_path: Path) -> None:
    talk, archive = Talk(counts=False), tmp_path / "archive"
    for number in HOSTED:
        talk.say(number, f"The first of all remarks on story {number}.")
    with serve_hosted(talk) as site:
        crawl(site, archive)
        for number in HOSTED:
            talk.say(number, f"Somebody came to story {number} later.")
        report = crawl(site, archive, recheck=1.0)
        assert report.update
        assert report.update.comments == len(HOSTED)
        assert report.update.edited == 0
        assert "(Isso gave no count)" in report.completeness.cadence
