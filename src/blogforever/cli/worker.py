"""blogforever worker."""

from __future__ import annotations

from typing import Any

import click

from blogforever import logs

from .configfile import config_flags, load_config


@click.command()
@config_flags("updates", "harvests", "max_memory", "cores", "silence", of="worker")
def worker(**flags: Any) -> int:
    """Work for a service on another machine, whose records are in PostgreSQL.

    \b
    blogforever worker --database postgresql://user@host/name --archive DIR
    blogforever worker --database URL --archive DIR --queue render   only pages that a browser draws
    blogforever worker --database URL --archive DIR --slots 8        eight jobs at a time

    Start it on as many machines as you like, at any time, and end it at any time: Ctrl-C, or SIGTERM, gives back what
    is under way, and it goes on elsewhere. The jobs of a machine that is gone are taken over by the others. The archive
    folder is the one of the service, shared between the machines.
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    from blogforever.service.lone import run_worker  # noqa: PLC0415  heavy, and --help needs none of it

    return run_worker(config, lambda place: click.echo(f"Working for {place}"))
