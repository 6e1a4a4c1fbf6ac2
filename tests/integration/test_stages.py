"""The five stages switched and replaced by one line each of blogforever.toml."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.cli.configfile import load_config
from blogforever.config import Config, Stages, make_config
from blogforever.errors import ArchiveError, UsageError
from server import ownstages
from server.blogserver import POSTS, serve, slug

OPTIONS = {"allow_private": True, "delay": 0.0, "timeout": 20.0, "retries": 0, "render": "never", "requisites": "none"}


def crawled(folder: Path, line: str, **more: Any) -> tuple[list[dict[str, Any]], list[str]]:
    file = folder / "blogforever.toml"
    file.write_text(f"[stages]\n{line}\n", encoding="utf-8")
    config = load_config(OPTIONS | {"archive": folder / "a"} | more, {"NONE": ""}, file)
    with serve() as site:
        report = crawl_blog(site.base, config)
    return [json.loads(text) for text in write_run(config, report.run)], site.asked


def posts(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] == "post"]


def test_a_back_end_of_ones_own_gets_every_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownstages, "TARGET", tmp_path / "out.jsonl")
    records, _ = crawled(tmp_path, 'back_end = "server.ownstages:Lines"')
    handed = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert handed == [*records, {"type": "end"}]
    assert len(posts(handed)) == POSTS


def test_a_back_end_that_fails_is_told_and_the_archive_has_everything(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no one there"):
        crawled(tmp_path, 'back_end = "server.ownstages:Broken"')
    assert len(posts([json.loads(line) for line in write_run(Config(archive=tmp_path / "a"), 1)])) == POSTS


def test_an_extraction_of_ones_own_and_what_it_raises_is_one_pages_failure(tmp_path: Path) -> None:
    records, _ = crawled(tmp_path, 'extract = "server.ownstages:loud"')
    assert {post["title"] for post in posts(records) if not post["url"].endswith(slug(3))} == {"LOUD"}
    failures = {record["reason"] for record in records if record["type"] == "failure"}
    assert "extraction failed" in failures


def test_comments_are_switched_off_or_replaced(tmp_path: Path) -> None:
    records, _ = crawled(tmp_path, 'comments = "server.ownstages:chatty"')
    assert {comment["text"] for post in posts(records) for comment in post["comments"]} == {"First!"}
    (tmp_path / "off").mkdir()
    records, _ = crawled(tmp_path / "off", 'comments = "off"')
    assert len(posts(records)) == POSTS
    assert not any(post["comments"] for post in posts(records))


def test_media_are_switched_off_or_replaced(tmp_path: Path) -> None:
    _, asked = crawled(tmp_path, 'media = "server.ownstages:one_file"', requisites="page")
    assert asked.count("/feed.xml") == 2, "once as the feed, once as a file"
    (tmp_path / "off").mkdir()
    _, asked = crawled(tmp_path / "off", 'media = "off"', requisites="page", media=True)
    assert asked.count("/feed.xml") == 1


def test_rendering_is_switched_off_whatever_the_option_says(tmp_path: Path) -> None:
    records, _ = crawled(tmp_path, 'render = "off"', render="always")
    assert len(posts(records)) == POSTS
    assert {source["role"] for post in posts(records) for source in post["sources"]} <= {"page", "feed"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"extract": "off"}, "can be replaced, but not switched off"),
        ({"back_end": "off"}, "can be replaced, but not switched off"),
        ({"extract": "no dots"}, "package.module:name"),
        ({"render": True}, "package.module:name"),
        ({"store": "on"}, "The stages are render, extract"),
    ],
)
def test_impossible_stages_are_refused_with_a_sentence(line: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make_config({"stages": line})


@pytest.mark.parametrize("value", ["no.such.module:x", "server.ownstages:nobody", "server.ownstages:NUMBER"])
def test_what_cannot_be_loaded_is_told_before_anything_is_fetched(value: str, tmp_path: Path) -> None:
    with serve() as site, pytest.raises(UsageError, match="The stage back_end"):
        crawl_blog(site.base, Config(archive=tmp_path / "a", allow_private=True, stages=Stages(back_end=value)))
    assert not site.asked
