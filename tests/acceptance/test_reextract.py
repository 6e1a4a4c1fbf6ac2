"""Reading everything again with other rules: what changes is our reading, never a version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.kept import KeptBlog
from blogforever.archive.reextracting import reextract
from blogforever.cli import run
from blogforever.cli.reextract import report_lines
from blogforever.config import Config
from blogforever.pipeline.record import source_record
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server import wpblog
from server.blogserver import Answers, Reply, day, layout, post_page, routes, serve_answers, slug, story


def talking(base: str) -> Answers:
    """The ferry blog with comments under each post."""
    thread = (
        '<section class="comments"><ol><li class="comment" id="comment-{n}1">'
        '<span class="comment-author">Bo Reed</span><time datetime="2021-12-01T10:00:00Z">1 Dec</time>'
        "<p>I rowed there in the autumn, {n} times.</p></li></ol></section>"
    )

    def page(number: int) -> Reply:
        return Reply(post_page(number).replace(b"</article>", b"</article>" + thread.format(n=number).encode()))

    return ({**routes(base)} | {slug(n): page(n) for n in range(14)}).get


def posts(folder: Path) -> list[PostRecord]:
    with ArchiveFolder(folder, writing=False) as archive:
        (blog,) = archive.library.blogs()
        return list(archive.library.posts(blog.id))


def crawled(folder: Path, make: Any) -> None:
    with serve_answers(make) as site:
        crawl_blog(site.base, Config(archive=folder, allow_private=True, delay=0.0))


@pytest.mark.parametrize(
    "make",
    [talking, wpblog.answers(wpblog.Blog(paged=True, api=True, sitemap=True)), wpblog.answers(wpblog.Blog(feed=False))],
)
def test_with_the_same_rules_everything_reads_as_before(tmp_path: Path, make: Any) -> None:
    crawled(tmp_path, make)
    before = posts(tmp_path)
    (report,) = reextract(tmp_path)
    assert (report.posts, report.changed, report.unread) == (len(before), 0, [])
    assert posts(tmp_path) == before


def test_other_rules_change_the_reading_but_make_no_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawled(tmp_path, talking)
    (path,) = (tmp_path / "rules").glob("*.json")
    rules = json.loads(path.read_text(encoding="utf-8"))
    rules["templates"][0]["fields"]["title"] = [{"css": "p.meta time", "xpath": "//time", "locked": True}]
    path.write_text(json.dumps(rules))
    assert run(["reextract", "--archive", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "14 posts read again, 14 read otherwise now." in told
    assert "  title: 14\n" in told
    assert "'Story 11' -> '2021-12-12'" in told
    found = posts(tmp_path)
    assert {post.title for post in found} == {day(n) for n in range(14)}
    assert {post.version for post in found} == {1}
    assert all(len(post.comments) == 1 for post in found)
    with ArchiveFolder(tmp_path, writing=False) as archive:
        assert {r.reason for post in found for r in archive.store.versions.extractions(post.id)} == {"reextract"}
        assert [hit.title for hit in archive.search.find("2021-02-14")] == ["2021-02-14"]
        assert archive.search.find("story 13 begins")[0].version == 1
    assert run(["verify", "--archive", str(tmp_path)]) == 0


def test_older_versions_are_read_again_too(tmp_path: Path) -> None:
    edited: list[str] = []

    def make(base: str) -> Answers:
        def page() -> Reply:
            return Reply(post_page(3).replace(story(3)[1].encode(), "".join(edited or story(3)[1]).encode()))

        kept = routes(base)
        return lambda path: page() if path == slug(3) else kept.get(path)

    with serve_answers(make) as site:
        config = Config(archive=tmp_path, allow_private=True, delay=0.0, recheck=1.0)
        crawl_blog(site.base, config)
        edited.append(
            "Somebody wrote another second paragraph here, and it is of about the same length as the old one."
        )
        crawl_blog(site.base, config)
    (post,) = [post for post in posts(tmp_path) if post.url.endswith(slug(3))]
    assert post.version == 2
    (path,) = (tmp_path / "rules").glob("*.json")
    path.write_text(
        path.read_text(encoding="utf-8").replace('"css": "h1.entry-title"', '"css": "p.meta time", "locked": true')
    )
    assert "p.meta time" in path.read_text(encoding="utf-8")
    (report,) = reextract(tmp_path)
    assert report.versions == 1
    with ArchiveFolder(tmp_path, writing=False) as archive:
        old, new = (archive.store.versions.record(post.id, number) for number in (1, 2))
    assert old is not None
    assert new is not None
    assert old.title == new.title == day(3)
    assert story(3)[1] in old.text
    assert "another second paragraph" in new.text


def test_a_post_whose_page_is_not_here_is_left_alone(tmp_path: Path) -> None:
    crawled(tmp_path / "one", talking)
    (warc,) = (tmp_path / "one").rglob("*.warc.gz")
    home = posts(tmp_path / "one")[0].url.partition("/2021")[0]
    crawl_blog(home, Config(archive=tmp_path / "two", replay=(str(warc),), reference=True))
    warc.unlink()
    (report,) = reextract(tmp_path / "two")
    assert report.changed == 0
    assert len(report.unread) == 14
    assert "14 posts left as they are" in "\n".join(report_lines(report))


def odd_page(number: int) -> bytes:
    """A theme of old with nothing in it that the blog's other posts have, and that no feed entry teaches."""
    others = "".join(f'<h3><a href="{slug(n)}">Story {n}</a></h3>' for n in range(9, 11))
    when = f'<i class="when">{day(number)}</i>'
    text = f'<div class="odd">{"<br>".join(story(number))}</div>'
    return layout(f"Log {number}", f"<h4>Story {number}</h4>{text}{when}{others}")


