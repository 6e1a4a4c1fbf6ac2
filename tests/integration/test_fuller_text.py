"""Rules that go wrong for a whole blog: it is said, and no text that was kept is overwritten; edits are taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.archive.reextracting import reextract
from blogforever.cli import run
from blogforever.cli.reextract import report_lines
from blogforever.config import Config, Stages
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.update.fuller import EMPTY, SHORTER
from server.blogserver import POSTS, Answers, Reply, routes, serve_answers, slug, story

BLANK = Stages(extract="server.ownstages:blank")


class Blog:
    """The loopback blog, whose pages can be changed."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}

    def answers(self, base: str) -> Answers:
        self.pages = self.pages or dict(routes(base))
        return self.pages.get

    def edit(self, paths: list[str], old: str, new: str) -> None:
        for path in paths:
            reply = self.pages[path]
            assert old.encode() in reply.body
            self.pages[path] = Reply(reply.body.replace(old.encode(), new.encode()), reply.status, reply.headers)


def crawl(base: str, archive: Path, **more: Any) -> CrawlReport:
    values: dict[str, Any] = {"archive": archive, "allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0}
    return crawl_blog(base, Config(**(values | more)))


def posts(archive: Path) -> dict[str, PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        return {post.id: post for post in opened.library.posts(found.id)}


def reasons(archive: Path) -> set[str]:
    with ArchiveFolder(archive, writing=False) as opened:
        (found,) = opened.library.blogs()
        known = opened.library.posts(found.id)
        return {row.reason for post in known for row in opened.store.versions.extractions(post.id)}


def test_a_blog_whose_posts_are_empty_is_not_complete_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("blogforever.toml").write_text('[stages]\nextract = "server.ownstages:blank"\n')
    with serve_answers(Blog().answers) as site:
        options = ["--archive", str(tmp_path / "a"), "--allow-private", "--delay", "0"]
        code = run(["crawl", site.base, *options])
        told = capsys.readouterr().out
        again = crawl(site.base, tmp_path / "a", stages=BLANK)
    assert code == 1
    assert f"Not complete: {POSTS} of {POSTS} posts have neither a text nor a picture that could be read" in told
    assert "Complete:" not in told
    assert again.update
    assert not again.completeness.complete
    with ArchiveFolder(tmp_path / "a", writing=False) as opened:
        (blog,) = opened.library.blogs()
    assert blog.record.completeness
    assert (blog.record.completeness.complete, blog.record.completeness.without_text) == (False, POSTS)


def test_a_blog_read_anew_as_empty_keeps_its_texts(tmp_path: Path) -> None:
    with serve_answers(Blog().answers) as site:
        crawl(site.base, tmp_path)
        before = posts(tmp_path)
        report = crawl(site.base, tmp_path, full=True, stages=BLANK)
    after = posts(tmp_path)
    assert {key: post.text for key, post in after.items()} == {key: post.text for key, post in before.items()}
    assert {post.version for post in after.values()} == {1}
    assert all(post.text_source == before[key].text_source for key, post in after.items())
    assert report.completeness.sentences()[-1].startswith("Every announced post was captured")
    assert any(note.startswith(f"{POSTS} posts keep their text") for note in report.notes)
    assert reasons(tmp_path) == {EMPTY}


def test_an_update_that_reads_an_edited_post_as_empty_takes_the_title_and_keeps_the_text(tmp_path: Path) -> None:
    blog, number = Blog(), POSTS - 1
    with serve_answers(blog.answers) as site:
        crawl(site.base, tmp_path)
        (before,) = [post for post in posts(tmp_path).values() if post.url.endswith(slug(number))]
        blog.edit([slug(number), "/feed.xml"], f"Story {number}<", f"Tale {number}<")
        report = crawl(site.base, tmp_path, stages=BLANK)
    after = posts(tmp_path)[before.id]
    assert (after.title, after.text, after.version) == (f"Tale {number}", before.text, 2)
    assert report.update
    assert any("keeps its text" in note for note in report.update.notes)


@pytest.mark.parametrize("full", [True, False], ids=["walked anew", "brought up to date"])
def test_a_post_that_its_author_shortened_is_an_edit(tmp_path: Path, full: bool) -> None:
    blog, number = Blog(), POSTS - 1
    with serve_answers(blog.answers) as site:
        crawl(site.base, tmp_path)
        (before,) = [post for post in posts(tmp_path).values() if post.url.endswith(slug(number))]
        for paragraph in story(number):
            blog.edit([slug(number), "/feed.xml"], paragraph, "Withdrawn." if paragraph == story(number)[0] else "")
        crawl(site.base, tmp_path, full=full)
    after = posts(tmp_path)[before.id]
    assert (after.text, after.version) == ("Withdrawn.", 2)


def point(archive: Path, css: str, *, locked: bool) -> None:
    """Let the rule file say that the article is somewhere else."""
    (path,) = (archive / "rules").glob("*.json")
    rules = json.loads(path.read_text(encoding="utf-8"))
    rules["templates"][0]["article"] |= {"css": css, "xpath": "//p", "locked": locked, "after": "", "before": ""}
    path.write_text(json.dumps(rules))


def test_wrong_rules_leave_the_text_and_a_persons_rule_does_not(tmp_path: Path) -> None:
    with serve_answers(Blog().answers) as site:
        crawl(site.base, tmp_path)
    before = posts(tmp_path)
    point(tmp_path, "p.meta", locked=False)
    (report,) = reextract(tmp_path)
    assert len(report.fuller) == POSTS
    assert {key: post.text for key, post in posts(tmp_path).items()} == {k: post.text for k, post in before.items()}
    assert any(f"{POSTS} posts keep their text" in line for line in report_lines(report))
    assert SHORTER in reasons(tmp_path)
    point(tmp_path, "p.meta", locked=True)
    (report,) = reextract(tmp_path)
    assert not report.fuller
    assert all(len(post.text) < len(before[key].text) for key, post in posts(tmp_path).items())
