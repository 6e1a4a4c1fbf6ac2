"""blogforever schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from blogforever.errors import UsageError
from blogforever.schedule.policies import PolicyScope
from blogforever.schedule.words import hours_of, policy_said, seconds_of
from blogforever.service.desk import Desk, opened_desk, opened_to_read
from blogforever.service.schedules import (
    BlogSchedule,
    Many,
    PolicyChange,
    Week,
    look_now,
    pause,
    resume,
    set_policy,
    show_schedule,
    soonest,
    week_ahead,
)
from blogforever.storage.following import FollowedBlog
from blogforever.wording import counted, in_english, printable

from .grouping import HELP, ListingGroup, configured, person, reading, writing
from .telling import told_json

USUAL = 20
MINUTE = len("2026-11-16T08:00")
"""Characters of a moment down to its minute."""


@click.group("schedule", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """When each followed blog is looked at next, and why.

    The service decides that by itself: by how often a blog posts, on which days and at which hours,
    by what the blog wishes, by what the last looks brought. It can be told otherwise.

    \b
    blogforever schedule                              the next looks, soonest first
    blogforever schedule some.blog                    one blog: when, why, its last looks
    blogforever schedule set some.blog --every 6h     every six hours
    blogforever schedule set --tag news --at-most 2h  all with this tag, later ones too
    blogforever schedule set --all --quiet-hours 22-6 no looks at night (UTC)
    blogforever schedule set some.blog --free         as the service thinks best again
    blogforever schedule now some.blog                look now
    blogforever schedule pause --list "By 2011-11"    rest, until `schedule resume`
    blogforever schedule forecast                     how many looks the week will take

    Every one of them has --json.
    """


@command.command("list")
@click.argument("blog", required=False)
@click.option("--limit", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="At most so many.")
@reading
def list_command(blog: str | None, limit: int, as_json: bool, **flags: Any) -> None:
    """The next looks, soonest first; or all about the looks at BLOG."""
    with opened_to_read(configured(flags).archive) as store:
        if blog:
            found = show_schedule(store, blog)
            _tell(found, as_json, _blog_lines(found))
            return
        planned = soonest(store, limit)
    _tell({"items": planned}, as_json, map(_line, planned) if planned else ["No look is planned."])


def _many(function: Callable[..., Any]) -> Callable[..., Any]:
    """The ways to say which blogs are meant."""
    for option in (
        click.option("--all", "everything", is_flag=True, help="All blogs."),
        click.option("--service", metavar="HOST", help="Those of a service, such as wordpress.com."),
        click.option("--tag", metavar="TAG", help="Those with a tag."),
        click.option("--list", "list_name", metavar="NAME", help="Those of a list."),
        click.argument("blogs", nargs=-1, metavar="[BLOG]..."),
    ):
        function = option(function)
    return function


def _meant(
    blogs: tuple[str, ...], list_name: str | None, tag: str | None, service: str | None, everything: bool
) -> Many:
    scopes: list[tuple[PolicyScope, str | None]] = [("list", list_name), ("tag", tag), ("service", service)]
    chosen = [Many((), scope, name) for scope, name in scopes if name]
    chosen += [Many((), "all")] if everything else []
    chosen += [Many(blogs)] if blogs else []
    if len(chosen) != 1:
        raise UsageError("Say in one way which blogs are meant: by name, or --list, --tag, --service or --all.")
    return chosen[0]


@command.command("set")
@_many
@click.option("--every", metavar="TIME", help="Look so often: 30min, 6h, 2d, 1w.")
@click.option("--at-least", metavar="TIME", help="Leave so much time between looks, at least.")
@click.option("--at-most", metavar="TIME", help="Leave no more time between looks.")
@click.option("--quiet-hours", metavar="HOURS", help="Hours of the day (UTC) without looks: 22-6, or 1,2,3, or none.")
@click.option("--priority", type=click.IntRange(0, 9), help="Above 0: before others that are due.")
@click.option("--free", is_flag=True, help="Take back what was set.")
@writing
def set_command(
    every: str | None,
    at_least: str | None,
    at_most: str | None,
    quiet_hours: str | None,
    priority: int | None,
    free: bool,
    as_json: bool,
    **words: Any,
) -> None:
    """Say how these blogs are looked at.

    What is set for a list, a tag, a service or all holds also for blogs that come later; what is
    set for a blog itself counts before that.
    """
    hours = hours_of(quiet_hours) if quiet_hours is not None else None
    change = PolicyChange(seconds_of(every), seconds_of(at_least), seconds_of(at_most), hours, priority, free)
    if change == PolicyChange():
        raise UsageError("Say what is to be set: --every, --at-least, --at-most, --quiet-hours, --priority or --free.")
    count = _decide(words, lambda desk, many: set_policy(desk, many, change))
    _tell({"planned": count}, as_json, [f"Set; {counted(count, 'blog')} planned anew."])


@command.command("pause")
@_many
@writing
def pause_command(as_json: bool, **words: Any) -> None:
    """Let these blogs rest until they are resumed."""
    count = _decide(words, pause)
    _tell({"paused": count}, as_json, [f"Paused: {counted(count, 'blog')}."])


@command.command("resume")
@_many
@writing
def resume_command(as_json: bool, **words: Any) -> None:
    """Look at these blogs again, at once."""
    count = _decide(words, resume)
    _tell({"resumed": count}, as_json, [f"Resumed: {counted(count, 'blog')}."])


@command.command("now")
@_many
@writing
def now_command(as_json: bool, **words: Any) -> None:
    """Look at these blogs before all others; a running `blogforever serve` does it."""
    count = _decide(words, look_now)
    _tell({"queued": count}, as_json, [f"In the queue, before all others: {counted(count, 'blog')}."])


@command.command("forecast")
@reading
def forecast_command(as_json: bool, **flags: Any) -> None:
    """How many looks the next seven days will take, if all blogs go on as they do now."""
    with opened_to_read(configured(flags).archive) as store:
        week = week_ahead(store)
    _tell(week, as_json, _week_lines(week))


def _decide(words: dict[str, Any], do: Callable[[Desk, Many], int]) -> int:
    """Do something with the blogs that are meant."""
    names = ("blogs", "list_name", "tag", "service", "everything")
    many = _meant(*(words.pop(name) for name in names))
    config = configured(words)
    with opened_desk(config.archive, person(), config.wait) as desk:
        return do(desk, many)


def _tell(value: Any, as_json: bool, lines: Any) -> None:
    for line in [told_json(value)] if as_json else lines:
        click.echo(line)


def _line(blog: FollowedBlog) -> str:
    """One planned look: when, of which blog, why."""
    return f"{_minute(blog.next_look)}  {printable(blog.id)}  {printable(blog.next_reason)}".rstrip()


def _minute(moment: str | None) -> str:
    return (moment or "")[:MINUTE].replace("T", " ")


def _blog_lines(found: BlogSchedule) -> Iterator[str]:
    blog = found.blog
    yield f"{printable(blog.url)}: {blog.state}" + (f" ({printable(blog.reason)})" if blog.reason else "")
    if blog.next_look:
        yield f"next look  {_minute(blog.next_look)} UTC: {printable(blog.next_reason)}"
    else:
        yield "next look  none" + (f": {printable(blog.next_reason)}" if blog.next_reason else "")
    yield f"rhythm     {found.rhythm}"
    if policy := in_english(policy_said(found.policy)):
        yield f"policy     {policy}"
    if found.missed_by_pings:
        yield f"pings      missed {counted(found.missed_by_pings, 'post')} that looks found"
    for look in found.looks:
        brought = f"{look.found} new, {look.changed} changed, {counted(look.requests, 'request')}"
        yield f"{_minute(look.at)}  {look.outcome:<11}  {brought}"


def _week_lines(week: Week) -> Iterator[str]:
    yield f"{counted(week.blogs, 'blog')} to be looked at"
    for load in week.days:
        yield f"{load.day:%a %Y-%m-%d}  {counted(load.looks, 'look')}, {load.fullest_hour} in the fullest hour"
