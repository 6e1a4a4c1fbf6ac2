"""An archive in whose outbox files wait for a repository."""

from __future__ import annotations

from pathlib import Path

from blogforever.archive.opening import open_archive
from blogforever.service.outbox import AskWish, add_account, ask_again
from blogforever.service.outboxfeed import OutboxFeeder
from blogforever.storage.searches import PostSearch

from .ftp import SECRET
from .samplearchive import hash_cheaply

ACCOUNT = "library"


def fill_outbox(archive: Path) -> int:
    """Have every post put into the outbox; how many files wait there."""
    with open_archive(archive, writing=True) as opened:
        if not opened.store.ftp_accounts.find(ACCOUNT):
            hash_cheaply()
            add_account(opened, ACCOUNT, SECRET)
        ask_again(opened, AskWish(search=PostSearch()))
        feeder = OutboxFeeder(opened)
        while feeder.look():
            pass
        return opened.store.outbox.figures().states["waiting"]
