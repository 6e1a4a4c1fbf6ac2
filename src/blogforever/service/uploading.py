"""Sends what waits on this machine for the store of blobs, beside a worker's jobs: a store that was away comes back."""

from __future__ import annotations

import asyncio

from blogforever.archive.relocating import send_waiting
from blogforever.errors import ArchiveError
from blogforever.logs import logger
from blogforever.store.folder import ArchiveFolder

# Seconds between two looks at what waits: as long as a store that could not be reached is left
# alone.
EVERY = 60.0
log = logger("service")


async def keep_sending(archive: ArchiveFolder) -> None:
    """Send what earlier processes left behind at once, and from then on what waits, until cancelled."""
    if archive.mirror is None:
        return
    left_behind = True
    while True:
        await asyncio.to_thread(_send, archive, left_behind)
        left_behind = False
        await asyncio.sleep(EVERY)


def _send(archive: ArchiveFolder, left_behind: bool) -> None:
    """With locks of its own: what a look of this process is writing is left to it."""
    mirror = archive.mirror
    try:
        if mirror is not None and (left_behind or mirror.has_waiting()):
            send_waiting(archive.folder, left_behind)
    except ArchiveError as error:
        log.warning("what waits could not be sent: %s", error)
