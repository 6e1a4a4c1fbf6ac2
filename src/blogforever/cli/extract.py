"""blogforever extract."""

from __future__ import annotations

import sys

import click

from blogforever import logs
from blogforever.archive.extracting import Request, extract_records, read_input
from blogforever.archive.telling import RECORD_WRITERS


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--url", help="Address the page has on the web (for one page).")
@click.option("--feed", metavar="FILE", help="Feed of the blog; rules are learned from the pages it names.")
@click.option(
    "--comment-feed",
    metavar="FILE",
    help="Comment feed of the post or the blog, merged with the page.",
)
@click.option("--rules", metavar="FILE", help="Rules learned before.")
@click.option("--front-page", is_flag=True, help="The page lists posts: cut it into them.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["jsonl", "xml", "text"]),
    default="jsonl",
    show_default=True,
)
def extract(
    pages: tuple[str, ...],
    url: str | None,
    feed: str | None,
    comment_feed: str | None,
    rules: str | None,
    front_page: bool,
    style: str,
) -> int:
    """Extract the posts of single pages (files, or - for standard input) to standard output.

    \b
    blogforever extract post.html --url https://some.blog/2013/post/
    blogforever extract *.html --feed feed.xml --format text
    curl -s https://some.blog/ | blogforever extract - --url https://some.blog/ --front-page
    """
    logs.set_up("warning")
    stdin = sys.stdin.buffer.read() if "-" in pages else None
    request = Request(
        pages=[(name, read_input(name, stdin)) for name in pages],
        url=url,
        feed=read_input(feed) if feed else None,
        rules=read_input(rules).decode("utf-8", "replace") if rules else None,
        front_page=front_page,
        comment_feed=read_input(comment_feed) if comment_feed else None,
    )
    for piece in RECORD_WRITERS[style](extract_records(request)):
        click.echo(piece.encode("utf-8", "replace"))
    return 0
