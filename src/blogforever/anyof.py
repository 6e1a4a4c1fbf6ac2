"""Whether any of many plain texts stands in another, told by one pass over it.

Python looks for one text after the other: a hundred of them take longer than reading a post's page
with rules.
"""

from __future__ import annotations

from collections.abc import Iterable

import re2


class AnyOf:
    """Some plain texts, to be looked for together."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._texts = sorted(set(texts))
        self._pattern = re2.compile(b"|".join(map(re2.escape, self._texts)))

    def stands_in(self, content: bytes) -> bool:
        """Whether one of the texts is part of this content."""
        return bool(self._texts) and self._pattern.search(content) is not None
