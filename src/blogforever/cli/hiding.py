"""What the commands that hide something share: how it is named, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from blogforever.archive.notices import erased_words
from blogforever.archive.suppressing import Suppressed, Target
from blogforever.care.decisions import KINDS
from blogforever.wording import counted

WHAT = {"url": "the post", "comment": "the comment", "author": "everything by", "blog": "the blog"}
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
