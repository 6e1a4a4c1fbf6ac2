"""Training material: a page beside what the feed says of it, both freed from what every page or entry repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from blogforever.dates import find_dates
from blogforever.dom import decode, parse, tokenise
from blogforever.learn.pagetree import PageTree, prefix_sums, repeated_texts
from blogforever.model import Entry, Feed, Page
from blogforever.similarity import shingle_marks
from blogforever.urls import url_key

ENOUGH_WORDS = 6  # an entry with fewer words of its own cannot point at its article
_FEW = 3  # below this many entries or pages nothing can be called repeated
_NEARLY_ALL = 0.9
_COMPARED = 20  # entries that are enough to see what a feed repeats
_LONGEST_LABEL = 300
_SHORT = 40  # characters of a line that may be only a date
_MOST_COST = 12_000_000  # in characters, with each tag as costly as `_TAG_COST` of them: about ten seconds
_TAG_COST = 20
_LONGEST_PAGE = 3_000_000  # characters of a page or an entry that are learned from
_FURNITURE = 0.1  # what a word is worth that stands on most pages: enough to prefer the element without it


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
    tree: PageTree
    entry: Entry | None = None
    taught: bool = False  # the entry was made by generic extraction
    target: list[str] = field(default_factory=list)
    refrain: list[str] = field(default_factory=list)  # words of the entry that many entries repeat
    signature: list[str] = field(default_factory=list)  # words that nearly all of them repeat
    weight: list[float] = field(default_factory=list)  # prefix sums: words that are not furniture
    hits: list[float] = field(default_factory=list)  # prefix sums: words the feed has in the same company
    reading: Mapping[str, Any] | None = None  # what generic extraction says, once it was asked
    articles: tuple[FoundEntry, ...] | None = None  # where the target stands, once that was searched

    def weight_of(self, i: int) -> float:
        """Words of element `i` that are not the page's furniture."""
        return self.weight[self.tree.end[i]] - self.weight[self.tree.start[i]]

    def hits_of(self, i: int) -> float:
        """Words of element `i` that the feed has too."""
        return self.hits[self.tree.end[i]] - self.hits[self.tree.start[i]]


def gather(feed: Feed | None, pages: Sequence[Page], most: int, others: int) -> list[Sample]:
    """Pages with their feed entries, at most so many the feed knows, spread over it, and so many others."""
    known = entries_by_key(feed)
    paired = [(entry_of(page.url, known), page) for page in pages]
    told_pages = sorted((pair for pair in paired if pair[0]), key=lambda pair: pair[0][0] if pair[0] else 0)
    paired = [*spread(told_pages, most), *spread([pair for pair in paired if not pair[0]], others)]
    paired = affordable(paired)
    samples = [Sample(page, _read_tree(page), told[1] if told else None) for told, page in paired]
    furniture = repeated_texts([sample.tree for sample in samples])
    targets = entry_words(feed, [sample.entry for sample in samples if sample.entry]) if feed else {}
    for sample in samples:
        weigh(sample, furniture)
        if sample.entry:
            target, sample.refrain, sample.signature = targets[sample.entry.url]
            aim(sample, target)
    return samples


T = TypeVar("T")


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most so many of the items, evenly spread over them."""
    if len(items) <= most:
        return list(items)
    return [items[n * len(items) // most] for n in range(most)]


def affordable(paired: Sequence[tuple[T, Page]]) -> list[tuple[T, Page]]:
    """The pages without the largest, where all together would take long to learn from; at least one."""
    left, kept = _MOST_COST, set[int]()
    for cost, n in sorted((_cost(page), n) for n, (_told, page) in enumerate(paired)):
        left -= cost
        if left >= 0 or not kept:
            kept.add(n)
    return [pair for n, pair in enumerate(paired) if n in kept]


def _cost(page: Page) -> int:
    return len(page.content) + _TAG_COST * page.content.count(b"<")


def _read_tree(page: Page) -> PageTree:
    return PageTree(parse(decode(page.content, page.headers)[:_LONGEST_PAGE]))


Known = dict[str, tuple[int, Entry]]


def entries_by_key(feed: Feed | None) -> Known:
    """A feed's entries by the key of their address, and by its path where the host may be an older name of the blog."""
    known: Known = {}
    for n, entry in enumerate(feed.entries if feed else ()):
        key = url_key(entry.url)
        known.setdefault(key, (n, entry))
        known.setdefault(_path(key), (n, entry))
    return known


