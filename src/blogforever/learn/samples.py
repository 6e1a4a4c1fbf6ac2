"""Training material: a page beside what the feed says of it, both freed from what every page or entry repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from blogforever.dates import find_dates
from blogforever.dom import decode, parse, tokenise
from blogforever.extract.apply import Tops
from blogforever.extract.metadata import Candidate
from blogforever.model import Entry, Feed, Page
from blogforever.page.view import PageView
from blogforever.similarity import shingle_marks
from blogforever.urls import url_key

# An entry with fewer words of its own cannot point at its article.
ENOUGH_WORDS = 6
# Below this many entries or pages nothing can be called repeated.
_FEW = 3
# Share of the entries that repeat what nearly all repeat.
_NEARLY_ALL = 0.9
# Entries that are enough to see what a feed repeats.
_COMPARED = 20
# Characters of a text that may be but a title, a name
# or a tag; and of a line that may be only a date.
_LONGEST_LABEL = 300
_SHORT = 40
# What all pages together may cost, in characters, with each tag as costly as `_TAG_COST` of them:
# about ten seconds.
_MOST_COST = 12_000_000
_TAG_COST = 20
# Characters of a page or an entry that are learned from.
_LONGEST_PAGE = 3_000_000
FURNITURE = 0.1
"""What a word is worth that stands on most pages: enough to prefer the element without it."""
# A text on more than this share of the pages is furniture.
_REPEATED = 0.5


@dataclass(frozen=True)
class FoundEntry:
    """The element of a page that holds the entry's text, and how much of either the other covers."""

    place: int
    recall: float
    precision: float


@dataclass
class Sample:
    """One page to learn from; `entry` is None where no feed speaks of it."""

    page: Page
    tree: PageView
    entry: Entry | None = None
    placeholders: frozenset[str] = frozenset()
    """What the blog's pages are called that have no title, as titles are compared."""
    untitled: bool = False
    """Whether what its entry was called is no title."""
    taught: bool = False
    """Whether the entry was made by generic extraction."""
    said: str = ""
    """The entry's text as the feed has it, in HTML."""
    target: list[str] = field(default_factory=list)
    """The words of the entry's own text."""
    refrain: list[str] = field(default_factory=list)
    """Words of the entry that many entries repeat."""
    signature: list[str] = field(default_factory=list)
    """Words that nearly all of them repeat."""
    pieces: frozenset[str] = frozenset()
    """The pieces of the entry's text, without its labels."""
    parts: Sequence[str] = ()
    """The texts of what the feed said, in order."""
    weight: list[float] = field(default_factory=list)
    """Prefix sums: words that are not furniture."""
    hits: list[float] = field(default_factory=list)
    """Prefix sums: words the feed has in the same company."""
    reading: Mapping[str, Any] | None = None
    """What generic extraction says, once it was asked."""
    dates: tuple[Candidate, ...] = ()
    """All dates it finds on the page, the likeliest first."""
    articles: tuple[FoundEntry, ...] | None = None
    """Where the target stands, once that was searched."""
    lists_linked: tuple[tuple[str, ...], ...] | None = None
    """What its links to lists of posts are called, those of a row or list together, once that was asked."""
    tops: Tops = field(default_factory=dict)
    """What selectors find first on it."""

    def weight_of(self, i: int) -> float:
        """Words of element `i` that are not the page's furniture."""
        return self.weight[self.tree.end[i]] - self.weight[self.tree.start[i]]

    def hits_of(self, i: int) -> float:
        """Words of element `i` that the feed has too."""
        return self.hits[self.tree.end[i]] - self.hits[self.tree.start[i]]


def gather(feed: Feed | None, pages: Sequence[Page], most: int, others: int) -> list[Sample]:
    """Pages with their feed entries, at most so many the
    feed knows, spread over it, and so many others.
    """
    paired = affordable(_paired(feed, pages, most, others))
    samples = [Sample(page, _read_tree(page), entry) for entry, page in paired]
    is_furniture = repeated_texts([sample.tree for sample in samples])
    for sample in samples:
        weigh(sample, is_furniture)
    if feed is not None:
        words = entry_words(feed, [sample.entry for sample in samples if sample.entry])
        for sample in samples:
            if sample.entry:
                target, sample.refrain, sample.signature, sample.pieces, sample.parts = words[sample.entry.url]
                sample.said = sample.entry.html or sample.entry.summary_html
                aim(sample, target)
    return samples


Pair = tuple[Entry | None, Page]


