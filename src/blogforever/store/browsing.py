"""Choose among the posts of all blogs in the database: along an index in the order of time, never all of them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, FromClause, Select, and_, exists, select, tuple_

from blogforever.storage.browsing import Facet, PostLine, PostPage, PostPlace, PostQuery, folded, moment_key

from . import schema
from .rows import Rows

POSTS, MOMENTS, FACETS = schema.posts, schema.moments, schema.facets


def page_of_posts(rows: Rows, query: PostQuery) -> PostPage:
    """The posts that are asked for, newest first, from a place on."""
    rows.settle("posts")
    found = rows.all(_selected(query))
    items = tuple(PostLine(row.id, row.blog, row.record) for row in found[: query.limit])
    has_more = len(found) > query.limit
    if not has_more or not items:
        return PostPage(items)
    last = found[query.limit - 1]
    return PostPage(items, PostPlace(last.moment, last.id))


def _selected(query: PostQuery) -> Select[tuple[str, str, str, str]]:
    """The rows of a page, and one more: whether there is a next page."""
    order: FromClause = FACETS if query.facets else MOMENTS
    wanted = [*_in_time(order, query), *_chosen(order, query)]
    joined = order.join(POSTS, POSTS.c.id == order.c.post)
    columns = (POSTS.c.id, POSTS.c.blog, POSTS.c.record, order.c.moment)
    newest_first = (order.c.moment.desc(), order.c.post.desc())
    return select(*columns).select_from(joined).where(*wanted).order_by(*newest_first).limit(query.limit + 1)


def _chosen(order: FromClause, query: PostQuery) -> Iterator[ColumnElement[bool]]:
    """One facet leads, because its posts stand in the order of time; any others are looked up post by post."""
    if not query.facets:
        if query.blog:
            yield MOMENTS.c.blog == query.blog
        return
    leader, *others = query.facets
    yield and_(FACETS.c.kind == leader.kind, FACETS.c.name == folded(leader.name))
    for facet in others:
        yield _has(facet, order)
    if query.blog:
        yield POSTS.c.blog == query.blog


def _in_time(order: FromClause, query: PostQuery) -> Iterator[ColumnElement[bool]]:
    if query.since:
        yield order.c.moment >= moment_key(query.since)
    if query.until:
        # What has no date is before nothing.
        yield and_(order.c.moment < moment_key(query.until), order.c.moment > "")
    if query.after:
        yield tuple_(order.c.moment, order.c.post) < tuple_(query.after.moment, query.after.id)


def _has(facet: Facet, order: FromClause) -> ColumnElement[bool]:
    here = FACETS.alias()
    named = (here.c.kind == facet.kind) & (here.c.name == folded(facet.name))
    return exists().where(here.c.post == order.c.post, named)
