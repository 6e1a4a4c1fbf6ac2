"""What pages call themselves, and which of these words tell the blog's posts from its other pages.

A page speaks in several voices: to social networks (og:type), to search engines (the types of its
JSON-LD). No word is known beforehand: one counts where nearly all sure posts of this blog say it
and its lists do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Words = frozenset[str]
"""What one page says, each word with its voice before it: og:article, ld:BlogPosting."""
# Examples of either kind without which nothing can be said of all others.
ENOUGH_POSTS, ENOUGH_OTHERS = 5, 1
# The share of sure posts that must say a word, and the share of others from which on it tells
# nothing.
NEARLY_ALL, MANY = 0.9, 0.5


@dataclass(frozen=True, slots=True)
class Declared:
    """The words of the blog's posts that its lists do not say, and all that its lists say."""

    of_posts: Words = frozenset()
    of_others: Words = frozenset()

    def is_no_post(self, said: Words) -> bool:
        """Whether a page speaks in a voice of the posts, yet says only what lists say.

        A page that is silent, or has a word of its own, says nothing by it: older posts may have
        another template, and posts of another kind another type.
        """
        return any(self._speaks_against(said, mark) for mark in self.of_posts - said)

    def _speaks_against(self, said: Words, mark: str) -> bool:
        in_this_voice = {word for word in said if _voice(word) == _voice(mark)}
        return bool(in_this_voice) and in_this_voice <= self.of_others


def learn_declared(posts: Sequence[Words], others: Sequence[Words]) -> Declared:
    """From what sure posts, and the blog's home and lists, say."""
    speaking = [said for said in others if said]
    if len(posts) < ENOUGH_POSTS or len(speaking) < ENOUGH_OTHERS:
        return Declared()
    by_posts, by_others = _counts(posts), _counts(speaking)
    marks = {
        word
        for word, count in by_posts.items()
        if count > NEARLY_ALL * len(posts) and by_others[word] < MANY * len(speaking)
    }
    return Declared(frozenset(marks), frozenset(by_others))


def _counts(pages: Sequence[Words]) -> Counter[str]:
    return Counter(word for said in pages for word in said)


def _voice(word: str) -> str:
    return word.partition(":")[0]
