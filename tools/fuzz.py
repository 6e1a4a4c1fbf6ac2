"""Mutation fuzzing and growth of cost, for some minutes: every function that meets strangers' bytes."""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from hostile.attacks import TARGETS  # noqa: E402  found through the line above
from hostile.shapes import SHAPES, address  # noqa: E402  found through the line above

SEEDS = 400  # bytes of each shape that mutation starts from, beside the own pages of the sample blog
LARGE = (500_000, 2_000_000, 8_000_000)
SECONDS, MEMORY = 10.0, 2_000  # of CPU and MiB that one call may take
LEARNING = ("learn_rules", "learn_rules without feed")  # three pages each: given a third of the bytes
ODD = (b"<", b">", b"'", b'"', b"\0", b"&#xD800;", b"\xff", b"<div>", b"</", b"]]>", b"99999999999", b"\xe2\x80\xae")


def seeds() -> list[bytes]:
    """What mutation starts from: all shapes, small, and the project's own pages."""
    own = [path.read_bytes()[:20_000] for path in sorted((ROOT / "sample").rglob("*.*ml"))]
    page = f"<html><head><title>A | B</title><link rel=canonical href={address(1)}></head><body><h1>A</h1>".encode()
    return [*own, page, *(make(SEEDS) for make in SHAPES.values())]


def mutated(rnd: random.Random, pool: list[bytes]) -> bytes:
    """Two seeds spliced, then bytes flipped, cut, doubled and strange ones put in."""
    one, other = rnd.choice(pool), rnd.choice(pool)
    data = bytearray(one[: rnd.randrange(len(one) + 1)] + other[rnd.randrange(len(other) + 1) :])
    for _ in range(rnd.randrange(12)):
        at = rnd.randrange(len(data) + 1)
        match rnd.randrange(4):
            case 0:
                data[at:at] = rnd.choice(ODD)
            case 1:
                del data[at : at + rnd.randrange(1, 60)]
            case 2:
                data[at:at] = data[at : at + 60] * rnd.randrange(1, 30)
            case _:
                data[at : at + 1] = bytes([rnd.randrange(256)])
    return bytes(data[:60_000])


class Fuzz:
    """Runs calls, keeps count, and tells what went wrong."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.findings: dict[str, str] = {}
        self.slowest = (0.0, "nothing")

    def call(self, name: str, content: bytes, what: str) -> None:
        """One function on some bytes."""
        start = time.process_time()
        self.calls[name] += 1
        try:
            TARGETS[name](content)
        except Exception as error:  # whatever is raised here is what we look for
            place = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{name}: {type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
            if key not in self.findings:
                self.findings[key] = f"{key}\n  {str(error)[:200]}\n  on {what}: {content[:300]!r}"
        cost = time.process_time() - start
        self.slowest = max(self.slowest, (cost, f"{name} on {what}"))
        if cost > SECONDS:
            self.findings.setdefault(f"{name} slow {what}", f"{name} took {cost:.1f} s of CPU on {what}")

    def mutate(self, rnd: random.Random, until: float, least: int) -> None:
        """Mutation, for a while, and as long as there were not so many: a busy machine must not find less."""
        pool = seeds()
        while time.monotonic() < until or self.calls.total() < least:
            content = mutated(rnd, pool)
            self.call(rnd.choice(list(TARGETS)), content, f"{len(content)} mutated bytes")

    def grow(self, rnd: random.Random, until: float) -> None:
        """Shapes in growing sizes, in an order of chance, for a while."""
        cases = [(shape, name, size) for shape in SHAPES for name in TARGETS for size in LARGE]
        rnd.shuffle(cases)
        for shape, name, size in cases:
            if time.monotonic() >= until:
                return
            given = size // 3 if name in LEARNING else size
            self.call(name, SHAPES[shape](given), f"{given:,} bytes of {shape}")


def peak() -> float:
    """MiB this process has needed at most."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 2**20 if sys.platform == "darwin" else used / 2**10


def main() -> int:
    """Fuzz, and say what was done and found."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--least", type=int, default=0, help="mutations, however long they take")
    options.add_argument("--seed", type=int, default=int(time.time()))
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    rnd, fuzz, start = random.Random(chosen.seed), Fuzz(), time.monotonic()  # noqa: S311  chance that can be repeated
    fuzz.mutate(rnd, start + chosen.minutes * 30, chosen.least)
    fuzz.grow(rnd, time.monotonic() + chosen.minutes * 30)
    if peak() > MEMORY:
        fuzz.findings["memory"] = f"{peak():.0f} MiB were needed"
    for name, count in sorted(fuzz.calls.items()):
        print(f"{count:8} {name}")
    print(f"slowest: {fuzz.slowest[1]}, {fuzz.slowest[0]:.2f} s; most memory: {peak():.0f} MiB; seed {chosen.seed}")
    print("\n".join(fuzz.findings.values()) or "nothing found")
    return 1 if fuzz.findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
