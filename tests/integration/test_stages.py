"""The five stages switched and replaced by one line each of blogforever.toml."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blogforever.archive.crawling import crawl_blog, write_run
from blogforever.cli import run
from blogforever.cli.configfile import load_config
from blogforever.config import Config, Stages, make_config
from blogforever.errors import ArchiveError, UsageError
from blogforever.store.folder import ArchiveFolder
from server import ownstages, savedblog
from server.blogserver import POSTS, Answers, Reply, routes, serve, serve_answers, slug

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
    assert {post["title"] for post in posts(records)} == {"LOUD"}
    assert len(posts(records)) == POSTS - 1
    (failure,) = [one for one in records if one["type"] == "failure" and one["reason"] == "extraction failed"]
    assert failure["url"].endswith(slug(3))
    assert (failure["reason"], failure["detail"]) == ("extraction failed", "ValueError: not this one")
    (about,) = [record for record in records if record["type"] == "blog"]
    (missing,) = about["completeness"]["missing"]
    assert missing == {"url": failure["url"], "reason": "extraction failed: ValueError: not this one"}


FLAGS = ("--allow-private", "--delay", "0", "--retries", "0", "--archive", "a")


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command beside a blogforever.toml with this line; what it says."""
    monkeypatch.chdir(tmp_path)

    def call(line: str, code: int, *arguments: str) -> str:
        (tmp_path / "blogforever.toml").write_text(f"[stages]\n{line}\n", encoding="utf-8")
        capsys.readouterr()
        result = run(list(arguments))
        said = capsys.readouterr()
        assert result == code, said
        assert "Traceback" not in said.out + said.err
        return said.out + said.err

    return call


@pytest.mark.parametrize(
    ("line", "stage", "reason", "detail", "kept"),
    [
        ('extract = "server.ownstages:never"', "extract", "extraction failed", "ValueError: cannot read http", 0),
        ('comments = "server.ownstages:grumpy"', "comments", "reading its comments failed", "KeyError: 'comments'", 14),
        ('media = "server.ownstages:clumsy"', "media", "looking for its files failed", "RuntimeError: no files", 14),
    ],
)
def test_a_stage_that_raises_everywhere_is_named_and_nothing_is_complete(
    called: Callable[..., str], line: str, stage: str, reason: str, detail: str, kept: int
) -> None:
    with serve() as site:
        said = called(line, 1, "crawl", site.base, *FLAGS, "--render", "never")
    assert f"The stage {stage} fails on nearly every page: {detail}" in said
    assert f"the stage {stage} failed on " in said
    assert "Complete: " not in said
    assert f"{kept} posts kept" in said
    records = [json.loads(text) for text in write_run(Config(archive=Path("a")), 1)]
    failures = [one for one in records if one["type"] == "failure" and one["reason"] == reason]
    assert len({failure["url"] for failure in failures}) == len(failures) >= POSTS
    assert len(posts(records)) == kept
    assert not any(record["completeness"]["complete"] for record in records if record["type"] == "blog")


