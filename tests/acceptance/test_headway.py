"""Every command that may take long says how far it is, and nothing to who wants quiet."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from blogforever.cli import run, working
from blogforever.cli.working import words_of
from blogforever.headway import Headway, tell
from server.smallarchive import BLOG, address, make_archive

Capture = pytest.CaptureFixture[str]
LONG = [
    (["verify"], r"checking warc/.*: \d+ records"),
    (["reextract"], r"reading Lanterns: \d of 3 posts"),
    (["search", "lantern"], r"indexing: 0 of 3 posts"),
    (["export"], r"exporting: \d+ records"),
    (["export", "--format", "csv"], r"exporting: \d posts"),
    (["export", "--format", "site", "{out}/copy"], r"writing Lanterns: \d+ pages"),
    (["export", "--format", "wacz", "{out}/a.wacz"], r"packing: 0 of 1 WARC files"),
    (["backup", "{out}/backup"], r"copying: \d+ files \(.*\)"),
    (["suppress", address(1), "--erase", "--reason", "asked"], r"writing the WARC files again: \d+ records"),
]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATIENCE", "PLAIN_EVERY", "LIVE_EVERY"):
        monkeypatch.setattr(working, name, 0.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("words", "told"), LONG, ids=lambda one: " ".join(one) if isinstance(one, list) else "")
def test_a_long_command_says_how_far_it_is(tmp_path: Path, capsys: Capture, words: list[str], told: str) -> None:
    archive = make_archive(tmp_path / "a")
    call = [word.format(out=tmp_path) for word in words]
    run([*call, "--archive", str(archive)])
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if re.fullmatch(told, line)], lines


@pytest.mark.usefixtures("at_once")
def test_a_restore_says_how_far_it_is_and_quiet_is_quiet(tmp_path: Path, capsys: Capture) -> None:
    archive, backup, again = make_archive(tmp_path / "a"), tmp_path / "backup", tmp_path / "again"
    assert run(["backup", str(backup), "--archive", str(archive), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    run(["restore", str(backup), "--archive", str(again)])
    err = capsys.readouterr().err
    assert re.search(r"checking the backup: 0 of \d+ files", err)
    assert re.search(r"rebuilding: 0 of \d+ crawls and decisions", err)
    assert run(["verify", "--archive", str(archive), "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert run(["reextract", BLOG, "--archive", str(archive), "-q"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("at_once")
def test_on_a_terminal_it_is_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "20")
    with working.shown_headway():
        tell("reading what there is", 3, 10, "posts")
    assert screen.getvalue() == "\r\x1b[Kreading what there \r\x1b[K"
    tell("nobody hears this", 1)


def test_how_far_it_is_in_words() -> None:
    assert words_of(Headway("reading", 1200), 5.0) == "reading: 1,200"
    assert words_of(Headway("reading", 25, 100, "posts"), 5.0) == "reading: 25 of 100 posts, about 15 seconds left"
    assert words_of(Headway("reading", 0, 100), 5.0) == "reading: 0 of 100"
