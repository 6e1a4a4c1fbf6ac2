"""blogforever export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.exporting import export_jsonl
from blogforever.errors import ArchiveError

from .configfile import config_flags, load_config


@click.command()
@click.option("--format", "style", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@click.argument("dest", default="-", metavar="[DEST|-]")
@config_flags("archive")
def export(style: str, dest: str, **flags: Any) -> int:
    """Write the records of the archive: blogs, posts and failures.

    \b
    blogforever export --format jsonl posts.jsonl
    blogforever export --archive blogs | jq -r .title
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    lines = export_jsonl(config.archive)
    if dest == "-":
        for line in lines:
            sys.stdout.write(line + "\n")
        return 0
    try:
        with Path(dest).open("w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror or error}.") from error
    return 0
