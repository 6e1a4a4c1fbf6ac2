"""The live fetcher: crawls blogs over the network, any number of them at any time, each until it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event

# First of all: while it is loaded, Scrapy looks three times at everything that is being loaded
# above it, for each at all modules there are. Below the modules of ours that need it, that took
# three times as long.
import scrapy.core.downloader.contextfactory  # noqa: F401

from blogforever.config import Config
from blogforever.errors import OWN_TROUBLE
from blogforever.model import Page
from blogforever.protocols import Lane, Ref, Renderer, ResponseReader

from .aside import Aside
from .downloads import Downloads
from .interrupt import Interrupt
from .lanes import Ending, LaneCrawl
from .network import Network, network
from .settings import make_settings
from .turns import ServiceTurns
from .ways import WaysOut

# Requests under way at a time; most of them wait for their host's turn, so that no host waits for
# us.
AT_ONCE = 16
# However many blogs there are: each has pages, pictures and comments at several hosts.
AT_ONCE_EACH = 4
# Seconds that who stops at once waits until the network has let go of the archive: one page may be
# in work. More would not be "at once", and what is cut off there is mended by the next crawl.
LETTING_GO = 1.0


class LiveFetcher:
    """Brings pages from the network, politely and safely; every response goes to the recorder
    first.

    `run` crawls some blogs and blocks until they are done. In a program with an event loop of its
    own:

        async with LiveFetcher(...) as fetcher:
            ending = await fetcher.crawl(lane)

    Any number of blogs may be crawled at once, and a new one at any time; each `crawl` ends with
    its own blog. What its handler raises is raised there, and nowhere else.
    """

    def __init__(
        self,
        config: Config,
        agent: str,
        reader: ResponseReader,
        renderer: Callable[[], Renderer] | None = None,
        turns: ServiceTurns | None = None,
    ) -> None:
        """`turns` are those of other processes, too, where some ask the same services."""
        self._config, self._agent, self._reader, self._renderer = config, agent, reader, renderer
        self._turns = turns
        self._open: OpenFetcher | None = None

    async def __aenter__(self) -> LiveFetcher:
        # Its thread may have to be started, and Twisted to be loaded.
        net = await asyncio.to_thread(network)
        fetcher = self._on(net)
        await net.do(fetcher.open())
        self._open = fetcher
        return self

    async def __aexit__(self, *_error: object) -> None:
        fetcher, self._open = self._entered(), None
        await fetcher.net.do(fetcher.close())

    async def crawl(self, lane: Lane) -> Ending:
        """Crawl one blog until its handler is satisfied, its site is lost, or somebody stops it.

        Says how it ended.
        """
        fetcher = self._entered()
        return await fetcher.net.do(fetcher.crawl(lane))

    def stop(self, lane: Lane | None = None) -> None:
        """Let one blog, or all, end as soon as what is under way has come; from any thread."""
        fetcher = self._entered()
        fetcher.net.loop.call_soon_threadsafe(fetcher.stop, lane)

    def crawl_here(self, lane: Lane) -> Ending:
        """The same for a thread that may wait, while the fetcher is entered elsewhere."""
        fetcher = self._entered()
        return fetcher.net.submit(fetcher.crawl(lane)).result()

    def run(self, lanes: list[Lane]) -> list[str]:
        """Crawl until all handlers are satisfied, somebody interrupts, or something breaks.

        Says how each crawl ended.
        """
        net = network()
        fetcher = self._on(net)
        crawling = net.submit(fetcher.crawl_all(lanes))

        def stop() -> None:
            net.loop.call_soon_threadsafe(fetcher.stop)

        with Interrupt(stop, fetcher.under_way):
            try:
                return list[str](crawling.result())
            except KeyboardInterrupt:
                # Stop at once; but the archive, which is closed next, must not be written to any
                # more.
                crawling.cancel()
                fetcher.over.wait(LETTING_GO)
                raise

    def read(self, ref: Ref) -> Page:
        """A response read again from the archive."""
        return self._reader.response(ref)[1]

    def _on(self, net: Network) -> OpenFetcher:
        def connect() -> Downloads:
            settings = make_settings(self._config, self._agent, net.names, self._reader, self._turns)
            sizes = {"media": self._config.max_media_size}
            renderer = self._renderer() if self._renderer else None
            return Downloads(settings, self.read, sizes, renderer)

        return OpenFetcher(net, connect, self._config.allow_private, WaysOut.of_config(self._config))

    def _entered(self) -> OpenFetcher:
        if self._open is None:
            raise RuntimeError("A fetcher is entered before it crawls: async with LiveFetcher(...).")
        return self._open


class OpenFetcher:
    """The crawls of one fetcher; everything here happens in the thread of the network."""

    def __init__(
        self,
        net: Network,
        connect: Callable[[], Downloads],
        allow_private: bool,
        ways: WaysOut,
    ) -> None:
        self.net = net
        self.over = Event()
        """Set when nothing more is done with answers that come."""
        self._connect, self._allow_private, self._ways = connect, allow_private, ways
        self._downloads: Downloads | None = None
        # Learning from a large new blog takes as long as a hundred looks at known ones.
        self._walks, self._looks = Aside(), Aside()
        self._crawls: dict[Lane, LaneCrawl] = {}

    async def open(self) -> None:
        """Until crawls can begin."""
        self.net.names.enter(self._allow_private, self._ways)
        try:
            downloads = self._connect()
            await downloads.open()
        except BaseException:
            self.net.names.leave()
            raise
        self._downloads = downloads

    async def close(self) -> None:
        """Until everything that was started is given back."""
        assert self._downloads
        try:
            await self._downloads.close()
        finally:
            self.net.names.leave()

    async def crawl(self, lane: Lane) -> Ending:
        """One blog, from its first request to its last."""
        assert self._downloads
        aside = self._walks if lane.walks else self._looks
        crawl = self._crawls[lane] = LaneCrawl(lane, self._downloads, aside, self._share)
        try:
            return await crawl.run()
        finally:
            del self._crawls[lane]

    async def crawl_all(self, lanes: list[Lane]) -> list[Ending]:
        """All of these at once.

        What one raises does not end the others, unless it is trouble of our own.
        """
        await self.open()
        crawls = [asyncio.ensure_future(self.crawl(lane)) for lane in lanes]
        try:
            for crawl in asyncio.as_completed(crawls):
                try:
                    await crawl
                except OWN_TROUBLE:
                    break
                except Exception:  # noqa: S112  raised when the others are done
                    continue
        finally:
            for task in crawls:
                task.cancel()
            endings = await asyncio.gather(*crawls, return_exceptions=True)
            self.over.set()
            await self.close()
        return _endings(endings)

    def stop(self, lane: Lane | None = None) -> None:
        """Ask nothing more for one blog, or for all."""
        for crawled, crawl in self._crawls.items():
            if lane is None or lane is crawled:
                crawl.stop()

    def under_way(self) -> int:
        """How many pages are asked for at this moment; from any thread."""
        return sum(crawl.under_way for crawl in list(self._crawls.values()))

    def _share(self) -> int:
        """How many requests of one blog may be under way."""
        return max(AT_ONCE_EACH, AT_ONCE // max(1, len(self._crawls)))


def _endings(outcomes: list[Ending | BaseException]) -> list[Ending]:
    """How crawls ended.

    Where one did not, what it raised: trouble of our own before anything else.
    """
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    if errors:
        raise min(errors, key=lambda error: not isinstance(error, OWN_TROUBLE))
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
