"""A feed that a hub delivered, in the place of the one we would have asked for."""

from __future__ import annotations

from blogforever import clock
from blogforever.discover.feed import parse_feed
from blogforever.errors import FeedError
from blogforever.model import Feed
from blogforever.protocols import Exchange
from blogforever.records import BlogRecord
from blogforever.store.folder import ArchiveFolder

from .bloglook import PushedFeed
from .jobs import Job
from .scouting import Known

GOOD = 200


def use_pushed(archive: ArchiveFolder, blog: BlogRecord | None, job: Job, pushed: PushedFeed) -> bool:
    """Let the look of a known blog read its feed as it was delivered; whether it does. The bytes
    are in its WARC before anybody looks at them, as a resource: no response of the blog brought
    them.
    """
    if blog is None or blog.feed != pushed.url or job.lane.record is None or not _is_whole(archive, blog.id, pushed):
        return False
    headers = (("Content-Type", pushed.type or "application/xml"),)
    exchange = Exchange(pushed.url, "", (), GOOD, "", headers, pushed.body, clock.now(), kind="resource")
    ref = job.lane.record(exchange)
    job.lane.resumed = Known({pushed.url: ref}, archive.reader(), job.lane.resumed)
    return True


def _is_whole(archive: ArchiveFolder, blog: str, pushed: PushedFeed) -> bool:
    """Whether it names as many posts as the feed did when it was last kept: a hub may deliver only
    what is new, and the posts that it leaves out are not gone.
    """
    feed = _read(pushed.body, pushed.url)
    kept = archive.store.captures.file(blog, pushed.url)
    if feed is None or kept is None or not feed.entries or feed.pageless:
        return False
    before = _read(archive.reader().response(kept)[1].content, pushed.url)
    return before is not None and len(feed.entries) >= len(before.entries)


def _read(content: bytes, url: str) -> Feed | None:
    try:
        return parse_feed(content, url)
    except FeedError:
        return None
