"""What was begun and must be brought to its end: erasures, blogs that are forgotten.

A plan is written before anything is touched and taken away when everything is done, so that a plan
that lies here is work for the next command that writes to that blog. It names blogs and records of
WARC files, never what is erased.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from blogforever.care.decisions import is_blog_name
from blogforever.errors import ArchiveError

from .inside import blog_part, names_in

What = Literal["erase", "renew", "forget"]


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


class Unfinished:
    """The plans of one archive, a file for each blog."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, plan: Plan) -> None:
        """Let a plan reach the disk before anything follows from it."""
        text = json.dumps(asdict(plan))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(plan.blog), text)
        except OSError as error:
            why = error.strerror or error
            raise ArchiveError(f"{self.folder} cannot be written: {why}.") from error

    def plans(self) -> list[Plan]:
        """Everything that was begun and not finished."""
        return [_read(path) for path in names_in(self.folder, ".json")]

    def plan(self, blog: str) -> Plan | None:
        """What was begun for one blog."""
        path = self._path(blog)
        return _read(path) if path.is_file() else None

    def done(self, blog: str) -> None:
        """Everything planned for a blog has been done."""
        self._path(blog).unlink(missing_ok=True)

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


def _plan(values: dict[str, Any]) -> Plan:
    plan = Plan(**values | {"drop": tuple(values["drop"]), "blank": tuple(values["blank"])})
    texts = (plan.blog, plan.at, plan.reason, *plan.drop, *plan.blank)
    if plan.what not in get_args(What) or not all(isinstance(text, str) for text in texts):
        raise ValueError("what is planned is none of the things that can be")
    return plan
