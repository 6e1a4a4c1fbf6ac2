"""What is erased is nowhere in the archive folder: not in the WARC files, the database, its free pages, the journal."""

from __future__ import annotations

import gzip
import html
import json
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from blogforever.store.folder import ArchiveFolder
from server import talkblog
from server.blogserver import Site, serve_answers
from server.talkblog import POSTS, path, said, tale

QUOTE = f"<blockquote>{tale(3)[2]}</blockquote><p>So it was told, and it is worth telling twice over.</p>"


def crawl(site: Site, archive: Path) -> None:
    crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The blog crawled twice, so that there are revisit records."""
    with serve_answers(talkblog.answers(QUOTE)) as site:
        crawl(site, tmp_path / "archive")
        crawl(site, tmp_path / "archive")
    return tmp_path / "archive"


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of a folder, as it lies there and unpacked."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield from unpacked(str(file), file.read_bytes())


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, data
    if name.endswith(".gz"):
        yield f"{name} unpacked", gzip.decompress(data)
    if name.endswith(".warc.gz"):
        for record in ArchiveIterator(BytesIO(data)):
            yield f"{name} {record.rec_type}", record.content_stream().read()
    if name.endswith(".wacz"):
        with zipfile.ZipFile(BytesIO(data)) as box:
            for inner in box.namelist():
                yield from unpacked(f"{name}!/{inner}", box.read(inner))


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", html.unescape(re.sub(r"<[^>]*>|\\n|\\u\w{4}", " ", html.unescape(text)))))


def places(folder: Path, sentence: str) -> list[str]:
    """Where a sentence stands, whatever is between its words."""
    wanted = words(sentence)
    return [name for name, data in everything(folder) if wanted in words(data.decode("utf-8", "replace"))]


def call(archive: Path, *arguments: str) -> None:
    assert run([*arguments, "--archive", str(archive)]) == 0


def exports(archive: Path, folder: Path) -> None:
    folder.mkdir()
    for style, name in (("jsonl", "all.jsonl"), ("csv", "all.csv"), ("site", "copy"), ("wacz", "all.wacz")):
        call(archive, "export", "--format", style, str(folder / name))


def posts(archive: Path) -> list[dict[str, Any]]:
    with ArchiveFolder(archive, writing=False) as opened:
        return [post for blog in opened.library.blogs() for post in opened.library.posts(blog["id"])]


def address(archive: Path, number: int) -> str:
    return next(str(post["url"]) for post in posts(archive) if post["url"].endswith(path(number)))


def test_an_erased_post_is_nowhere(archive: Path, tmp_path: Path) -> None:
    before = {post["url"]: post for post in posts(archive)}
    sentences = [*tale(3), said(3, 0), said(3, 1)]
    assert all(len(places(archive, sentence)) > 3 for sentence in sentences)
    call(archive, "suppress", address(archive, 3), "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    for folder in (archive, tmp_path / "out"):
        for sentence in (*sentences, path(3).strip("/"), "own-3.png"):
            assert places(folder, sentence) == []
    after = {post["url"]: post for post in posts(archive)}
    assert len(after) == POSTS - 1
    for url, post in after.items():
        if not url.endswith(path(POSTS - 1)):
            assert post["text"] == before[url]["text"]
            assert post["comments"] == before[url]["comments"]
    assert "worth telling twice over" in after[address(archive, POSTS - 1)]["text"]
    assert places(archive, tale(4)[1])
    assert places(archive, said(4, 1))
    call(archive, "verify")


def test_an_erased_comment_is_nowhere_and_its_neighbours_stay(archive: Path, tmp_path: Path) -> None:
    (comment,) = [c for post in posts(archive) for c in post["comments"] if c["text"].startswith("Reader 0 of tale 5")]
    assert len(places(archive, said(5, 0))) > 3
    call(archive, "suppress", comment["id"], "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    assert places(archive, said(5, 0)) == []
    assert places(tmp_path / "out", said(5, 0)) == []
    (post,) = [post for post in posts(archive) if post["url"].endswith(path(5))]
    assert [c["author"]["name"] for c in post["comments"]] == ["Cy Marsh"]
    assert tale(5)[0] in post["text"]
    assert post["version"] == 1
    call(archive, "verify")


def test_an_erased_author_is_nowhere(archive: Path, tmp_path: Path) -> None:
    call(archive, "suppress", "--kind", "author", "bo reed", "--erase", "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    for folder in (archive, tmp_path / "out"):
        for sentence in ("Bo Reed", *(said(n, 0) for n in range(POSTS))):
            assert places(folder, sentence) == []
    assert {c["author"]["name"] for post in posts(archive) for c in post["comments"]} == {"Cy Marsh"}
    assert len(posts(archive)) == POSTS
    call(archive, "verify")


def test_what_is_hidden_is_in_no_export_but_in_the_archive(archive: Path, tmp_path: Path) -> None:
    (comment,) = [c for post in posts(archive) for c in post["comments"] if c["text"].startswith("Reader 0 of tale 5")]
    exports(archive, tmp_path / "before")
    assert any("wacz" in name for name in places(tmp_path / "before", tale(3)[1]))
    assert any("captured" in name for name in places(tmp_path / "before", said(5, 0)))
    call(archive, "suppress", address(archive, 3), "--reason", "asked")
    call(archive, "suppress", comment["id"], "--reason", "asked")
    call(archive, "reextract")
    exports(archive, tmp_path / "out")
    for sentence in (*tale(3)[:2], said(3, 0), said(5, 0)):  # the third paragraph is quoted by another post
        assert places(tmp_path / "out", sentence) == []
        assert places(archive, sentence)
    assert any("wacz" in name for name in places(tmp_path / "out", said(5, 1)))
    home = address(archive, 4).partition("/2021")[0]
    report = crawl_blog(home, Config(archive=tmp_path / "again", replay=(str(tmp_path / "out/all.wacz"),)))
    assert report.posts == POSTS - 1


def test_what_was_erased_does_not_come_back_with_a_crawl(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with serve_answers(talkblog.answers(QUOTE)) as site:
        crawl(site, archive)
        call(archive, "suppress", site.base + path(3), "--erase", "--reason", "asked")
        (comment,) = [c for p in posts(archive) for c in p["comments"] if c["text"].startswith("Reader 0 of tale 5")]
        call(archive, "suppress", comment["id"], "--erase", "--reason", "asked")
        site.asked.clear()
        report = crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0))
    assert path(3) not in site.asked
    assert report.completeness.missing == {}
    for sentence in (*tale(3), said(3, 0), said(5, 0)):
        assert places(archive, sentence) == []
    assert len(posts(archive)) == POSTS - 1
    call(archive, "verify")


def test_a_forgotten_blog_leaves_one_line(archive: Path) -> None:
    (blog,) = {post["blog"] for post in posts(archive)}
    call(archive, "forget", blog, "--reason", "the owner asked")
    assert posts(archive) == []
    assert all(places(archive, sentence) == [] for sentence in (tale(1)[0], said(1, 1), "Ferry Talk", path(1)))
    lines = (archive / "journal/_archive.jsonl").read_text().splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["the owner asked"]
    assert not list((archive / "warc").iterdir())
    call(archive, "verify")
