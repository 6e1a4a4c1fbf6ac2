"""Charts as drawings of the server: values in, places of bars out; templates write the SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# In units of the drawing, which is stretched to the room there is.
WIDTH, HEIGHT = 720, 120
# The part of a bar's place that stays free.
GAP = 0.18
# No bar is wider: one month alone is a bar, too, and no wall.
WIDEST = WIDTH / 15
# No bar is too small to be seen.
SMALLEST = 1.5
# Lines behind the bars.
LINES = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """One value, and where its bar stands."""

    label: str
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart; `described` says in words what it shows."""

    title: str
    described: str
    bars: tuple[Bar, ...]
    lines: tuple[float, ...]
    first: str
    last: str
    top: float
    width: int = WIDTH
    height: int = HEIGHT


def bar_chart(title: str, values: Sequence[tuple[str, float]], described: str = "") -> Chart:
    """A chart of values with their labels, in their order."""
    top = max((value for _, value in values), default=0)
    place = WIDTH / max(1, len(values))
    bars = tuple(
        _bar(label, value, place * number, place, top) for number, (label, value) in enumerate(values) if value > 0
    )
    lines = tuple(round(HEIGHT * line / LINES, 1) for line in range(LINES)) if top else ()
    first, last = (values[0][0], values[-1][0]) if values else ("", "")
    return Chart(title, described or title, bars, lines, first, last, top)


def _bar(label: str, value: float, x: float, place: float, top: float) -> Bar:
    height = max(SMALLEST, HEIGHT * value / top)
    width = min(WIDEST, place * (1 - GAP))
    return Bar(
        label, value, round(x + (place - width) / 2, 2), round(HEIGHT - height, 2), round(width, 2), round(height, 2)
    )
