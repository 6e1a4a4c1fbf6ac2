"""Searches that people keep and rules that set tags, in the database."""

from __future__ import annotations

from dataclasses import asdict

import msgspec

from blogforever.storage.searches import KeptSearch, PostSearch, TagRule

from . import schema
from .columns import read_column
from .rows import Columns, Rows, columns_of, written

SEARCHES = "SELECT * FROM searches ORDER BY name"
SEARCH = "SELECT * FROM searches WHERE name = :name"
DROP_SEARCH = "DELETE FROM searches WHERE name = :name"
RULES = "SELECT * FROM tag_rules ORDER BY tag, id"
RULE = "SELECT * FROM tag_rules WHERE id = :id"
DROP_RULE = "DELETE FROM tag_rules WHERE id = :id"


class SqlSearches:
    """The kept searches of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, search: KeptSearch) -> None:
        """Keep a search; one of the same name is replaced."""
        asked = msgspec.json.encode(asdict(search.search)).decode()
        with self._rows.transaction():
            self._rows.gather("searches", written(columns_of(search, schema.searches) | {"search": asked}))

    def find(self, name: str) -> KeptSearch | None:
        """The search with this name."""
        row = self._rows.find(SEARCH, name=name)
        return _search(dict(row._mapping)) if row else None

    def all(self) -> list[KeptSearch]:
        """All of them, by name."""
        return [_search(dict(row._mapping)) for row in self._rows.find_all(SEARCHES)]

    def drop(self, name: str) -> None:
        """Keep it no more."""
        self._rows.write(DROP_SEARCH, name=name)


class SqlTagRules:
    """The rules of an archive's database by which tags are set."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, rule: TagRule) -> None:
        """Keep a rule; one of the same id is replaced."""
        with self._rows.transaction():
            self._rows.gather("tag_rules", written(columns_of(rule, schema.tag_rules)))

    def find(self, rule: str) -> TagRule | None:
        """The rule with this id."""
        row = self._rows.find(RULE, id=rule)
        return TagRule(**row._mapping) if row else None

    def all(self) -> list[TagRule]:
        """All of them, by tag."""
        return [TagRule(**row._mapping) for row in self._rows.find_all(RULES)]

    def drop(self, rule: str) -> None:
        """Set this tag no more."""
        self._rows.write(DROP_RULE, id=rule)


def _search(row: Columns) -> KeptSearch:
    return KeptSearch(**row | {"search": read_column(row["search"], PostSearch)})
