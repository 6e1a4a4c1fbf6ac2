from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from blogforever.care.decisions import Decision, without_name
from blogforever.errors import ArchiveError
from blogforever.storage.deciding import BatchAdded, BlogChanged, FollowedChange
from blogforever.storage.following import FollowedBlog, SourceBatch
from blogforever.store.folder import ArchiveFolder
from blogforever.store.followingjournal import FILE, FollowingFile
from blogforever.store.journal import Journal
from blogforever.store.lock import journal_lock

NOW = "2026-01-01T00:00:00+00:00"


def suppressed(target: str, blog: str | None = "b") -> Decision:
    return Decision("2026-01-01", "suppress", blog, "url", target, "asked")


def test_a_line_that_is_just_being_written_is_waited_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.add(Decision("2026-01-01T00:00:00", "note", "b", "blog", "b", text="whole"))
    path = tmp_path / "journal/b.jsonl"
    line = path.read_text(encoding="utf-8")
    lock = journal_lock(journal.folder)
    path.write_text(line + line[:20])
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(lambda: list(journal.decisions()))
        with path.open("a") as file:
            file.write(line[20:])
        lock.release()
        assert [one.text for one in reading.result()] == ["whole", "whole"]


def test_two_that_write_the_journal_lose_no_line(tmp_path: Path) -> None:
    def add(name: str) -> None:
        journal = Journal(tmp_path / "journal")
        for number in range(20):
            journal.add(Decision("2026-01-01T00:00:00", "note", "b", "blog", "b", text=f"{name} {number}"))
            journal.rewrite(lambda one: replace(one, reason="seen"))

    with ThreadPoolExecutor() as pool:
        list(pool.map(add, ("one", "two")))
    found = list(Journal(tmp_path / "journal").decisions())
    assert len(found) == 40
    assert {one.reason for one in found} == {"seen"}


def test_decisions_lie_in_a_file_for_each_blog_and_are_only_added_to(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    assert list(journal.decisions()) == []
    made = [
        suppressed("https://b.example/1"),
        suppressed("https://b.example/2"),
        suppressed("https://c.example/", None),
    ]
    texts = []
    for decision in made:
        journal.add(decision)
        texts.append("".join(path.read_text(encoding="utf-8") for path in journal.files() if path.stem == "b"))
    assert texts[1].startswith(texts[0])
    assert [path.name for path in journal.files()] == ["_archive.jsonl", "b.jsonl"]
    assert {one.target for one in journal.decisions()} == {one.target for one in made}
    assert journal.veil().hides("url", "http://b.example/1/", "b")


def test_a_damaged_line_stops_everything_rather_than_show_what_it_hid(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, writing=True) as archive:
        archive.decide(suppressed("https://b.example/1"))
    path = tmp_path / "journal/b.jsonl"
    path.write_text(path.read_text(encoding="utf-8")[:-20])
    with pytest.raises(ArchiveError, match=r"Line 1 of .*b\.jsonl cannot be understood"):
        ArchiveFolder(tmp_path, writing=False)


def test_erasing_takes_names_out_and_forgetting_takes_the_file(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add(suppressed("https://b.example/a-name"))
    journal.rewrite(without_name)
    assert "a-name" not in (tmp_path / "b.jsonl").read_text(encoding="utf-8")
    assert journal.veil().hides("url", "https://b.example/a-name", "b")
    journal.forget("b")
    journal.add(Decision("2026-02-01", "forget", "b", reason="asked"))
    assert [path.name for path in journal.files()] == ["_archive.jsonl"]
    assert journal.state().forgotten == {"b": "2026-02-01"}


def test_decisions_hold_in_the_order_they_were_written_whatever_the_clock_said(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    target = "https://b.example/1"
    journal.add(Decision("2031-01-01", "suppress", "0b", "url", target))
    journal.add(Decision("2031-01-02", "unsuppress", "0b", "url", target))
    journal.add(Decision("2026-01-03", "suppress", "0b", "url", target, "the clock is right again"))
    assert [one.reason for one in journal.state().hidden] == ["the clock is right again"]


def test_a_blog_that_was_forgotten_by_a_wrong_clock_and_came_back_keeps_what_is_hidden_since(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for blog in ("0b", "b"):
        journal.add(Decision("2025-12-31", "suppress", blog, "url", f"https://{blog}.example/old"))
        journal.forget(blog)
        journal.add(Decision("2031-01-01", "forget", blog, reason="asked"))
        journal.add(Decision("2026-01-01", "suppress", blog, "url", f"https://{blog}.example/new"))
    assert {one.target for one in journal.state().hidden} == {"https://0b.example/new", "https://b.example/new"}
    assert set(journal.state().forgotten) == {"0b", "b"}


@pytest.mark.parametrize("blog", ["../b", "/b", "", ".."])
def test_no_file_of_the_journal_lies_elsewhere(tmp_path: Path, blog: str) -> None:
    journal = Journal(tmp_path / "journal")
    with pytest.raises(ArchiveError, match="no name that a blog has"):
        journal.add(suppressed("https://b.example/1", blog))
    with pytest.raises(ArchiveError, match="no name that a blog has"):
        journal.forget(blog)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.timeout(60)
def test_a_pipe_in_the_place_of_a_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.mkdir()
    os.mkfifo(journal / "b.jsonl")
    with pytest.raises(ArchiveError, match="is no file"):
        Journal(journal).add(suppressed("https://b.example/1"))


def test_the_names_that_people_gave_are_known_as_soon_as_they_are_written(tmp_path: Path) -> None:
    following = FollowingFile(tmp_path)
    assert not following.titles()
    given = FollowedBlog("a", "https://a.example/", NOW, title="Ann's")
    own = FollowedBlog("b", "https://b.example/", NOW, blog="b", title="What it calls itself")
    following.add(BatchAdded(at=NOW, batch=SourceBatch("1", NOW), blogs=(given, own)))
    assert following.titles() == {"Ann's"}
    following.add(BlogChanged(at=NOW, blog="b", change=FollowedChange(title="Bruno's")))
    assert following.titles() == {"Ann's", "Bruno's"}


def test_a_folder_in_the_place_of_what_is_followed_is_not_passed_over(tmp_path: Path) -> None:
    following = FollowingFile(tmp_path)
    (tmp_path / FILE).mkdir(parents=True)
    with pytest.raises(ArchiveError, match="is no file"):
        list(following.decisions())
