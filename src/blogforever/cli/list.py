"""blogforever list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from blogforever.archive.listing import (
    BLOG_STATES,
    EVERYTHING,
    POST_STATES,
    BlogInList,
    CrawlStanding,
    ListWish,
    PostHeading,
    list_blogs,
    list_posts,
)
from blogforever.errors import UsageError
from blogforever.wording import DAY_LENGTH, counted, day_of, printable, span, spoken

from .grouping import configured, reading
from .moments import since_of
from .telling import told_json

STATES = tuple(dict.fromkeys((*POST_STATES, *BLOG_STATES)))
LATELY = "1d"
"""What is new where nobody says since when."""


@click.command("list")
@click.argument("blog", required=False, metavar="[BLOG]")
@click.option("--status", type=click.Choice(STATES), help="Only blogs, or posts, that stand so.")
@click.option("--new", "new", is_flag=True, help="Only posts that came lately (or since --since), or their blogs.")
@click.option("--since", metavar="WHEN", help="Only posts published since (with --new: found since), or their blogs.")
@reading
def command(blog: str | None, status: str | None, new: bool, since: str | None, as_json: bool, **flags: Any) -> int:
    """List the blogs of the archive, or the posts of one, newest first.

    BLOG is an id, an address, a host or a title. With --json each blog or post is a line of its own.

    \b
    blogforever list
    blogforever list --status unreachable
    blogforever list some.blog --since 2026-01-01
    blogforever list some.blog --new --json
    """
    states = POST_STATES if blog else BLOG_STATES
    if status and status not in states:
        raise UsageError(f"A {'post' if blog else 'blog'} is {', '.join(states[:-1])} or {states[-1]}, never {status}.")
    moment = since_of(since or LATELY) if since or new else ""
    wish = ListWish(status or "", moment, new)
    archive = configured(flags).archive
    if blog:
        return _tell_posts(list_posts(archive, blog, wish, whole=as_json), as_json)
    return _tell_blogs(list_blogs(archive, wish), wish == EVERYTHING, as_json)


def _tell_posts(posts: Iterator[PostHeading], as_json: bool) -> int:
    for post in posts:
        click.echo(told_json(post) if as_json else _post_line(post))
    return 0


def _tell_blogs(blogs: list[BlogInList], is_everything: bool, as_json: bool) -> int:
    for listed in blogs:
        for line in [told_json(_as_row(listed))] if as_json else _blog_lines(listed):
            click.echo(line)
    if not blogs and not as_json:
        click.echo("The archive is empty." if is_everything else "No such blogs.")
    return 0


def _as_row(blog: BlogInList) -> dict[str, Any]:
    """A blog as a program reads it."""
    summary = blog.summary
    record = summary.record if summary else None
    return {
        "id": blog.id,
        "url": blog.url,
        "title": blog.title,
        "status": blog.status,
        "posts": summary.kept if summary else 0,
        "first": summary.first if summary else None,
        "last": summary.last if summary else None,
        "crawled": summary.crawled if summary else None,
        "platform": record.platform if record else None,
        "language": record.language if record else None,
        "missing": len(record.completeness.missing) if record and record.completeness else 0,
    }


def _post_line(post: PostHeading) -> str:
    # Titles stand below each other, whether there is a whole day or less.
    day = day_of(post.published).ljust(DAY_LENGTH)
    state = f"  [{post.status}]" if post.status not in ("", "active") else ""
    return f"{day}  {printable(post.title) or '(no title)'}  {printable(post.url)}{state}"


def _blog_lines(blog: BlogInList) -> Iterator[str]:
    """One paragraph: title, name and address, what the archive has of it."""
    yield printable(blog.title)
    yield f"  {blog.id}  {printable(blog.url)}"
    facts: list[str] = []
    if blog.summary is not None:
        years = span(blog.summary.first, blog.summary.last)
        crawled = f"last crawled {spoken(blog.summary.crawled, 'never')}"
        facts += [counted(blog.summary.kept, "post"), years, crawled]
    if blog.standing is not None:
        facts.append(_how_far(blog.standing))
    elif blog.status != "active":
        facts.append(blog.status)
    yield "  " + ", ".join(fact for fact in facts if fact)


def _how_far(standing: CrawlStanding) -> str:
    how = "harvesting" if standing.now else "the last crawl was interrupted"
    return f"{how}: {counted(standing.read, 'post')} read so far, {counted(standing.kept, 'response')} kept"
