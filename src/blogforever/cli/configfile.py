"""Flags, environment and blogforever.toml in one Config: flag > environment > file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import Field
from pathlib import Path
from typing import Any

import click

from blogforever.config import Config, make_config, options, read_value, shown_option
from blogforever.errors import UsageError
from blogforever.ownership import is_strangers
from blogforever.wording import did_you_mean

# Looked for in the folder the command is called in.
FILE = Path("blogforever.toml")
PREFIX = "BLOGFOREVER_"
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
# What -v and -vv mean.
LEVELS = ("info", "debug")
SHORT = {"archive": "-a", "quiet": "-q", "dry_run": "-n"}
"""The options that are typed every day, by one letter."""
ASKED = f"{PREFIX}CONFIG"
"""The variable that names another file, wherever it lies and whosever it is."""
# Beside one of these a file is part of an archive, which may have come from anybody.
OF_ARCHIVES = ("archive.db", "archive.url")


def load_config(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path = FILE) -> Config:
    """The options in force; where they name a database, the archive of a command that has one keeps
    its records there.
    """
    known = {option.name: option for option in options()}
    flags = _with_level(flags)
    given = {name: value for name, value in flags.items() if name in known and value not in (None, ())}
    environment = os.environ if environment is None else environment
    found = _from_file(file, environment.get(ASKED))
    config = make_config(found | _from_environment(environment, known) | given)
    has_archive = "archive" in flags
    if config.database and has_archive:
        from blogforever.archive.relocating import settle_database  # noqa: PLC0415  heavy, and seldom needed

        settle_database(config.archive, config.database, is_flag="database" in given)
    if config.blobs and has_archive:
        from blogforever.archive.relocating import keep_bytes_at  # noqa: PLC0415  heavy, and seldom needed

        keep_bytes_at(config.archive, config.blobs)
    return config


def _with_level(flags: Mapping[str, Any]) -> Mapping[str, Any]:
    """Flags in which -v is a level of the log; a level that is named counts before it."""
    times = int(flags.get("verbose") or 0)
    if not times or flags.get("log_level"):
        return flags
    return {**flags, "log_level": LEVELS[min(times, len(LEVELS)) - 1]}


def _from_file(file: Path, asked: str | None) -> dict[str, Any]:
    """What the file says that somebody asked for, else the one of this folder where it may be trusted."""
    file = Path(asked).expanduser() if asked else file
    try:
        if not asked and (why := _distrusted(file)):
            click.echo(f"blogforever: {file} {why} and is not read; {ASKED}={file} reads it.", err=True)
            return {}
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if asked:
            raise UsageError(f"{ASKED} names {asked}, which is no file.") from error
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}.") from error
    try:
        found = {name.replace("-", "_"): value for name, value in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise UsageError(f"{file} is nested too deep to be read.") from error
    return _checked(found, text, file)


def _checked(found: dict[str, Any], text: str, file: Path) -> dict[str, Any]:
    """What the file says; a name that is none, or a value that cannot be, with the line where it stands."""
    known = {option.name: option for option in options()}
    for name, value in found.items():
        written = name.replace("_", "-")
        line = re.search(rf"^[ \t]*\[*[ \t]*[\"']?{'[-_]'.join(map(re.escape, name.split('_')))}\b", text, re.MULTILINE)
        where = f"{file}, line {text.count(chr(10), 0, line.start()) + 1}" if line else str(file)
        if name not in known:
            names = [one.replace("_", "-") for one in known]
            raise UsageError(f"{where}: there is no option called {written!r}{did_you_mean(written, names)}.")
        try:
            read_value(known[name], value)
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error
    return found


def _distrusted(file: Path) -> str:
    """Why a file must not decide what is done here: it may name code, proxies and log-ins."""
    if not file.exists():
        return ""
    if is_strangers(file):
        return "belongs to somebody else"
    beside = file.absolute().parent
    return "lies in an archive" if any((beside / name).is_file() for name in OF_ARCHIVES) else ""


def _from_environment(environment: Mapping[str, str], known: Mapping[str, Field[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, option in known.items():
        value = environment.get(PREFIX + name.upper())
        if value is not None and not option.metadata.get("table"):
            found[name] = value.split(os.pathsep) if option.metadata.get("many") else value
    return found


VERBOSE = click.option("-v", "--verbose", count=True, help="Log more: -v is --log-level info, -vv is debug.")


def config_flags(*names: str, of: str = "", but: Collection[str] = ()) -> Decorator:
    """A decorator that makes flags of these options, or of all that a command has (`crawl` or `serve`) but some."""
    flags = [option for option in options() if not option.metadata.get("table") and option.name not in but]
    # Who names an archive may say where its records and its bytes are.
    named = {*names, "database", "blobs"} if "archive" in names else {*names}
    chosen = [option for option in flags if option.name in named or (of and option.metadata.get("of", of) == of)]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if any(option.name == "log_level" for option in chosen):
            function = VERBOSE(function)
        for option in reversed(chosen):
            function = _flag(option)(function)
        return function

    return decorate


def _flag(option: Field[Any]) -> Decorator:
    meta = option.metadata
    name = f"--{option.name.replace('_', '-')}"
    short = [SHORT[option.name]] if option.name in SHORT else []
    shown = shown_option(option)
    help_text = meta["help"] + (f"  [default: {shown}]" if shown else "")
    if isinstance(option.default, bool):
        return click.option(
            *short,
            f"{name}/--no-{option.name.replace('_', '-')}",
            option.name,
            default=None,
            help=help_text,
        )
    kind: Any = click.Choice(meta["choices"]) if meta.get("choices") else str
    many = bool(meta.get("many"))
    return click.option(
        *short, name, option.name, type=kind, multiple=many, metavar=meta.get("metavar"), help=help_text
    )
