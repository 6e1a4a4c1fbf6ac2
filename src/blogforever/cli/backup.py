"""blogforever backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.keeping import back_up

from .configfile import config_flags, load_config


@click.command("backup")
@click.argument("dest", metavar="DEST")
@config_flags("archive", "wait", "log_level", "log_format")
def command(dest: str, **flags: Any) -> int:
    """Copy what cannot be made again to another folder: the WARC files, the journal, the rules.

    Only what is new or has changed is copied, and every copy is compared. What was erased or forgotten since the last
    backup is removed from it. It waits for crawls, and crawls wait for it. What the archive only points to
    (crawl --reference) cannot be copied: it is named, and the exit code is 1.

    \b
    blogforever backup /media/disk/blogs
    blogforever restore /media/disk/blogs --archive blogs-again
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    done = back_up(config.archive, Path(dest), config.wait)
    click.echo(f"In {dest}: {done}.")
    for sentence in done.left_out:
        click.echo(sentence, err=True)
    return 1 if done.left_out else 0
