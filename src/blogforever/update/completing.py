"""The rest of posts that are new, edited, moved or commented on: their further pages and their threads."""

from __future__ import annotations

from blogforever.protocols import Ask

from .arrivals import Arrivals
from .asking import LooksAsked
from .comparing import Comparison
from .context import UpdateContext
from .newposts import NewPosts
from .rechecks import Look
from .secondlooks import SecondLooks

# Further pages of long posts that one update asks for. The others come when their posts change
# again.
MOST_PARTS = 200


class Completion:
    """Asks for what the pages of such posts lead to, and puts it where it belongs."""

    def __init__(
        self,
        context: UpdateContext,
        comparison: Comparison,
        arrivals: Arrivals,
        new_posts: NewPosts,
        second_looks: SecondLooks,
        looks: LooksAsked,
    ) -> None:
        self._known, self._comparison, self._arrivals = context.known, comparison, arrivals
        self._new_posts, self._second_looks, self._looks = new_posts, second_looks, looks

    def ask_for_parts(self) -> list[Ask]:
        """The further pages of long posts."""
        for judged in self._second_looks.judged.values():
            if judged.wanted_whole and judged.outcome == "here" and judged.looked.ref:
                # The visit notes which further pages there are, and which threads.
                self._comparison.visit(judged.looked)
        wanted = [url for urls in self._known.parts.places().values() for url in urls]
        return self._looks.ask_again(Look(url, "part") for url in wanted[:MOST_PARTS])

    def join_parts(self) -> list[Ask]:
        """What came of them goes into the new posts."""
        for key, urls in self._known.parts.places().items():
            there = [(url, self._arrivals.parts[url]) for url in urls if url in self._arrivals.parts]
            self._known.parts.fetched(key, there)
            if there and key in self._new_posts.looked:
                self._new_posts.visit_again(key)
        return []

    def ask_for_threads(self) -> list[Ask]:
        """The comment pages and feeds."""
        return self._known.threads.asks(None)
