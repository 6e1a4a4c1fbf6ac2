"""blogforever note."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import add_note, list_notes

from .configfile import config_flags, load_config


@click.command("note")
@click.argument("target", required=False, metavar="[TARGET]")
@click.argument("text", required=False, metavar="[TEXT]")
@config_flags("archive", "wait", "log_level", "log_format")
def command(target: str | None, text: str | None, **flags: Any) -> int:
    """Keep a remark about a blog, a post or a comment in the journal; without TEXT, show the remarks.

    \b
    blogforever note https://some.blog/ "hosted by the family since 2019, contact in the file"
    blogforever note
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if target is None or text is None:
        for line in list_notes(config.archive, target):
            click.echo(line)
        return 0
    click.echo(add_note(config.archive, target, text, config.wait))
    return 0
