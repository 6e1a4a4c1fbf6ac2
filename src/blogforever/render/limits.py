"""What one page and one browser may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BrowserLimits:
    """Bounds on drawing.

    `settle` is how long a page may go on loading before it is taken as it is.
    """

    contexts: int = 2
    seconds: float = 60.0
    settle: float = 10.0
    quiet: float = 0.5
    requests: int = 400
    size: int = 64 * 1024 * 1024
    memory: int = 2_000_000_000
    pages: int = 100
    """Pages one browser draws before a fresh one takes its place."""
    pictures: bool = False
    """Whether pictures are loaded and a screenshot is taken."""
