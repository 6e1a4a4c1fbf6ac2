"""blogforever note."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.suppressing import add_note, list_notes
from blogforever.wording import day_of

from .configfile import config_flags, load_config
from .hiding import target_words


@click.command("note")
@click.argument("target", required=False, metavar="[TARGET]")
@click.argument("text", required=False, metavar="[TEXT]")
@config_flags("archive", "wait", "log_level", "log_format")
def command(target: str | None, text: str | None, **flags: Any) -> int:
    """Keep a remark about a blog, a post or a comment in the journal; without TEXT, show the
    remarks.

    \b
    blogforever note https://some.blog/ "hosted by the family since 2019, contact in the file"
    blogforever note
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if target is None or text is None:
        notes = list_notes(config.archive, target)
        for note in notes:
            click.echo(f"{day_of(note.at)}  {note.target}  {note.text}")
        if not notes:
            click.echo("There is no note.")
        return 0
    noted = add_note(config.archive, target, text, config.wait)
    click.echo(f"Noted for {target_words(noted)}.")
    return 0
