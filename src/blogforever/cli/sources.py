"""blogforever sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import click

from blogforever.errors import UsageError
from blogforever.records import HowComplete
from blogforever.service.adding import undo_batch
from blogforever.service.desk import opened_desk, opened_to_read
from blogforever.service.following import change_followed, drop_followed, find_followed, made_change
from blogforever.service.repairing import accept, freeze
from blogforever.service.verdicts import decide_verdict, find_verdict, in_short, told_verdict, training_examples
from blogforever.source.given import BlogMetadata
from blogforever.storage.following import (
    FollowedBlog,
    FollowedQuery,
    FollowedSort,
    FollowState,
    SourceBatch,
    WatchedAddress,
)
from blogforever.storage.verdicts import Decision
from blogforever.wording import counted, day_of, printable

from .add import item_of, row_line
from .grouping import HELP, NUMBER, ListingGroup, configured, person, reading, writing
from .telling import told_json

STATES, SORTS, COMPLETENESS = get_args(FollowState), get_args(FollowedSort), get_args(HowComplete)
MOST = 100_000
FEW = 50


@click.group("sources", cls=ListingGroup, context_settings=HELP)
def command() -> None:
    """The blogs that are followed: how each stands, what is said of it, and the batches they came in.

    \b
    blogforever sources                              what is followed, by id
    blogforever sources --state failing --tag news   some of it
    blogforever sources --completeness incomplete    those that posts are missing of
    blogforever sources show some.blog               all that is known of one
    blogforever sources change some.blog --tag history --language de --note "ask in May"
    blogforever sources verdict some.shop --say blog a person's word on what the analyser found
    blogforever sources freeze some.blog             leave it as the archive has it
    blogforever sources accept some.blog             take over what a frozen one shows now
    blogforever sources drop some.blog               follow it no more; the archive keeps what it has
    blogforever sources batches                      what was added, newest first
    blogforever sources rows BATCH --verdict invalid what came of each row
    blogforever sources undo BATCH                   take a batch back

    Without a further word it lists followed blogs. Every one of them has --json.
    """


@command.command("list")
@click.argument("words", required=False, default="", metavar="[WORDS]")
@click.option("--state", "states", multiple=True, type=click.Choice(STATES), help="Only those in this state.")
@click.option("--tag", default="", metavar="TAG", help="Only those with this tag.")
@click.option("--list", "blog_list", default="", metavar="NAME", help="Only those of this list.")
@click.option("--platform", default="", metavar="NAME", help="Only those on this platform.")
@click.option("--completeness", type=click.Choice(COMPLETENESS), help="Only those of which this is known.")
@click.option("--sort", type=click.Choice(SORTS), default="id", show_default=True, help="In this order.")
@click.option("--reverse", is_flag=True, help="The last first.")
@click.option("--limit", type=click.IntRange(1, MOST), default=1000, show_default=True, help="At most so many.")
@reading
def list_command(words: str, as_json: bool, **flags: Any) -> None:
    """Followed blogs with a part of the address or title in WORDS, or all of them."""
    query = FollowedQuery(
        words,
        flags["states"],
        flags["tag"],
        flags["blog_list"],
        flags["platform"],
        flags["sort"],
        flags["reverse"],
        limit=flags["limit"],
        completeness=flags["completeness"],
    )
    with opened_to_read(configured(flags).archive) as store:
        page = store.followed.page(query)
    if as_json:
        click.echo(told_json({"items": page.items, "next": page.next}))
        return
    for blog in page.items:
        click.echo(_line(blog))
    if not page.items:
        click.echo("No such blogs.")
    elif page.next:
        click.echo(f"There are more than {flags['limit']:,}; see --limit.")


def _line(blog: FollowedBlog) -> str:
    name = f"  {printable(blog.title)}" if blog.title else ""
    why = f"  ({printable(blog.reason)})" if blog.reason else ""
    figures = f"{blog.state:<10}  {blog.total:>6,}  {_how_complete(blog):<13}  {day_of(blog.last_look) or '-':<10}"
    return f"{figures}  {printable(blog.url)}{name}{why}"


def _how_complete(blog: FollowedBlog) -> str:
    if blog.completeness == "incomplete" and blog.missing:
        return f"{blog.missing:,} missing"
    return "-" if blog.completeness == "not-known" else blog.completeness


@command.command("show")
@click.argument("blog")
@reading
def show_command(blog: str, as_json: bool, **flags: Any) -> None:
    """All that is known of a followed BLOG: an id or an address."""
    with opened_to_read(configured(flags).archive) as store:
        found = find_followed(store, blog)
        watched, rows = store.followed.watched(found.id), store.sources.of_blog(found.id)
    if as_json:
        click.echo(told_json({"blog": found, "watched": watched, "sources": rows}))
        return
    for line in _shown(found, watched):
        click.echo(line)
    for row in rows:
        click.echo(f"given as          {printable(row.input)} in batch {row.batch}")


def _shown(blog: FollowedBlog, watched: list[WatchedAddress]) -> Iterator[str]:
    values: dict[str, Any] = {name: getattr(blog, name) for name in blog.__dataclass_fields__}
    values |= {name: getattr(blog.metadata, name) for name in BlogMetadata.__dataclass_fields__}
    values |= {"lists": ", ".join(blog.lists), "tags": ", ".join(blog.tags)}
    # The policy is shown by blogforever schedule; the sentences stand in reason and next reason
    # already.
    values |= dict.fromkeys(("metadata", "policy", "said", "next_said"), "")
    for name, value in values.items():
        if value not in (None, "", False, 0):
            yield f"{name.replace('_', ' '):<17} {printable(str(value))}"
    for address in watched:
        found = f"{address.total:,} found, last looked at {day_of(address.last_look) or 'never'}"
        yield f"{'watched':<17} {printable(address.url)} ({address.kind}): {found}"


@command.command("change")
@click.argument("blog")
@click.option("--title", metavar="TEXT", help="Its name.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="One more tag; may be repeated.")
@click.option("--no-tag", "no_tags", multiple=True, metavar="TAG", help="Take this tag away; may be repeated.")
@click.option("--list", "lists", multiple=True, metavar="NAME", help="Put it into this list, too.")
@click.option("--no-list", "no_lists", multiple=True, metavar="NAME", help="Take it out of this list.")
@click.option("--note", "notes", metavar="TEXT", help="What is to be remembered of it.")
@click.option("--until", metavar="DAY", help="Follow it up to this day; empty: without end.")
@click.option("--harvest-by", metavar="DAY", help="Have it harvested by this day: before others.")
@click.option("--language", metavar="TEXT", help="The language it is written in.")
@click.option("--location", metavar="TEXT", help="Where it is written.")
@click.option("--topic", metavar="TEXT", help="What it is about.")
@click.option("--author", metavar="TEXT", help="Who writes it.")
@click.option("--author-kind", metavar="TEXT", help="What kind of author: academic, journalist ...")
@click.option("--institution", metavar="TEXT", help="The author's institution.")
@writing
def change_command(blog: str, as_json: bool, **flags: Any) -> None:
    """Say something else of a followed BLOG; what is not given stays."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        found = find_followed(desk.store, blog)
        labels = {"tags": (flags["tags"], flags["no_tags"]), "lists": (flags["lists"], flags["no_lists"])}
        change = made_change(found, flags, labels)
        if not change.given():
            raise UsageError("Say what is to be changed, for example --note TEXT.")
        changed = change_followed(desk, found.id, change)
    click.echo(told_json(changed) if as_json else f"Changed: {changed.id}.")


