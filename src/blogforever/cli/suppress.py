"""blogforever suppress."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from blogforever import logs
from blogforever.archive.notices import finished_sentence
from blogforever.archive.opening import finish_erasures
from blogforever.archive.suppressing import Meant, foresee_hiding, foresee_suppressing, list_hidden, suppress
from blogforever.care.decisions import Hidden
from blogforever.config import Config
from blogforever.wording import day_of

from .configfile import config_flags, load_config
from .hiding import foreseen_lines, hidden_lines, remaining_lines, suppressed_sentence, target_options
from .working import shown_headway


@click.command("suppress")
@click.argument("target", required=False, metavar="[TARGET]")
@target_options
@click.option(
    "--erase",
    is_flag=True,
    help="Also take it out of the WARC files, the database and all the rest, for good.",
)
@click.option(
    "--dry-run",
    "-n",
    is_flag=True,
    help="Say what would be hidden, or with --erase what would go and what would stay, and touch nothing.",
)
@click.option("--finish", is_flag=True, help="Erase to the end what an earlier command was kept from erasing.")
@click.option("--list", "listed", is_flag=True, help="Show what is hidden.")
@config_flags("archive", "wait", "log_level", "log_format", "quiet")
def command(
    target: str | None,
    reason: str,
    kind: str | None,
    blog: str | None,
    erase: bool,
    finish: bool,
    listed: bool,
    **flags: Any,
) -> int:
    """Hide a post, a comment, everything by an author, or a blog; erase it, or only some words.

    TARGET is the address or id of a post, the id or address of a comment, the id or address of a
    blog, or with --kind author a name. It is hidden at once from list, show, search, static copies
    and every export, and stays hidden after new crawls and after reextract. The archive keeps it;
    unsuppress shows it again.

    With --erase the archive does not keep it: the WARC files are written again without its
    responses, and its words are made unreadable wherever else they were captured (feeds, list
    pages, other posts). There is no way back. Where that is cut off, it stays hidden, and --finish
    (or any command that writes to that blog) goes on with it. --dry-run shows beforehand what will
    be hidden, or what will go: posts, comments, responses by their addresses, files. In the end it
    is said what was not reached, by design. With --kind words TARGET is a sentence, four words or
    more: it becomes unreadable wherever it stands, and everything around it stays.

    \b
    blogforever suppress https://some.blog/2013/04/a-post/ --reason "the author asked, letter of 3 May"
    blogforever suppress --kind author "Jane Doe" --blog some.blog --reason "she asked"
    blogforever suppress https://some.blog/2013/04/a-post/ --erase --reason "court order 12/2026"
    blogforever suppress https://some.blog/2013/04/a-post/ --erase --dry-run
    blogforever suppress --kind words "She lives at 12 Mill Lane." --blog some.blog --erase --reason "she asked"
    blogforever suppress --finish
    blogforever suppress --list
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if finish:
        with shown_headway(config.quiet):
            done = finish_erasures(config.archive, wait=config.wait)
        _print(map(finished_sentence, done), "Nothing was left to be erased.")
        return 0
    if listed or target is None:
        _print(map(_hidden_line, list_hidden(config.archive)), "Nothing is hidden.")
        return 0
    meant = Meant(target, kind, blog)
    if config.dry_run:
        return _foresee(config, meant, erase)
    with shown_headway(config.quiet):
        hidden = suppress(config.archive, meant, reason, erase=erase, wait=config.wait)
    click.echo(suppressed_sentence(hidden))
    if hidden.remaining is not None:
        _print(remaining_lines(hidden.remaining), "")
    return 0


def _foresee(config: Config, meant: Meant, erase: bool) -> int:
    with shown_headway(config.quiet):
        if not erase:
            _print(hidden_lines(*foresee_hiding(config.archive, meant)), "")
            return 0
        target, foreseen, remaining = foresee_suppressing(config.archive, meant)
    _print(foreseen_lines(target, foreseen), "")
    _print(remaining_lines(remaining), "")
    return 0


def _print(lines: Iterable[str], nothing: str) -> None:
    for line in list(lines) or [nothing]:
        click.echo(line)


def _hidden_line(hidden: Hidden) -> str:
    ends = f", until {hidden.until}" if hidden.until else ""
    state = "erased" if hidden.erased else "hidden"
    return f"{hidden.kind}  {hidden.target}  {state} {day_of(hidden.since)}{ends}: {hidden.reason}"
