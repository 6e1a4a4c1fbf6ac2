"""What makes a comment the same comment: its own number, else post, author, raw date and ordinal."""

from __future__ import annotations

import hashlib
from collections import Counter

from blogforever.dom import tokenise

_OPENING = 30  # words that tell two comments of one author apart


def comment_id(post: str, native: str | None, name: str, shown: str, ordinals: Counter[str]) -> str:
    """The same for the same comment at every crawl; the first word says what it is built on."""
    if native:
        return f"native-{_digest(post, native)}"
    basis = _digest(post, name.casefold(), " ".join(shown.split()))
    ordinals[basis] += 1
    return f"built-{_digest(basis, str(ordinals[basis]))}"


def said_by(name: str, text: str) -> tuple[str, ...]:
    """What tells a comment without a number apart from others: who said what, by its first words."""
    return ("said", " ".join(name.casefold().split()), " ".join(tokenise(text)[:_OPENING]))


def different_numbers(one: str | None, other: str | None) -> bool:
    """Two numbers of the same system are two comments, whatever they say."""
    return bool(one and other and one != other)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:16]
