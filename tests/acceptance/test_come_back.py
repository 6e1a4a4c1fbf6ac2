"""A domain that dies, and its blog under another name: known again, joined, and two again where that was wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from blogforever.cli import run
from blogforever.store.folder import ArchiveFolder
from server.movingblog import MovingBlog, serve_moving

FLAGS = ["--allow-private", "--delay", "0", "--retries", "0", "--requisites", "none", "--render", "never"]


def crawl(base: str, archive: Path, capsys: pytest.CaptureFixture[str], *more: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(["crawl", base, "--archive", str(archive), *FLAGS, *more]) == code
    told = capsys.readouterr()
    return told.out + told.err


def kept(archive: Path) -> dict[str, dict[str, int]]:
    """The versions of each post by its address, blog by blog."""
    with ArchiveFolder(archive, writing=False) as opened:
        names = [blog.id for blog in opened.library.blogs()]
        return {name: {post.url: post.version for post in opened.library.posts(name)} for name in names}


def exported(archive: Path) -> list[str]:
    with ArchiveFolder(archive, writing=False) as opened:
        return list(opened.exported())


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def test_a_blog_that_comes_back_under_another_name_is_the_same_blog(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blog = MovingBlog(12)
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
    ((name, first),) = kept(archive).items()
    blog.posts = [*blog.posts[1:], MovingBlog(14).posts[13]]
    blog.theme, blog.shape, blog.guids = "b", 1, "{url}"
    with serve_moving(blog, "127.0.0.3") as site:
        told = crawl(site.base, archive, capsys)
        assert f"Known as {name}" in told
        assert "it has moved here" in told
        now = kept(archive)[name]
        assert list(kept(archive)) == [name]
        assert sorted(now) == sorted(
            [f"{site.base}{blog.path(post)}" for post in blog.posts]
            + [url for url in first if "granite-granite-0" in url]
        )
        assert set(now.values()) == {1}
        assert "nothing new" in crawl(site.base, archive, capsys)
        assert "nothing new" in crawl(home.base, archive, capsys)
        capsys.readouterr()
        assert run(["moves", name, "--archive", str(archive)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert "the blog itself" in lines[0]
        assert f"{home.base}/ -> {site.base}/, known by 11 of its posts" in lines[1]
        folder = tmp_path / "b"
        for part in ("warc", "journal"):
            if (archive / part).exists():
                shutil.copytree(archive / part, folder / part)
        assert run(["restore", "--archive", str(folder)]) == 0
        assert exported(folder) == exported(archive)
        assert run(["moves", name, "--undo", lines[0].split()[0], "--archive", str(archive)]) == 0
        apart = kept(archive)
        assert apart.pop(name) == first
        assert sorted(next(iter(apart.values()))) == sorted(f"{site.base}{blog.path(post)}" for post in blog.posts)
        assert "it has moved here" not in crawl(site.base, archive, capsys)
        assert kept(archive)[name] == first


def test_a_mirror_beside_the_living_blog_is_another_blog(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog(12)
    with serve_moving(blog, "127.0.0.2") as home, serve_moving(blog, "127.0.0.3") as mirror:
        crawl(home.base, archive, capsys)
        first = kept(archive)
        told = crawl(mirror.base, archive, capsys)
    assert "it is still there: kept as two blogs" in told
    assert len(kept(archive)) == 2
    assert {name: posts for name, posts in kept(archive).items() if name in first} == first


def test_another_page_of_a_known_blog_is_no_move(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog(12)
    blog.about = "We write letters, and keep what comes back."
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
        (name,) = kept(archive)
        # What /about/ is, its name says; of any other page it is found out.
        assert "nothing new" in crawl(f"{home.base}/about/", archive, capsys)
        told = crawl(f"{home.base}/harbour/", archive, capsys)
        assert f"{home.base}/harbour/ is a page of it" in told
        assert "nothing new" in told
        assert list(kept(archive)) == [name]
        with ArchiveFolder(archive, writing=False) as opened:
            assert [blog.record.url for blog in opened.library.blogs()] == [f"{home.base}/"]


def test_an_address_that_is_not_there_is_no_second_blog_of_its_host(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blog = MovingBlog(12)
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
        (name,) = kept(archive)
        told = crawl(f"{home.base}/harbuor/notes/", archive, capsys)
        assert f"{home.base}/harbuor/notes/ is not there" in told
        assert list(kept(archive)) == [name]


def test_a_folder_of_somebodys_own_is_not_the_blog_of_its_host(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be away for a moment, and is another person's."""
    blog = MovingBlog(12)
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
        assert "is not there" not in crawl(f"{home.base}/~bruno/", archive, capsys)


def test_a_planet_and_a_copy_that_names_its_source_are_other_blogs(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blog, other, third = MovingBlog(9), MovingBlog(9, 100), MovingBlog(9, 200)
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
    planet, copy = MovingBlog(9), MovingBlog(9)
    planet.posts = [post for three in zip(blog.posts, other.posts, third.posts, strict=True) for post in three]
    planet.in_feed, copy.link = 27, home.base
    for one, host in ((planet, "127.0.0.3"), (copy, "127.0.0.4")):
        with serve_moving(one, host) as site:
            capsys.readouterr()
            run(["crawl", site.base, "--archive", str(archive), *FLAGS])
            assert "it has moved here" not in capsys.readouterr().out


def test_a_person_may_say_so_or_deny_it(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog(9)
    with serve_moving(blog, "127.0.0.2") as home:
        crawl(home.base, archive, capsys)
        (name,) = kept(archive)
        with serve_moving(blog, "127.0.0.3") as site:
            crawl(site.base, archive, capsys, "--moved-from", name)
            assert list(kept(archive)) == [name]
            assert all(url.startswith(site.base) for url in kept(archive)[name])
    with serve_moving(MovingBlog(9, 300), "127.0.0.4") as stranger:
        told = crawl(stranger.base, archive, capsys, "--moved-from", name, code=2)
        assert "nothing was joined" in told
    with serve_moving(blog, "127.0.0.5") as again:
        assert "moved" not in crawl(again.base, archive, capsys, "--apart")
    assert len(kept(archive)) == 2
