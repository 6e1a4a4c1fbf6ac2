"""With --since, lists that lead back in time wait until it is known how old the posts beside them are."""

from __future__ import annotations

from collections.abc import Sequence

from blogforever.learn.postpages import LIST_KINDS
from blogforever.learn.urlpattern import other_kind
from blogforever.pipeline.since import Since
from blogforever.protocols import Ask


class HeldLists:
    """Requests for lists, each with the posts of the page that leads to them."""

    def __init__(self, since: Since) -> None:
        self._since = since
        self._held: list[tuple[list[Ask], list[str]]] = []

    def hold(self, asks: Sequence[Ask], links: Sequence[str]) -> list[Ask]:
        """The asks without those for lists, which wait.

        `links` are the posts of the page that has them.
        """
        self._held.append(([ask for ask in asks if is_list(ask.url)], list(links)))
        return [ask for ask in asks if not is_list(ask.url)]

    def release(self) -> list[Ask]:
        """The lists beside something that is young enough, or of which nobody knows how old it is."""
        held, self._held = self._held, []
        released = []
        for asks, posts in held:
            if not self._since.all_older(posts):
                released += asks
        return released


def is_list(url: str) -> bool:
    """Whether an address is that of a list of posts."""
    return other_kind(url) in LIST_KINDS
