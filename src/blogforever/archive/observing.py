"""See what is at an address before anything is harvested: a few pages, held until it is known whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from blogforever.analyse.looking import Looking
from blogforever.analyse.values import SeenHost
from blogforever.config import Config
from blogforever.crawl.plainhttp import plain_instead
from blogforever.fetch.aside import in_thread
from blogforever.model import Page
from blogforever.pipeline.glance import Glance
from blogforever.protocols import Answer
from blogforever.source.address import read_address

from .fetchers import live_fetcher, replayed_pages
from .onepage import PATIENCE, PageAtHand, answer_of, failure_of, for_one_page
from .scouting import Scouted
from .surveying import Scout, scout_of

if TYPE_CHECKING:
    from blogforever.fetch.engine import LiveFetcher


@dataclass(frozen=True, slots=True)
class _Sight:
    """What was seen at an address, and why nothing came where nothing did."""

    seen: SeenHost
    failure: str = ""


def observe(url: str, scout: Scout) -> SeenHost:
    """What is to be seen of the host at an address; what was fetched is held under that address."""
    found = _see(url, url, scout)
    plain = plain_instead(url, found.failure)
    return (_see(plain, url, scout) if plain else found).seen


def _see(url: str, held_under: str, scout: Scout) -> _Sight:
    looking, failure = Looking(url), ""
    while wanted := looking.asks():
        answer = scout.glance([wanted], held_under).get(wanted)
        failure = failure_of(answer) if wanted == url else failure
        looking.take(*_asked(answer))
    return _Sight(looking.seen(), failure)


async def observe_address(typed: str, config: Config) -> SeenHost:
    """The same with a fetcher of its own, for somebody who waits; nothing is kept."""
    url = read_address(typed)
    if config.replay:
        return await in_thread(partial(_observe_replayed, url, config))
    async with live_fetcher(for_one_page(config), PageAtHand()) as fetcher:
        found = await _see_by(fetcher, url)
        plain = plain_instead(url, found.failure)
        return (await _see_by(fetcher, plain) if plain else found).seen


async def _see_by(fetcher: LiveFetcher, url: str) -> _Sight:
    looking, failure = Looking(url), ""
    while wanted := looking.asks():
        answer = await answer_of(fetcher, Glance([wanted]), wanted, PATIENCE, given=url)
        failure = failure_of(answer) if wanted == url else failure
        await in_thread(partial(looking.take, *_asked(answer)))
    return _Sight(looking.seen(), failure)


def _observe_replayed(url: str, config: Config) -> SeenHost:
    with Scouted() as held:
        return observe(url, scout_of(config, replayed_pages(config), held))


def _asked(answer: Answer | None) -> tuple[int, Page | None]:
    if answer is None or answer.failure is not None or answer.page is None:
        return 0, None
    return answer.status, answer.page