def entry_of(url: str, known: Known) -> tuple[int, Entry] | None:
    """The entry that speaks of a page, with its place in the feed."""
    key = url_key(url)
    return known.get(key) or known.get(_path(key))


def _path(key: str) -> str:
    """The path of a key with its slash; that of a home page belongs to no entry."""
    path = key[key.find("/") :] if "/" in key else ""
    return path if len(path) > 1 else "-"


def weigh(sample: Sample, furniture: Callable[[str], bool]) -> None:
    """Let the words that stand on most pages count nothing."""
    tree = sample.tree
    weights = [_FURNITURE] * len(tree.words)
    for _parent, first, stop, text in tree.texts:
        if not furniture(text):
            weights[first:stop] = [1.0] * (stop - first)
    sample.weight = prefix_sums(weights)


def aim(sample: Sample, target: list[str]) -> None:
    """Mark the words of the page that stand in the feed's text in the same company."""
    sample.target, sample.articles = target, None
    sample.hits = prefix_sums(shingle_marks(sample.tree.words, target))


def entry_words(feed: Feed, entries: Sequence[Entry]) -> dict[str, tuple[list[str], list[str], list[str]]]:
    """The words of some entries' texts without labels and tags: of their own, repeated by many, by nearly all."""
    told = {entry.url: entry for entry in (*entries, *feed.entries[:_COMPARED])}
    texts = {url: html_texts(entry.html or entry.summary_html) for url, entry in told.items()}
    common = Counter(part for parts in texts.values() for part in set(parts))
    floor = max(_FEW, len(texts) / 2)
    found = {}
    for entry in entries:
        kept = [part for part in texts[entry.url] if common[part] < floor]
        labels = {_key(name) for name in (entry.title or "", *entry.tags, *(author.name for author in entry.authors))}
        own = tokenise(" ".join(part for part in kept if not _is_label(part, labels)))
        if _only_labels(" ".join(kept), entry) or repeats_title(own, entry, feed):
            own = []
        again = [part for part in texts[entry.url] if common[part] >= floor]
        everywhere = max(_FEW, _NEARLY_ALL * len(texts))
        refrain = tokenise(" ".join(part for part in again if common[part] < everywhere))
        found[entry.url] = own, refrain, tokenise(" ".join(part for part in again if common[part] >= everywhere))
    return found


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _is_label(text: str, labels: set[str]) -> bool:
    """Whether a piece of an entry's text is only its title, its author, a tag or its date."""
    return len(text) <= _LONGEST_LABEL and (_key(text) in labels or (len(text) <= _SHORT and _is_date(text)))


def _only_labels(text: str, entry: Entry) -> bool:
    """Whether an entry's text is but its title, its author and its date in one line."""
    if len(text) > _LONGEST_LABEL:
        return False
    rest = text
    for label in (entry.title or "", *(author.name for author in entry.authors)):
        rest = rest.strip()
        if label and rest.casefold().startswith(label.casefold()):
            rest = rest[len(label) :]
    return rest != text and (not rest.strip() or (len(rest) <= _SHORT and _is_date(rest)))


def repeats_title(words: Sequence[str], entry: Entry, feed: Feed) -> bool:
    """Whether a text is but the entry's title, in other signs, more than once, or with the names beside it.

    It stands in the page's heading, so that it would teach the heading as the article.
    """
    names = (entry.title or "", feed.title or "", *entry.tags, *(author.name for author in entry.authors))
    known = {word for name in names for word in tokenise(name)}
    title = tokenise(entry.title or "")
    if not words or not title or 2 * sum(shingle_marks(title, words)) < len(title):
        return False
    return sum(word not in known for word in words) < ENOUGH_WORDS


def _is_date(text: str) -> bool:
    """Whether little but a date stands in a short text."""
    found = find_dates(text, limit=1)
    return bool(found) and len(text) - (found[0].end - found[0].start) <= _SHORT // 2


def html_texts(html: str) -> list[str]:
    """The stripped text nodes of a piece of HTML, in order."""
    body = parse(html[:_LONGEST_PAGE]).body if html else None
    if body is None:
        return []
    unread = ("script", "style")
    found = (
        (node.text_content or "").strip()
        for node in body.traverse(include_text=True)
        if node.tag == "-text" and (node.parent is None or node.parent.tag not in unread)
    )
    return [text for text in found if text]
