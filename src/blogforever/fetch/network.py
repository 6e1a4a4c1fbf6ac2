"""The one event loop that talks to the network: in a thread of its own, with Twisted on it, for the whole process."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, TypeVar

from twisted.internet import asyncioreactor

from .guard import GuardedResolver, Names

Result = TypeVar("Result")
_starting = Lock()
_started: list[Network] = []


@dataclass(frozen=True, slots=True)
class Network:
    """The loop of that thread, and the names that are connected to from it."""

    loop: asyncio.AbstractEventLoop
    names: Names

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Let the thread do this.

        Who asks may be in any thread and in any event loop, or in none.
        """
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    async def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The same, awaited in somebody else's event loop; cancelling the wait cancels the work."""
        return await asyncio.wrap_future(self.submit(work))


def network() -> Network:
    """The network of this process; its thread is started when it is first asked for, and stays.

    Twisted has one reactor in a process, bound to one loop for good. A thread of its own lets
    programs that have a loop already, or one after the other, use it, and keeps their loop free of
    what a crawl computes.
    """
    with _starting:
        if not _started:
            ready: Future[Network] = Future()
            # A daemon: it waits for ever, and must not keep the process alive when everything else
            # is done.
            Thread(target=_serve, args=(ready,), name="blogforever-network", daemon=True).start()
            _started.append(ready.result())
        return _started[0]


def _serve(ready: Future[Network]) -> None:
    try:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        names = _install_reactor(loop)
    except BaseException as error:
        ready.set_exception(error)
        raise
    ready.set_result(Network(loop, names))
    loop.run_forever()


def _install_reactor(loop: asyncio.AbstractEventLoop) -> Names:
    """Twisted on this loop, with a resolver that gives no addresses but those that may be connected
    to.
    """
    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]  # Twisted has not typed it
    from twisted.internet import reactor as installed  # noqa: PLC0415  exists only now

    reactor: Any = installed
    names = Names()
    reactor.installNameResolver(GuardedResolver(names))
    reactor.startRunning(installSignalHandlers=False)
    return names
