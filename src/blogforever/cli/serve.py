"""blogforever serve."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import click

from blogforever import logs

from .configfile import config_flags, load_config
from .helping import GroupedCommand


@click.command(cls=GroupedCommand)
@config_flags(of="serve")
def serve(**flags: Any) -> int:
    """Follow blogs: look at each when something new is likely, and answer over HTTP.

    It prints where it listens as soon as it answers there. What is followed is told by `blogforever
    add`, or over the API. Ctrl-C, or SIGTERM, ends it in good order: what is under way goes on the
    next time; a second one ends it at once, and loses nothing, either.
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    from blogforever.web.serving import serve as run  # noqa: PLC0415  the web framework is heavy, and --help needs none

    run(config, version("blogforever"), lambda address: click.echo(f"Listening on {address}"))
    return 0
