"""Ends of jobs, written together: what ends while others are written waits for the next transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial

from blogforever.logs import logger
from blogforever.storage.tables import Store

Aside = Callable[[Callable[[], list[Exception | None]]], Awaitable[list[Exception | None]]]
"""Runs something in the thread that asks the queue."""
log = logger("work")


@dataclass(frozen=True, slots=True)
class _End:
    """How one job ends, in the words of its own log, and who waits for that."""

    write: Callable[[], None]
    context: Context
    written: asyncio.Future[None]


@dataclass(slots=True)
class JobEnds:
    """The ends of one worker's jobs; from the thread of the event loop."""

    store: Store
    aside: Aside
    _waiting: list[_End] = field(default_factory=list)
    _writing: asyncio.Task[None] | None = None

    async def write(self, end: Callable[[], None]) -> None:
        """Let this be written; with what else has ended, where that can be. Raises what it raises."""
        waited: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_End(end, copy_context(), waited))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all(), name="ends of jobs")
        await waited

    async def finished(self) -> None:
        """Until nothing is left to be written."""
        if self._writing is not None:
            await self._writing

    async def _write_all(self) -> None:
        while self._waiting:
            ends, self._waiting = self._waiting, []
            for end, error in zip(ends, await self._outcomes(ends), strict=True):
                _tell(end.written, error)

    async def _outcomes(self, ends: list[_End]) -> list[Exception | None]:
        """What writing each of these came to; whoever waits for one is told, whatever happens."""
        try:
            return await self.aside(partial(_written, self.store, ends))
        except asyncio.CancelledError:
            for end in (*ends, *self._waiting):
                end.written.cancel()
            raise
        except Exception as error:  # the thread is gone: nothing can be written any more
            return [error] * len(ends)


def _written(store: Store, ends: list[_End]) -> list[Exception | None]:
    """Write these in one transaction; where one of them cannot be, each in its own. What each raised."""
    if len(ends) > 1:
        try:
            with store.transaction():
                for end in ends:
                    end.context.run(end.write)
            return [None] * len(ends)
        except Exception as error:  # whose fault it is, shows when each is alone
            log.warning("%d jobs could not be ended together: %s", len(ends), error)
    return [_alone(end) for end in ends]


def _alone(end: _End) -> Exception | None:
    try:
        end.context.run(end.write)
    except Exception as error:
        return error
    return None


def _tell(waited: asyncio.Future[None], error: Exception | None) -> None:
    if waited.done():
        return
    if error is None:
        waited.set_result(None)
    else:
        waited.set_exception(error)
