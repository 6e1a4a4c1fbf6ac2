"""The databases that a store is asked of; those of tests that name `engine`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from blogforever.store.database import open_database
from blogforever.store.place import settle
from server.databases import RECORDS
from server.postgres import emptied_database, postgres

DATABASES: dict[str, Callable[[Path], Engine]] = {
    "sqlite": lambda folder: open_database(folder / "archive.db"),
    "postgres": lambda _folder: emptied_database(),
}


@pytest.fixture(params=RECORDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made = DATABASES[request.param](tmp_path)
    yield made
    made.dispose()


@pytest.fixture(params=RECORDS)
def archive_place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of an archive that is yet to be made, with its records in a file or on a server."""
    if request.param == "postgres":
        emptied_database().dispose()
        settle(tmp_path, postgres())
    return tmp_path
