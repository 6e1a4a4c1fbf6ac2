"""blogforever crawl."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import click

from blogforever import logs
from blogforever.archive.crawling import check
from blogforever.archive.surveying import Estimate, survey_blog
from blogforever.config import Config
from blogforever.errors import NothingHarvested, UsageError
from blogforever.source.reading import given_in_file
from blogforever.wording import counted

from .configfile import config_flags, load_config
from .harvesting import crawl_all
from .helping import GroupedCommand
from .inputs import INPUT, piped
from .timeleft import duration


@click.command(cls=GroupedCommand)
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option("--from", "lists", multiple=True, metavar="FILE|-", help="Also the blogs that a file lists.")
@config_flags(of="crawl")
def crawl(urls: tuple[str, ...], lists: tuple[str, ...], **flags: Any) -> int:
    """Keep whole blogs: find the feed, learn from it, harvest every post the blog links to.

    Creates the archive, continues an interrupted crawl, or brings a known blog up to date. Several
    commands may write different blogs of one archive at once; a second one for the same blog waits
    until the first has ended.

    \b
    blogforever crawl https://some.blog/
    blogforever crawl some.blog --archive blogs --contact me@my.org
    blogforever crawl --from blogs.txt --archive blogs
    blogforever crawl https://some.blog/ --replay saved.warc.gz --jsonl posts.jsonl
    """
    config = load_config(flags)
    logs.set_up(config.log_level, config.log_format)
    for name in urls:
        _refuse_file(name)
    listed, wrong = _listed(lists)
    addresses = list(dict.fromkeys([*urls, *listed]))
    if not addresses:
        raise UsageError(wrong[0] if wrong else "Give the address of a blog, or a file of addresses with --from.")
    for sentence in wrong:
        click.echo(f"blogforever: {sentence}", err=True)
    check(addresses, config)
    if config.dry_run:
        code = max(_tell_estimate(survey_blog(url, config), config) for url in addresses)
    else:
        code = crawl_all(addresses, config)
    return code or (1 if wrong else 0)


def _refuse_file(name: str) -> None:
    """A file in the place of an address is meant otherwise."""
    with suppress(OSError):
        if Path(name).is_file():
            known = "--replay takes the pages of a blog from it, --from the addresses that it lists"
            raise UsageError(f"{name} is a file, and no address: {known}.")


def _listed(files: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The addresses that files list, and a sentence for each row that is none."""
    addresses, wrong = [], []
    with ExitStack() as opened:
        for name in files:
            file = piped(opened) if name == INPUT else _opened(name, opened)
            for row in given_in_file(file, name):
                if row.url:
                    addresses.append(row.url)
                else:
                    wrong.append(f"{name}, row {row.number}: {row.problem}")
    return addresses, wrong


def _opened(name: str, opened: ExitStack) -> Any:
    try:
        return opened.enter_context(Path(name).open("rb"))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror or error}.") from error


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
        f"{name}: {about} {counted(estimate.posts, 'post')}, {duration(estimate.seconds)} {rate}"
        f" for {counted(estimate.pages, 'page')}."
    )
    click.echo(f"  Announced by: {', '.join(estimate.sources)}. Nothing was kept.")
    return 0
