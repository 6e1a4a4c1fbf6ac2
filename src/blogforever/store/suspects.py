"""Prints and suspicions in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from blogforever.analyse.experience import PEOPLE, Agreement
from blogforever.analyse.prints import SAME, PrintedPost, Twin
from blogforever.analyse.values import Sign
from blogforever.storage.suspects import Suspicion

from . import schema
from .columns import read_column
from .rows import Rows, in_parts, upsert

DROP = "DELETE FROM textprints WHERE blog = :blog"
DROP_TEMPLATE = "DELETE FROM templates WHERE blog = :blog"
OWN = "SELECT post, published, print FROM textprints WHERE blog = :blog"
# One by one: of a text that thousands have, only the first are read.
OTHERS = """SELECT blog, post, published FROM textprints WHERE print = :print AND blog <> :blog
ORDER BY published LIMIT :most
"""
FIND = "SELECT * FROM suspicions WHERE blog = :blog"
UNDECIDED = "SELECT * FROM suspicions WHERE decided = '' AND blog > :after ORDER BY blog LIMIT :limit"
NUMBER = "SELECT count(*) AS number FROM suspicions WHERE decided = ''"
AGREED = """SELECT sign.value ->> 'name' AS name, sum(CASE WHEN decided = 'spam' THEN 1 ELSE 0 END) AS spam,
  sum(CASE WHEN decided = 'not spam' THEN 1 ELSE 0 END) AS not_spam
FROM suspicions, {signs} WHERE decided IN ('spam', 'not spam') GROUP BY 1
"""
TEMPLATES, SUSPICIONS = schema.templates, schema.suspicions


class SqlPrints:
    """The prints of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, blog: str, posts: Sequence[PrintedPost], template: int | None) -> None:
        """These are a blog's prints now."""
        rows = [
            {"blog": blog, "post": post.post, "published": post.published, "print": number}
            for post in posts
            for number in post.prints
        ]
        with self._rows.transaction() as connection:
            connection.exec_driver_sql(DROP, {"blog": blog})
            connection.exec_driver_sql(DROP_TEMPLATE, {"blog": blog})
            if rows:
                connection.exec_driver_sql(upsert("textprints", *rows[0]), rows)
            if template is not None:
                connection.exec_driver_sql(upsert("templates", "blog", "print"), {"blog": blog, "print": template})

    def twins(self, blog: str, most: int) -> list[Twin]:
        """The posts of a blog whose text stands in others, too."""
        shared: Counter[tuple[Twin, str]] = Counter()
        for own in self._rows.find_all(OWN, blog=blog):
            others = self._rows.find_all(OTHERS, print=own.print, blog=blog, most=most)
            shared.update((Twin(own.post, own.published, one.blog, one.published), one.post) for one in others)
        found = (twin for (twin, _), prints in shared.items() if prints >= SAME)
        return sorted(found, key=lambda twin: (twin.post, twin.other))

    def same_template(self, blog: str, others: Collection[str]) -> frozenset[str]:
        """Those of other blogs that are made by the same template."""
        own = select(TEMPLATES.c.print).where(TEMPLATES.c.blog == blog).scalar_subquery()
        found: set[str] = set()
        for some in in_parts(others):
            same = select(TEMPLATES.c.blog).where(TEMPLATES.c.print == own, TEMPLATES.c.blog.in_(some))
            found |= set(self._rows.column(same))
        return frozenset(found - {blog})


class SqlSuspicions:
    """The suspicions of an archive's database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, suspicion: Suspicion) -> None:
        """Keep a suspicion; one of the same blog is replaced."""
        row = {name: getattr(suspicion, name) for name in ("blog", "at", "likelihood", "decided", "by")}
        row["signs"] = msgspec.json.encode(suspicion.signs).decode()
        self._rows.write(upsert("suspicions", *row), **row)

    def find(self, blog: str) -> Suspicion | None:
        """What a followed blog is suspected of."""
        row = self._rows.find(FIND, blog=blog)
        return _suspicion(row) if row else None

    def some(self, blogs: Collection[str]) -> list[Suspicion]:
        """Those of these blogs, by blog."""
        found: list[Suspicion] = []
        for part in in_parts(blogs):
            query = select(SUSPICIONS).where(SUSPICIONS.c.blog.in_(part))
            found += map(_suspicion, self._rows.rows(query))
        return sorted(found, key=lambda one: one.blog)

    def undecided(self, after: str, limit: int) -> list[Suspicion]:
        """Those that nobody has decided on."""
        return [_suspicion(row) for row in self._rows.find_all(UNDECIDED, after=after, limit=limit)]

    def number(self) -> int:
        """How many these are."""
        row = self._rows.find(NUMBER)
        return int(row.number) if row else 0

    def agreed(self) -> dict[str, Agreement]:
        """By the name of each sign, what people decided on blogs with it."""
        rows = self._rows.find_all(AGREED.format(signs=self._rows.dialect.elements.format(json="signs", name="sign")))
        return {row.name: Agreement(row.spam, row.not_spam) for row in rows if row.name != PEOPLE}


def _suspicion(row: Any) -> Suspicion:
    plain = dict(row._mapping)
    signs = read_column(plain.pop("signs"), tuple[Sign, ...])
    return Suspicion(**plain, signs=signs)
