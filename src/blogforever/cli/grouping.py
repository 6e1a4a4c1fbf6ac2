"""What the commands of the service share: a group that lists where no further word is given, who calls, --json."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from itertools import takewhile
from typing import Any

import click

from blogforever import logs
from blogforever.config import Config
from blogforever.errors import UsageError
from blogforever.wording import did_you_mean, printable

from .configfile import config_flags, load_config

# Letters read of what stands for a password on standard input: more than one may have.
LONGEST_LINE = 10_000


class _AnyNumber(click.IntRange):
    """A number that both databases can be asked for; how far that goes is of no use to anybody."""

    def _describe_range(self) -> str:
        return ""


NUMBER = _AnyNumber(-(2**63), 2**63 - 1)
COUNT = _AnyNumber(1, 2**62)
"""So many of something, or a number that something has: with room for one more."""
HELP = {"help_option_names": ["-h", "--help"]}


class ListingGroup(click.Group):
    """A group whose word `list` is meant where none is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is no word of ours, and no question about us, belongs to the list."""
        is_ours = bool(args) and (args[0] in self.commands or args[0] in HELP["help_option_names"])
        if not is_ours:
            self._check_words(ctx, list(takewhile(lambda word: not word.startswith("-"), args)))
        return super().parse_args(ctx, args if is_ours else ["list", *args])

    def _check_words(self, ctx: click.Context, words: list[str]) -> None:
        """UsageError where there are more words than the list takes: the first is none of ours."""
        taken = [one.nargs for one in self.commands["list"].params if isinstance(one, click.Argument)]
        if len(words) > sum(taken) and min(taken, default=0) >= 0:
            near = did_you_mean(words[0], self.commands) or f"; {ctx.command_path} --help lists all."
            raise UsageError(f"{ctx.command_path} knows no {printable(words[0])!r}{near}")


def reading(function: Callable[..., Any]) -> Callable[..., Any]:
    """The flags of a command that reads what is followed."""
    as_json = click.option("--json", "as_json", is_flag=True, help="One line of JSON, for programs.")
    return config_flags("archive", "log_level", "log_format")(as_json(function))


def writing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The flags of a command that decides something."""
    as_json = click.option("--json", "as_json", is_flag=True, help="One line of JSON, for programs.")
    return config_flags("archive", "wait", "log_level", "log_format")(as_json(function))


def configured(flags: dict[str, Any]) -> Config:
    """The options in force, with the log set up by them."""
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    return config


def person() -> str:
    """Who calls, for those who read later who decided something."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "somebody"


def asked_password() -> str:
    """Asked for at the terminal; the first line of standard input where that is none."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    try:
        return sys.stdin.readline(LONGEST_LINE).rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise UsageError("The password on standard input is no text in UTF-8.") from error
