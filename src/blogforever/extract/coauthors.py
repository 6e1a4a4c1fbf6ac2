"""Who wrote an article together: names that a by-line gives one behind the other."""

from __future__ import annotations

from collections.abc import Sequence

from blogforever.elements import word_set
from blogforever.extract.byline import FoundByline
from blogforever.extract.names import clean_names
from blogforever.model import Author
from blogforever.page.view import PageView

# What may stand between two names, besides signs: another word says what else somebody did.
_JOINING = word_set("and und et y e en och og ja i и dan ve by")
# Nobody writes with more.
_MOST = 20


def authors_of(page: PageView, one: FoundByline, found: Sequence[FoundByline]) -> tuple[Author, ...]:
    """The author of a by-line and those named with him: in the same words, or in elements right before and behind."""
    names = clean_names(one.author.name)
    if len(names) > 1:
        return tuple(map(Author, names))
    if one.element < 0:
        return (one.author,)
    alike = sorted((other for other in found if _is_alike(other, one)), key=lambda other: other.element)
    run = [one]
    for other in alike[alike.index(one) + 1 :]:
        if not _follows(page, run[-1], other):
            break
        run.append(other)
    for other in alike[: alike.index(one)][::-1]:
        if not _follows(page, other, run[0]):
            break
        run.insert(0, other)
    return tuple({other.author.name: other.author for other in run}.values())[:_MOST]


def _is_alike(other: FoundByline, one: FoundByline) -> bool:
    return other.element >= 0 and other.rule == one.rule and other.is_below == one.is_below


def _follows(page: PageView, first: FoundByline, second: FoundByline) -> bool:
    """Whether nothing stands between two names but what joins them, in one block."""
    start, stop = page.end[first.element], page.start[second.element]
    is_joined = start <= stop and set(page.words[start:stop]) <= _JOINING and stop - start <= 1
    return is_joined and _block(page, first.element) == _block(page, second.element)


def _block(page: PageView, i: int) -> int:
    """The block that a name stands in."""
    return next((around for around in page.ancestors(i) if page.blocks[around] or _is_line(page, around)), -1)


def _is_line(page: PageView, i: int) -> bool:
    """Whether an element is a line of its own."""
    return page.tags[i] in ("p", "div", "li", "address", "header", "dd", "td")
