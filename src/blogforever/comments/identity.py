"""What makes a comment the same comment: its own number, else post, author, raw date and ordinal."""

from __future__ import annotations

import hashlib
from collections import Counter


def comment_id(post: str, native: str | None, name: str, shown: str, ordinals: Counter[str]) -> str:
    """The same for the same comment at every crawl; the first word says what it is built on."""
    if native:
        return f"native-{_digest(post, native)}"
    basis = _digest(post, name.casefold(), " ".join(shown.split()))
    ordinals[basis] += 1
    return f"built-{_digest(basis, str(ordinals[basis]))}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:16]
