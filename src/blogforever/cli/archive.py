"""blogforever archive."""

from __future__ import annotations

from typing import Any

import click

from blogforever.archive.relocating import relocate, send_all
from blogforever.errors import BlobsAway
from blogforever.wording import counted

from .grouping import HELP, configured, writing
from .telling import told_json


@click.group("archive", context_settings=HELP)
def command() -> None:
    """Where an archive is kept: its records in its folder or in a database of PostgreSQL, its bytes in its folder or
    in a store such as S3.

    \b
    blogforever archive move --to postgresql://user@host/name   into that database, which is empty
    blogforever archive move --to sqlite                        back into archive.db
    blogforever archive send --blobs s3://bucket/prefix         WARC files, indexes, rules and journal into that bucket
    """


@command.command("move")
@click.option("--to", required=True, metavar="URL|sqlite", help="A database, or `sqlite` for archive.db in the folder.")
@writing
def move(to: str, as_json: bool, **flags: Any) -> None:
    """Carry all records into another database, compare them row by row, and keep them there from
    now on.

    It needs the archive for itself: end a service first. Whenever it is cut off, the records are
    whole where they were. What was carried out of archive.db stays beside it as archive.db.moved,
    and what was carried out of a database stays there: remove it when you have looked at the new
    one.
    """
    config = configured(flags)
    done = relocate(config.archive, to, config.wait)
    if as_json:
        click.echo(told_json(done))
        return
    posts = counted(done.posts, "post")
    click.echo(f"{counted(done.rows, 'row')} with {posts} carried from {done.old} to {done.new}, and all are the same.")


@command.command("send")
@writing
def send(as_json: bool, **flags: Any) -> int:
    """Send what waits on this machine to the store of blobs, compare it there, and keep here only
    what is used.

    Every command that writes does this when it ends; this one is for an archive that had no store
    so far, and for what waited while the store could not be reached.
    """
    config = configured(flags)
    done = send_all(config.archive, config.wait)
    if as_json:
        click.echo(told_json(done))
    else:
        rest = f"; {counted(done.waiting, 'file')} still wait here" if done.waiting else ""
        click.echo(f"{counted(done.sent, 'file')} sent to {done.address}{rest}.")
    return BlobsAway.exit_code if done.waiting else 0
