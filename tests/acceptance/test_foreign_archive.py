"""An archive, a backup or a copy made by somebody else: what its files name is touched only inside its own folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from blogforever.cli import run
from blogforever.store.journal import Journal
from blogforever.store.unfinished import Plan, Unfinished
from server.smallarchive import BLOG, READING, address, make_archive, state_of, words

WRITING = [["reextract"], ["note", address(1), "seen"], ["forget", BLOG, "--reason", "x"], ["backup", "{out}/b"]]
ELSEWHERE = ["../../victim", "../victim", "{victim}", "..", "", ".", "a/b", "_archive", "b\0c"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return make_archive(tmp_path / "archive")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A folder of somebody who only wants to look at the archive."""
    folder = tmp_path / "victim"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters/dear.txt").write_text("mine")
    (folder / "thesis.warc.gz").write_bytes(b"mine")
    return folder


def call(archive: Path, arguments: list[str]) -> int:
    out = archive.parent / "out"
    out.mkdir(exist_ok=True)
    return run([*(one.format(out=out) for one in arguments), "--archive", str(archive)])


def a_plan(archive: Path, blog: str) -> None:
    folder = archive / "journal/unfinished"
    folder.mkdir(parents=True)
    plan = {"blog": blog, "what": "forget", "at": "2026-01-01", "reason": "", "drop": [], "blank": []}
    (folder / "b.json").write_text(json.dumps(plan))


def a_blog_to_erase(archive: Path, blog: str) -> None:
    line = {"journal": 1, "at": "2026-01-01", "what": "suppress", "blog": BLOG, "kind": "blog", "target": blog}
    a_line(archive, line | {"erase": True})


def an_address_to_erase(archive: Path, blog: str) -> None:
    line = {"journal": 1, "at": "2026-01-01", "what": "suppress", "blog": blog, "kind": "url", "target": address(1)}
    a_line(archive, line | {"erase": True})


def a_line(archive: Path, line: dict[str, object]) -> None:
    (archive / "journal").mkdir(exist_ok=True)
    (archive / "journal/_archive.jsonl").write_text(json.dumps(line) + "\n")


