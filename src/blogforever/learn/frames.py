"""Lines that say the same on all pages, but for who wrote the post, when, and what they link to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from blogforever.dom import tokenise
from blogforever.extract.signing import beside_day
from blogforever.learn.views import View

# Forms that such a line has over the pages: with and without tags, of one comment and of many.
_MOST_FRAMES = 3
# Share of the lines that must have one of them.
_MOSTLY = 0.8


def frame_of(view: View, i: int, words: Sequence[str]) -> str | None:
    """What a line says beside its links to the blog, its numbers, its day and the names of who wrote the post.

    None where it has no number, or says neither day nor name: a greeting signed by name is its author's.
    """
    entry = view.sample.entry
    if entry is None or not any(word.isdecimal() for word in words):
        return None
    names = {word for author in entry.authors for word in tokenise(author.name)}
    if names and names.issubset(words):
        first = view.sample.tree.start[i]
        own = [word for n, word in enumerate(words, first) if view.led[n] == view.led[n + 1]]
        return _framed(word for word in own if word not in names)
    if not view.sample.taught or entry.published is None:
        return None
    beside = beside_day(view.sample.tree.line(i), entry.published)
    return _framed(beside) if beside else None


def _framed(words: Iterable[str]) -> str:
    return " ".join(word for word in words if not word.isdecimal())


def is_framed(frames: Counter[str], lines: int) -> bool:
    """Whether nearly all of so many lines say the same in a few forms."""
    usual = sum(count for _frame, count in frames.most_common(_MOST_FRAMES))
    return len(frames) < lines and usual >= _MOSTLY * lines
