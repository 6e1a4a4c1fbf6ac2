"""blogforever export."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.exporters import export_files, export_pieces, selects_nothing
from blogforever.archive.exporting import export_blogs, export_jsonl, export_site
from blogforever.archive.notices import outside_sentence
from blogforever.archive.packing import LEFT_OUT, export_wacz
from blogforever.archive.selecting import SELECTED_KINDS, Selection
from blogforever.errors import ArchiveError, UsageError
from blogforever.storage.searches import PostSearch
from blogforever.wording import counted, shown_size

from .configfile import config_flags, load_config
from .grouping import COUNT
from .working import shown_headway

BY_NAME = {".csv": "csv", ".jsonl": "jsonl", ".xml": "spider-xml", ".wacz": "wacz", ".bib": "bibtex", ".ris": "ris"}
"""The form that the name of a file means."""
FORMATS = ("jsonl", "csv", "comments", "blogs", "bibtex", "ris", "csl", "spider-xml", "site", "wacz")
# Forms that hold whole blogs, and what each is written to.
WHOLE = {"site": "folder", "wacz": "file", "blogs": ""}


@click.command()
@click.option(
    "-f",
    "--format",
    "style",
    type=click.Choice(FORMATS),
    help="In which form; without it by the name of the file (.csv, .jsonl, .xml, .wacz, .bib, .ris), else jsonl.",
)
@click.option("--blog", metavar="BLOG", help="Only this blog: its id, address, host or title.")
@click.option("--words", default="", help="Only posts that hold these words.")
@click.option("--list", "list_name", default="", metavar="NAME", help="Only posts of followed blogs in this list.")
@click.option("--tag", "tags", multiple=True, help="Only posts with this tag; several mean all of them.")
@click.option("--language", default="", metavar="CODE", help="Only posts in this language.")
@click.option("--since", default="", metavar="DATE", help="Only posts published since then.")
@click.option("--no-comments", is_flag=True, help="Posts without their comments.")
@click.option("--per-file", type=COUNT, metavar="N", help="N posts a file, in a folder; goes on there.")
@click.argument("dest", default="-", metavar="[DEST|-]")
@config_flags("archive", "log_level", "log_format", "quiet")
def export(style: str | None, blog: str | None, dest: str, per_file: int | None, **flags: Any) -> int:
    """Write what the archive holds for people and other programs.

    jsonl: every record. csv: a table of the posts. comments: a table of their comments, thread by
    thread. blogs: a table of the blogs. bibtex, ris, csl: the posts as citations. spider-xml: posts
    and comments as XML entities, for repositories that know the weblog spider. site: a folder of
    pages to read and search, without a server. wacz: the captured pages in one file, for
    ReplayWeb.page and pywb.

    \b
    blogforever export --format site copy
    blogforever export some-blog.wacz --blog some.blog
    blogforever export posts.csv --tag history --since 2020-01-01
    blogforever export sources.bib --list physics
    blogforever export --format blogs blogs.csv
    blogforever export --format spider-xml --per-file 1000 folder    stopped and called again, it goes on
    blogforever export --archive blogs | jq -r .title
    """
    chosen = {name: flags.pop(name) for name in ("words", "list_name", "tags", "language", "since", "no_comments")}
    selection = _selection(blog, **chosen)
    style = style or _by_name(dest)
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway(config.quiet):
        code = _exported(config.archive, style, blog, dest, per_file, selection)
    if not config.quiet and Path(dest).is_file() and style != "wacz":
        click.echo(f"Written: {dest} ({style}, {shown_size(Path(dest).stat().st_size)}).", err=True)
    if selection != _selection(blog) and selects_nothing(config.archive, selection):
        click.echo("No post fits what was asked for.", err=True)
    return code


def _by_name(dest: str) -> str:
    """The form that a name means; what means none, or another thing than a file, is asked back."""
    ending = Path(dest).suffix.lower()
    if ending in BY_NAME or dest == "-":
        return BY_NAME.get(ending, "jsonl")
    if dest in FORMATS:
        raise UsageError(f"{dest} would be the name of a file: write --format {dest}, and where to.")
    if ending:
        known = ", ".join(BY_NAME)
        raise UsageError(f"Which form is {dest} to have? Known by name are {known}; --format says any other.")
    return "jsonl"


def _exported(
    archive: Path, style: str, blog: str | None, dest: str, per_file: int | None, selection: Selection
) -> int:
    """Write it in the form that is wanted; the exit code."""
    is_of_posts = per_file is not None or selection != _selection(blog)
    if style in WHOLE:
        _refuse_unless_whole(style, dest, is_of_posts)
        return _whole(archive, style, dest, blog)
    if per_file is not None:
        _files(archive, dest, style, selection, per_file)
    elif style == "jsonl" and not is_of_posts:
        _pieces((line + "\n" for line in export_jsonl(archive, blog)), dest)
    else:
        _pieces(export_pieces(archive, style, selection, in_file=dest != "-"), dest)
    return 0


def _whole(archive: Path, style: str, dest: str, blog: str | None) -> int:
    """A form that holds whole blogs."""
    if style == "blogs":
        _pieces(export_blogs(archive, blog, in_file=dest != "-"), dest)
        return 0
    return _site(archive, Path(dest), blog) if style == "site" else _wacz(archive, Path(dest), blog)


def _refuse_unless_whole(style: str, dest: str, is_of_posts: bool) -> None:
    if dest == "-" and WHOLE[style]:
        raise UsageError(f"--format {style} needs a {WHOLE[style]} to write to.")
    if is_of_posts:
        raise UsageError(f"--format {style} takes whole blogs, and no selection of posts.")


def _selection(
    blog: str | None,
    words: str = "",
    list_name: str = "",
    tags: tuple[str, ...] = (),
    language: str = "",
    since: str = "",
    no_comments: bool = False,
) -> Selection:
    search = PostSearch(words, list=list_name, tags=tags, language=language, since=since)
    return Selection((blog,) if blog else (), search, ("post",) if no_comments else SELECTED_KINDS)


def _files(archive: Path, dest: str, style: str, selection: Selection, most: int) -> None:
    if dest == "-":
        raise UsageError("--per-file needs a folder to write to.")
    done = export_files(archive, Path(dest), style, selection, most)
    click.echo(f"In {dest}: {counted(done.files, 'file')}.")


def _site(archive: Path, dest: Path, blog: str | None) -> int:
    def begun(title: str, posts: int) -> None:
        click.echo(f"{title}: {posts:,} posts", err=True)

    report = export_site(archive, dest, blog, begun)
    media = counted(report.media, "picture or other file", "pictures and other files")
    click.echo(f"In {dest}: {counted(report.posts, 'post')} with {media}.")
    click.echo(f"Open {dest / 'index.html'} in a browser.")
    return 0


def _wacz(archive: Path, dest: Path, blog: str | None) -> int:
    packed = export_wacz(archive, dest, blog)
    pages, responses = counted(packed.pages, "page"), counted(packed.responses, "response")
    click.echo(f"In {dest}: {pages} and {responses} of {packed.title}.")
    for outside in packed.left_out:
        click.echo(outside_sentence(outside, LEFT_OUT), err=True)
    return 1 if packed.left_out else 0


def _pieces(pieces: Iterable[str], dest: str) -> None:
    if dest == "-":
        sys.stdout.writelines(pieces)
        return
    try:
        with Path(dest).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
    except FileNotFoundError as error:
        raise ArchiveError(f"{dest} cannot be written: there is no folder {Path(dest).parent}.") from error
    except OSError as error:
        raise ArchiveError(f"{dest} cannot be written: {error.strerror or error}.") from error