@command.command("verdict")
@click.argument("blog")
@click.option("--say", type=click.Choice(["blog", "not-a-blog", "spam"]), help="Decide what it is; that holds.")
@writing
def verdict(blog: str, say: Decision | None, as_json: bool, **flags: Any) -> int:
    """What the analyser said of a followed blog and why; with --say, what you say."""
    config = configured(flags)
    with opened_desk(config.archive, person(), wait=config.wait) as desk:
        row = decide_verdict(desk, blog, say) if say else find_verdict(desk.store, blog)
    if as_json:
        click.echo(told_json({**told_verdict(row.verdict), "decided": row.decided, "decided_by": row.by}))
        return 0
    click.echo(printable(f"{row.blog}: {in_short(row.verdict)}" + (f" (decided by {row.by})" if row.decided else "")))
    for sign in row.verdict.reasons:
        click.echo(printable(f"  {sign.kind:<14} {sign.weight:.2f}  {sign.says}"))
    return 0


@command.command("examples")
@reading
def examples(as_json: bool, **flags: Any) -> int:
    """What people decided on verdicts, one line of JSON each, for tools/train_analyser.py."""
    config = configured(flags)
    with opened_to_read(config.archive) as store:
        for example in training_examples(store):
            click.echo(told_json(example))
    return 0


