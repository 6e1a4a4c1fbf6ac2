"""Where an address that redirects leads, and when it is followed no further."""

from __future__ import annotations

from blogforever.protocols import Answer, Ask
from blogforever.urls import join

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_HOPS = 8
"""Redirects that are followed from one address: a longer chain goes round, or never ends."""


def is_redirect(answer: Answer) -> bool:
    """Whether the server names another address instead of a page."""
    return answer.status in REDIRECTS and bool(answer.location)


def target_of(answer: Answer) -> str | None:
    """The address a redirect names; None where that is none."""
    return join(answer.ask.url, answer.location or "")


def why_not_followed(ask: Ask, target: str | None) -> str | None:
    """Why a redirect ends here; None where it can be followed."""
    if not target:
        return "redirect to nowhere"
    chain = chain_of(ask)
    return "redirect loop" if len(chain) > MAX_HOPS or target in chain else None


def followed(ask: Ask, target: str) -> Ask:
    """The request for the address to which this one leads."""
    return Ask(target, ask.role, ask.priority, ask.via, chain_of(ask))


def chain_of(ask: Ask) -> tuple[str, ...]:
    """All addresses that led here, this one included."""
    return (*ask.chain, ask.url)
