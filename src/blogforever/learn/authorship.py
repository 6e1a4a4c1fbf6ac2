"""Who writes a blog: whether its entries or its pages name the authors, and the one person where there is but one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from blogforever.dom import tokenise
from blogforever.extract.margin import author_in_margin
from blogforever.extract.names import is_placeholder
from blogforever.learn.article import find_articles
from blogforever.learn.samples import Sample
from blogforever.learn.teacher import read_page, teach_authors
from blogforever.learn.turns import names_in_turn
from blogforever.model import Author, Entry, Feed, Template
from blogforever.page.view import PageView

# Pages that generic extraction, which is slow, is asked for authors.
_MOST_TAUGHT = 5
# Pages whose margins are asked, and share of them that must name somebody.
_MOST_ASKED, _NEARLY_ALL = 10, 0.8
# With fewer pages whose authors the feed names, nothing is learned from it alone.
_FEWEST_NAMED = 3
# Pages that lack the name of who signs another one, and of how many one must: single ones are made otherwise.
_FEWEST_LACKING, _LACKING_IN = 2, 4
# Elements around a name that may be called as lines about posts are.
_LEVELS = 3
# Words between the line that signs a post and its text.
_NEAR = 60
# Entries by one author make a blog of one author, whatever its pages show.
_SEVERAL = 5

_Names = tuple[str, ...]
"""The words of a name, for comparison."""


def own_authors(told: Sequence[Sample], feed: Feed | None) -> None:
    """Where the feed names no post's author, or only the blog's own name, let the pages say who
    wrote them.
    """
    if feed is not None and _names_authors(feed):
        named = [sample for sample in told if sample.entry and sample.entry.authors]
        if len(named) < len(told):
            _ask_margins(told)
        if 0 < len(named) < min(_FEWEST_NAMED, len(told)):
            _let_others_say(named, [sample for sample in told if sample not in named])
        return
    _forget_authors(told)
    _let_pages_say(told)


def _let_pages_say(told: Sequence[Sample]) -> None:
    """Let what generic extraction reads say who wrote the pages; where it reads too little, or the
    same name everywhere, the places where all of them show names.
    """
    already_read = [sample for sample in told[_MOST_TAUGHT:] if sample.reading is not None]
    asked = [*told[:_MOST_TAUGHT], *already_read]
    for sample in asked:
        teach_authors(sample)
    named = sum(bool(sample.entry and sample.entry.authors) for sample in asked)
    # A name here and there is somebody the posts speak of.
    if 2 * named < len(asked):
        _forget_authors(asked)
        _ask_margins(told)
        names_in_turn(told)
    elif owner := _owner(asked):
        names_in_turn(told, owner)


def _let_others_say(named: Sequence[Sample], others: Sequence[Sample]) -> None:
    """Where the feed names the authors of too few pages to learn from, let the others say who wrote
    them, by what finds on those few whom the feed names.
    """
    if all(_names(read_page(sample).get("authors", ())) == _names(_authors(sample)) for sample in named):
        for sample in others[:_MOST_TAUGHT]:
            teach_authors(sample)
    else:
        names_in_turn([*named, *others])


def _authors(sample: Sample) -> Sequence[Author]:
    return sample.entry.authors if sample.entry else ()


def _owner(asked: Sequence[Sample]) -> str | None:
    """The one person whom all pages name: by their heads, perhaps, which may say no more than whose
    blog it is.
    """
    names = {_single(sample.entry.authors) for sample in asked if sample.entry and sample.entry.authors}
    return names.pop() if len(names) == 1 else None


def _ask_margins(told: Sequence[Sample]) -> None:
    """Let the margins say who wrote the pages, where nearly all of them name somebody, and not all
    the same: and nobody else than the feed, where that names some.
    """
    named = _named_in_margins(told[:_MOST_ASKED])
    if len({author.name for _sample, author in named}) <= 1:
        return
    for sample, author in named:
        if sample.entry and not sample.entry.authors:
            sample.entry = replace(sample.entry, authors=(author,))


def _named_in_margins(asked: Sequence[Sample]) -> list[tuple[Sample, Author]]:
    """The pages whose margins name somebody; none where that cannot be nearly all: on most blogs
    the first pages show it, and the others need not be asked.
    """
    named: list[tuple[Sample, Author]] = []
    for left, sample in zip(range(len(asked), 0, -1), asked, strict=True):
        if len(named) + left < _NEARLY_ALL * len(asked):
            return []
        title = sample.entry.title if sample.entry else None
        author = author_in_margin(sample.tree, sample.page.url, title or "")
        if author and not _contradicts(sample, author):
            named.append((sample, author))
    return named if len(named) >= _NEARLY_ALL * len(asked) else []


def _contradicts(sample: Sample, author: Author) -> bool:
    told = sample.entry.authors if sample.entry else ()
    return bool(told) and author.name not in (one.name for one in told)


def only_author(feed: Feed, told: Sequence[Sample], templates: Sequence[Template]) -> str | None:
    """The one person who writes the blog, as far as its feed and its pages tell; None where there
    may be several.

    Who wrote each of many entries did. So did whom a few entries or the feed as a whole name, where
    the pages show nobody else: a blog of several authors says on its pages who wrote what.
    """
    names = {_single(entry.authors) for entry in feed.entries} or {None}
    name = names.pop() or _single(feed.authors)
    if names or name is None or is_placeholder(name):
        return None
    each_named = not any(map(_is_inherited, feed.entries))
    if each_named and len(feed.entries) >= _SEVERAL:
        return name
    return None if _show_others(told, templates, name) or _signs_some(told, name) else name


def _signs_some(told: Sequence[Sample], name: str) -> bool:
    """Whether a name of which a feed of few entries tells signs a post in an element of its own, and stands nowhere on
    many other pages: those are by somebody else, however they say it.
    """
    words = tokenise(name)
    lacking = [sample for sample in told if not set(words).issubset(sample.tree.words)]
    is_often_lacking = len(lacking) >= _FEWEST_LACKING and _LACKING_IN * len(lacking) >= len(told)
    return is_often_lacking and any(_is_signed(sample, words) for sample in told)


def _is_signed(sample: Sample, words: list[str]) -> bool:
    """Whether a name stands for itself near the article: not in the text, nor in what readers wrote."""
    page = sample.tree
    for article in find_articles(sample)[:1]:
        first, stop = page.start[article.place] - _NEAR, page.end[article.place] + _NEAR
        for i in range(len(page.tags)):
            is_near = page.count(i) == len(words) and first <= page.start[i] < stop
            if is_near and page.words_of(i) == words and _is_about_post(page, i, article.place):
                return True
    return False


def _is_about_post(page: PageView, i: int, article: int) -> bool:
    """Whether an element stands beside the text, or in a line of it that is called as those about posts are."""
    kinds = {page.kinds[n] for n in (i, *page.around(i, _LEVELS))}
    return "comment" not in kinds and ("byline" in kinds or not page.inside(i, article))


def _show_others(told: Sequence[Sample], templates: Sequence[Template], name: str) -> bool:
    """Whether the pages show other authors, or authors that nobody has looked at."""
    readings = [sample.reading for sample in told if sample.reading is not None]
    if not readings:
        return any("authors" in template.fields for template in templates)
    shown = [_names(reading.get("authors", ())) for reading in readings]
    others = [names for names in shown if names and names != (_words(name),)]
    # A name here and there is somebody the posts speak of.
    return 2 * len(others) >= len(readings)


def _names_authors(feed: Feed) -> bool:
    """Whether the entries name others than the blog itself as their authors."""
    names: set[_Names] = set()
    for entry in feed.entries:
        if not _is_inherited(entry):
            names.update(_names(entry.authors))
    return bool(names - {_words(feed.title or "")})


def _is_inherited(entry: Entry) -> bool:
    """Whether an entry names nobody, so that the feed's author is its."""
    return entry.extra.get("authors_from") == "feed"


def _single(authors: Sequence[Author]) -> str | None:
    return authors[0].name if len(authors) == 1 else None


def _names(authors: Iterable[Author]) -> tuple[_Names, ...]:
    return tuple(_words(author.name) for author in authors)


def _words(name: str) -> _Names:
    return tuple(tokenise(name))


def _forget_authors(samples: Sequence[Sample]) -> None:
    for sample in samples:
        if sample.entry:
            sample.entry = replace(sample.entry, authors=())
