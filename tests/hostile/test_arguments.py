"""Whatever is typed, a command ends with a sentence and a code that is known: no traceback, no hang.

`BLOGFOREVER_TYPED` says how many lines are tried in this process, `BLOGFOREVER_STARTED` how many as processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from server.called import ENDS, HANGS, copied, fault_of
from server.everycommand import everything
from server.hostilewords import command_lines

TYPED = int(os.environ.get("BLOGFOREVER_TYPED", "600"))
STARTED = int(os.environ.get("BLOGFOREVER_STARTED", "4"))
PARTS = 4
FRESH = 20
"""Lines after which they get a new archive: some of them change it."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return everything(tmp_path_factory.mktemp("typed") / "whole")


def filled(words: list[str], archive: Path) -> list[str]:
    """A line with its folders, all inside one that is thrown away, and about this archive where it names no other."""
    places = {"{out}": str(archive.parent / "out"), "{here}": str(archive.parent)}
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    named = any(word.startswith("--archive") for word in words)
    return words if named else [*words, "--archive", str(archive)]


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_typed_is_answered_by_a_traceback(whole: Path, part: int, tmp_path: Path) -> None:
    faults = []
    for number, (words, stdin) in enumerate(islice(command_lines(Random(part)), TYPED // PARTS)):
        if number % FRESH == 0:
            archive = copied(whole, tmp_path / str(number) / "deep" / "down")
            cwd = archive.parent / "out" / "in"
            cwd.mkdir(parents=True)
        line = filled(words, archive)
        if fault := fault_of(line, cwd, stdin):
            faults.append(f"{line} | {fault}")
    assert faults == []


def test_a_process_of_its_own_ends_in_the_same_way(whole: Path, tmp_path: Path) -> None:
    archive = copied(whole, tmp_path / "deep" / "down")
    cwd = archive.parent / "out" / "in"
    cwd.mkdir(parents=True)
    lines = (one for one in command_lines(Random("processes")) if "\0" not in "".join(one[0]))
    for words, stdin in islice(lines, STARTED):
        line = [b"-m", b"blogforever", *map(_bytes_of, filled(words, archive))]
        done = subprocess.run(
            [os.fsencode(sys.executable), *line], cwd=cwd, input=stdin, capture_output=True, timeout=HANGS, check=False
        )
        assert done.returncode in ENDS, line
        assert b"Traceback" not in done.stdout + done.stderr, line


def _bytes_of(word: str) -> bytes:
    """A word as a shell hands it over; half a character is some bytes to it, too."""
    return word.encode("utf-8", "surrogatepass") if "\ud800" in word else os.fsencode(word)
