"""Work that would hold up an event loop, done in threads beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")

# Learning holds the sample pages of a blog in memory, and Python computes in one thread at a time
# anyway.
AT_A_TIME = 4


async def in_thread(work: Callable[[], Result]) -> Result:
    """What this gives, from a thread that keeps no process alive: who stops at once does not wait
    for it.

    The threads of `asyncio.to_thread` are waited for when the process ends, however long they take.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Result] = loop.create_future()

    def settle(tell: Callable[[], None]) -> None:
        # Who waited may have given up meanwhile.
        if not outcome.done():
            tell()

    def run() -> None:
        try:
            tell = partial(outcome.set_result, work())
        except BaseException as error:  # it belongs to who waits, whatever it is
            tell = partial(outcome.set_exception, error)
        loop.call_soon_threadsafe(settle, tell)

    # In the context of who asks: what is logged there is about the same blog.
    Thread(target=copy_context().run, args=(run,), name="blogforever-aside", daemon=True).start()
    return await outcome


class Aside:
    """Does heavy work in threads, not too much of it at a time."""

    def __init__(self, at_a_time: int = AT_A_TIME) -> None:
        self._places = asyncio.Semaphore(at_a_time)

    async def do(self, work: Callable[[], Result]) -> Result:
        """What this gives; the event loop goes on meanwhile."""
        async with self._places:
            return await in_thread(work)