@pytest.mark.parametrize("name", ELSEWHERE)
@pytest.mark.parametrize("trap", [a_plan, a_blog_to_erase, an_address_to_erase])
def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_done(
    archive: Path,
    victim: Path,
    trap: Callable[[Path, str], None],
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    trap(archive, name.format(victim=victim))
    before, untouched = state_of(victim), state_of(archive)
    for arguments in (["list"], ["verify"], ["reextract"]):
        assert call(archive, arguments) == 4
        told = capsys.readouterr()
        # A check lists all damage on standard output; what cannot be done is refused in one sentence.
        refused = told.err.count("\n") == 1
        assert refused or (arguments == ["verify"] and not told.err and "journal" in told.out)
    assert state_of(victim) == before
    kept = {path: state for path, state in state_of(archive).items() if path != ".lock"}
    assert kept == {path: state for path, state in untouched.items() if path != ".lock"}


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_who_only_reads_finishes_no_erasure_but_says_that_one_is_not_finished(
    archive: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Unfinished(archive / "journal/unfinished").begin(Plan(BLOG, "renew", "2026-01-01"))
    call(archive, ["search", "lantern"])  # what is to be indexed is
    capsys.readouterr()
    before = state_of(archive)
    assert call(archive, arguments) == 0
    told = capsys.readouterr()
    assert "blogforever suppress --finish" in told.out + told.err
    assert BLOG in told.out + told.err
    assert state_of(archive) == before


def test_a_blog_that_is_not_wholly_forgotten_is_hidden_until_it_is(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Unfinished(archive / "journal/unfinished").begin(Plan(BLOG, "forget", "2026-01-01", "asked"))
    assert call(archive, ["list"]) == 0
    assert call(archive, ["export"]) == 0
    assert "Lantern" not in capsys.readouterr().out
    assert list((archive / "warc" / BLOG).glob("*.warc.gz"))
    assert call(archive, ["suppress", "--finish"]) == 0
    assert f"The blog {BLOG} was not wholly forgotten; now it is." in capsys.readouterr().out
    assert not (archive / "warc" / BLOG).exists()
    assert not (archive / "rules" / f"{BLOG}.json").exists()
    assert call(archive, ["suppress", "--finish"]) == 0
    assert "Nothing was left to be erased." in capsys.readouterr().out


def test_only_a_command_that_writes_to_that_blog_finishes_its_erasure(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plans = Unfinished(archive / "journal/unfinished")
    plans.begin(Plan("other.example", "renew", "2026-01-01"))
    plans.begin(Plan(BLOG, "renew", "2026-01-01"))
    assert call(archive, ["backup", str(archive.parent / "backup")]) == 0
    assert {plan.blog for plan in plans.plans()} == {BLOG, "other.example"}
    capsys.readouterr()
    assert call(archive, ["note", address(1), "seen"]) == 0
    assert [plan.blog for plan in plans.plans()] == ["other.example"]
    told = capsys.readouterr().err
    assert "other.example" in told
    assert "blogforever suppress --finish" in told


def test_an_erasure_that_was_cut_off_is_finished_where_it_belongs(archive: Path) -> None:
    line = {"at": "2026-01-01", "what": "suppress", "blog": BLOG, "kind": "url", "target": address(1), "erase": True}
    a_line(archive, {"journal": 1} | line)
    assert call(archive, ["list"]) == 0
    assert words(1).encode() in (archive / "archive.db").read_bytes()
    assert call(archive, ["note", address(2), "seen"]) == 0
    assert words(1).encode() not in (archive / "archive.db").read_bytes()
    assert all(not one.named for one in Journal(archive / "journal").state().hidden)


LINKS = ["warc", f"warc/{BLOG}", "rules", "journal", "indexes"]


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_nothing_is_written_or_removed_through_a_symbolic_link(
    archive: Path, victim: Path, name: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    place = archive / name
    if place.exists():
        shutil.move(place, victim / "moved")
    place.symlink_to(victim / "moved" if (victim / "moved").exists() else victim)
    before = state_of(victim)
    assert call(archive, arguments) == 4
    assert f"{place} is a symbolic link" in capsys.readouterr().err
    assert state_of(victim) == before


@pytest.mark.parametrize("name", [".lock", f"warc/{BLOG}/20200101000000-x.warc.gz.open", f"rules/{BLOG}.json.part"])
def test_a_file_that_is_a_symbolic_link_is_not_written_through(archive: Path, victim: Path, name: str) -> None:
    (archive / name).unlink(missing_ok=True)
    (archive / name).symlink_to(victim / "letters/dear.txt")
    before = state_of(victim)
    assert call(archive, ["note", address(1), "seen"]) == 4
    assert state_of(victim) == before


def listed(backup: Path, name: str, content: bytes) -> None:
    """Add a file to the list of a backup."""
    path = backup / "blogforever-backup.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    known["files"][name] = sha256(content).hexdigest()
    path.write_text(json.dumps(known))


@pytest.mark.parametrize("name", ["../victim/letters/dear.txt", "{victim}/letters/dear.txt", "warc/../../victim/x", ""])
def test_a_backup_neither_brings_nor_removes_what_lies_elsewhere(
    archive: Path, victim: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "backup"
    assert call(archive, ["backup", str(backup)]) == 0
    before = state_of(victim)
    listed(backup, name.format(victim=victim), b"mine")
    capsys.readouterr()
    assert call(archive, ["backup", str(backup)]) == 4
    assert call(tmp_path / "again", ["restore", str(backup)]) == 4
    assert capsys.readouterr().err.count("\n") == 2
    assert state_of(victim) == before
    assert not (tmp_path / "again").exists()


def test_a_backup_whose_list_names_a_file_outside_writes_nothing_there(archive: Path, tmp_path: Path) -> None:
    backup = tmp_path / "boxes/backup"
    assert call(archive, ["backup", str(backup)]) == 0
    (tmp_path / "boxes/planted.txt").write_bytes(b"from the maker of the backup")
    listed(backup, "../planted.txt", b"from the maker of the backup")
    (tmp_path / "new").mkdir()
    assert call(tmp_path / "new/archive", ["restore", str(backup)]) == 4
    assert not list((tmp_path / "new").rglob("*.*"))


@pytest.mark.parametrize("name", ["warc", "journal/more"])
def test_a_backup_is_neither_read_nor_written_through_a_symbolic_link(
    archive: Path, victim: Path, tmp_path: Path, name: str
) -> None:
    backup = tmp_path / "backup"
    assert call(archive, ["backup", str(backup)]) == 0
    shutil.rmtree(backup / name, ignore_errors=True)
    (backup / name).parent.mkdir(exist_ok=True)
    (backup / name).symlink_to(victim)
    listed(backup, f"{name}/letters/dear.txt", b"mine")
    before = state_of(victim)
    assert call(archive, ["backup", str(backup)]) == 4
    assert call(tmp_path / "again", ["restore", str(backup)]) == 4
    assert state_of(victim) == before


@pytest.mark.parametrize("name", ["../victim/letters/dear.txt", "{victim}/letters/dear.txt", "static/letters/dear.txt"])
def test_a_copy_of_somebody_else_is_renewed_only_inside_its_folder(
    archive: Path, victim: Path, tmp_path: Path, name: str
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "static").symlink_to(victim)
    (copy / "blogforever-copy.json").write_text(json.dumps({"files": [name.format(victim=victim)]}))
    before = state_of(victim)
    assert call(archive, ["export", "--format", "site", str(copy)]) == 4
    assert state_of(victim) == before
