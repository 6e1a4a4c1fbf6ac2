"""Crawls with what is around them at the command line: progress, records for other programs, the closing summary."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from blogforever.archive.crawling import crawl_blogs, write_run
from blogforever.archive.fetchers import load_network
from blogforever.archive.jobs import CrawlReport
from blogforever.config import Config
from blogforever.errors import ArchiveError
from blogforever.service.adopting import adopt_crawled

from .crawled import closing_lines, exit_code
from .grouping import person
from .progress import Progress
from .stopping import Process

# Blogs that are crawled at a time over the network: all are held, and known, while they are.
AT_ONCE = 200


def crawl_all(urls: Sequence[str], config: Config) -> int:
    """Crawl these, and tell what came of it; the exit code."""
    _set_program_aside(config)
    with Progress(config.log_format, config.quiet, len(urls)) as progress:
        reports = list(_reports(urls, config, progress))
    adopt_crawled(config.archive, [report.blog for report in reports if report.posts], person())
    _write_jsonl(config, reports)
    for line in closing_lines(reports, config):
        # Where records go to standard output, nothing else may; who wants quiet wants to see
        # trouble.
        click.echo(line, err=config.jsonl == "-" or config.quiet)
    return exit_code(reports, live=not config.replay)


def _set_program_aside(config: Config) -> None:
    """Let Python look no more for garbage in what was loaded, which stays until the process ends: more than a hundred
    thousand objects, and to go through them once takes as long as some twenty pages.
    """
    if not Process.is_ours:
        return
    if not config.replay:
        load_network()
    gc.freeze()


def _reports(urls: Sequence[str], config: Config, progress: Progress) -> Iterator[CrawlReport]:
    """Some blogs at a time; out of WARC files, which are read once, all."""
    for some in _batches(urls, len(urls) if config.replay else AT_ONCE):
        reports = crawl_blogs(some, config, progress.watch, progress.finished)
        yield from reports
        if any(report.ending == "interrupted" for report in reports):
            return


def _batches(urls: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (urls[first : first + size] for first in range(0, len(urls), size))


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
