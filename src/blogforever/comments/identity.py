"""What makes a comment the same: its own number, else post, author, raw date and ordinal."""

from __future__ import annotations

import hashlib
from collections import Counter

from blogforever.dom import tokenise

# Words that tell two comments of one author apart. Feeds cut long texts, so not all of them count.
_OPENING = 30
# Hexadecimal digits of a digest: 64 bits, so that among millions of comments no two are the same.
_DIGEST_LENGTH = 16


def comment_id(
    post: str,
    native: str | None,
    name: str,
    date_text: str,
    ordinals: Counter[str],
) -> str:
    """The same for the same comment at every crawl; the first word says what it is built on.

    `ordinals` counts the comments of this post so far that nothing else tells apart.
    """
    if native:
        return f"native-{_digest(post, native)}"
    basis = _digest(post, name.casefold(), " ".join(date_text.split()))
    ordinals[basis] += 1
    return f"built-{_digest(basis, str(ordinals[basis]))}"


def said_by(name: str, text: str) -> tuple[str, ...]:
    """What tells a comment without a number from others: who said what, by its first words."""
    return ("said", " ".join(name.casefold().split()), " ".join(tokenise(text)[:_OPENING]))


def different_numbers(one: str | None, other: str | None) -> bool:
    """Two numbers of the same system are two comments, whatever they say."""
    return bool(one and other and one != other)


def _digest(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode(errors="replace"))
    return digest.hexdigest()[:_DIGEST_LENGTH]
