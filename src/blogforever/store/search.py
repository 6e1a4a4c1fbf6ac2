"""Full-text search: an index of our own words, so that every script is searched alike.

Words are cut by `dom.tokenise` before the database sees them: single characters where a script
writes no spaces. Asking for them in a row finds Chinese, Japanese or Thai words of any length;
SQLite alone needs three characters. How each database keeps them is in indexes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, bindparam, case, delete, func, select, text
from sqlalchemy.exc import OperationalError

from blogforever.care.veil import Veil
from blogforever.dom import tokenise
from blogforever.headway import tell
from blogforever.logs import logger
from blogforever.records import CommentRecord, PostRecord, read_post
from blogforever.storage.browsing import FoundPage, WordQuery

from .database import write_transaction
from .finding import AskedIndex, found_page, number_found
from .indexes import COLUMNS, Match, index_of, sought_words
from .rows import Columns
from .schema import posts, searchable, tag_rules
from .tagging import forget_given, give_tags, given_tags, tagged_by, take_tags

# Posts whose words are in memory, and written, at a time: more of them cost each less, but whoever
# else wants to write waits meanwhile.
BATCH = 500
# New posts for which one piece of the index is joined; each post is joined some ten times until the archive is large.
POSTS_OF_JOIN = 10
# Posts that a search gives if nobody says how many.
FOUND = 20
# Between texts of one column that do not belong together; it is no word.
APART = " \n "
log = logger("store")

ADD = "INSERT INTO searchable (number, post, run, digest) VALUES (:number, :post, :run, :digest)"
DROP = text("DELETE FROM posts_search WHERE rowid = :n")
FIND = (
    "SELECT posts.record FROM posts_search"
    " JOIN searchable ON searchable.number = posts_search.rowid"
    " JOIN posts ON posts.id = searchable.post"
    " WHERE {match.condition}{of_blog}"
    " ORDER BY {match.rating}, posts.published DESC NULLS LAST LIMIT :limit"
)
OF_BLOG = " AND posts.blog = :blog"
NAMED = (
    "SELECT searchable.post FROM posts_search JOIN searchable ON searchable.number = posts_search.rowid"
    " WHERE {match.condition}"
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
        self._words = index_of(engine)

    def update(self, blog: str | None = None) -> int:
        """Index what came or changed since the last time, in one blog or in all; says how many
        posts that were.

        With one blog nothing is asked of the others: a crawl must not cost more because the archive
        is large.
        """
        done = 0
        try:
            if blog is None:
                with write_transaction(self._engine) as connection:
                    _forget_gone(connection)
            found = self._stale(posts.c.id, posts.c.blog, blog=blog)
            stale = [row.id for row in found if self._holds(row.blog)]
            for first in range(0, len(stale), BATCH):
                tell("indexing", first, len(stale), "posts")
                done += self._index(stale[first : first + BATCH], blog)
            self._join(done)
        except OperationalError as error:
            # The disk may be full: what is indexed already can still be found.
            log.warning("the search index could not be brought up to date: %s", error.orig)
        return done

    def waiting(self) -> int:
        """How many posts are not in the index as they are now."""
        return sum(row[0] for row in self._stale(func.count()))

    def blogs_waiting(self) -> list[str]:
        """The blogs whose posts are not all in the index as they are now."""
        return sorted({row.blog for row in self._stale(posts.c.blog)})

    def forget(self, posts_changed: Iterable[str]) -> None:
        """Let these posts be indexed anew: their words changed,
        though not their content as their authors made it.
        """
        with write_transaction(self._engine) as connection:
            forget_posts(connection, posts_changed)

    def retag(self, rule: str) -> None:
        """A rule that sets tags is new, changed or gone: let all posts have the tags that are due
        to them now.
        """
        with write_transaction(self._engine) as connection:
            for records in tagged_by(connection, rule):
                take_tags(connection, records)
            give_tags(connection, _match_of_rules(connection))

    def given_tags(self, wanted: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The tags that rules have given to these posts."""
        with self._engine.connect() as connection:
            return given_tags(connection, wanted)

    def find(self, words: str, blog: str | None = None, limit: int = FOUND) -> list[PostRecord]:
        """The posts that hold all these words, best first."""
        match = self._words.match(sought_words(words))
        of_blog = {"blog": blog} if blog else {}
        query = FIND.format(match=match, of_blog=OF_BLOG if blog else "")
        with self._engine.connect() as connection:
            lines = connection.execute(text(query), {**match.values, **of_blog, "limit": limit}).scalars()
            records = [read_post(line) for line in lines]
        found = map(self._veil.post, records)
        return [record for record in found if record is not None]

    def page(self, query: WordQuery) -> FoundPage:
        """The posts that hold all the words, among those that are chosen; as they are kept, nothing
        is hidden there.
        """
        with self._engine.connect() as connection:
            return found_page(connection, query, AskedIndex(self._words, sought_words(query.words)))

    def number(self, query: WordQuery) -> int | None:
        """How many posts there are on all pages, hidden ones too; None where they are too many to be counted while
        somebody waits.
        """
        asked = AskedIndex(self._words, sought_words(query.words)) if query.words.strip() else None
        with self._engine.connect() as connection:
            return number_found(connection, query, asked)

    def naming(self, name: str) -> Iterator[PostRecord]:
        """The posts in which this name may stand as that of an author or a commenter, as they are
        kept.

        Also those that the index cannot tell of: what it has not yet read, and blogs of which
        something is hidden.
        """
        tokens = tokenise(name)
        with self._engine.connect() as connection:
            blogs = [row[0] for row in connection.execute(select(posts.c.blog).distinct())]
            hidden = [blog for blog in blogs if not tokens or self._veil.mark(blog)]
            query = select(posts.c.id).where(posts.c.blog.in_(hidden))
            found = {row[0] for row in connection.execute(query)}
            if tokens:
                match = self._words.named(tokens)
                found |= {*connection.execute(text(NAMED.format(match=match)), match.values).scalars()}
        wanted = sorted(found | {row.id for row in self._stale(posts.c.id)})
        for first in range(0, len(wanted), BATCH):
            here = posts.c.id.in_(wanted[first : first + BATCH])
            with self._engine.connect() as connection:
                lines = [row[0] for row in connection.execute(select(posts.c.record).where(here))]
            yield from map(read_post, lines)

    def _stale(self, *wanted: ColumnElement[Any], blog: str | None = None) -> Sequence[Row[Any]]:
        """What is wanted of the posts whose words are not in the index, or no longer the same."""
        with self._engine.connect() as connection:
            state = _state(connection, self._veil, blog)
            joined = posts.outerjoin(searchable, searchable.c.post == posts.c.id)
            is_new = searchable.c.run.is_(None)
            is_changed = (searchable.c.run != posts.c.run) | (searchable.c.digest != state)
            query = select(*wanted).select_from(joined).where(is_new | is_changed)
            if blog is not None:
                query = query.where(posts.c.blog == blog)
            return connection.execute(query).all()

    def _index(self, wanted: Sequence[str], blog: str | None) -> int:
        """Put the words of these posts into the index, in place of what it had of them."""
        with self._engine.connect() as connection:
            state = _state(connection, self._veil, blog).label("digest")
            columns = (posts.c.id, posts.c.run, state, posts.c.record)
            rows = connection.execute(select(*columns).where(posts.c.id.in_(wanted))).all()
        known = [{"post": row.id, "run": row.run, "digest": row.digest} for row in rows]
        records = [read_post(row.record) for row in rows]
        words = [_words(self._veil.post(record)) for record in records]
        if rows:
            with write_transaction(self._engine) as connection:
                take_tags(connection, records)
                forget_posts(connection, wanted)
                first = _add(connection, known, words)
                give_tags(connection, _match_of_rules(connection), first)
        return len(rows)

    def _join(self, done: int) -> None:
        """Join the parts of the index, as far as so many new posts are worth: what is left waits for the next ones."""
        for _ in range(-(-done // POSTS_OF_JOIN)):
            with write_transaction(self._engine) as connection:
                if not self._words.join(connection):
                    return


def _match_of_rules(connection: Connection) -> dict[str, Match]:
    """How to ask the index for the words of each rule that sets tags."""
    rules = connection.execute(select(tag_rules.c.id, tag_rules.c.words).where(tag_rules.c.words != ""))
    words_of = index_of(connection)
    return {rule: words_of.match(sought_words(words)) for rule, words in rules}


def _add(connection: Connection, known: list[Columns], words: list[dict[str, str]]) -> int:
    """Give each post the next number, and say which is the first; nobody else takes one before this
    is committed.
    """
    first = (connection.scalar(select(func.max(searchable.c.number))) or 0) + 1
    rows = [{"number": number} | row for number, row in enumerate(known, first)]
    index = index_of(connection)
    # In SQL as it is: what SQLAlchemy does to each value on its way takes as long as the writing.
    connection.exec_driver_sql(ADD, rows)
    connection.exec_driver_sql(index.add, [index.row(number, row) for number, row in enumerate(words, first)])
    return int(first)


def forget_posts(connection: Connection, wanted: Iterable[str]) -> None:
    """Take the words of these posts out of the index."""
    wanted = list(wanted)
    for first in range(0, len(wanted), BATCH):
        here = searchable.c.post.in_(wanted[first : first + BATCH])
        numbers = connection.execute(select(searchable.c.number).where(here))
        _drop(connection, [row[0] for row in numbers])


def _state(connection: Connection, veil: Veil, blog: str | None = None) -> ColumnElement[str]:
    """What the words of a post depend on: its content, and what is hidden of its blog; for posts of
    one, or of all.
    """
    if not veil:
        return posts.c.digest
    blogs = [blog] if blog else [row[0] for row in connection.execute(select(posts.c.blog).distinct())]
    marks = {blog: veil.mark(blog) for blog in blogs}
    cases = [(posts.c.blog == blog, posts.c.digest + ":" + mark) for blog, mark in marks.items() if mark]
    return case(*cases, else_=posts.c.digest) if cases else posts.c.digest


def _forget_gone(connection: Connection) -> None:
    gone = select(searchable.c.number).where(searchable.c.post.not_in(select(posts.c.id)))
    _drop(connection, [row[0] for row in connection.execute(gone)])


def _drop(connection: Connection, numbers: Sequence[int]) -> None:
    rows = [{"n": number} for number in numbers]
    if rows:
        forget_given(connection, [*numbers])
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
