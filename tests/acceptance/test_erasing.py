"""What is erased is nowhere in the archive folder: not in the WARC files, the database, its free pages, the journal."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from blogforever.records import PostRecord
from blogforever.store.folder import ArchiveFolder
from server import papers, talkblog
from server.blogserver import WORDS, Answers, Reply, Site, serve_answers
from server.smallarchive import state_of
from server.sought import found, places
from server.talkblog import POSTS, path, said, tale

pytestmark = pytest.mark.long

QUOTE = f"<blockquote>{tale(3)[2]}</blockquote><p>So it was told, and it is worth telling twice over.</p>"

PAPER = {"Content-Type": "application/octet-stream"}


def crawl(site: Site, archive: Path) -> None:
    crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0))


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blog crawled twice, so that there are revisit records."""
    archive = tmp_path_factory.mktemp("crawled") / "archive"
    with serve_answers(talkblog.answers(QUOTE)) as site:
        crawl(site, archive)
        crawl(site, archive)
    return archive


@pytest.fixture
def archive(crawled: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(crawled, tmp_path / "archive"))


def call(archive: Path, *arguments: str) -> None:
    assert run([*arguments, "--archive", str(archive)]) == 0


def exports(archive: Path, folder: Path) -> None:
    folder.mkdir()
    for style, name in (("jsonl", "all.jsonl"), ("csv", "all.csv"), ("site", "copy"), ("wacz", "all.wacz")):
        call(archive, "export", "--format", style, str(folder / name))


def posts(archive: Path) -> list[PostRecord]:
    with ArchiveFolder(archive, writing=False) as opened:
        return [post for blog in opened.library.blogs() for post in opened.library.posts(blog.id)]


def address(archive: Path, number: int) -> str:
    return next(str(post.url) for post in posts(archive) if post.url.endswith(path(number)))


def test_an_erased_post_is_nowhere(archive: Path, tmp_path: Path) -> None:
    before = {post.url: post for post in posts(archive)}
    sentences = [*tale(3), said(3, 0), said(3, 1)]
    stand = found(archive, sentences)
    assert all(len(stand[sentence]) > 3 for sentence in sentences)
    call(archive, "suppress", address(archive, 3), "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    for folder in (archive, tmp_path / "out"):
        assert found(folder, [*sentences, path(3).strip("/"), "own-3.png"]) == {}
    after = {post.url: post for post in posts(archive)}
    assert len(after) == POSTS - 1
    for url, post in after.items():
        if not url.endswith(path(POSTS - 1)):
            assert post.text == before[url].text
            assert post.comments == before[url].comments
    assert "worth telling twice over" in after[address(archive, POSTS - 1)].text
    assert places(archive, tale(4)[1])
    assert places(archive, said(4, 1))
    call(archive, "verify")


def test_an_erased_comment_is_nowhere_and_its_neighbours_stay(archive: Path, tmp_path: Path) -> None:
    (comment,) = [c for post in posts(archive) for c in post.comments if c.text.startswith("Reader 0 of tale 5")]
    assert len(places(archive, said(5, 0))) > 3
    call(archive, "suppress", comment.id, "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    assert places(archive, said(5, 0)) == []
    assert places(tmp_path / "out", said(5, 0)) == []
    (post,) = [post for post in posts(archive) if post.url.endswith(path(5))]
    assert [c.author.name for c in post.comments] == ["Cy Marsh"]
    assert tale(5)[0] in post.text
    assert post.version == 1
    call(archive, "verify")


def test_an_erased_author_is_nowhere(archive: Path, tmp_path: Path) -> None:
    call(archive, "suppress", "--kind", "author", "bo reed", "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    for folder in (archive, tmp_path / "out"):
        assert found(folder, ["Bo Reed", *(said(n, 0) for n in range(POSTS))]) == {}
    assert {c.author.name for post in posts(archive) for c in post.comments} == {"Cy Marsh"}
    assert len(posts(archive)) == POSTS
    call(archive, "verify")


def test_documents_that_hold_what_is_erased_go_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"/quote.pdf": papers.pdf(tale(3)[1]), "/other.pdf": papers.pdf(tale(4)[1])}
    files |= {"/quote.docx": papers.docx(tale(3)[0]), "/locked.zip": b"PK\x03\x04 nobody can read this"}
    links = "".join(f'<p><a href="{name}">A paper</a></p>' for name in files)

    def answers(base: str) -> Answers:
        usual = talkblog.answers(links)(base)
        return lambda asked: Reply(files[asked], headers=PAPER) if asked in files else usual(asked)

    archive = tmp_path / "archive"
    with serve_answers(answers) as site:
        crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0, media=True))
    assert kept(archive, *files) == set(files)
    call(archive, "suppress", site.base + path(3), "--erase", "--reason", "asked")
    assert kept(archive, *files) == {"/other.pdf", "/locked.zip"}
    told = capsys.readouterr().out
    assert "1 document could not be searched" in told
    assert "/locked.zip" in told
    call(archive, "suppress", site.base + "/locked.zip", "--kind", "url", "--erase", "--reason", "asked")
    assert kept(archive, *files) == {"/other.pdf"}
    call(archive, "reextract")
    call(archive, "verify")


