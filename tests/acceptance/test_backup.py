"""From WARC files and journal alone: the same posts, comments, files, versions and decisions."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.archive.keeping import back_up
from blogforever.cli import run
from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.store.folder import ArchiveFolder
from blogforever.store.lock import service_lock
from server import talkblog, wpblog
from server.blogserver import Answers, Reply, serve_answers
from server.talkblog import path

CONFIG: dict[str, Any] = {"allow_private": True, "delay": 0.0, "recheck": 1.0}


class Living:
    """The talking blog, one of whose posts is edited between two crawls."""

    edited = False

    def make(self, base: str) -> Answers:
        answers = talkblog.answers()(base)

        def answer(asked: str) -> Any:
            reply = answers(asked)
            if asked == path(2) and self.edited and isinstance(reply, Reply):
                return Reply(reply.body.replace(b"has it", b"has it now quite otherwise"), headers=reply.headers)
            return reply

        return answer


def everything(folder: Path) -> dict[str, Any]:
    """Every record of an archive: blogs, posts in all versions, what is hidden."""
    with ArchiveFolder(folder, writing=False) as archive:
        blogs = {blog.id: blog for blog in archive.library.blogs(everything=True)}
        posts = {
            (post.url, number): archive.store.versions.record(post.id, number)
            for blog in blogs
            for post in archive.library.posts(blog, everything=True)
            for number in range(1, post.version + 1)
        }
        return {"blogs": blogs, "posts": posts, "shown": list(archive.exported())}


def readings(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """When, by which rules and why each version of a post was read: rules, extraction revisions, versions."""
    database = sqlite3.connect(folder / "archive.db")
    try:
        return {
            "revisions": database.execute(
                "select blog, number, learned, reason, digest, rules from revisions order by blog, number"
            ).fetchall(),
            "extractions": database.execute(
                "select post, version, rules, extracted, digest, reason from extractions order by post, id"
            ).fetchall(),
            "versions": database.execute(
                "select post, number, captured, digest, rules from versions order by post, number"
            ).fetchall(),
        }
    finally:
        database.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two blogs: one crawled, edited and updated, with a hidden comment; one of another kind."""
    folder, living = tmp_path_factory.mktemp("kept") / "archive", Living()
    with serve_answers(living.make) as site:
        crawl_blog(site.base, Config(archive=folder, **CONFIG))
        living.edited = True
        crawl_blog(site.base, Config(archive=folder, **CONFIG))
    with serve_answers(wpblog.answers(wpblog.Blog(posts=35, paged=True, api=True, sitemap=True))) as site:
        crawl_blog(site.base, Config(archive=folder, **CONFIG))
    with ArchiveFolder(folder, writing=False) as archive:
        posts = [post for blog in archive.library.blogs() for post in archive.library.posts(blog.id)]
    comment = next(comment.id for post in posts for comment in post.comments)
    assert run(["suppress", comment, "--reason", "asked", "--archive", str(folder)]) == 0
    return folder


def test_a_restored_archive_has_equal_records(kept: Path, tmp_path: Path) -> None:
    before = everything(kept)
    assert len(before["posts"]) == talkblog.POSTS + 1 + 35
    back_up(kept, tmp_path / "backup")
    shutil.rmtree(tmp_path / "backup/rules")
    done = back_up(kept, tmp_path / "backup")
    assert done.copied == 2
    assert not (tmp_path / "backup/archive.db").exists()
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "again")]) == 0
    after = everything(tmp_path / "again")
    assert after["posts"] == before["posts"]
    assert after["blogs"] == before["blogs"]
    assert after["shown"] == before["shown"]
    assert run(["verify", "--archive", str(tmp_path / "again")]) == 0


def test_what_people_had_read_otherwise_is_so_again(tmp_path: Path) -> None:
    folder, living = tmp_path / "archive", Living()
    where = ("--archive", str(folder))
    with serve_answers(living.make) as site:
        crawl_blog(site.base, Config(archive=folder, **CONFIG))
        assert run(["rules", site.base, "--set", "p", "--field", "title", *where]) == 0
        assert run(["reextract", *where]) == 0
        # Crawls are told apart by the second.
        time.sleep(1.1)
        living.edited = True
        crawl_blog(site.base, Config(archive=folder, **CONFIG))
        assert run(["rules", site.base, "--unlock", "title", *where]) == 0
        assert run(["reextract", *where]) == 0
    before = readings(folder)
    assert len(before["extractions"]) >= 2 * talkblog.POSTS
    assert len({reason for _blog, _number, _learned, reason, *_ in before["revisions"]}) >= 3
    back_up(folder, tmp_path / "backup")
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "again")]) == 0
    assert readings(tmp_path / "again") == before
    assert everything(tmp_path / "again") == everything(folder)


def test_an_archive_is_rebuilt_in_its_own_folder(kept: Path, tmp_path: Path) -> None:
    for part in ("warc", "journal"):
        shutil.copytree(kept / part, tmp_path / "a" / part)
    assert run(["restore", "--archive", str(tmp_path / "a")]) == 0
    assert everything(tmp_path / "a") == everything(kept)
    assert run(["restore", "--archive", str(tmp_path / "a")]) == 2


