"""blogforever missing."""

from __future__ import annotations

from typing import Any

import click

from blogforever.archive.whatsnew import Lacking, list_missing
from blogforever.wording import counted, printable

from .advice import advice_for
from .grouping import configured, reading
from .telling import told_json

ANNOUNCED = "announced"
# Posts of which the blog only has the address, and what is to be known of them.
NOWHERE = ("status 404", "status 410")
NOT_THERE = "The blog names pages that are not there (404, 410): every update asks for them again."


@click.command("missing")
@click.argument("blog", metavar="BLOG")
@reading
def command(blog: str, as_json: bool, **flags: Any) -> int:
    """What the archive lacks of a BLOG, and why.

    Posts that the blog announces and that could not be captured; posts it no longer has (the archive
    keeps them); and what else failed in its last crawl. Ends with 1 where announced posts are missing.

    \b
    blogforever missing some.blog
    blogforever missing some.blog --json
    """
    found = list_missing(configured(flags).archive, blog)
    if as_json:
        click.echo(told_json({"items": found}))
    else:
        for one in found:
            click.echo(_line(one))
        click.echo(_closing(found))
    return 1 if any(one.what == ANNOUNCED for one in found) else 0


def _line(one: Lacking) -> str:
    why = ", ".join(printable(part) for part in (one.reason, one.detail) if part)
    return f"{one.what:<9}  {printable(one.url)}  ({why})"


def _closing(found: list[Lacking]) -> str:
    if not found:
        return "Nothing is missing."
    counts = {what: sum(one.what == what for one in found) for what in (ANNOUNCED, "missing", "gone", "failed")}
    told = ", ".join(f"{number:,} {what}" for what, number in counts.items() if number)
    hints = dict.fromkeys(hint for one in found if (hint := _advice(one)))
    return f"{counted(len(found), 'address', 'addresses')}: {told}." + "".join(f"\n{hint}" for hint in hints)


def _advice(one: Lacking) -> str:
    """What can be done about it; nobody has typed the address of a post that the blog itself announces."""
    return NOT_THERE if one.reason in NOWHERE else advice_for(one.reason)
