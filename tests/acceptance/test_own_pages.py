"""The blog's own pages (About, Contact) are kept and given out as pages, and never as posts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blogforever.cli import run
from server.blogserver import POSTS, Reply, layout, slug
from server.savedblog import BASE, blog, saved

ABOUT = "A log that is written on the ferry, by hand."
CONTACT = "<h1>Contact</h1><p>Ask for the purser at the second gangway, or write to the harbour office.</p>"
INDEX = "".join(f'<li><a href="{slug(n)}">Story number {n}</a></li>' for n in range(POSTS))


def with_pages() -> dict[str, Reply]:
    """The ferry blog with two pages of its own, and a list of all posts that is called like a page."""
    replies = blog()
    about = layout(
        "About", f'<h1>About</h1><p>{ABOUT}</p><a href="/contact/">Contact</a><a href="/all-stories/">All</a>'
    )
    return replies | {
        "/about/": Reply(about),
        "/contact/": Reply(layout("Contact", CONTACT)),
        "/all-stories/": Reply(layout("All stories", f"<h1>All stories</h1><ul>{INDEX}</ul>")),
    }


def records(lines: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "a"
    source = saved(tmp_path / "blog.warc.gz", with_pages())
    assert run(["crawl", BASE, "--replay", str(source), "--archive", str(folder)]) == 0
    return folder


def exported(archive: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert run(["export", "--archive", str(archive)]) == 0
    return records(capsys.readouterr().out)


def test_pages_are_records_of_their_own_and_no_posts(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = exported(archive, capsys)
    pages = {record["url"].removeprefix(BASE): record for record in found if record["type"] == "page"}
    assert pages.keys() == {"/about/", "/contact/"}
    assert (pages["/about/"]["title"], pages["/about/"]["kind"]) == ("About", "page")
    assert ABOUT in pages["/about/"]["text"]
    assert "purser" in pages["/contact/"]["text"]
    assert sum(record["type"] == "post" for record in found) == POSTS
    (told,) = [record for record in found if record["type"] == "blog"]
    assert told["posts"] == POSTS
    assert run(["list", "--archive", str(archive)]) == 0
    assert f"{POSTS} posts" in capsys.readouterr().out


def test_json_lines_of_a_crawl_have_pages_only_where_they_are_wished_for(tmp_path: Path) -> None:
    source = saved(tmp_path / "blog.warc.gz", with_pages())
    for flags, expected in (([], 0), (["--pages"], 2)):
        out = tmp_path / f"{expected}.jsonl"
        where = ["--archive", str(tmp_path / f"a{expected}"), "--jsonl", str(out)]
        assert run(["crawl", BASE, "--replay", str(source), *where, *flags]) == 0
        kinds = [record["type"] for record in records(out.read_text(encoding="utf-8"))]
        assert (kinds.count("page"), kinds.count("post")) == (expected, POSTS)


def test_the_static_copy_shows_pages_beside_the_posts(archive: Path, tmp_path: Path) -> None:
    assert run(["export", "--format", "site", str(tmp_path / "copy"), "--archive", str(archive)]) == 0
    page = (tmp_path / "copy" / "pages" / "about.html").read_text(encoding="utf-8")
    assert ABOUT in page
    assert 'href="pages/contact.html"' in (tmp_path / "copy" / "about.html").read_text(encoding="utf-8")


def test_a_backup_brings_the_pages_back(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = exported(archive, capsys)
    assert run(["backup", str(tmp_path / "backup"), "--archive", str(archive)]) == 0
    assert run(["restore", str(tmp_path / "backup"), "--archive", str(tmp_path / "b")]) == 0
    assert exported(tmp_path / "b", capsys) == before


@pytest.mark.parametrize("how", [[], ["--erase"]])
def test_what_is_hidden_or_erased_is_no_page_any_more(
    how: list[str], archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["suppress", f"{BASE}/contact/", "--reason", "asked", *how, "--archive", str(archive)]) == 0
    pages = [record["url"] for record in exported(archive, capsys) if record["type"] == "page"]
    assert pages == [f"{BASE}/about/"]
    if how:
        assert b"purser" not in (archive / "archive.db").read_bytes()
