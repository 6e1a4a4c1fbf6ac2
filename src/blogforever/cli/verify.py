"""blogforever verify."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.checking import verify
from blogforever.errors import ArchiveError

from .configfile import config_flags, load_config

SHOWN = 200


@click.command("verify")
@config_flags("archive", "log_level", "log_format")
def command(**flags: Any) -> int:
    """Check WARC files, indexes and database against each other, and say what is wrong.

    Every record is unpacked and its digests are computed again. Damage ends with exit code 4.

    \b
    blogforever verify
    blogforever verify --archive blogs --log-level info
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    verdict = verify(config.archive)
    for finding in verdict.findings[:SHOWN]:
        click.echo(finding.sentence)
    if len(verdict.findings) > SHOWN:
        click.echo(f"… and {len(verdict.findings) - SHOWN:,} more.")
    click.echo(verdict.summary())
    return ArchiveError.exit_code if verdict.damaged else 0
