"""blogforever export."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.exporting import export_csv, export_jsonl, export_site
from blogforever.archive.notices import outside_sentence
from blogforever.archive.packing import LEFT_OUT, export_wacz
from blogforever.errors import ArchiveError, UsageError
from blogforever.wording import counted

from .configfile import config_flags, load_config


@click.command()
@click.option(
    "--format",
    "style",
    type=click.Choice(["jsonl", "csv", "comments", "site", "wacz"]),
    default="jsonl",
    show_default=True,
)
@click.option("--blog", metavar="BLOG", help="Only this blog: its id, address, host or title.")
@click.argument("dest", default="-", metavar="[DEST|-]")
@config_flags("archive")
def export(style: str, blog: str | None, dest: str, **flags: Any) -> int:
    """Write what the archive holds for people and other programs.

    jsonl: every record. csv: a table of the posts. comments: a table of their comments, thread by
    thread. site: a folder of pages to read and search, without a server. wacz: the captured pages
    in one file, for ReplayWeb.page and pywb.

    \b
    blogforever export --format site copy
    blogforever export --format wacz some-blog.wacz --blog some.blog
    blogforever export --format csv posts.csv
    blogforever export --archive blogs | jq -r .title
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if style in ("site", "wacz") and dest == "-":
        raise UsageError(f"--format {style} needs a {'folder' if style == 'site' else 'file'} to write to.")
    if style == "site":
        _site(config.archive, Path(dest), blog)
    elif style == "wacz":
        return _wacz(config.archive, Path(dest), blog)
    elif style == "jsonl":
        _lines(export_jsonl(config.archive, blog), dest)
    else:
        _lines(export_csv(config.archive, blog, comments=style == "comments"), dest)
    return 0


def _site(archive: Path, dest: Path, blog: str | None) -> None:
    def begun(title: str, posts: int) -> None:
        click.echo(f"{title}: {posts:,} posts", err=True)

    report = export_site(archive, dest, blog, begun)
    media = counted(report.media, "picture or other file", "pictures and other files")
    click.echo(f"In {dest}: {counted(report.posts, 'post')} with {media}.")
    click.echo(f"Open {dest / 'index.html'} in a browser.")


def _wacz(archive: Path, dest: Path, blog: str | None) -> int:
    packed = export_wacz(archive, dest, blog)
    pages, responses = counted(packed.pages, "page"), counted(packed.responses, "response")
    click.echo(f"In {dest}: {pages} and {responses} of {packed.title}.")
    for outside in packed.left_out:
        click.echo(outside_sentence(outside, LEFT_OUT), err=True)
    return 1 if packed.left_out else 0


def _lines(lines: Iterable[str], dest: str) -> None:
    if dest == "-":
        for line in lines:
            sys.stdout.write(line + "\n")
        return
    try:
        with Path(dest).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror or error}.") from error
