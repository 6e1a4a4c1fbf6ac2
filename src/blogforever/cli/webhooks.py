"""blogforever webhooks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from blogforever import clock
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.webhooks import HookWish, ListedHook, create_hook, drop_hook, list_hooks, send_again
from blogforever.storage.hooks import DeadLetter
from blogforever.storage.news import NEWS_KINDS
from blogforever.storage.people import Deed
from blogforever.wording import printable

from .grouping import HELP, NUMBER, ListingGroup, configured, person, reading, writing
from .telling import told_json

# Dead letters that are listed where nobody says how many.
USUAL = 50


@click.group("webhooks", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """Addresses that are told what becomes of posts: new, changed, moved, commented, missing, gone, back.

    \b
    blogforever webhooks add https://some.program/hook --event new --event changed --tag birds
    blogforever webhooks                     all of them, and how telling each goes
    blogforever webhooks drop ID             it is told nothing more
    blogforever webhooks dead                what was not taken, however often it was sent
    blogforever webhooks again 7             send one of these once more

    Without a further word it lists them. The secret that signs what is sent is shown once, when a webhook is made.
    Private and loopback addresses are told nothing, unless `serve` runs with --allow-private.
    """


@command.command("add")
@click.argument("url")
@click.option("--event", "events", multiple=True, type=click.Choice(NEWS_KINDS), help="Only these; all without it.")
@click.option("--blog", default="", metavar="ID", help="Only posts of this blog.")
@click.option("--list", "in_list", default="", metavar="NAME", help="Only posts of blogs in this list.")
@click.option("--tag", default="", metavar="TAG", help="Only posts of blogs with this tag.")
@click.option("--note", default="", help="What it is for.")
@writing
def add_command(
    url: str, events: tuple[str, ...], blog: str, in_list: str, tag: str, note: str, as_json: bool, **flags: Any
) -> None:
    """Tell an address from now on, and print the secret that signs it, this once."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        made = create_hook(desk, HookWish(url, events, blog, in_list, tag, note))
        desk.store.audit.add(Deed(clock.stamp(), who, "create webhook", made.id, made.url))
    click.echo(told_json(asdict(made)) if as_json else f"{made.id}\nsecret {made.secret}")


@command.command("list")
@reading
def list_command(as_json: bool, **flags: Any) -> None:
    """All webhooks, and how telling each goes."""
    with opened_to_read(configured(flags).archive) as store:
        hooks = list_hooks(store)
    if as_json:
        click.echo(told_json({"items": hooks, "next": None}))
        return
    for hook in hooks:
        click.echo(f"{hook.id}  {printable(hook.url)}\n    {_told(hook)}")
    if not hooks:
        click.echo("There are no webhooks; blogforever webhooks add URL makes one.")


@command.command("drop")
@click.argument("hook")
@writing
def drop_command(hook: str, as_json: bool, **flags: Any) -> None:
    """Tell it nothing more."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        drop_hook(desk, hook)
        desk.store.audit.add(Deed(clock.stamp(), who, "drop webhook", hook))
    click.echo(told_json({"dropped": hook}) if as_json else f"The webhook {hook} is told nothing more.")


@command.command("dead")
@click.option("--hook", default="", metavar="ID", help="Only those of this webhook.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="At most so many.")
@reading
def dead_command(hook: str, limit: int, as_json: bool, **flags: Any) -> None:
    """What was not taken, newest first."""
    with opened_to_read(configured(flags).archive) as store:
        letters = store.hooks.dead(limit, hook=hook)
    if as_json:
        click.echo(told_json({"items": letters, "next": None}))
        return
    for letter in letters:
        click.echo(_dead(letter))
    if not letters:
        click.echo("Everything was taken, or is still tried.")


@command.command("again")
@click.argument("letter", type=NUMBER)
@writing
def again_command(letter: int, as_json: bool, **flags: Any) -> None:
    """Send a dead letter once more; the running service does it."""
    config, who = configured(flags), person()
    with opened_desk(config.archive, who, config.wait) as desk:
        again = send_again(desk.store, letter)
        desk.store.audit.add(Deed(clock.stamp(), who, "send dead letter again", str(letter)))
    click.echo(told_json(again) if as_json else f"The letter {letter} is sent again as soon as the service runs.")


def _told(hook: ListedHook) -> str:
    stands = hook.standing
    words = f"{', '.join(hook.events) or 'all events'}; told {stands.sent:,} times"
    if stands.last_sent:
        words += f", last {stands.last_sent[:16]}"
    if stands.tries:
        why = stands.error or f"status {stands.status}"
        words += f"; not taken {stands.tries} times ({printable(why)}), again {stands.next_try[:16]}"
    return words


def _dead(letter: DeadLetter) -> str:
    why = letter.error or f"status {letter.status}"
    wanted = ", to be sent again" if letter.again else ""
    return f"{letter.id:>6}  {letter.at[:16]}  {letter.hook}  {letter.tries} tries{wanted}: {printable(why)}"