def kept(archive: Path, *names: str) -> set[str]:
    """Those of the addresses that the archive has a response of."""
    lines = "".join(index.read_text(encoding="utf-8") for index in (archive / "indexes").glob("*.cdxj"))
    return {name for name in names if f'{name}"' in lines}


def test_what_is_hidden_is_in_no_export_but_in_the_archive(archive: Path, tmp_path: Path) -> None:
    (comment,) = [c for post in posts(archive) for c in post.comments if c.text.startswith("Reader 0 of tale 5")]
    exports(archive, tmp_path / "before")
    assert any("wacz" in name for name in places(tmp_path / "before", tale(3)[1]))
    assert any("captured" in name for name in places(tmp_path / "before", said(5, 0)))
    call(archive, "suppress", address(archive, 3), "--reason", "asked")
    call(archive, "suppress", comment.id, "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    hidden = [*tale(3)[:2], said(3, 0), said(5, 0)]  # the third paragraph is quoted by another post
    assert found(tmp_path / "out", hidden) == {}
    assert found(archive, hidden).keys() == set(hidden)
    assert any("wacz" in name for name in places(tmp_path / "out", said(5, 1)))
    home = address(archive, 4).partition("/2021")[0]
    report = crawl_blog(home, Config(archive=tmp_path / "again", replay=(str(tmp_path / "out/all.wacz"),)))
    assert report.posts == POSTS - 1


def test_what_was_erased_does_not_come_back_with_a_crawl(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serve_answers(talkblog.answers(QUOTE)) as site:
        crawl(site, archive)
        call(archive, "suppress", site.base + path(3), "--erase", "--reason", "asked")
        (comment,) = [c for p in posts(archive) for c in p.comments if c.text.startswith("Reader 0 of tale 5")]
        call(archive, "suppress", comment.id, "--erase", "--reason", "asked")
        site.asked.clear()
        report = crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0))
    assert path(3) not in site.asked
    assert report.completeness.missing == {}
    assert found(archive, [*tale(3), said(3, 0), said(5, 0)]) == {}
    assert len(posts(archive)) == POSTS - 1
    call(archive, "verify")


def test_a_very_long_post_does_not_come_back_either(tmp_path: Path) -> None:
    """More words than anybody wrote down digests of: all of them are needed, whatever room they take."""
    told = random.Random(7).choices(WORDS, k=21_000)
    long = "".join(f"<p>{' '.join(told[n : n + 100])}.</p>" for n in range(0, len(told), 100))
    archive, last = tmp_path / "archive", POSTS - 1
    with serve_answers(talkblog.answers(long)) as site:
        crawl(site, archive)
        call(archive, "suppress", site.base + path(last), "--erase", "--reason", "asked")
        crawl(site, archive)
    assert found(archive, [*tale(last), " ".join(told[:100]), " ".join(told[-100:])]) == {}
    assert places(archive, tale(4)[1])


