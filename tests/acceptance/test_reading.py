"""The commands that read an archive: list, show, search, export, verify, doctor."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from blogforever.archive import exporting
from blogforever.archive.crawling import crawl_blog
from blogforever.cli import blogforever, run
from blogforever.cli.stopping import INTERRUPTED
from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.protocols import Exchange
from blogforever.records import BlogRecord, CommentAuthor, CommentRecord, MediaRecord, PostRecord
from blogforever.store.folder import ArchiveFolder
from server.blogserver import POSTS, serve, slug

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 50
PICTURE = "https://pictures.example/boat.png"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawled blog; one post gets a picture, comments and Chinese words."""
    folder = tmp_path_factory.mktemp("reading") / "archive"
    with serve() as site:
        crawl_blog(site.base, Config(archive=folder, allow_private=True, delay=0.0))
    with ArchiveFolder(folder, writing=True) as opened:
        (blog,) = opened.library.blogs()
        number, _ = opened.store.runs.open(blog.id)
        record = opened.recorder(blog.id, number, {})
        record(Exchange(PICTURE, "GET", (), 200, "OK", (("Content-Type", "image/png"),), PNG, datetime.now(UTC)))
        post = next(p for p in opened.library.posts(blog.id) if p.url.endswith(slug(3)))
        said = "<p>A fine ottersong.</p>"
        post = replace(
            post,
            html=post.html + f'<p><img src="{PICTURE}"></p><p>我们去图书馆看书。</p>',
            text=post.text + "\n\n我们去图书馆看书。",
            media=(MediaRecord(url=PICTURE, role="picture"),),
            comments=(
                CommentRecord(id="1", author=CommentAuthor("Bo"), text="A fine ottersong.", html=said),
                CommentRecord(id="2", parent="1", author=CommentAuthor("Cy"), text="Indeed."),
            ),
        )
        opened.store.posts.keep(number, post)
        opened.store.runs.close(number, "finished")
    return folder


def call(archive: Path, *arguments: str) -> Result:
    return CliRunner().invoke(blogforever, [*arguments, "--archive", str(archive)], standalone_mode=False)


def said(archive: Path, *arguments: str) -> str:
    result = call(archive, *arguments)
    assert result.exception is None, result.exception
    assert not result.return_value, result.output
    return result.stdout


def base(archive: Path) -> str:
    return next(line.split()[-1] for line in said(archive, "list").splitlines() if "http" in line)


def test_list_shows_blogs_and_their_posts(archive: Path) -> None:
    text = said(archive, "list")
    assert "The Ferry Log" in text
    assert f"{POSTS} posts, 2021, last crawled" in text
    lines = said(archive, "list", base(archive)).splitlines()
    assert len(lines) == POSTS
    assert lines == sorted(lines, reverse=True)
    assert said(archive, "list", "the ferry log").splitlines() == lines


def test_show_is_readable_and_finds_other_spellings(archive: Path) -> None:
    address = base(archive).rstrip("/") + slug(3)
    text = said(archive, "show", address)
    assert text.startswith("Story 3\nAnn Ferrier · 4 April 2021\n")
    assert "── 2 comments" in text
    assert "\n  Cy\n    Indeed." in text
    assert max(map(len, text.splitlines())) <= 88
    assert said(archive, "show", address.rstrip("/")) == text
    assert said(archive, "show", base(archive).rstrip("/") + "/old-story/").startswith("Story 2\n")
    assert run(["show", "https://nowhere.example/", "--archive", str(archive)]) == 2


def test_show_finds_a_post_by_its_title(archive: Path) -> None:
    said(archive, "search", "anything")
    assert said(archive, "show", "story 3").startswith("Story 3\n")
    with pytest.raises(UsageError, match=r"No post is quite called 'Story'; did you mean .*/story-"):
        raise call(archive, "show", "Story").exception or AssertionError
    with pytest.raises(UsageError, match=r"No post is quite called 'Stroy 3'; did you mean Story 3 \(http.*-3/"):
        raise call(archive, "show", "Stroy 3").exception or AssertionError


def test_search_finds_words_phrases_comments_and_chinese(archive: Path) -> None:
    assert said(archive, "search", "ottersong").startswith("Story 3")
    assert "1 post." in said(archive, "search", "图书馆")
    assert "A fine ottersong." in said(archive, "search", "ottersong")
    assert f"{POSTS} posts." in said(archive, "search", "story", "--blog", base(archive))
    assert "Nothing was found." in said(archive, "search", "nosuchword")
    assert "1 post." in said(archive, "search", '"story 5 begins"')
    assert run(["search", "!!", "--archive", str(archive)]) == 2


