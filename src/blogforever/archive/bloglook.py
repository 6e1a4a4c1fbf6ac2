"""What one look at a blog came to, and what it taught whoever plans the next one: values, for any face."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from blogforever.discover.pushoffers import PushOffer
from blogforever.records import BlogRecord
from blogforever.schedule.values import Wishes
from blogforever.urls import same_site

from .jobs import Changes, CrawlReport

Outcome = Literal["finished", "nothing", "frozen", "unreachable", "interrupted", "busy", "crashed"]
"""How a look ended:

- finished: what the blog announces was looked at, and what is new was kept;
- nothing: no post could be harvested, and the reason says why: no blog, blocked, nobody there;
- frozen: so much is another that nothing was taken over until a person has looked;
- unreachable: a known blog did not answer, or was lost on the way;
- interrupted: somebody stopped it; the next look goes on from there;
- busy: another command is writing this blog, and nothing was asked;
- crashed: a fault of this program; the next look goes on from there.
"""
AddressKind = Literal["posts", "comments", "sitemap", "api"]
"""What an address is looked at for: a feed of posts, one
of comments, a list of all pages, the blog's own API.
"""


@dataclass(frozen=True, slots=True)
class PushedFeed:
    """A feed as a hub delivered it, and the address at which we would have asked for it."""

    url: str
    body: bytes
    type: str = ""


@dataclass(frozen=True, slots=True)
class AddressLook:
    """One address of a blog that was looked at for
    news: a feed, a sitemap, an API; and what it said.
    """

    url: str
    kind: AddressKind
    status: int = 0
    not_modified: bool = False
    entries: int = 0
    """What it names now: posts, or comments."""
    new: int = 0
    """Of these, what no look before has found."""
    failure: str = ""
    offer: PushOffer | None = None
    """Who would tell us of what is new there; None where that was not asked."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a look says about the next one."""

    status: int = 0
    """What its announcements answered, the worst of those
    it names; its home page, where it has none; 0: nobody.
    """
    found: int = 0
    """New posts."""
    changed: int = 0
    """Posts that are edited, moved, away or back, or have new comments."""
    comments: int = 0
    not_modified: bool = False
    """Whether every announcement was answered by "nothing new"."""
    requests: int = 0
    bytes: int = 0
    wishes: Wishes = field(default_factory=Wishes)
    published: tuple[str, ...] = ()
    """When the new posts were published, as their records say it."""
    addresses: tuple[AddressLook, ...] = ()
    offer: PushOffer | None = None
    """What the blog's page offers to tell us; None where nobody asked for it."""


@dataclass(frozen=True, slots=True)
class BlogLook:
    """One look at one blog, from its address to what was kept."""

    outcome: Outcome
    url: str
    """Where the blog is."""
    blog: str
    """Its name in the archive; a known one, where the
    address was that of a blog we knew by another.
    """
    reason: str = ""
    was_known: bool = False
    """Whether the archive had the blog before this look."""
    was_called: str = ""
    """What the blog called itself before this look; empty where that is not known."""
    moved_to: str = ""
    """Where the blog is now, if that is another site than the address that was looked at."""
    learned: Learned = field(default_factory=Learned)
    report: CrawlReport | None = None
    """What was done, as a crawl tells it; none where nothing was asked."""


def look_of(report: CrawlReport, address: str, before: BlogRecord | None, learned: Learned) -> BlogLook:
    """What the crawl of a blog says about it, which was looked at under this address and had this
    record before.
    """
    outcome, reason = _outcome(report)
    moved_to = report.url if not same_site(report.url, address) else ""
    was_called = (before.title if before else None) or ""
    return BlogLook(outcome, report.url, report.blog, reason, before is not None, was_called, moved_to, learned, report)


def _outcome(report: CrawlReport) -> tuple[Outcome, str]:
    if report.fault:
        return "crashed", report.fault
    if report.ending == "interrupted":
        return "interrupted", ""
    if told := _told_by_update(report.update):
        return told
    if report.ending == "lost":
        return "unreachable", "it could no longer be reached"
    return ("finished", "") if report.posts else ("nothing", report.home_failure or "no post was found")


def _told_by_update(changes: Changes | None) -> tuple[Outcome, str] | None:
    if changes and changes.frozen:
        return "frozen", changes.frozen
    return ("unreachable", changes.unreachable) if changes and changes.unreachable else None
