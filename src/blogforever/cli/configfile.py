"""Flags, environment and blogforever.toml in one Config: flag > environment > file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import Field
from pathlib import Path
from typing import Any

import click

from blogforever.config import Config, make_config, options
from blogforever.errors import UsageError

# Looked for in the folder the command is called in.
FILE = Path("blogforever.toml")
PREFIX = "BLOGFOREVER_"


def load_config(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path = FILE) -> Config:
    """The options in force."""
    known = {option.name: option for option in options()}
    given = {name: value for name, value in flags.items() if name in known and value not in (None, ())}
    return make_config(_from_file(file) | _from_environment(environment or os.environ, known) | given)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}.") from error
    try:
        return {name.replace("-", "_"): value for name, value in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is not valid TOML: {error}.") from error


def _from_environment(environment: Mapping[str, str], known: Mapping[str, Field[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, option in known.items():
        value = environment.get(PREFIX + name.upper())
        if value is not None and not option.metadata.get("table"):
            found[name] = value.split(os.pathsep) if option.metadata.get("many") else value
    return found


def config_flags(*names: str, of: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that makes flags of these options, or of all that a command has: `crawl` or `serve`."""
    flags = [option for option in options() if not option.metadata.get("table")]
    chosen = [option for option in flags if option.name in names or (of and option.metadata.get("of", of) == of)]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(chosen):
            function = _flag(option)(function)
        return function

    return decorate


def _flag(option: Field[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    meta = option.metadata
    name = f"--{option.name.replace('_', '-')}"
    shown = str(option.default) if option.default not in (None, (), "", False, 0) else ""
    help_text = meta["help"] + (f"  [default: {shown}]" if shown else "")
    if isinstance(option.default, bool):
        return click.option(
            f"{name}/--no-{option.name.replace('_', '-')}",
            option.name,
            default=None,
            help=help_text,
        )
    kind: Any = click.Choice(meta["choices"]) if meta.get("choices") else str
    many = bool(meta.get("many"))
    return click.option(name, option.name, type=kind, multiple=many, metavar=meta.get("metavar"), help=help_text)
