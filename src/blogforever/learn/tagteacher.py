"""A stand-in for the feed's categories where it has none, or tells of a part: what pages say they are filed under."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import reduce
from itertools import zip_longest
from operator import and_

from blogforever.dom import tokenise
from blogforever.extract.filedunder import MOST_TAGS, is_filing_link
from blogforever.learn.samples import Sample
from blogforever.learn.sharedlinks import shared_names
from blogforever.learn.teacher import read_page
from blogforever.page.view import PageView

# With fewer pages nobody can tell what all of them show.
_FEW = 3
# Pages, and share of them, that must show more than the feed tells.
_FEWEST_MORE, _MANY = 2, 0.25
# Share of those whose list must hold what the feed tells, and more: only then it is known that the
# list is the post's own, and the feed's a part of it.
_NEARLY_ALL = 0.8
# Elements around one link of a row or list: an item, a mark in it.
_ITEM_LEVELS = 3
_ITEMS = frozenset({"li", "dd", "td"})


def teach_tags(samples: Sequence[Sample], asked: int) -> None:
    """Give pages whose feed files its entries under nothing what they are filed under on the page.

    So many of them are asked one by one, those that show most; several names that are the same on
    all of these are a list of the blog's. All pages together may show more.
    """
    blogs = _lists_everywhere(samples)
    samples = sorted(samples, key=lambda sample: -_told_by_page(sample, blogs))
    shown = [_without(_filed_under(sample), sample, blogs) for sample in samples[:asked]]
    is_list = len(shown) >= _FEW and len(set(shown)) == 1 and len(shown[0]) > 1
    together = shared_names(samples)
    if is_list:
        shown = []
    elif any(shown):
        # Pages that were not asked would speak against the others.
        together = together[:asked]
    for sample, own, names in zip_longest(samples[: len(together)], shown, together, fillvalue=()):
        if isinstance(sample, Sample) and sample.entry:
            sample.entry = replace(sample.entry, tags=tuple(dict.fromkeys((*own, *names))))


def complete_tags(tagged: Sequence[Sample], taught: Sequence[Sample]) -> None:
    """Let the few pages that the feed files say the rest of what they are filed under, where pages taught others.

    A feed of one entry that tells its category alone would speak against the tags that all others show.
    """
    if not any(sample.entry and sample.entry.tags for sample in taught):
        return
    blogs = _lists_everywhere([*tagged, *taught])
    for sample in tagged:
        shown = _without(_filed_under(sample), sample, blogs)
        if sample.entry and _told(sample) < _keys(shown):
            sample.entry = replace(sample.entry, tags=shown)


def showing_more(tagged: Sequence[Sample]) -> list[Sample]:
    """The pages that link to tags which the feed has not, beside those that stand on all of them;
    none if they are few.

    A quick look, by which most blogs are spared the slow one.
    """
    if len(tagged) < _FEW:
        return []
    everywhere = reduce(and_, map(_linked, tagged))
    more = [sample for sample in tagged if (_linked(sample) - everywhere).keys() - _told(sample)]
    return more if len(more) >= max(_FEWEST_MORE, _MANY * len(tagged)) else []


def teach_further_tags(tagged: Sequence[Sample], asked: Sequence[Sample]) -> None:
    """Let pages that show all tags of their feed, and further ones, say what they are filed under.

    Many feeds tell of categories only. Pages that were not asked teach no tags: they would speak
    against the others.
    """
    blogs = _lists_everywhere(tagged)
    shown = {id(sample): _without(_filed_under(sample), sample, blogs) for sample in asked}
    fuller = sum(_told(sample) < _keys(shown[id(sample)]) for sample in asked)
    if fuller < _NEARLY_ALL * len(asked):
        return
    for sample in tagged:
        if sample.entry:
            sample.entry = replace(sample.entry, tags=shown.get(id(sample), ()))


def _filed_under(sample: Sample) -> tuple[str, ...]:
    """What generic extraction says a page is filed under."""
    reading = read_page(sample)
    return tuple(dict.fromkeys((*reading.get("tags", ()), *reading.get("categories", ()))))


def _lists_everywhere(samples: Sequence[Sample]) -> set[frozenset[str]]:
    """The rows and lists of several links to lists of posts that are the same on all pages: they
    are the blog's.
    """
    if len(samples) < _FEW:
        return set()
    on_each = ({frozenset(names) for names in _lists(sample)} for sample in samples)
    return {names for names in reduce(and_, on_each) if len(names) > 1}


def _without(names: Sequence[str], sample: Sample, blogs: Set[frozenset[str]]) -> tuple[str, ...]:
    """What a page is filed under without what it links to in the blog's own lists alone.

    A name that all posts have stands among others that differ, or for itself.
    """
    of_blog: set[str] = set()
    of_post: set[str] = set()
    for linked in _lists(sample):
        (of_blog if frozenset(linked) in blogs else of_post).update(linked)
    return tuple(name for name in names if " ".join(tokenise(name)) not in of_blog - of_post)


def _told_by_page(sample: Sample, blogs: Set[frozenset[str]]) -> int:
    """How many names a page links to beside the blog's own lists; none where they are so many that
    they may be one of these.
    """
    own = sum(len(names) for names in _lists(sample) if frozenset(names) not in blogs)
    return own if own <= MOST_TAGS else 0


def _linked(sample: Sample) -> Counter[str]:
    """What the links of a page to lists of posts are called, and how often."""
    return Counter(name for names in _lists(sample) for name in names)


def _lists(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """What the links of a page to lists of posts are called, those of each row or list together."""
    if sample.lists_linked is None:
        page = sample.tree
        rows: defaultdict[int, list[str]] = defaultdict(list)
        for i, tag in enumerate(page.tags):
            if tag == "a" and is_filing_link(page, i):
                rows[_row_of(page, i)].append(" ".join(tokenise(page.line(i))))
        sample.lists_linked = tuple(map(tuple, rows.values()))
    return sample.lists_linked


def _row_of(page: PageView, link: int) -> int:
    """The element that holds a link and others: what surrounds the link alone, or with a number, is
    its item.
    """
    row = link
    for around in page.around(link, _ITEM_LEVELS):
        row = around
        if page.count(around) > page.count(link) and page.tags[around] not in _ITEMS:
            break
    return row


def _told(sample: Sample) -> set[str]:
    """What the feed files a page under."""
    return _keys(sample.entry.tags if sample.entry else ())


def _keys(names: Sequence[str]) -> set[str]:
    return {" ".join(tokenise(name)) for name in names} - {""}
