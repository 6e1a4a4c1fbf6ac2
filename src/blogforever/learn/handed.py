"""Rules of this blog that others learned: tried first, and kept where they read its pages as well as learned ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from blogforever.dates import same_day
from blogforever.dom import tokenise
from blogforever.extract.headline import title_key
from blogforever.extract.post import extract_post
from blogforever.extract.templates import fits
from blogforever.learn.authorship import only_author
from blogforever.learn.samples import Sample, gather, html_texts
from blogforever.learn.teacher import carries_excerpts, looks_whole
from blogforever.model import Entry, Feed, Moment, Page, Post, Rules
from blogforever.similarity import shingle_marks

# Pages that rules are tried on: as many as teach.
_TRIED = 12
# With fewer entries that say all of their posts, learning has the word.
_FEW = 3
# What rules must reach against whole entries for nobody to need to learn: feeds leave out a caption
# here and there, and write a title a little differently.
_ALL_OF_IT = 0.97
# How much less than learned ones they may reach: a word more or less on one page is no difference.
_AS_WELL = 0.01


@dataclass(frozen=True, slots=True)
class TriedRules:
    """The rules to be used, whether they are those that were handed over, and why."""

    rules: Rules
    are_handed: bool
    why: str


def tried_first(handed: Rules, feed: Feed | None, pages: Sequence[Page], learn: Callable[..., Rules]) -> TriedRules:
    """Try rules on the blog's own pages; where they read less of them than learned ones do, those
    are taken.

    Nothing is learned where the feed has whole posts and the rules read all that it says.
    """
    samples = gather(feed, pages, _TRIED, _TRIED)
    read = [_read(sample.page, handed) for sample in samples]
    told = [sample for sample in samples if sample.entry]
    if feed and _tells_all(told):
        # Pages with an entry come first.
        reached = _score([_of_entry(sample.entry) for sample in told if sample.entry], read[: len(told)])
        if reached >= _ALL_OF_IT:
            return TriedRules(_completed(handed, feed, told), True, f"they read {reached:.0%} of what the feed says")
    return _compared(handed, learn(feed, pages), samples, read)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a page should be read as."""

    title: str | None = None
    published: Moment | None = None
    authors: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()


def _compared(handed: Rules, learned: Rules, samples: Sequence[Sample], read: Sequence[_Told]) -> TriedRules:
    """The rules that read more of the pages; what was handed over where they are about even."""
    by_learned = [_read(sample.page, learned) for sample in samples]
    wanted = [_wanted(sample, post, bool(learned.full_feed)) for sample, post in zip(samples, by_learned, strict=True)]
    theirs, ours = _score(wanted, read), _score(wanted, by_learned)
    why = f"they read {theirs:.0%} of what is on its pages, learned ones {ours:.0%}"
    if not theirs or theirs + _AS_WELL < ours:
        return TriedRules(learned, False, why)
    return TriedRules(replace(learned, templates=handed.templates, by=handed.by), True, why)


def _tells_all(told: Sequence[Sample]) -> bool:
    """Whether the feed has whole posts: else rules that find too little would seem right."""
    if len(told) < _FEW or not all(sample.entry and looks_whole(sample.entry) for sample in told):
        return False
    return not carries_excerpts(told)


def _completed(handed: Rules, feed: Feed, told: Sequence[Sample]) -> Rules:
    """The rules with what only this feed says of the blog."""
    first = told[0].page.url
    return Rules(
        blog=feed.link or first,
        templates=handed.templates,
        feed=feed.url,
        language=feed.language,
        full_feed=True,
        author=only_author(feed, told, handed.templates),
        by=handed.by,
    )


def _read(page: Page, rules: Rules) -> _Told:
    """What rules make of a page; nothing where none of their templates fits it."""
    return _of_post(extract_post(page, rules, None)) if fits(page, rules) else _Told()


def _wanted(sample: Sample, learned: _Told, is_whole: bool) -> _Told:
    """What a page should be read as: as its entry says, and in all else as the learned rules read it."""
    if sample.entry is None:
        return learned
    said = _of_entry(sample.entry)
    return _Told(
        title=said.title or learned.title,
        published=said.published or learned.published,
        authors=said.authors or learned.authors,
        tags=said.tags or learned.tags,
        words=said.words if is_whole and said.words else learned.words,
    )


def _of_entry(entry: Entry) -> _Told:
    names = _names(author.name for author in entry.authors)
    return _Told(entry.title, entry.published, names, _names(entry.tags), _words(entry.html or entry.summary_html))


def _of_post(post: Post) -> _Told:
    names = _names(author.name for author in post.authors)
    return _Told(post.title, post.published, names, _names((*post.tags, *post.categories)), _words(post.html))


def _words(html: str) -> tuple[str, ...]:
    return tuple(tokenise(" ".join(html_texts(html))))


def _names(names: Iterable[str | None]) -> frozenset[str]:
    return frozenset(title_key(name) for name in names if name)


def _score(wanted: Sequence[_Told], read: Sequence[_Told]) -> float:
    """How much of what should be read was, on all pages together."""
    shares = [share for told, found in zip(wanted, read, strict=True) for share in _shares(told, found)]
    return sum(shares) / len(shares) if shares else 0.0


def _shares(told: _Told, found: _Told) -> Iterator[float]:
    if told.title:
        yield float(title_key(told.title) == title_key(found.title or ""))
    if told.published:
        yield float(found.published is not None and same_day(told.published, found.published))
    if told.authors:
        yield float(bool(told.authors & found.authors))
    if told.tags:
        yield 2 * len(told.tags & found.tags) / (len(told.tags) + len(found.tags))
    if told.words:
        yield _alike(told.words, found.words)


def _alike(told: Sequence[str], found: Sequence[str]) -> float:
    """The share of the words of both that stand in the other in the same company."""
    both = sum(shingle_marks(told, found)) + sum(shingle_marks(found, told)) if found else 0.0
    return both / (len(told) + len(found))
