"""Titles that only their place tells: where all pages are called alike, the lines above the texts that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from blogforever.elements import HEADINGS
from blogforever.extract.signing import dates_only
from blogforever.learn.samples import FURNITURE, Sample
from blogforever.page.view import PageView

# Elements that make what stands in them stand out.
_LOUD = frozenset({*HEADINGS, *"b strong big font center em i u span dt th td div p".split()})
# Words of a title, and of the post's own that may stand before it: its day, and who wrote it.
_LONGEST, _BEFORE = 24, 12
# With fewer pages nobody can tell what they share.
_FEWEST = 3
# Share of the pages that must show something at a place, each something else.
_NEARLY_ALL = 0.9
# Elements by whose tags a place is known.
_LEVELS = 4
# Elements at the beginning of a page that are looked at.
_MOST_LOOKED_AT = 2_000

_Place = tuple[str, ...]


@dataclass
class _ShownLines:
    """What stands first at a place of each page, how many words of the posts' own before all of it, and how often the
    day stands beside it.
    """

    titles: dict[int, str] = field(default_factory=dict)
    before: float = 0.0
    days: int = 0

    @property
    def rank(self) -> tuple[float, int]:
        """Smaller for what comes first; of elements in each other for that without the day."""
        return self.before / len(self.titles), self.days


def titles_by_place(samples: Sequence[Sample]) -> list[str]:
    """What each page shows at the place that comes first of those where nearly all show a line of
    their own; nothing where there is none.
    """
    nothing = [""] * len(samples)
    if len(samples) < _FEWEST:
        return nothing
    places: defaultdict[_Place, _ShownLines] = defaultdict(_ShownLines)
    for n, sample in enumerate(samples):
        for place, before, i in _lines(sample):
            if n not in places[place].titles:
                places[place].titles[n] = sample.tree.line(i)
                places[place].before += before
                places[place].days += _holds_day(sample.tree, i)
    telling = [shown for shown in places.values() if _tells_apart(shown, len(samples))]
    first = min(telling, key=lambda shown: shown.rank, default=None)
    return [first.titles.get(n, "") for n in range(len(samples))] if first else nothing


def _tells_apart(shown: _ShownLines, pages: int) -> bool:
    return len(shown.titles) >= _NEARLY_ALL * pages and len(set(shown.titles.values())) >= _NEARLY_ALL * pages


def _holds_day(page: PageView, i: int) -> bool:
    """Whether an element in a line says but a day."""
    return any(page.count(inner) and dates_only(page.line(inner)) for inner in range(i + 1, page.last[i]))


def _lines(sample: Sample) -> Iterator[tuple[_Place, float, int]]:
    """The lines above a page's text that stand out and are no day, each with its place and the words
    of the post's own before it.
    """
    page = sample.tree
    for i in range(min(len(page.nodes), _MOST_LOOKED_AT)):
        before = _own_words(sample, page.start[i])
        if before > _BEFORE:
            return
        is_line = page.tags[i] in _LOUD and 0 < page.count(i) <= _LONGEST and not page.blocks[i]
        is_own = is_line and _own_words(sample, page.end[i]) - before >= page.count(i) / 2
        if is_own and not dates_only(page.line(i)):
            yield _place(page, i), before, i


def _own_words(sample: Sample, word: int) -> float:
    """How many words before one are on few pages."""
    return (sample.weight[word] - FURNITURE * word) / (1 - FURNITURE)


def _place(page: PageView, i: int) -> _Place:
    """Where an element stands, by its tag and those around it."""
    tags = [page.tags[i]]
    for ancestor in page.ancestors(i):
        if len(tags) == _LEVELS:
            break
        tags.append(page.tags[ancestor])
    return tuple(tags)
