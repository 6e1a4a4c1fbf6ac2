"""Makes an archive in PostgreSQL a hundred times as large: its rows are copied with other blogs, addresses and numbers.

Loading two million posts through the store takes hours. So a hundredth of them is made through the store
(bigarchive.py), and what it wrote is copied by the server's own COPY: whatever a post leaves in any table is there as
often as there are posts, in the same form. Blog 0 stays one blog in all copies: it is the large one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import LiteralString

import psycopg
from psycopg import sql
from sqlalchemy import URL

from bigarchive import LARGEST, Size, blog_name
from blogforever.pipeline.record import post_id

COPIES = 100
# Columns with numbers that each copy needs anew, and whose highest number says by how much they rise.
NUMBERS: Mapping[str, Mapping[str, str]] = {
    "audit": {"id": "audit.id"},
    "captures": {"id": "captures.id", "run": "runs.id"},
    "jobs": {"id": "jobs.id"},
    "news": {"number": "news.number"},
    "posts": {"run": "runs.id"},
    "posts_search": {"rowid": "searchable.number"},
    "runs": {"id": "runs.id"},
    "searchable": {"number": "searchable.number", "run": "runs.id"},
    "sources": {"number": "sources.number"},
    "versions": {"run": "runs.id"},
}
TEXTS = ("addresses", "aliases", "blogs", "comments", "facets", "followed", "labels", "moments", "watched")
# Without its own run, no copy of blog 0 could have captures; everything else of it is there already.
ALWAYS = frozenset({"runs", "posts_search"})
# What a number that rises begins with: no text of the archive holds it.
NUMBER = "\x01"
# Names of blogs and posts wherever they stand, the ids of posts, and numbers as `_template` marks them.
TOKEN = re.compile(r"(blog\d+|post-\d+|urn:uuid:\d+|sha1:\d+|\bc\d+(?=-\d)|\b[0-9a-f]{20}\b|\x01[a-z.]+:\d+)")
# Rows that are handed to the server together.
TOGETHER = 1000


class Names(dict[str, str]):
    """What tokens become in a copy; numbers rise by so much, and are worked out when they are asked for."""

    def __init__(self, rise: Mapping[str, int]) -> None:
        super().__init__()
        self._rise = rise

    def __missing__(self, token: str) -> str:
        if not token.startswith(NUMBER):
            return token
        column, number = token[1:].split(":")
        return str(int(number) + self._rise[column])


@dataclass(frozen=True, slots=True)
class Multiplied:
    """What is there in the end: one part, made through the store, and its copies."""

    part: Size
    copies: int = COPIES

    @property
    def size(self) -> Size:
        """All of it: blog 0 is the same in every copy."""
        return Size((self.part.blogs - 1) * self.copies + 1, self.part.posts * self.copies)

    def of_blog(self, place: int) -> int:
        """The number of the blog in which the post with this number stands."""
        copy, own = divmod(place, self.part.posts)
        return 0 if own % LARGEST == 0 else self._blog(own % self.part.blogs, copy)

    def blog(self, place: int) -> str:
        """The id of that blog."""
        return blog_name(self.of_blog(place))

    def address(self, place: int) -> str:
        """The address of a post."""
        return f"https://{self.blog(place)}/post-{place}/"

    def post(self, place: int) -> str:
        """The id of a post."""
        return post_id(self.blog(place), self.address(place))

    def _blog(self, number: int, copy: int) -> int:
        return number and number + copy * (self.part.blogs - 1)

    def names(self, copy: int, highest: Mapping[str, int]) -> Names:
        """What the names of blogs and posts of the part are called in a copy."""
        named = Names({column: copy * number for column, number in highest.items()})
        named |= {f"blog{number}": f"blog{self._blog(number, copy)}" for number in range(self.part.blogs)}
        for own in range(self.part.posts):
            place = own + copy * self.part.posts
            named |= {f"{kind}{own}": f"{kind}{place}" for kind in ("post-", "urn:uuid:", "sha1:", "c")}
            named[self.post(own)] = self.post(place)
        return named


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one table as COPY gives them, cut where something changes: every other part is a token."""

    table: str
    cut: list[list[str]]

    def copied(self, names: Names) -> Iterator[str]:
        """The rows of a copy; those in which nothing but numbers would be new are left out."""
        for parts in self.cut:
            tokens = [names[token] for token in parts[1::2]]
            if self.table in ALWAYS or any(_is_new(*pair) for pair in zip(parts[1::2], tokens, strict=True)):
                row = parts[:]
                row[1::2] = tokens
                yield "".join(row)


def _is_new(before: str, after: str) -> bool:
    return before != after and not before.startswith(NUMBER)


def multiply(url: URL, wanted: Multiplied) -> None:
    """Copy what the archive holds until it is as large as is wanted."""
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address) as server:
        server.execute("SET session_replication_role = replica")  # no triggers: the service counts when it starts
        server.execute("SET maintenance_work_mem = '1GB'")
        tables = [_rows(server, table) for table in (*NUMBERS, *TEXTS)]
        highest = {column: _highest(server, column) for column in _rising()}
        indexes = _without_indexes(server, [rows.table for rows in tables])
        for copy in range(1, wanted.copies):
            names = wanted.names(copy, highest)
            for rows in tables:
                _write(server, rows.table, rows.copied(names))
        for statement in indexes:
            server.execute(statement)
        for column in _rising():
            _go_on_behind(server, column)
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("VACUUM ANALYZE")


def _rows(server: psycopg.Connection, table: str) -> Rows:
    named = sql.Identifier(table)
    columns = [row[0] for row in server.execute(sql.SQL("SELECT * FROM {} LIMIT 0").format(named)).description or ()]
    marks = {columns.index(name): highest for name, highest in NUMBERS.get(table, {}).items()}
    with server.cursor().copy(sql.SQL("COPY {} TO STDOUT").format(named)) as out:
        lines = b"".join(out).decode().splitlines(keepends=True)
    return Rows(table, [TOKEN.split(_marked(line, marks)) for line in lines])


def _marked(line: str, marks: Mapping[int, str]) -> str:
    fields = line.split("\t")
    for place, highest in marks.items():
        fields[place] = f"{NUMBER}{highest}:{fields[place]}"
    return "\t".join(fields)


def _rising() -> set[str]:
    return {column for columns in NUMBERS.values() for column in columns.values()}


def _highest(server: psycopg.Connection, column: str) -> int:
    table, name = column.split(".")
    question = sql.SQL("SELECT coalesce(max({}), 0) FROM {}").format(sql.Identifier(name), sql.Identifier(table))
    row = server.execute(question).fetchone()
    return int(row[0]) if row else 0


def _without_indexes(server: psycopg.Connection, tables: list[str]) -> list[LiteralString]:
    """Drop what is cheaper to make once at the end; the statements that make it again."""
    found = server.execute(
        "SELECT indexname, indexdef FROM pg_indexes"
        " WHERE tablename = ANY(%s) AND indexname NOT IN (SELECT conname FROM pg_constraint)",
        [tables],
    ).fetchall()
    for name, _made in found:
        server.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    return [made for _name, made in found]


def _write(server: psycopg.Connection, table: str, rows: Iterator[str]) -> None:
    with server.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as into:
        while some := "".join(islice(rows, TOGETHER)):
            into.write(some)


def _go_on_behind(server: psycopg.Connection, column: str) -> None:
    """Let numbers that are given from now on begin behind those that are there."""
    table, name = column.split(".")
    found = server.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, name]).fetchone()
    if found and found[0]:
        server.execute("SELECT setval(%s, %s)", [found[0], _highest(server, column)])
