"""How cost grows with size: CPU time against CPU time of one run, so that neither a slow nor a busy machine matters.

Time, not counted work, because parsers, regular expressions and sorting do theirs below Python. What is done in Python
alone is counted line by line (`assert_few_lines`): neighbours that share the machine's caches cannot disturb that.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from time import process_time, sleep
from types import FrameType
from typing import Any, TypeVar

DOUBLING = 2.4  # what twice the input may cost: twice, and some for caches of the machine and sorting
DOUBLINGS = 3
# A neighbour on the machine may spoil a measurement, and those right behind it, because it fills the caches that large
# inputs need; not all of those that have pauses between them, in seconds, and a square spoils all. It only ever makes
# work dearer, so that the least of all tries is the truest, for each size by itself.
PAUSES = (0.0, 0.0, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4)
# CPU seconds; what takes less is repeated until it does. Clocks tick in microseconds; over three doublings a line
# costs 8 times as much and a square 64 times, which needs no more to be told apart.
MEASURABLE = 0.003
_TRIM_THRESHOLD, _MOST_MAPPED = -1, -4  # of malloc.h
_NEVER = 1 << 30  # bytes to be free at the end of memory

T = TypeVar("T")


def cost(work: Callable[[T], object], content: T, measurable: float = MEASURABLE) -> float:
    """CPU seconds of the work on this content, once."""
    runs = 1
    while True:
        spent = _spent(work, content, runs)
        if spent >= measurable:
            return spent / runs
        runs *= 4


def _spent(work: Callable[[T], object], content: T, runs: int) -> float:
    """CPU seconds of so many runs, without the collector of garbage: its work is that of all that ran before."""
    gc.disable()
    started = process_time()
    for _ in range(runs):
        work(content)
    spent = process_time() - started
    gc.enable()
    return spent


@cache
def keep_memory() -> None:
    """Memory that was freed stays with this process, where the machine's C library can be asked for that.

    Large blocks would go back to the system, and taking them again costs as much as parsing what stands in them: what a
    byte costs would make a step at some size, which is no growth.
    """
    with suppress(AttributeError, OSError):
        keep = ctypes.CDLL(None).mallopt
        keep(_TRIM_THRESHOLD, _NEVER)
        keep(_MOST_MAPPED, 0)


def tries() -> Iterator[None]:
    """Chances to measure something undisturbed."""
    for pause in PAUSES:
        sleep(pause)
        yield


def least_growth(work: Callable[[T], object], make: Callable[[int], T], size: int, bound: float = DOUBLING) -> float:
    """What doubling the input costs, in multiples: the mean over three doublings, or the last of them, if that is less.

    They end at this size. Measured until one of the two keeps the bound, or often enough. A neighbour who fills the
    caches of the machine for as long as this lasts makes large inputs dearer and small ones not: a step between the
    first size and the others, which the mean takes for growth. What grows does so from each size to the next.
    """
    keep_memory()
    small, half, large = make(size // 2**DOUBLINGS), make(size // 2), make(size)
    work(small)  # tables that are read once are read now
    least_small = least_half = least_large = least = float("inf")
    for _ in tries():
        least_small = min(least_small, cost(work, small))
        least_half = min(least_half, cost(work, half))
        least_large = min(least_large, cost(work, large))
        least = min((least_large / least_small) ** (1 / DOUBLINGS), least_large / least_half)
        if least <= bound:
            break
    return least


def assert_linear(work: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    """Twice the input costs about twice the work, up to this size."""
    least = least_growth(work, make, size)
    assert least <= DOUBLING, f"doubling the input costs {least:.1f} times as much"


def lines_run(work: Callable[[T], object], content: T) -> int:
    """How many lines of Python the work runs on this content."""
    lines = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work(content)
    finally:
        sys.settrace(before)
    return lines


def assert_few_lines(work: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    """Twice the input runs about twice the lines, up to this size: for work that is done in Python alone."""
    grown = lines_run(work, make(size)) / lines_run(work, make(size // 2))
    assert grown <= DOUBLING, f"doubling the input runs {grown:.1f} times as many lines"
