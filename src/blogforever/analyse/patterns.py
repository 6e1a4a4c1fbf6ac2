"""How a site is made, as one short text: hosts that are made the same way have the same, whatever they say."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from blogforever.page.view import view_of

from .values import SeenHost

# A class that stands so often on a front page is that of its items.
REPEATED = 3
# Classes that make a pattern; a page with fewer has too little of its own to be known by.
FEWEST, MOST = 4, 40
MOST_NODES = 4000


def pattern_of(seen: SeenHost) -> str:
    """The pattern of a site by the classes that its items have; empty where there are too few."""
    if seen.front is None:
        return ""
    words: Counter[str] = Counter()
    for node in view_of(seen.front).tree.css("[class]")[:MOST_NODES]:
        words.update({f"{node.tag}.{word}" for word in (node.attributes.get("class") or "").split()})
    repeated = sorted(word for word, times in words.items() if times >= REPEATED and not any(map(str.isdigit, word)))
    if len(repeated) < FEWEST:
        return ""
    maker = (seen.feed.generator or "").split("/")[0].split("?")[0][:60] if seen.feed else ""
    return blake2b("\n".join([maker, *repeated[:MOST]]).encode(), digest_size=12).hexdigest()
