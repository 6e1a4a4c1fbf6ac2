"""Sentences that logs and errors need as well as faces: of erasures, of outside responses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from blogforever.wording import counted

from .erasing import Erased, FinishedErasure
from .referenced import OutsideResponses

FINISH = "blogforever suppress --finish"
# Of many files or documents, the first ones: the others are found beside them.
FILES_SHOWN = 3
UNREAD_SHOWN = 5


def erased_words(erased: Erased) -> str:
    """What an erasure did."""
    words = (
        f"{counted(erased.posts, 'post')} and {counted(erased.dropped, 'record')} of the WARC files are gone; in"
        f" {counted(erased.blanked, 'other record')} and {counted(erased.records, 'other post')}"
        " words are unreadable now"
    )
    if erased.files:
        files = counted(erased.files, "other file")
        words += f"; so are they in {files} of the archive folder, or the file is gone"
    if erased.unread:
        words += f"; {unread_words(erased.unread)}"
    return words


def unread_words(unread: Sequence[str]) -> str:
    """What could not be searched, the first of it by name."""
    return f"{counted(len(unread), 'document')} could not be searched: {', '.join(unread[:UNREAD_SHOWN])}"


def finished_sentence(finished: FinishedErasure) -> str:
    """What was erased to the end that an earlier command had begun."""
    if finished.what == "forgotten":
        return f"The blog {finished.blog} was not wholly forgotten; now it is."
    words = erased_words(finished.erased)
    if finished.what == "renewed":
        return f"What a crawl of {finished.blog} had brought back is erased again: {words}."
    return f"An erasure that was cut off is finished: {words}."


def cut_off_sentence(blogs: Iterable[str]) -> str:
    """What is not erased yet, and what to do about it."""
    return f"An erasure in {', '.join(blogs)} was cut off: what must go is hidden, and {FINISH} takes it away."


def outside_sentence(outside: OutsideResponses, meaning: str) -> str:
    """Where the responses lie, what that means for a command, and what to do about it."""
    files = outside.files
    where = ", ".join(files[:FILES_SHOWN])
    if len(files) > FILES_SHOWN:
        where += f" and {counted(len(files) - FILES_SHOWN, 'more file')}"
    # Where there are several, the folder they lie in is less to type.
    replayed = files[0] if len(files) == 1 else str(Path(files[0]).parent)
    return (
        f"{counted(outside.number, 'response')} of {outside.blog} only referenced, in {where}: {meaning}."
        f" To keep them in the archive: blogforever crawl {outside.home} --replay {replayed}"
    )
