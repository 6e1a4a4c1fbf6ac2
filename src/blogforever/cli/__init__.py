"""The command line; a command's module is loaded when it is called, to start quickly."""

from __future__ import annotations

import errno
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from blogforever.errors import ArchiveError, BlogForeverError

COMMANDS = {
    "crawl": "Keep a whole blog: every post, as records and as the pages it was served in.",
    "serve": "Follow blogs day by day, and answer over HTTP.",
    "schedule": "When each followed blog is looked at next, and why; set, pause, now, forecast.",
    "jobs": "The work of the service: see it, cancel it, have it done again, pause it.",
    "add": "Follow blogs: addresses, text, CSV, XLSX or OPML.",
    "sources": "The blogs that are followed, and the batches they came in.",
    "lists": "Lists of followed blogs: make, export, drop.",
    "block": "What nobody may add or follow.",
    "token": "Keys to the service's API: make, list, revoke.",
    "extract": "Posts out of single pages.",
    "list": "The blogs of the archive, or the posts of one.",
    "show": "A post, readable in the terminal.",
    "diff": "What the author changed in a post, from version to version.",
    "moves": "Where a blog and its posts have moved; undo a move.",
    "search": "Posts that hold certain words.",
    "export": "A copy people can read, a WACZ for replay, or the records as data.",
    "rules": "Show, try, set, lock or re-learn the rules of a blog.",
    "reextract": "Read everything archived again with the present rules.",
    "suppress": "Hide a post, a comment, an author or a blog from everybody.",
    "embargo": "Hide something until a day.",
    "unsuppress": "Show again what was hidden.",
    "forget": "Remove a blog with everything the archive has of it.",
    "note": "Remarks about blogs and posts, kept in the journal.",
    "backup": "Copy what cannot be made again to another folder.",
    "restore": "Make an archive anew from a backup, or from its own WARC files.",
    "verify": "Check WARC files, indexes and database against each other.",
    "doctor": "What is installed, how the archive is, and what to do next.",
}
# As a shell counts what ended by an interrupt: 128 and the number of the signal.
INTERRUPTED = 130
# What the system says where there is no room for our output, or no right to write it.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


class LazyGroup(click.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, main job first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{cmd_name}")
        command: click.Command = vars(module).get("command") or vars(module)[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(version("blogforever"), prog_name="blogforever")
def blogforever() -> None:
    """Keeps whole blogs: learns each blog's extraction rules from its own feed, then harvests every
    post.

    \b
    blogforever crawl https://some.blog/           keep a blog in ./blogforever-archive
    blogforever crawl URL --replay saved.warc.gz   the same out of a WARC, without network
    blogforever extract page.html --feed feed.xml  one page, with rules learned from a feed
    blogforever search copper lantern              posts of the archive that hold these words
    blogforever export --format site copy          a static copy that opens from disk

    Every option can also be set in the environment (BLOGFOREVER_MAX_PAGES=100) and in
    blogforever.toml (max-pages = 100); a flag wins over the environment, which wins over the file.

    \b
    Exit codes: 0 done; 1 announced posts could not be captured; 2 wrong usage; 3 nothing
    could be harvested; 4 disk or archive trouble; 130 interrupted (the next crawl goes on).
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every expected error is one sentence and an exit code."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """The exit code of one call."""
    try:
        result: Any = blogforever.main(args=arguments, prog_name="blogforever", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message(), err=True)
        return 2
    except click.ClickException as error:
        click.echo(f"blogforever: {error.format_message()}", err=True)
        return 2
    except BlogForeverError as error:
        click.echo(f"blogforever: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("blogforever: stopped; the next crawl goes on from here.", err=True)
        return INTERRUPTED
    except OSError as error:
        return _unwritten(error)


def _unwritten(error: OSError) -> int:
    """The exit code where our output could not be written; other errors of the system are faults of
    ours.
    """
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has enough; nothing can be said to him any more.
        sys.stderr.close()
        return 0
    if error.errno not in NO_ROOM:
        raise error
    click.echo(f"blogforever: The output cannot be written: {error.strerror}.", err=True)
    return ArchiveError.exit_code
