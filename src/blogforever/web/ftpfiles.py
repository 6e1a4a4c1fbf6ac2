"""The folder that an FTP client sees: what waits for its account, two lists of it, and a way to ask
once more.

Nothing of it is a folder on the disk: names come out of the database, and what is none of them is
not there. So no path leads anywhere else, and there are no links.
"""

from __future__ import annotations

import io
import os
import stat
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

from blogforever import clock
from blogforever.errors import BlogForeverError
from blogforever.records import json_line
from blogforever.service.outbox import AskWish, ask_again, delete_file, file_to_fetch, note_fetched
from blogforever.service.standing import Standing
from blogforever.storage.outbox import OutboxFile
from blogforever.work.retrying import moment_after

with warnings.catch_warnings():
    # It stands on asyncore, which Python 3.12 has no more; there it brings its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pyftpdlib.exceptions import FilesystemError
    from pyftpdlib.filesystems import AbstractedFS

MOST_LISTED = 20_000
"""Files in one listing, the oldest: the others come when these are deleted."""
SUMS, MANIFEST, AGAIN = "SHA256SUMS", "manifest.jsonl", "again"
LISTS = (SUMS, MANIFEST)
DAY, WEEK, EVERYTHING = "last-day", "last-week", "everything"
SECONDS = {DAY: 86_400.0, WEEK: 7 * 86_400.0}
ASKED = "Asked for: what came after {} is among the files again within seconds.\n"
NOT_THERE = "There is no such file"
READ_ONLY = "Files can be read and deleted here, and nothing else"
FOLDER_MODE, FILE_MODE = stat.S_IFDIR | 0o555, stat.S_IFREG | 0o444


@dataclass(slots=True)
class OpenedFile:
    """A file that is sent, under the name by which the client knows it."""

    name: str
    file: IO[bytes]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


