"""Which files of an archive lie in its store of blobs, with their digests; and which wait where
they were written.

All machines see the same list, and every change of it has a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from blogforever import clock

from .captures import named_from
from .database import answered, write_transaction
from .rows import in_parts
from .schema import blobs


@dataclass(frozen=True, slots=True)
class Listed:
    """One file as the catalogue has it; `machine` is who wrote it last."""

    name: str
    version: int
    size: int
    sha256: str
    machine: str
    since: str
    stored: bool
    gone: bool
    error: str = ""
    """Why it could not be sent when it was last tried."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A file that is finished here."""

    name: str
    size: int
    sha256: str


class Catalogue:
    """The files of one archive, as one machine reads and changes their list."""

    def __init__(self, engine: Engine, machine: str) -> None:
        self._engine, self.machine = engine, machine

    def find(self, name: str) -> Listed | None:
        """What is known of a file, also of one that is gone."""
        with answered(), self._engine.connect() as connection:
            row = connection.execute(select(blobs).where(blobs.c.name == name)).first()
        return _listed(row) if row else None

    def below(self, prefix: str) -> list[Listed]:
        """The files whose names begin so, in their order, also those that are gone."""
        query = select(blobs).where(named_from(blobs.c.name, prefix)).order_by(blobs.c.name)
        with answered(), self._engine.connect() as connection:
            return [_listed(row) for row in connection.execute(query)]

    def waiting(self) -> list[Listed]:
        """The files that are not stored yet, those that wait longest first."""
        query = select(blobs).where(blobs.c.stored == 0, blobs.c.gone == 0).order_by(blobs.c.since, blobs.c.name)
        with answered(), self._engine.connect() as connection:
            return [_listed(row) for row in connection.execute(query)]

    def wait(self, files: Iterable[Sealed]) -> None:
        """These lie here, and are still to be stored."""
        self._note(files, stored=False)

    def stored(self, file: Sealed) -> Listed:
        """This one is in the store now, byte by byte."""
        return self._note([file], stored=True)[0]

    def failed(self, names: Iterable[str], error: str) -> None:
        """Those of these that wait could not be sent, for this reason."""
        with answered(), write_transaction(self._engine) as connection:
            for some in in_parts(names):
                here = (blobs.c.name.in_(some), blobs.c.stored == 0)
                connection.execute(update(blobs).where(*here).values(error=error))

    def gone(self, names: Iterable[str]) -> None:
        """These are nowhere any more, and copies of them must go."""
        with answered(), write_transaction(self._engine) as connection:
            for name in names:
                self._write(connection, Sealed(name, 0, ""), stored=True, gone=True)

    def _note(self, files: Iterable[Sealed], stored: bool) -> list[Listed]:
        with answered(), write_transaction(self._engine) as connection:
            return [self._write(connection, file, stored) for file in files]

    def _write(self, connection: Connection, file: Sealed, stored: bool, gone: bool = False) -> Listed:
        version = (connection.scalar(select(func.max(blobs.c.version))) or 0) + 1
        about = (self.machine, clock.stamp(), stored, gone)
        row = Listed(file.name, version, file.size, file.sha256, *about)
        connection.execute(delete(blobs).where(blobs.c.name == file.name))
        values = {name: getattr(row, name) for name in Listed.__slots__}
        connection.execute(insert(blobs).values(**values | {"stored": int(stored), "gone": int(gone)}))
        return row


def _listed(row: Row[tuple[object, ...]]) -> Listed:
    values = dict(row._mapping)
    return Listed(**values | {"stored": bool(values["stored"]), "gone": bool(values["gone"])})
