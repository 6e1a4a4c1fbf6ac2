"""blogforever lists."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import click

from blogforever.errors import ArchiveError
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.lists import ListFormat, all_lists, drop_list, export_list, keep_list
from blogforever.wording import counted, day_of, printable

from .grouping import HELP, ListingGroup, configured, person, reading, writing
from .telling import told_json

OUTPUT = "-"


@click.group("lists", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Lists of followed blogs, each with its date, owner and note.

    \b
    blogforever lists                                    the lists, by name
    blogforever lists keep "By 2011-11" --note "asked for by the library"
    blogforever lists export "By 2011-11" --format opml blogs.opml
    blogforever lists export --all --format csv -        all that is followed
    blogforever lists drop "By 2011-11"                  its blogs stay

    Without a further word it shows the lists. blogforever add --list NAME fills one, blogforever
    sources --list NAME shows its blogs.
    """


@command.command("list")
@reading
def list_command(as_json: bool, **flags: Any) -> None:
    """All lists, by name."""
    with opened_to_read(configured(flags).archive) as store:
        lists = all_lists(store)
    if as_json:
        click.echo(told_json({"items": lists}))
        return
    for one in lists:
        about = "  ".join(printable(text) for text in (one.list.owner, one.list.note) if text)
        click.echo(
            f"{printable(one.list.name)}  {counted(one.blogs, 'blog')}  {day_of(one.list.created)}  {about}".rstrip()
        )
    if not lists:
        click.echo("There is no list.")


@command.command("keep")
@click.argument("name")
@click.option("--note", metavar="TEXT", help="What it is for: who asked, under which permission.")
@click.option("--owner", metavar="NAME", help="Whose it is; you, where nobody is named.")
@writing
def keep_command(name: str, note: str | None, owner: str | None, as_json: bool, **flags: Any) -> None:
    """Make a list, or say something else of it."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        kept = keep_list(desk, name, note, owner)
    click.echo(told_json(kept) if as_json else f"Kept: {printable(kept.name)}.")


@command.command("drop")
@click.argument("name")
@writing
def drop_command(name: str, as_json: bool, **flags: Any) -> None:
    """Drop a list; its blogs stay followed, and belong to it no more."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        dropped = drop_list(desk, name)
    click.echo(told_json(dropped) if as_json else f"Dropped: {printable(dropped.name)}.")


@command.command("export")
@click.argument("name", required=False, default="")
@click.argument("dest", required=False, default=OUTPUT, metavar="[DEST|-]")
@click.option(
    "--format", "form", type=click.Choice(get_args(ListFormat)), default="opml", show_default=True, help="As."
)
@click.option("--all", "everything", is_flag=True, help="Every followed blog; then the first word is DEST.")
@reading
def export_command(name: str, dest: str, form: ListFormat, everything: bool, as_json: bool, **flags: Any) -> None:
    """Write the blogs of the list NAME, or with --all every followed one, so that other programs
    read them.

    What is written can be added again. A cell that a spreadsheet would calculate starts with an
    apostrophe.
    """
    place = (name or OUTPUT) if everything else dest
    out = BytesIO()
    with opened_to_read(configured(flags).archive) as store:
        number = export_list(store, "" if everything else name, form, out, in_file=place != OUTPUT)
    if place == OUTPUT:
        sys.stdout.buffer.write(out.getvalue())
        return
    try:
        Path(place).write_bytes(out.getvalue())
    except OSError as error:
        raise ArchiveError(f"{place} cannot be written: {error.strerror}.") from error
    words = f"{counted(number, 'blog')} written to {place}."
    click.echo(told_json({"blogs": number, "file": place}) if as_json else words)
