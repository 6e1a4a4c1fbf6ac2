"""Blocks that say nothing but where other posts of the blog are: neighbours, and teasers with what
each begins with.

One page alone cannot tell them from a list that its author made. So they are left out only where
the blog's pages together have shown that such blocks stand there (`learn/leadingblocks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from blogforever.dom import node_text, tokenise
from blogforever.extract.lines import most_words_beside
from blogforever.urls import join, page_key, same_site

# Words beside a link in its line: "Previous:" and "Next post" are labels, more make a sentence.
_LABEL = 2
# Words of what a post begins with, as teasers show it.
_EXCERPT = 80
# Links of a block; more are a list that somebody made, or a page made to be endless.
_MOST_LINKS = 50
# Elements that hold text: in these no words stand but those of the links.
_OF_TEXT = frozenset(("p", "li", "blockquote", "dd", "pre", "h2", "h3", "h4", "h5", "h6"))


@dataclass(frozen=True, slots=True)
class Leading:
    """Where a block leads, and the words in it that are no links."""

    targets: frozenset[str]
    excerpt: tuple[str, ...]
    links: int

    @property
    def has_excerpt(self) -> bool:
        """Whether it says more than labels do."""
        return len(self.excerpt) > _LABEL * self.links


def leading_of(block: LexborNode, url: str) -> Leading | None:
    """Where a block leads that only leads to other pages of the blog; None for any other.

    No link of it stands in a sentence, and what it says beside them is no longer than the
    beginnings of so many posts.
    """
    links = block.css("a[href]")
    if not 0 < len(links) <= _MOST_LINKS:
        return None
    targets = _targets(links, url)
    titled = [link for link in links if tokenise(node_text(link))]
    if targets is None or not titled or most_words_beside(titled) > _LABEL:
        return None
    excerpt = _words_outside(block, titled)
    found = Leading(targets, excerpt, len(titled))
    if len(excerpt) > _EXCERPT * len(targets) or (found.has_excerpt and block.tag in _OF_TEXT):
        return None
    return found


def _words_outside(block: LexborNode, links: Sequence[LexborNode]) -> tuple[str, ...]:
    """The words of a block that stand in none of its links; numbers are none: a title may have its day beside it."""
    said = tokenise(node_text(block, {link.mem_id for link in links}))
    return tuple(word for word in said if not word.isdigit())


def _targets(links: Sequence[LexborNode], url: str) -> frozenset[str] | None:
    """The other pages of the blog that links lead to; None where one of them leads elsewhere."""
    own, found = page_key(url), set[str]()
    for link in links:
        target = join(url, link.attrs.get("href") or "")
        if not target or not same_site(url, target) or page_key(target) == own:
            return None
        found.add(page_key(target))
    return frozenset(found)
