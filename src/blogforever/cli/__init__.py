"""The command line; a command's module is loaded when it is called, to start quickly."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from blogforever.errors import ArchiveError, BlogForeverError, UsageError
from blogforever.wording import did_you_mean, printable

from .stopping import INTERRUPTED, Process, end_now, stopped_sentence

SECTIONS = {
    "Harvest": {
        "crawl": "Keep a whole blog: every post, as records and as the pages it was served in.",
        "update": "Bring the blogs of the archive up to date: all that are due, or those that are named.",
        "news": "What changed in the archive: posts that are new, edited, commented, gone ...",
        "missing": "What the archive lacks of a blog, and why.",
        "extract": "Posts out of single pages.",
        "analyse": "What is at an address: a blog, a post, a feed, or something else; and why.",
    },
    "Read and hand on": {
        "list": "The blogs of the archive, or the posts of one.",
        "show": "A post, readable in the terminal.",
        "diff": "What the author changed in a post, from version to version.",
        "search": "Posts that hold certain words.",
        "export": "A copy people can read, a WACZ for replay, or the records as data.",
        "moves": "Where a blog and its posts have moved; undo a move.",
    },
    "Follow many blogs": {
        "serve": "Follow blogs day by day, and answer over HTTP.",
        "worker": "Work for a service on another machine; as many machines as you like.",
        "add": "Follow blogs: addresses, text, CSV, XLSX or OPML.",
        "sources": "The blogs that are followed, and the batches they came in.",
        "lists": "Lists of followed blogs: make, export, drop.",
        "schedule": "When each followed blog is looked at next, and why; set, pause, now, forecast.",
        "jobs": "The work of the service: see it, cancel it, have it done again, pause it.",
        "block": "What nobody may add or follow.",
        "spam": "Blogs that are likely spam: what speaks for it; block, let in, not spam.",
        "ping": "Places that tell of new posts: our own endpoint, files and streams of ping servers.",
        "filters": "Which pings of unknown blogs are let in.",
        "outbox": "Files that repositories fetch by FTP: who may, what waits, ask again.",
        "webhooks": "Addresses that are told what becomes of posts: add, list, drop, send again.",
        "exchange": "Hand sources, block list and rules to other installations; take over theirs.",
        "stats": "What was done and found in any range of time.",
        "users": "The people who log in to the portal: add, list, change, remove.",
        "token": "Keys to the service's API: make, list, revoke.",
    },
    "Decide": {
        "rules": "Show, try, set, lock or re-learn the rules of a blog.",
        "reextract": "Read everything archived again with the present rules.",
        "suppress": "Hide a post, a comment, an author or a blog from everybody.",
        "embargo": "Hide something until a day.",
        "unsuppress": "Show again what was hidden.",
        "forget": "Remove a blog with everything the archive has of it.",
        "note": "Remarks about blogs and posts, kept in the journal.",
    },
    "Look after the archive": {
        "verify": "Check WARC files, indexes and database against each other.",
        "backup": "Copy what cannot be made again to another folder.",
        "restore": "Make an archive anew from a backup, or from its own WARC files.",
        "tidy": "Join the small WARC files that updates leave.",
        "archive": "Where the records are kept: in the folder or in PostgreSQL; move them.",
        "doctor": "What is installed, how the archive is, and what to do next.",
        "completion": "Let your shell complete commands and options with the Tab key.",
    },
}
"""All commands, as --help lists them."""
COMMANDS = {name: about for section in SECTIONS.values() for name, about in section.items()}
# What people call some of them who do not know our word.
OTHER_WORDS = {
    "cite": "; blogforever export sources.bib writes citations.",
    "delete": "; did you mean forget (a blog) or suppress --erase (a post)?",
    "erase": "; did you mean suppress --erase?",
    "harvest": "; did you mean crawl?",
    "help": "; blogforever --help lists all, blogforever COMMAND --help says more of one.",
    "hide": "; did you mean suppress?",
    "remove": "; did you mean forget (a blog) or suppress --erase (a post)?",
}
# What click says of numbers and of choices, which is hard to read.
IN_PLAIN_WORDS = {
    "a valid integer range": "a whole number",
    "a valid float range": "a number",
    ". Choose from:\n\t": ": write one of ",
    ",\n\t": ", ",
}
# What the system says where there is no room for our output, or no right to write it.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
# What the system says of a name that cannot be one: whoever typed it can mend it.
NO_NAME = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)


class LazyGroup(click.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, main job first."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{cmd_name}")
        command: click.Command = vars(module).get("command") or vars(module)[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; of a word that is none, those it may have been."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = OTHER_WORDS.get(args[0]) or did_you_mean(args[0], COMMANDS) or "; blogforever --help lists all."
            raise UsageError(f"There is no command {printable(args[0])!r}{near}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command; that whoever read its output has enough is no failure, as click would have it."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # What is still to be written is written to nobody.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in --help, without importing anything."""
        for name, section in SECTIONS.items():
            with formatter.section(name):
                formatter.write_dl([*section.items()])


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
    blogforever update                             bring all blogs that are due up to date
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
    Process.is_ours = True
    code = run(arguments)
    if Process.is_hurried:
        end_now(code)
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """The exit code of one call."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        return _called(words)
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message(), err=True)
        return 2
    except click.ClickException as error:
        click.echo(f"blogforever: {_said_of(error)}", err=True)
        return 2
    except BlogForeverError as error:
        click.echo(f"blogforever: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo(stopped_sentence(_command_of(arguments)), err=True)
        return INTERRUPTED
    except OSError as error:
        return _refused(error)


def _said_of(error: click.ClickException) -> str:
    """What is wrong with what was typed, in plain words, and where to read what may be."""
    said = error.format_message()
    for words, plain in IN_PLAIN_WORDS.items():
        said = said.replace(words, plain)
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{said.rstrip('.')}. {context.command_path} --help shows what may be given." if context else said


def _command_of(arguments: list[str] | None) -> str:
    """The command that was called, by its first word."""
    words = sys.argv[1:] if arguments is None else arguments
    return words[0] if words else ""


def _called(words: list[str]) -> int:
    if any("\0" in word for word in words):
        raise UsageError("There is a NUL in what was typed, which is in no name and in no text.")
    try:
        result: Any = blogforever.main(args=words, prog_name="blogforever", standalone_mode=False)
    except UnicodeEncodeError as error:
        # A file may be called so; nothing that the archive knows is.
        if all(map(_is_text, words)):
            raise
        raise UsageError("What was typed is no text in UTF-8; nothing in the archive is called so.") from error
    return result if isinstance(result, int) else 0


def _is_text(word: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in word)


def _refused(error: OSError) -> int:
    """The exit code where the system refused something: the disk, a file, a folder, our own output."""
    if error.filename is None and error.errno not in NO_ROOM:
        # Nothing of the user's was refused: a fault of ours, which a person should report.
        raise error
    what = "The output cannot be written"
    if error.filename is not None:
        what = f"{printable(str(error.filename))} cannot be used"
    click.echo(f"blogforever: {what}: {error.strerror}.", err=True)
    return UsageError.exit_code if error.errno in NO_NAME else ArchiveError.exit_code
