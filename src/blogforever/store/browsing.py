"""Choose among the posts of all blogs in the database: along an index in the order of time, never all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, column, func, intersect, select, tuple_

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
# Posts with a facet that are counted, and how many times as many another one may have whose posts are gone through
# beside those of the first: where it has more, each post is looked up among them.
COUNTED, TIMES = 5000, 8


@dataclass(frozen=True, slots=True)
class LedQuery:
    """A question whose most seldom facet comes first; the posts of so many facets are gone through side by side."""

    query: PostQuery
    merged: int = 1


def page_of_posts(rows: Rows, query: PostQuery) -> PostPage:
    """The posts that are asked for, newest first, from a place on."""
    rows.settle("posts")
    found = rows.all(_selected(led_by_seldom(query, lambda counting: rows.first(counting)[0])))
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


def led_by_seldom(query: PostQuery, count: Callable[[Select[Any]], int]) -> LedQuery:
    """The same question, so that as few posts as can be are gone through in vain: to look up which posts of sixty
    thousand are by somebody with three hundred takes a hundred times as long as the other way round.
    """
    if len(query.facets) < 2:
        return LedQuery(query)
    numbers = {facet: count(_counted(facet)) for facet in query.facets}
    ordered = sorted(query.facets, key=numbers.__getitem__)
    most = min(COUNTED, TIMES * (numbers[ordered[0]] + 1))
    alike = sum(numbers[facet] < most for facet in ordered)
    return LedQuery(replace(query, facets=tuple(ordered)), max(1, alike))


def _counted(facet: Facet) -> Select[Any]:
    some = select(FACETS.c.post).where(_named(facet)).limit(COUNTED).subquery()
    return select(func.count()).select_from(some)


def _selected(led: LedQuery) -> Select[tuple[str, str, str, str]]:
    """The rows of a page, and one more: whether there is a next page."""
    query, order = led.query, _order_of(led)
    left = replace(query, facets=query.facets[led.merged - 1 :])
    wanted = (*in_order_of(order, left), *chosen(order, left))
    in_order = (order.c.moment.desc(), order.c.post.desc())
    joined = order.join(POSTS, POSTS.c.id == order.c.post)
    if led.merged < 2:
        columns = (POSTS.c.id, POSTS.c.blog, POSTS.c.record, order.c.moment)
        return select(*columns).select_from(joined).where(*wanted).order_by(*in_order).limit(query.limit + 1)
    # What is put in order carries no records along.
    some = select(order.c.post, order.c.moment).select_from(joined if query.blog or query.list else order)
    shown = some.where(*wanted).order_by(*in_order).limit(query.limit + 1).subquery("shown")
    columns = (POSTS.c.id, POSTS.c.blog, POSTS.c.record, shown.c.moment)
    records = select(*columns).select_from(shown.join(POSTS, POSTS.c.id == shown.c.post))
    return records.order_by(shown.c.moment.desc(), shown.c.post.desc())


def _order_of(led: LedQuery) -> FromClause:
    """The table in whose order posts come. Where several facets have about as many posts, these are met in the order
    of time by going through all of them at once; the limit, which none of them reaches, lets SQLite do that.
    """
    facets = led.query.facets
    if not facets:
        return MOMENTS
    if led.merged < 2:
        return FACETS
    in_time_of = (select(FACETS.c.moment, FACETS.c.post).where(_named(facet)) for facet in facets[: led.merged])
    newest: tuple[Any, ...] = (column("moment").desc(), column("post").desc())
    return intersect(*in_time_of).order_by(*newest).limit(COUNTED).subquery("both")


def in_order_of(order: FromClause, query: PostQuery) -> Iterator[ColumnElement[bool]]:
    """What the table must hold in whose order posts come: where there are facets, the first leads,
    because its posts stand in the order of time.
    """
    if not query.facets:
        if query.blog:
            yield MOMENTS.c.blog == query.blog
        return
    if order is FACETS:
        yield _named(query.facets[0])
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


def _named(facet: Facet) -> ColumnElement[bool]:
    return and_(FACETS.c.kind == facet.kind, FACETS.c.name == folded(facet.name))


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
