"""Full-text search: an index of our own words, so that every script is searched alike.

Words are cut by `dom.tokenise` before the database sees them: single characters where a script
writes no spaces. Asking for them in a row finds Chinese, Japanese or Thai words of any length;
SQLite alone needs three characters. SQLite keeps them in an FTS5 table; PostgreSQL needs another
`CREATE` in schema.py and other words in `FIND`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, Engine, bindparam, case, delete, func, insert, select, text
from sqlalchemy.exc import OperationalError

from blogforever.care.veil import Veil
from blogforever.dom import tokenise
from blogforever.errors import UsageError
from blogforever.logs import logger
from blogforever.records import CommentRecord, PostRecord, read_post

from .database import write_transaction
from .rows import Columns
from .schema import posts, searchable

# Posts whose words are in memory, and written, at a time.
BATCH = 200
# Posts that a search gives if nobody says how many.
FOUND = 20
COLUMNS = ("title", "names", "text", "comments")
# Between texts of one column that do not belong together; it is no word.
APART = " \n "
TERM = re.compile(r'(?P<no>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')
log = logger("store")

ADD = text(
    "INSERT INTO posts_search (rowid, title, names, text, comments) VALUES (:n, :title, :names, :text, :comments)"
)
DROP = text("DELETE FROM posts_search WHERE rowid = :n")
FIND = text(
    "SELECT posts.record FROM posts_search"
    " JOIN searchable ON searchable.number = posts_search.rowid"
    " JOIN posts ON posts.id = searchable.post"
    " WHERE posts_search MATCH :query AND (:blog IS NULL OR posts.blog = :blog)"
    " ORDER BY bm25(posts_search, 8.0, 4.0, 1.0, 0.5), posts.published DESC LIMIT :limit"
)
NAMED = text(
    "SELECT searchable.post FROM posts_search JOIN searchable ON searchable.number = posts_search.rowid"
    " WHERE posts_search MATCH :query"
)


class SearchIndex:
    """The search index of one archive; what is hidden is not in it.

    Only the posts of blogs are written that this command holds: what is hidden of the others may
    change meanwhile.
    """

    def __init__(
        self, engine: Engine, veil: Veil | None = None, holds: Callable[[str], bool] = lambda _blog: True
    ) -> None:
        self._engine, self._veil, self._holds = engine, veil or Veil(), holds

    def update(self, blog: str | None = None) -> int:
        """Index what came or changed since the last time, in one blog or in all; says how many posts that were.

        With one blog nothing is asked of the others: a crawl must not cost more because the archive is large.
        """
        done = 0
        try:
            if blog is None:
                with write_transaction(self._engine) as connection:
                    _forget_gone(connection)
            stale = [post for post, owner in self._stale(blog) if self._holds(owner)]
            for first in range(0, len(stale), BATCH):
                done += self._index(stale[first : first + BATCH], blog)
        except OperationalError as error:
            # The disk may be full: what is indexed already can still be found.
            log.warning("the search index could not be brought up to date: %s", error.orig)
        return done

    def waiting(self) -> int:
        """How many posts are not in the index as they are now."""
        return len(self._stale())

    def blogs_waiting(self) -> list[str]:
        """The blogs whose posts are not all in the index as they are now."""
        return sorted({blog for _post, blog in self._stale()})

    def forget(self, posts_changed: Iterable[str]) -> None:
        """Let these posts be indexed anew: their words changed,
        though not their content as their authors made it.
        """
        with write_transaction(self._engine) as connection:
            forget_posts(connection, posts_changed)

    def find(self, words: str, blog: str | None = None, limit: int = FOUND) -> list[PostRecord]:
        """The posts that hold all these words, best first."""
        values = {"query": match_expression(words), "blog": blog, "limit": limit}
        with self._engine.connect() as connection:
            records = [read_post(row[0]) for row in connection.execute(FIND, values)]
        found = map(self._veil.post, records)
        return [record for record in found if record is not None]

    def naming(self, name: str) -> Iterator[PostRecord]:
        """The posts in which this name may stand as that of an author or a commenter, as they are kept.

        Also those that the index cannot tell of: what it has not yet read, and blogs of which something is hidden.
        """
        tokens = " ".join(tokenise(name)).replace('"', '""')
        with self._engine.connect() as connection:
            blogs = [row[0] for row in connection.execute(select(posts.c.blog).distinct())]
            hidden = [blog for blog in blogs if not tokens or self._veil.mark(blog)]
            query = select(posts.c.id).where(posts.c.blog.in_(hidden))
            found = {row[0] for row in connection.execute(query)}
            if tokens:
                found |= {row[0] for row in connection.execute(NAMED, {"query": f'{{names comments}} : "{tokens}"'})}
        wanted = sorted(found | {post for post, _blog in self._stale()})
        for first in range(0, len(wanted), BATCH):
            here = posts.c.id.in_(wanted[first : first + BATCH])
            with self._engine.connect() as connection:
                lines = [row[0] for row in connection.execute(select(posts.c.record).where(here))]
            yield from map(read_post, lines)

    def _stale(self, blog: str | None = None) -> list[tuple[str, str]]:
        """The posts, each with its blog, whose words are not in the index, or no longer the
        same.
        """
        with self._engine.connect() as connection:
            state = _state(connection, self._veil, blog)
            joined = posts.outerjoin(searchable, searchable.c.post == posts.c.id)
            is_new = searchable.c.run.is_(None)
            is_changed = (searchable.c.run != posts.c.run) | (searchable.c.digest != state)
            query = select(posts.c.id, posts.c.blog).select_from(joined).where(is_new | is_changed)
            if blog is not None:
                query = query.where(posts.c.blog == blog)
            found = connection.execute(query)
            return [(row[0], row[1]) for row in found]

    def _index(self, wanted: Sequence[str], blog: str | None) -> int:
        """Put the words of these posts into the index, in place of what it had of them."""
        with self._engine.connect() as connection:
            state = _state(connection, self._veil, blog).label("digest")
            columns = (posts.c.id, posts.c.run, state, posts.c.record)
            rows = connection.execute(select(*columns).where(posts.c.id.in_(wanted))).all()
        known = [{"post": row.id, "run": row.run, "digest": row.digest} for row in rows]
        words = [_words(self._veil.post(read_post(row.record))) for row in rows]
        if rows:
            with write_transaction(self._engine) as connection:
                forget_posts(connection, wanted)
                _add(connection, known, words)
        return len(rows)


def _add(connection: Connection, known: list[Columns], words: list[dict[str, str]]) -> None:
    """Give each post the next number; nobody else takes one before this is committed."""
    first = (connection.scalar(select(func.max(searchable.c.number))) or 0) + 1
    rows = [{"number": number} | row for number, row in enumerate(known, first)]
    connection.execute(insert(searchable), rows)
    connection.execute(ADD, [{"n": number} | row for number, row in enumerate(words, first)])


def forget_posts(connection: Connection, wanted: Iterable[str]) -> None:
    """Take the words of these posts out of the index."""
    wanted = list(wanted)
    for first in range(0, len(wanted), BATCH):
        here = searchable.c.post.in_(wanted[first : first + BATCH])
        numbers = connection.execute(select(searchable.c.number).where(here))
        _drop(connection, [row[0] for row in numbers])


def match_expression(words: str) -> str:
    """A person's words in FTS5's language: all of them,
    "in a row", word* for a beginning, -word for without.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    for found in TERM.finditer(words):
        term = _quoted(found)
        if term:
            terms = unwanted if found["no"] else wanted
            terms.append(term)
    if not wanted:
        raise UsageError(f"There is no word to search for in {words!r}.")
    return " AND ".join(wanted) + "".join(f" NOT {term}" for term in unwanted)


