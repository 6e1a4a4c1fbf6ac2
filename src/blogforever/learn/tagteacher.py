"""A stand-in for the feed's categories where it has none, or tells of a part: what pages say they are filed under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from blogforever.dom import tokenise
from blogforever.extract.byline import is_filing_link
from blogforever.learn.samples import Sample
from blogforever.learn.teacher import read_page

# With fewer pages nobody can tell what all of them show.
_FEW = 3
# Pages, and share of them, that must show more than the feed tells.
_FEWEST_MORE, _MANY = 2, 0.25
# Share of those whose list must hold what the feed tells, and more: only then it is known that the list is the post's
# own, and the feed's a part of it.
_NEARLY_ALL = 0.8


def teach_tags(samples: Sequence[Sample]) -> None:
    """Give pages whose feed files its entries under nothing what they are filed under on the page.

    Several names that are the same on all of them are a list of the blog's.
    """
    shown = [_filed_under(sample) for sample in samples]
    is_list = len(samples) >= _FEW and len(set(shown)) == 1 and len(shown[0]) > 1
    for sample, names in zip(samples, shown, strict=True):
        if sample.entry and not is_list:
            sample.entry = replace(sample.entry, tags=names)


def showing_more(tagged: Sequence[Sample]) -> list[Sample]:
    """The pages that link to tags which the feed has not, beside those that stand on all of them; none if they are few.

    A quick look, by which most blogs are spared the slow one.
    """
    if len(tagged) < _FEW:
        return []
    linked = [_linked(sample) for sample in tagged]
    everywhere = reduce(and_, linked)  # as often as it stands on each: a list of all tags is on every page
    more = [s for s, names in zip(tagged, linked, strict=True) if (names - everywhere).keys() - _told(s)]
    return more if len(more) >= max(_FEWEST_MORE, _MANY * len(tagged)) else []


def teach_further_tags(tagged: Sequence[Sample], asked: Sequence[Sample]) -> None:
    """Let pages that show all tags of their feed, and further ones, say what they are filed under.

    Many feeds tell of categories only. Pages that were not asked teach no tags: they would speak against the others.
    """
    shown = {id(sample): _filed_under(sample) for sample in asked}
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


def _linked(sample: Sample) -> Counter[str]:
    """What the links of a page to lists of posts are called, and how often."""
    page = sample.tree
    links = (i for i, tag in enumerate(page.tags) if tag == "a" and is_filing_link(page, i))
    return Counter(" ".join(tokenise(page.line(i))) for i in links)


def _told(sample: Sample) -> set[str]:
    """What the feed files a page under."""
    return _keys(sample.entry.tags if sample.entry else ())


def _keys(names: Sequence[str]) -> set[str]:
    return {" ".join(tokenise(name)) for name in names} - {""}
