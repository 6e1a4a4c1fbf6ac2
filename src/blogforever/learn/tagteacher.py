"""A stand-in for the feed's categories where it has none, or tells of a part: what pages say they are filed under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import zip_longest
from operator import and_

from blogforever.dom import tokenise
from blogforever.extract.filedunder import is_filing_link
from blogforever.learn.samples import Sample
from blogforever.learn.sharedlinks import shared_names
from blogforever.learn.teacher import read_page

# With fewer pages nobody can tell what all of them show.
_FEW = 3
# Pages, and share of them, that must show more than the feed tells.
_FEWEST_MORE, _MANY = 2, 0.25
# Share of those whose list must hold what the feed tells, and more: only then it is known that the
# list is the post's own, and the feed's a part of it.
_NEARLY_ALL = 0.8


def teach_tags(samples: Sequence[Sample], asked: int) -> None:
    """Give pages whose feed files its entries under nothing what they are filed under on the page.

    So many of them are asked one by one; several names that are the same on all of these are a list
    of the blog's. All pages together may show more.
    """
    common = _everywhere(samples)
    shown = [_without(_filed_under(sample), sample, common) for sample in samples[:asked]]
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


def showing_more(tagged: Sequence[Sample]) -> list[Sample]:
    """The pages that link to tags which the feed has not, beside those that stand on all of them;
    none if they are few.

    A quick look, by which most blogs are spared the slow one.
    """
    if len(tagged) < _FEW:
        return []
    everywhere = _everywhere(tagged)
    more = [sample for sample in tagged if (_linked(sample) - everywhere).keys() - _told(sample)]
    return more if len(more) >= max(_FEWEST_MORE, _MANY * len(tagged)) else []


def teach_further_tags(tagged: Sequence[Sample], asked: Sequence[Sample]) -> None:
    """Let pages that show all tags of their feed, and further ones, say what they are filed under.

    Many feeds tell of categories only. Pages that were not asked teach no tags: they would speak
    against the others.
    """
    common = _everywhere(tagged)
    shown = {id(sample): _without(_filed_under(sample), sample, common) for sample in asked}
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


def _everywhere(samples: Sequence[Sample]) -> Counter[str]:
    """The links to lists of posts that all pages have, each as often as it stands on each: a list
    of the blog's tags is on every page.
    """
    return reduce(and_, map(_linked, samples)) if len(samples) >= _FEW else Counter()


def _without(names: Sequence[str], sample: Sample, common: Counter[str]) -> tuple[str, ...]:
    """What a page is filed under without what all pages link to, where it links to that no more
    often than they do.

    A single name may be that of all posts.
    """
    if len(common) < 2:
        return tuple(names)
    own = (_linked(sample) - common).keys()
    return tuple(name for name in names if (key := " ".join(tokenise(name))) in own or key not in common)


def _linked(sample: Sample) -> Counter[str]:
    """What the links of a page to lists of posts are called, and how often."""
    if sample.lists_linked is None:
        page = sample.tree
        links = (i for i, tag in enumerate(page.tags) if tag == "a" and is_filing_link(page, i))
        sample.lists_linked = Counter(" ".join(tokenise(page.line(i))) for i in links)
    return sample.lists_linked


def _told(sample: Sample) -> set[str]:
    """What the feed files a page under."""
    return _keys(sample.entry.tags if sample.entry else ())


def _keys(names: Sequence[str]) -> set[str]:
    return {" ".join(tokenise(name)) for name in names} - {""}
