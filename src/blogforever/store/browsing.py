"""Choose among the posts of all blogs in the database: along an index in the order of time, never all of them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, FromClause, Select, and_, select, tuple_

from blogforever.dates import moment_key
from blogforever.storage.browsing import (
    CommentPage,
    CommentPlace,
    CommentQuery,
    Facet,
    PostLine,
    PostPage,
    PostPlace,
    PostQuery,
    folded,
)

from . import schema
from .rows import Rows

POSTS, MOMENTS, FACETS, COMMENTS = schema.posts, schema.moments, schema.facets, schema.comments


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


def post_after(rows: Rows, blog: str, place: PostPlace) -> PostLine | None:
    """The next newer post of a blog after a place; what has no date is after nothing."""
    rows.settle("posts")
    order = (MOMENTS.c.moment, MOMENTS.c.post)
    wanted = select(POSTS.c.id, POSTS.c.blog, POSTS.c.record).select_from(
        MOMENTS.join(POSTS, POSTS.c.id == MOMENTS.c.post)
    )
    wanted = wanted.where(MOMENTS.c.blog == blog, tuple_(*order) > tuple_(place.moment, place.id))
    found = rows.all(wanted.order_by(*order).limit(1))
    return PostLine(found[0].id, found[0].blog, found[0].record) if found else None


def page_of_comments(rows: Rows, query: CommentQuery) -> CommentPage:
    """The comments that are asked for, newest first, from a place on."""
    rows.settle("posts")
    order = (COMMENTS.c.moment, COMMENTS.c.post, COMMENTS.c.id)
    columns = (*order, POSTS.c.blog, POSTS.c.record)
    wanted = select(*columns).select_from(COMMENTS.join(POSTS, POSTS.c.id == COMMENTS.c.post))
    if query.blog:
        wanted = wanted.where(COMMENTS.c.blog == query.blog)
    wanted = wanted.where(*_written_between(query))
    if query.after:
        wanted = wanted.where(tuple_(*order) < tuple_(query.after.moment, query.after.post, query.after.id))
    found = rows.all(wanted.order_by(*(column.desc() for column in order)).limit(query.limit + 1))
    items = tuple((row.id, PostLine(row.post, row.blog, row.record)) for row in found[: query.limit])
    has_more = len(found) > query.limit > 0
    last = found[query.limit - 1] if has_more else None
    return CommentPage(items, CommentPlace(last.moment, last.post, last.id) if last else None)


def _written_between(query: CommentQuery) -> Iterator[ColumnElement[bool]]:
    if query.since:
        yield COMMENTS.c.moment >= moment_key(query.since)
    if query.until:
        # What has no date is before nothing.
        yield and_(COMMENTS.c.moment < moment_key(query.until), COMMENTS.c.moment > "")


def _selected(query: PostQuery) -> Select[tuple[str, str, str, str]]:
    """The rows of a page, and one more: whether there is a next page."""
    order: FromClause = FACETS if query.facets else MOMENTS
    wanted = (*in_order_of(order, query), *chosen(order, query))
    joined = order.join(POSTS, POSTS.c.id == order.c.post)
    columns = (POSTS.c.id, POSTS.c.blog, POSTS.c.record, order.c.moment)
    in_order = (order.c.moment.desc(), order.c.post.desc())
    return select(*columns).select_from(joined).where(*wanted).order_by(*in_order).limit(query.limit + 1)


def in_order_of(order: FromClause, query: PostQuery) -> Iterator[ColumnElement[bool]]:
    """What the table must hold in whose order posts come: where there are facets, the first leads,
    because its posts stand in the order of time.
    """
    if not query.facets:
        if query.blog:
            yield MOMENTS.c.blog == query.blog
        return
    leader = query.facets[0]
    yield and_(FACETS.c.kind == leader.kind, FACETS.c.name == folded(leader.name))
    if query.blog:
        yield POSTS.c.blog == query.blog


def chosen(order: FromClause, query: PostQuery, led: bool = True) -> Iterator[ColumnElement[bool]]:
    """What else is looked up post by post; where no table leads, that is all facets."""
    yield from in_time(order, query)
    for facet in query.facets[1:] if led else query.facets:
        yield _has(facet, order)
    if query.list:
        yield _in_list(query.list)


def in_time(order: FromClause, query: PostQuery) -> Iterator[ColumnElement[bool]]:
    """The time that is asked for, and what comes behind the page before."""
    if query.since:
        yield order.c.moment >= moment_key(query.since)
    if query.until:
        # What has no date is before nothing.
        yield and_(order.c.moment < moment_key(query.until), order.c.moment > "")
    if query.after:
        yield tuple_(order.c.moment, order.c.post) < tuple_(query.after.moment, query.after.id)


def _has(facet: Facet, order: FromClause) -> ColumnElement[bool]:
    """Looked up by the post; asked for more columns, SQLite would go through all posts with this
    facet each time.
    """
    here = FACETS.alias()
    named = (here.c.kind == facet.kind) & (here.c.name == folded(facet.name))
    return select(here.c.post).where(here.c.post == order.c.post, named).exists()


def _in_list(name: str) -> ColumnElement[bool]:
    """Whether the post's blog is one that is followed as part of a list.

    The empty text keeps the database from going through the list blog by blog: it would put all
    their posts in order first.
    """
    labels, followed = schema.labels, schema.followed
    joined = labels.join(followed, followed.c.id == labels.c.blog)
    blogs = select(followed.c.blog).select_from(joined).where(labels.c.kind == "list", labels.c.name == name)
    return POSTS.c.blog.concat("").in_(blogs)