def test_a_backup_follows_the_archive_and_is_checked(kept: Path, tmp_path: Path) -> None:
    shutil.copytree(kept, tmp_path / "a")
    first = back_up(tmp_path / "a", tmp_path / "backup")
    assert first.copied == first.files > 4
    assert back_up(tmp_path / "a", tmp_path / "backup").copied == 0
    gone = next(iter(everything(tmp_path / "a")["blogs"]))
    assert run(["forget", gone, "--reason", "asked", "--archive", str(tmp_path / "a")]) == 0
    assert back_up(tmp_path / "a", tmp_path / "backup").removed >= 2
    assert not list((tmp_path / "backup").glob(f"**/{gone}*/*.warc.gz"))
    (warc, *_) = (tmp_path / "backup/warc").rglob("*.warc.gz")
    warc.write_bytes(warc.read_bytes()[:-1])
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 4
    assert not (tmp_path / "b/archive.db").exists()


def test_the_backup_of_another_archive_is_left_alone(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    back_up(kept, tmp_path / "backup")
    before = sorted((tmp_path / "backup").rglob("*"))
    with ArchiveFolder(tmp_path / "other", writing=True):
        pass
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(tmp_path / "other")]) == 2
    assert "the backup of another archive" in capsys.readouterr().err
    assert sorted((tmp_path / "backup").rglob("*")) == before


def archive_of(folder: Path, *blogs: str) -> Path:
    """An archive with pages of these blogs."""
    for blog in blogs:
        place = folder / "warc" / blog / "1.warc.gz"
        place.parent.mkdir(parents=True)
        place.write_bytes(b"of " + folder.name.encode())
    with ArchiveFolder(folder, writing=True):
        return folder


def test_the_backup_of_another_archive_with_the_same_blog_is_left_alone(tmp_path: Path) -> None:
    mine, other = archive_of(tmp_path / "mine", "a.example", "b.example"), archive_of(tmp_path / "other", "a.example")
    back_up(mine, tmp_path / "backup")
    with pytest.raises(UsageError, match=r"the backup of another archive \(a\.example, b\.example\)"):
        back_up(other, tmp_path / "backup")
    assert (tmp_path / "backup/warc/a.example/1.warc.gz").read_bytes() == b"of mine"
    assert back_up(mine, tmp_path / "backup").copied == 0


def test_an_archive_stays_the_same_in_another_folder_and_without_its_blogs(tmp_path: Path) -> None:
    archive = archive_of(tmp_path / "first", "a.example")
    back_up(archive, tmp_path / "backup")
    shutil.copytree(archive, tmp_path / "moved")
    shutil.rmtree(tmp_path / "moved/warc")
    assert back_up(tmp_path / "moved", tmp_path / "backup").removed == 1


@pytest.mark.parametrize("written", ["[" * 100_000, "[1]", '{"files": 3}', "\xff"])
def test_a_list_that_is_none_makes_no_backup(tmp_path: Path, written: str) -> None:
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup/blogforever-backup.json").write_text(written, encoding="latin-1")
    with pytest.raises(UsageError, match="holds other things"):
        back_up(archive_of(tmp_path / "mine", "a.example"), tmp_path / "backup")


def test_an_older_backup_is_known_by_its_blogs_and_then_by_its_archive(tmp_path: Path) -> None:
    mine, other = archive_of(tmp_path / "mine", "a.example"), archive_of(tmp_path / "other", "a.example")
    back_up(mine, tmp_path / "backup")
    listed = tmp_path / "backup/blogforever-backup.json"
    said = json.loads(listed.read_text(encoding="utf-8"))
    del said["archive"]
    listed.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(UsageError, match="another archive"):
        back_up(archive_of(tmp_path / "third", "c.example"), tmp_path / "backup")
    back_up(mine, tmp_path / "backup")
    with pytest.raises(UsageError, match="another archive"):
        back_up(other, tmp_path / "backup")


@pytest.mark.parametrize(
    "arguments", [("backup", "{archive}/inside"), ("backup", "{other}"), ("restore", "{other}"), ("restore",)]
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    kept: Path, tmp_path: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/letter.txt").write_text("mine")
    typed = [argument.format(archive=kept, other=tmp_path / "other") for argument in arguments]
    assert run([*typed, "--archive", str(kept if typed[0] == "backup" else tmp_path / "new")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_beside_a_service_a_blog_that_is_written_is_named_and_the_others_are_copied(tmp_path: Path) -> None:
    archive, dest = tmp_path / "a", tmp_path / "b"
    for blog in ("free.example", "held.example"):
        for place in (archive / "warc" / blog / "1.warc.gz", archive / "rules" / f"{blog}.json"):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(b"as it was")
    with ArchiveFolder(archive, writing=True, alone=False) as writer, service_lock(archive):
        writer.hold(["held.example"])
        (archive / "warc/held.example/2.warc.gz.open").write_bytes(b"half")
        done = back_up(archive, dest, wait=False)
        assert done.written == ("held.example",)
        (archive / "warc/held.example/1.warc.gz").unlink()
        assert back_up(archive, dest, wait=False).removed == 1
    copied = sorted(path.relative_to(dest).as_posix() for path in (dest / "warc").rglob("*") if path.is_file())
    assert copied == ["warc/free.example/1.warc.gz"]
