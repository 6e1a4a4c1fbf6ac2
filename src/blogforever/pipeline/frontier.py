"""What was asked and what still may be: each page once, other spellings only when the first one fails."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from blogforever import clock
from blogforever.learn.inertquery import InertQuery
from blogforever.learn.urlpattern import MAY_BE_TITLE, UrlPattern, other_kind, skip_reason
from blogforever.protocols import Ask
from blogforever.urls import canonical, url_key

from .scope import Scope

PRIORITIES = {"list": 4, "page": 5, "date": 3, "home": 5, "static": 1, "query": 0}
POST_PRIORITY, OTHER_PRIORITY = 8, 2
# Free queries below one path that are asked for: calendars and filters of shops run on for ever.
QUERY_LIMIT = 500
# Other spellings of an address that are kept for the case that the first one fails.
MOST_SPELLINGS = 4
# Links that are not followed: those of one reason that are named.
MOST_NAMED = 100
ENDLESS = "endless"
# Nobody kept a weblog before the web.
FIRST_YEAR = 1990
INDEX_FILE = re.compile(r"/index\.(?:html?|php)$")
YEAR = re.compile(r"/((?:19|20)\d\d)/")


@dataclass(slots=True)
class LeftLinks:
    """Links that are not followed for one reason: how many, and the first of them."""

    count: int = 0
    urls: list[str] = field(default_factory=list)


class Frontier:
    """Turns links into Asks."""

    def __init__(self, scope: Scope, routes: Callable[[], bool] = lambda: False) -> None:
        self.scope, self._routes = scope, routes
        self.pattern = UrlPattern()
        self.inert = InertQuery()
        self.shown = 0
        """Posts that the links of the last page showed for the first time, known from a feed or
        not.
        """
        self.left: dict[str, LeftLinks] = {}
        """Links of the blog that are not followed, by the reason."""
        self._met: set[str] = set()
        self._asked: set[str] = set()
        self._keys: set[str] = set()
        self._spellings: defaultdict[str, deque[str]] = defaultdict(deque)
        self._queries: Counter[str] = Counter()

    def wanted(self, urls: Iterable[str], via: str | None) -> list[Ask]:
        """Asks for the addresses among these that are the blog's own, new and worth a fetch."""
        asks: list[Ask] = []
        self.shown = 0
        for url in urls:
            if url in self._met or ("#" in url and not self._routes()):
                continue
            self._met.add(url)
            own = self._own(url)
            if own is None or self._is_left(own):
                continue
            self.shown += self.pattern.matches(own)
            asks += filter(None, (self.ask(canonical(spelt), via) for spelt in self._spelt(own)))
        return asks

    def _spelt(self, url: str) -> list[str]:
        """The address, and the one without a query that may be no part of it, as
        /a-post?source=list: where posts have such addresses only that one, the other is kept for
        the case that it fails.
        """
        plain = url.partition("?")[0]
        is_free = other_kind(url) == "query" and other_kind(plain) is None
        if not is_free or self.pattern.matches(url):
            return [url]
        if not self.pattern.matches(plain):
            return [plain, url]
        self._keep_spelling(url_key(plain), canonical(url))
        return [plain]

    def _keep_spelling(self, key: str, url: str) -> None:
        """Another address of a page, for the case that the first one fails."""
        spellings = self._spellings[key]
        if len(spellings) < MOST_SPELLINGS and url not in spellings:
            spellings.append(url)

    def _is_left(self, url: str) -> bool:
        """Whether an address of the blog is not worth a fetch; which are left and why is counted."""
        reason = self._why_skipped(url) or (ENDLESS if self._endless(url) else None)
        if reason is None:
            return False
        names = self.left.setdefault(reason, LeftLinks())
        names.count += 1
        if len(names.urls) < MOST_NAMED:
            names.urls.append(url)
        return True

    def taken_up(self, via: str) -> list[Ask]:
        """Asks for links that were left before it was known what addresses the blog's posts have."""
        asks: list[Ask] = []
        for reason in MAY_BE_TITLE & self.left.keys():
            left = self.left[reason]
            titles = [url for url in left.urls if self._why_skipped(url) is None]
            left.count -= len(titles)
            left.urls = [url for url in left.urls if url not in titles]
            asks += [ask for url in titles if (ask := self.ask(canonical(url), via))]
        return asks

    def _why_skipped(self, url: str) -> str | None:
        """Why no blog has a post at such an address, unless this one has: its posts have such
        addresses, or its own home.
        """
        reason = skip_reason(url)
        if reason in MAY_BE_TITLE and (self.pattern.matches(url) or skip_reason(self.scope.root) == reason):
            return None
        return reason

    def _own(self, url: str) -> str | None:
        """The address on the blog's own host, without what its server does not look at."""
        own = self.scope.admit(url)
        return self.inert.strip(own) if own and "?" in own else own

    def ask(self, url: str, via: str | None) -> Ask | None:
        """An Ask for this very address unless its page was asked for before."""
        if url in self._asked:
            return None
        key = url_key(url)
        if key in self._keys:
            self._keep_spelling(key, url)
            return None
        self._keys.add(key)
        return self._note(url, via)

    def retry(self, url: str) -> Ask | None:
        """After this address failed: another spelling, if one was met or can be thought of.

        Later ones may come.
        """
        key = url_key(url)
        waiting = self._spellings[key]
        if INDEX_FILE.search(url):
            waiting.append(INDEX_FILE.sub("/", url))
        while waiting:
            other = waiting.popleft()
            if other not in self._asked:
                return self._note(other, url)
        del self._spellings[key]
        self._keys.discard(key)
        return None

    def mark(self, url: str) -> None:
        """This address is being dealt with."""
        self._asked.add(url)
        self._keys.add(url_key(url))

    def _note(self, url: str, via: str | None) -> Ask:
        self._asked.add(url)
        return Ask(url, "page", self.priority(url), via)

    def priority(self, url: str) -> int:
        """Posts first, then what leads to posts."""
        if self.pattern.matches(url):
            return POST_PRIORITY
        return PRIORITIES.get(other_kind(url) or "", OTHER_PRIORITY)

    def _endless(self, url: str) -> bool:
        """Calendars run into years without a blog; free queries run on for ever."""
        year = YEAR.search(url)
        next_year = clock.now().year + 1
        if year and not FIRST_YEAR <= int(year[1]) <= next_year:
            return True
        if other_kind(url) != "query":
            return False
        path = url.partition("?")[0]
        self._queries[path] += 1
        return self._queries[path] > QUERY_LIMIT
