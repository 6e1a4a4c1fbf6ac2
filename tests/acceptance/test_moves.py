"""Moves shown and undone: two posts are two again, in every record, after every later crawl and after a restore."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.jobs import CrawlReport
from blogforever.cli import run
from blogforever.config import Config
from blogforever.records import BlogRecord, PostRecord
from blogforever.storage.values import BeforeMove, MoveRow
from blogforever.store.folder import ArchiveFolder
from server.movingblog import MovingBlog, serve_moving

CONFIG: dict[str, Any] = {"allow_private": True, "delay": 0.0, "retries": 0, "requisites": "none", "render": "never"}


def crawl(base: str, archive: Path, **more: Any) -> CrawlReport:
    return crawl_blog(base, Config(archive=archive, **(CONFIG | more)))


def posts(archive: Path) -> dict[str, PostRecord]:
    """Every post of the archive by its path."""
    with ArchiveFolder(archive, writing=False) as opened:
        found = [post for blog in opened.library.blogs() for post in opened.library.posts(blog.id)]
    return {"/" + post.url.partition("://")[2].partition("/")[2]: post for post in found}


def everything(folder: Path) -> dict[str, Any]:
    """Every record of an archive in every version, with how it stands."""
    with ArchiveFolder(folder, writing=False) as archive:
        blogs = {blog.id: blog for blog in archive.library.blogs(everything=True)}
        records = {
            (post.blog, post.url, number): archive.store.versions.record(post.id, number)
            for blog in blogs
            for post in archive.library.posts(blog, everything=True)
            for number in range(1, post.version + 1)
        }
        states = {post: row.check.state for blog in blogs for post, row in archive.store.checks.of_blog(blog).items()}
        moves = [(row.post, row.old, row.new, row.sign) for blog in blogs for row in archive.store.moves.of_blog(blog)]
        return {"blogs": blogs, "records": records, "states": states, "moves": moves}


def moves(archive: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    capsys.readouterr()
    with ArchiveFolder(archive, writing=False) as opened:
        blog = opened.library.blogs()[0].id
    code = run(["moves", blog, "--archive", str(archive), *more])
    told = capsys.readouterr()
    return code, told.out + told.err


def searched(archive: Path, words: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run(["search", words, "--archive", str(archive)]) == 0
    return capsys.readouterr().out


def restored(archive: Path, folder: Path) -> dict[str, Any]:
    for part in ("warc", "journal"):
        shutil.copytree(archive / part, folder / part)
    assert run(["restore", "--archive", str(folder)]) == 0
    return everything(folder)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "a"


def test_a_move_is_shown_and_undone(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog()
    with serve_moving(blog) as site:
        crawl(site.base, archive)
        first = posts(archive)
        one = blog.posts[2]
        old, blog.shape = blog.path(one), 1
        assert crawl(site.base, archive).update.moved == len(blog.posts)  # type: ignore[union-attr]  # it is an update
        one.text[1] += " Sundials were added afterwards."
        one.comments.append(("Cy Noor", "A second voice, heard only after the move."))
        assert crawl(site.base, archive, recheck=1.0).update.edited == 1  # type: ignore[union-attr]  # as above
        new = blog.path(one)
        joined = posts(archive)[new]
        assert joined.version == 2
        code, shown = moves(archive, capsys)
        assert code == 0
        lines = shown.splitlines()
        at = next(n for n, line in enumerate(lines) if one.title in line)
        assert f"{site.base}{old} -> {site.base}{new}" in lines[at + 1]
        assert "known by guid" in lines[at + 1] or "known by content" in lines[at + 1]
        number = lines[at].split()[0]
        assert moves(archive, capsys, "--undo", number, "--reason", "they are two")[0] == 0
        after = posts(archive)
        assert after[old] == first[old]
        assert after[new].version == 2
        assert after[new].aliases == ()
        assert "Sundials" in after[new].text
        assert [c.author.name for c in after[new].comments] == ["Bo Lind", "Cy Noor"]
        assert [c.author.name for c in after[old].comments] == ["Bo Lind"]
        with ArchiveFolder(archive, writing=False) as opened:
            before = opened.store.versions.record(after[new].id, 1)
            assert before
            assert "Sundials" not in before.text
            assert before.url == after[new].url
            assert opened.store.versions.of(after[old].id)[0].number == 1
        assert searched(archive, "sundials", capsys).count("http") == 1
        assert searched(archive, f'"letter {one.number} says"', capsys).count("http") == 2
        code, told = moves(archive, capsys, "--undo", number)
        assert (code, "was undone on" in told) == (2, True)
        assert "undone" in moves(archive, capsys)[1]
        report = crawl(site.base, archive, recheck=1.0)
        assert report.update
        assert (report.update.moved, report.update.new, report.update.edited) == (0, 0, 0)
        crawl(site.base, archive, full=True)
        again = posts(archive)
        assert again[old].id != again[new].id
        assert len(again) == len(blog.posts) + 1
    assert json.loads((next((archive / "journal").glob("*.jsonl"))).read_text(encoding="utf-8"))["what"] == "apart"
    assert restored(archive, tmp_path / "b") == everything(archive)


def test_numbers_that_are_not_there(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve_moving(MovingBlog()) as site:
        crawl(site.base, archive)
    code, told = moves(archive, capsys)
    assert (code, told.count("\n")) == (0, 1)
    assert "has moved" in told
    code, told = moves(archive, capsys, "--undo", "1")
    assert (code, told.count("\n")) == (2, 1)
    assert "There is no move 1" in told
    assert run(["moves", "nobody.example", "--archive", str(archive)]) == 2


def test_a_chain_of_moves_is_undone_link_by_link(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog()
    with serve_moving(blog) as site:
        crawl(site.base, archive)
        one = blog.posts[4]
        first, blog.shape = blog.path(one), 1
        crawl(site.base, archive)
        second, one.title = blog.path(one), f"{one.title} renamed"
        blog.posts[4].text[0] += " And so it goes."
        crawl(site.base, archive)
        third = blog.path(one)
        assert set(posts(archive)[third].aliases) == {site.base + first, site.base + second}
        shown = moves(archive, capsys)[1].splitlines()
        numbers = [shown[n - 1].split()[0] for n, line in enumerate(shown) if f"{site.base}{first} ->" in line]
        assert moves(archive, capsys, "--undo", numbers[0])[0] == 0
        found = posts(archive)
        assert found[first].aliases == ()
        assert found[third].aliases == (site.base + second,)
        assert found[third].id != found[first].id
        last = [shown[n - 1].split()[0] for n, line in enumerate(shown) if f"-> {site.base}{third}" in line]
        assert moves(archive, capsys, "--undo", last[0])[0] == 0
        found = posts(archive)
        assert [found[path].aliases for path in (first, second, third)] == [(), (), ()]
        assert len({found[path].id for path in (first, second, third)}) == 3


def test_a_whole_blog_that_moved_is_two_blogs_again(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blog = MovingBlog()
    with serve_moving(blog, "127.0.0.2") as home, serve_moving(blog, "127.0.0.3") as other:
        crawl(home.base, archive)
        first = everything(archive)
        old = MovingBlog()
        old.leads_to = other.base
    with (
        serve_moving(old, "127.0.0.2", int(home.base.rpartition(":")[2])),
        serve_moving(blog, "127.0.0.3", int(other.base.rpartition(":")[2])),
    ):
        blog.posts.append(MovingBlog(12).posts[11])
        report = crawl(home.base, archive, recheck=1.0)
        assert report.update
        assert (report.update.moved, report.update.new) == (10, 1)
        shown = moves(archive, capsys)[1].splitlines()
        at = next(n for n, line in enumerate(shown) if "the blog itself" in line)
        assert f"{home.base}/ -> {other.base}/" in shown[at + 1]
        code, told = moves(archive, capsys, "--undo", shown[at].split()[0], "--reason", "sold")
        assert code == 0
        assert "two blogs" in told
        after = everything(archive)
        (kept,) = first["blogs"]
        assert sorted(after["blogs"]) == sorted({kept, *after["blogs"]})
        assert len(after["blogs"]) == 2
        assert dataclasses.replace(after["blogs"][kept], crawled=None) == dataclasses.replace(
            first["blogs"][kept], crawled=None
        )
        assert {key: value for key, value in after["records"].items() if key[0] == kept} == first["records"]
        assert sum(key[0] != kept for key in after["records"]) == 11
        again = crawl(home.base, archive, recheck=1.0)
        assert again.update
        assert again.update.unreachable == "leads to another blog"
        assert {k: v for k, v in everything(archive)["records"].items() if k[0] == kept} == first["records"]
        assert crawl(other.base, archive).blog != kept
        assert len(everything(archive)["records"]) == 21
    assert restored(archive, tmp_path / "b") == everything(archive)


@pytest.mark.parametrize("answers", range(1, 6))
def test_a_host_that_moves_while_it_is_looked_at_gets_no_post_twice(answers: int, archive: Path) -> None:
    blog, old = MovingBlog(), MovingBlog()
    with serve_moving(old, "127.0.0.2") as home, serve_moving(blog, "127.0.0.3") as other:
        crawl(home.base, archive)
        old.leads_to, old.stays_for = other.base, answers
        looks = [crawl(home.base, archive).update for _ in range(3)]
    assert [look.new for look in looks if look] == [0, 0, 0]
    assert sum(look.moved for look in looks if look) == len(blog.posts)
    with ArchiveFolder(archive, writing=False) as opened:
        (kept,) = opened.library.blogs()
        found = list(opened.library.posts(kept.id))
    assert kept.url == f"{other.base}/"
    assert sorted(post.url for post in found) == sorted(other.base + blog.path(post) for post in blog.posts)


def test_what_is_erased_is_not_kept_for_undoing(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blog = MovingBlog()
    with serve_moving(blog) as site:
        crawl(site.base, archive)
        blog.shape = 1
        crawl(site.base, archive)
    comment = next(c for post in posts(archive).values() for c in post.comments)
    assert run(["suppress", comment.id, "--erase", "--reason", "asked", "--archive", str(archive)]) == 0
    one, other = blog.posts[2], blog.posts[5]
    shown = moves(archive, capsys)[1].splitlines()
    for post in (one, other):
        number = next(line.split()[0] for line in shown if post.title in line)
        assert moves(archive, capsys, "--undo", number)[0] == 0
    assert posts(archive)[blog.path(one, 0)].comments == ()
    address = posts(archive)[blog.path(other)].url
    assert run(["suppress", address, "--erase", "--reason", "asked", "--archive", str(archive)]) == 0
    kept = (archive / "archive.db").read_bytes() + b"".join(
        p.read_bytes() for p in (archive / "journal").glob("*.jsonl")
    )
    assert b"The first thing anybody said" not in kept
    assert blog.path(other).encode() not in kept


def test_from_http_to_https_only_the_spelling_goes_back(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path / "a", writing=True) as opened:
        number, _ = opened.store.runs.open("b.example")
        record = PostRecord(id="p", blog="b.example", url="https://b.example/one/", title="One", text="Words")
        opened.store.posts.keep(number, replace(record, aliases=("http://b.example/one/",)))
        opened.store.blogs.keep(BlogRecord(id="b.example", url="https://b.example/", title="B"))
        for what, path in (("b.example", ""), ("p", "one/")):
            places = (f"http://b.example/{path}", f"https://b.example/{path}")
            row = MoveRow(what, "b.example", number, "2026-01-01", *places, "redirect", BeforeMove())
            opened.store.moves.add(row)
    assert run(["moves", "b.example", "--undo", "1", "--archive", str(tmp_path / "a")]) == 0
    assert run(["moves", "b.example", "--undo", "2", "--archive", str(tmp_path / "a")]) == 2
    with ArchiveFolder(tmp_path / "a", writing=False) as opened:
        (blog,) = opened.library.blogs()
        (post,) = opened.library.posts("b.example")
    assert blog.url == "http://b.example/"
    assert (post.url, post.aliases) == ("http://b.example/one/", ("https://b.example/one/",))