def _paired(feed: Feed | None, pages: Sequence[Page], most: int, others: int) -> list[Pair]:
    """Some pages with their entries, in the order of the feed, then some without one."""
    entries = entries_by_key(feed)
    told: list[tuple[int, Entry, Page]] = []
    untold: list[Pair] = []
    for page in pages:
        found = entry_of(page.url, entries)
        if found:
            told.append((*found, page))
        else:
            untold.append((None, page))
    told.sort(key=lambda one: one[0])
    chosen: list[Pair] = [(entry, page) for _place, entry, page in spread(told, most)]
    return chosen + spread(untold, others)


T = TypeVar("T")
# Two parts of three are taken from the front of a list of pages.
_FRONT_PARTS, _PARTS = 2, 3


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, evenly spread over them."""
    if len(items) <= most:
        return list(items)
    return [items[n * len(items) // most] for n in range(most)]


def first_and_spread(items: Sequence[T], number: int) -> list[T]:
    """Two thirds of that many from the front, the rest spread over all that follow, so that old
    pages count, too.
    """
    if len(items) <= number:
        return list(items)
    first = number * _FRONT_PARTS // _PARTS
    step = (len(items) - first) / (number - first)
    return [*items[:first], *(items[first + int(i * step)] for i in range(number - first))]


def affordable(paired: Sequence[tuple[T, Page]]) -> list[tuple[T, Page]]:
    """The pages without the largest, where all together would take long to learn from.

    At least one.
    """
    left, kept = _MOST_COST, set[int]()
    for cost, n in sorted((_cost(page), n) for n, (_entry, page) in enumerate(paired)):
        left -= cost
        if left >= 0 or not kept:
            kept.add(n)
    return [pair for n, pair in enumerate(paired) if n in kept]


EntriesByKey = dict[str, tuple[int, Entry]]
"""Entries with their places in the feed."""


def _cost(page: Page) -> int:
    """What a page costs to learn from, in characters."""
    return len(page.content) + _TAG_COST * page.content.count(b"<")


def _read_tree(page: Page) -> PageView:
    return PageView(decode(page.content, page.headers)[:_LONGEST_PAGE])


def entries_by_key(feed: Feed | None) -> EntriesByKey:
    """A feed's entries by the key of their address, and by its path where the host may be an older
    name of the blog.
    """
    entries: EntriesByKey = {}
    for n, entry in enumerate(feed.entries if feed else ()):
        key = url_key(entry.url)
        entries.setdefault(key, (n, entry))
        entries.setdefault(_path(key), (n, entry))
    return entries


def entry_of(url: str, entries: EntriesByKey) -> tuple[int, Entry] | None:
    """The entry that speaks of a page, with its place in the feed."""
    key = url_key(url)
    return entries.get(key) or entries.get(_path(key))


def _path(key: str) -> str:
    """The path of a key with its slash; that of a home page belongs to no entry."""
    path = key[key.find("/") :] if "/" in key else ""
    return path if len(path) > 1 else "-"


def weigh(sample: Sample, is_furniture: Callable[[str], bool]) -> None:
    """Let the words that stand on most pages count next to nothing."""
    tree = sample.tree
    weights = [FURNITURE] * len(tree.words)
    for _parent, first, stop, text in tree.texts:
        if not is_furniture(text):
            weights[first:stop] = [1.0] * (stop - first)
    sample.weight = prefix_sums(weights)


def aim(sample: Sample, target: list[str]) -> None:
    """Mark the words of the page that stand in the feed's text in the same company."""
    sample.target, sample.articles = target, None
    sample.hits = prefix_sums(shingle_marks(sample.tree.words, target))


def prefix_sums(values: Iterable[float]) -> list[float]:
    """Sums of everything before each place, so that an interval's sum is a difference."""
    return list(accumulate(values, initial=0.0))


def repeated_texts(views: Sequence[PageView]) -> Callable[[str], bool]:
    """Tells whether a text stands on most of the pages: a page's furniture, not its content."""
    if len(views) < _FEW:
        return lambda _text: False
    pages_with: Counter[str] = Counter()
    for view in views:
        pages_with.update({part.strip() for _p, _f, _s, part in view.texts})
    floor = max(_FEW, _REPEATED * len(views))
    furniture = {text for text, count in pages_with.items() if count >= floor}
    return lambda text: text.strip() in furniture


