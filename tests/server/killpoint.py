"""A command that is killed at a certain step: before the n-th file it opens, renames or removes, or row it writes."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from blogforever.cli import run

STEPS = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree")


def steps_of(folder: Path, *arguments: str) -> int:
    """How many steps a command takes in a folder."""
    read, write = os.pipe()
    if not (child := os.fork()):
        taken = _count(folder, 0)
        code = _silent(arguments)
        os.write(write, f"{taken[0]} {code}".encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as told:
        steps, code = map(int, told.read().split())
    assert code == 0
    return steps


def killed_at(step: int, folder: Path, *arguments: str) -> bool:
    """Run a command in a process of its own and kill it before this step; whether it came so far."""
    if not (child := os.fork()):
        _count(folder, step)
        os._exit(_silent(arguments))
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _silent(arguments: tuple[str, ...]) -> int:
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  the process ends with it
    return run(list(arguments))


def _count(folder: Path, last: int) -> list[int]:
    """Count steps from now on, and end this very process before the last one."""
    taken = [0]
    name = str(folder)

    def step() -> None:
        taken[0] += 1
        if taken[0] == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def heard(what: str, facts: tuple[Any, ...]) -> None:
        if what in STEPS and str(facts[0]).startswith(name):
            step()

    sys.addaudithook(heard)
    event.listen(Engine, "before_cursor_execute", lambda *call: step() if not call[2].startswith("SELECT") else None)
    event.listen(Engine, "commit", lambda _connection: step())
    return taken