BREAKS = {"/": "\u00ad", "/feed/": "\u200b", "/comments/feed/": "\u2060"}


def test_words_that_are_broken_invisibly_go_and_stay_away(tmp_path: Path) -> None:
    def answers(base: str) -> Answers:
        usual = talkblog.answers(QUOTE)(base)

        def answer(asked: str) -> Any:
            reply = usual(asked)
            mark = BREAKS.get(asked, "<wbr>" if asked == path(POSTS - 1) else "")
            if not mark or not isinstance(reply, Reply):
                return reply
            return Reply(broken(reply.body.decode(), mark).encode(), headers=reply.headers)

        return answer

    archive = tmp_path / "archive"
    with serve_answers(answers) as site:
        crawl(site, archive)
        assert len(places(archive, tale(3)[2])) > 3
        call(archive, "suppress", site.base + path(3), "--erase", "--reason", "asked")
        for _ in range(2):
            assert found(archive, [*tale(3), said(3, 0), said(3, 1)]) == {}
            crawl(site, archive)
    assert places(archive, tale(4)[0])
    call(archive, "verify")


def broken(text: str, mark: str) -> str:
    """The text with something invisible inside the words of its tales."""
    for word in WORDS:
        text = text.replace(f" {word}", f" {word[:2]}{mark}{word[2:]}")
    return text


def test_what_was_not_erased_to_the_end_is_erased_by_a_restore_and_by_the_next_crawl(tmp_path: Path) -> None:
    archive, backup, again = tmp_path / "archive", tmp_path / "backup", tmp_path / "again"
    with serve_answers(talkblog.answers()) as site:
        crawl(site, archive)
        decided = {"journal": 1, "at": "2026-01-01T00:00:00+00:00", "what": "suppress", "kind": "url", "erase": True}
        (archive / "journal").mkdir()
        (archive / "journal/_archive.jsonl").write_text(json.dumps(decided | {"target": site.base + path(3)}) + "\n")
        call(archive, "backup", str(backup))
        call(again, "restore", str(backup))
        assert places(archive, tale(3)[1])
        crawl(site, archive)
    for folder in (archive, again):
        assert found(folder, [*tale(3), said(3, 0)]) == {}
        call(folder, "verify")


def test_a_forgotten_blog_leaves_one_line(archive: Path) -> None:
    (blog,) = {post.blog for post in posts(archive)}
    call(archive, "forget", blog, "--reason", "the owner asked")
    assert posts(archive) == []
    assert found(archive, [tale(1)[0], said(1, 1), "Ferry Talk", path(1)]) == {}
    lines = (archive / "journal/_archive.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["the owner asked"]
    assert not list((archive / "warc").iterdir())
    call(archive, "verify")


def test_an_older_backup_does_not_bring_back_what_was_erased(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "backup"
    call(archive, "backup", str(backup))
    call(archive, "suppress", address(archive, 3), "--erase", "--reason", "asked")
    # As after the disk was lost but for what people decided.
    for part in (part for part in archive.iterdir() if part.name != "journal"):
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    before = state_of(archive)
    assert run(["restore", str(backup), "--archive", str(archive)]) == 2
    assert "is older than 1 erasure" in capsys.readouterr().err
    assert state_of(archive) == before
    call(archive, "restore", str(backup), "--erase-again")
    assert found(archive, [*tale(3), said(3, 0)]) == {}
    assert len(posts(archive)) == POSTS - 1
    call(archive, "verify")
    elsewhere = tmp_path / "empty"
    call(elsewhere, "restore", str(backup))
    assert places(elsewhere, tale(3)[1])
