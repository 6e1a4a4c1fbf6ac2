"""Calls a command in this process, as a person and as a program would: a process of its own takes a second to begin."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from blogforever.cli import run

Call = Callable[..., tuple[int, str, str]]
"""Takes the words after the command; gives its exit code, and what it printed."""


def caller(command: str, archive: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """What calls this command on this archive."""

    def called(*words: str) -> tuple[int, str, str]:
        code = run([command, *words, "--archive", str(archive)])
        out, err = capsys.readouterr()
        return code, out, err

    return called


def told(call: Call, *words: str) -> Any:
    """What a command tells a program."""
    code, out, _ = call(*words, "--json")
    assert code == 0
    return json.loads(out)


def done_here(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """What a command does in a folder: its exit code, and what it printed there and there."""
    with chdir(cwd), CliRunner().isolation(input=stdin) as (out, err, _both):
        code = run(list(arguments))
        sys.stdout.flush()
    return subprocess.CompletedProcess(arguments, code, out.getvalue().decode(), err.getvalue().decode())
