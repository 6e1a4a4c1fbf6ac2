"""The processes of a browser: which they are, what memory they hold, and how to end them when nothing else helps."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from playwright.async_api import Browser, Error

PATIENCE = 3.0


async def process_ids(browser: Browser) -> list[int]:
    """The process numbers of a browser that still answers."""
    if not browser.is_connected():
        return []
    with suppress(Error, OSError, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            session = await browser.new_browser_cdp_session()
            told = await session.send("SystemInfo.getProcessInfo")
            await session.detach()
            return [int(process["id"]) for process in told["processInfo"]]
    return []


def memory(pids: Iterable[int]) -> int:
    """Bytes these processes hold for themselves; 0 where the system does not say."""
    return sum(map(_private_bytes, pids))


def kill(pids: Iterable[int]) -> None:
    """End what is still there of a browser that was asked to go."""
    for pid in pids:
        if b"chrom" in _name(pid):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _private_bytes(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _name(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/comm").read_bytes()
    except OSError:
        return b""
