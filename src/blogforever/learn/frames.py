"""Lines that say the same on all pages, but for who wrote the post, when, and what they link to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from blogforever.dom import tokenise
from blogforever.extract.signing import beside_day
from blogforever.learn.views import View
from blogforever.model import Moment

# Forms that such a line has over the pages: with and without tags, of one comment and of many.
_MOST_FRAMES = 3
# Share of the lines that must have one of them.
_MOSTLY = 0.8


def frames_of(view: View, i: int, words: Sequence[str]) -> tuple[str, ...]:
    """What a line says beside its links to the blog, its numbers, its day and who wrote the post.

    Nothing where it has neither a number nor such a link, or says neither day nor name: a greeting signed by name is
    its author's.
    """
    entry = view.sample.entry
    if entry is None or not (any(word.isdecimal() for word in words) or view.leading(i)):
        return ()
    names = {word for author in entry.authors for word in tokenise(author.name)}
    if names and names.issubset(words):
        return (_framed(set(_own_words(view, i, words)) - names, words),)
    return _beside_its_day(view, i, entry.published)


def _own_words(view: View, i: int, words: Sequence[str]) -> Iterator[str]:
    """The words of a line that are no links to the blog."""
    first = view.sample.tree.start[i]
    return (word for n, word in enumerate(words, first) if view.led[n] == view.led[n + 1])


def _beside_its_day(view: View, i: int, published: Moment | None) -> tuple[str, ...]:
    """What a line says beside the day of the post, where only the page told its text; beside any
    day, where nothing else says when that was written.
    """
    if not view.sample.taught:
        return ()
    told = beside_day(view.sample.tree.line(i), published)
    return (_framed(set(told), told),) if told else ()


def _framed(kept: Set[str], words: Sequence[str]) -> str:
    return " ".join(word for word in words if word in kept and not word.isdecimal())


def count_of(words: Sequence[str]) -> tuple[str, ...]:
    """What a line says beside its numbers; nothing where it has none, or nothing else."""
    told = [word for word in words if not word.isdecimal()]
    return (" ".join(told),) if told and len(told) < len(words) else ()


def is_one(counts: Counter[str], lines: int) -> bool:
    """Whether nearly all of so many lines say the same beside their numbers."""
    usual = sum(count for _told, count in counts.most_common(1))
    return usual >= _MOSTLY * lines


def is_framed(frames: Counter[str], lines: int) -> bool:
    """Whether nearly all of so many lines say the same in a few forms."""
    usual = sum(count for _frame, count in frames.most_common(_MOST_FRAMES))
    return len(frames) < lines and usual >= _MOSTLY * lines
