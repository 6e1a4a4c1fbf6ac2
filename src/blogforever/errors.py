"""The whole exception tree, with the exit code each one ends the command with.

    BlogForeverError              1
    ├── UsageError                2   wrong arguments or configuration
    ├── NothingHarvested          3   no blog there, or blocked
    ├── ArchiveError              4   disk or archive trouble
    │   ├── ArchiveLocked         4   another command writes this blog or this archive
    │   └── BlobsAway             4   the store of WARC files cannot be reached
    └── BadInput                  2   bytes that are not what they were said to be
        ├── FeedError             2   no feed could be read
        └── RulesError            2   a rule file that cannot be understood

A failure of one page is no exception: it is recorded as a `Failure` (model.py) and the crawl goes on.
A new class needs a line above and one in docs/reference/exit-codes.md.
"""

LONGEST = 300
"""Letters kept of what an exception says: it may quote a whole page."""


def in_one_line(error: Exception) -> str:
    """What an exception that is not of this tree says, with its type, for people."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST].rstrip(": ")


class BlogForeverError(Exception):
    """Base of everything a user may see; its text is one clear sentence."""

    exit_code = 1


class UsageError(BlogForeverError):
    """Wrong arguments or configuration."""

    exit_code = 2


class NothingHarvested(BlogForeverError):
    """No blog was found at the address, or it refused us."""

    exit_code = 3


class ArchiveError(BlogForeverError):
    """The archive folder or the disk under it cannot be used."""

    exit_code = 4


class ArchiveLocked(ArchiveError):
    """Another command is writing this blog, or the whole archive, and was not to be waited for."""


class BlobsAway(ArchiveError):
    """Where the bytes of the archive are kept cannot be reached or used at this moment; what is here waits."""


class BadInput(BlogForeverError):
    """Bytes that are not what they were said to be."""

    exit_code = 2


class FeedError(BadInput):
    """No feed could be read from the bytes."""


class RulesError(BadInput):
    """A rule file that cannot be understood."""


OWN_TROUBLE = (ArchiveError, UsageError, OSError)
"""What is wrong with our disk, archive or options: no blog of the same command would fare better."""
