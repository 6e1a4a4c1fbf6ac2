"""blogforever embargo."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import suppress

from .configfile import config_flags, load_config


@click.command("embargo")
@click.argument("target", metavar="TARGET")
@click.option("--until", required=True, metavar="DATE", help="The first day on which it is shown again: 2030-01-31.")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@click.option(
    "--kind",
    type=click.Choice(["url", "comment", "author", "blog"]),
    help="What TARGET is, where it could be more than one thing.",
)
@click.option("--blog", metavar="BLOG", help="Only in this blog: its id, address, host or title.")
@config_flags("archive", "wait", "log_level", "log_format")
def command(target: str, until: str, reason: str, kind: str | None, blog: str | None, **flags: Any) -> int:
    """Hide a post, a comment, an author or a blog until a day; TARGET is as for suppress.

    \b
    blogforever embargo https://some.blog/ --until 2040-01-01 --reason "agreed with the donor"
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    click.echo(suppress(config.archive, target, kind, blog, reason, until=until, wait=config.wait))
    return 0
