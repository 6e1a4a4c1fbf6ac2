"""Rules in people's hands: shown, tried, set, locked, handed on, learned anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blogforever.archive.crawling import crawl_blog
from blogforever.cli import run
from blogforever.config import Config
from server.blogserver import Site, day, serve, slug

BLOG = "The Ferry Log"


def crawl(site: Site, archive: Path) -> None:
    crawl_blog(site.base, Config(archive=archive, allow_private=True, delay=0.0))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with serve() as site:
        crawl(site, tmp_path / "archive")
    return tmp_path / "archive"


def said(archive: Path, capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run([*arguments, "--archive", str(archive)]) == code
    told = capsys.readouterr()
    return told.err if code else told.out


def titles(archive: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    lines = said(archive, capsys, "export").splitlines()
    return {r["title"] for r in map(json.loads, lines) if r["type"] == "post"}


def test_rules_are_shown_with_examples(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(archive, capsys, "rules", BLOG)
    assert text.startswith(f"{BLOG}: 1 template, learned from http://")
    assert "  title      h1.entry-title  0." in text
    assert "'Story 1" in text
    assert "locked" not in text


def test_a_rule_is_tried_on_a_page(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = next(word for word in said(archive, capsys, "list", BLOG).split() if word.endswith(slug(4)))
    text = said(archive, capsys, "rules", BLOG, "--try", "time@datetime", "--field", "published", "--page", page)
    assert f"finds 1 element on {page}" in text
    assert f'<time datetime="{day(4)}">' in text
    assert f"published would be '{day(4)}'" in text
    text = said(archive, capsys, "rules", BLOG, "--try", "p.nothing", "--field", "title", "--page", page)
    assert "finds 0 elements" in text
    assert "title would not be found by it" in text


def test_what_is_set_holds_through_crawls_until_it_is_unlocked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "archive"
    with serve() as site:
        crawl(site, folder)
        learned = titles(folder, capsys)
        said(folder, capsys, "rules", BLOG, "--set", "p.meta time", "--field", "title", "--reason", "to see")
        assert titles(folder, capsys) == learned
        said(folder, capsys, "reextract")
        assert titles(folder, capsys) == {day(n) for n in range(14)}
        crawl(site, folder)
        assert titles(folder, capsys) == {day(n) for n in range(14)}
        assert "p.meta time  1.00  locked" in said(folder, capsys, "rules", BLOG)
        told = said(folder, capsys, "rules", BLOG, "--unlock", "title")
        assert told == "The rules of title are unlocked and learned anew from 8 pages.\n"
        said(folder, capsys, "reextract")
        assert titles(folder, capsys) == learned


def test_rules_are_handed_on(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(archive, capsys, "rules", BLOG, "--lock", "published")
    path = tmp_path / "rules.json"
    said(archive, capsys, "rules", BLOG, "--export", str(path))
    assert all(
        rule["locked"] for rule in json.loads(path.read_text(encoding="utf-8"))["templates"][0]["fields"]["published"]
    )
    said(archive, capsys, "rules", BLOG, "--unlock", "published")
    assert said(archive, capsys, "rules", BLOG, "--export", "-") != path.read_text(encoding="utf-8")
    assert "1 template imported" in said(archive, capsys, "rules", BLOG, "--import", str(path))
    assert said(archive, capsys, "rules", BLOG, "--export", "-") == path.read_text(encoding="utf-8")
    assert "is locked" in said(archive, capsys, "rules", BLOG, "--relearn", "published", code=2)
    assert "learned anew" in said(archive, capsys, "rules", BLOG, "--relearn", "title")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--set", "h1"),
        ("--set", "h1", "--field", "heading"),
        ("--set", "p:::x", "--field", "title"),
        ("--try", "h1", "--field", "title"),
        ("--try", "h1", "--page", "https://nowhere.example/"),
        ("--lock", "tags"),
        ("--unlock", "title"),
        ("--lock", "title", "--unlock", "title"),
        ("--import", "/nowhere/rules.json"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    archive: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert said(archive, capsys, "rules", BLOG, *arguments, code=2).count("\n") == 1
