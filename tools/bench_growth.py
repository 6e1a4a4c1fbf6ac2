"""Measures how cost grows with size: every hostile shape doubled three times, in every stage that reads pages.

CPU time against CPU time of the same run: ratios, no seconds. Fails where a doubling costs too much.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from hostile.attacks import TARGETS  # noqa: E402  found through the line above
from hostile.growth import DOUBLING, DOUBLINGS, cost  # noqa: E402
from hostile.shapes import LOOKED_AT, SHAPES  # noqa: E402

STAGES = {
    "learning": "learn_rules",
    "extraction": "extract_post",
    "comments": "extract_comments",
    "list pages": "segment_page",
    "cleaning": "clean_article",
}
SIZE = 200_000  # bytes of the largest; the smallest is past every bound on depth, where a byte costs most
CHEAP = 0.02  # CPU seconds; where the largest costs no more, memory and clocks say more than the work does
TRIES = 8  # a neighbour on the machine may spoil a measurement
LARGER = 32  # past what fits into the caches of a processor
# Memory that was freed stays with the process: large blocks and Python's own arenas would go back to the system, and to
# get them again costs as much as half of the cleaning. That is a step at some size, not growth: what a byte costs is
# the same on both sides of it.
KEPT_MEMORY = {"PYTHONMALLOC": "malloc", "MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 30)}


def keep_memory() -> None:
    """Start this tool anew with memory that it keeps; it is read when a process starts."""
    if not KEPT_MEMORY.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | KEPT_MEMORY)  # noqa: S606  this very tool


def costs(work: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> list[float]:
    """CPU seconds for an eighth, a quarter, a half and the whole of the size, each the least of some tries.

    Tried again only where a doubling costs too much, as a busy machine makes it seem so now and then.
    """
    work(make(size >> DOUBLINGS))  # tables that are read once are read now
    if cost(work, make(size), CHEAP) < CHEAP:
        size *= LARGER
    contents = [LOOKED_AT + make(size >> left) for left in range(DOUBLINGS, -1, -1)]
    least = [cost(work, content, CHEAP) for content in contents]
    for _ in range(TRIES):
        if worst(least) <= DOUBLING:
            break
        least = [min(known, cost(work, content, CHEAP)) for known, content in zip(least, contents, strict=True)]
    return least


def worst(least: Sequence[float]) -> float:
    """The most that a doubling costs."""
    return max(after / before for before, after in pairwise(least))


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=SIZE, help="bytes of the largest input")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="only this shape")
    parser.add_argument("--target", action="append", choices=TARGETS, help="this function instead of the stages")
    args = parser.parse_args()
    keep_memory()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    asked = {name: name for name in args.target} if args.target else STAGES
    print(f"What doubling the input costs, at most {DOUBLING} times as much; the last size is {args.size:,} bytes.\n")
    print(f"| shape | {' | '.join(asked)} |\n|{'---|' * (len(asked) + 1)}")
    over = 0
    for shape in args.shape or SHAPES:
        cells = []
        for target in asked.values():
            least = costs(TARGETS[target], SHAPES[shape], args.size)
            over += worst(least) > DOUBLING
            mark = " OVER" if worst(least) > DOUBLING else ""
            cells.append(" ".join(f"{after / before:.1f}" for before, after in pairwise(least)) + mark)
        print(f"| {shape} | {' | '.join(cells)} |", flush=True)
    print(f"\n{over} over the bound")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
