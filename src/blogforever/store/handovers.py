"""The files of exchange in an archive folder: our own key, the journal of what was taken over,
rules that wait to be tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from blogforever.errors import ArchiveError, BadInput
from blogforever.storage.handovers import (
    AnyHandover,
    Handovers,
    WaitingRules,
    handovers,
    read_handover,
    write_handover,
)
from blogforever.typedjson import decoded

from .followingjournal import cut_broken_line
from .inside import blog_part, inside
from .journal import append_line
from .unfinished import write_whole

KEY = "exchange.key"
# Only who runs the installation may read its key.
MODE = 0o600
# No blog can have such a name, so that the file belongs to none.
FILE = "service/_exchange.jsonl"
WAITING = "exchange"
"""The folder of the journal with rules of others, a file for each blog."""


class HandoverFiles:
    """What an archive folder keeps of exchanges."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._journal = folder, folder / "journal"

    def key(self) -> Ed25519PrivateKey:
        """The key of this installation, which is made once."""
        path = inside(self._folder, KEY)
        if not path.exists():
            _make_key(path)
        try:
            key = load_pem_private_key(path.read_bytes(), None)
        except (OSError, ValueError, TypeError) as error:
            raise ArchiveError(f"{path} holds no key that can be read.") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise ArchiveError(f"{path} holds a key of another kind; it must be one of Ed25519.")
        return key

    def add(self, one: AnyHandover) -> None:
        """Write a decision down, and let it reach the disk before anything follows from it."""
        append_line(self._journal, inside(self._journal, FILE), write_handover(one), cut_broken_line)

    def state(self) -> Handovers:
        """What holds."""
        return handovers(self._decisions())

    def waiting(self, blog: str) -> WaitingRules | None:
        """The rules of a blog that others handed over."""
        path = self._waiting(blog)
        try:
            return decoded(path.read_bytes(), WaitingRules) if path.is_file() else None
        except (OSError, msgspec.MsgspecError, UnicodeError) as error:
            raise ArchiveError(f"The rules {path} cannot be read: {error}.") from error

    def keep_waiting(self, blog: str, rules: WaitingRules) -> None:
        """Let rules be tried when the blog is learned."""
        path = self._waiting(blog)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(rules).decode())

    def drop_waiting(self, blog: str) -> None:
        """Let them be tried no more."""
        self._waiting(blog).unlink(missing_ok=True)

    def _waiting(self, blog: str) -> Path:
        return inside(self._journal, f"{WAITING}/{blog_part(blog)}.json")

    def _decisions(self) -> Iterator[AnyHandover]:
        path = inside(self._journal, FILE)
        if not path.is_file():
            return
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                # The last line of one who was killed is none.
                if line.strip() and line.endswith("\n"):
                    yield _read(path, number, line)


def _read(path: Path, number: int, line: str) -> AnyHandover:
    try:
        return read_handover(line)
    except BadInput as error:
        raise ArchiveError(f"Line {number} of {path} cannot be understood; it is to be mended by hand.") from error


def _make_key(path: Path) -> None:
    """Whole or not at all, and never over one that somebody else made meanwhile."""
    secret = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE), "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, path)
        except FileExistsError:
            pass
        finally:
            beside.unlink()
    except OSError as error:
        raise ArchiveError(f"{path} cannot be written: {error.strerror or error}.") from error
