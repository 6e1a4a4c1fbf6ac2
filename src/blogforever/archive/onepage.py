"""One page off the network for a person who wants to see what it holds: the crawler's manners and
guard, no archive.

Where it shows little without its scripts, a browser draws it; what it loads meanwhile goes the way
of all requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from blogforever.comments import extract_comments
from blogforever.config import Config
from blogforever.crawl.plainhttp import plain_instead
from blogforever.discover.pagefacts import looks_like_html
from blogforever.errors import NothingHarvested
from blogforever.fetch.aside import in_thread
from blogforever.model import Page, Said
from blogforever.pipeline.glance import Glance
from blogforever.protocols import Answer, Ask, Lane, Ref
from blogforever.render.limits import BrowserLimits
from blogforever.render.need import comment_systems, gain, lost, suspicion
from blogforever.source.address import read_address
from blogforever.wording import N_, say, shown_size

from .fetchers import live_fetcher, renderer

if TYPE_CHECKING:
    from blogforever.fetch.engine import LiveFetcher

# Seconds until a person is told that there is no answer: robots.txt, a few redirects, the delay
# between them.
PATIENCE = 30.0
# Bytes of a page that is read at once: a page for people has a hundredth of it.
LARGEST_PAGE = 5_000_000
GOOD = 200
# What is said of failures whose details only programmers understand.
IN_WORDS = {
    "no such host": N_("there is no such host"),
    "connection": N_("the connection is refused or breaks off"),
    "timeout": N_("it does not answer in time"),
}
# What a browser may take for one page while a person waits: a post has come to rest in a third of
# the time, and what asks for more files shows films or advertisements.
DRAWING = BrowserLimits(contexts=1, seconds=20.0, settle=6.0, requests=120, size=32 * 1024 * 1024)
# Seconds beside those of the drawing itself in which its browser starts, and is started again.
STARTING = 10.0
# Browsers at a time, whoever asks: each takes some hundred megabytes.
AT_A_TIME = 1
# Seconds that somebody waits until the browser is free.
QUEUEING = 20.0
HERE = Ref("the page at hand", 0)
"""Where the page that came lies for the browser."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as a person sees it; `said` is what is to be known of how it came about."""

    page: Page
    is_drawn: bool = False
    said: tuple[Said, ...] = ()


class PageAtHand:
    """There is no archive to look into, but the one page that came."""

    def __init__(self) -> None:
        self.page: Page | None = None

    def find(self, url: str, exact: bool = False) -> Ref | None:
        """Nothing lies anywhere."""
        return None

    def response(self, ref: Ref) -> tuple[int, Page]:
        """The page, where it is meant; nothing else can be read."""
        if self.page is None or ref != HERE:
            raise LookupError(ref)
        return GOOD, self.page


class DrawnGlance(Glance):
    """The same address again, drawn from the page that is at hand."""

    def start(self) -> Iterable[Ask]:
        """That alone."""
        return [replace(ask, draw=True, kept=HERE) for ask in super().start()]


class Browsers:
    """Lets a few pages be drawn at a time."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_A_TIME)

    async def enter(self) -> bool:
        """Whether there is a place, after some waiting; who has it leaves it."""
        try:
            await asyncio.wait_for(self._places.acquire(), QUEUEING)
        except TimeoutError:
            return False
        return True

    def leave(self) -> None:
        """The next one, please."""
        self._places.release()


async def fetch_page(typed: str, config: Config, browsers: Browsers) -> FetchedPage:
    """The page at an address; NothingHarvested says in one sentence why there is none."""
    url = read_address(typed)
    config = for_one_page(config)
    at_hand = PageAtHand()
    draws = renderer(config, DRAWING)
    async with live_fetcher(config, at_hand, draws) as fetcher:
        page = at_hand.page = await _fetched(fetcher, url)
        if config.render == "never" or not await in_thread(lambda: _wants_browser(page, config)):
            return FetchedPage(page)
        if draws is None:
            return FetchedPage(page, said=(say("Scripts draw this page, and there is no browser here to run them."),))
        if not await browsers.enter():
            return FetchedPage(page, said=(say("Scripts draw this page, and the browser is busy with others."),))
        try:
            drawn = await answer_of(fetcher, DrawnGlance([page.url]), page.url, DRAWING.seconds + STARTING)
        finally:
            browsers.leave()
        return await in_thread(lambda: _better(page, drawn, config))


def for_one_page(config: Config) -> Config:
    """The options of who waits for a page: not large, soon, without a picture of it."""
    return replace(config, screenshots=False, max_size=LARGEST_PAGE, timeout=min(config.timeout, PATIENCE))


async def _fetched(fetcher: LiveFetcher, url: str) -> Page:
    """The page at an address; of a host that speaks only http, at the address without https."""
    answer = await answer_of(fetcher, Glance([url]), url, PATIENCE)
    if plain := plain_instead(url, failure_of(answer)):
        again = await answer_of(fetcher, Glance([plain]), plain, PATIENCE)
        if again is not None and again.failure is None:
            return _page(plain, again)
    return _page(url, answer)


async def answer_of(fetcher: LiveFetcher, glance: Glance, url: str, patience: float, given: str = "") -> Answer | None:
    """What comes for the one address of a glance, within so many seconds; `given` is the address that it is of."""
    lane = Lane(glance, given=given or url)
    crawl = asyncio.ensure_future(fetcher.crawl(lane))
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(crawl), patience)
    if not crawl.done():
        lane.stopped = True
        crawl.cancel()
    return glance.seen.get(url)


def failure_of(answer: Answer | None) -> str:
    """Why nothing came, in a word; empty where something came, or nobody knows."""
    return answer.failure.reason if answer is not None and answer.failure is not None else ""


def _wants_browser(page: Page, config: Config) -> bool:
    """Whether a browser may see more of it: its text, or comments that another service draws into
    it.
    """
    if config.render == "always" or suspicion(page):
        return True
    return bool(comment_systems(page)) and not extract_comments(page)


def _better(page: Page, answer: Answer | None, config: Config) -> FetchedPage:
    """What was drawn, where it shows more than what came."""
    drawn = answer.drawn.page if answer and answer.drawn else None
    if drawn is None:
        failure = answer.failure if answer else None
        why = (failure.detail or failure.reason) if failure else f"not within {DRAWING.seconds:.0f} seconds"
        return FetchedPage(page, said=(say("Scripts draw this page, but it could not be drawn: {why}.", why=why),))
    added = gain(page, drawn)
    shows_more = added.article or added.comments > 0
    if shows_more or (config.render == "always" and not lost(page, drawn)):
        return FetchedPage(drawn, True, (say("A browser drew this page: without its scripts it shows less."),))
    return FetchedPage(page)


def _page(url: str, answer: Answer | None) -> Page:
    if answer is None:
        raise NothingHarvested(f"{url} did not answer within {PATIENCE:.0f} seconds.")
    if answer.failure is not None:
        failure = answer.failure
        if failure.reason == "too large":
            raise NothingHarvested(f"{url} is larger than {shown_size(LARGEST_PAGE)}.")
        why = IN_WORDS.get(failure.reason) or (failure.detail or failure.reason).rstrip(".")
        raise NothingHarvested(f"{url} cannot be fetched: {why}.")
    if answer.status != GOOD or answer.page is None:
        raise NothingHarvested(f"{url} answered with the status {answer.status}.")
    if not looks_like_html(answer.page):
        raise NothingHarvested(f"What is at {url} is no page for people.")
    return answer.page
