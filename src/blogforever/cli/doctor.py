"""blogforever doctor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from blogforever import logs
from blogforever.archive.checking import (
    ArchiveState,
    BlogCount,
    Installation,
    archive_state,
    free_space,
    installation,
)
from blogforever.archive.notices import FINISH, cut_off_sentence
from blogforever.errors import ArchiveError
from blogforever.wording import counted, shown_size, span

from .configfile import config_flags, load_config

MARKS = {"ok": ("ok  ", "green"), "note": ("    ", None), "bad": ("bad ", "red")}
# Below that a crawl may fill the disk before it is done.
LITTLE_SPACE = 2_000_000_000
# The doctor tells how the archive is; blogforever list has them all.
BLOGS_SHOWN = 20
FIRST_CRAWL = "blogforever crawl https://some.blog/ keeps a first blog here."


class Line(NamedTuple):
    """One line of the doctor: `mark` is ok, note, bad or empty for a heading."""

    text: str
    mark: str = "ok"


@click.command("doctor")
@config_flags("archive")
def command(**flags: Any) -> int:
    """Tell what is installed, which optional parts are there, how the archive is, and what to do
    next.

    \b
    blogforever doctor
    blogforever doctor --archive blogs
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    bad = False
    for line in _lines(config.archive):
        if not line.mark:
            click.secho(line.text, bold=True)
            continue
        mark, colour = MARKS[line.mark]
        click.echo("  " + click.style(mark, fg=colour) + line.text)
        bad = bad or line.mark == "bad"
    return ArchiveError.exit_code if bad else 0


def _lines(folder: Path) -> Iterator[Line]:
    """Installation, optional parts, archive, disk, what to do next."""
    yield from _installation_lines(installation())
    yield Line(f"Archive {folder}", "")
    state = archive_state(folder)
    if state is None:
        yield Line("There is no archive here yet.", "note")
        yield _disk_line(free_space(folder))
        yield Line("Next", "")
        yield Line(FIRST_CRAWL, "note")
    elif state.trouble is not None:
        yield Line(state.trouble, "bad")
    else:
        yield from _archive_lines(state)
        yield _disk_line(free_space(folder))
        yield from _next_lines(state)


def _installation_lines(found: Installation) -> Iterator[Line]:
    yield Line("Installation", "")
    yield Line(f"blogforever {found.software}, Python {found.python}, {found.system}")
    yield Line(", ".join(f"{name} {number or 'missing'}" for name, number in found.libraries.items()))
    yield Line(f"SQLite {found.sqlite}" + (", with full-text search" if found.full_text_search else ""))
    if not found.full_text_search:
        yield Line("SQLite was built without FTS5: blogforever search cannot work with this Python.", "bad")
    yield Line("Optional parts", "")
    if found.browser is not None:
        yield Line(f"A browser for pages drawn by JavaScript: {found.browser}")
    else:
        lacks = f"No browser for pages drawn by JavaScript; install {found.browser_lacks} to have one"
        yield Line(f"{lacks}: {found.how_to_install}", "note")


def _archive_lines(state: ArchiveState) -> Iterator[Line]:
    posts = counted(sum(blog.posts for blog in state.blogs), "post")
    yield Line(f"{counted(len(state.blogs), 'blog')}, {posts}, {shown_size(state.size)} of WARC")
    for blog in state.blogs[:BLOGS_SHOWN]:
        yield Line(_blog_words(blog))
    if state.left_open:
        yield Line(
            f"{counted(state.left_open, 'WARC file')} still open: a crawl is running, or was cut off.",
            "note",
        )
    if state.cut_off:
        yield Line(cut_off_sentence(state.cut_off), "note")
    if state.blobs:
        yield Line(state.away, "bad") if state.away else Line(f"Bytes are kept in {state.blobs}")
    for sentence in state.waiting:
        yield Line(sentence, "note")


def _blog_words(blog: BlogCount) -> str:
    days = span(blog.first, blog.last) or "no dates"
    return f"{blog.title}: {counted(blog.posts, 'post')}, {days}"


def _disk_line(free: int) -> Line:
    room = f"{shown_size(free)} free on the disk"
    return Line(f"{room}: little for a crawl.", "bad") if free < LITTLE_SPACE else Line(room)


def _next_lines(state: ArchiveState) -> Iterator[Line]:
    yield Line("Next", "")
    if state.cut_off:
        yield Line(f"{FINISH} erases what must go to the end.", "note")
    for address in state.interrupted:
        yield Line(f"blogforever crawl {address} goes on with an interrupted crawl.", "note")
    if state.waiting:
        yield Line("blogforever archive send sends what waits on this machine.", "note")
    if state.blogs:
        yield Line("blogforever verify checks every record of the archive.", "note")
        yield Line("blogforever export --format site copy makes a copy to read.", "note")
    else:
        yield Line(FIRST_CRAWL, "note")
