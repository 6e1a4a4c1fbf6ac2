"""Calls a command as it is typed, and says what is wrong with how it ended: a traceback, a hang, an unknown code."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from .commands import done_here

ENDS = frozenset([0, 1, 2, 3, 4])
"""The exit codes of docs/reference/exit-codes.md, but for the one of an interrupt."""
HANGS = 120.0
"""Seconds after which a call counts as hanging: far more than any needs on the busiest machine."""
# Of the system's capabilities: the version of the call, and the bits that let root pass what files do not allow.
CAPABILITIES, OVERRIDES = 0x20080522, 0b110


class Hung(BaseException):
    """A call did not end; no handler of ours takes it for something else."""


def fault_of(words: list[str], cwd: Path, stdin: bytes = b"") -> str | None:
    """What is wrong with a call; None for one that ended as every call must."""
    try:
        with _at_most(HANGS):
            done = done_here(*words, cwd=cwd, stdin=stdin)
    except Hung:
        return "hangs"
    except (Exception, SystemExit):
        return traceback.format_exc()
    if "Traceback (most recent call last)" in done.stdout + done.stderr:
        return done.stdout + done.stderr
    if done.returncode not in ENDS:
        return f"ends with {done.returncode}: {done.stderr}"
    said = done.stderr.strip() or done.stdout.strip()
    return None if done.returncode == 0 or said else f"ends with {done.returncode} and says nothing"


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, end)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        # The one who runs the tests may count, too.
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def without_rights() -> Iterator[None]:
    """As somebody to whom the system refuses what files do not allow: root, too, for a while.

    The user stays the same, so that what Python has yet to load can be loaded.
    """
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, held = (ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, held) == 0
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[0] &= ~OVERRIDES
    assert libc.capset(header, fewer) == 0
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0


def copied(whole: Path, to: Path) -> Path:
    """The archive and what lies beside it, in another place."""
    shutil.copytree(whole.parent, to, symlinks=True)
    return to / whole.name