def _quoted(found: re.Match[str]) -> str:
    """One term as FTS5 reads it literally; empty where it holds no word."""
    is_phrase = found["phrase"] is not None
    term = found["phrase"] if is_phrase else found["word"]
    tokens = tokenise(term)
    if not tokens:
        return ""
    in_a_row = " ".join(tokens).replace('"', '""')
    is_beginning = not is_phrase and term.endswith("*")
    return f'"{in_a_row}"*' if is_beginning else f'"{in_a_row}"'


def _state(connection: Connection, veil: Veil, blog: str | None = None) -> ColumnElement[str]:
    """What the words of a post depend on: its content, and what is hidden of its blog; for posts of one, or of all."""
    if not veil:
        return posts.c.digest
    blogs = [blog] if blog else [row[0] for row in connection.execute(select(posts.c.blog).distinct())]
    marks = {blog: veil.mark(blog) for blog in blogs}
    cases = [(posts.c.blog == blog, posts.c.digest + ":" + mark) for blog, mark in marks.items() if mark]
    return case(*cases, else_=posts.c.digest) if cases else posts.c.digest


def _forget_gone(connection: Connection) -> None:
    gone = select(searchable.c.number).where(searchable.c.post.not_in(select(posts.c.id)))
    _drop(connection, [row[0] for row in connection.execute(gone)])


def _drop(connection: Connection, numbers: Iterable[int]) -> None:
    rows = [{"n": number} for number in numbers]
    if rows:
        connection.execute(DROP, rows)
        connection.execute(delete(searchable).where(searchable.c.number == bindparam("n")), rows)


def _words(record: PostRecord | None) -> dict[str, str]:
    """What can be found of a post, cut into words; nothing of one that is hidden."""
    if record is None:
        return dict.fromkeys(COLUMNS, "")
    parts = (
        f"{record.title or ''} {record.subtitle or ''}",
        APART.join(_names(record)),
        record.text,
        APART.join(map(_said, record.comments)),
    )
    return {column: " ".join(tokenise(part)) for column, part in zip(COLUMNS, parts, strict=True)}


def _names(record: PostRecord) -> list[str]:
    """Who wrote a post, and under which words it stands."""
    return [*(author.name for author in record.authors), *record.tags, *record.categories]


def _said(comment: CommentRecord) -> str:
    return f"{comment.author.name or ''} {comment.text}"
