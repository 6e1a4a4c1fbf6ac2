"""blogforever unsuppress."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import unsuppress

from .configfile import config_flags, load_config


@click.command("unsuppress")
@click.argument("target", metavar="TARGET")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@click.option("--kind", type=click.Choice(["url", "comment", "author", "blog"]), help="What TARGET is.")
@config_flags("archive", "wait", "log_level", "log_format")
def command(target: str, reason: str, kind: str | None, **flags: Any) -> int:
    """Show again what was hidden by suppress or embargo.

    What was erased is not there any more; it is only no longer kept out of new crawls.

    \b
    blogforever unsuppress https://some.blog/2013/04/a-post/ --reason "settled"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    last = unsuppress(config.archive, target, kind, reason, config.wait)[-1]
    if last.erased:
        click.echo(f"No longer kept out: {last.target}.")
    else:
        click.echo(f"Shown again: {last.kind} {last.target}.")
    return 0
