"""The numbers of comments that a hosted system tells of many posts in one request, where a page says which it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from blogforever.dom import decode
from blogforever.errors import ArchiveError
from blogforever.model import Page
from blogforever.protocols import Ask, Ref
from blogforever.render.counting import Question, question, read_counts
from blogforever.urls import route_of

PRIORITY = 10
MOST_COUNTED = 500
"""Posts whose comments are counted in one crawl."""
TRIED = 5
"""Pages that are looked through for a system that counts."""


class Counted(NamedTuple):
    """A post whose comments are to be counted, and where its page lies."""

    id: str
    url: str
    ref: Ref | None


class HostedCounts:
    """Asks once, and keeps what was answered in `counts`, by the ids of the posts."""

    def __init__(self, read: Callable[[Ref], Page], counts: dict[str, int]) -> None:
        self._read, self.counts = read, counts
        self.system = ""
        self.failed = False
        self._asked: dict[str, dict[str, list[str]]] = {}

    def asks(self, posts: Sequence[Counted]) -> list[Ask]:
        """Requests for the counts of these posts; none where no system counts."""
        posts = [post for post in posts if not route_of(post.url)][:MOST_COUNTED]
        found = None if self._asked else self._question(posts)
        if found is None:
            return []
        self.system = found.system
        threads: dict[str, list[str]] = {}
        for post in posts:
            threads.setdefault(found.name(post.url), []).append(post.id)
        asks = []
        for url, body, names in found.requests(sorted(threads)):
            self._asked[url] = {name: threads[name] for name in names}
            asks.append(Ask(url, "comments", PRIORITY, posts[0].url, body=body))
        return asks

    def _question(self, posts: Iterable[Counted]) -> Question | None:
        """The system of the first pages that counts."""
        for post in [post for post in posts if post.ref][:TRIED]:
            assert post.ref is not None
            try:
                page = self._read(post.ref)
            except ArchiveError:
                continue
            if found := question(decode(page.content, page.headers), post.url):
                return found
        return None

    def has_asked(self, ask: Ask) -> bool:
        """Whether this is a request for counts."""
        return ask.first in self._asked

    def arrived(self, ask: Ask, page: Page | None) -> None:
        """An answer of the system, or none."""
        threads = self._asked[ask.first]
        numbers = read_counts(decode(page.content, page.headers), list(threads)) if page else {}
        self.failed = self.failed or not numbers
        for name, number in numbers.items():
            self.counts.update(dict.fromkeys(threads[name], number))
