"""The small files that several machines write, journal and rules: one version for all of them, in
the shared database.

Each machine has them as files, too, as every archive does. Who writes one holds a lock of the
server, has the newest version first, and hands on what he wrote before he lets go; who reads asks
first whether anybody wrote. So a decision holds on every machine at once, also while the store of
blobs, which gets a copy, is away.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, func, insert, select

from .database import answered
from .inside import inside
from .lock import texts_lock
from .schema import texts
from .unfinished import write_whole

# What is written through here. Anything else in the journal is this machine's own.
SHARED = ("journal/*.jsonl", "journal/unfinished/*.json", "journal/service/_following.jsonl", "rules/*.json")
# Another lock than that of who writes records: an erasure writes a line of the journal while it
# holds that one.
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('blogforever texts ' || current_schema(), 0))"


class SharedTexts:
    """The texts of one archive, as one machine has them."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self._folder, self._engine = folder, engine
        self._seen = 0

    def begin(self) -> None:
        """Hand on what an archive that was alone had written."""
        with answered(), self._engine.connect() as connection:
            is_new = connection.scalar(select(func.max(texts.c.version))) is None
        files = [path for form in SHARED for path in sorted(self._folder.glob(form))]
        if is_new and files:
            with self.writing(*files):
                pass

    def refresh(self) -> None:
        """Write down here what others wrote since."""
        with answered(), self._engine.connect() as connection:
            newest = connection.scalar(select(func.max(texts.c.version))) or 0
        if newest == self._seen:
            return
        with texts_lock(self._folder), answered(), self._engine.connect() as connection:
            self._pull(connection)

    @contextmanager
    def writing(self, *paths: Path) -> Iterator[None]:
        """Write these files inside, on the ground of what others wrote before."""
        with texts_lock(self._folder), answered(), self._engine.begin() as connection:
            connection.exec_driver_sql(LOCK)
            self._pull(connection)
            yield
            for path in paths:
                self._push(connection, path)

    def _pull(self, connection: Connection) -> None:
        query = select(texts).where(texts.c.version > self._seen).order_by(texts.c.version)
        for row in connection.execute(query):
            path = inside(self._folder, row.name)
            if row.body is None:
                path.unlink(missing_ok=True)
            elif not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != row.body:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, row.body)
            self._seen = row.version

    def _push(self, connection: Connection, path: Path) -> None:
        name = path.relative_to(self._folder).as_posix()
        body = path.read_text(encoding="utf-8") if path.is_file() else None
        known = connection.execute(select(texts.c.body).where(texts.c.name == name)).first()
        if (known.body if known else None) == body:
            return
        version = (connection.scalar(select(func.max(texts.c.version))) or 0) + 1
        connection.execute(delete(texts).where(texts.c.name == name))
        connection.execute(insert(texts).values(name=name, version=version, body=body))
        self._seen = version
