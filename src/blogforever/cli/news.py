"""blogforever news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import click

from blogforever.archive.whatsnew import PostNews, list_news
from blogforever.storage.news import NEWS_KINDS
from blogforever.wording import counted, printable

from .grouping import configured, reading
from .moments import since_of
from .telling import told_json

# Posts that are named of each blog: a first crawl brings thousands.
SHOWN = 20
WORDS = {
    "new": "new",
    "changed": "edited",
    "moved": "moved",
    "commented": "comments",
    "missing": "missing",
    "gone": "gone",
    "back": "back again",
}
WIDTH = max(map(len, WORDS.values()))


@click.command("news")
@click.argument("blogs", nargs=-1, metavar="[BLOG]...")
@click.option(
    "--since", default="1d", show_default=True, metavar="WHEN", help="A day, a moment, or how long ago: 12h, 3d."
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(NEWS_KINDS), help="Only this; may be repeated.")
@click.option("--every", is_flag=True, help=f"Every post, not only the first {SHOWN} of each blog.")
@reading
def command(
    blogs: tuple[str, ...], since: str, kinds: tuple[str, ...], every: bool, as_json: bool, **flags: Any
) -> int:
    """What changed in the archive: posts that are new, edited, moved, commented, missing, gone or back again.

    It lists what looks have found since then, blog by blog; not when posts were published. With
    --json each is a line of its own.

    \b
    blogforever news
    blogforever news --since 2026-11-01 --kind new --kind changed
    blogforever news some.blog --since 1w --json | jq -r .url
    """
    config = configured(flags)
    found = list_news(config.archive, since_of(since), "", blogs, kinds)
    if as_json:
        for one in found:
            click.echo(told_json(one))
        return 0
    for line in _lines(found, every):
        click.echo(line)
    return 0


def _lines(found: Iterable[PostNews], every: bool) -> Iterator[str]:
    by_blog: dict[str, list[PostNews]] = {}
    for one in found:
        by_blog.setdefault(one.blog, []).append(one)
    for blog, news in sorted(by_blog.items()):
        counts = Counter(one.kind for one in news)
        title = news[0].blog_title
        name = f"{printable(title)} ({printable(blog)})" if title else printable(blog)
        yield f"{name}: " + ", ".join(f"{counts[kind]:,} {WORDS[kind]}" for kind in NEWS_KINDS if counts[kind])
        yield from map(_line, islice(news, None if every else SHOWN))
        if len(news) > SHOWN and not every:
            yield f"  and {len(news) - SHOWN:,} more; --every lists them"
    total = sum(map(len, by_blog.values()))
    yield f"{counted(total, 'piece')} of news from {counted(len(by_blog), 'blog')}." if total else "Nothing is new."


def _line(news: PostNews) -> str:
    title = printable(news.title) or "(no title)"
    more = f" (+{news.comments})" if news.kind == "commented" else ""
    return f"  {WORDS[news.kind] + more:<{WIDTH}}  {title}  {printable(news.url)}"
