"""blogforever stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import click

from blogforever.archive.opening import open_archive
from blogforever.service.counting import count_if_possible
from blogforever.service.statistics import Figures, PeriodLength, statistics_of
from blogforever.wording import printable, shown_size

from .grouping import HELP, configured, reading
from .telling import told_json

# Columns of the table: period, looks, requests, bytes, new, changed and gone posts, comments,
# failures.
ROW = "{:<13} {:>7} {:>9} {:>9} {:>7} {:>8} {:>6} {:>9} {:>9}"
HEAD = ROW.format("", "looks", "requests", "bytes", "new", "changed", "gone", "comments", "failures")


@click.command("stats", context_settings=HELP)
@click.option("--from", "first", default="", metavar="DAY", help="First year, month, day or hour (2030-01-31T09).")
@click.option("--to", "last", default="", metavar="DAY", help="Last one; today where nothing is said.")
@click.option("--by", type=click.Choice(get_args(PeriodLength)), default="day", show_default=True, help="Periods.")
@reading
def command(first: str, last: str, by: PeriodLength, as_json: bool, **flags: Any) -> None:
    """What was done and found in any range: looks, requests, bytes, posts, comments, failures, jobs.

    \b
    blogforever stats                                the last 30 days, day by day
    blogforever stats --from 2026-01 --by month      this year, month by month
    blogforever stats --from 2026-11-16 --by hour    one day, hour by hour

    Times are UTC. Periods in which nothing happened are left out here, and zero with --json.
    """
    config = configured(flags)
    count_if_possible(config.archive)
    with open_archive(config.archive, writing=False) as archive:
        told = statistics_of(archive.store, first, last, by)
    if as_json:
        click.echo(told_json(told))
        return
    click.echo(HEAD)
    for one in told.periods:
        if one.figures != Figures(blogs=one.figures.blogs):
            click.echo(_line(one.period, one.figures))
    click.echo(_line("in sum", told.total))
    for name in ("blogs", "jobs", "failures", "webhooks", "pings"):
        if counts := getattr(told.total, name):
            click.echo(f"{name}: {_listed(counts)}")


def _line(name: str, told: Figures) -> str:
    posts = [told.posts.get(kind, 0) for kind in ("new", "changed", "gone")]
    looks, failures = sum(told.looks.values()), sum(told.failures.values())
    return ROW.format(name, looks, told.requests, shown_size(told.bytes), *posts, told.comments, failures)


def _listed(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return printable(", ".join(f"{number:,} {label}" for label, number in ordered))
