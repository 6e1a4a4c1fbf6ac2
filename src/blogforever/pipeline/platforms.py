"""Does a blog run on another platform now? Told from pages and feeds that an update has fetched anyway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from blogforever.discover.platform import Platform, detect_platform, feed_platform
from blogforever.dom import parse_page
from blogforever.model import Page

SAMPLE = 6
"""Pages of either time that are looked at."""
ENOUGH, CERTAIN = 2, 3
SURE = 0.8
"""What only looks like a platform is not enough to say that the blog went there."""


@dataclass(frozen=True, slots=True)
class PlatformSeen:
    """The platform a blog is seen to run on, the one it ran on before, and what says so.

    `name` is None where the signs of the earlier one are gone and there are no others.
    """

    name: str | None
    version: str | None
    before: str
    evidence: str = ""

    @property
    def changed(self) -> bool:
        """Whether it is another one; another version is none."""
        return self.name != self.before

    def __str__(self) -> str:
        if self.name is None:
            return f"The blog ran on {self.before} and shows no sign of it any more ({self.evidence})."
        return f"The blog ran on {self.before} and runs on {self.name} now ({self.evidence})."


def platform_seen(
    before: str | None, old: Sequence[Page], new: Sequence[Page], told: tuple[str | None, str | None]
) -> PlatformSeen | None:
    """What captures of posts say, earlier ones beside later ones, and the generators the feed named and names.

    Like is compared with like: a home page, or a feed made elsewhere, may speak of another platform than the posts do.
    One page alone may be an error page; several pages that agree, or one and the feed, or the feed's own word, count.
    """
    then, now = _spoken(old[:SAMPLE]), _spoken(new[:SAMPLE])
    fed, feeds = (feed_platform(generator) if generator else None for generator in told)
    known = before or (then[0].name if then else fed.name if fed else None)
    if known is None:
        return None
    by_pages = _by_pages(then, now, len(old[:SAMPLE]), len(new[:SAMPLE]), feeds)
    by_feed = bool(fed and feeds and fed.name != feeds.name and not {p.name for p in now} & {fed.name})
    if by_pages is not None:
        words = f"{len(now)} of its pages" if now else f"none of {len(new[:SAMPLE])} pages"
        also = " and the feed" if feeds and by_pages and feeds.name == by_pages.name else ""
        return PlatformSeen(by_pages.name or None, by_pages.version, known, f"told by {words}{also}")
    if by_feed and feeds and feeds.name != known:
        return PlatformSeen(feeds.name, feeds.version, known, "told by the feed")
    same = next((found for found in now if found.name == known and found.version), None)
    return PlatformSeen(known, same.version, known) if same else None


def _by_pages(
    then: list[Platform], now: list[Platform], looked_then: int, looked_now: int, feeds: Platform | None
) -> Platform | None:
    """The platform all later pages agree on where the earlier ones agreed on another; one without a name is none."""
    names = Counter(found.name for found in now)
    if not then or len({found.name for found in then}) > 1 or len(names) > 1 or then[0].name in names:
        return None
    if not now:
        lost = len(then) == looked_then >= CERTAIN and looked_now >= CERTAIN
        still = feeds is not None and feeds.name == then[0].name
        return replace(then[0], name="", version=None) if lost and not still else None
    best = max(now, key=lambda found: found.confidence)
    agreed = len(now) >= ENOUGH or (feeds is not None and feeds.name == best.name)
    return best if agreed and best.confidence >= SURE and 2 * len(now) > looked_now else None


def _spoken(pages: Sequence[Page]) -> list[Platform]:
    found = (detect_platform(parse_page(page), page.headers) for page in pages)
    return [platform for platform in found if platform]