def test_learning_that_raises_is_said_and_the_crawl_goes_on(
    called: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stubborn(*_told: object) -> None:
        raise LookupError("learned nothing")

    monkeypatch.setattr("blogforever.archive.handed.learn_rules", stubborn)
    with serve() as site:
        said = called('render = "off"', 1, "crawl", site.base, *FLAGS)
    assert "The stage learn fails on nearly every page: LookupError: learned nothing." in said
    assert f"{POSTS} posts kept" in said


def test_a_renderer_that_raises_is_said_and_pages_are_kept_undrawn(called: Callable[..., str]) -> None:
    with serve() as site:
        said = called('render = "server.ownstages:Sightless"', 1, "crawl", site.base, *FLAGS, "--render", "always")
    assert "The stage render fails on nearly every page: OSError: no eyes." in said
    assert f"{POSTS} posts kept" in said


def test_the_traceback_is_in_the_log_for_those_who_ask(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="blogforever.pipeline"):
        crawled(tmp_path, 'extract = "server.ownstages:never"')
    traces = [record.exc_info for record in caplog.records if "the stage extract failed on" in record.message]
    assert traces
    assert all(trace and trace[0] is ValueError for trace in traces)


def test_an_update_whose_extraction_raises_changes_no_post(called: Callable[..., str]) -> None:
    with serve_answers(edited_between := Edited()) as site:
        called('extract = "on"', 0, "crawl", site.base, *FLAGS, "--render", "never")
        before = texts(Path("a"))
        edited_between.edited = True
        for more in (("--recheck", "1"), ("--full",)):
            said = called(
                'extract = "server.ownstages:never"', 1, "crawl", site.base, *FLAGS, *more, "--render", "never"
            )
            assert "the stage extract failed on" in said
            assert texts(Path("a")) == before


class Edited:
    """The blog, one of whose posts is edited between two crawls."""

    edited = False

    def __call__(self, base: str) -> Answers:
        kept = routes(base)
        page = Reply(kept[slug(9)].body.replace(b"begins", b"ends"))
        return lambda path: page if path == slug(9) and self.edited else kept.get(path)


def texts(folder: Path) -> dict[str, tuple[str, str, int]]:
    """Title, text and version of every post."""
    with ArchiveFolder(folder, writing=False) as archive:
        (blog,) = archive.library.blogs()
        found = archive.library.posts(blog.id)
        return {post.url: (post.title or "", post.text, post.version) for post in found}


MARKED = 'extract = "server.ownstages:marked"'


def test_pages_are_read_again_by_the_extraction_of_ones_own(called: Callable[..., str]) -> None:
    with serve() as site:
        called(MARKED, 0, "crawl", site.base, *FLAGS, "--render", "never")
    before = texts(Path("a"))
    assert {title.partition(" ")[0] for title, _text, _version in before.values()} == {"MARKED"}
    assert "all read as before" in called(MARKED, 0, "reextract", "--archive", "a")
    called(MARKED, 0, "backup", "backup", "--archive", "a")
    called(MARKED, 0, "restore", "backup", "--archive", "b")
    assert texts(Path("b")) == before
    assert "14 read otherwise now" in called('extract = "on"', 0, "reextract", "--archive", "a")
    said = called('extract = "server.ownstages:never"', 1, "reextract", "--archive", "b")
    # The 14 posts, and the page about the blog, which might have become one.
    assert "the stage extract failed on 15 of 15 pages" in said
    assert texts(Path("b")) == before


def test_comments_that_are_off_or_ones_own_are_so_in_updates_and_when_read_again(called: Callable[..., str]) -> None:
    chatty = 'comments = "server.ownstages:chatty"'
    with serve_answers(edited_between := Edited()) as site:
        called(chatty, 0, "crawl", site.base, *FLAGS, "--render", "never")
        edited_between.edited = True
        called(chatty, 0, "crawl", site.base, *FLAGS, "--recheck", "1", "--render", "never")
    assert "all read as before" in called(chatty, 0, "reextract", "--archive", "a")
    assert "all read as before" in called('comments = "off"', 0, "reextract", "--archive", "a")
    called(chatty, 0, "backup", "backup", "--archive", "a")
    called(chatty, 0, "restore", "backup", "--archive", "b")
    for folder in ("a", "b"):
        with ArchiveFolder(Path(folder), writing=False) as archive:
            (blog,) = archive.library.blogs()
            found = [[c.text for c in post.comments] for post in archive.library.posts(blog.id)]
        assert found == [["First!"]] * POSTS


def test_a_full_walk_compares_two_captures_by_the_extraction_of_ones_own(called: Callable[..., str]) -> None:
    """It reads all posts alike, so that none was edited, whatever ours would say."""
    loud = 'extract = "server.ownstages:loudly"'
    with serve_answers(edited_between := Edited()) as site:
        called(loud, 0, "crawl", site.base, *FLAGS, "--render", "never")
        edited_between.edited = True
        called(loud, 0, "crawl", site.base, *FLAGS, "--full", "--render", "never")
    assert {version for _title, _text, version in texts(Path("a")).values()} == {1}


def test_past_captures_are_read_by_the_extraction_of_ones_own(called: Callable[..., str], tmp_path: Path) -> None:
    early = savedblog.blog()
    early[slug(3)] = Reply(early[slug(3)].body.replace(b"begins", b"ends"))
    savedblog.saved(tmp_path / "files/new.warc.gz")
    savedblog.saved(tmp_path / "files/old.warc.gz", early, savedblog.WHEN.replace(year=2012))
    called(MARKED, 0, "crawl", savedblog.BASE, "--replay", "files", "--archive", "a")
    with ArchiveFolder(Path("a"), writing=False) as archive:
        post = archive.library.post(savedblog.BASE + slug(3))
        assert post
        kept = [archive.store.versions.record(post.id, number) for number in (1, 2)]
    assert [version.title for version in kept if version] == ["MARKED Story 3"] * 2


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
