"""add, sources, lists and block, as a person or a script calls them."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from blogforever.archive.opening import open_archive
from blogforever.archive.refollowing import follow_again
from blogforever.archive.suppressing import forget_blog
from blogforever.cli import run
from blogforever.records import BlogRecord
from blogforever.service.desk import opened_desk
from blogforever.service.following import change_followed
from blogforever.storage.deciding import FollowedChange
from blogforever.storage.work import ACCEPT

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    return tmp_path / "blogforever-archive"


def told(capsys: Capture, *arguments: str) -> Any:
    capsys.readouterr()
    run([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def test_each_address_is_answered_at_once(archive: Path, capsys: Capture) -> None:
    assert run(["add", "https://some.blog/", "other.blog", "--list", "first", "--tag", "x"]) == 0
    shown = capsys.readouterr().out
    assert "new         https://some.blog/" in shown
    assert "2 new" in shown
    assert "blogforever sources undo" in shown
    assert run(["add", "http://www.some.blog", "hello"]) == 1
    shown = capsys.readouterr().out
    assert "known       http://www.some.blog/  followed since" in shown
    assert "invalid     hello  'hello' is not the address of a blog" in shown


def test_nothing_but_nonsense_is_wrong_usage(archive: Path, capsys: Capture) -> None:
    assert run(["add", "hello", "you"]) == 2
    assert run(["add"]) == 2
    assert "Give addresses" in capsys.readouterr().err


def test_a_list_that_is_not_there_is_no_host(archive: Path, capsys: Capture) -> None:
    assert run(["add", "my-blogs.csv"]) == 2
    assert "There is no file my-blogs.csv." in capsys.readouterr().err
    assert run(["sources"]) == 4 or "No such blogs" in capsys.readouterr().out


def test_a_word_that_nobody_takes_is_told(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog"])
    capsys.readouterr()
    assert run(["schedule", "shwo", "some.blog"]) == 2
    assert "blogforever schedule knows no 'shwo'" in capsys.readouterr().err
    assert run(["block", "list"]) == 2
    assert run(["jobs", "retry", "abc"]) == 2
    told = capsys.readouterr().err
    assert "'abc' is not a whole number. blogforever jobs retry --help shows what may be given." in told
    assert run(["sources", "show", "some.blog"]) == 0
    assert "said" not in capsys.readouterr().out
    assert run(["token"]) == 0


def test_a_dry_run_for_programs(archive: Path, capsys: Capture) -> None:
    dry = told(capsys, "add", "some.blog", "nonsense", "--dry-run")
    assert (dry["batch"], dry["dry_run"], dry["verdicts"]) == (None, True, {"new": 1, "invalid": 1})
    names = {"number", "input", "url", "verdict", "blog", "reason"}
    assert [set(item) for item in dry["items"]] == [names] * 2
    assert dry["items"][0] == {
        "number": 1,
        "input": "some.blog",
        "url": "https://some.blog/",
        "verdict": "new",
        "blog": "some.blog",
        "reason": "",
    }
    assert told(capsys, "sources")["items"] == []


def test_files_and_standard_input(archive: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("blogs.csv").write_text("url,language\na.blog,de\n", encoding="utf-8")
    Path("more.txt").write_text("b.blog; c.blog\n", encoding="utf-8")
    added = told(capsys, "add", "blogs.csv", "more.txt", "d.blog")
    assert [(item["number"], item["blog"]) for item in added["items"]] == list(
        enumerate(["a.blog", "b.blog", "c.blog", "d.blog"], 1)
    )
    assert told(capsys, "sources", "show", "a.blog")["blog"]["metadata"]["language"] == "de"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"e.blog\nf.blog")))
    piped = told(capsys, "add", "-")
    assert [item["blog"] for item in piped["items"]] == ["e.blog", "f.blog"]
    (batch, first) = told(capsys, "sources", "batches")["items"]
    assert (batch["batch"]["origin"], first["batch"]["origin"]) == ("standard input", "blogs.csv, more.txt")


def test_a_file_that_is_no_list_is_one_sentence(archive: Path, capsys: Capture) -> None:
    Path("x.xlsx").write_bytes(b"PK\x03\x04 broken")
    assert run(["add", "x.xlsx"]) == 2
    assert "The workbook is damaged" in capsys.readouterr().out


def test_followed_blogs_are_listed_and_shown(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "other.blog", "--tag", "x"])
    assert [item["id"] for item in told(capsys, "sources", "--tag", "x", "--sort", "id", "--reverse")["items"]] == [
        "some.blog",
        "other.blog",
    ]
    run(["sources", "other"])
    shown = capsys.readouterr().out
    assert "waiting" in shown
    assert "https://other.blog/" in shown
    assert "some.blog" not in shown
    run(["sources", "show", "http://some.blog"])
    shown = capsys.readouterr().out
    assert "given as          some.blog in batch" in shown
    assert run(["sources", "show", "none.blog"]) == 2
    assert run(["sources", "--state", "dead"]) == 0
    assert "No such blogs" in capsys.readouterr().out


def test_what_is_said_of_a_blog_can_be_changed(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "--tag", "x", "--tag", "y"])
    words = ["--note", "ask in May", "--language", "de", "--until", "2030-01-31", "--no-tag", "x", "--list", "l"]
    changed = told(capsys, "sources", "change", "some.blog", *words)
    assert (changed["notes"], changed["tags"], changed["lists"]) == ("ask in May", ["y"], ["l"])
    assert (changed["metadata"]["language"], changed["until"]) == ("de", "2030-01-31")
    assert told(capsys, "sources", "change", "some.blog", "--until", "")["until"] is None
    assert run(["sources", "change", "some.blog"]) == 2
    assert run(["sources", "change", "some.blog", "--until", "soon"]) == 2
    assert told(capsys, "sources", "drop", "some.blog") == {"dropped": ["some.blog"]}
    assert told(capsys, "sources")["items"] == []


def test_a_blog_is_frozen_and_what_it_shows_is_accepted(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "other.blog"])
    frozen = told(capsys, "sources", "freeze", "some.blog", "https://other.blog/")["frozen"]
    assert [(blog["id"], blog["state"]) for blog in frozen] == [("some.blog", "frozen"), ("other.blog", "frozen")]
    jobs = told(capsys, "sources", "accept", "some.blog")["jobs"]
    assert [(job["blog"], job["input"]) for job in jobs] == [("some.blog", ACCEPT)]
    assert run(["sources", "freeze", "some.blog", "none.blog"]) == 2
    assert run(["sources", "accept", "other.blog"]) == 0
    assert "1 look asked for" in capsys.readouterr().out


def test_a_batch_is_looked_at_and_undone(archive: Path, capsys: Capture) -> None:
    batch = told(capsys, "add", "some.blog", "nonsense")["batch"]
    rows = told(capsys, "sources", "rows", batch, "--verdict", "invalid")
    assert [item["input"] for item in rows["items"]] == ["nonsense"]
    run(["sources", "rows", batch])
    assert "     1  new         https://some.blog/" in capsys.readouterr().out
    assert run(["sources", "rows", "none"]) == 2
    assert told(capsys, "sources", "undo", batch)["undone"]
    assert run(["sources", "undo", batch]) == 2
    run(["sources", "batches"])
    assert "undone" in capsys.readouterr().out
    assert told(capsys, "sources")["items"] == []


def test_lists_are_kept_exported_and_added_again(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "--list", "l", "--tag", "x"])
    run(["sources", "change", "some.blog", "--title", "=cmd()", "--note", "a & <b>", "--language", "de"])
    assert told(capsys, "lists", "keep", "l", "--note", "for the library")["note"] == "for the library"
    (listed,) = told(capsys, "lists")["items"]
    assert (listed["list"]["name"], listed["blogs"]) == ("l", 1)
    for form in ("opml", "csv", "xlsx"):
        assert run(["lists", "export", "l", f"l.{form}", "--format", form]) == 0
        assert "1 blog written" in capsys.readouterr().out
        assert run(["add", f"l.{form}", "--archive", f"from-{form}"]) == 0
        again = told(capsys, "sources", "show", "some.blog", "--archive", f"from-{form}")["blog"]
        assert (again["tags"], again["notes"], again["metadata"]["language"]) == (["x"], "a & <b>", "de")
    assert "'=cmd()" in Path("l.csv").read_text(encoding="utf-8")
    (_names, cells) = load_workbook("l.xlsx").worksheets[0].iter_rows()
    assert (cells[1].value, cells[1].data_type) == ("=cmd()", "s")
    capsys.readouterr()
    run(["lists", "export", "--all", "--format", "csv"])
    assert capsys.readouterr().out.startswith("url,title,")
    assert run(["lists", "export", "none"]) == 2
    assert run(["lists", "drop", "l"]) == 0
    assert told(capsys, "lists")["items"] == []


def test_what_is_blocked_cannot_be_added(archive: Path, capsys: Capture) -> None:
    run(["add", "spam.example/x"])
    blocked = told(capsys, "block", "spam.example", "--reason", "pills")
    assert (blocked["place"]["kind"], blocked["blogs"]) == ("host", 1)
    (item,) = told(capsys, "add", "www.spam.example/y")["items"]
    assert (item["verdict"], item["reason"]) == ("blocked", "pills")
    run(["block"])
    assert "the host spam.example" in capsys.readouterr().out
    assert len(told(capsys, "block")["items"]) == 1
    assert told(capsys, "block", "--undo", "spam.example")["blogs"] == 1
    assert run(["block", "*"]) == 2
    assert run(["block", "a.example", "--undo", "b"]) == 2
    assert run(["block", "--undo", "none.example"]) == 2


# ------------------------------------------------------------------ made anew


def test_a_restored_archive_follows_what_it_followed(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "other.blog", "--list", "l", "--tag", "x"])
    run(["sources", "change", "some.blog", "--note", "kept"])
    run(["block", "spam.example", "--reason", "pills"])
    before = [told(capsys, *words) for words in (["sources"], ["lists"], ["block"], ["sources", "batches"])]
    assert run(["backup", "copy"]) == 0
    assert run(["restore", "copy", "--archive", "anew"]) == 0
    again = [
        told(capsys, *words, "--archive", "anew")
        for words in (["sources"], ["lists"], ["block"], ["sources", "batches"])
    ]
    assert again == before


def test_what_the_archive_has_is_looked_at_next(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "other.blog", "third.blog"])
    with opened_desk(archive) as desk:
        change_followed(desk, "other.blog", FollowedChange(paused=True))
    shutil.copytree(archive / "journal", "anew/journal")
    with open_archive(Path("anew"), writing=True) as opened:
        opened.store.blogs.keep(BlogRecord(id="kept", url="http://www.some.blog/"))
        opened.store.blogs.keep(BlogRecord(id="other.blog", url="https://other.blog/"))
        assert follow_again(opened) == 3
    found = {item["id"]: item for item in told(capsys, "sources", "--archive", "anew")["items"]}
    states = {name: (item["state"], item["blog"]) for name, item in found.items()}
    assert states["some.blog"] == ("following", "kept")
    assert states["other.blog"] == ("paused", "other.blog")
    assert states["third.blog"] == ("waiting", None)


def test_a_forgotten_blog_does_not_come_back_with_a_restore(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog", "other.blog"])
    with open_archive(archive, writing=True) as opened:
        opened.store.blogs.keep(BlogRecord(id="some.blog", url="https://some.blog/"))
    forget_blog(archive, "some.blog", "its author asked for it")
    assert [item["id"] for item in told(capsys, "sources")["items"]] == ["other.blog"]
    run(["backup", "copy"])
    run(["restore", "copy", "--archive", "anew"])
    assert [item["id"] for item in told(capsys, "sources", "--archive", "anew")["items"]] == ["other.blog"]


def test_the_last_line_of_one_who_was_killed_is_no_decision(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog"])
    journal = archive / "journal/service/_following.jsonl"
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"journal":1,"what":"unfollow","blo')
    run(["add", "other.blog"])
    run(["backup", "copy"])
    assert run(["restore", "copy", "--archive", "anew"]) == 0
    assert [item["id"] for item in told(capsys, "sources", "--archive", "anew")["items"]] == ["other.blog", "some.blog"]


def test_a_line_that_cannot_be_understood_is_told(archive: Path, capsys: Capture) -> None:
    run(["add", "some.blog"])
    with (archive / "journal/service/_following.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"journal":1,"what":"dance"}\n')
    run(["backup", "copy"])
    assert run(["restore", "copy", "--archive", "anew"]) == 4
    assert "Line 2 of" in capsys.readouterr().err
