"""A blog that goes to another platform: noticed by an update that asks for nothing more, said, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from blogforever.cli import run
from blogforever.records import BlogRecord
from blogforever.store.folder import ArchiveFolder
from server.movingblog import MovingBlog, serve_moving

FLAGS = ["--allow-private", "--delay", "0", "--retries", "0", "--requisites", "none", "--render", "never"]


def record(archive: Path) -> BlogRecord:
    with ArchiveFolder(archive, writing=False) as opened:
        (blog,) = opened.library.blogs()
        return blog.record


def told(base: str, archive: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    capsys.readouterr()
    assert run(["crawl", base, "--archive", str(archive), *FLAGS, *more]) == 0
    return capsys.readouterr().out


def test_a_platform_change_is_noticed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog, archive = MovingBlog(), tmp_path / "a"
    blog.generator, blog.feed_generator = "WordPress 6.4", "https://wordpress.org/?v=6.4"
    with serve_moving(blog) as site:
        told(site.base, archive, capsys)
        assert (record(archive).platform, record(archive).platform_changes) == ("WordPress", ())
        blog.generator, blog.feed_generator = "WordPress 6.5", "https://wordpress.org/?v=6.5"
        assert "runs on" not in told(site.base, archive, capsys, "--recheck", "0.5")
        assert (record(archive).platform_version, record(archive).platform_changes) == ("6.5", ())
        blog.broken = {blog.path(blog.posts[3])}
        assert "runs on" not in told(site.base, archive, capsys, "--recheck", "1")
        blog.broken, blog.theme, blog.shape = set(), "b", 1
        blog.generator, blog.feed_generator = "Hugo 0.120.4", "Hugo -- gohugo.io"
        out = told(site.base, archive, capsys)
        assert "The blog ran on WordPress and runs on Hugo now" in out
        assert "10 moved" in out
        assert "learned again" in out
        (change,) = record(archive).platform_changes
        assert (change.before, change.before_version, change.after, change.after_version) == (
            "WordPress",
            "6.5",
            "Hugo",
            "0.120.4",
        )
        assert record(archive).platform == "Hugo"
        assert "runs on" not in told(site.base, archive, capsys, "--recheck", "1")
        assert len(record(archive).platform_changes) == 1
    with ArchiveFolder(archive, writing=False) as opened:
        versions = [post.version for post in opened.library.posts(record(archive).id)]
    assert versions == [1] * 10
