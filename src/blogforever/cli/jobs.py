"""blogforever jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import click

from blogforever.archive.opening import open_archive
from blogforever.service.jobs import (
    KINDS,
    PARTS,
    USUAL_PAGE,
    WorkStanding,
    cancel_job,
    find_job,
    list_jobs,
    pause_part,
    resume_part,
    retry_job,
    work_standing,
)
from blogforever.storage.tables import Store
from blogforever.storage.work import JobFilter, JobRow
from blogforever.wording import printable, shown_size

from .grouping import HELP, NUMBER, ListingGroup, configured, person, reading, writing
from .telling import told_json

STATES = ("waiting", "running", "done", "failed", "cancelled")
# Columns of the list: number, kind, state, moment.
ROW = "{:>7}  {:<8} {:<9}  {:<16}  {}"


@click.group("jobs", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """The work of the service: what waits, what is under way, what came of it.

    \b
    blogforever jobs --state failed          the jobs that failed, newest first
    blogforever jobs show 12                 one of them, with all that is known of it
    blogforever jobs retry 12                have it done again, before all others
    blogforever jobs cancel 12               nobody wants it any more
    blogforever jobs standing                workers, counts, what is paused
    blogforever jobs pause scheduler         nothing new is planned until `jobs resume scheduler`

    Without a further word it lists jobs. Every one of them has --json.
    """


@command.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only those that stand so.")
@click.option("--kind", type=click.Choice(KINDS), help="Only those of this kind.")
@click.option("--blog", default="", metavar="ID", help="Only those of this followed blog.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only those that ended on this day (UTC).")
@click.option("--limit", type=click.IntRange(1, 10_000), default=USUAL_PAGE, show_default=True, help="At most so many.")
@click.option("--after", type=NUMBER, metavar="N", help="Only those older than job N.")
@reading
def list_command(
    state: Any,
    kind: Any,
    blog: str,
    day: datetime | None,
    limit: int,
    after: int | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Jobs, newest first."""
    meant = JobFilter(state, kind, blog, day.date().isoformat() if day else "")
    with open_archive(configured(flags).archive, writing=False) as archive:
        page = list_jobs(archive.store, meant, limit, after)
    if as_json:
        click.echo(told_json({"items": page.items, "next": page.next}))
        return
    for job in page.items:
        click.echo(_line(job))
    if not page.items:
        click.echo("No such jobs.")
    elif page.next is not None:
        click.echo(f"More: --after {page.next}")


@command.command("show")
@click.argument("job", type=NUMBER)
@reading
def show_command(job: int, as_json: bool, **flags: Any) -> None:
    """All that is known of a job."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        row = find_job(archive.store, job)
    if as_json:
        click.echo(told_json(row))
        return
    for name in row.__dataclass_fields__:
        if (value := getattr(row, name)) not in (None, "", False):
            click.echo(f"{name:<9} {printable(str(value))}")


@command.command("cancel")
@click.argument("job", type=NUMBER)
@writing
def cancel_command(job: int, as_json: bool, **flags: Any) -> None:
    """End a job: one that waits at once, one under way in good order."""
    _tell(_writing(flags, lambda store: cancel_job(store, job)), as_json)


@command.command("retry")
@click.argument("job", type=NUMBER)
@writing
def retry_command(job: int, as_json: bool, **flags: Any) -> None:
    """Have done again what failed or was cancelled, before all others."""
    _tell(_writing(flags, lambda store: retry_job(store, job, person())), as_json)


@command.command("standing")
@reading
def standing_command(as_json: bool, **flags: Any) -> None:
    """Workers, how many jobs stand how, and what is paused."""
    with open_archive(configured(flags).archive, writing=False) as archive:
        standing = work_standing(archive.store)
    if as_json:
        click.echo(told_json(standing))
        return
    for line in _standing_lines(standing):
        click.echo(line)


@command.command("pause")
@click.argument("part", type=click.Choice(PARTS))
@writing
def pause_command(part: str, as_json: bool, **flags: Any) -> None:
    """Let a part of the service begin nothing new; what is under way goes on."""
    paused = _writing(flags, lambda store: pause_part(store, part, person()))
    click.echo(told_json(paused) if as_json else f"{part} is paused since {paused.since} (by {paused.by}).")


@command.command("resume")
@click.argument("part", type=click.Choice(PARTS))
@writing
def resume_command(part: str, as_json: bool, **flags: Any) -> None:
    """Let a part of the service work again."""
    was_paused = _writing(flags, lambda store: resume_part(store, part))
    words = f"{part} works again." if was_paused else f"{part} was not paused."
    click.echo(told_json({"part": part, "was_paused": was_paused}) if as_json else words)


def _writing(flags: dict[str, Any], change: Callable[[Store], Any]) -> Any:
    config = configured(flags)
    with open_archive(config.archive, writing=True, wait=config.wait) as archive:
        return change(archive.store)


def _tell(job: JobRow, as_json: bool) -> None:
    if as_json:
        click.echo(told_json(job))
    elif job.cancel:
        click.echo(f"Job {job.id} is under way and will be stopped.")
    else:
        click.echo(_line(job))


def _line(job: JobRow) -> str:
    """One job in a line: when it happened, of which blog, what came of it."""
    when = (job.ended or job.started or job.due)[:16].replace("T", " ")
    what = " ".join(part for part in (job.blog, printable(job.error or "")) if part)
    return ROW.format(job.id, job.kind, job.state, when, what).rstrip()


def _standing_lines(standing: WorkStanding) -> Iterator[str]:
    for worker in standing.workers:
        using = f"{worker.running} jobs, {shown_size(worker.memory)} of memory"
        yield f"worker {worker.name}: {using}, since {worker.started}"
    if not standing.workers:
        yield "No worker lives; `blogforever serve` starts some."
    for kind, states in sorted(standing.jobs.items()):
        yield f"{kind}: " + ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
    for part in standing.paused:
        yield f"{part.part} is paused since {part.since} (by {part.by})"
