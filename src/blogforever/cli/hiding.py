"""What the commands that hide something share: how it is named, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from blogforever.archive.foreseeing import Foreseen, Remaining
from blogforever.archive.notices import erased_words, unread_words
from blogforever.archive.suppressing import Suppressed, Target
from blogforever.care.decisions import KINDS
from blogforever.wording import counted, printable

WHAT = {
    "url": "the post",
    "comment": "the comment",
    "author": "everything by",
    "blog": "the blog",
    "words": "the words",
}
# Addresses and files of one kind that are shown; of more, how many they are.
SHOWN = 20
# What records of WARC files are to people.
RECORDS = {"resource": "drawing of a page", "revisit": "repeated response"}
Decorated = Callable[..., Any]


def target_options(function: Decorated) -> Decorated:
    """The options that say what TARGET is and why it is hidden."""
    kind_help = "What TARGET is, where it could be more than one thing."
    blog_help = "Only in this blog: its id, address, host or title."
    function = click.option("--blog", metavar="BLOG", help=blog_help)(function)
    function = click.option("--kind", type=click.Choice(KINDS), help=kind_help)(function)
    return click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")(function)


def target_words(target: Target) -> str:
    """What is meant, and how much of it there is where that is not told by its name."""
    words = f"{WHAT[target.kind]} {target.name}"
    counts = {"post": target.posts, "comment": target.comments}
    held = [counted(number, word) for word, number in counts.items() if number]
    if held and target.kind in ("author", "blog"):
        words += f" ({' and '.join(held)})"
    return words


def suppressed_sentence(done: Suppressed) -> str:
    """What was hidden, erased or forgotten."""
    if done.forgotten:
        return f"Forgotten: {target_words(done.target)}."
    if done.erased is not None:
        return f"Erased: {erased_words(done.erased)}."
    until = f" until {done.until}" if done.until else ""
    return f"Hidden{until}: {target_words(done.target)}."


def foreseen_lines(target: Target, foreseen: Foreseen) -> Iterator[str]:
    """What an erasure would take."""
    if not foreseen.anything and not foreseen.files_removed:
        yield f"Nothing would be erased for {target_words(target)}."
        return
    posts, comments = counted(len(foreseen.posts), "post"), counted(foreseen.comments, "comment")
    yield f"Would be erased, for {target_words(target)}: {posts}, {comments}."
    yield from _some("Posts that go", foreseen.posts)
    for (kind, mime), number in sorted(foreseen.dropped.items()):
        of_type = f" ({mime})" if mime else ""
        yield f"Records of the WARC files that go: {number:,} of kind {RECORDS.get(kind, kind)}{of_type}"
    yield from _some("Responses that go", sorted(foreseen.addresses))
    yield from _some("Responses in which words become unreadable", sorted(foreseen.changed))
    yield from _some("Other posts in which words become unreadable or comments go", foreseen.touched)
    yield from _some("Files that go", foreseen.files_removed)
    yield from _some("Other files in which words become unreadable", foreseen.files_changed)
    yield "Nothing was touched: this was a dry run."


def hidden_lines(target: Target, foreseen: Foreseen) -> Iterator[str]:
    """What nobody would see any more."""
    posts, comments = counted(len(foreseen.posts), "post"), counted(foreseen.comments, "comment")
    yield f"Would be hidden, for {WHAT[target.kind]} {target.name}: {posts}, {comments}."
    yield from _some("Posts", foreseen.posts)
    yield from _some("Posts that lose comments", foreseen.touched)
    yield "Nothing was touched: this was a dry run. The archive would keep all of it, and unsuppress show it again."


def remaining_lines(remaining: Remaining) -> Iterator[str]:
    """What an erasure does not reach, and what to do about it."""
    yield "What stays, by design:"
    if remaining.short:
        names = counted(remaining.short, "short title or name", "short titles or names")
        yield f"- {names}, where nothing beside it says that this is meant"
    yield "- fewer than eight words in a row of the text, where somebody else says them; dates; words in pictures"
    if remaining.other_blogs:
        blogs = counted(remaining.other_blogs, "other blog")
        yield f"- what {blogs} of this archive say of it, and their links to it"
    if remaining.unread:
        yield f"- {unread_words(remaining.unread)}"
    if remaining.server:
        yield "- the log and the copies of the database's server: they are with who keeps it"
    if remaining.blobs:
        yield f"- earlier versions of files, where {remaining.blobs} keeps them and we may not delete them"
    yield "- backups, exports and copies outside the archive folder, and what was handed over: make them again"
    yield "- in the journal when, why and how much, and digests by which it is known when a crawl brings it back"


def _some(what: str, names: Sequence[str]) -> Iterator[str]:
    """Names below a heading, the first of many."""
    if not names:
        return
    yield f"{what}: {len(names):,}"
    yield from (f"  {printable(name)}" for name in names[:SHOWN])
    if len(names) > SHOWN:
        yield f"  and {len(names) - SHOWN:,} more"
