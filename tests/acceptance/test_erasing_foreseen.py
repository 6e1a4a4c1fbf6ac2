"""`suppress --dry-run`: what will go or be hidden is shown and nothing is touched; after an erasure it is said what was
not reached.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from blogforever.archive.erasing import renew_erasures
from blogforever.archive.opening import open_archive
from blogforever.archive.suppressing import Meant, foresee_hiding, foresee_suppressing, suppress
from blogforever.cli import run
from blogforever.errors import UsageError
from blogforever.store.folder import ArchiveFolder
from blogforever.wording import counted
from server.blogserver import serve_answers
from server.smallarchive import BLOG, make_archive, state_of
from server.talkblog import answers, path, said, tale
from server.writtenarchive import small_post, write_archive


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A crawled blog whose posts quote each other, with an export inside the archive's folder; and its address."""
    archive = tmp_path_factory.mktemp("talked") / "archive"
    with serve_answers(answers(f"<blockquote>{tale(3)[2]}</blockquote>")) as site:
        assert run(["crawl", site.base, "--archive", str(archive), "--allow-private", "--delay", "0"]) == 0
    assert run(["export", str(archive / "all.jsonl"), "--archive", str(archive)]) == 0
    return archive, site.base


@pytest.fixture
def talked(crawled: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """The same for one test alone, which may erase some of it."""
    archive, base = crawled
    return Path(shutil.copytree(archive, tmp_path / "archive")), base


def test_a_dry_run_touches_nothing(talked: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    archive, base = talked
    before = state_of(archive)
    assert run(["suppress", base + path(3), "--erase", "--dry-run", "--archive", str(archive)]) == 0
    told = capsys.readouterr().out
    assert state_of(archive) == before
    assert f"  {base}{path(3)}" in told
    assert "1 post, " in told
    assert "Nothing was touched" in told
    assert "  all.jsonl" in told
    assert "backups, exports and copies outside" in told


def test_what_a_dry_run_shows_is_what_goes(talked: tuple[Path, str]) -> None:
    archive, base = talked
    _target, foreseen, _remaining = foresee_suppressing(archive, Meant(base + path(3)))
    with ArchiveFolder(archive, writing=False) as opened:
        (post,) = opened.store.posts.named(base + path(3))
    assert foreseen.comments == len(post.comments) > 0
    done = suppress(archive, Meant(base + path(3)), "asked", erase=True).erased
    assert done is not None
    assert foreseen.posts == [base + path(3)]
    assert sum(foreseen.dropped.values()) == done.dropped
    assert len(foreseen.touched) == done.records > 0
    assert len(foreseen.files_changed) + len(foreseen.files_removed) == done.files > 0
    assert foreseen.dropped["response", "text/html"] >= 1


def test_a_comment_that_goes_is_counted(talked: tuple[Path, str]) -> None:
    archive, base = talked
    with ArchiveFolder(archive, writing=False) as opened:
        (post,) = opened.store.posts.named(base + path(4))
    (comment,) = [one.id for one in post.comments if said(4, 1) in one.text]
    _target, foreseen, _remaining = foresee_suppressing(archive, Meant(comment))
    assert (foreseen.posts, foreseen.comments, foreseen.touched) == ([], 1, [post.url])


def test_a_blog_that_would_be_forgotten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = make_archive(tmp_path / "archive")
    before = state_of(archive)
    assert run(["suppress", BLOG, "--kind", "blog", "--erase", "--dry-run", "--archive", str(archive)]) == 0
    told = capsys.readouterr().out
    assert state_of(archive) == before
    assert "3 posts" in told
    assert f"warc/{BLOG}/" in told


def test_what_is_not_reached_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A title of one word, and another blog of the archive."""
    archive = write_archive(
        tmp_path / "archive", small_post("harbour", "Nobody saw the lantern of the ferry that night.")
    )
    make_archive_beside(archive)
    assert (
        run(["suppress", "https://b.example/harbour/", "--erase", "--reason", "asked", "--archive", str(archive)]) == 0
    )
    told = capsys.readouterr().out
    assert "1 short title or name" in told
    assert "1 other blog of this archive" in told


def make_archive_beside(archive: Path) -> None:
    """One more blog."""
    with ArchiveFolder(archive, writing=True) as opened:
        run_of_it, _ = opened.store.runs.open("other.example")
        opened.store.posts.keep(run_of_it, small_post("lake", "Ice.", blog="other.example"))
        opened.store.runs.close(run_of_it, "finished")


@pytest.mark.parametrize("kind", ["post", "comment", "author", "blog"])
def test_a_dry_run_shows_what_would_be_hidden(
    talked: tuple[Path, str], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, base = talked
    with ArchiveFolder(archive, writing=False) as opened:
        (post,) = opened.store.posts.named(base + path(4))
    name = post.comments[0].author.name
    assert name
    targets = {"post": [post.url], "comment": [post.comments[0].id], "author": [name, "--kind", "author"]}
    typed = targets.get(kind, [post.blog, "--kind", "blog"])
    before, seen = state_of(archive), shown(archive)
    assert run(["suppress", *typed, "--dry-run", "--archive", str(archive)]) == 0
    told = capsys.readouterr().out
    assert state_of(archive) == before
    assert "Nothing was touched" in told
    assert run(["suppress", *typed, "--reason", "asked", "--archive", str(archive)]) == 0
    left = shown(archive)
    gone = [url for url in seen if url not in left]
    comments = sum(seen.values()) - sum(left.values())
    assert f": {counted(len(gone), 'post')}, {counted(comments, 'comment')}." in told
    assert [url for url in gone if f"  {url}\n" not in told] == []


def shown(archive: Path) -> dict[str, int]:
    """How many comments everybody sees of each post."""
    with ArchiveFolder(archive, writing=False) as opened:
        blogs = [blog.id for blog in opened.library.blogs()]
        return {post.url: len(post.comments) for blog in blogs for post in opened.library.posts(blog)}


def test_nothing_to_erase_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = make_archive(tmp_path / "archive")
    nowhere = "https://nowhere.example/a-post/"
    assert run(["suppress", nowhere, "--kind", "url", "--erase", "--dry-run", "--archive", str(archive)]) == 0
    assert "Nothing would be erased" in capsys.readouterr().out


def test_a_sentence_goes_wherever_it_stands_and_all_around_it_stays(talked: tuple[Path, str]) -> None:
    """One sentence of a post that another post quotes: both posts stay, without it, also when it comes back."""
    archive, base = talked
    sentence = tale(3)[2]
    meant = Meant(f"  {sentence.upper()} ", "words")
    _target, foreseen, _remaining = foresee_suppressing(archive, meant)
    assert foreseen.posts == []
    assert base + path(3) in foreseen.touched
    with ArchiveFolder(archive, writing=False) as opened:
        (before,) = opened.store.posts.named(base + path(3))
    done = suppress(archive, meant, "the author asked", erase=True).erased
    assert done is not None
    assert (done.posts, done.dropped) == (0, 0)
    assert done.blanked == len(foreseen.changed)
    files = [one for one in archive.rglob("*") if one.is_file() and one.suffix != ".gz"]
    assert not [one.name for one in files if sentence.encode() in one.read_bytes()]
    with open_archive(archive, writing=True) as opened:
        (after,) = opened.store.posts.named(base + path(3))
        assert after.text.split(".")[0] == before.text.split(".")[0]
        assert sentence not in after.text
        run_number, _ = opened.store.runs.open(before.blog)
        opened.store.posts.keep(run_number, before)
        renew_erasures(opened, before.blog)
        (again,) = opened.store.posts.named(base + path(3))
    assert sentence not in again.text


def test_words_that_anybody_may_say_are_not_erased_and_words_are_not_hidden(tmp_path: Path) -> None:
    archive = make_archive(tmp_path / "a")
    with pytest.raises(UsageError, match="4 words in a row"):
        suppress(archive, Meant("the old mill", "words"), "asked", erase=True)
    for hide in (
        lambda: suppress(archive, Meant(tale(3)[2], "words"), "asked"),
        lambda: foresee_hiding(archive, Meant(tale(3)[2], "words")),
    ):
        with pytest.raises(UsageError, match="only be erased"):
            hide()
