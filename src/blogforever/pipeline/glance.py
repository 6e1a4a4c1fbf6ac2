"""A glance at a few addresses: where each leads in the end, and what is there."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.protocols import Answer, Ask
from blogforever.urls import join

from .crawl import MAX_HOPS, REDIRECTS


class Glance:
    """A PageHandler that asks for these addresses and nothing else; `seen` has the last answer to each."""

    def __init__(self, urls: Iterable[str]) -> None:
        self._urls = list(dict.fromkeys(urls))
        self.seen: dict[str, Answer] = {}

    def start(self) -> Iterable[Ask]:
        """All of them."""
        return [Ask(url, "page") for url in self._urls]

    def handle(self, answer: Answer) -> Iterable[Ask]:
        """A redirect is followed, anything else is what there is to see."""
        ask = answer.ask
        chain = (*ask.chain, ask.url)
        target = join(ask.url, answer.location or "") if answer.status in REDIRECTS else None
        if target and len(chain) <= MAX_HOPS and target not in chain:
            return [Ask(target, ask.role, chain=chain)]
        self.seen[chain[0]] = answer
        return []

    def idle(self) -> Iterable[Ask]:
        """Nothing more."""
        return []
