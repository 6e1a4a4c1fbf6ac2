"""Categories that only all pages together show: links in one place that lead to the same few lists,
and differ from post to post.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from blogforever.elements import HEADINGS
from blogforever.extract.filedunder import is_filing_link
from blogforever.extract.filing import Filing
from blogforever.learn.article import find_articles
from blogforever.learn.candidates import lasting
from blogforever.learn.samples import Sample
from blogforever.learn.urlpattern import other_kind
from blogforever.page.view import PageView
from blogforever.urls import join, page_key, same_site

# With fewer pages nobody can tell what takes turns.
_FEWEST_PAGES = 3
# Words of a name, and of all names of a place in the mean: titles of other posts are longer.
_LONGEST, _MEAN = 5, 3.0
# Words between a link and the article.
_NEAR = 60
# Elements around a link that say where it stands.
_LEVELS = 3
# Elements between a heading and its link.
_TITLE_LEVELS = 2
# Links of a page that are looked at, and names of one post: more are a cloud of the whole blog.
_MOST_LINKS, _MOST_NAMES = 1000, 10
# Share of the pages that have such links.
_MOST_PAGES = 0.5
# Share of the links that lead where those of another page do, where they are called tags, and
# elsewhere.
_SOME, _MANY = 0.15, 0.3

_Place = tuple[tuple[str, ...], ...]
"""The link and the elements around it, each by its tag and its lasting names, and whether it stands
above the text.
"""


@dataclass
class _TurningLinks:
    """The links that stand in one place: for each page what they are called, by where they lead.

    `are_called` says that all of them are called tags or lead where blogs keep such lists.
    """

    are_called: bool = True
    by_page: defaultdict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    near: set[tuple[int, str]] = field(default_factory=set)
    """Page and address of those that stand near the article."""
    lines: defaultdict[int, set[int | None]] = field(default_factory=lambda: defaultdict(set))
    """The dated lines of each page in which they stand."""
    cards: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The boxes of each page in which they stand beside the title of another post."""

    @property
    def may_be_readers(self) -> bool:
        """Whether a page has several lines with a date and such a link: a post was written once, comments are many."""
        return not self.are_called and any(len(lines) > 1 for lines in self.lines.values())

    @property
    def are_of_others(self) -> bool:
        """Whether they file the posts before and after: a page has several boxes with a title and such a link."""
        return any(len(cards) > 1 for cards in self.cards.values())


def shared_names(samples: Sequence[Sample]) -> list[tuple[str, ...]]:
    """What each page is filed under by links that take turns over the pages; nothing where none do."""
    none: list[tuple[str, ...]] = [()] * len(samples)
    if len(samples) < _FEWEST_PAGES:
        return none
    places = _by_place(samples)
    posts = {page_key(sample.page.url) for sample in samples}
    people = _people(samples)
    found = none
    for links in places.values():
        if links.may_be_readers or links.are_of_others:
            continue
        differing = _without_people(_without_common(links, len(samples)), people)
        is_of_posts = any(not posts.isdisjoint(names) for names in differing.values())
        if not is_of_posts and _take_turns(differing, len(samples), _SOME if links.are_called else _MANY):
            found = [(*names, *differing.get(n, {}).values()) for n, names in enumerate(found)]
    return [tuple(dict.fromkeys(names)) for names in found]


def _by_place(samples: Sequence[Sample]) -> dict[_Place, _TurningLinks]:
    """The links of all pages that may be of categories, by where they stand."""
    places: defaultdict[_Place, _TurningLinks] = defaultdict(_TurningLinks)
    for n, sample in enumerate(samples):
        page = sample.tree
        filing = Filing(page)
        candidates = list(_candidates(sample, filing))
        titles = list(_titles_of_others(sample, {address for _link, address in candidates}))
        for i, address in candidates:
            links = places[_place(sample, i)]
            links.lines[n].add(filing.dated_line(i))
            links.cards[n].update(_card(page, titles, i))
            links.are_called &= is_filing_link(page, i)
            links.by_page[n][address] = page.line(i).lstrip("#＃/ ")
            if _is_near(sample, i):
                links.near.add((n, address))
    return places


def _candidates(sample: Sample, filing: Filing) -> Iterator[tuple[int, str]]:
    """The short links that are called a tag, stand beside a date, in a list below a word like "Tags"
    or in a line of links behind any word, and where they lead; a month of the blog, as the way to a
    post has it, files nothing.
    """
    page, url = sample.tree, sample.page.url
    own = page_key(url)
    links = [i for i, tag in enumerate(page.tags) if tag == "a" and 0 < page.count(i) <= _LONGEST]
    for i in links[:_MOST_LINKS]:
        if any(map(str.isdigit, page.line(i))):
            continue
        target = join(url, page.attribute(i, "href"))
        if not target or page_key(target) == own or not _may_file(url, target):
            continue
        if is_filing_link(page, i) or _stands_with_others(filing, i):
            yield i, page_key(target)


