"""blogforever extract."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from textwrap import indent
from typing import Any
from xml.sax.saxutils import escape

import click

from blogforever import logs
from blogforever.archive.extracting import Request, extract_records, read_input
from blogforever.records import CommentRecord, PostRecord, json_line, to_json

# Answers below that are indented no further: lines would get too narrow.
DEEPEST = 8
RULE_LENGTH = 70
# Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])


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
    writers = {"jsonl": _jsonl, "xml": _xml, "text": _text}
    writers[style](extract_records(request))
    return 0


def _jsonl(records: Iterable[PostRecord]) -> None:
    for record in records:
        _put(json_line(record))


def _text(records: Iterable[PostRecord]) -> None:
    for number, record in enumerate(records):
        authors = ", ".join(author.name for author in record.authors)
        head = [record.title, record.published, authors, record.url]
        rule = "\n" + "-" * RULE_LENGTH + "\n" if number else ""
        _put(rule + "\n".join(part for part in head if part) + "\n\n" + record.text)
        for line in _thread(record.comments):
            _put(line)


def _thread(comments: Sequence[CommentRecord]) -> Iterable[str]:
    """Comments as text, answers indented below what they answer."""
    depths: dict[str, int] = {}
    for comment in comments:
        depths[comment.id] = depth = min(depths.get(comment.parent or "", -1) + 1, DEEPEST)
        head = [
            comment.author.name or "-",
            comment.published,
            "" if comment.kind == "comment" else comment.kind,
        ]
        yield indent("\n" + ", ".join(part for part in head if part) + ":\n" + comment.text, "    " * depth)


def _xml(records: Iterable[PostRecord]) -> None:
    _put('<?xml version="1.0" encoding="UTF-8"?>\n<records>')
    for record in records:
        _put(_element("post", {name: value for name, value in to_json(record).items() if name != "type"}))
    _put("</records>")


def _element(name: str, value: Any) -> str:
    """A value as XML: keys are elements, items of a list repeat, null is left out."""
    if value is None or value in ([], (), {}):
        return ""
    if isinstance(value, Mapping):
        return f"<{name}>{''.join(_element(k, v) for k, v in value.items())}</{name}>"
    if isinstance(value, list | tuple):
        return "".join(_element(name, item) for item in value)
    return f"<{name}>{escape(str(value).translate(NOT_XML))}</{name}>"


def _put(text: str) -> None:
    click.echo(text.encode("utf-8", "replace"))
