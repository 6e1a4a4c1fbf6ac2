"""blogforever crawl."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.crawling import check, crawl_blogs, write_run
from blogforever.archive.jobs import Changes, CrawlReport
from blogforever.archive.surveying import Estimate, survey_blog
from blogforever.config import Config
from blogforever.errors import ArchiveError, NothingHarvested
from blogforever.wording import counted

from . import INTERRUPTED
from .configfile import config_flags, load_config
from .progress import Progress

# Announced posts that are missing: their reasons repeat, and the archive has them all.
SHOWN = 10
HOUR = 3600
# Below one and a half of a unit, the smaller one says more.
MINUTES_FROM, HOURS_FROM = 90, 1.5 * HOUR


@click.command()
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@config_flags(of="crawl")
def crawl(urls: tuple[str, ...], **flags: Any) -> int:
    """Keep whole blogs: find the feed, learn from it, harvest every post the blog links to.

    Creates the archive, continues an interrupted crawl, or brings a known blog up to date. Several
    commands may write different blogs of one archive at once; a second one for the same blog waits
    until the first has ended.

    \b
    blogforever crawl https://some.blog/
    blogforever crawl some.blog --archive blogs --contact me@my.org
    blogforever crawl https://some.blog/ --replay saved.warc.gz --jsonl posts.jsonl
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    check(urls, config)
    if config.dry_run:
        return max(_tell_estimate(survey_blog(url, config), config) for url in urls)
    with Progress(config.log_format) as progress:
        reports = crawl_blogs(urls, config, progress.watch)
    _write_jsonl(config, reports)
    for report in reports:
        # Of one blog without a post the error says enough.
        is_told_by_error = len(reports) == 1 and report.ending == "finished" and not report.posts and not report.broken
        if not is_told_by_error:
            _tell(report, config)
    return _exit_code(reports)


def _exit_code(reports: Iterable[CrawlReport]) -> int:
    reports = list(reports)
    if any(report.ending == "interrupted" for report in reports):
        return INTERRUPTED
    if any(map(_failed, reports)):
        return 1
    if not any(report.posts for report in reports):
        why = reports[0].home_failure
        raise NothingHarvested(f"No post was found at {reports[0].url}" + (f" ({why})." if why else "."))
    return 0 if all(map(_is_whole, reports)) else 1


def _failed(report: CrawlReport) -> bool:
    """Whether somebody should look at the blog, or at a stage of his own."""
    update = report.update
    held_up = update is not None and bool(update.frozen or update.unreachable)
    return report.ending == "lost" or held_up or bool(report.broken or report.fault)


def _is_whole(report: CrawlReport) -> bool:
    """Whether everything that is announced is there, and can be read."""
    return bool(report.posts) and not report.completeness.missing and not report.completeness.mostly_bare


def _write_jsonl(config: Config, reports: Iterable[CrawlReport]) -> None:
    if config.jsonl is None:
        return
    lines = (line for report in reports for line in write_run(config, report.run))
    if config.jsonl == "-":
        write_lines(sys.stdout, lines)
        return
    try:
        with Path(config.jsonl).open("w", encoding="utf-8") as file:
            write_lines(file, lines)
    except OSError as error:
        raise ArchiveError(f"{config.jsonl} cannot be written: {error.strerror or error}.") from error


def write_lines(file: Any, lines: Iterable[str]) -> None:
    """One record a line."""
    for line in lines:
        file.write(line + "\n")


def _tell(report: CrawlReport, config: Config) -> None:
    """The closing summary."""
    for line in _summary_lines(report, config):
        # Where records go to standard output, nothing else may.
        click.echo(line, err=config.jsonl == "-")


def _summary_lines(report: CrawlReport, config: Config) -> Iterator[str]:
    if report.fault:
        yield f"{report.url}: a fault of blogforever ended its crawl ({report.fault})."
        yield "  What came is kept, and the next crawl goes on from here."
        return
    yield from _first_lines(report)
    for note in report.notes:
        yield f"  {note}"
    if not report.feed and not report.update:
        yield "  No feed was found; posts were recognised by their pages alone."
    for sentence in report.completeness.sentences():
        yield f"  {sentence}"
    yield from _missing_lines(report.completeness.missing)
    yield from _ending_lines(report)
    yield from _page_lines(report)
    files = f", with {counted(report.files, 'file')} that its pages load" if report.files else ""
    yield f"  Kept in {config.archive}{files}."
    asked_nobody = bool(config.replay) or config.allow_private
    if not config.contact and not asked_nobody:
        yield "  Next time, tell site owners whom to ask: --contact you@example.org."


