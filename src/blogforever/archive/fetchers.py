"""Where a crawl takes its pages from: the network, or files somebody kept."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

from blogforever.config import Config, options
from blogforever.errors import UsageError
from blogforever.fetch.policy import Policies
from blogforever.fetch.serverturns import ServerTurns
from blogforever.fetch.turns import OwnTurns, ServiceTurns, turns_in
from blogforever.logs import logger
from blogforever.model import Failure, Page
from blogforever.protocols import Drawing, Renderer, ResponseReader, Serve
from blogforever.render.chromium import lacking
from blogforever.render.limits import BrowserLimits
from blogforever.store.copying import Replayed
from blogforever.store.folder import ArchiveFolder
from blogforever.store.inside import LOCKS, TURNS
from blogforever.store.place import address_in
from blogforever.store.turntable import turn_table
from blogforever.store.warcreader import WarcReader

if TYPE_CHECKING:
    from blogforever.fetch.engine import LiveFetcher

BROWSER = "browser"
log = logger("fetch")
DECISIVE = frozenset(
    "max_pages max_posts max_total frontier requisites media render since recheck brief full accept_changes moved_from"
    " replay".split()
)


def replayed_pages(config: Config) -> WarcReader | None:
    """The responses to replay, where that is asked for; somebody's files are known by their whole
    path.
    """
    paths = [Path(path).absolute() for path in config.replay]
    if not paths:
        return None
    reader = WarcReader(paths, companions=not config.reference)
    has_bytes = any(path.is_dir() or (path.is_file() and path.stat().st_size) for path in paths)
    if has_bytes and not len(reader) and not reader.passed_over:
        names = ", ".join(map(str, config.replay))
        raise UsageError(f"No response was found in {names}; --replay wants .warc, .warc.gz, .arc.gz or .wacz files.")
    return reader


def taken(files: WarcReader, place: tuple[ArchiveFolder, str, int], url: str, config: Config, able: bool) -> Replayed:
    """The files that are replayed, as one blog takes from them: copies, or with --reference only
    places.
    """
    archive, blog, run = place
    if config.reference:
        return archive.referenced(blog, run, files)
    return archive.replayed(blog, run, warc_info(config, url, able), files)


def replay_notes(files: WarcReader, reference: bool) -> list[str]:
    """What a person should know of the files that were replayed."""
    passed = ", ".join(f"{count:,} of type {kind}" for kind, count in sorted(files.passed_over.items()))
    told = [f"Records of the files that no page was made of were passed over: {passed}."] if passed else []
    if reference:
        told.append("The responses stay in the files given; the archive only points to them, and no backup has them.")
    return told


def renderer(config: Config, limits: BrowserLimits | None = None) -> Callable[[], Renderer] | None:
    """Makes the browser that pages are drawn in, where one is wanted and there is one."""
    if config.render == "never" or (config.replay and config.render != "always") or lacking():
        return None

    def made() -> Renderer:
        from blogforever.render.browser import BrowserPool  # noqa: PLC0415  only where a page is to be drawn

        usual = BrowserLimits(seconds=config.timeout, pictures=config.screenshots)
        return BrowserPool(limits or usual, user_agent(config.contact, own_version()))

    return lambda: _LateRenderer(made)


class _LateRenderer:
    """A renderer that is made for the first page that is to be drawn: most crawls draw none, and
    what a browser needs takes longer to load than an update to do.
    """

    def __init__(self, make: Callable[[], Renderer]) -> None:
        self._make = make
        self._made: Renderer | None = None

    async def draw(self, page: Page, serve: Serve) -> Drawing | Failure:
        """The page with its scripts run."""
        self._made = self._made or self._make()
        return await self._made.draw(page, serve)

    async def close(self) -> None:
        """Give back what was started, if anything was."""
        if self._made:
            await self._made.close()


@cache
def own_version() -> str:
    """Which blogforever this is; looked up once, because it is read from a file each time."""
    # Our whole README stands there, too, and `version` would read that as an e-mail.
    told = distribution("blogforever").read_text("METADATA") or ""
    line = re.search(r"^Version: (\S+)$", told, re.MULTILINE)
    return line[1] if line else version("blogforever")


def load_network() -> None:
    """Load what brings pages from the network, before it is needed."""
    import blogforever.fetch.engine  # noqa: F401, PLC0415  as below


def live_fetcher(config: Config, kept: ResponseReader, draws: Callable[[], Renderer] | None = None) -> LiveFetcher:
    """Brings pages from the network; what is `kept` already can be read there."""
    from blogforever.fetch.engine import LiveFetcher  # noqa: PLC0415  Scrapy is heavy, and a replay needs none of it

    agent = user_agent(config.contact, own_version())
    return LiveFetcher(config, agent, kept, draws, _turns_beside(config.archive))


def _turns_beside(folder: Path) -> ServiceTurns | None:
    """Those of all who write this archive, on all machines where its records are on a server; None
    where nobody ever wrote it, and this one may only look.
    """
    if address_in(folder.absolute()):
        return _server_turns(folder.absolute())
    locks = folder.absolute() / LOCKS
    return turns_in(locks / TURNS) if locks.is_dir() else None


@cache
def _server_turns(folder: Path) -> ServiceTurns:
    """Those that the database of an archive tells of; those of this process alone where we may not
    write there.
    """
    if table := turn_table(folder):
        return ServerTurns(table)
    log.info("delays hold for this process alone, because the database has no turns for it")
    return OwnTurns()


def user_agent(contact: str, number: str) -> str:
    """Says who we are and whom to ask; an operator who gives no contact is not given one."""
    return f"blogforever/{number} (+{contact})" if contact else f"blogforever/{number} (archiving crawler)"


def options_told(config: Config) -> str:
    """The options that decide what a crawl finds, where they are not the usual ones."""
    told = {o.name: getattr(config, o.name) for o in options() if o.name in DECISIVE}
    # Which files they were says something to others, where they lay says it only to us.
    told["replay"] = tuple(Path(path).name for path in config.replay)
    usual = Config()
    unusual = {name: value for name, value in told.items() if value != getattr(usual, name)}
    return json.dumps(unusual) if unusual else ""


def warc_info(config: Config, url: str, able: bool) -> dict[str, str]:
    """What the WARC says of itself: who made it, with what, and by which rules; `able` to draw
    pages, or not.
    """
    number = own_version()
    policy = Policies(config.policy).of(url)
    robots = "ignored" if policy and policy.robots == "ignore" else "obeyed (RFC 9309) for pages"
    info = {
        "software": f"blogforever/{number} Python/{platform.python_version()}",
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "isPartOf": url,
        "robots": robots,
        "http-header-user-agent": user_agent(config.contact, number),
        "operator": config.contact,
        "description": policy.note if policy else "",
        "options": options_told(config),
        BROWSER: "at hand" if able else "",
    }
    return {name: value for name, value in info.items() if value}
