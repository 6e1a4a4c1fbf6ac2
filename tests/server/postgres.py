"""A real PostgreSQL for tests: one server for each process of tests, without a port, in a folder of its own.

Where its programs are not there, tests of it are left out, and say so.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import URL, Engine, create_engine, text
from sqlalchemy.exc import OperationalError

from blogforever.store.database import DRIVER, open_database, postgres_url
from blogforever.store.schema import metadata
from blogforever.store.turnsql import NAMES as TURNS

# PostgreSQL refuses to run as root; who is root runs it as one of these.
USERS = ("postgres", "nobody")
# Nothing here outlives the tests, so nothing needs to reach the disk.
SETTINGS = ("listen_addresses=", "fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=32MB")
MISSING = "PostgreSQL is not installed (on Debian: apt-get install postgresql); its tests are left out"
# Tables of the engine that are filled; others follow these.
ENGINE = ("procrastinate_jobs", "procrastinate_workers")
# Tries to reach a server that starts, and the seconds between two.
TRIES, PAUSE = 600, 0.05
SOCKET = ".s.PGSQL.5432"
ON_DEATH_OF_PARENT = 1
"""What `prctl` calls the signal a process gets when its parent is gone."""


def programs() -> Path | None:
    """Where the programs of PostgreSQL lie."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = [Path(found).parent for found in (shutil.which("initdb"),) if found]
    return next((place for place in [*installed, *on_path] if (place / "initdb").is_file()), None)


def postgres() -> URL:
    """The address of the server of this process; skips the test where there can be none."""
    if programs() is None:
        pytest.skip(MISSING)
    return _server()


@dataclass(slots=True)
class Running:
    """A server that runs: how it is started, and its process."""

    folder: Path
    command: list[object]
    more: dict[str, object]
    process: subprocess.Popen[bytes]

    def restart(self, crash: bool = False) -> None:
        """Stop it, as an administrator does or as a loss of power would, and start it again."""
        self.process.send_signal(signal.SIGQUIT if crash else signal.SIGINT)
        self.process.wait()
        (self.folder / SOCKET).unlink(missing_ok=True)
        self.process = subprocess.Popen(self.command, **self.more)  # type: ignore[call-overload]  # kept in one dict
        self.wait()

    def wait(self) -> None:
        """Until it answers."""
        engine = create_engine(self.url().set(drivername=DRIVER))
        for _ in range(TRIES):
            try:
                engine.connect().close()
                break
            except OperationalError:
                time.sleep(PAUSE)
        engine.dispose()

    def url(self) -> URL:
        """Where it answers."""
        return postgres_url(f"postgresql://lab@/postgres?host={self.folder}")

    def end(self) -> None:
        """At once, and without a last word to the disk."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def restart(crash: bool = False) -> None:
    """Stop the server of this process and start it again."""
    _running().restart(crash)


def _server() -> URL:
    return _running().url()


@cache
def _running() -> Running:
    folder, where = Path(tempfile.mkdtemp(prefix="blogforever-pg-")), programs()
    assert where
    user = None if os.getuid() else next(name for name in USERS if _is_user(name))
    if user:
        shutil.chown(folder, user)
    more = {"user": user, "extra_groups": []} if user else {}
    common: dict[str, object] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more}
    made = ("-D", "data", "-U", "lab", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
    subprocess.run([where / "initdb", *made], check=True, **common)  # type: ignore[call-overload]  # kept in one dict
    settings = [word for setting in (*SETTINGS, f"unix_socket_directories={folder}") for word in ("-c", setting)]
    command = [where / "postgres", "-D", "data", *settings]
    started = common | {"preexec_fn": _end_with_parent}
    process = subprocess.Popen(command, **started)  # type: ignore[call-overload]  # kept in one dict
    running = Running(folder, command, started, process)
    atexit.register(running.end)
    running.wait()
    return running


def _end_with_parent() -> None:
    """Let the server end with the process of its tests, however that one ends; where the system can see to it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ON_DEATH_OF_PARENT, signal.SIGQUIT)


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@contextmanager
def bare_database(name: str) -> Iterator[URL]:
    """A database of this name without any tables, for as long as it is needed."""
    server = create_engine(postgres().set(drivername=DRIVER), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            yield postgres().set(database=name)
        finally:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


def cut_off() -> None:
    """End every connection to the database of this process, as a server does that is started anew."""
    engine = create_engine(postgres().set(drivername=DRIVER))
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    with engine.begin() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {others}"))
    engine.dispose()


def emptied_database(url: URL | None = None) -> Engine:
    """The database of this process with our tables, and nothing in them: far cheaper than one for each test."""
    engine = open_database(url or postgres())
    with engine.begin() as connection:
        connection.execute(text(_emptying()))
    return engine


@cache
def _emptying() -> str:
    tables = [table.name for table in reversed(metadata.sorted_tables)]
    deletions = "".join(f'DELETE FROM "{name}";' for name in [*tables, *TURNS, "posts_search", *ENGINE])
    numbers = "SELECT setval(c.oid::regclass, 1, false) FROM pg_class c WHERE relkind = 'S'"
    return f"DO $$ BEGIN {deletions} PERFORM n FROM ({numbers}) AS numbers(n); END $$".replace(":", r"\:")
