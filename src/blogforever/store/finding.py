"""Posts that hold some words, among those that are chosen: best first or newest first, page by
page.

How it is done depends on how many posts hold the words. A few are rated, or put in order. Of many,
the newest are met soon along the order of time, each looked up in the index; and only so many are
rated as one can wait for: those that came last into the index, or where something narrows the
search down, the newest that fit. Records are read last, and only those of the page: what is sorted
carries them along. Why, and what it costs: docs/decisions, "Words that stand in very many posts".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import CTE, Connection, FromClause, Row, Select, TextualSelect, column, func, select, text

from blogforever.storage.browsing import FoundPage, FoundPlace, PostLine, PostPlace, PostQuery, WordQuery

from .browsing import FACETS, MOMENTS, POSTS, chosen, in_order_of, in_time, led_by_seldom
from .dialects import POSTGRES
from .indexes import Match, SoughtWords, WordIndex
from .schema import searchable

# Posts with the words that are put in order at most, and posts that are rated: some hundredths of a
# second.
MANY, RATED = 10_000, 1000
# Of words in many posts, so many of the newest posts that are chosen are looked up and rated together.
LOOKED_UP = 250
# Posts that come best first, on all pages together: nobody reads on, and each page costs the whole
# rating.
MOST_FOUND = 1000
HERE = (
    "EXISTS (SELECT 1 FROM posts_search WHERE {match.condition}"
    " AND rowid = (SELECT number FROM searchable WHERE searchable.post = {order}.post))"
)
IS_INDEXED = "posts_search.rowid <= :indexed"
# With the plus posts are met in the order of time, not in that of the index.
WAS_INDEXED = text("+searchable.number <= :last")
# The plus lets the words be gone through once: asked for post by post, their weight is found anew
# each time. Only those are gone through that came into the index as these did: the posts of a blog come together, and
# the newest come last.
IS_NEAR = (
    " AND +posts_search.rowid IN (SELECT number FROM near)"
    " AND posts_search.rowid BETWEEN (SELECT min(number) FROM near) AND (SELECT max(number) FROM near)"
)
# SQLite takes the tables in the order in which a CROSS JOIN names them: those posts are looked up that are near,
# however many have the words.
LOOK_UP = (
    "SELECT near.post AS id, near.moment FROM near CROSS JOIN posts_search"
    " WHERE posts_search.rowid = near.number AND {match.condition}"
    " ORDER BY {match.rating}, near.moment DESC, near.post DESC"
)
HITS = "SELECT rowid AS number, {match.rating} AS rating FROM posts_search WHERE {match.condition}"


@dataclass(frozen=True, slots=True)
class AskedIndex:
    """The words that somebody looks for, and the index that is asked for them."""

    index: WordIndex
    sought: SoughtWords
    # Up to which number the index is asked, where posts come best first.
    indexed: int = 0

    @property
    def match(self) -> Match:
        """How it is asked."""
        return self.index.match(self.sought)

    def are_more(self, connection: Connection, many: int) -> bool:
        """Whether more posts than so many hold the words."""
        return self.index.are_more(connection, self.match, many)


def found_page(connection: Connection, query: WordQuery, asked: AskedIndex) -> FoundPage:
    """The posts with the words."""
    among = _led(connection, query.among)
    return (
        _best(connection, replace(query, among=among), asked) if query.best_first else _newest(connection, among, asked)
    )


def _led(connection: Connection, among: PostQuery) -> PostQuery:
    return led_by_seldom(among, lambda counting: connection.execute(counting).scalar_one()).query


def number_found(connection: Connection, query: WordQuery, asked: AskedIndex | None) -> int | None:
    """How many posts are found on all pages; None where so many hold the words, or what leads, that nobody waits until
    they are counted. There may be no words.
    """
    if asked:
        return None if asked.are_more(connection, MANY) else _count(connection, query.among, asked.match)
    among = _led(connection, query.among)
    order, _name = _leading(among)
    lead = PostQuery(blog="" if among.facets else among.blog, facets=among.facets[:1])
    near = select(order.c.post, order.c.moment).where(*in_order_of(order, lead), *in_time(order, among))
    some = near.limit(MANY + 1).subquery()
    if (connection.scalar(select(func.count()).select_from(some)) or 0) > MANY:
        return None
    fitting = select(func.count()).select_from(_with_blogs(some, among)).where(*chosen(some, among))
    is_of_blog = bool(among.facets and among.blog)
    return connection.scalar(fitting.where(POSTS.c.blog == among.blog) if is_of_blog else fitting)


def _count(connection: Connection, among: PostQuery, match: Match) -> int | None:
    found = _fitting(among, _fenced(_hits(_unrated(match)))).subquery()
    return connection.scalar(select(func.count()).select_from(found), match.values)


def _best(connection: Connection, query: WordQuery, asked: AskedIndex) -> FoundPage:
    place = query.place
    indexed = place.indexed or connection.scalar(select(func.max(searchable.c.number))) or 0
    most = max(0, min(query.among.limit, MOST_FOUND - place.shown))
    shown = place.shown + most
    found = _rated(connection, query.among, replace(asked, indexed=indexed), shown + 1)[place.shown :]
    has_more = len(found) > most and shown < MOST_FOUND
    return FoundPage(_lines(connection, found[:most]), FoundPlace(shown, indexed) if has_more else None)


def _rated(connection: Connection, among: PostQuery, asked: AskedIndex, most: int) -> Sequence[Row[Any]]:
    """The posts that are rated, best first, so many at most."""
    is_narrow = among != PostQuery(limit=among.limit)
    if is_narrow and asked.are_more(connection, MANY):
        return _looked_up(connection, among, asked, most)
    match = _up_to(asked.indexed, asked.index.rated(connection, asked.sought, RATED, asked.indexed))
    if not asked.are_more(connection, RATED):
        rated = _in_order_of_rating(among, _fenced(_hits(match)))
    elif is_narrow:
        rated = _newest_that_fit(among, match, asked.indexed)
    else:
        rated = _in_order_of_rating(among, _fenced(_as_hits(asked.index.last(match, RATED + 1))))
    return connection.execute(rated.limit(most), match.values).all()


def _up_to(indexed: int, match: Match) -> Match:
    """The same among what the index had up to this number: all pages of a search are of the same posts."""
    condition = f"{match.condition} AND {IS_INDEXED}"
    return replace(match, condition=condition, values={**match.values, "indexed": indexed})


def _looked_up(connection: Connection, among: PostQuery, asked: AskedIndex, most: int) -> Sequence[Row[Any]]:
    """Among the newest posts that are chosen: some at a time are looked up, and of these the best come first."""
    match, found = asked.index.rated_singly(asked.sought), list[Row[Any]]()
    looking = text(LOOK_UP.format(match=match)).columns(column("id"), column("moment"))
    for start in range(0, RATED, LOOKED_UP):
        near = _near(among, LOOKED_UP, asked.indexed).offset(start).cte("near")
        found += connection.execute(looking.add_cte(near), match.values)
        if len(found) >= most:
            break
    return found[:most]


def _newest_that_fit(among: PostQuery, match: Match, indexed: int) -> Select[Any]:
    """The newest posts that are chosen, so many as are rated, and those of them that hold the
    words.
    """
    hits = _hits(match, IS_NEAR).subquery("hits")
    return _in_order_of_rating(PostQuery(), hits).add_cte(_near(among, RATED, indexed).cte("near"))


def _near(among: PostQuery, most: int, indexed: int) -> Select[Any]:
    """The newest posts that are chosen, so many at most, with their numbers in the index, up to this one."""
    order, _name = _leading(among)
    joined = _with_blogs(order, among).join(searchable, searchable.c.post == order.c.post)
    newest = select(searchable.c.number, order.c.moment, order.c.post).select_from(joined)
    newest = newest.where(*in_order_of(order, among), *chosen(order, among), WAS_INDEXED.bindparams(last=indexed))
    return newest.order_by(order.c.moment.desc(), order.c.post.desc()).limit(most)


def _in_order_of_rating(among: PostQuery, hits: FromClause) -> Select[Any]:
    return _fitting(among, hits).order_by(hits.c.rating, MOMENTS.c.moment.desc(), MOMENTS.c.post.desc())


def _newest(connection: Connection, among: PostQuery, asked: AskedIndex) -> FoundPage:
    match = asked.match
    in_order = _along_time(among, match) if asked.are_more(connection, MANY) else _few_in_order(among, match)
    found = connection.execute(in_order, match.values).all()
    has_more = len(found) > among.limit > 0
    end = found[among.limit - 1] if has_more else None
    return FoundPage(_lines(connection, found[: among.limit]), PostPlace(end.moment, end.id) if end else None)


def _hits(match: Match, where: str = "") -> TextualSelect:
    """What the index has of the words."""
    return _as_hits(HITS.format(match=match) + where)


def _as_hits(statement: str) -> TextualSelect:
    return text(statement).columns(column("number"), column("rating"))


def _fenced(hits: TextualSelect) -> CTE:
    """Let a server fetch these first. It would else go along the time of all posts, in the hope to meet some with the
    words soon; where none has them, it meets none.
    """
    return hits.cte("hits").prefix_with("MATERIALIZED", dialect=POSTGRES.name)


def _fitting(among: PostQuery, hits: FromClause) -> Select[Any]:
    """Those of the posts with the words that are chosen."""
    joined = hits.join(searchable, searchable.c.number == hits.c.number)
    joined = joined.join(MOMENTS, MOMENTS.c.post == searchable.c.post)
    # A list is known by the blogs of its posts.
    joined = joined.join(POSTS, POSTS.c.id == searchable.c.post) if among.list else joined
    wanted = select(MOMENTS.c.post.label("id"), MOMENTS.c.moment).select_from(joined)
    wanted = wanted.where(*chosen(MOMENTS, among, led=False))
    return wanted.where(MOMENTS.c.blog == among.blog) if among.blog else wanted


def _few_in_order(among: PostQuery, match: Match) -> Select[Any]:
    found = _fitting(among, _fenced(_hits(_unrated(match))))
    return found.order_by(MOMENTS.c.moment.desc(), MOMENTS.c.post.desc()).limit(among.limit + 1)


def _unrated(match: Match) -> Match:
    return Match(match.condition, "0", match.values)


def _along_time(among: PostQuery, match: Match) -> Select[Any]:
    order, name = _leading(among)
    joined = _with_blogs(order, among)
    found = select(order.c.post.label("id"), order.c.moment).select_from(joined)
    found = found.where(*in_order_of(order, among), *chosen(order, among)).where(
        text(HERE.format(match=match, order=name))
    )
    return found.order_by(order.c.moment.desc(), order.c.post.desc()).limit(among.limit + 1)


def _leading(among: PostQuery) -> tuple[FromClause, str]:
    """The table in whose order posts come, and its name."""
    return (FACETS, "facets") if among.facets else (MOMENTS, "moments")


def _with_blogs(order: FromClause, among: PostQuery) -> FromClause:
    """The same table, with the posts themselves where their blogs are asked for."""
    needs_blogs = bool(among.list or (among.facets and among.blog))
    return order.join(POSTS, POSTS.c.id == order.c.post) if needs_blogs else order


def _lines(connection: Connection, found: Sequence[Row[Any]]) -> tuple[PostLine, ...]:
    """The records of posts that were found, in their order."""
    ids = [row.id for row in found]
    rows = connection.execute(select(POSTS.c.id, POSTS.c.blog, POSTS.c.record).where(POSTS.c.id.in_(ids)))
    lines = {row.id: PostLine(row.id, row.blog, row.record) for row in rows}
    return tuple(lines[post] for post in ids if post in lines)
