"""One page's article with the sums needed to judge its parts against the feed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise

from blogforever.dates import find_dates, same_day
from blogforever.dom import tokenise
from blogforever.extract.signing import SIGNING, dates_only, signs_only
from blogforever.learn.samples import Sample, prefix_sums
from blogforever.model import Entry
from blogforever.similarity import shingle_marks
from blogforever.urls import join, same_site

_DIGIT = re.compile(r"\d")


@dataclass
class View:
    """An article on a page; `told` where the feed has the whole of its text."""

    sample: Sample
    place: int
    told: bool
    kept: list[float]
    linked: list[float]
    led: list[float]
    """Sums of the words in links to the blog itself, furniture left out."""
    filed: list[float]
    """Sums of the words in links that are called what the post is filed under."""
    signed: list[float]
    """Sums of the words in texts that only say when the post was written or by whom, furniture left out."""

    def hits(self, i: int) -> float:
        """Words of element `i` that stand in the feed."""
        return self.kept[self.sample.tree.end[i]] - self.kept[self.sample.tree.start[i]]

    def hits_from(self, i: int) -> float:
        """Words in the feed from element `i` to the end of the article."""
        tree = self.sample.tree
        return self.kept[tree.end[self.place]] - self.kept[tree.start[i]]

    def hits_to(self, i: int) -> float:
        """Words in the feed from the beginning of the article through element `i`."""
        tree = self.sample.tree
        return self.kept[tree.end[i]] - self.kept[tree.start[self.place]]

    def words_from(self, i: int) -> int:
        """Words from element `i` to the end of the article."""
        return self.sample.tree.end[self.place] - self.sample.tree.start[i]

    def words_to(self, i: int) -> int:
        """Words from the beginning of the article through element `i`."""
        return self.sample.tree.end[i] - self.sample.tree.start[self.place]

    def links(self, i: int) -> float:
        """Words of element `i` that are links."""
        return self._of(self.linked, i)

    def leading(self, i: int) -> float:
        """Words of element `i` that are links to the blog itself, and stand on few pages."""
        return self._of(self.led, i)

    def filing(self, i: int) -> float:
        """Words of element `i` in links that are called as one of the post's tags is."""
        return self._of(self.filed, i)

    def signing(self, i: int) -> float:
        """Words of element `i` that only say when the post was written or by whom, and stand on few
        pages.
        """
        return self._of(self.signed, i)

    def _of(self, sums: Sequence[float], i: int) -> float:
        return sums[self.sample.tree.end[i]] - sums[self.sample.tree.start[i]]


def _kept(sample: Sample, place: int, links: Sequence[float]) -> list[float]:
    """Sums of the words the feed has.

    A refrain of many posts is their author's, and so is a signature of nearly all, which feed and
    page both have. Only the links that follow every article are put there by the blog.
    """
    if not (sample.refrain or sample.signature):
        return sample.hits
    words, first, stop = sample.tree.words, sample.tree.start[place], sample.tree.end[place]
    own = [after - before for before, after in pairwise(sample.hits)]
    last = bisect_left(sample.hits, sample.hits[stop], first, stop)
    refrain = shingle_marks(words, sample.refrain)
    told = [
        max(pair) for pair in zip(shingle_marks(words, sample.signature), _whole_pieces(sample, place), strict=True)
    ]
    closing = [mark * (1 - linked) for mark, linked in zip(told[last:], links[last:], strict=True)]
    return prefix_sums(map(max, own, refrain, [*told[:last], *closing]))


def _whole_pieces(sample: Sample, place: int) -> list[float]:
    """1 for each word of the pieces of text that entry and page have: beside what entries repeat, a
    heading or a cell of a word or two has no company to be known by.
    """
    tree = sample.tree
    marks = [0.0] * len(tree.words)
    for _parent, first, stop, text in tree.pieces_between(tree.start[place], tree.end[place]):
        if text.strip() in sample.pieces:
            marks[first:stop] = [1.0] * (stop - first)
    return marks


def view_of(sample: Sample, place: int, *, told: bool) -> View:
    """A page's article beside the entry's words; `told` where the feed has the whole text."""
    tree = sample.tree
    tags = {tuple(tokenise(tag)) for tag in (sample.entry.tags if sample.entry else ())}
    links, led, filed = ([0.0] * len(tree.words) for _ in range(3))
    for i in chain(tree.ancestors(place), range(place, tree.last[place])):
        if tree.tags[i] != "a" or not tree.count(i):
            continue
        words = slice(tree.start[i], tree.end[i])
        links[words] = [1.0] * tree.count(i)
        if _leads_home(tree.attribute(i, "href"), sample.page.url):
            led[words] = [after - before for before, after in pairwise(sample.weight[words.start : words.stop + 1])]
        if tuple(tree.words[words]) in tags:
            filed[words] = links[words]
    kept = _kept(sample, place, links) if told else [0.0] * (len(tree.words) + 1)
    signed = prefix_sums(_signed(sample, place, led))
    return View(sample, place, told, kept, prefix_sums(links), prefix_sums(led), prefix_sums(filed), signed)


def _signed(sample: Sample, place: int, led: Sequence[float]) -> list[float]:
    """The weights of the words in texts that are but the entry's day or its author's name.

    Those in links to the blog itself are known by that; a feed with whole texts knows all of them.
    """
    tree, entry = sample.tree, sample.entry
    marks = [0.0] * len(tree.words)
    if entry is None or not sample.taught:
        return marks
    signing = SIGNING.union(*(tokenise(author.name) for author in entry.authors))
    for _parent, first, stop, text in tree.pieces_between(tree.start[place], tree.end[place]):
        is_name_or_day = signs_only(text.strip(), signing) or _is_day(text.strip(), entry, signing)
        if not led[first] and is_name_or_day:
            marks[first:stop] = [after - before for before, after in pairwise(sample.weight[first : stop + 1])]
    return marks


def _is_day(text: str, entry: Entry, signing: Set[str]) -> bool:
    """Whether a text is the day of the entry, with words that sign it."""
    if entry.published is None or not _DIGIT.search(text) or not dates_only(text, signing):
        return False
    return any(same_day(found.moment, entry.published) for found in find_dates(text, limit=1))


def _leads_home(href: str, url: str) -> bool:
    """Whether a link leads to the blog it stands in, or to another place of its page."""
    return href.startswith("#") or same_site(join(url, href) or "", url)
