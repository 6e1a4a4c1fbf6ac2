"""A glance at a few addresses: where each leads in the end, and what is there."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.protocols import Answer, Ask

from .redirects import followed, is_redirect, target_of, why_not_followed


class Glance:
    """A PageHandler that asks for these addresses and nothing else.

    `seen` has the last answer to each.
    """

    def __init__(self, urls: Iterable[str]) -> None:
        self._urls = list(dict.fromkeys(urls))
        self.seen: dict[str, Answer] = {}

    def start(self) -> Iterable[Ask]:
        """All of them."""
        return [Ask(url, "page") for url in self._urls]

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """A redirect is followed, anything else is what there is to see."""
        target = target_of(answer) if is_redirect(answer) else None
        if target and not why_not_followed(answer.ask, target):
            return [followed(answer.ask, target)]
        self.seen[answer.ask.first] = answer
        return []

    def idle(self) -> Iterable[Ask]:
        """Nothing more."""
        return []
