"""Posts that hold some words, among those that are chosen: best first or newest first, page by
page.

How it is done depends on how many posts hold the words. A few are rated, or put in order. Of many,
the newest are met soon along the order of time, each looked up in the index; and only so many are
rated as one can wait for: those that came last into the index, or where something narrows the
search down, the newest that fit. Records are read last, and only those of the page: what is sorted
carries them along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, FromClause, Row, Select, column, func, select, table, text

from blogforever.storage.browsing import FoundPage, FoundPlace, PostLine, PostPlace, PostQuery, WordQuery

from .browsing import FACETS, MOMENTS, POSTS, chosen, in_order_of, in_time
from .indexes import Match
from .schema import searchable

# Posts with the words that are put in order at most, and posts that are rated: some hundredths of a
# second.
MANY, RATED = 10_000, 1000
# Posts that come best first, on all pages together: nobody reads on, and each page costs the whole
# rating.
MOST_FOUND = 1000
INDEX = table("posts_search", column("rowid"))
LAST = "SELECT rowid FROM posts_search WHERE {match.condition} ORDER BY rowid DESC LIMIT 1 OFFSET :many"
HERE = (
    "EXISTS (SELECT 1 FROM posts_search WHERE {match.condition}"
    " AND rowid = (SELECT number FROM searchable WHERE searchable.post = {order}.post))"
)
IS_INDEXED = "posts_search.rowid <= :indexed"
# The plus lets the words be gone through once: asked for post by post, their weight is found anew
# each time. Only those are gone through that came into the index as these did: the posts of a blog come together, and
# the newest come last.
IS_NEAR = text(
    "+posts_search.rowid IN (SELECT number FROM near)"
    " AND posts_search.rowid BETWEEN (SELECT min(number) FROM near) AND (SELECT max(number) FROM near)"
)


def found_page(connection: Connection, query: WordQuery, match: Match) -> FoundPage:
    """The posts with the words; `match` is how to ask the index for them."""
    if query.best_first:
        return _best(connection, query, match)
    return _newest(connection, query.among, match)


def number_found(connection: Connection, query: WordQuery, match: Match | None) -> int | None:
    """How many posts are found on all pages; None where so many hold the words, or what leads, that nobody waits until
    they are counted. `match` is None where there are no words.
    """
    if match:
        return None if _last(connection, match, MANY) is not None else _count(connection, query.among, match)
    among = query.among
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
    found = _of_index(among, match).subquery()
    return connection.scalar(select(func.count()).select_from(found), match.values)


def _best(connection: Connection, query: WordQuery, match: Match) -> FoundPage:
    place = query.place
    indexed = place.indexed or connection.scalar(select(func.max(searchable.c.number))) or 0
    match = _up_to(indexed, match)
    most = max(0, min(query.among.limit, MOST_FOUND - place.shown))
    rated = _rated(connection, query.among, match)
    found = connection.execute(rated.offset(place.shown).limit(most + 1), match.values).all()
    shown = place.shown + most
    has_more = len(found) > most and shown < MOST_FOUND
    return FoundPage(_lines(connection, found[:most]), FoundPlace(shown, indexed) if has_more else None)


def _up_to(indexed: int, match: Match) -> Match:
    """The same among what the index had up to this number: all pages of a search are of the same posts."""
    condition = f"{match.condition} AND {IS_INDEXED}"
    return replace(match, condition=condition, values={**match.values, "indexed": indexed})


def _rated(connection: Connection, among: PostQuery, match: Match) -> Select[Any]:
    """The posts that are rated, best first."""
    # The number in the index from which on stand the last so many; None where there are fewer.
    last = _last(connection, match, RATED)
    is_narrow = among != PostQuery(limit=among.limit)
    if last is not None and is_narrow:
        return _newest_that_fit(among, match)
    rated = _in_order_of_rating(_of_index(among, match), match)
    return rated if last is None else rated.where(INDEX.c.rowid >= last)


def _last(connection: Connection, match: Match, many: int) -> int | None:
    last: int | None = connection.scalar(text(LAST.format(match=match)), {**match.values, "many": many})
    return last


def _newest_that_fit(among: PostQuery, match: Match) -> Select[Any]:
    """The newest posts that are chosen, so many as are rated, and those of them that hold the
    words.
    """
    order, _name = _leading(among)
    joined = _with_blogs(order, among).join(searchable, searchable.c.post == order.c.post)
    newest = select(searchable.c.number).select_from(joined).where(*in_order_of(order, among), *chosen(order, among))
    newest = newest.where(text("searchable.number <= :indexed"))
    near = newest.order_by(order.c.moment.desc()).limit(RATED).cte("near")
    return _in_order_of_rating(_of_index(PostQuery(), match).where(IS_NEAR).add_cte(near), match)


def _in_order_of_rating(found: Select[Any], match: Match) -> Select[Any]:
    return found.order_by(text(match.rating), MOMENTS.c.moment.desc(), MOMENTS.c.post.desc())


def _newest(connection: Connection, among: PostQuery, match: Match) -> FoundPage:
    are_many = _last(connection, match, MANY) is not None
    in_order = _along_time(among, match) if are_many else _few_in_order(among, match)
    found = connection.execute(in_order, match.values).all()
    has_more = len(found) > among.limit > 0
    end = found[among.limit - 1] if has_more else None
    return FoundPage(_lines(connection, found[: among.limit]), PostPlace(end.moment, end.id) if end else None)


def _of_index(among: PostQuery, match: Match) -> Select[Any]:
    """What the index has of the words, with the posts they stand in."""
    joined = INDEX.join(searchable, searchable.c.number == INDEX.c.rowid)
    joined = joined.join(MOMENTS, MOMENTS.c.post == searchable.c.post)
    # A list is known by the blogs of its posts.
    joined = joined.join(POSTS, POSTS.c.id == searchable.c.post) if among.list else joined
    wanted = select(MOMENTS.c.post.label("id"), MOMENTS.c.moment).select_from(joined).where(text(match.condition))
    wanted = wanted.where(*chosen(MOMENTS, among, led=False))
    return wanted.where(MOMENTS.c.blog == among.blog) if among.blog else wanted


def _few_in_order(among: PostQuery, match: Match) -> Select[Any]:
    return _of_index(among, match).order_by(MOMENTS.c.moment.desc(), MOMENTS.c.post.desc()).limit(among.limit + 1)


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
