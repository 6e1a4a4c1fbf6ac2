"""The stores that the contract is asked of. A new one joins `STORES`, and is a store when all of it passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from blogforever.storage.tables import Store
from blogforever.store.database import open_database
from blogforever.store.sqlstore import SqlStore
from blogforever.testing import MemoryStore
from server.databases import RECORDS
from server.postgres import emptied_database

STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqlStore(open_database(folder / "archive.db")),
    "postgres": lambda folder: SqlStore(emptied_database(), folder),
    "memory": lambda _folder: MemoryStore(),
}


@pytest.fixture(params=[*RECORDS, "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path)
    yield made
    made.close()
