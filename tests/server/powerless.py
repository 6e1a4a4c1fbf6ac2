"""Commands run by a process that the system itself keeps from writing: by the rights of files, or by a full disk."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

# linux/prctl.h and linux/capability.h: by the second, root passes over the rights of files.
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
# Runs each line of arguments that stands on its input; after the first, everything that commands share is loaded.
SCRIPT = """
import contextlib, io, json, sys
from blogforever.cli import run
for line in sys.stdin:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run(json.loads(line))
    print(json.dumps([code, said.getvalue()]))
"""


class Answer(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    said: str


def without_rights() -> None:
    """Let the rights of files hold for this process, though it is root's."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0):
        raise OSError("the right to pass over rights cannot be given up")


def without_room() -> None:
    """As on a full disk: not a byte can be written to any file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answers(commands: list[list[str]], limit: Callable[[], None]) -> list[Answer]:
    """What these commands say, one after the other, in one process under a limit of the system."""
    lines = "".join(json.dumps(one) + "\n" for one in commands)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return [Answer(*json.loads(line)) for line in done.stdout.splitlines()]


def take_rights(folder: Path) -> None:
    """As on a disk that can only be read."""
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


def give_rights(folder: Path) -> None:
    """So that it can be removed again."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
