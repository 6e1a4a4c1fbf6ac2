"""Kept searches and rules that set tags, in memory."""

from __future__ import annotations

from blogforever.storage.searches import KeptSearch, TagRule

from .memorytables import MemoryTables


class MemorySearches:
    """The searches that are kept."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, search: KeptSearch) -> None:
        """Keep a search; one of the same name is replaced."""
        self._tables.searches[search.name] = search

    def find(self, name: str) -> KeptSearch | None:
        """The search with this name."""
        return self._tables.searches.get(name)

    def all(self) -> list[KeptSearch]:
        """All of them, by name."""
        return [search for _name, search in sorted(self._tables.searches.items())]

    def drop(self, name: str) -> None:
        """Keep it no more."""
        self._tables.searches.pop(name, None)


class MemoryTagRules:
    """The rules by which tags are set."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def keep(self, rule: TagRule) -> None:
        """Keep a rule; one of the same id is replaced."""
        self._tables.tag_rules[rule.id] = rule

    def find(self, rule: str) -> TagRule | None:
        """The rule with this id."""
        return self._tables.tag_rules.get(rule)

    def all(self) -> list[TagRule]:
        """All of them, by tag."""
        return sorted(self._tables.tag_rules.values(), key=lambda rule: (rule.tag, rule.id))

    def drop(self, rule: str) -> None:
        """Set this tag no more."""
        self._tables.tag_rules.pop(rule, None)
