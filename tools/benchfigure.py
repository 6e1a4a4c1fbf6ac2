"""Draws the running time figure: cumulated seconds over the number of posts, one line for each extractor, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 360, 60, 50
COLOURS = ("#b03a2e", "#2e6da4", "#4d8a3f", "#8a6d3b")


def figure(lines: Mapping[str, Sequence[float]], learned: int) -> str:
    """The figure; `lines` are cumulated seconds, `learned` is the number of posts the feed speaks of."""
    posts = max(len(line) for line in lines.values())
    top = max(line[-1] for line in lines.values()) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        *grid(posts, top),
        upright(across(learned, posts), f"{learned} posts in the feed"),
        *(curve(name, line, COLOURS[n], n, posts, top) for n, (name, line) in enumerate(lines.items())),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def across(post: float, posts: int) -> float:
    """Where a number of posts stands on the horizontal axis."""
    return LEFT + (WIDTH - LEFT - 20) * post / posts


def up(seconds: float, top: float) -> float:
    """Where a time stands on the vertical axis."""
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20) * seconds / top


def grid(posts: int, top: float) -> list[str]:
    """Axes and their numbers."""
    ticks = [n * posts / 4 for n in range(5)]
    found = [f'<text x="{across(n, posts):.0f}" y="{HEIGHT - 30}" text-anchor="middle">{n:.0f}</text>' for n in ticks]
    for n in range(5):
        y, seconds = up(n * top / 4, top), n * top / 4
        found.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 20}" stroke="#ddd"/>')
        found.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{seconds:.2f}</text>')
    found.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">posts extracted</text>')
    found.append('<text x="8" y="14">CPU seconds, cumulated</text>')
    return found


def upright(x: float, label: str) -> str:
    """A dashed line with a label."""
    return (
        f'<path d="M{x:.1f} 20V{HEIGHT - BOTTOM}" stroke="#888" stroke-dasharray="4 4"/>'
        f'<text x="{x + 4:.1f}" y="{HEIGHT - BOTTOM - 6}" fill="#666">{label}</text>'
    )


def curve(name: str, line: Sequence[float], colour: str, n: int, posts: int, top: float) -> str:
    """One extractor's line and its name."""
    points = " ".join(f"{across(post, posts):.1f},{up(seconds, top):.1f}" for post, seconds in enumerate(line))
    return (
        f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>'
        f'<text x="{LEFT + 12}" y="{40 + 16 * n}" fill="{colour}">{name}</text>'
    )
