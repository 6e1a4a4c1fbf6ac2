"""blogforever ping."""

from __future__ import annotations

from typing import Any, get_args

import click

from blogforever import clock
from blogforever.errors import UsageError
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.pingagain import drop_letter, send_again_since, try_again
from blogforever.service.pinghooks import add_hook
from blogforever.service.pings import (
    LONGEST_EVERY,
    SHORTEST_EVERY,
    ListedServer,
    ServerWish,
    add_server,
    change_server,
    drop_server,
    list_servers,
    listed_server,
)
from blogforever.service.pingstats import ServerFigures, ping_statistics
from blogforever.service.statistics import PeriodLength
from blogforever.service.subscriptions import list_subscriptions, told_by_hub
from blogforever.storage.people import Deed
from blogforever.storage.pings import PingRow, ServerKind
from blogforever.wording import counted, printable

from .grouping import HELP, ListingGroup, configured, person, reading, writing
from .telling import told_json

# Pings that are listed where nobody says how many.
USUAL = 50
# Columns of the packages: when, received, malformed, filtered, known, unknown, server.
PACKAGE = "{:<19} {:>9} {:>9} {:>9} {:>7} {:>7}  {}"
EVERY = click.IntRange(SHORTEST_EVERY, LONGEST_EVERY)


@click.group("ping", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Places that tell of new posts: our own endpoint, files and streams of ping servers.

    \b
    blogforever ping                                              all servers, and how reading each goes
    blogforever ping add "Weblogs" http://ping.example/changes.xml --every 300
    blogforever ping add "The stream" ping.example:29999 --stream
    blogforever ping change ID --on --track-new                   new blogs too, by the filters
    blogforever ping change ours --limit-to-sources               only blogs that are followed
    blogforever ping hook gallery                                 a program that posts to /hooks/gallery, signed
    blogforever ping log                                          what came, and what became of it
    blogforever ping packages                                     the same, package by package
    blogforever ping stats --from 2026-11                         of each server and filter, over any range
    blogforever ping replay --since 2026-11-16                    once more through the filters of today
    blogforever ping log --state failed                           dead letters
    blogforever ping again 17                                     try one of them again; --all tries all
    blogforever ping subscriptions                                hubs that feeds name, and whether they tell us

    Without a further word it lists the servers. Blogs ping `serve` itself at /RPC2 (XML-RPC) and /ping.
    """


@command.command("add")
@click.argument("name")
@click.argument("place", metavar="URL|HOST:PORT")
@click.option("--stream", "is_stream", is_flag=True, help="A connection that never ends, at HOST:PORT.")
@click.option("--every", type=EVERY, default=300, show_default=True, help="Seconds between two looks at a file.")
@writing
def add_command(name: str, place: str, is_stream: bool, every: int, as_json: bool, **flags: Any) -> None:
    """Add a server, which is off until it is turned on."""
    config, who = configured(flags), person()
    kind: ServerKind = "stream" if is_stream else "changes"
    with opened_desk(config.archive, who, config.wait) as desk:
        made = add_server(desk, ServerWish(name, kind, place, every))
        desk.store.audit.add(Deed(clock.stamp(), who, "add ping server", made.id, made.url))
    click.echo(told_json(made) if as_json else f"{made.id}\nIt is off; blogforever ping change {made.id} --on")


@command.command("list")
@reading
def list_command(as_json: bool, **flags: Any) -> None:
    """All servers, and how reading each goes."""
    with opened_to_read(configured(flags).archive) as store:
        servers = list_servers(store)
    if as_json:
        click.echo(told_json({"items": servers, "next": None}))
        return
    for listed in servers:
        click.echo(_told(listed))


@command.command("change")
@click.argument("server", metavar="ID")
@click.option("--on/--off", "is_on", default=None, help="Read it, or not.")
@click.option(
    "--limit-to-sources/--track-new", "is_limited", default=None, help="Only followed blogs, or new ones too."
)
@click.option("--every", type=EVERY, default=None, help="Seconds between two looks at a file.")
@writing
def change_command(
    server: str, is_on: bool | None, is_limited: bool | None, every: int | None, as_json: bool, **flags: Any
) -> None:
    """Turn a server on or off; say whether it may bring new blogs."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        changed = change_server(desk, server, is_on=is_on, is_limited=is_limited, every=every)
        desk.store.audit.add(Deed(clock.stamp(), who, "change ping server", changed.id))
        listed = listed_server(desk.store, changed)
    click.echo(told_json(changed) if as_json else _told(listed))


@command.command("drop")
@click.argument("server", metavar="ID")
@writing
def drop_command(server: str, as_json: bool, **flags: Any) -> None:
    """Listen to it no more."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        drop_server(desk, server)
        desk.store.audit.add(Deed(clock.stamp(), who, "drop ping server", server))
    click.echo(told_json({"dropped": server}) if as_json else f"The server {server} is listened to no more.")


@command.command("log")
@click.option("--server", default="", metavar="ID", help="Only those of this server.")
@click.option("--state", type=click.Choice(["waiting", "done", "dropped", "failed"]), default=None, help="Only these.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=USUAL, show_default=True, help="At most so many.")
@reading
def log_command(server: str, state: str | None, limit: int, as_json: bool, **flags: Any) -> None:
    """What came, and what became of it, newest first."""
    with opened_to_read(configured(flags).archive) as store:
        rows = store.pings.newest(limit, server=server, state=state or "")
    if as_json:
        click.echo(told_json({"items": rows, "next": None}))
        return
    for row in rows:
        click.echo(_came(row))
    if not rows:
        click.echo("No ping has come; `blogforever ping` says from where they may.")


@command.command("hook")
@click.argument("name")
@writing
def hook_command(name: str, as_json: bool, **flags: Any) -> None:
    """Let a program post pings to /hooks/NAME, and print the secret that signs them, this once."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        made = add_hook(desk, name)
        desk.store.audit.add(Deed(clock.stamp(), who, "add ping hook", made.server.id, made.server.name))
    click.echo(told_json(made) if as_json else f"{made.server.id}\nsecret {made.secret}")


@command.command("packages")
@click.option("--server", default="", metavar="ID", help="Only those of this server.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="At most so many.")
@reading
def packages_command(server: str, limit: int, as_json: bool, **flags: Any) -> None:
    """What came in each package, newest first: a file, or a minute of a stream or an endpoint."""
    with opened_to_read(configured(flags).archive) as store:
        packages = store.pings.packages(limit, server=server)
    if as_json:
        click.echo(told_json({"items": packages, "next": None}))
        return
    click.echo(PACKAGE.format("", "received", "malformed", "filtered", "known", "unknown", "server"))
    for one in packages:
        numbers = (one.received, one.malformed, one.filtered, one.known, one.unknown)
        click.echo(PACKAGE.format(one.at[:19], *numbers, printable(one.server)))


@command.command("stats")
@click.option("--from", "first", default="", metavar="DAY", help="First year, month, day or hour (2030-01-31T09).")
@click.option("--to", "last", default="", metavar="DAY", help="Last one; today where nothing is said.")
@click.option("--by", type=click.Choice(get_args(PeriodLength)), default="day", show_default=True, help="Periods.")
@click.option("--server", default="", metavar="ID", help="Only this server.")
@reading
def stats_command(first: str, last: str, by: PeriodLength, server: str, as_json: bool, **flags: Any) -> None:
    """What pings led to, and missed, over any range: of each server, and of each filter."""
    with opened_to_read(configured(flags).archive) as store:
        told = ping_statistics(store, first, last, by, server)
    if as_json:
        click.echo(told_json(told))
        return
    click.echo(f"From {told.first} to {told.last}:")
    for one in told.servers:
        click.echo(f"{one.server}  {printable(one.name)}\n    {_counted(one.figures)}")
    for each in told.filters:
        words = (
            f"{counted(each.hits, 'hit')}, {counted(each.blogs, 'new blog')}, {counted(each.posts, 'post')} of these"
        )
        click.echo(f"{each.filter}  filter {printable(each.name)}\n    {words}")
    if not told.servers:
        click.echo("No ping came in this time.")


@command.command("replay")
@click.option("--since", required=True, metavar="TIME", help="From this day or moment on (2030-01-31T09:30, UTC).")
@click.option("--server", default="", metavar="ID", help="Only those of this server.")
@writing
def replay_command(since: str, server: str, as_json: bool, **flags: Any) -> None:
    """Sort kept pings by the filters and the source list of today; what they let in is followed up."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        sent = send_again_since(desk.store, since, server)
        desk.store.audit.add(Deed(clock.stamp(), who, "send pings again", server, f"since {since}"))
    words = f"Of {counted(sent.read, 'ping')} {sent.waiting:,} wait now to be followed up by serve."
    click.echo(told_json(sent) if as_json else words)


@command.command("again")
@click.argument("number", type=click.IntRange(1, 2**62), required=False)
@click.option("--all", "all_of_them", is_flag=True, help="Every dead letter.")
@writing
def again_command(number: int | None, all_of_them: bool, as_json: bool, **flags: Any) -> None:
    """Try a ping again that came to nothing by a fault."""
    if (number is None) != all_of_them:
        raise UsageError("Name one dead letter, or say --all.")
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        again = try_again(desk.store, number)
        desk.store.audit.add(Deed(clock.stamp(), who, "try pings again", str(number or "all")))
    click.echo(told_json({"again": again}) if as_json else f"Tried again: {counted(again, 'ping')}.")


@command.command("bury")
@click.argument("number", type=click.IntRange(1, 2**62))
@writing
def bury_command(number: int, as_json: bool, **flags: Any) -> None:
    """Drop a ping that came to nothing by a fault: nobody wants anything done with it."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        drop_letter(desk.store, number, who)
        desk.store.audit.add(Deed(clock.stamp(), who, "drop ping", str(number)))
    click.echo(told_json({"dropped": number}) if as_json else f"Dropped: ping {number}.")


def _counted(figures: ServerFigures) -> str:
    delay = f", {figures.delay:g} s after the ping" if figures.delay is not None else ""
    return (
        f"received {figures.received:,}, malformed {figures.malformed:,}, filtered {figures.filtered:,}, "
        f"known {figures.known:,}, unknown {figures.unknown:,}; {counted(figures.looks, 'look')}, "
        f"{counted(figures.posts, 'new post')}{delay}; {counted(figures.missed, 'new post')} missed; "
        f"{counted(figures.blogs, 'new blog')}"
    )


@command.command("subscriptions")
@click.option("--limit", type=click.IntRange(1, 100_000), default=USUAL, show_default=True, help="Of so many blogs.")
@click.option("--after", default="", metavar="BLOG", help="Those behind this blog.")
@reading
def subscriptions_command(limit: int, after: str, as_json: bool, **flags: Any) -> None:
    """Hubs and clouds that were asked to tell of new posts, blog by blog."""
    with opened_to_read(configured(flags).archive) as store:
        found = list_subscriptions(store, limit, after)
    if as_json:
        click.echo(told_json({"items": found, "next": None}))
        return
    for one in found:
        click.echo(f"{one.blog}  {printable(one.hub)}\n    {printable(told_by_hub(one))}")
    if not found:
        click.echo("No hub was asked; feeds name theirs, and `serve` needs --public-url to be called.")


def _told(server: ListedServer) -> str:
    stands = server.standing
    words = f"{'on' if server.is_on else 'off'}, {'only followed blogs' if server.is_limited else 'new blogs too'}"
    if stands.last_read:
        words += f", last read {stands.last_read[:16]}"
    if stands.error:
        words += f"; failed {stands.tries} times: {printable(stands.error)}"
    place = f"/hooks/{server.url} of serve" if server.kind == "hook" else server.url or "/RPC2 and /ping of serve"
    return f"{server.id}  {printable(server.name)}  {printable(place)}\n    {words}"


def _came(row: PingRow) -> str:
    blog = f" ({row.blog})" if row.blog else ""
    number = f" [{row.id}]" if row.state == "failed" else ""
    return f"{row.at[:19]}  {row.state:8}{number} {printable(row.url)}{blog}  {printable(row.reason)}"
