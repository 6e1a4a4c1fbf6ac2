"""Ctrl-C: the first finishes what is in flight, the second stops at once; either is answered."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from blogforever.headway import tell_interrupt

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """While entered, the first SIGINT or SIGTERM sets `asked` and calls back.

    The second raises KeyboardInterrupt. `under_way` says how many pages are to be finished.
    """

    def __init__(self, on_first: Callable[[], None] = lambda: None, under_way: Callable[[], int] = lambda: 0) -> None:
        self.asked = False
        self._on_first, self._under_way = on_first, under_way
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
            signal.signal(number, self._second)
        tell_interrupt(1, self._under_way())
        self._on_first()

    def _second(self, number: int, frame: FrameType | None) -> None:
        tell_interrupt(2, 0)
        signal.default_int_handler(number, frame)
