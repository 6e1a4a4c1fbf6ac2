"""Ctrl-C: the first finishes what is in flight, the second stops at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """While entered, the first SIGINT or SIGTERM sets `asked` and calls back.

    After it they work as usual.
    """

    def __init__(self, on_first: Callable[[], None] = lambda: None) -> None:
        self.asked = False
        self._on_first = on_first
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._first) for number in SIGNALS}
        return self

    def __exit__(self, *_exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _first(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        for number in self._before:
            signal.signal(number, signal.default_int_handler)
        self._on_first()