class EntryWords(NamedTuple):
    """The words of an entry's text: its own, those that
    many entries repeat, and those that nearly all do;
    the pieces of the text without labels, and all in order.
    """

    own: list[str]
    refrain: list[str]
    signature: list[str]
    pieces: frozenset[str]
    parts: list[str]


def entry_words(feed: Feed, entries: Sequence[Entry]) -> dict[str, EntryWords]:
    """The words of some entries' texts without labels and tags, by their addresses."""
    compared = {entry.url: entry for entry in (*entries, *feed.entries[:_COMPARED])}
    texts = {url: _texts_of(entry) for url, entry in compared.items()}
    entries_with: Counter[str] = Counter()
    for parts in texts.values():
        entries_with.update(set(parts))
    many = max(_FEW, len(texts) / 2)
    nearly_all = max(_FEW, _NEARLY_ALL * len(texts))
    found = {}
    for entry in entries:
        parts = texts[entry.url]
        own = [part for part in parts if entries_with[part] < many]
        refrain = [part for part in parts if many <= entries_with[part] < nearly_all]
        signature = [part for part in parts if entries_with[part] >= nearly_all]
        found[entry.url] = EntryWords(
            _own_words(own, entry, feed),
            tokenise(" ".join(refrain)),
            tokenise(" ".join(signature)),
            frozenset(_without_labels(parts, entry)),
            parts if compared[entry.url] is entry else _texts_of(entry),
        )
    return found


def _texts_of(entry: Entry) -> list[str]:
    return html_texts(entry.html or entry.summary_html)


def _own_words(parts: Sequence[str], entry: Entry, feed: Feed) -> list[str]:
    """The words of an entry's own text without its labels; none where it is nothing but labels."""
    words = tokenise(" ".join(_without_labels(parts, entry)))
    if _only_labels(" ".join(parts), entry) or repeats_title(words, entry, feed):
        return []
    return words


def _without_labels(parts: Sequence[str], entry: Entry) -> list[str]:
    names = (entry.title or "", *entry.tags, *_author_names(entry))
    labels = {_key(name) for name in names}
    return [part for part in parts if not _is_label(part, labels)]


def _author_names(entry: Entry) -> list[str]:
    return [author.name for author in entry.authors]


def _key(text: str) -> str:
    """A text without its case and its breaks, for comparison."""
    return " ".join(text.casefold().split())


def _is_label(text: str, labels: set[str]) -> bool:
    """Whether a piece of an entry's text is only its title, its author, a tag or its date."""
    if len(text) > _LONGEST_LABEL:
        return False
    return _key(text) in labels or _is_date(text)


def _only_labels(text: str, entry: Entry) -> bool:
    """Whether an entry's text is but its title, its author and its date in one line."""
    if len(text) > _LONGEST_LABEL:
        return False
    rest = text
    for label in (entry.title or "", *_author_names(entry)):
        rest = rest.strip()
        if label and rest.casefold().startswith(label.casefold()):
            rest = rest[len(label) :]
    if rest == text:
        return False
    return not rest.strip() or _is_date(rest)


def repeats_title(words: Sequence[str], entry: Entry, feed: Feed) -> bool:
    """Whether a text is but the entry's title, in other signs, more than once, or with the names
    beside it.

    It stands in the page's heading, so that it would teach the heading as the article.
    """
    title = tokenise(entry.title or "")
    if not words or not title:
        return False
    names = (entry.title or "", feed.title or "", *entry.tags, *_author_names(entry))
    name_words: set[str] = set()
    for name in names:
        name_words.update(tokenise(name))
    others = sum(word not in name_words for word in words)
    # Most texts say more, which is counted in a fraction of the time that it takes to look for the title.
    return others < ENOUGH_WORDS and 2 * sum(shingle_marks(title, words)) >= len(title)


def _is_date(text: str) -> bool:
    """Whether a text is short, and little but a date stands in it."""
    if len(text) > _SHORT:
        return False
    found = find_dates(text, limit=1)
    if not found:
        return False
    beside = len(text) - (found[0].end - found[0].start)
    return beside <= _SHORT // 2


def html_texts(html: str) -> list[str]:
    """The stripped text nodes of a piece of HTML, in order."""
    body = parse(html[:_LONGEST_PAGE]).body if html else None
    if body is None:
        return []
    texts: list[str] = []
    for node in body.traverse(include_text=True):
        if node.tag != "-text":
            continue
        is_code = node.parent is not None and node.parent.tag in ("script", "style")
        text = (node.text_content or "").strip()
        if text and not is_code:
            texts.append(text)
    return texts
