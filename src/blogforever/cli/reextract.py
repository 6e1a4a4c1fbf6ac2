"""blogforever reextract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import click

from blogforever import logs
from blogforever.archive.notices import outside_sentence
from blogforever.archive.reextracting import Reextraction, reextract
from blogforever.archive.stages import load_stages
from blogforever.records import Stored
from blogforever.wording import counted, kept_texts

from .configfile import config_flags, load_config
from .working import shown_headway

# Posts that are named for each sentence: enough to open and look at.
EXAMPLES = 3
# Of a value, as much as fits into a line beside the other one; some of it stands before the first
# difference.
SHOWN = 60
BEFORE = SHOWN // 3
READ_OUTSIDE = "what is still there was read where it lies"


@click.command("reextract")
@click.argument("blog", required=False, metavar="[BLOG]")
@config_flags("archive", "knowledge", "wait", "log_level", "log_format", "quiet")
def command(blog: str | None, **flags: Any) -> int:
    """Read every archived post again with the present rules, and say what reads otherwise now.

    Nothing is fetched: the pages come out of the WARC files. Older versions of posts are read
    again, too. What changes is our reading, not the post: no version is added, and the change is
    kept as an extraction revision. All other archived pages are looked at, too: those that the
    present rules know for posts are added; posts that would not be taken for posts any more are
    named, and kept. BLOG is an id, an address, a host or a title; without it all blogs are read.
    Where the page of a post cannot be read, the exit code is 1.

    \b
    blogforever reextract some.blog
    blogforever rules some.blog --set "h1.headline" --field title && blogforever reextract some.blog
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway(config.quiet):
        reports = reextract(config.archive, blog, stages=load_stages(config), wait=config.wait)
    for report in reports:
        if config.quiet and not (report.unread or report.broken):
            continue
        for line in report_lines(report):
            click.echo(line)
    return 1 if any(report.unread or report.broken for report in reports) else 0


def report_lines(report: Reextraction) -> Iterator[str]:
    """What reading a blog again has changed, with some examples of each."""
    older = f" and {counted(report.versions, 'older version')}" if report.versions else ""
    outcome = f"{report.changed:,} read otherwise now" if report.changed else "all read as before"
    yield f"{report.title}: {counted(report.posts, 'post')}{older} read again, {outcome}."
    for name, count in report.fields.most_common():
        yield f"  {name}: {count:,}"
        for change in report.examples.get(name, ()):
            yield f"    {change.url}: {_shown(change.before, change.after)} -> {_shown(change.after, change.before)}"
    yield from _with_examples(kept_texts, report.fuller)
    yield from _with_examples(_recognised, report.new)
    yield from _with_examples(_doubted, report.doubtful)
    yield from _with_examples(_unread, report.unread)
    for stage in report.broken:
        yield f"  Not everything could be read: {stage}."
    for outside in report.outside:
        yield f"  {outside_sentence(outside, READ_OUTSIDE)}"


def _with_examples(sentence: Callable[[int], str], urls: Sequence[str]) -> Iterator[str]:
    if not urls:
        return
    yield f"  {sentence(len(urls))}"
    for url in urls[:EXAMPLES]:
        yield f"    {url}"


def _recognised(number: int) -> str:
    return f"{counted(number, 'page')} kept as something else: recognised as posts now, and added."


def _doubted(number: int) -> str:
    return f"{counted(number, 'post')} would not be taken for posts any more; they are kept."


def _unread(number: int) -> str:
    return f"{counted(number, 'post')} left as they are: no page of them could be read."


def _shown(value: object, other: object) -> str:
    """A value in a few words, from where it begins to differ."""
    if isinstance(value, str) and isinstance(other, str):
        return _shown_text(value, other)
    if isinstance(value, tuple):
        names = ", ".join(map(_named, value))
        return f"{len(value)}: {names[:SHOWN]}" if value else "none"
    return repr(value)[:SHOWN] if value is not None else "none"


def _shown_text(text: str, other: str) -> str:
    """A text, or of a long one what stands where it begins to differ."""
    start = 0
    if len(text) > SHOWN:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
        start = max(0, len(list(same)) - BEFORE)
    end = start + SHOWN
    words = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{words!r}{'…' if len(text) > end else ''}"


def _named(item: object) -> str:
    """One of several values, by its name or what comes nearest to one."""
    if not isinstance(item, Stored):
        return str(item)
    names = (getattr(item, name, None) for name in ("name", "url", "id"))
    return str(next((name for name in names if name), None))
