"""blogforever outbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.service.outbox import (
    AskWish,
    ListedFile,
    OutboxView,
    add_account,
    ask_again,
    choose_for_account,
    list_files,
    listed_account,
    outbox_view,
    remove_account,
    set_account_password,
)
from blogforever.storage.outbox import OUTBOX_STATES, AccountChoice, OutboxAsk
from blogforever.storage.people import Deed
from blogforever.storage.searches import PostSearch
from blogforever.wording import counted

from .grouping import COUNT, HELP, ListingGroup, asked_password, configured, person, reading, writing
from .telling import told_json

# Files that are listed where nobody says how many, and as many as one list should hold.
USUAL, MOST = 50, 10_000
CHOSEN_BY = {
    "blog": "of this blog",
    "list": "of blogs in this list",
    "tag": "with this tag, or of blogs with it",
    "language": "in this language",
    "filter": "of blogs whose pings this filter takes",
}
Command = TypeVar("Command", bound=Callable[..., Any])
# Columns of the list: number, when, kind, size, state, post.
ROW = "{:>12}  {:<20}  {:<9}  {:>9}  {:<9}  {}"


@click.group("outbox", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Files that repositories fetch by FTP (serve --ftp-port N): one for each post that is new or has changed.

    \b
    blogforever outbox                               who fetches, what waits, what was asked for
    blogforever outbox add library                   an account; asks for the password, twice
    blogforever outbox files --state taken           which files there were, who fetched them and when
    blogforever outbox ask --after 4711              everything after file 4711 once more, for all accounts
    blogforever outbox ask --blog some.blog --account library
    blogforever outbox choose library --list physics --language de
    blogforever outbox password library
    blogforever outbox remove library

    Without an account nothing is made. A file waits for a day, and goes when all accounts have deleted it; by its
    number it can be asked for again for a month, by blog, list, tag or words always.
    """


@command.command("list")
@reading
def list_command(as_json: bool, **flags: Any) -> None:
    """Who fetches, what waits, and what was asked for."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        view = outbox_view(archive)
    click.echo(told_json(view) if as_json else _said(view))


@command.command("files")
@click.option("--state", type=click.Choice(OUTBOX_STATES), help="Only those of which this became.")
@click.option("--limit", type=click.IntRange(1, MOST), default=USUAL, show_default=True, help="How many at most.")
@click.option("--before", type=COUNT, help="Only those with a lower number.")
@reading
def files_command(state: str | None, limit: int, before: int | None, as_json: bool, **flags: Any) -> None:
    """Which files there are and were, newest first, and who fetched and deleted them."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        files, following = list_files(archive.store, limit, before, state or "")
    if as_json:
        click.echo(told_json({"items": files, "next": following}))
        return
    for file in files:
        click.echo(_line(file))


def choosing(function: Command) -> Command:
    """The options by which an account chooses posts."""
    for kind, what in reversed(CHOSEN_BY.items()):
        option = click.option(f"--{kind}", f"{kind}s", multiple=True, help=f"Only posts {what}; may be given again.")
        function = option(function)
    return function


def _choice(flags: dict[str, Any]) -> AccountChoice:
    return AccountChoice(**{f"{kind}s": flags.pop(f"{kind}s") for kind in CHOSEN_BY})


@command.command("add")
@click.argument("name")
@choosing
@writing
def add_command(name: str, as_json: bool, **flags: Any) -> None:
    """Let somebody fetch files, from now on: all, or those of some posts."""
    choice, password = _choice(flags), asked_password()
    with open_archive(configured(flags).archive, writing=True) as archive:
        account = add_account(archive, name, password, person(), choice)
        archive.store.audit.add(Deed(clock.stamp(), person(), "add ftp account", name))
        listed = listed_account(archive.store, account)
    said = f"{name} can fetch what is kept from now on; blogforever outbox ask has what is there already sent, too."
    click.echo(told_json(listed) if as_json else said)


@command.command("choose")
@click.argument("name")
@choosing
@writing
def choose_command(name: str, as_json: bool, **flags: Any) -> None:
    """Let an account have other posts, from now on; without options, all."""
    choice = _choice(flags)
    with open_archive(configured(flags).archive, writing=True) as archive:
        listed = listed_account(archive.store, choose_for_account(archive, name, choice))
        archive.store.audit.add(Deed(clock.stamp(), person(), "choose for ftp account", name))
    click.echo(told_json(listed) if as_json else f"{name} gets {_chosen(listed.choice)}, from now on.")


