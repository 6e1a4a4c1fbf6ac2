"""See what is at an address before anything is harvested: a few pages, held until it is known whose they are."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from blogforever.analyse.looking import Looking
from blogforever.analyse.values import SeenHost
from blogforever.config import Config
from blogforever.fetch.aside import in_thread
from blogforever.model import Page
from blogforever.pipeline.glance import Glance
from blogforever.protocols import Answer, Lane
from blogforever.source.address import read_address

from .fetchers import live_fetcher, replayed_pages
from .onepage import PATIENCE, PageAtHand, for_one_page
from .scouting import Scouted
from .surveying import Scout, scout_of


def observe(url: str, scout: Scout) -> SeenHost:
    """What is to be seen of the host at an address; what was fetched is held under that address."""
    looking = Looking(url)
    while wanted := looking.asks():
        looking.take(*_asked(scout.glance([wanted], url).get(wanted)))
    return looking.seen()


async def observe_address(typed: str, config: Config) -> SeenHost:
    """The same with a fetcher of its own, for somebody who waits; nothing is kept."""
    url = read_address(typed)
    if config.replay:
        return await in_thread(partial(_observe_replayed, url, config))
    looking = Looking(url)
    async with live_fetcher(for_one_page(config), PageAtHand()) as fetcher:
        while wanted := looking.asks():
            glance = Glance([wanted])
            lane = Lane(glance, given=url)
            crawl = asyncio.ensure_future(fetcher.crawl(lane))
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(crawl), PATIENCE)
            if not crawl.done():
                lane.stopped = True
                crawl.cancel()
            await in_thread(partial(looking.take, *_asked(glance.seen.get(wanted))))
    return looking.seen()


def _observe_replayed(url: str, config: Config) -> SeenHost:
    with Scouted() as held:
        return observe(url, scout_of(config, replayed_pages(config), held))


def _asked(answer: Answer | None) -> tuple[int, Page | None]:
    if answer is None or answer.failure is not None or answer.page is None:
        return 0, None
    return answer.status, answer.page
