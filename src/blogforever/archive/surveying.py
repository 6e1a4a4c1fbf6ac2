"""Look at a blog without harvesting it: where its home is, and what a crawl of it would take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from blogforever.config import Config
from blogforever.crawl.crawl import BlogCrawl
from blogforever.crawl.statement import announcements
from blogforever.extract.post import extract_post
from blogforever.fetch.replay import ReplayFetcher
from blogforever.learn import learn_rules
from blogforever.learn.urlpattern import learn_url_pattern
from blogforever.model import Failure, Page
from blogforever.pipeline.glance import Glance
from blogforever.pipeline.learning import Tools
from blogforever.pipeline.limits import CrawlLimits
from blogforever.protocols import Answer, Fetcher, Lane, Ref
from blogforever.records import PostRecord
from blogforever.source.address import blog_name, read_address
from blogforever.store.warcreader import WarcReader

from .fetchers import live_fetcher, replayed_pages
from .scouting import Scouted


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a crawl would take, from what the blog says about itself."""

    url: str
    title: str | None
    posts: int
    pages: int
    seconds: float
    at_least: bool
    sources: tuple[str, ...] = ()
    failure: str | None = None


class _Nothing:
    """Keeps nothing."""

    def keep(self, url: str, record: PostRecord) -> None:
        """Nothing is kept of a look."""

    def fail(self, failure: Failure) -> None:
        """Nor recorded."""


@dataclass(frozen=True, slots=True)
class Scout:
    """Looks at addresses before it is known of which blogs they are; what it fetches is held until
    then.
    """

    config: Config
    run: Callable[[list[Lane]], object]
    held: Scouted
    read: Callable[[Ref], Page]

    def looks(self, urls: Mapping[str, str], only: Literal["root", "offers"] = "root") -> list[BlogCrawl]:
        """What is found out about several blogs, all at once; each address comes with the one that
        was typed for it.
        """
        config, held = self.config, self.held
        limits = CrawlLimits(config.max_pages, config.max_time, config.max_total, only=only)
        tools = Tools(learn_rules, extract_post, self.read, _Nothing())
        crawls = [BlogCrawl(url, blog_name(url), tools, limits) for url in urls]
        pairs = zip(crawls, urls.items(), strict=True)
        self.run([Lane(crawl, held.recorder(url), held.reader(url), given=given) for crawl, (url, given) in pairs])
        return crawls

    def glance(self, urls: Iterable[str], blog: str) -> dict[str, Answer]:
        """What these addresses of a known blog answer."""
        handler = Glance(urls)
        self.run([Lane(handler, self.held.recorder(blog))])
        return handler.seen


def scout_of(config: Config, replayed: WarcReader | None, held: Scouted) -> Scout:
    """One with a fetcher of its own: to the network, or into the files that are replayed."""
    # Files that hold no response at all are files, too: the network is not asked instead.
    fetcher: Fetcher = live_fetcher(config, held.reader()) if replayed is None else ReplayFetcher(replayed)
    return Scout(config, fetcher.run, held, fetcher.read)


def locate(url: str, scout: Scout) -> str:
    """The home of the blog this address is of; a bare host is its own home and costs no request."""
    parts = urlsplit(url)
    if parts.path in ("", "/") and not parts.query:
        return url
    (crawl,) = scout.looks({url: url})
    home = url if crawl.home_failure else crawl.scope.root
    scout.held.rename(url, home)
    return home


def survey_blog(typed: str, config: Config) -> Estimate:
    """Only discovery: feeds, the API's count, sitemaps. Nothing is kept."""
    with Scouted() as scouted:
        return survey(read_address(typed), scout_of(config, replayed_pages(config), scouted))


def survey(url: str, scout: Scout) -> Estimate:
    """The same with a scout that is there."""
    delay = scout.config.delay
    (crawl,) = scout.looks({url: url}, "offers")
    offers, feed = crawl.offers, crawl.offers.feed
    pattern = learn_url_pattern(entry.url for entry in feed.entries) if feed else crawl.known.pattern
    crawl.known.pattern = pattern
    told = announcements(crawl)
    announced = {key for source in told for key in source.urls}
    posts = max(len(announced), offers.api_posts or 0)
    listed = {key for key, place in offers.places.items() if crawl.scope.own_host(place.url)}
    pages = max(posts, len(announced | listed))
    return Estimate(
        url=crawl.scope.root,
        title=feed.title if feed else None,
        posts=posts,
        pages=pages + crawl.answered,
        seconds=(pages + crawl.answered) * delay,
        at_least=not offers.api_posts and not offers.places,
        sources=tuple(source.name for source in told if source.urls),
        failure=crawl.home_failure,
    )