@command.command("password")
@click.argument("name")
@writing
def password_command(name: str, as_json: bool, **flags: Any) -> None:
    """Give an account another password."""
    password = asked_password()
    with open_archive(configured(flags).archive, writing=True) as archive:
        listed = listed_account(archive.store, set_account_password(archive.store, name, password))
        archive.store.audit.add(Deed(clock.stamp(), person(), "set ftp password", name))
    click.echo(told_json(listed) if as_json else f"{name} has another password.")


@command.command("remove")
@click.argument("name")
@writing
def remove_command(name: str, as_json: bool, **flags: Any) -> None:
    """Let somebody fetch no more."""
    with open_archive(configured(flags).archive, writing=True) as archive:
        listed = listed_account(archive.store, remove_account(archive.store, name))
        archive.store.audit.add(Deed(clock.stamp(), person(), "remove ftp account", name))
    click.echo(told_json(listed) if as_json else f"{name} fetches no more.")


@command.command("ask")
@click.option("--after", type=click.IntRange(0, 2**62), metavar="N", help="All files after this number.")
@click.option("--words", default="", help="Posts that hold these words.")
@click.option("--blog", default="", help="Posts of this blog.")
@click.option("--list", "list_name", default="", help="Posts of blogs in this list.")
@click.option("--tag", "tags", multiple=True, help="Posts with this tag.")
@click.option("--since", default="", metavar="DATE", help="Posts published since then.")
@click.option("--account", default="", help="Only for this account.")
@writing
def ask_command(after: int | None, account: str, as_json: bool, **flags: Any) -> None:
    """Have files made once more: by number, or by what their posts are."""
    search = PostSearch(
        flags.pop("words"), flags.pop("blog"), flags.pop("list_name"), tags=flags.pop("tags"), since=flags.pop("since")
    )
    wish = AskWish(after, None if search == PostSearch() else search, account)
    with open_archive(configured(flags).archive, writing=True) as archive:
        ask = ask_again(archive, wish, person())
        archive.store.audit.add(Deed(clock.stamp(), person(), "ask for files", str(ask.id), account))
    click.echo(told_json(ask) if as_json else f"Asked for, as number {ask.id}; the service makes them now.")


def _said(view: OutboxView) -> str:
    waiting = view.figures.states.get("waiting", 0)
    since = f", the oldest since {view.figures.oldest}" if view.figures.oldest else ""
    files = f"{counted(waiting, 'file')} with {view.figures.size:,} bytes"
    lines = [f"{files} waiting{since}; the newest is number {view.cursor}."]
    for account in view.accounts:
        here = f"last here {account.seen}" if account.seen else "never here"
        chosen = "" if account.choice.is_all else f"; gets {_chosen(account.choice)}"
        lines.append(f"{account.name}: {counted(account.waiting, 'file')} to fetch, {here}{chosen}")
    if not view.accounts:
        lines.append("Nobody fetches yet; blogforever outbox add NAME makes the first account.")
    return "\n".join([*lines, *map(_asked, view.asks)])


def _chosen(choice: AccountChoice) -> str:
    kinds = [f"{kind} {' or '.join(names)}" for kind in CHOSEN_BY if (names := getattr(choice, f"{kind}s"))]
    return f"posts by {', '.join(kinds)}" if kinds else "all posts"


def _asked(ask: OutboxAsk) -> str:
    what = f"after {ask.after}" if ask.search is None else "chosen posts"
    state = f"done {ask.ended}" if ask.ended else "under way"
    return f"asked {ask.at} by {ask.by or 'somebody'} ({what}): {counted(ask.files, 'file')}, {state}"


def _line(file: ListedFile) -> str:
    row = ROW.format(file.number, file.made[:19], file.kind, file.size, file.state, f"{file.blog} {file.post}")
    takings = [f"{one.account} {one.deleted or one.fetched}" for one in file.takings]
    return f"{row}  {', '.join(takings)}".rstrip()
