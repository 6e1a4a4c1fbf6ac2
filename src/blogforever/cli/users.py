"""blogforever users."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.service.people import add_user, remove_user, set_password, set_role
from blogforever.storage.people import ROLES, Deed, User
from blogforever.storage.tables import Store

from .grouping import HELP, ListingGroup, asked_password, configured, person, reading, writing
from .telling import told_json

# Columns of the list: name, role, since, last log-in.
ROW = "{:<24} {:<8} {:<10}  {}"


@click.group("users", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """The people who log in to the portal, and what they may do there.

    \b
    blogforever users add ann --role admin           asks for the password, twice
    pass show ann | blogforever users add ann        takes it from standard input
    blogforever users role ann curator               viewer: look; curator: add, change, block; admin: everything
    blogforever users password ann                   another password; all sessions of ann's end
    blogforever users logout ann                     all sessions of ann's end
    blogforever users remove ann
    blogforever users                                who there is

    The first one is an admin. A password is never given as an option: others on the machine could read it.
    """


@command.command("add")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="viewer", show_default=True, help="What they may do.")
@writing
def add(name: str, role: str, as_json: bool, **flags: Any) -> None:
    """Let somebody log in."""
    password = asked_password()
    _decided(flags, as_json, "add user", name, role, lambda store: add_user(store, name, role, password, person()))


@command.command("list")
@reading
def list_users(as_json: bool, **flags: Any) -> None:
    """Who there is, what they may do, and when they were last here."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        users = archive.store.users.all()
    if as_json:
        click.echo(told_json({"items": [_told(user) for user in users], "next": None}))
        return
    for user in users:
        click.echo(_line(user))
    if not users:
        click.echo("Nobody logs in yet; blogforever users add NAME --role admin lets the first one.")


@command.command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
@writing
def change_role(name: str, role: str, as_json: bool, **flags: Any) -> None:
    """Let somebody do more, or less."""
    _decided(flags, as_json, "set role", name, role, lambda store: set_role(store, name, role))


@command.command("password")
@click.argument("name")
@writing
def change_password(name: str, as_json: bool, **flags: Any) -> None:
    """Give somebody another password; all sessions end."""
    password = asked_password()
    _decided(flags, as_json, "set password", name, "", lambda store: set_password(store, name, password))


@command.command("logout")
@click.argument("name")
@writing
def log_out(name: str, as_json: bool, **flags: Any) -> None:
    """End all sessions of somebody."""
    with open_archive(configured(flags).archive, writing=True) as archive:
        ended = archive.store.sessions.drop_all(name)
        archive.store.audit.add(Deed(clock.stamp(), person(), "log out", name, "everywhere"))
    click.echo(told_json({"ended": ended}) if as_json else f"Sessions ended: {ended}.")


@command.command("remove")
@click.argument("name")
@writing
def remove(name: str, as_json: bool, **flags: Any) -> None:
    """Let somebody log in no more."""
    _decided(flags, as_json, "remove user", name, "", lambda store: remove_user(store, name))


def _decided(
    flags: dict[str, Any], as_json: bool, what: str, name: str, detail: str, deed: Callable[[Store], User]
) -> None:
    """Do it, write it down, tell it."""
    with open_archive(configured(flags).archive, writing=True) as archive:
        user = deed(archive.store)
        archive.store.audit.add(Deed(clock.stamp(), person(), what, name, detail))
    click.echo(told_json(_told(user)) if as_json else _line(user))


def _line(user: User) -> str:
    return ROW.format(user.name, user.role, user.created[:10], f"here {user.seen}" if user.seen else "never here")


def _told(user: User) -> dict[str, Any]:
    """All but what is kept of the password, which is nobody's business."""
    return {name: value for name, value in asdict(user).items() if name != "password"}