def _first_lines(report: CrawlReport) -> Iterator[str]:
    name = f"{report.title} ({report.url})" if report.title else report.url
    if report.update:
        yield from _update_lines(name, report, report.update)
        return
    why = f" ({report.home_failure})" if report.home_failure and not report.posts else ""
    yield f"{name}: {counted(report.posts, 'post')} kept, from {counted(report.pages, 'page')}{why}."


def _missing_lines(missing: Mapping[str, str]) -> Iterator[str]:
    for url, reason in list(missing.items())[:SHOWN]:
        yield f"  missing: {url} ({reason})"
    if len(missing) > SHOWN:
        yield f"  and {len(missing) - SHOWN} more, listed in the archive."


def _page_lines(report: CrawlReport) -> Iterator[str]:
    """What was drawn, what could not be, and which stages fail on the pages."""
    if report.drawn:
        yield f"  {counted(report.drawn, 'page')} drawn in a browser."
    if report.unseen:
        yield f"  {report.unseen}"
    for stage in report.broken:
        if stage.nearly_all:
            yield f"  The stage {stage.stage} fails on nearly every page: {stage.detail}. Mend it, then crawl again."


def _ending_lines(report: CrawlReport) -> Iterator[str]:
    """What ended the crawl before it was done."""
    if report.stopped:
        yield f"  Stopped by {report.stopped}; the blog may have more."
    if report.ending == "interrupted":
        yield "  Interrupted; the next crawl goes on from here."
    if report.ending == "lost":
        yield "  The blog could no longer be reached; the next crawl goes on from here."


def _update_lines(name: str, report: CrawlReport, changes: Changes) -> Iterator[str]:
    """What an update changed, and what a person should know of the blog."""
    if changes.unreachable:
        yield f"{name}: it cannot be reached ({changes.unreachable}); its {counted(report.posts, 'post')} are kept."
        return
    counts = {
        "new": changes.new,
        "edited": changes.edited,
        "moved": changes.moved,
        "missing": changes.missing,
        "gone": changes.gone,
        "back again": changes.back,
    }
    told = [f"{number:,} {word}" for word, number in counts.items() if number]
    if changes.comments:
        told.append(counted(changes.comments, "new comment"))
    if changes.pages:
        told.append(f"{counted(changes.pages, 'own page')} changed")
    news = ", ".join(told) or "nothing new"
    yield f"{name}: {news}; {counted(report.posts, 'post')} kept, after {counted(changes.requests, 'request')}."
    if changes.frozen:
        yield f"  Frozen, and nothing was changed: {changes.frozen}."
        yield "  Look at the blog; --accept-changes takes over what it shows now."
    if changes.relearned:
        yield f"  Its rules were learned again: {changes.relearned}."
    yield from (f"  {note}" for note in changes.notes)


def _tell_estimate(estimate: Estimate, config: Config) -> int:
    """What --dry-run says."""
    name = f"{estimate.title} ({estimate.url})" if estimate.title else estimate.url
    if not estimate.posts:
        why = f" ({estimate.failure})" if estimate.failure else ""
        click.echo(f"{name}: no feed, API or sitemap announces posts{why}; how many there are only a crawl can tell.")
        return NothingHarvested.exit_code if estimate.failure else 0
    about = "at least" if estimate.at_least else "about"
    rate = "at one page a second" if config.delay == 1 else f"at one page every {config.delay:g} s"
    click.echo(
        f"{name}: {about} {counted(estimate.posts, 'post')}, {_duration(estimate.seconds)} {rate}"
        f" for {counted(estimate.pages, 'page')}."
    )
    click.echo(f"  Announced by: {', '.join(estimate.sources)}. Nothing was kept.")
    return 0


def _duration(seconds: float) -> str:
    if seconds < MINUTES_FROM:
        return counted(round(seconds), "second")
    if seconds < HOURS_FROM:
        return counted(round(seconds / 60), "minute")
    return f"{seconds / HOUR:.1f} hours"
