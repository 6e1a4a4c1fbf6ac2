"""Posts that no list of the blog's own leads to any more: at their old addresses, then on its pages."""

from __future__ import annotations

from blogforever.learn.postpages import LIST_KINDS
from blogforever.learn.urlpattern import other_kind
from blogforever.model import Page
from blogforever.pipeline.scope import Scope
from blogforever.protocols import Ask
from blogforever.urls import url_key

from .arrivals import Arrivals
from .asking import LooksAsked
from .context import UpdateContext, keys_of
from .rechecks import Look, returned
from .remembered import KnownPost
from .secondlooks import SecondLooks
from .walk import IMPATIENCE, PATIENCE, Walk

FEW_MOVED = 2
"""Posts that may be found at new addresses without the blog having given new ones to all."""
MOST_LOST = 2_000
"""Old addresses that are asked for after a blog gave its posts new ones."""


class Search:
    """Looks for lost posts where the blog gave its posts new addresses, or its feed has forgotten
    all that is known.
    """

    def __init__(
        self,
        context: UpdateContext,
        scope: Scope,
        arrivals: Arrivals,
        second_looks: SecondLooks,
        looks: LooksAsked,
    ) -> None:
        self._context, self._scope, self._arrivals = context, scope, arrivals
        self._second_looks, self._looks = second_looks, looks
        self._posts = {post.id: post for post in context.remembered.posts}
        self._walk = Walk(scope, len(context.remembered.posts))

    def read_list(self, page: Page) -> None:
        """A page of the walk came."""
        self._walk.read(page)

    def list_failed(self, url: str) -> None:
        """A page of the walk is not there any more."""
        self._walk.fail(url)

    def ask(self, home: Page | None) -> list[Ask]:
        """Where to look next; the home page is the best list, where it is here."""
        asks = self._looks.ask(self._at_former_addresses()) if self._came_back() else []
        if asks:
            return asks
        readdressed = self._is_readdressed()
        if not readdressed and not self._is_outrun():
            return []
        lost = self._lost()[:MOST_LOST]
        if self._old_addresses_lead_on():
            asks = self._looks.ask(Look(post.url, "turn", post) for post in lost)
        asks = asks or self._looks.ask(self._named_on_lists(home))
        if asks:
            return asks
        # A blog with a new feed is walked for a while; one that gave new addresses until all posts
        # are found.
        if not readdressed:
            return self._walk.more(IMPATIENCE)
        return self._walk.more(PATIENCE) if lost else []

    def _named_on_lists(self, home: Page | None) -> list[Look]:
        """Posts nobody knew that the lists of the walk name."""
        context = self._context
        if not self._walk.begun:
            lists = sorted(url for url in context.remembered.addresses if other_kind(url) in LIST_KINDS)
            self._walk.begin(context.known.pattern, [self._scope.root, *lists], home)
        urls = [url for url in self._walk.found() if not context.identity.at(url)]
        return [Look(url, "new") for url in urls if not context.was_seen(url_key(url))]

    def _lost(self) -> list[KnownPost]:
        """Posts that were not found: neither at the address they had, nor at another one."""
        posts = [post for post in self._context.active_posts() if post.id not in self._arrivals.moved]
        first = self._arrivals.first
        return [post for post in posts if post.id not in first or self._second_looks.outcome(post.id) != "here"]

    def _old_addresses_lead_on(self) -> bool:
        """Whether most addresses at which posts were, and are no more, lead to new ones."""
        first = self._arrivals.first.items()
        ends = [looked for post, looked in first if self._posts[post].state == "active"]
        led = [looked for looked in ends if looked.chain and self._context.identity.at(looked.url) is None]
        return len(led) * 2 > len(ends)

    def _came_back(self) -> bool:
        """Whether posts were found at addresses they had moved away from."""
        for post, (_looked, move) in self._arrivals.moved.items():
            if move.new in self._posts[post].former and move.old != move.new:
                return True
        return False

    def _at_former_addresses(self) -> list[Look]:
        """Where some posts are back where they were, the others may be, too."""
        lost = {post.id: post for post in self._lost() if post.former}
        back = returned(self._context.news, self._context.remembered.posts, keys_of)
        named = {look.post.id: look for look in back if look.post and look.post.id in lost}
        others = [post for post in lost.values() if post.id not in named]
        return [*named.values(), *(Look(post.former[-1], "moved", post) for post in others)]

    def _is_readdressed(self) -> bool:
        """Whether the blog gave its posts new addresses: more are named under such than under those
        known.
        """
        context, moved = self._context, self._arrivals.moved
        posts = [post for post in context.remembered.posts if post.id not in moved]
        named = [post for post in posts if context.is_listed(post)]
        return len(moved) > max(FEW_MOVED, len(named))

    def _is_outrun(self) -> bool:
        """Whether so much was published that the feed has forgotten everything known, and nothing
        else lists it.
        """
        entries = self._context.news.entries.values()
        strangers = all(self._context.identity.at(entry.url) is None for entry in entries)
        return bool(entries) and strangers and not self._context.news.sitemap_whole
