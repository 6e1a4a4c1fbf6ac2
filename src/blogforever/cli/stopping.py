"""Ctrl-C at the command line: an answer at once, words that fit the command, and an end within two seconds."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Timer

INTERRUPTED = 130
"""As a shell counts what ended by an interrupt: 128 and the number of the signal."""
# Seconds that closing may take after the second Ctrl-C. An archive is whole whenever its process is
# killed.
PATIENCE = 1.5
GOES_ON = {
    "crawl": "the next crawl goes on from here",
    "update": "the next update goes on from here",
    "verify": "not everything was checked",
    "export": "what was written is not whole; call it again",
    "backup": "the next backup goes on from here",
    "restore": "what was rebuilt is not whole; remove the folder and call it again",
    "reextract": "what was read again is kept; call it again for the rest",
    "suppress": "what must go is hidden; blogforever suppress --finish takes it away",
    "forget": "what must go is hidden; blogforever suppress --finish takes it away",
    "tidy": "nothing is lost; call it again for the rest",
    "search": "the next search goes on with the index",
}
"""What a person should know who stopped a command."""


class Process:
    """Whether this is a process of our own, that may be ended hard, and whether somebody wants that."""

    is_ours = is_hurried = False


def stopped_sentence(command: str) -> str:
    """What is said when a command was stopped."""
    then = GOES_ON.get(command)
    return f"blogforever: stopped; {then}." if then else "blogforever: stopped."


def answer_interrupt(say: Callable[[str], None], times: int, what: str) -> None:
    """Say what the first Ctrl-C does; at the second, see to it that this ends in time."""
    if times == 1:
        say(f"Stopping: {what}; Ctrl-C again to stop now.")
    elif Process.is_ours:
        Process.is_hurried = True
        end = Timer(PATIENCE, os._exit, (INTERRUPTED,))
        end.daemon = True
        end.start()


def end_now(code: int) -> None:
    """End this process without waiting for threads that still compute."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)