def test_a_static_copy_has_posts_pictures_and_sources(archive: Path, tmp_path: Path) -> None:
    text = said(archive, "export", "--format", "site", str(tmp_path / "copy"))
    assert f"{POSTS} posts with 1 picture or other file" in text
    page = (tmp_path / "copy/2021/story-number-3.html").read_text(encoding="utf-8")
    (picture,) = (tmp_path / "copy/media").iterdir()
    assert picture.read_bytes() == PNG
    assert f'src="../media/{picture.name}"' in page
    assert "图书馆" in page
    source = (tmp_path / "copy/captured/2021-story-number-3.txt").read_text(encoding="utf-8-sig")
    assert source.startswith("<!doctype html>")
    index = (tmp_path / "copy/search/0.js").read_text(encoding="utf-8")
    assert len(json.loads(index[index.index(",") + 1 : index.rindex(")")])) == POSTS


def test_a_copy_replaces_an_earlier_copy_and_nothing_else(archive: Path, tmp_path: Path) -> None:
    dest = tmp_path / "copy"
    said(archive, "export", "--format", "site", str(dest))
    marker = json.loads((dest / "blogforever-copy.json").read_text(encoding="utf-8"))
    (dest / "old.html").write_text("left over", encoding="utf-8")
    (dest / "mine.txt").write_text("a note", encoding="utf-8")
    (dest / "blogforever-copy.json").write_text(
        json.dumps(marker | {"files": [*marker["files"], "old.html", "../x"]}), encoding="utf-8"
    )
    (tmp_path / "x").write_text("outside", encoding="utf-8")
    said(archive, "export", "--format", "site", str(dest))
    assert not (dest / "old.html").exists()
    assert (dest / "mine.txt").exists()
    assert (tmp_path / "x").exists()
    assert run(["export", "--format", "site", str(archive), "--archive", str(archive)]) == 2
    assert run(["export", "--format", "site", "--archive", str(archive)]) == 2


