"""Writes the generated parts of the docs: commands from --help, settings from their table, floors from their file."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from blogforever.cli import COMMANDS, blogforever
from blogforever.config import Config

ROOT = Path(__file__).resolve().parents[1]
CLI, QUALITY = ROOT / "docs/reference/cli.md", ROOT / "docs/quality.md"
SETTINGS = ROOT / "docs/reference/configuration.md"
FLOORS = ROOT / "tools/quality_floors.json"
START, END = "<!-- floors: made by make docs -->", "<!-- /floors -->"
SETTINGS_START, SETTINGS_END = "<!-- settings: made by make docs -->", "<!-- /settings -->"
WIDTH = 88  # so many are seen on the page without a break; two columns are left free at the edge
INTRO = """# Command line

Made by `make docs` from the program's own help. Every option can also be given in the environment
(`BLOGFOREVER_MAX_PAGES=50`) or in `blogforever.toml` (`max-pages = 50`); flag beats environment beats file
beats default.
"""


def help_of(*command: str) -> str:
    """The help text of one command, as a terminal of 100 columns shows it."""
    call = [*command, "--help"]
    done = CliRunner().invoke(blogforever, call, prog_name="blogforever", terminal_width=WIDTH)
    return "\n".join(line.rstrip() for line in done.output.strip().splitlines())


def cli_page() -> str:
    """The whole reference page of the command line."""
    parts = [INTRO, f"## blogforever\n\n```text\n{help_of()}\n```\n"]
    parts += [f"## blogforever {name}\n\n```text\n{help_of(name)}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


def settings_page() -> str:
    """The page of settings with today's table in it."""
    before, _, rest = SETTINGS.read_text(encoding="utf-8").partition(SETTINGS_START)
    _, _, after = rest.partition(SETTINGS_END)
    head = "| setting | default | of | what it does |\n|---|---|---|---|\n"
    return f"{before}{SETTINGS_START}\n\n{head}{_settings()}\n\n{SETTINGS_END}{after}"


def _settings() -> str:
    return "\n".join(_setting(one) for one in fields(Config) if "help" in one.metadata)


def _setting(one: Field[Any]) -> str:
    told = one.metadata["help"].replace("|", "\\|")
    return f"| `{one.name.replace('_', '-')}` | {_default(one.default)} | {one.metadata.get('of', '')} | {told} |"


def _default(value: Any) -> str:
    if value in (None, "", ()):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def quality_page() -> str:
    """The quality page with today's floors in it."""
    before, _, rest = QUALITY.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    pinned = json.loads(FLOORS.read_text(encoding="utf-8"))
    goals = pinned["goals"]
    rows = "\n".join(f"| {name} | {floor:.4f} | {goals[name]:.4f} |" for name, floor in pinned["floors"].items())
    return f"{before}{START}\n\n| figure | floor | goal |\n|---|---|---|\n{rows}\n\n{END}{after}"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say which pages are out of date")
    check = parser.parse_args().check
    pages = {CLI: cli_page(), SETTINGS: settings_page(), QUALITY: quality_page()}
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is out of date: make docs" if check else f"{path.relative_to(ROOT)} written")
        if not check:
            path.write_text(pages[path], encoding="utf-8")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
