"""blogforever doctor."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.checking import examine
from blogforever.errors import ArchiveError

from .configfile import config_flags, load_config

MARKS = {"ok": ("ok  ", "green"), "note": ("    ", None), "bad": ("bad ", "red")}


@click.command("doctor")
@config_flags("archive")
def command(**flags: Any) -> int:
    """Tell what is installed, which optional parts are there, how the archive is, and what to do next.

    \b
    blogforever doctor
    blogforever doctor --archive blogs
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    bad = False
    for line in examine(config.archive):
        if not line.mark:
            click.secho(line.text, bold=True)
            continue
        mark, colour = MARKS[line.mark]
        click.echo("  " + click.style(mark, fg=colour) + line.text)
        bad = bad or line.mark == "bad"
    return ArchiveError.exit_code if bad else 0
