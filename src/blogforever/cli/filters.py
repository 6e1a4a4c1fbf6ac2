"""blogforever filters."""

from __future__ import annotations

from typing import IO, Any

import click

from blogforever import clock
from blogforever.ping.filters import Conditions
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.filterfiles import LARGEST_FILE, export_json, import_filters, read_filters, take_back
from blogforever.service.pings import (
    FilterTrial,
    FilterWish,
    ListedFilter,
    drop_filter,
    keep_filter,
    list_filters,
    try_filter,
)
from blogforever.storage.people import Deed
from blogforever.storage.pings import FilterChange
from blogforever.wording import counted, printable

from .grouping import HELP, NUMBER, ListingGroup, configured, person, reading, writing
from .telling import told_json

# Changes that are listed where nobody says how many.
USUAL = 50


@click.group("filters", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Which pings of unknown blogs are let in: a tree of filters on address or name.

    \b
    blogforever filters add Science science physics               any of these words
    blogforever filters add BlogSpot "*.blogspot.com/*" --wildcards
    blogforever filters add "No shops" casino --exclude --below ID
    blogforever filters try Science science                       on the pings that came last; nothing is kept
    blogforever filters drop ID                                   and those below it
    blogforever filters export > filters.json                     to be kept elsewhere
    blogforever filters import filters.json
    blogforever filters history                                   who changed what
    blogforever filters back 7                                    as it was before that change

    Without a further word it lists them. One below another of its kind narrows it, one of the other kind is an
    exception of it. A ping is let in where a filter at the top takes it, and none at the top excludes it.
    """


def wished(function: Any) -> Any:
    """What a filter says, as arguments and options."""
    for option in (
        click.option(
            "--has-feed/--has-no-feed", "has_feed", default=None, help="Only pings that name a feed, or none."
        ),
        click.option(
            "--domain", "domains", multiple=True, metavar="END", help="Only hosts that end so: de, blog.example."
        ),
        click.option(
            "--platform",
            "platforms",
            multiple=True,
            metavar="NAME",
            help="Only blogs on it: wordpress, blogger; of a host of its own, known after the first harvest.",
        ),
        click.option(
            "--language",
            "languages",
            multiple=True,
            metavar="CODE",
            help="Only blogs in it (de, pt-BR), known after the first harvest; others go to Review.",
        ),
        click.option("--order", type=NUMBER, default=0, help="Lower ones are tried first."),
        click.option("--below", "parent", default=None, metavar="ID", help="Stand below this filter."),
        click.option("--exclude", "excludes", is_flag=True, help="What it takes is left out."),
        click.option("--name-of-blog", "by_name", is_flag=True, help="Look at the blog's name, not its address."),
        click.option("--expression", "kind", flag_value="expression", help="A regular expression (RE2)."),
        click.option("--wildcards", "kind", flag_value="wildcards", help="With * and ?, for the whole address."),
        click.argument("pattern", nargs=-1, required=True),
        click.argument("name"),
    ):
        function = option(function)
    return function


@command.command("add")
@wished
@writing
def add_command(as_json: bool, **words: Any) -> None:
    """Make a filter; it acts at once."""
    wish, flags = _split(words)
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        made = keep_filter(desk, wish)
        desk.store.audit.add(Deed(clock.stamp(), who, "add filter", made.id, made.name))
    click.echo(told_json(made) if as_json else made.id)


@command.command("try")
@wished
@reading
def try_command(as_json: bool, **words: Any) -> None:
    """What a filter would have done with the pings that came last."""
    wish, flags = _split(words)
    with opened_to_read(configured(flags).archive) as store:
        trial = try_filter(store, wish)
    click.echo(told_json(trial) if as_json else _tried(trial))


@command.command("list")
@reading
def list_command(as_json: bool, **flags: Any) -> None:
    """All filters, in their order."""
    with opened_to_read(configured(flags).archive) as store:
        filters = list_filters(store)
    if as_json:
        click.echo(told_json({"items": filters, "next": None}))
        return
    for listed in filters:
        click.echo(_told(listed))
    if not filters:
        click.echo("There are no filters, so no unknown blog is let in; blogforever filters add makes one.")


@command.command("drop")
@click.argument("one", metavar="ID")
@writing
def drop_command(one: str, as_json: bool, **flags: Any) -> None:
    """Drop a filter and those below it."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        dropped = drop_filter(desk, one)
        desk.store.audit.add(Deed(clock.stamp(), who, "drop filter", one))
    click.echo(told_json({"dropped": dropped}) if as_json else f"Dropped: {counted(len(dropped), 'filter')}.")


@command.command("export")
@reading
def export_command(as_json: bool, **flags: Any) -> None:
    """All filters as JSON."""
    with opened_to_read(configured(flags).archive) as store:
        click.echo(export_json(store), nl=False)


@command.command("import")
@click.argument("file", type=click.File("rb"))
@writing
def import_command(file: IO[bytes], as_json: bool, **flags: Any) -> None:
    """Make the filters of a file, or change those of the same id; all, or none where one is wrong."""
    config, who = configured(flags), person()
    given = read_filters(file.read(LARGEST_FILE + 1))
    with opened_desk(config.archive, who, config.wait) as desk:
        brought = import_filters(desk, given)
        desk.store.audit.add(Deed(clock.stamp(), who, "import filters", "", str(len(given.filters))))
    words = f"New: {brought.new:,}; changed: {brought.changed:,}; the same as before: {brought.same:,}."
    click.echo(told_json(brought) if as_json else words)


@command.command("history")
@click.option("--filter", "one", default="", metavar="ID", help="Only of this one.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="At most so many.")
@reading
def history_command(one: str, limit: int, as_json: bool, **flags: Any) -> None:
    """Who changed what, newest first."""
    with opened_to_read(configured(flags).archive) as store:
        changes = store.ping_filters.changes(limit, one=one)
    if as_json:
        click.echo(told_json({"items": changes, "next": None}))
        return
    for change in changes:
        click.echo(_changed(change))
    if not changes:
        click.echo("Nothing was ever changed.")


@command.command("back")
@click.argument("number", type=click.IntRange(1, 2**62))
@writing
def back_command(number: int, as_json: bool, **flags: Any) -> None:
    """Have a filter as it was before a change."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        change = take_back(desk, number)
        desk.store.audit.add(Deed(clock.stamp(), who, "take back filter", change.filter, str(number)))
    click.echo(told_json(change) if as_json else f"The filter {change.filter} is as it was before.")


def _changed(change: FilterChange) -> str:
    what = "made" if change.before is None else "dropped" if change.after is None else "changed"
    one = change.after or change.before
    name = printable(one.name) if one else ""
    pattern = f": {printable(one.pattern)}" if one else ""
    return f"{change.id:>5}  {change.at[:16]}  {printable(change.by)}  {what} {name}{pattern}"


def _split(words: dict[str, Any]) -> tuple[FilterWish, dict[str, Any]]:
    """What a filter says, and the options that every command has."""
    wish = FilterWish(
        words.pop("name"),
        " ".join(words.pop("pattern")),
        words.pop("kind") or "words",
        "name" if words.pop("by_name") else "address",
        words.pop("excludes"),
        words.pop("parent"),
        words.pop("order"),
        conditions=Conditions(
            domains=words.pop("domains"),
            has_feed=words.pop("has_feed"),
            platforms=tuple(map(str.casefold, words.pop("platforms"))),
            languages=words.pop("languages"),
        ),
    )
    return wish, words


def _told(one: ListedFilter) -> str:
    what = f"{'excludes' if one.excludes else 'lets in'} by {one.subject}, {one.kind}: {printable(one.pattern)}"
    below = f", below {one.parent}" if one.parent else ""
    last = f", last {one.last_hit[:16]}" if one.last_hit else ""
    state = "" if one.is_on else " (off)"
    return f"{one.id}  {printable(one.name)}{state}\n    {what}{below}; {counted(one.hits, 'hit')}{last}"


def _tried(trial: FilterTrial) -> str:
    more = "more" if trial.blogs_a_day >= 0 else "fewer"
    lines = [
        f"Of {counted(trial.tried, 'ping')} that came last it takes {trial.taken:,}; with the others {trial.let_in:,}"
        f" would be let in, about {abs(trial.blogs_a_day):g} {more} blogs a day.",
        *(f"  {printable(url)}" for url in trial.examples),
    ]
    return "\n".join(lines)
