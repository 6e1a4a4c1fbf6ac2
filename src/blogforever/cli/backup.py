"""blogforever backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.keeping import Backup, back_up
from blogforever.archive.notices import outside_sentence
from blogforever.wording import counted, shown_size

from .configfile import config_flags, load_config
from .working import shown_headway

LEFT_OUT = "the backup does not have them, and no restore can make them anew"


@click.command("backup")
@click.argument("dest", metavar="DEST")
@config_flags("archive", "wait", "log_level", "log_format", "quiet")
def command(dest: str, **flags: Any) -> int:
    """Copy what cannot be made again to another folder: the WARC files, the journal, the rules.

    Only what is new or has changed is copied, and every copy is compared. What was erased or
    forgotten since the last backup is removed from it. It waits for crawls, and crawls wait for it;
    beside a running service it copies blog by blog, and names those that are being written.
    What the archive only points to (crawl --reference) cannot be copied: it is named, and the exit
    code is 1.

    \b
    blogforever backup /media/disk/blogs
    blogforever restore /media/disk/blogs --archive blogs-again
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway(config.quiet):
        done = back_up(config.archive, Path(dest), config.wait)
    if not config.quiet:
        click.echo(f"In {dest}: {_words(done)}.")
    if done.written:
        click.echo(f"Written meanwhile, and in the backup as before: {', '.join(done.written)}.", err=True)
    for outside in done.left_out:
        click.echo(outside_sentence(outside, LEFT_OUT), err=True)
    return 1 if done.left_out else 0


def _words(backup: Backup) -> str:
    gone = f", {counted(backup.removed, 'file')} removed" if backup.removed else ""
    size = shown_size(backup.size)
    return f"{counted(backup.files, 'file')} ({size}), {backup.copied:,} of them copied now{gone}"