def test_a_copy_that_was_cut_off_is_made_again_in_its_place(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dest = tmp_path / "copy"
    with monkeypatch.context() as cut:
        cut.setattr(exporting._CopyWriter, "finish", _stopped)
        assert run(["export", "--format", "site", str(dest), "--archive", str(archive)]) == INTERRUPTED
    assert (dest / "blogforever-copy.part").is_file()
    # A post that is not there any more when it is made again leaves no file behind.
    (dest / "gone.html").write_text("of the first attempt", encoding="utf-8")
    with (dest / "blogforever-copy.part").open("a", encoding="utf-8") as begun:
        begun.write("gone.html\n../x\n")
    (tmp_path / "x").write_text("outside", encoding="utf-8")
    said(archive, "export", "--format", "site", str(dest))
    assert (dest / "index.html").is_file()
    assert (tmp_path / "x").is_file()
    assert not [name for name in ("gone.html", "blogforever-copy.part") if (dest / name).exists()]


def _stopped(_writer: object) -> None:
    raise KeyboardInterrupt


def test_several_blogs_get_a_folder_each_and_an_overview(archive: Path, tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path / "two", writing=True) as opened:
        for name in ("first", "second"):
            number, _ = opened.store.runs.open(name)
            opened.store.blogs.keep(BlogRecord(id=name, url=f"https://{name}.example/", title=f"The {name}"))
            post = PostRecord(id=name, blog=name, url=f"https://{name}.example/p", title="P", text="words")
            opened.store.posts.keep(number, post)
            opened.store.runs.close(number, "finished")
    said(tmp_path / "two", "export", "--format", "site", str(tmp_path / "copy"))
    overview = (tmp_path / "copy/index.html").read_text(encoding="utf-8")
    assert 'href="first/index.html">The first' in overview
    assert 'href="../index.html">All blogs' in (tmp_path / "copy/second/index.html").read_text(encoding="utf-8")
    assert "words" in (tmp_path / "copy/first/undated/p.html").read_text(encoding="utf-8")
    assert run(["export", "--format", "wacz", str(tmp_path / "x.wacz"), "--archive", str(tmp_path / "two")]) == 2
    lines = said(tmp_path / "two", "export", "--blog", "first").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["first", "first"]


def test_blogs_are_a_table_and_posts_are_citations(archive: Path, tmp_path: Path) -> None:
    (blog,) = csv.DictReader(io.StringIO(said(archive, "export", "--format", "blogs")))
    assert (blog["title"], blog["posts"]) == ("The Ferry Log", str(POSTS))
    table = tmp_path / "blogs.csv"
    said(archive, "export", "--format", "blogs", str(table))
    assert table.read_bytes().startswith(b"\xef\xbb\xbfblog,title,"), "a spreadsheet is told how it is written"
    assert said(archive, "export", "--format", "csv").startswith("blog,"), "another program is not"
    for name in ("all.bib", "all.ris"):
        said(archive, "export", str(tmp_path / name))
    assert (tmp_path / "all.bib").read_text(encoding="utf-8").count("@online{") == POSTS
    assert (tmp_path / "all.ris").read_text(encoding="utf-8").count("TY  - BLOG") == POSTS
    items = json.loads(said(archive, "export", "--format", "csl"))
    assert len({item["id"] for item in items}) == POSTS
    assert {item["container-title"] for item in items} == {"The Ferry Log"}


def test_data_comes_as_lines_and_as_a_table(archive: Path, tmp_path: Path) -> None:
    said(archive, "export", "--format", "csv", str(tmp_path / "posts.csv"))
    text = (tmp_path / "posts.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == POSTS
    assert sum(int(row["comments"]) for row in rows) == 2
    kinds = [json.loads(line)["type"] for line in said(archive, "export").splitlines()]
    assert kinds.count("post") == POSTS


def test_a_wacz_is_what_the_specification_says(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "ferry.wacz"
    assert f"{POSTS + 1} pages and" in said(archive, "export", "--format", "wacz", str(path))
    with zipfile.ZipFile(path) as box:
        package = json.loads(box.read("datapackage.json"))
        digest = json.loads(box.read("datapackage-digest.json"))
        assert digest["hash"] == "sha256:" + hashlib.sha256(box.read("datapackage.json")).hexdigest()
        assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
        resources = {item["path"]: item for item in package["resources"]}
        assert {*resources, "datapackage.json", "datapackage-digest.json"} == set(box.namelist())
        for name, item in resources.items():
            data = box.read(name)
            # ReplayWeb.page reckons that a short entry has no extra header.
            assert path.read_bytes()[box.getinfo(name).header_offset + 28 :][:2] == b"\0\0"
            assert (item["bytes"], item["hash"]) == (len(data), "sha256:" + hashlib.sha256(data).hexdigest())
            if name.endswith(".gz"):
                assert box.getinfo(name).compress_type == zipfile.ZIP_STORED
        pages = [json.loads(line) for line in box.read("pages/pages.jsonl").decode().splitlines()]
        assert pages[0]["format"] == "json-pages-1.0"
        assert len(pages) == POSTS + 2
        assert all(page["ts"].endswith("Z") for page in pages[1:])
        index = gzip.decompress(box.read("indexes/index.cdx.gz")).decode().splitlines()
        assert index == sorted(index)
        line = json.loads(next(text for text in index if "boat.png" in text).split(" ", 2)[2])
        record = box.read(f"archive/{line['filename']}")[int(line["offset"]) :][: int(line["length"])]
        assert gzip.decompress(record).endswith(PNG + b"\r\n\r\n")
        assert box.read("indexes/index.idx").decode().startswith("!meta 0 ")


def test_a_wacz_can_be_harvested_again(archive: Path, tmp_path: Path) -> None:
    said(archive, "export", "--format", "wacz", str(tmp_path / "ferry.wacz"))
    report = crawl_blog(base(archive), Config(archive=tmp_path / "again", replay=(str(tmp_path / "ferry.wacz"),)))
    assert report.posts == POSTS
    assert (
        run(["export", "--format", "wacz", str(tmp_path / "once-more.wacz"), "--archive", str(tmp_path / "again")]) == 0
    )


def test_verify_is_content_and_then_is_not(archive: Path, tmp_path: Path) -> None:
    assert "all sound." in said(archive, "verify")
    target = tmp_path / "damaged"
    shutil.copytree(archive, target)
    warc = next(target.rglob("*.warc.gz"))
    warc.write_bytes(warc.read_bytes()[:-10])
    result = call(target, "verify")
    assert result.return_value == 4
    assert "ends in the middle of a record" in result.stdout


def test_a_damaged_response_or_a_suppressed_post_is_left_out_of_a_copy(archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "damaged"
    shutil.copytree(archive, target)
    for warc in target.rglob("*.warc.gz"):
        warc.write_bytes(warc.read_bytes()[:50].ljust(warc.stat().st_size, b"\0"))
    with ArchiveFolder(target, writing=True) as opened:
        (blog,) = opened.library.blogs()
        number, _ = opened.store.runs.open(blog.id)
        post = next(p for p in opened.library.posts(blog.id) if p.url.endswith(slug(5)))
        opened.store.posts.keep(number, replace(post, status="suppressed"))
        opened.store.runs.close(number, "finished")
    text = said(target, "export", "--format", "site", str(tmp_path / "copy"))
    assert f"{POSTS - 1} posts with 0 pictures and other files" in text
    assert not (tmp_path / "copy/captured").exists()
    assert not (tmp_path / "copy/2021/story-number-5.html").exists()
    assert "Story 5 begins" not in (tmp_path / "copy/search/0.js").read_text(encoding="utf-8")


def test_doctor_says_how_things_are_and_what_to_do(archive: Path, tmp_path: Path) -> None:
    text = said(archive, "doctor")
    assert f"The Ferry Log: {POSTS} posts" in text
    assert "free on the disk" in text
    assert "blogforever verify" in text
    assert "There is no archive here yet." in said(tmp_path / "none", "doctor")
    assert not (tmp_path / "none").exists()
