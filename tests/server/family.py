"""The processes that a process has started, and those that these started, whatever session they are in."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def below(top: int) -> list[int]:
    """All processes below one."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    found, family = [top], list[int]()
    while found:
        above = found.pop()
        children = [pid for pid, parent in parents.items() if parent == above]
        found += children
        family += children
    return family


def names_below(top: int) -> Iterator[str]:
    """What the processes below one are called."""
    for pid in below(top):
        with suppress(OSError):
            yield Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()


def kill(top: int) -> None:
    """A machine without power: a process and all below it, at once."""
    for pid in [*below(top), top]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
