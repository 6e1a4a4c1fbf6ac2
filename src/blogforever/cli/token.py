"""blogforever token."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from blogforever import clock
from blogforever.archive.opening import open_archive
from blogforever.service.tokens import create_token, revoke_token
from blogforever.storage.people import SCOPES, Deed, Token

from .grouping import HELP, ListingGroup, configured, person, reading, writing
from .telling import told_json

# Columns of the list: name, scope, made, last used.
ROW = "{:<24} {:<7} {:<10}  {}"


@click.group("token", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Keys to the service's API. A program sends one with each request: Authorization: Bearer TOKEN.

    \b
    blogforever token create reader                  may look at everything
    blogforever token create desk --scope curate     may also add, change and block blogs
    blogforever token create me --scope admin        may also pause the service and make tokens
    blogforever token list                           who has one, and when it was last used
    blogforever token revoke desk                    it opens nothing any more

    A token is shown once, when it is made; only its digest is kept. Without a further word it lists
    them.
    """


@command.command("create")
@click.argument("name")
@click.option("--scope", type=click.Choice(SCOPES), default="read", show_default=True, help="What it allows.")
@writing
def create(name: str, scope: str, as_json: bool, **flags: Any) -> None:
    """Make a token and print it, this once."""
    who = person()
    with open_archive(configured(flags).archive, writing=True) as archive:
        made = create_token(archive.store, name, scope, who)
        archive.store.audit.add(Deed(clock.stamp(), who, "create token", name, scope))
    click.echo(told_json(_told(made.token) | {"token": made.secret}) if as_json else made.secret)


@command.command("list")
@reading
def list_tokens(as_json: bool, **flags: Any) -> None:
    """Who has one, what it allows, and when it was last used."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        tokens = archive.store.tokens.all()
    if as_json:
        click.echo(told_json({"items": [_told(token) for token in tokens], "next": None}))
        return
    for token in tokens:
        used = f"used {token.used}" if token.used else "never used"
        click.echo(ROW.format(token.name, token.scope, token.created[:10], used))
    if not tokens:
        click.echo("There are no tokens; blogforever token create NAME makes one.")


@command.command("revoke")
@click.argument("name")
@writing
def revoke(name: str, as_json: bool, **flags: Any) -> None:
    """Let a token open nothing any more."""
    who = person()
    with open_archive(configured(flags).archive, writing=True) as archive:
        revoke_token(archive.store, name)
        archive.store.audit.add(Deed(clock.stamp(), who, "revoke token", name))
    click.echo(told_json({"revoked": name}) if as_json else f"The token {name} opens nothing any more.")


def _told(token: Token) -> dict[str, Any]:
    """All but the digest, which is nobody's business."""
    return {name: value for name, value in asdict(token).items() if name != "digest"}
