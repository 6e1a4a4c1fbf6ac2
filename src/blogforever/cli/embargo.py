"""blogforever embargo."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import Meant, suppress

from .configfile import config_flags, load_config
from .hiding import suppressed_sentence, target_options


@click.command("embargo")
@click.argument("target", metavar="TARGET")
@click.option(
    "--until",
    required=True,
    metavar="DATE",
    help="The first day on which it is shown again: 2030-01-31.",
)
@target_options
@config_flags("archive", "wait", "log_level", "log_format")
def command(target: str, until: str, reason: str, kind: str | None, blog: str | None, **flags: Any) -> int:
    """Hide a post, a comment, an author or a blog until a day; TARGET is as for suppress.

    \b
    blogforever embargo https://some.blog/ --until 2040-01-01 --reason "agreed with the donor"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    meant = Meant(target, kind, blog)
    click.echo(suppressed_sentence(suppress(config.archive, meant, reason, until=until, wait=config.wait)))
    return 0
