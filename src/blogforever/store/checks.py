"""How posts stand, in the database, and the looks at them that this rests on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import select

from blogforever.protocols import Ref
from blogforever.records import json_line
from blogforever.storage.values import CheckedPost, CheckRow, SightingRow

from . import schema
from .columns import read_column
from .rows import Columns, Rows, columns_of

CHECKS, SIGHTINGS = schema.checks, schema.sightings


class SqlChecks:
    """The checks of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, check: CheckRow) -> None:
        """How a post stands now that was looked at and stays as it is."""
        self._rows.gather("checks", columns_of(check, CHECKS))

    def of_blog(self, blog: str) -> dict[str, CheckedPost]:
        """How each post of a blog stands, by its id."""
        # The capture that a check points to may wait, too.
        self._rows.flush()
        places = schema.captures
        columns = (places.c.file, places.c.offset, places.c.digest.label("payload"))
        query = select(CHECKS, *columns).outerjoin(places, places.c.record_id == CHECKS.c.record_id)
        rows = self._rows.rows(query.where(CHECKS.c.blog == blog))
        return {row.post: _checked_post(dict(row._mapping)) for row in rows}

    def find(self, post: str) -> CheckRow | None:
        """How a post stands."""
        self._rows.settle("checks")
        row = self._rows.find("SELECT * FROM checks WHERE post = :post", post=post)
        return CheckRow(**row._mapping) if row else None

    def sightings_of(self, post: str) -> list[SightingRow]:
        """The looks at a post that did not simply find it, oldest first."""
        self._rows.settle("sightings")
        rows = self._rows.find_all("SELECT * FROM sightings WHERE post = :post ORDER BY id", post=post)
        return [_sighting(dict(row._mapping)) for row in rows]

    def add_sighting(self, sighting: SightingRow) -> None:
        """What was found at one look."""
        row = asdict(sighting)
        evidence = {"absent": row.pop("absent"), "reason": row.pop("reason")}
        self._rows.gather("sightings", row | {"evidence": json_line(evidence)})

    def sightings(self, blog: str) -> dict[str, list[SightingRow]]:
        """The looks at a blog's posts that did not simply find them, oldest first, by post."""
        self._rows.settle("sightings")
        found: dict[str, list[SightingRow]] = {}
        for row in self._rows.rows(select(SIGHTINGS).where(SIGHTINGS.c.blog == blog).order_by(SIGHTINGS.c.id)):
            found.setdefault(row.post, []).append(_sighting(dict(row._mapping)))
        return found


def _checked_post(row: Columns) -> CheckedPost:
    file, offset, digest = row.pop("file"), row.pop("offset"), row.pop("payload")
    check = CheckRow(**row)
    return CheckedPost(check, Ref(file, offset, row["record_id"], digest) if file else None)


def _sighting(row: Columns) -> SightingRow:
    evidence = read_column(row["evidence"], dict[str, Any])
    seen = {name: row[name] for name in ("post", "blog", "run", "checked", "status", "outcome")}
    return SightingRow(**seen, absent=tuple(evidence.get("absent", ())), reason=evidence.get("reason", ""))