def _titles_of_others(sample: Sample, filed: Container[str]) -> Iterator[int]:
    """The links in headings, and around them, that lead to other pages of the blog than those that file posts."""
    page, url = sample.tree, sample.page.url
    own = page_key(url)
    for i in (i for i, tag in enumerate(page.tags) if tag in HEADINGS or tag == "a"):
        around = (i, *page.around(i, _TITLE_LEVELS))
        tags = [page.tags[n] for n in around]
        if "a" not in tags or HEADINGS.isdisjoint(tags):
            continue
        target = join(url, page.attribute(around[tags.index("a")], "href"))
        if target and same_site(url, target) and page_key(target) != own and page_key(target) not in filed:
            yield i


def _card(page: PageView, titles: Sequence[int], i: int) -> Iterator[int]:
    """The nearest box around a link, if any, that holds a title, too."""
    for around in page.around(i, _LEVELS):
        place = bisect(titles, around)
        if place < len(titles) and titles[place] < page.last[around]:
            yield around
            return


def _stands_with_others(filing: Filing, i: int) -> bool:
    """Whether a link stands where tags do: beside a date, in a list below a label or in a line behind one."""
    return filing.is_beside_date(i) or filing.is_in_labelled_list(i) or filing.is_in_line_of_links(i)


def _may_file(url: str, target: str) -> bool:
    """Whether a link may lead to a category: to a place on the blog that is none of its years, months and days."""
    return same_site(url, target) and other_kind(target) != "date"


def _is_near(sample: Sample, i: int) -> bool:
    """Whether a link stands in the article's element or not far from it."""
    page = sample.tree
    for article in find_articles(sample)[:1]:
        start, end = page.start[article.place], page.end[article.place]
        return max(start - page.end[i], page.start[i] - end) <= _NEAR
    return False


def _place(sample: Sample, i: int) -> _Place:
    page = sample.tree
    is_above = any(i < article.place for article in find_articles(sample)[:1])
    around = (i, *page.around(i, _LEVELS))
    names = tuple((page.tags[n], *filter(lasting, page.classes(n))) for n in around)
    return (("above",), *names) if is_above else names


def _without_common(links: _TurningLinks, pages: int) -> dict[int, dict[str, str]]:
    """The links near the article without those that stand on all pages: the home page, a menu, a
    list of all tags.
    """
    counts = _counts(links.by_page)
    own = _leading_elsewhere(links.by_page)
    kept: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for n, address in sorted(links.near):
        name = links.by_page[n][address]
        if counts[address] < pages and name not in own:
            kept[n][address] = name
    return kept


def _leading_elsewhere(by_page: Mapping[int, Mapping[str, str]]) -> set[str]:
    """The names that lead somewhere else on each of several pages, as "rss" does to the comments of each post."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for links in by_page.values():
        for address, name in links.items():
            places[name].append(address)
    return {name for name, led in places.items() if 1 < len(led) == len(set(led))}


def _people(samples: Sequence[Sample]) -> set[str]:
    """The names of all authors of the pages, for comparison."""
    authors = (author for sample in samples if sample.entry for author in sample.entry.authors)
    return {author.name.casefold() for author in authors}


def _without_people(by_page: Mapping[int, Mapping[str, str]], people: Container[str]) -> dict[int, dict[str, str]]:
    """The links without those that are called as an author is: who wrote takes turns, too."""
    kept: dict[int, dict[str, str]] = {}
    for n, links in by_page.items():
        others = {to: name for to, name in links.items() if name.casefold() not in people}
        if others:
            kept[n] = others
    return kept


def _take_turns(by_page: Mapping[int, Mapping[str, str]], pages: int, share: float) -> bool:
    """Whether most pages have a few of the links, short ones, and such a share of them lead where
    those of other pages do.
    """
    if len(by_page) < max(_FEWEST_PAGES, _MOST_PAGES * pages) or not _are_few_and_short(by_page):
        return False
    counts = _counts(by_page)
    again = sum(count for count in counts.values() if count > 1)
    return len(counts) > 1 and again >= share * counts.total()


def _are_few_and_short(by_page: Mapping[int, Mapping[str, str]]) -> bool:
    """Whether no page has many of the links, and they are called by few words in the mean."""
    names = [name for links in by_page.values() for name in links.values()]
    is_short = sum(len(name.split()) for name in names) <= _MEAN * len(names)
    return is_short and max(map(len, by_page.values())) <= _MOST_NAMES


def _counts(by_page: Mapping[int, Mapping[str, str]]) -> Counter[str]:
    """On how many pages a link leads to each address."""
    return Counter(address for links in by_page.values() for address in links)


__all__ = ["shared_names"]
