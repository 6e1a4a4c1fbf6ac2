"""Does a blog run on another platform now? Told from pages and feeds that an update has fetched anyway."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blogforever.discover.platform import Platform, detect_platform, feed_platform
from blogforever.model import Page
from blogforever.page.view import view_of

SAMPLE = 6
"""Pages of either time that are looked at."""
# Later pages that must agree on another platform; and pages of both times where there is no sign of
# any more.
ENOUGH, CERTAIN = 2, 3
SURE = 0.8
"""What only looks like a platform is not enough to say that the blog went there."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The platforms that pages of one time show, and how many pages were looked at."""

    platforms: list[Platform]
    pages: int

    @property
    def names(self) -> set[str]:
        """The names of the platforms; several where the pages do not agree."""
        return {platform.name for platform in self.platforms}


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
    before: str | None, old: Sequence[Page], new: Sequence[Page], generators: tuple[str | None, str | None]
) -> PlatformSeen | None:
    """What captures of posts say, earlier ones beside later ones, and the generators the feed named
    and names.

    Like is compared with like: a home page, or a feed made elsewhere, may speak of another platform
    than the posts do. One page alone may be an error page; several pages that agree, or one and the
    feed, or the feed's own word, count.
    """
    then, now = _shown(old), _shown(new)
    fed_before, fed_now = (feed_platform(generator) if generator else None for generator in generators)
    known = before or _first_name(then, fed_before)
    if known is None:
        return None
    by_pages = _by_pages(then, now, fed_now)
    if by_pages is not None:
        evidence = _evidence(by_pages, now, fed_now)
        return PlatformSeen(by_pages.name or None, by_pages.version, known, evidence)
    by_feed = _by_feed(fed_before, fed_now, now)
    if by_feed and by_feed.name != known:
        return PlatformSeen(by_feed.name, by_feed.version, known, "told by the feed")
    return _same_with_version(known, now)


def _first_name(then: Shown, fed_before: Platform | None) -> str | None:
    """The platform a blog ran on before, where nobody had written it down."""
    if then.platforms:
        return then.platforms[0].name
    return fed_before.name if fed_before else None


def _by_pages(then: Shown, now: Shown, fed_now: Platform | None) -> Platform | None:
    """The platform all later pages agree on where the earlier ones agreed on another.

    One without a name is none.
    """
    if len(then.names) != 1 or len(now.names) > 1 or then.names & now.names:
        return None
    if not now.platforms:
        return _lost(then, now, fed_now)
    best = max(now.platforms, key=lambda platform: platform.confidence)
    fed_too = fed_now is not None and fed_now.name == best.name
    agreed = len(now.platforms) >= ENOUGH or fed_too
    most = 2 * len(now.platforms) > now.pages
    return best if agreed and most and best.confidence >= SURE else None


def _lost(then: Shown, now: Shown, fed_now: Platform | None) -> Platform | None:
    """No platform: every earlier page showed one, no later page does, and neither does the feed."""
    earlier = then.platforms[0]
    every_page = len(then.platforms) == then.pages
    enough = then.pages >= CERTAIN and now.pages >= CERTAIN
    still_fed = fed_now is not None and fed_now.name == earlier.name
    return replace(earlier, name="", version=None) if every_page and enough and not still_fed else None


def _by_feed(fed_before: Platform | None, fed_now: Platform | None, now: Shown) -> Platform | None:
    """The platform the feed names, where it named another, and the pages show that one no more."""
    if fed_before is None or fed_now is None or fed_before.name == fed_now.name:
        return None
    return None if fed_before.name in now.names else fed_now


def _evidence(by_pages: Platform, now: Shown, fed_now: Platform | None) -> str:
    number = len(now.platforms)
    pages = f"{number} of its pages" if number else f"none of {now.pages} pages"
    fed_too = fed_now is not None and fed_now.name == by_pages.name
    return f"told by {pages}{' and the feed' if fed_too else ''}"


def _same_with_version(name: str, now: Shown) -> PlatformSeen | None:
    """The same platform, where the pages say in which version."""
    for platform in now.platforms:
        if platform.name == name and platform.version:
            return PlatformSeen(name, platform.version, name)
    return None


def _shown(pages: Sequence[Page]) -> Shown:
    sample = pages[:SAMPLE]
    detected = (detect_platform(view_of(page).tree, page.headers) for page in sample)
    return Shown([platform for platform in detected if platform], len(sample))
