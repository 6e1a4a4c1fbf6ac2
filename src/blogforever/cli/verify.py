"""blogforever verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from blogforever import logs
from blogforever.archive.checking import CheckResult, keep_report, verify
from blogforever.archive.notices import cut_off_sentence, outside_sentence
from blogforever.errors import ArchiveError
from blogforever.wording import counted, printable, shown_size

from .configfile import config_flags, load_config
from .working import shown_headway

# A broken disk damages thousands of records at once; the first show where.
SHOWN = 200
UNCHECKED = "it was looked whether they are there, not whether they are sound"


@click.command("verify")
@click.option("--keep", is_flag=True, help="Keep what is found, dated, in the folder logs of the archive.")
@config_flags("archive", "log_level", "log_format", "quiet")
def command(keep: bool, **flags: Any) -> int:
    """Check WARC files, indexes and database against each other, and say what is wrong.

    Every record is unpacked and its digests are computed again. Damage ends with exit code 4; what
    cannot be looked at is damage, too, and keeps nothing else from being looked at.

    \b
    blogforever verify
    blogforever verify --archive blogs --log-level info
    blogforever verify --keep                     a report with the date, to compare with later
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    with shown_headway(config.quiet):
        verdict = verify(config.archive)
    # Names of files are whatever somebody called them.
    sentences = [printable(one) for one in _sentences(verdict)]
    for sentence in sentences[:SHOWN]:
        click.echo(sentence)
    if len(sentences) > SHOWN:
        click.echo(f"… and {len(sentences) - SHOWN:,} more.")
    if verdict.damaged or not config.quiet:
        click.echo(_summary(verdict))
    if keep:
        click.echo(f"Kept in {keep_report(config.archive, [*sentences, _summary(verdict)])}.")
    return ArchiveError.exit_code if verdict.damaged else 0


def _sentences(verdict: CheckResult) -> Iterator[str]:
    if verdict.cut_off:
        yield cut_off_sentence(verdict.cut_off)
    for finding in verdict.findings:
        yield finding.sentence
    for outside in verdict.outside:
        yield outside_sentence(outside, UNCHECKED)


def _summary(verdict: CheckResult) -> str:
    counts = verdict.counts
    seen = (
        f"{counted(counts.files, 'WARC file')} with {counted(counts.records, 'record')}"
        f" ({shown_size(counts.bytes)}), {counted(counts.indexes, 'index', 'indexes')}"
        f" and {counted(counts.posts, 'post')}"
    )
    problems = f"{counted(verdict.problems, 'problem')}." if verdict.problems else "all sound."
    return f"Checked {seen}: {problems}"
