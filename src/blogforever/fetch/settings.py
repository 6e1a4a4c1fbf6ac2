"""Our options in Scrapy's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from scrapy.settings import Settings, default_settings

from blogforever.config import Config
from blogforever.protocols import ResponseReader

from .certificates import Certificates
from .guard import Names
from .policy import Policies
from .turns import OwnTurns, ServiceTurns

HERE = "blogforever.fetch"
ACCEPTED = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en",
    # What every reader of WARC files can unpack; Brotli and Zstandard are not.
    "Accept-Encoding": "gzip, deflate",
}
UNUSED = (
    "httperror.HttpErrorMiddleware",
    "referer.RefererMiddleware",
    "urllength.UrlLengthMiddleware",
    "depth.DepthMiddleware",
    "metacopy.MetaCopyDetectionMiddleware",
    "start.StartSpiderMiddleware",
)
"""Middlewares of Scrapy between a spider and its pages: the spider here has none."""
REPLACED = (
    "offsite.OffsiteMiddleware",
    "robotstxt.RobotsTxtMiddleware",
    "httpcompression.HttpCompressionMiddleware",
    "httpauth.HttpAuthMiddleware",
    "stats.DownloaderStats",
    "downloadtimeout.DownloadTimeoutMiddleware",
    "redirect.MetaRefreshMiddleware",
    "redirect.RedirectMiddleware",
    "httpcache.HttpCacheMiddleware",
)
"""Middlewares of Scrapy that ours stand for, and those whose work is done by who asks."""

# From the spider down to the network. What is there already is not asked for, what is refused not
# queued. Scrapy's own stand between: retries at 550, decompression at 590. What is recorded is what
# came over the wire, so that stands below all that changes it.
OURS = {
    "middlewares.Resumed": 10,
    "middlewares.AddressGuard": 20,
    "access.Access": 30,
    "budget.ServiceBudget": 40,
    "robots.Robots": 100,
    "patience.Patience": 560,
    "limits.Unpack": 590,
    "middlewares.Recording": 790,
    "hanging.Hanging": 795,
}


class OwnSettings(Settings):
    """Settings that are made for one crawler, and are its own."""

    def copy(self) -> Self:
        """Scrapy takes a copy, so that several crawlers can share one: here none do, and copying
        takes milliseconds.
        """
        return self


def make_settings(
    config: Config, agent: str, names: Names, reader: ResponseReader, turns: ServiceTurns | None = None
) -> Settings:
    """All settings of a fetcher; middlewares of ours find their tools under BLOGFOREVER_ names."""
    policies = Policies(config.policy)
    return OwnSettings(
        {
            "BLOGFOREVER_NAMES": names,
            "BLOGFOREVER_READER": reader,
            "BLOGFOREVER_TURNS": turns or OwnTurns(),
            "BLOGFOREVER_CERTIFICATES": Certificates(config.insecure, policies),
            "BLOGFOREVER_POLICIES": policies,
            "BLOGFOREVER_WAYS": names.ways,
            "BLOGFOREVER_COOKIES": config.cookies,
            **_manners(config, agent),
            **_limits(config),
            **_parts(),
        }
    )


def _manners(config: Config, agent: str) -> dict[str, Any]:
    """Who we are, and how often we ask."""
    return {
        "USER_AGENT": agent,
        "DEFAULT_REQUEST_HEADERS": ACCEPTED,
        "DOWNLOAD_DELAY": config.delay,
        # What is asked for is the least, not the mean of what Scrapy draws by lot.
        "DOWNLOAD_DELAY_JITTER": 0.0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": max(1, config.concurrency),
        "RETRY_TIMES": config.retries,
        "HTTPPROXY_ENABLED": bool(config.proxy or any(way.proxy for way in config.way)),
    }


def _limits(config: Config) -> dict[str, Any]:
    """How long and how much we wait for; what ends a download is ours to tell."""
    return {
        "DOWNLOAD_TIMEOUT": config.timeout,
        "DOWNLOAD_MAXSIZE": config.max_size,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
    }


def _parts() -> dict[str, Any]:
    """Which parts of Scrapy work, and which of ours in their places."""
    return {
        "DOWNLOAD_HANDLERS": {
            **dict.fromkeys(("http", "https"), f"{HERE}.limits.BoundedHandler"),
            **dict.fromkeys(("data", "file", "ftp", "s3")),
        },
        "ROBOTSTXT_OBEY": False,
        "LOG_ENABLED": False,
        # What Scrapy counts, checks and adds for other spiders costs time at every page; nobody
        # reads it here.
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        # Left out of what Scrapy begins with: what is only switched off is loaded all the same,
        # and with some of it whole other libraries.
        "SPIDER_MIDDLEWARES_BASE": _without(
            default_settings.SPIDER_MIDDLEWARES_BASE, "scrapy.spidermiddlewares", UNUSED
        ),
        "DOWNLOADER_MIDDLEWARES_BASE": _without(
            default_settings.DOWNLOADER_MIDDLEWARES_BASE, "scrapy.downloadermiddlewares", REPLACED
        ),
        # None of Scrapy's own, also not those of a later version: two of them are servers that let
        # others into the process.
        "EXTENSIONS_BASE": {},
        "EXTENSIONS": dict.fromkeys(
            (f"{HERE}.budget.Throttle", f"{HERE}.budget.Pauses", f"{HERE}.limits.BodyLimits"), 0
        ),
        "DOWNLOADER_MIDDLEWARES": {f"{HERE}.{name}": place for name, place in OURS.items()},
    }


def _without(places: Mapping[str, int], package: str, names: Iterable[str]) -> dict[str, int]:
    """Middlewares of Scrapy with their places, but for those with these names."""
    left_out = {f"{package}.{name}" for name in names}
    return {name: place for name, place in places.items() if name not in left_out}
