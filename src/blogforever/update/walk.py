"""A short walk over a blog's own lists, for posts that its feed and sitemap do not name."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.learn.urlpattern import UrlPattern
from blogforever.model import Page
from blogforever.pipeline.frontier import POST_PRIORITY, Frontier
from blogforever.pipeline.scope import Scope
from blogforever.pipeline.waiting import Waiting
from blogforever.protocols import Ask

AT_ONCE = 6
LEAST, SHARE = 20, 5
PATIENCE, IMPATIENCE = 5, 2
"""Times in a row that lists may name no new post before the others are left alone."""


class Walk:
    """Lists in the order of what they promise.

    Each is asked for once, and no more of them than a part of the blog.
    """

    def __init__(self, scope: Scope, posts: int) -> None:
        self._frontier, self._waiting = Frontier(scope), Waiting()
        self._left = LEAST + posts // SHARE
        self._found: list[str] = []
        self._barren = 0
        self.begun = False

    def begin(self, pattern: UrlPattern, lists: Iterable[str], home: Page | None) -> None:
        """Posts have addresses like these; lists are known to be, or to have been, there.

        The home page may be here.
        """
        self.begun = True
        self._frontier.pattern = pattern
        if home is not None:
            self._frontier.mark(home.url)
            self.read(home)
        self._waiting.add(ask for ask in self._frontier.wanted(lists, None) if ask.priority != POST_PRIORITY)

    def read(self, page: Page) -> None:
        """A list came: the posts it names, and other lists."""
        links = read_facts(page).links if looks_like_html(page) else ()
        asks = self._frontier.wanted(links, page.url)
        posts = [ask.url for ask in asks if ask.priority == POST_PRIORITY]
        self._found += posts
        self._waiting.add(ask for ask in asks if ask.priority != POST_PRIORITY)
        self._waiting.learn(page.url, len(posts), bool(posts))

    def fail(self, url: str) -> None:
        """A list is not there any more."""
        self._waiting.learn(url, 0, fruitful=False)

    def found(self) -> list[str]:
        """The posts named since this was last asked."""
        found, self._found = self._found, []
        self._barren = 0 if found else self._barren + 1
        return found

    def more(self, patience: int) -> list[Ask]:
        """The next lists, as long as they are worth it."""
        asks = self._waiting.take(min(AT_ONCE, self._left)) if self._barren < patience else []
        self._left -= len(asks)
        return asks
