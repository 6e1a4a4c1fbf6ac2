"""blogforever spam."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from blogforever.errors import UsageError
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.repairing import repair
from blogforever.service.review import review_blogs
from blogforever.service.suspecting import decide_on_spam
from blogforever.storage.suspects import SpamDecision
from blogforever.wording import counted, printable

from .grouping import configured, person, writing
from .telling import told_json

DECISIONS: dict[str, SpamDecision] = {"block": "spam", "let in": "let in", "not spam": "not spam", "undo": ""}
# Why they are blocked.
SPAM = "spam"
# Blogs that are listed; who has more decides on these first.
SHOWN = 1000


@click.command("spam")
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@click.option("--block", "deed", flag_value="block", help="They are spam: nobody may follow them.")
@click.option("--let-in", "deed", flag_value="let in", help="Follow them all the same.")
@click.option("--not-spam", "deed", flag_value="not spam", help="They are no spam.")
@click.option("--undo", "deed", flag_value="undo", help="Take back what was decided of them.")
@writing
def command(blogs: tuple[str, ...], deed: str | None, as_json: bool, **flags: Any) -> int:
    """Blogs that are likely spam, with what speaks for it; decide on some of them.

    Nothing is blocked by itself. What only pings wanted rests until somebody has decided; what a
    person added is followed meanwhile.

    \b
    blogforever spam
    blogforever spam cheap-loans.example --block
    blogforever spam some.blog --not-spam
    """
    config = configured(flags)
    if not blogs and not deed:
        return _list(config.archive, as_json)
    if not blogs or not deed:
        raise UsageError("Name blogs, and say what they are: --block, --let-in, --not-spam, or --undo.")
    with opened_desk(config.archive, person(), config.wait) as desk:
        number = decide_on_spam(desk, blogs, DECISIONS[deed])
        if deed == "block":
            repair(desk, desk.store.followed.some(blogs), "block", SPAM)
    click.echo(told_json({"decided": number}) if as_json else f"Decided on {counted(number, 'blog')}.")
    return 0


def _list(archive: Path, as_json: bool) -> int:
    with opened_to_read(archive) as store:
        items = review_blogs(store, "spam", limit=SHOWN).items
    if as_json:
        click.echo(told_json({"items": items}))
        return 0
    for item in items:
        click.echo(f"{printable(item.id)}  {printable(item.url)}")
        for sign in item.signs:
            click.echo(f"    {sign.weight:.2f}  {printable(sign.says)}")
    if not items:
        click.echo("No blog is likely spam, or somebody has decided on all that were.")
    return 0
