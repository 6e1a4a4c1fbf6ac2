"""blogforever update."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from blogforever import logs
from blogforever.archive.crawling import check
from blogforever.errors import UsageError
from blogforever.service.due import DueBlog, due_blogs
from blogforever.wording import counted, printable

from .configfile import config_flags, load_config
from .harvesting import crawl_all
from .helping import GroupedCommand
from .telling import told_json

# What belongs to the crawl of one blog, and to none that is known already.
NOT_HERE = ("moved_from", "apart", "replay", "reference", "since")
MINUTE = len("2026-11-16T08:00")


@click.command("update", cls=GroupedCommand)
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@click.option("--all", "everything", is_flag=True, help="All blogs of the archive, whether they are due or not.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: one line of JSON, for programs.")
@config_flags(of="crawl", but=NOT_HERE)
def command(blogs: tuple[str, ...], everything: bool, as_json: bool, **flags: Any) -> int:
    """Bring the blogs of the archive up to date: all that are due, or those that are named.

    A blog is due as the schedule of blogforever serve has it: soon after it usually posts, within a
    week at the latest, sooner or never where `blogforever schedule set` or `pause` says so. Called
    from cron each hour or each day it looks at what is due then. A blog that another command is
    writing is left out. --dry-run says what is due, and when the others are.

    \b
    blogforever update --archive blogs
    blogforever update some.blog other.blog
    blogforever update --archive blogs --quiet      from cron: says only what went wrong
    blogforever update --dry-run
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if blogs and everything:
        raise UsageError("Name blogs, or say --all, not both.")
    found = due_blogs(config.archive, blogs)
    if config.dry_run:
        _tell_plan(found, as_json)
        return 0
    chosen = [one.url for one in found if one.due or (everything and one.at is not None)]
    check(chosen, config)
    if chosen:
        return crawl_all(chosen, config)
    if not config.quiet:
        click.echo(_nothing_due(found))
    return 0


def _tell_plan(found: Sequence[DueBlog], as_json: bool) -> None:
    for line in [told_json({"items": found})] if as_json else _plan_lines(found):
        click.echo(line)


def _plan_lines(found: Sequence[DueBlog]) -> Iterator[str]:
    for one in found:
        when = "due" if one.due else (one.at or "never")[:MINUTE].replace("T", " ")
        yield f"{when:<{MINUTE}}  {printable(one.id)}  {printable(one.reason)}"
    yield f"{counted(sum(one.due for one in found), 'blog')} of {len(found):,} due."


def _nothing_due(found: Sequence[DueBlog]) -> str:
    if not found:
        return "The archive has no blogs yet; blogforever crawl URL adds one."
    planned = [one for one in found if one.at]
    if not planned:
        return f"Nothing is due, and nobody looks at any of {counted(len(found), 'blog')}; --dry-run says why."
    first = planned[0]
    when = (first.at or "")[:MINUTE].replace("T", " ")
    return f"Nothing is due. The next is {printable(first.id)}, at {when} UTC; --all looks at every blog now."
