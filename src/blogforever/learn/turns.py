"""Authors that nothing calls so: names that stand at one place of the blog's pages, beside the day
or in turns.

A name on one page may be anybody's. Where the same place of nearly all pages shows nothing but a
name, and the pages take turns in a few of them, or where a day stands in the same line, it says who
wrote the post.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from blogforever.dates import find_dates, same_day
from blogforever.extract.byline import text_outside_links
from blogforever.extract.filedunder import is_filing_link
from blogforever.extract.names import clean_names
from blogforever.extract.signedname import (
    is_whole_name,
    name_beside_date,
    names_beside_date,
    only_name,
    part_beside_date,
)
from blogforever.learn.article import find_articles
from blogforever.learn.samples import Sample
from blogforever.model import Author
from blogforever.page.view import PageView
from blogforever.urls import join, page_key

# With fewer pages nobody can tell what they take turns in.
_FEWEST = 4
# Share of the pages that must show a name at the place.
_NEARLY_ALL = 0.8
# Words of a line with a name and a day in it.
_LONGEST = 14
# Words between such a line and the post's heading or an end of its text.
_NEAR = 60
# Elements of which the names say at which place of a page an element stands.
_LEVELS = 3

_Place = tuple[str, ...]
"""Where an element stands, by the names of what is around it; before them, of a part of a line, its number."""
_Reader = Callable[[str], str | None]
"""Reads the name in a line with a day."""
_ENDS = ("from the first", "from the last")


@dataclass(frozen=True, slots=True)
class _PlacedName:
    """A name at a place of a page, and whether a day stands in the same line."""

    name: str
    dated: bool


def names_in_turn(samples: Sequence[Sample], owner: str | None = None) -> None:
    """Give pages the name that all of them have at one place.

    Where some of them name an author already, this place does, too; where all name the owner of the
    blog, he is one of several there.
    """
    told = {} if owner else {n: known for n, sample in enumerate(samples) if (known := _told(sample))}
    if len(samples) < _FEWEST or len(told) == len(samples):
        return
    # Where it is known whom a place must name, names need not be written as people's are.
    shown = _by_place(samples, part_beside_date if told else name_beside_date)
    fitting = {place: by_page for place, by_page in shown.items() if _shows_told(by_page, told)}
    for n, names in _surest(fitting, len(samples), owner).items():
        entry = samples[n].entry
        if entry:
            samples[n].entry = replace(entry, authors=_people(names))


def _people(names: Iterable[_PlacedName]) -> tuple[Author, ...]:
    """Who is named, each once."""
    people = dict.fromkeys(person for one in names for person in clean_names(one.name) or (one.name,))
    return tuple(map(Author, people))


def _by_place(samples: Sequence[Sample], read: _Reader) -> dict[_Place, dict[int, set[_PlacedName]]]:
    """The names on all pages, by where they stand, and by page."""
    own = {page_key(sample.page.url) for sample in samples}
    shown: defaultdict[_Place, dict[int, set[_PlacedName]]] = defaultdict(dict)
    for n, sample in enumerate(samples):
        for place, name in _names_on(sample, own, read):
            shown[place].setdefault(n, set()).add(name)
    return shown


def _told(sample: Sample) -> frozenset[str]:
    return frozenset(author.name for author in sample.entry.authors) if sample.entry else frozenset()


def _shows_told(by_page: _ByPage, told: Mapping[int, frozenset[str]]) -> bool:
    """Whether a place names on each page with a known author no other."""
    return all({one.name for one in by_page.get(n, ())} == names for n, names in told.items())


_ByPage = Mapping[int, set[_PlacedName]]


def _surest(shown: Mapping[_Place, _ByPage], pages: int, owner: str | None) -> _ByPage:
    """What stands at the place that names somebody on most pages; nothing where none is an
    author's.

    A part of a line is asked where no whole line is a name, and not where another part of it would
    name others.
    """
    fitting = {place: by_page for place, by_page in shown.items() if _is_authors(by_page, pages, owner)}
    whole = [by_page for place, by_page in fitting.items() if place[0] not in _ENDS]
    best = max(whole or fitting.values(), key=len, default={})
    is_sure = bool(whole) or all(_agree(best, other) for other in fitting.values())
    return best if is_sure else {}


def _agree(one: _ByPage, other: _ByPage) -> bool:
    return all(one[n] == other[n] for n in one.keys() & other.keys())


def _is_authors(by_page: _ByPage, pages: int, owner: str | None) -> bool:
    """Whether a place shows one name on each of nearly all pages: beside the day, or one of a few,
    of whom the owner is one.
    """
    if len(by_page) < _NEARLY_ALL * pages or any(len({one.name for one in names}) > 1 for names in by_page.values()):
        return False
    names = {one.name for shown in by_page.values() for one in shown}
    take_turns = 2 <= len(names) <= len(by_page) / 2
    if owner is not None:
        return take_turns and owner in names
    return take_turns or all(one.dated for shown in by_page.values() for one in shown)


def _names_on(sample: Sample, own: set[str], read: _Reader) -> Iterator[tuple[_Place, _PlacedName]]:
    """The lines near a post that are a name, or a name and a day, each with its place."""
    page = sample.tree
    ends = _ends(sample)
    for i in range(len(page.nodes)):
        if not 0 < page.count(i) <= _LONGEST or page.blocks[i] or not _is_near(page, i, ends):
            continue
        line = page.line(i)
        dated = read(line)
        name = dated or only_name(line) or _names_together(line)
        if not _may_be_own_day(sample, line):
            continue
        if name and not _leads_elsewhere(sample, i, own):
            yield _place(page, i), _PlacedName(name, dated is not None)
        elif not name:
            yield from _names_among(page, i)


def _names_together(line: str) -> str | None:
    """A line that names several people and says nothing else: "Ada Quill and Ben Low"."""
    people = clean_names(line)
    return line if len(people) > 1 and all(map(is_whole_name, people)) else None


def _names_among(page: PageView, i: int) -> Iterator[tuple[_Place, _PlacedName]]:
    """The names that are parts of a dated line, "Ada Quill | 3 May 2020 | boats", by their number
    from either end: there may be any number of tags on the other side. What a link says is no such
    part.
    """
    parts = names_beside_date(text_outside_links(page, i))
    for n, name in enumerate(parts):
        if name:
            for end, number in zip(_ENDS, (n, len(parts) - n), strict=True):
                yield (end, str(number), *_place(page, i)), _PlacedName(name, dated=True)


def _may_be_own_day(sample: Sample, line: str) -> bool:
    """Whether a line shows no day, or that of the post: another is that of a card of another post."""
    told = sample.entry.published if sample.entry else None
    if told is None:
        return True
    days = [found.moment for found in find_dates(line)]
    return not days or any(same_day(told, day) for day in days)


def _ends(sample: Sample) -> tuple[int, ...]:
    """The words at which the post's text begins and ends."""
    page = sample.tree
    return tuple(
        word for found in find_articles(sample)[:1] for word in (page.start[found.place], page.end[found.place])
    )


def _is_near(page: PageView, i: int, ends: Sequence[int]) -> bool:
    return any(max(word - page.end[i], page.start[i] - word) <= _NEAR for word in ends)


def _leads_elsewhere(sample: Sample, i: int, own: set[str]) -> bool:
    """Whether a link in a line, or around it, leads to another post or to a list of posts that are filed alike."""
    page, url = sample.tree, sample.page.url
    around = [n for n in page.around(i, _LEVELS) if page.tags[n] == "a"]
    links = [*around, *(n for n in range(i, page.last[i]) if page.tags[n] == "a")]
    return any(is_filing_link(page, n) or page_key(join(url, page.attribute(n, "href")) or "") in own for n in links)


def _place(page: PageView, i: int) -> _Place:
    """The tags and classes of an element and of those around it."""
    return tuple(_naming(page, n) for n in (i, *page.around(i, _LEVELS)))


def _naming(page: PageView, i: int) -> str:
    return ".".join((page.tags[i], *page.classes(i)))
