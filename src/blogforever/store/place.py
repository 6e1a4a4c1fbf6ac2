"""Where the records of an archive are: in its own archive.db, or in a database whose address stands
in archive.url.

That address has no password: who connects finds it in his environment or in ~/.pgpass, and a copy
of the folder gives nothing away.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Engine

from blogforever.errors import ArchiveError, UsageError
from blogforever.ownership import is_strangers
from blogforever.storage.values import OUTSIDE

from .carrying import carry
from .database import open_database, postgres_url, read_database, shown, version_there, without_password
from .dialects import POSTGRES
from .inside import DATABASE, names_in
from .metadata import HEAD
from .unfinished import write_whole

DATABASE_FILE = DATABASE[0]
ADDRESS_FILE = "archive.url"
# What archive.db is called when its records were carried elsewhere, and while they come back.
LEFT, COMING = "archive.db.moved", "archive.db.part"
# The word for archive.db itself, where an address is asked for.
OWN = "sqlite"
_asked: set[URL] = set()
"""The addresses that who runs this has given himself."""
# No address of a database is longer.
MOST_BYTES = 4096
OTHER_TABLES = (
    "The tables in {place} are those of another version of blogforever ({there}; this one has {here}): install the same"
    " version on all machines, and let its `blogforever serve` bring them up to date."
)
ELSEWHERE = (
    "{place} has the records of an archive whose pages lie in another folder; {folder} has none of them. --archive"
    " names that folder, which machines must share, or --blobs the object storage that keeps its bytes."
)
SIZE = "SELECT pg_database_size(current_database())"
NEWEST_FILE = "SELECT file FROM captures ORDER BY id DESC LIMIT 1"


def place_of(folder: Path) -> Path | URL:
    """Where the records of an archive are, or will be.

    ArchiveError where a stranger's file says so: passwords of who runs this would go there.
    """
    url = address_in(folder)
    if url and url not in _asked and is_strangers(folder / ADDRESS_FILE):
        what = f"{folder / ADDRESS_FILE} belongs to somebody else and leads to {shown(url)}"
        raise ArchiveError(f"{what}; --database {shown(url)} connects to it.")
    return url or folder / DATABASE_FILE


def has_records(folder: Path) -> bool:
    """Whether there is an archive in a folder."""
    return (folder / ADDRESS_FILE).is_file() or (folder / DATABASE_FILE).is_file()


def address_in(folder: Path) -> URL | None:
    """The address of the database that a folder points to."""
    path = folder / ADDRESS_FILE
    try:
        with path.open(encoding="utf-8") as file:
            return postgres_url(file.read(MOST_BYTES).strip())
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{path} cannot be read: {error}.") from error


def shared_database(folder: Path) -> str | None:
    """The server that has the records of an archive, as people may read it; None where they are in
    the folder. ArchiveError where its tables are not those of this version.
    """
    url = address_in(folder)
    if url is None:
        return None
    engine = read_database(url)
    try:
        there = version_there(engine)
    finally:
        engine.dispose()
    if there != HEAD:
        raise ArchiveError(OTHER_TABLES.format(place=shown(url), there=there or "none", here=HEAD))
    return shown(url)


def refuse_other_folder(folder: Path, place: URL, engine: Engine) -> None:
    """ArchiveError where a database has the records of pages that were written into another folder:
    two folders of one archive would each have a part of them.
    """
    if names_in(folder / "warc", ""):
        return
    with engine.connect() as connection:
        file = connection.exec_driver_sql(NEWEST_FILE).scalar()
    if file is not None and not str(file).startswith(OUTSIDE):
        raise ArchiveError(ELSEWHERE.format(place=shown(place), folder=folder))


def database_bytes(engine: Engine, folder: Path) -> int:
    """How large the database of an archive is."""
    if engine.dialect.name == POSTGRES.name:
        with engine.connect() as connection:
            return int(connection.exec_driver_sql(SIZE).scalar_one())
    files = (folder / name for name in DATABASE)
    return sum(file.stat().st_size for file in files if file.is_file())


def point_to(folder: Path, url: URL) -> None:
    """From now on the records of this archive are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / ADDRESS_FILE, without_password(url).render_as_string() + "\n")
    except OSError as error:
        raise ArchiveError(f"The archive folder {folder} cannot be written: {error.strerror}.") from error


def settle(folder: Path, url: URL) -> None:
    """Let the records of an archive be at this address; ArchiveError where they are elsewhere
    already.
    """
    known = address_in(folder)
    _asked.add(without_password(url))
    if known is not None:
        if known != without_password(url):
            raise ArchiveError(f"The records of the archive {folder} are in {shown(known)}, not in {shown(url)}.")
        return
    if (folder / DATABASE_FILE).is_file():
        how = f"`blogforever archive move --to {shown(url)}` carries them over"
        raise ArchiveError(f"The archive {folder} keeps its records in {DATABASE_FILE}; {how}.")
    point_to(folder, url)


def read_address(text: str) -> tuple[URL, str | None]:
    """An address as a person writes it, without its password; and the password."""
    url = postgres_url(text)
    asked = url.query.get("password")
    password = url.password or (asked if isinstance(asked, str) else None)
    return without_password(url), password


@dataclass(frozen=True, slots=True)
class Relocation:
    """Records on their way to another place. Whenever it is cut off, all are at the old one or all
    at the new one.
    """

    folder: Path
    url: URL | None

    def carry(self, source: Engine) -> int:
        """Fill the new place; nobody reads it yet."""
        target = open_database(self.url or self.folder / COMING)
        try:
            return carry(source, target)
        finally:
            target.dispose()

    def settle(self) -> None:
        """From now on the records are at the new place; the old one is left as it is, under another
        name.
        """
        own = self.folder / DATABASE_FILE
        if self.url:
            point_to(self.folder, self.url)
            with suppress(FileNotFoundError):
                own.replace(self.folder / LEFT)
        else:
            (self.folder / COMING).replace(own)
            (self.folder / ADDRESS_FILE).unlink()


def begin_relocation(folder: Path, url: URL | None) -> Relocation:
    """Carry an archive's records to an address, or into its folder; UsageError where they are there
    already.
    """
    is_away = address_in(folder) is not None
    if is_away == (url is not None):
        where = "in a database of PostgreSQL" if is_away else f"in {DATABASE_FILE}"
        raise UsageError(f"The archive {folder} keeps its records {where} already.")
    for name in DATABASE:
        (folder / name.replace(DATABASE_FILE, COMING)).unlink(missing_ok=True)
    return Relocation(folder, url)
