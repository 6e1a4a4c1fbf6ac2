"""The links of the walk: which wait for their turn, in what order, and what the pages that have them are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from blogforever.learn.urlpattern import other_kind
from blogforever.pipeline.announcements import FEED, SITEMAP
from blogforever.pipeline.frontier import POST_PRIORITY, Frontier
from blogforever.pipeline.offers import Offers
from blogforever.pipeline.page import Knowledge, Visit, text_digest
from blogforever.pipeline.since import Since
from blogforever.pipeline.waiting import Waiting
from blogforever.protocols import Ask
from blogforever.urls import url_key

from .completeness import TOO_OLD
from .heldlists import HeldLists, is_list
from .worth import Worth


class LinkFollowing:
    """Puts addresses into the queue; `reasons` gets those that are left out because they are too
    old.
    """

    def __init__(
        self,
        frontier: Frontier,
        waiting: Waiting,
        since: Since,
        offers: Offers,
        knowledge: Knowledge,
        worth: Worth,
        reasons: dict[str, str],
    ) -> None:
        self._frontier, self._waiting, self._since = frontier, waiting, since
        self._offers, self._known, self._worth, self._reasons = offers, knowledge, worth, reasons
        self._held = HeldLists(since)

    def follow(self, visit: Visit) -> None:
        """Links of a page: posts at once, the rest waits.

        What the page gave teaches what such pages give.
        """
        url, pattern = visit.page.url, self._known.pattern
        if "?" in url:
            self._frontier.inert.observe(url, text_digest(visit.page))
        links = visit.facts.links
        if visit.evidence.matches and self.guesses_lists_early():
            links = (*links, *self._known.lists.above([url]))
        asks = self._frontier.wanted(links, url)
        self._learn_worth(visit, asks)
        if self._since:
            self._since.note(url, visit.evidence.published)
            asks = self._hold_lists(asks, [link for link in links if pattern.matches(link)], url)
        self._posts_first(asks)

    def linked(self, links: Iterable[tuple[str, str]]) -> None:
        """Let the addresses that somebody names wait for their turn; each comes with who names it."""
        asks, posts = list[Ask](), list[str]()
        for link, via in links:
            asks += self._frontier.wanted([link], via)
            if self._since and self._known.pattern.matches(link):
                posts.append(link)
        if self._since:
            asks = self._hold_lists(asks, posts, self._frontier.scope.root)
        self._posts_first(asks)

    def announced(self, asks: Iterable[Ask]) -> None:
        """Let what the feed announces wait for its turn."""
        self._waiting.add_posts(FEED, self._young(asks), announced=True)

    def go_back(self) -> list[Ask]:
        """Further back in time, from lists that show something young enough, or nothing with a
        date.
        """
        return self._held.release()

    def guesses_lists_early(self) -> bool:
        """Whether lists nobody links to are looked for at once.

        Not where each page is drawn, for that is dear.
        """
        return not self._offers.tells_history() and not self._known.rendering.articles

    def _learn_worth(self, visit: Visit, asks: list[Ask]) -> None:
        """What a page led to, or was itself, says what pages like it are worth."""
        evidence, has_shapes = visit.evidence, bool(self._known.pattern.shapes)
        new_posts = sum(ask.priority == POST_PRIORITY for ask in asks)
        no_lists = sum(other_kind(ask.url) is None for ask in asks)
        shown = self._frontier.shown if has_shapes else no_lists
        # Where nobody knows what addresses of posts look like, a title and a date make a post.
        alone = not has_shapes and bool(evidence.title and evidence.published)
        is_post = evidence.matches or evidence.in_feed or alone
        worth: bool | None = is_post or shown > new_posts
        if new_posts and not worth:
            # It only names posts which nobody else names: worth it when one of them is there.
            worth = None
        self._waiting.learn(visit.page.url, shown, worth)

    def _hold_lists(self, asks: list[Ask], posts: list[str], url: str) -> list[Ask]:
        return self._held.hold(asks, posts) if is_list(url) else asks

    def _young(self, asks: Iterable[Ask]) -> list[Ask]:
        """The asks without those for what is known to be too old."""
        young = []
        for ask in asks:
            if self._since.is_older(ask.url):
                self._reasons[url_key(ask.url)] = TOO_OLD
            else:
                young.append(ask)
        return young

    def _posts_first(self, asks: Iterable[Ask]) -> None:
        """Let all of them wait for their turn, posts by who names them."""
        asks, matches = self._young(asks), self._known.pattern.matches
        if self._waiting.order == "bfs":
            asks = [replace(ask, priority=0) for ask in asks]
        posts = [ask for ask in asks if matches(ask.url)]
        self._waiting.add(ask for ask in asks if not matches(ask.url))
        for source, named in groupby(posts, self._worth.source):
            self._waiting.add_posts(source, named, announced=source == SITEMAP)