class OutboxFolder:
    """What one account sees."""

    def __init__(self, standing: Standing, account: str) -> None:
        self._archive, self._account = standing.archive, account
        self._listed: dict[str, OutboxFile] = {}

    def names(self, path: str) -> list[str]:
        """The names in a folder."""
        if path == f"/{AGAIN}":
            return [DAY, WEEK, EVERYTHING]
        self._listed = {file.name: file for file in self._waiting()}
        return [*LISTS, AGAIN, *self._listed]

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder here."""
        return path in ("/", f"/{AGAIN}")

    def is_file(self, path: str) -> bool:
        """Whether there is a file here."""
        if path.removeprefix("/") in LISTS or self._asks_after(path) is not None:
            return True
        return self._find(path) is not None

    def size_and_time(self, path: str) -> tuple[int, float]:
        """How long a file is, and when it was made."""
        if path.removeprefix("/") in LISTS:
            return sum(map(len, self._lines(path.removeprefix("/")))), clock.now().timestamp()
        after = self._asks_after(path)
        if after is not None:
            return len(ASKED.format(after)), clock.now().timestamp()
        file = self._listed.get(path.removeprefix("/")) or self._find(path)
        if file is None:
            raise FilesystemError(NOT_THERE)
        return file.size, datetime.fromisoformat(file.made).timestamp()

    def open(self, path: str) -> OpenedFile:
        """A file to be sent; to open one below `again` is to ask."""
        name = path.removeprefix("/")
        if name in LISTS:
            return OpenedFile(path, self._written(name))
        after = self._asks_after(path)
        if after is not None:
            ask_again(self._archive, AskWish(after=after, account=self._account), self._account)
            return OpenedFile(path, io.BytesIO(ASKED.format(after).encode()))
        found = file_to_fetch(self._archive, number_of(path), self._account)
        if found is None or found[0].name != name:
            raise FilesystemError(NOT_THERE)
        return OpenedFile(path, found[1].open("rb"))

    def delete(self, path: str) -> None:
        """The account has it, and needs it no more."""
        if self._find(path) is None or not delete_file(self._archive, number_of(path), self._account):
            raise FilesystemError(NOT_THERE)
        self._listed.pop(path.removeprefix("/"), None)

    def sent(self, path: str) -> None:
        """The client has the whole of it."""
        if number_of(path):
            note_fetched(self._archive.store, number_of(path), self._account)

    def _find(self, path: str) -> OutboxFile | None:
        file = self._archive.store.outbox.waiting_for(self._account, number_of(path) - 1, 1) if number_of(path) else []
        return file[0] if file and path == f"/{file[0].name}" else None

    def _waiting(self) -> list[OutboxFile]:
        return self._archive.store.outbox.waiting_for(self._account, 0, MOST_LISTED)

    def _lines(self, name: str) -> Iterator[bytes]:
        for file in self._waiting():
            told = {"number": file.number, "name": file.name, "bytes": file.size, "sha256": file.digest}
            told |= {"kind": file.kind, "post": file.post, "blog": file.blog, "version": file.version}
            line = f"{file.digest}  {file.name}" if name == SUMS else json_line(told | {"made": file.made})
            yield line.encode() + b"\n"

    def _written(self, name: str) -> IO[bytes]:
        file = TemporaryFile()  # noqa: SIM115  the server closes it when it is sent
        file.writelines(self._lines(name))
        file.seek(0)
        return file

    def _asks_after(self, path: str) -> int | None:
        """The number after which is asked by a name below `again`; None for every other name."""
        folder, _, name = path.removeprefix("/").partition("/")
        if folder != AGAIN or not name:
            return None
        if name in SECONDS:
            return self._archive.store.outbox.number_at(moment_after(-SECONDS[name]))
        if name == EVERYTHING:
            return 0
        return int(name) if name.isascii() and name.isdecimal() and len(name) < LONGEST_NUMBER else None


LONGEST_NUMBER = 19
"""Digits of a number that a database keeps."""


def number_of(path: str) -> int:
    """The number of the file with such a name; 0 where that is no name of a file."""
    digits = path.removeprefix("/").partition("-")[0]
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < LONGEST_NUMBER
    return int(digits) if is_number else 0


class OutboxFilesystem(AbstractedFS):  # type: ignore[misc]  # it says nothing of its types
    """The same as the FTP server asks for it; every path is one that the client sees."""

    def __init__(self, root: str, cmd_channel: Any) -> None:
        super().__init__("/", cmd_channel)
        self._folder = OutboxFolder(cmd_channel.standing, cmd_channel.username)

    @property
    def folder(self) -> OutboxFolder:
        """What the account sees."""
        return self._folder

    def ftp2fs(self, ftppath: str) -> str:
        """A path as it is."""
        return str(self.ftpnorm(ftppath))

    def fs2ftp(self, fspath: str) -> str:
        """A path as it is."""
        return fspath

    def validpath(self, path: str) -> bool:
        """None of them leads anywhere."""
        return True

    def realpath(self, path: str) -> str:
        """There are no links."""
        return path

    def open(self, filename: str, mode: str) -> OpenedFile:
        """Only to be read."""
        if mode != "rb":
            _refuse()
        try:
            return self._folder.open(filename)
        except (BlogForeverError, OSError) as error:
            raise FilesystemError(str(error)) from error

    def chdir(self, path: str) -> None:
        """Into one of the two folders."""
        if not self._folder.is_folder(path):
            raise FilesystemError("There is no such folder")
        self.cwd = path

    def listdir(self, path: str) -> list[str]:
        """The names in a folder."""
        return self._folder.names(path)

    def remove(self, path: str) -> None:
        """The account needs it no more."""
        try:
            self._folder.delete(path)
        except BlogForeverError as error:
            raise FilesystemError(str(error)) from error

    def isdir(self, path: str) -> bool:
        """Whether there is a folder here."""
        return self._folder.is_folder(path)

    def isfile(self, path: str) -> bool:
        """Whether there is a file here."""
        return self._folder.is_file(path)

    def islink(self, path: str) -> bool:
        """There are none."""
        return False

    def lexists(self, path: str) -> bool:
        """Whether there is anything here."""
        return self.isdir(path) or self.isfile(path)

    def getsize(self, path: str) -> int:
        """How long a file is."""
        return self._folder.size_and_time(path)[0]

    def getmtime(self, path: str) -> float:
        """When it was made."""
        return self._folder.size_and_time(path)[1]

    def stat(self, path: str) -> os.stat_result:
        """All that is said of a file or a folder in a listing."""
        is_folder = self.isdir(path)
        size, made = (0, clock.now().timestamp()) if is_folder else self._folder.size_and_time(path)
        mode = FOLDER_MODE if is_folder else FILE_MODE
        return os.stat_result((mode, 0, 0, 1, 0, 0, size, int(made), int(made), int(made)))

    lstat = stat

    def get_user_by_uid(self, uid: int) -> str:
        """Nobody of this machine."""
        return "outbox"

    get_group_by_gid = get_user_by_uid

    def _refused(self, *_whatever: object, **_more: object) -> NoReturn:
        _refuse()

    mkdir = rmdir = rename = chmod = utime = mkstemp = readlink = _refused


def _refuse() -> NoReturn:
    raise FilesystemError(READ_ONLY)