@command.command("freeze")
@click.argument("blogs", nargs=-1, required=True, metavar="BLOG...")
@writing
def freeze_command(blogs: tuple[str, ...], as_json: bool, **flags: Any) -> None:
    """Leave these as the archive has them: nobody looks at them until somebody accepts what they show."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        found = [find_followed(desk.store, blog) for blog in blogs]
        frozen = [freeze(desk, blog) for blog in found]
    click.echo(told_json({"frozen": frozen}) if as_json else f"{counted(len(frozen), 'blog')} frozen.")


@command.command("accept")
@click.argument("blogs", nargs=-1, required=True, metavar="BLOG...")
@writing
def accept_command(blogs: tuple[str, ...], as_json: bool, **flags: Any) -> None:
    """Take over what these frozen blogs show, at a look that the service begins at once."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        found = [find_followed(desk.store, blog) for blog in blogs]
        jobs = [accept(desk, blog) for blog in found]
    click.echo(told_json({"jobs": jobs}) if as_json else f"{counted(len(jobs), 'look')} asked for.")


@command.command("drop")
@click.argument("blogs", nargs=-1, required=True, metavar="BLOG...")
@click.option("--reason", default="", metavar="TEXT", help="Why; the journal keeps it.")
@writing
def drop_command(blogs: tuple[str, ...], reason: str, as_json: bool, **flags: Any) -> None:
    """Follow these no more; what the archive has of them stays."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        dropped = drop_followed(desk, blogs, reason)
    if as_json:
        click.echo(told_json({"dropped": [blog.id for blog in dropped]}))
    else:
        click.echo(f"{counted(len(dropped), 'blog')} followed no more.")


@command.command("batches")
@click.option("--limit", type=click.IntRange(1, MOST), default=FEW, show_default=True, help="At most so many.")
@reading
def batches_command(limit: int, as_json: bool, **flags: Any) -> None:
    """What was added, newest first."""
    with opened_to_read(configured(flags).archive) as store:
        batches = [(batch, dict(store.sources.verdicts(batch.id))) for batch in store.sources.batches(limit=limit)]
    if as_json:
        click.echo(told_json({"items": [{"batch": batch, "verdicts": numbers} for batch, numbers in batches]}))
        return
    for batch, numbers in batches:
        click.echo(_batch_line(batch, numbers))
    if not batches:
        click.echo("Nothing was added yet.")


def _batch_line(batch: SourceBatch, numbers: dict[str, int]) -> str:
    verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(numbers.items()))
    place = f" into {printable(batch.list)}" if batch.list else ""
    undone = f"; undone {day_of(batch.undone)}" if batch.undone else ""
    return f"{batch.id}  {printable(batch.by)}: {printable(batch.origin)}{place}  {verdicts}{undone}"


@command.command("rows")
@click.argument("batch")
@click.option("--verdict", metavar="VERDICT", help="Only those with this verdict.")
@click.option("--after", type=NUMBER, default=0, metavar="N", help="Only those after row N.")
@click.option("--limit", type=click.IntRange(1, MOST), default=1000, show_default=True, help="At most so many.")
@reading
def rows_command(batch: str, verdict: str | None, after: int, limit: int, as_json: bool, **flags: Any) -> None:
    """What came of each row of a BATCH, as analysis sees it by now."""
    with opened_to_read(configured(flags).archive) as store:
        if store.sources.batch(batch) is None:
            raise UsageError(f"There is no batch {batch!r}; blogforever sources batches shows which there are.")
        wanted = (row for row in store.sources.rows(batch, after) if verdict in (None, row.verdict))
        rows = [row for _, row in zip(range(limit), wanted, strict=False)]
    if as_json:
        click.echo(told_json({"batch": batch, "items": [item_of(row) for row in rows]}))
        return
    for row in rows:
        click.echo(f"{row.number:>6}  {row_line(row)}")


@command.command("undo")
@click.argument("batch")
@writing
def undo_command(batch: str, as_json: bool, **flags: Any) -> None:
    """Take a BATCH back: what only it wanted is followed no more; what the archive has of it stays."""
    config = configured(flags)
    with opened_desk(config.archive, person(), config.wait) as desk:
        undone = undo_batch(desk, batch)
    click.echo(told_json(undone) if as_json else f"The batch {undone.id} is undone.")
