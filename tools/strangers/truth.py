"""Posts as a program was given them, and what must come out again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lives.seeding import Seed, SeedComment, seeds

POSTS = 40
NOW = datetime(2026, 11, 15, tzinfo=UTC)
TITLE, ABOUT = "Notes from the quay", "This page says who writes here. It is no post."


@dataclass(frozen=True, slots=True)
class TruePost:
    """A post with its address; what a program does not show is empty."""

    url: str
    seed: Seed
    author: str = ""
    tags: Sequence[str] = ()
    comments: Sequence[SeedComment] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """The pages a program made, and the truth about them."""

    output: Path
    posts: Sequence[TruePost] = field(default_factory=tuple)


def sown() -> list[tuple[str, Seed]]:
    """The posts, each with a name for its file."""
    return [(slug(seed.title), seed) for seed in seeds(POSTS, NOW)]


def slug(title: str) -> str:
    """A title as a name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def write(file: Path, text: str) -> None:
    """A file with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
