"""What a person is told of crawls when they are over: of each what it brought and what needs a look, and the sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from blogforever.archive.jobs import Changes, CrawlReport
from blogforever.config import Config
from blogforever.errors import NothingHarvested
from blogforever.wording import counted

from .advice import advice_for
from .stopping import INTERRUPTED

# Announced posts that are missing: their reasons repeat, and `blogforever missing` has them all.
SHOWN = 10
# Blogs of which everything is told; of more, what needs a look, and the sum.
FEW = 3


def closing_lines(reports: Sequence[CrawlReport], config: Config) -> Iterator[str]:
    """The closing summary: of a few blogs everything, of many what needs a look and the sum; for
    who wants quiet, what needs a look.
    """
    if len(reports) <= FEW and not config.quiet:
        for report in reports:
            # Of one blog without a post the error says enough.
            is_told_by_error = len(reports) == 1 and report.ending == "finished" and not _has_something(report)
            if not is_told_by_error:
                yield from summary_lines(report, config)
        return
    for report in reports:
        if needs_look(report) and report.ending != "interrupted":
            yield from _short_lines(report)
    if not config.quiet:
        yield _sum_line(reports)


def _has_something(report: CrawlReport) -> bool:
    return bool(report.posts or report.broken)


def needs_look(report: CrawlReport) -> bool:
    """Whether a person should look at the blog."""
    return _failed(report) or not _is_whole(report)


def news_line(report: CrawlReport) -> str:
    """What a crawl brought, in one line."""
    return next(iter(_first_lines(report)))


def _short_lines(report: CrawlReport) -> Iterator[str]:
    """One blog among many: what it brought, and why it needs a look."""
    if report.fault:
        yield f"{report.url}: a fault of blogforever ended its crawl ({report.fault})."
        return
    yield from _first_lines(report)
    yield from _ending_lines(report)
    missing = len(report.completeness.missing)
    if missing:
        url, reason = next(iter(report.completeness.missing.items()))
        one = f"{url} ({reason})"
        yield f"  missing: {one}" if missing == 1 else f"  missing: {counted(missing, 'announced post')}, first {one};"
        if missing > 1:
            yield f"  blogforever missing {report.blog} lists them."
    if report.completeness.mostly_bare:
        yield f"  Of most of its posts no text could be read; blogforever rules {report.blog} shows the rules."
    yield from _page_lines(report)


def _sum_line(reports: Sequence[CrawlReport]) -> str:
    """What all crawls brought together."""
    told = [f"{counted(sum(report.posts for report in reports), 'post')} kept"]
    if updates := [report.update for report in reports if report.update]:
        told.append(_sum_of_changes(updates))
    told.append(counted(sum(_requests(report) for report in reports), "request"))
    lacking = sum(map(needs_look, reports))
    told.append(f"{counted(lacking, 'blog')} to look at" if lacking else "all well")
    stopped = sum(report.ending == "interrupted" for report in reports)
    ending = f" {counted(stopped, 'blog')} not done: the next crawl goes on from here." if stopped else ""
    return f"{counted(len(reports), 'blog')}: {'; '.join(told)}.{ending}"


def _sum_of_changes(updates: Sequence[Changes]) -> str:
    sums = {name: sum(getattr(one, name) for one in updates) for name in ("new", "edited", "missing", "gone")}
    return ", ".join(f"{number:,} {name}" for name, number in sums.items() if number) or "nothing new"


def _requests(report: CrawlReport) -> int:
    return report.update.requests if report.update else report.pages


def exit_code(reports: Iterable[CrawlReport], live: bool = True) -> int:
    """The exit code that these come to; NothingHarvested where none brought a post."""
    reports = list(reports)
    if any(report.ending == "interrupted" for report in reports):
        return INTERRUPTED
    if any(map(_failed, reports)):
        return 1
    if not any(report.posts for report in reports):
        why = reports[0].home_failure
        hint = advice_for(why) if live else ""
        raise NothingHarvested(f"No post was found at {reports[0].url}{f' ({why})' if why else ''}. {hint}".rstrip())
    return 0 if all(map(_is_whole, reports)) else 1


def _failed(report: CrawlReport) -> bool:
    """Whether somebody should look at the blog, or at a stage of his own."""
    update = report.update
    held_up = update is not None and bool(update.frozen or update.unreachable)
    return report.ending == "lost" or held_up or bool(report.broken or report.fault)


def _is_whole(report: CrawlReport) -> bool:
    """Whether everything that is announced is there, and can be read."""
    return bool(report.posts) and not report.completeness.missing and not report.completeness.mostly_bare


def summary_lines(report: CrawlReport, config: Config) -> Iterator[str]:
    """All there is to say of one crawl."""
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
    yield from _missing_lines(report.completeness.missing, report.blog)
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


def _missing_lines(missing: Mapping[str, str], blog: str) -> Iterator[str]:
    for url, reason in list(missing.items())[:SHOWN]:
        yield f"  missing: {url} ({reason})"
    if len(missing) > SHOWN:
        yield f"  and {len(missing) - SHOWN:,} more: blogforever missing {blog} lists them."


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
        if advice := advice_for(changes.unreachable):
            yield f"  {advice}"
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
