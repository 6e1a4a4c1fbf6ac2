"""The last looks at followed blogs, and policies for many blogs, in the database."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import msgspec

from blogforever.model import LookPolicy
from blogforever.schedule.policies import PolicyScope, ScopedPolicy
from blogforever.schedule.values import Wishes
from blogforever.storage.schedule import KEPT_LOOKS, KEPT_POSTS, LookRow

from .columns import read_column
from .rows import Columns, Rows, upsert, written

FLAGS = ("answered", "not_modified")
NAMES = tuple(one.name for one in fields(LookRow))
# In SQL as it is: every look writes one row and drops one.
ADD = f"INSERT INTO looks ({', '.join(NAMES)}) VALUES ({', '.join(':' + name for name in NAMES)})"  # noqa: S608  names of ours
DROP_OLD = """
DELETE FROM looks WHERE blog = :blog AND number <=
  (SELECT number FROM looks WHERE blog = :blog ORDER BY number DESC LIMIT 1 OFFSET :kept)
"""
LOOKS = "SELECT * FROM looks WHERE blog = :blog ORDER BY number"
PUBLISHED = """
SELECT published FROM posts WHERE blog = :blog AND published IS NOT NULL ORDER BY published DESC LIMIT :most
"""
POLICIES = "SELECT * FROM policies ORDER BY scope, name"
DROP_POLICY = "DELETE FROM policies WHERE scope = :scope AND name = :name"


class SqlSchedule:
    """Looks and policies of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, look: LookRow) -> None:
        """Remember a look; the oldest goes where there are too many."""
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(ADD, written(_columns(look)))
            connection.exec_driver_sql(DROP_OLD, {"blog": look.blog, "kept": KEPT_LOOKS})

    def looks(self, blog: str) -> list[LookRow]:
        """The looks at a followed blog that are kept, oldest first."""
        return [_look(row) for row in self._rows.find_all(LOOKS, blog=blog)]

    def published(self, blog: str) -> list[str]:
        """When the last posts of a blog of the archive were published; newest first."""
        self._rows.settle("posts")
        return [row.published for row in self._rows.find_all(PUBLISHED, blog=blog, most=KEPT_POSTS)]

    def set_policy(self, scoped: ScopedPolicy) -> None:
        """Let a policy hold for many."""
        row: Columns = {"scope": scoped.scope, "name": scoped.name}
        row["policy"] = msgspec.json.encode(scoped.policy).decode()
        self._rows.write(upsert("policies", *row), **row)

    def drop_policy(self, scope: PolicyScope, name: str = "") -> None:
        """Let none hold for these."""
        self._rows.write(DROP_POLICY, scope=scope, name=name)

    def policies(self) -> list[ScopedPolicy]:
        """All policies for many, by scope and name."""
        return [_policy(row) for row in self._rows.find_all(POLICIES)]


def _columns(look: LookRow) -> Columns:
    row: Columns = {name: getattr(look, name) for name in NAMES}
    row |= {name: int(row[name]) for name in FLAGS}
    return row | {"wishes": msgspec.json.encode(asdict(look.wishes)).decode()}


def _look(row: Any) -> LookRow:
    values = {name: getattr(row, name) for name in NAMES}
    values |= {name: bool(values[name]) for name in FLAGS}
    return LookRow(**values | {"wishes": read_column(row.wishes, Wishes)})


def _policy(row: Any) -> ScopedPolicy:
    return ScopedPolicy(row.scope, row.name, read_column(row.policy, LookPolicy))
