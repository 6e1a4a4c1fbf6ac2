"""Calls a command of the service in this process, as a person and as a program would."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
