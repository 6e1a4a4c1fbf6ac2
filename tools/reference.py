"""Writes docs/reference/cli.md from what `blogforever --help` says, so that it cannot drift."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/reference/cli.md"
INTRO = """# Command line

Made by `make docs` from the program's own help. Every option can also be given in the environment
(`BLOGFOREVER_MAX_PAGES=50`) or in `blogforever.toml` (`max-pages = 50`); flag beats environment beats file
beats default.
"""


def help_of(*command: str) -> str:
    """The help text of one command, always 100 columns wide and without colour."""
    program = str(Path(sys.executable).with_name("blogforever"))
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    call = [program, *command, "--help"]
    done = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)  # noqa: S603  # our own program
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def commands() -> list[str]:
    """The commands the program lists."""
    _, _, listed = help_of().partition("Commands:\n")
    return [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and not line.startswith("   ")]


def page() -> str:
    """The whole reference page."""
    parts = [INTRO, f"## blogforever\n\n```text\n{help_of()}\n```\n"]
    parts += [f"## blogforever {name}\n\n```text\n{help_of(name)}\n```\n" for name in commands()]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
