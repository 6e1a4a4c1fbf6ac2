"""Lets every archive that a test makes keep its records on a server, or in its folder as usual.

`RECORDS_ON=postgres` does so for a whole run; tests that are to pass on both use the fixture `records`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import URL, Engine, create_engine, text

from blogforever.store.carrying import carry
from blogforever.store.database import DRIVER, open_database
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import DATABASE
from blogforever.store.place import ADDRESS_FILE, LEFT, settle

from .postgres import emptied_database, postgres, programs

SQLITE, POSTGRES = "sqlite", "postgres"
CHOSEN = os.environ.get("RECORDS_ON", SQLITE)
RECORDS = [SQLITE, pytest.param(POSTGRES, marks=pytest.mark.postgres)]
"""Where they may be."""
# What tells the databases of this process apart.
_NUMBERS = count(1)
# Databases that no test has at present: to empty one is far cheaper than to make one.
_FREE: list[URL] = []


@contextmanager
def records_on(where: str) -> Iterator[None]:
    """Let archives that are made in this process keep their records there."""
    if where == SQLITE:
        yield
        return
    assert where == POSTGRES, f"RECORDS_ON={where} is neither {SQLITE} nor {POSTGRES}"
    taken: list[URL] = []
    begin = ArchiveFolder.__init__

    def begin_on_server(self: ArchiveFolder, folder: Path, writing: bool, *more: Any, **named: Any) -> None:
        if writing and not (folder / ADDRESS_FILE).is_file():
            taken.append(_moved(folder))
        begin(self, folder, writing, *more, **named)

    with patch.object(ArchiveFolder, "__init__", begin_on_server):
        yield
    _FREE.extend(taken)


def _moved(folder: Path) -> URL:
    """A database for the archive in a folder alone, with what the folder's file has."""
    url, own = _FREE.pop() if _FREE else _made(), folder / DATABASE[0]
    with closing(emptied_database(url)) as target:
        if own.is_file():
            with closing(open_database(own)) as source:
                carry(source, target)
            own.replace(folder / LEFT)
    settle(folder, url)
    return url


@contextmanager
def closing(engine: Engine) -> Iterator[Engine]:
    """An engine that is needed no longer than this."""
    yield engine
    engine.dispose()


def _made() -> URL:
    """One more database on the server of this process."""
    name = f"records{next(_NUMBERS)}"
    server = create_engine(postgres().set(drivername=DRIVER), isolation_level="AUTOCOMMIT")
    with closing(server), server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    return postgres().set(database=name)


def leave_out_postgres(items: list[pytest.Item]) -> list[pytest.Item]:
    """Where there is no PostgreSQL, the tests that need it; the rest runs on SQLite, and one line says so."""
    left = [item for item in items if item.get_closest_marker("postgres")] if programs() is None else []
    if left:
        items[:] = [item for item in items if item not in left]
        print(f"LEFT OUT: {len(left)} tests that need PostgreSQL; the others run on SQLite.", file=sys.stderr)
    return left
