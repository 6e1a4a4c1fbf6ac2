"""Webhooks, how they stand, and their dead letters, in the database."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec

from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook
from blogforever.storage.news import NewsKind

from .columns import read_column
from .rows import Rows, upsert, written

HOOKS = "SELECT * FROM webhooks ORDER BY id"
HOOK = "SELECT * FROM webhooks WHERE id = :hook"
STANDING = "SELECT * FROM hookstandings WHERE hook = :hook"
DROP = "DELETE FROM webhooks WHERE id = :hook RETURNING id"
DROP_MORE = ("DELETE FROM hookstandings WHERE hook = :hook", "DELETE FROM deadletters WHERE hook = :hook")
DEAD = """SELECT * FROM deadletters WHERE id < :before AND (:hook = '' OR hook = :hook) ORDER BY id DESC LIMIT :limit"""
LETTER = "SELECT * FROM deadletters WHERE id = :letter"
AGAIN = "SELECT * FROM deadletters WHERE hook = :hook AND again = 1 ORDER BY id LIMIT 1"
DIG_UP = "DELETE FROM deadletters WHERE id = :letter RETURNING id"
FORGET = "DELETE FROM deadletters WHERE at < :before"
# Above every number that a row can have.
LAST = 2**63 - 1


class SqlHooks:
    """The webhooks of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, hook: Webhook) -> None:
        """Keep a webhook; one of the same id is replaced."""
        row = asdict(hook) | {"events": msgspec.json.encode(hook.events).decode()}
        self._rows.write(upsert("webhooks", *row), **written(row))

    def find(self, hook: str) -> Webhook | None:
        """The webhook with this id."""
        row = self._rows.find(HOOK, hook=hook)
        return _hook(row) if row else None

    def all(self) -> list[Webhook]:
        """All, in the order of their ids."""
        return [_hook(row) for row in self._rows.find_all(HOOKS)]

    def drop(self, hook: str) -> bool:
        """It is told nothing more, and its dead letters go."""
        with self._rows.transaction():
            for statement in DROP_MORE:
                self._rows.write(statement, hook=hook)
            return self._rows.write(DROP, hook=hook) is not None

    def standing(self, hook: str) -> HookStanding:
        """How telling it goes."""
        row = self._rows.find(STANDING, hook=hook)
        return HookStanding(**row._mapping) if row else HookStanding(hook)

    def stand(self, standing: HookStanding) -> None:
        """So it goes now."""
        row = asdict(standing)
        self._rows.write(upsert("hookstandings", *row), **written(row))

    def bury(self, letter: DeadLetter) -> None:
        """Keep what could not be told."""
        row = asdict(letter) | {"again": int(letter.again)}
        if not letter.id:
            del row["id"]
        self._rows.write(upsert("deadletters", *row), **written(row))

    def dead(self, limit: int, before: int | None = None, hook: str = "") -> list[DeadLetter]:
        """Dead letters, newest first."""
        found = self._rows.find_all(DEAD, limit=limit, before=LAST if before is None else before, hook=hook)
        return [_letter(row) for row in found]

    def letter(self, letter: int) -> DeadLetter | None:
        """The dead letter with this id."""
        row = self._rows.find(LETTER, letter=letter)
        return _letter(row) if row else None

    def wanted_again(self, hook: str) -> DeadLetter | None:
        """The oldest of a webhook that somebody wants sent again."""
        row = self._rows.find(AGAIN, hook=hook)
        return _letter(row) if row else None

    def dig_up(self, letter: int) -> bool:
        """It was told after all, or nobody wants it any more."""
        return self._rows.write(DIG_UP, letter=letter) is not None

    def forget_dead(self, before: str) -> int:
        """Drop those that died before that moment."""
        with self._rows.transaction() as connection:
            return connection.exec_driver_sql(FORGET, {"before": before}).rowcount


def _hook(row: Any) -> Webhook:
    events = read_column(row.events, tuple[NewsKind, ...])
    return Webhook(**dict(row._mapping) | {"events": events})


def _letter(row: Any) -> DeadLetter:
    return DeadLetter(**dict(row._mapping) | {"again": bool(row.again)})
