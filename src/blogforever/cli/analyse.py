"""blogforever analyse."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from blogforever.archive.opening import is_archive
from blogforever.service.desk import opened_to_read
from blogforever.service.verdicts import analyse_address, told_verdict
from blogforever.wording import printable

from .configfile import config_flags
from .grouping import configured
from .telling import told_json


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--explain", is_flag=True, help="Also say why: every reason, and what it speaks for.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each address, with all reasons.")
@config_flags("archive", "replay", "delay", "timeout", "contact", "proxy", "allow_private", "log_level", "log_format")
def analyse(urls: tuple[str, ...], explain: bool, as_json: bool, **flags: Any) -> int:
    """Say what is at an address: blog, post, list, feed, shop, forum, documentation, spam ...

    Asks for a few pages and keeps nothing. Where there is an archive, what people decided there on
    hosts of the same make counts, too.

    \b
    blogforever analyse https://some.blog/2013/05/a-post/
    blogforever analyse some.shop --explain
    blogforever analyse some.blog other.blog --json
    """
    config = configured(flags)
    for url in urls:
        if is_archive(config.archive):
            with opened_to_read(config.archive) as store:
                verdict = asyncio.run(analyse_address(url, store, config))
        else:
            verdict = asyncio.run(analyse_address(url, None, config))
        told = told_verdict(verdict)
        if as_json:
            click.echo(told_json(told))
        else:
            _tell(told, explain)
    return 0


def _tell(told: dict[str, Any], explain: bool) -> None:
    """A verdict for people."""
    sure = f"{told['confidence']:.0%} sure, by {told['by']}"
    more = "" if told["kind"] == told["class"] else f"{told['class']}; "
    click.echo(printable(f"{told['url']}: {told['kind']} ({more}{sure})"))
    facts = {"home": told["root"], "title": told["title"], "post feed": told["post_feed"]}
    facts |= {"comment feeds": ", ".join(told["comment_feeds"])}
    if not explain:
        return
    for name, value in facts.items():
        if value:
            click.echo(printable(f"  {name}: {value}"))
    for shape in told["link_filter"].get("shapes", ()):
        click.echo(printable(f"  posts look like: /{shape}"))
    for reason in told["reasons"]:
        click.echo(printable(f"  {reason['kind']:<14} {reason['weight']:.2f}  {reason['says']}"))
