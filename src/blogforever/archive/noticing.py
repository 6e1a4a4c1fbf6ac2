"""What a look learns for the next one: how announcements answered, what they wish, what each of them named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from blogforever import clock
from blogforever.dates.header import header_moment
from blogforever.discover.feedwishes import FeedWishes, entry_count, feed_wishes
from blogforever.discover.pagefacts import looks_like_html
from blogforever.discover.pushoffers import PushOffer, feed_offer, page_offer
from blogforever.model import Page
from blogforever.protocols import Answer, Ask, PageHandler, Role
from blogforever.records import BlogRecord
from blogforever.schedule.values import Wishes
from blogforever.store.folder import ArchiveFolder

from .bloglook import AddressKind, AddressLook, Learned
from .jobs import Changes, CrawlReport

ANNOUNCEMENTS: Mapping[Role, AddressKind] = {"feed": "posts", "sitemap": "sitemap", "api": "api"}
# Of a large first harvest the newest posts tell the rhythm of the blog; more would only be carried
# along.
DATES = 200
# Addresses of which a look is told; the sitemaps of a very large blog would be hundreds.
ADDRESSES = 50
NOTHING_NEW = 304
ANSWERED = frozenset({200, NOTHING_NEW})
DIGITS = 9
MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)


@dataclass(slots=True)
class Noticing:
    """A handler that notes of each answer what the next look should know, and hands it on."""

    handler: PageHandler
    pushed: str = ""
    """The feed that a hub has delivered: nobody asked for it, and it says nothing of what its
    server offers.
    """
    requests: int = 0
    bytes: int = 0
    home: int = 0
    """What the home page answered."""
    retry_after: int | None = None
    offer: PushOffer | None = None
    looks: dict[str, AddressLook] = field(default_factory=dict)
    _feeds: dict[str, Page] = field(default_factory=dict)

    def start(self) -> Iterable[Ask]:
        """As the handler has it."""
        return self.handler.start()

    def idle(self) -> Iterable[Ask]:
        """As the handler has it."""
        return self.handler.idle()

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """As the handler has it, after a note."""
        self._note(answer)
        return self.handler.handle(answer)

    def _note(self, answer: Answer) -> None:
        self.requests += answer.ask.url != self.pushed
        page = answer.page
        if page is not None:
            self.bytes += 0 if answer.unchanged else len(page.content)
            asked = _seconds(page.headers.get("retry-after", ""))
            # Of several the longest: who is asked for the blog is asked for each of its pages.
            self.retry_after = self.retry_after if asked is None else max(asked, self.retry_after or 0)
        if answer.ask.role == "home":
            self._note_home(answer)
        kind = ANNOUNCEMENTS.get(answer.ask.role)
        if kind and len(self.looks) < ADDRESSES:
            self._note_announcement(answer, kind)

    def _note_home(self, answer: Answer) -> None:
        self.home = answer.status
        if answer.page is not None and answer.status in ANSWERED and looks_like_html(answer.page):
            self.offer = page_offer(answer.page)

    def _offer_of(self, answer: Answer) -> PushOffer | None:
        is_asked = answer.ask.role == "feed" and answer.ask.url != self.pushed
        if answer.page is None or not is_asked or answer.status not in ANSWERED:
            return None
        return feed_offer(answer.page)

    def _note_announcement(self, answer: Answer, kind: AddressKind) -> None:
        url, page = answer.ask.first, answer.page
        if page is not None and answer.ask.role == "feed":
            self._feeds[url] = page
        self.looks[url] = AddressLook(
            url=url,
            kind=kind,
            status=NOTHING_NEW if answer.unchanged else answer.status,
            not_modified=answer.unchanged,
            entries=entry_count(page.content) if page is not None and kind == "posts" else 0,
            failure=answer.failure.reason if answer.failure else "",
            offer=self._offer_of(answer),
        )

    def learned(self, report: CrawlReport, before: BlogRecord | None, archive: ArchiveFolder) -> Learned:
        """All that this look says about the next; `before` is what was known of the blog."""
        changes = report.update or Changes()
        # A walk counts all posts of the blog; those it had are not new.
        found = changes.new if report.update else max(0, report.posts - (before.posts if before else 0))
        brought = archive.store.posts.brought_by(report.run, min(found, DATES)) if found else []
        record = archive.store.blogs.find(report.blog) or BlogRecord(id=report.blog, url=report.url)
        comments = set(record.comment_feeds)
        looks = [self._with_news(look, comments, brought, changes) for look in self._own_looks(record)]
        return Learned(
            status=max((look.status for look in looks), default=self.home),
            found=found,
            changed=changes.edited + changes.moved + changes.missing + changes.gone + changes.back,
            comments=changes.comments,
            not_modified=bool(looks) and all(look.not_modified for look in looks),
            requests=self.requests,
            bytes=self.bytes,
            wishes=self._wishes(comments),
            published=tuple(published for _url, published in brought if published),
            addresses=tuple(looks),
            offer=self.offer,
        )

    def _own_looks(self, record: BlogRecord) -> list[AddressLook]:
        """Those at addresses that the blog has; what was
        only guessed and is not there says nothing of it.
        """
        named = {*record.feeds, record.feed, *record.comment_feeds, *record.sitemap, record.api}
        return [look for look in self.looks.values() if look.url in named or look.status in ANSWERED]

    def _with_news(
        self, look: AddressLook, comments: set[str], brought: Sequence[tuple[str, str | None]], changes: Changes
    ) -> AddressLook:
        is_new = not look.not_modified and look.url in self._feeds
        if look.url in comments:
            return replace(look, kind="comments", new=changes.comments if is_new else 0)
        content = self._feeds[look.url].content if is_new else b""
        return replace(look, new=sum(url.encode() in content for url, _published in brought))

    def _wishes(self, comments: set[str]) -> Wishes:
        """Of the feeds of posts: the first that wishes something."""
        pages = [page for url, page in self._feeds.items() if url not in comments]
        told = [feed_wishes(page.content) for page in pages]
        first = next((wishes for wishes in told if wishes != FeedWishes()), FeedWishes())
        ages = [age for page in pages if (age := _max_age(page.headers.get("cache-control", ""))) is not None]
        return Wishes(
            self.retry_after, min(ages, default=None), first.ttl, first.update_period, first.skip_hours, first.skip_days
        )


def _seconds(text: str) -> int | None:
    """What a Retry-After asks for: a number, or a moment."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text[:DIGITS])
    moment = header_moment(text)
    try:
        return max(0, int((moment - clock.now()).total_seconds())) if moment else None
    except OverflowError:
        return None


def _max_age(text: str) -> int | None:
    found = MAX_AGE.search(text)
    return int(found[1]) if found else None