def old_and_new(base: str) -> Answers:
    return ({**routes(base)} | {slug(n): Reply(odd_page(n)) for n in range(2)}).get


ODD = {
    "article": {"css": "div.odd", "xpath": "//div[@class='odd']"},
    "fields": {"title": [{"css": "h4", "xpath": "//h4"}], "published": [{"css": "i.when", "xpath": "//i"}]},
}


def test_pages_that_the_present_rules_know_for_posts_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawled(tmp_path, old_and_new)
    before = posts(tmp_path)
    assert len(before) == 12
    (report,) = reextract(tmp_path)
    assert (report.new, report.doubtful, report.changed) == ([], [], 0)
    (path,) = (tmp_path / "rules").glob("*.json")
    rules = json.loads(path.read_text(encoding="utf-8"))
    rules["templates"].append(ODD)
    path.write_text(json.dumps(rules))
    assert run(["reextract", "--archive", str(tmp_path)]) == 0
    assert "2 pages kept as something else: recognised as posts now, and added." in capsys.readouterr().out
    after = posts(tmp_path)
    assert [post for post in after if post in before] == before
    fresh = {post.url.partition("/2021")[2]: post for post in after if post not in before}
    assert {f"/2021{key}" for key in fresh} == {slug(n) for n in range(2)}
    for n in range(2):
        post = fresh[slug(n).removeprefix("/2021")]
        assert (post.title, post.published, post.version) == (f"Story {n}", day(n), 1)
        assert story(n)[1] in post.text
    assert run(["verify", "--archive", str(tmp_path)]) == 0
    assert reextract(tmp_path)[0].new == []


def test_a_post_that_looks_like_none_by_now_is_told_and_kept(tmp_path: Path) -> None:
    crawled(tmp_path, talking)
    with ArchiveFolder(tmp_path, writing=True) as archive:
        (blog,) = archive.library.blogs()
        home = f"{blog.url.rstrip('/')}/about/"
        (first, *_) = archive.library.posts(blog.id)
        kept = next(page for page in KeptBlog(archive, blog.id).pages() if page[0].url == home)
        source = source_record(*kept)
        archive.store.posts.keep(1, replace(first, id="about", url=home, aliases=(), sources=(source,)), "none")
    (report,) = reextract(tmp_path)
    assert report.doubtful == [home]
    assert len(posts(tmp_path)) == 15
