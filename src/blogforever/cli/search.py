"""blogforever search."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import HIGHLIGHT, Hit, search_posts
from blogforever.wording import counted, printable, spoken

from .configfile import config_flags, load_config
from .grouping import COUNT
from .working import shown_headway

USUAL_LIMIT = 20


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--blog", metavar="BLOG", help="Only this blog: its id, address, host or title.")
@click.option(
    "--limit",
    type=COUNT,
    default=USUAL_LIMIT,
    show_default=True,
    help="Show so many posts.",
)
@config_flags("archive")
def command(words: tuple[str, ...], blog: str | None, limit: int, **flags: Any) -> int:
    """Find the posts of the archive that hold all WORDS, best first.

    "Words in a row" are found in that row, word* finds what begins so. To leave out a word, write
    -- before the words and - before that one. Case and accents do not count.

    \b
    blogforever search copper lantern
    blogforever search '"copper lantern"' --blog some.blog
    blogforever search -- lantern -copper
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway():
        found = search_posts(config.archive, " ".join(words), blog, limit)
    for hit in found.hits:
        _print_hit(hit)
    click.echo(_closing(len(found.hits), limit))
    if found.waiting:
        some = f"{counted(found.waiting, 'post')} {'is' if found.waiting == 1 else 'are'}"
        click.echo(f"{some} not indexed yet: another command writes the archive, or it cannot be written.")
    return 0


def _print_hit(hit: Hit) -> None:
    when = spoken(hit.published, "")
    click.echo((_marked(hit.title) or "(no title)") + (f"  ({when})" if when else ""))
    click.echo(f"  {printable(hit.url)}")
    if hit.snippet.strip():
        click.echo(f"  {_marked(hit.snippet)}")
    click.echo()


def _closing(hits: int, limit: int) -> str:
    if not hits:
        return "Nothing was found."
    if hits == limit > 1:
        return f"The best {hits} posts; --limit shows more."
    return f"{hits} {'post' if hits == 1 else 'posts'}."


def _marked(text: str) -> str:
    """What was found stands bold; where the output is no terminal, click takes that out again."""
    on, off = click.style("|", bold=True, fg="yellow").split("|")
    return text.replace(HIGHLIGHT[0], on).replace(HIGHLIGHT[1], off)
