"""What a blog calls its posts that have no title: several of them alike, after itself or after their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from blogforever.dom import tokenise
from blogforever.extract.headline import title_key
from blogforever.extract.untitled import PARAGRAPHS, is_made_of_text, is_passage
from blogforever.learn.article import find_articles
from blogforever.learn.samples import Sample, html_texts
from blogforever.model import Entry, Feed
from blogforever.page.view import PageView

# So many pages that are called alike are no chance.
_FEW = 3
# Share of the pages that are called alike where none has a title.
_NEARLY_ALL = 0.9
# Elements by whose tags and classes a place is known.
_LEVELS = 3
_ENTRY = "entry"
# Where a page's head says what it is called, and by which attribute; of the title it is the text.
_HEADS = {
    'meta[property="og:title"]': "content",
    'meta[name="twitter:title"]': "content",
    "title": None,
}

_Place = tuple[str, ...]


@dataclass(frozen=True)
class _Called:
    """The pages that one way calls so, and those that it calls otherwise."""

    words: list[str]
    alike: Sequence[Sample]
    others: Sequence[Sample]
    by_feed: bool

    @property
    def is_placeholder(self) -> bool:
        """Whether it is no title: nothing shows it where the others show theirs, or all are called so."""
        if self.by_feed or len(self.others) > (1 - _NEARLY_ALL) * len(self.alike):
            return not self._is_shown()
        return not self._is_told()

    def _is_told(self) -> bool:
        """Whether the feed calls most of the pages so, and they show it."""
        told = [one for one in self.alike if one.entry and tokenise(one.entry.title or "") == self.words]
        return 2 * len(told) > len(self.alike) and self._is_shown()

    def _is_shown(self) -> bool:
        """Whether most pages show it at a place at which most others do not: these have a title of their own
        there, while a blog's name stands on all of them.
        """
        places: defaultdict[_Place, int] = defaultdict(int)
        for sample in self.alike:
            for place in _places(sample.tree, self.words):
                places[place] += 1
        usual = {place for place, count in places.items() if 2 * count > len(self.alike)}
        elsewhere = [_places(sample.tree, self.words) for sample in self.others]
        return any(2 * sum(place in shown for shown in elsewhere) <= len(self.others) for place in usual)


def placeholders(feed: Feed | None, samples: Sequence[Sample]) -> tuple[str, ...]:
    """What stands for a title on several pages and is none: the blog's name, or "Photo"."""
    found: dict[str, str] = {}
    blogs_name = title_key(feed.title or "") if feed else ""
    for way in (_ENTRY, *_HEADS):
        for key, name in _placeholders_by(way, samples, blogs_name):
            found.setdefault(key, name)
    return tuple(found.values())


def _placeholders_by(way: str, samples: Sequence[Sample], blogs_name: str) -> Iterator[tuple[str, str]]:
    """What one way calls several pages that have no title, and the blog's own name, however often it stands there."""
    said = {n: text for n, sample in enumerate(samples) if (text := _said(sample, way))}
    for key, pages in _by_key(said).items():
        name = said[pages[0]]
        alike = [samples[n] for n in pages]
        others = [samples[n] for n in said if n not in pages]
        called = _Called(tokenise(name), alike, others, way == _ENTRY)
        is_blogs = key == blogs_name and way != _ENTRY
        is_shared = len(pages) >= _FEW and called.is_placeholder
        if is_blogs or is_shared:
            yield key, name


def forget_placeholders(samples: Sequence[Sample], names: Sequence[str]) -> None:
    """Take what is no title off the entries, and let generic extraction give none."""
    keys = frozenset(map(title_key, names))
    for sample in samples:
        sample.placeholders = keys
        if sample.entry and title_key(sample.entry.title or "") in keys:
            _forget_title(sample, sample.entry)


def _forget_title(sample: Sample, entry: Entry) -> None:
    sample.entry, sample.untitled = replace(entry, title=None), True


def forget_passages(samples: Sequence[Sample]) -> None:
    """Take off the entries what is but the beginning of their text, or nearly all of it, as of a quotation."""
    for sample in samples:
        entry = sample.entry
        if entry and entry.title and _is_of_text(sample, entry.title, entry.html or entry.summary_html):
            _forget_title(sample, entry)


def _is_of_text(sample: Sample, title: str, html: str) -> bool:
    """Whether a title is a part of the text, which the page does not show as a title."""
    parts = sample.parts if html == sample.said else html_texts(html)
    if is_made_of_text(title, PARAGRAPHS.join(parts), sample.tree):
        return True
    articles = find_articles(sample)[:1] if _is_most_of(title, parts) else ()
    return any(is_passage(title, sample.tree, found.place) for found in articles)


def _is_most_of(title: str, parts: Sequence[str]) -> bool:
    """Whether a title has more than half as many words as a text, which is read no further than needed."""
    more = 2 * len(tokenise(title))
    for part in parts:
        more -= len(tokenise(part))
        if more <= 0:
            break
    return more > 0


def _said(sample: Sample, way: str) -> str:
    """What a way calls a page, in one line."""
    if way == _ENTRY:
        return (sample.entry.title if sample.entry else None) or ""
    node = sample.tree.tree.css_first(way)
    if node is None:
        return ""
    attribute = _HEADS[way]
    text = node.attrs.get(attribute) if attribute else node.text()
    return " ".join((text or "").split())


def _by_key(said: Mapping[int, str]) -> Mapping[str, list[int]]:
    """The pages that are called alike."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for n, text in said.items():
        if key := title_key(text):
            alike[key].append(n)
    return alike


def _places(page: PageView, words: list[str]) -> Set[_Place]:
    """Where a page has elements that say just these words."""
    return set(_shown_at(page, words))


def _shown_at(page: PageView, words: list[str]) -> Iterator[_Place]:
    size = len(words)
    for i, start in enumerate(page.start):
        if page.end[i] - start == size and page.words[start : start + size] == words:
            yield tuple(f"{page.tags[a]} {page.attribute(a, 'class')}" for a in (i, *page.around(i, _LEVELS)))
