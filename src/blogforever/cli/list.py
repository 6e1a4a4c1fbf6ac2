"""blogforever list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from blogforever import logs
from blogforever.archive.reading import (
    BlogInList,
    CrawlStanding,
    PostHeading,
    list_blogs,
    list_posts,
)
from blogforever.wording import DAY_LENGTH, counted, day_of, printable, span, spoken

from .configfile import config_flags, load_config


@click.command("list")
@click.argument("blog", required=False, metavar="[BLOG]")
@config_flags("archive")
def command(blog: str | None, **flags: Any) -> int:
    """List the blogs of the archive, or the posts of one, newest first.

    BLOG is an id, an address, a host or a title.

    \b
    blogforever list
    blogforever list some.blog
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    if blog:
        for post in list_posts(config.archive, blog):
            click.echo(_post_line(post))
        return 0
    blogs = list_blogs(config.archive)
    for listed in blogs:
        for line in _blog_lines(listed):
            click.echo(line)
    if not blogs:
        click.echo("The archive is empty.")
    return 0


def _post_line(post: PostHeading) -> str:
    # Titles stand below each other, whether there is a whole day or less.
    day = day_of(post.published).ljust(DAY_LENGTH)
    return f"{day}  {printable(post.title) or '(no title)'}  {printable(post.url)}"


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
    yield "  " + ", ".join(fact for fact in facts if fact)


def _how_far(standing: CrawlStanding) -> str:
    how = "harvesting" if standing.now else "the last crawl was interrupted"
    return f"{how}: {counted(standing.read, 'post')} read so far, {counted(standing.kept, 'response')} kept"
