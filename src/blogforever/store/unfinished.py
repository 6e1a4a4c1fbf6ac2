"""What was begun and must be brought to its end: erasures, blogs that are forgotten, WARC files
that are joined.

A plan is written before anything is touched and taken away when everything is done, so that a plan
that lies here is work for the next command that writes to that blog. It names blogs and records of
WARC files, never what is erased.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError

from .inside import blog_part, names_in
from .sharing import Alone, Sharing

What = Literal["erase", "renew", "forget", "join"]
# The name of a WARC file beside others: it leads nowhere else.
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.warc\.gz")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is being done to a blog: since when, why, and
    which records of its WARC files go or are changed.
    """

    blog: str
    what: What
    at: str
    reason: str = ""
    drop: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """WARC files that are joined, by name; they go when all is done."""
    into: tuple[str, ...] = ()
    """The WARC files that take their place."""


class Unfinished:
    """The plans of one archive, a file for each blog."""

    def __init__(self, folder: Path, sharing: Sharing | None = None) -> None:
        self.folder, self._sharing = folder, sharing or Alone()

    def begin(self, plan: Plan) -> None:
        """Let a plan reach the disk before anything follows from it."""
        text = json.dumps(asdict(plan))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._sharing.writing(self._path(plan.blog)):
                write_whole(self._path(plan.blog), text)
        except OSError as error:
            why = error.strerror or error
            raise ArchiveError(f"{self.folder} cannot be written: {why}.") from error

    def plans(self) -> list[Plan]:
        """Everything that was begun and not finished."""
        self._sharing.refresh()
        return [_read(path) for path in names_in(self.folder, ".json")]

    def plan(self, blog: str) -> Plan | None:
        """What was begun for one blog."""
        self._sharing.refresh()
        path = self._path(blog)
        return _read(path) if path.is_file() else None

    def done(self, blog: str) -> None:
        """Everything planned for a blog has been done."""
        path = self._path(blog)
        # Every erasure says this in the end, and nearly always nothing was planned.
        if path.is_file():
            with self._sharing.writing(path):
                path.unlink(missing_ok=True)

    def _path(self, blog: str) -> Path:
        return self.folder / f"{blog_part(blog)}.json"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever reads it, even after a crash, sees the old one or the new
    one.
    """
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _read(path: Path) -> Plan:
    try:
        plan = _plan(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        what = "it says what must still be erased"
        raise ArchiveError(f"{path} cannot be understood; {what}.") from error
    # A plan deletes files: its name in an archive of somebody else must not lead elsewhere.
    if plan.blog != path.stem or not is_blog_name(plan.blog):
        what = "names another blog than the one it is about"
        raise ArchiveError(f"{path} {what}; nothing is erased by it.")
    return plan


def _plan(values: Any) -> Plan:
    if not isinstance(values, dict):
        raise ValueError("a plan has names for what it says")
    plan = Plan(**values | {name: tuple(values.get(name, ())) for name in ("drop", "blank", "files", "into")})
    texts = (plan.blog, plan.at, plan.reason, *plan.drop, *plan.blank, *plan.files, *plan.into)
    if plan.what not in get_args(What) or not all(isinstance(text, str) for text in texts):
        raise ValueError("what is planned is none of the things that can be")
    if not all(FILE_NAME.fullmatch(name) for name in (*plan.files, *plan.into)):
        raise ValueError("a file that is joined lies in its blog's folder")
    return plan
