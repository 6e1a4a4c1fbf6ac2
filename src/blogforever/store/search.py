"""Full-text search: an index of our own words, filled in batches, so that every script and every database search alike.

Words are cut by `dom.tokenise` before the database sees them: single characters where a script writes no spaces. Asking
for them in a row finds Chinese, Japanese or Thai words of any length; SQLite alone needs three characters.
SQLite keeps them in an FTS5 table; PostgreSQL needs another `CREATE` in schema.py and other words in `FIND`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, bindparam, case, delete, func, insert, select, text
from sqlalchemy.exc import OperationalError

from blogforever.care.veil import Veil
from blogforever.dom import tokenise
from blogforever.errors import UsageError
from blogforever.logs import logger
from blogforever.protocols import Record

from .schema import posts, searchable

BATCH = 200
COLUMNS = ("title", "names", "text", "comments")
TERM = re.compile(r'(?P<no>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
log = logger("store")

ADD = text(
    "INSERT INTO posts_search (rowid, title, names, text, comments) VALUES (:n, :title, :names, :text, :comments)"
)
DROP = text("DELETE FROM posts_search WHERE rowid = :n")
FIND = text(
    "SELECT posts.record FROM posts_search JOIN searchable ON searchable.number = posts_search.rowid"
    " JOIN posts ON posts.id = searchable.post"
    " WHERE posts_search MATCH :query AND (:blog IS NULL OR posts.blog = :blog)"
    " ORDER BY bm25(posts_search, 8.0, 4.0, 1.0, 0.5), posts.published DESC LIMIT :limit"
)


class SearchIndex:
    """The search index of one archive; what is hidden is not in it. Only who holds the lock may write it."""

    def __init__(
        self, engine: Engine, veil: Veil | None = None, alone: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        """`alone` keeps others in this process from writing for a while: the database has one writer at a time."""
        self._engine, self._veil, self._alone = engine, veil or Veil(), alone

    def update(self) -> int:
        """Index what came or changed since the last time; says how many posts that were."""
        done = 0
        try:
            with self._alone(), self._engine.begin() as connection:
                _forget_gone(connection)
                stale = _stale(connection, self._veil)
            for first in range(0, len(stale), BATCH):
                with self._alone(), self._engine.begin() as connection:
                    done += _index(connection, stale[first : first + BATCH], self._veil)
        except OperationalError as error:
            # The disk may be full: what is indexed already can still be found.
            log.warning("the search index could not be brought up to date: %s", error.orig)
        return done

    def waiting(self) -> int:
        """How many posts are not in the index as they are now."""
        with self._engine.connect() as connection:
            return len(_stale(connection, self._veil))

    def forget(self, posts_changed: Iterable[str]) -> None:
        """Let these posts be indexed anew: their words changed, though not their content as their authors made it."""
        with self._engine.begin() as connection:
            forget_posts(connection, posts_changed)

    def find(self, words: str, blog: str | None = None, limit: int = 20) -> list[Record]:
        """The posts that hold all these words, best first."""
        values = {"query": match_expression(words), "blog": blog, "limit": limit}
        with self._engine.connect() as connection:
            found = [self._veil.post(json.loads(row[0])) for row in connection.execute(FIND, values)]
        return [record for record in found if record is not None]


def forget_posts(connection: Connection, wanted: Iterable[str]) -> None:
    """Take the words of these posts out of the index."""
    for post in wanted:
        rows = connection.execute(select(searchable.c.number).where(searchable.c.post == post))
        _drop(connection, [row[0] for row in rows])


def match_expression(words: str) -> str:
    """A person's words in FTS5's language: all of them, "in a row", word* for a beginning, -word for without."""
    wanted: list[str] = []
    unwanted: list[str] = []
    for found in TERM.finditer(words):
        term = found["phrase"] if found["phrase"] is not None else found["word"]
        tokens = tokenise(term)
        if tokens:
            prefix = "*" if found["word"] and term.endswith("*") else ""
            quoted = '"' + " ".join(tokens).replace('"', '""') + f'"{prefix}'
            (unwanted if found["no"] else wanted).append(quoted)
    if not wanted:
        raise UsageError(f"There is no word to search for in {words!r}.")
    return " AND ".join(wanted) + "".join(f" NOT {term}" for term in unwanted)


def _stale(connection: Connection, veil: Veil) -> list[str]:
    """The posts whose words are not in the index, or no longer the same; sought once, not for every batch."""
    state = _state(connection, veil)
    joined = posts.outerjoin(searchable, searchable.c.post == posts.c.id)
    stale = searchable.c.run.is_(None) | (searchable.c.run != posts.c.run) | (searchable.c.digest != state)
    return [row[0] for row in connection.execute(select(posts.c.id).select_from(joined).where(stale))]


def _index(connection: Connection, wanted: Sequence[str], veil: Veil) -> int:
    """Put the words of these posts into the index, in place of what it had of them."""
    columns = (posts.c.id, posts.c.run, _state(connection, veil).label("digest"), posts.c.record)
    rows = connection.execute(select(*columns).where(posts.c.id.in_(wanted))).all()
    old = connection.execute(select(searchable.c.number).where(searchable.c.post.in_(wanted)))
    _drop(connection, [row[0] for row in old])
    first = (connection.scalar(select(func.max(searchable.c.number))) or 0) + 1
    known = [{"number": n, "post": r.id, "run": r.run, "digest": r.digest} for n, r in enumerate(rows, first)]
    words = [{"n": n} | _words(veil.post(json.loads(row.record)) or {}) for n, row in enumerate(rows, first)]
    if rows:
        connection.execute(insert(searchable), known)
        connection.execute(ADD, words)
    return len(rows)


def _state(connection: Connection, veil: Veil) -> ColumnElement[str]:
    """What the words of a post depend on: its content, and what is hidden of its blog."""
    if not veil:
        return posts.c.digest
    blogs = [row[0] for row in connection.execute(select(posts.c.blog).distinct())]
    marks = [(posts.c.blog == blog, posts.c.digest + ":" + veil.mark(blog)) for blog in blogs if veil.mark(blog)]
    return case(*marks, else_=posts.c.digest) if marks else posts.c.digest


def _forget_gone(connection: Connection) -> None:
    gone = select(searchable.c.number).where(searchable.c.post.not_in(select(posts.c.id)))
    _drop(connection, [row[0] for row in connection.execute(gone)])


def _drop(connection: Connection, numbers: Iterable[int]) -> None:
    rows = [{"n": number} for number in numbers]
    if rows:
        connection.execute(DROP, rows)
        connection.execute(delete(searchable).where(searchable.c.number == bindparam("n")), rows)


def _words(record: Record) -> dict[str, str]:
    """What can be found of a post, cut into words."""
    names = [author.get("name") or "" for author in record.get("authors") or []]
    names += [*(record.get("tags") or []), *(record.get("categories") or [])]
    comments = record.get("comments") or []
    said = [f"{(c.get('author') or {}).get('name') or ''} {c.get('text') or ''}" for c in comments]
    parts: tuple[Any, ...] = (
        f"{record.get('title') or ''} {record.get('subtitle') or ''}",
        " \n ".join(names),
        record.get("text") or "",
        " \n ".join(said),
    )
    return {column: " ".join(tokenise(part)) for column, part in zip(COLUMNS, parts, strict=True)}
