"""After the walk: which pages are posts, and which of them are one and the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from blogforever.learn.postpages import Blogwide, Evidence, is_own_page, post_score, shows_many, survey
from blogforever.learn.urlpattern import other_kind
from blogforever.model import Rules
from blogforever.urls import mark_of, url_key, without_mark

from .learning import SeenPage
from .lists import Lists

# A text of so many characters is hardly written twice; a shorter one may be "Read more".
LONG_ENOUGH = 200
# A number that more pages than these share is that of a template, not of a post.
FEW_PAGES = 3
# Characters of a date that name its day.
DAY = 10
Sign = tuple[str, str, str]
"""A kind of sign, and what pages of the same post have in common by it."""


@dataclass(frozen=True, slots=True)
class HarvestedPost:
    """One post: the page it is taken from, and all other addresses of it."""

    url: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Harvest:
    """The posts of a blog, and its own pages that are none."""

    posts: list[HarvestedPost]
    pages: list[HarvestedPost]


def harvest(pages: Sequence[SeenPage], rules: Rules | None, lists: Lists) -> Harvest:
    """The posts among the pages, and the blog's own pages, each once."""
    for seen in pages:
        names = (seen.evidence.url, *seen.aliases)
        seen.evidence.listed = any(lists.is_entry(url_key(name)) for name in names)
    date_rule = bool(rules and any(template.fields.get("published") for template in rules.templates))
    blog = survey([seen.evidence for seen in pages], date_rule)
    chosen = [seen for seen in pages if post_score(seen.evidence, blog) > 0]
    posts = [_found(group) for group in _own_places(list(same_posts(chosen)))]
    own = list(_own_pages(pages, posts, blog))
    return Harvest(posts, [_found(group) for group in same_posts(own)])


def _own_places(groups: Sequence[list[SeenPage]]) -> Iterator[list[SeenPage]]:
    """The posts without pages that show another of them first, or alone, as lists do: their title
    leads there, and is its title. That of a post may lead to one its author wrote before.
    """
    places = {url_key(name): group[0].evidence for group in groups for name in _names(group)}
    for group in groups:
        main = group[0].evidence
        shown = places.get(url_key(main.shown_of), main) if main.shown_of else main
        if shown is main or shown.title != main.title or main.in_feed:
            yield group


def _own_pages(pages: Sequence[SeenPage], posts: Iterable[HarvestedPost], blog: Blogwide) -> Iterator[SeenPage]:
    """The pages with something to read that are neither posts nor lists of them."""
    names = {url_key(name) for post in posts for name in (post.url, *post.aliases)}
    for seen in pages:
        evidence = seen.evidence
        says_something = bool(evidence.length) and is_own_page(evidence) and not shows_many(evidence, blog)
        if says_something and url_key(evidence.url) not in names:
            yield seen


def same_posts(pages: Sequence[SeenPage]) -> Iterable[list[SeenPage]]:
    """Groups of pages that are one post under several addresses, the best address first."""
    leaders: dict[int, int] = {}

    def leader(i: int) -> int:
        while leaders.setdefault(i, i) != i:
            leaders[i] = leaders[leaders[i]]
            i = leaders[i]
        return i

    for members in _same_sign(pages):
        for other in members[1:]:
            leaders[leader(other)] = leader(members[0])
    groups: defaultdict[int, list[SeenPage]] = defaultdict(list)
    for i, seen in enumerate(pages):
        groups[leader(i)].append(seen)
    return [sorted(group, key=_rank) for group in groups.values()]


def _same_sign(pages: Sequence[SeenPage]) -> Iterable[list[int]]:
    """Places of pages that share a sign of identity."""
    signs: defaultdict[Sign, list[int]] = defaultdict(list)
    numbers = Counter(seen.evidence.native_id for seen in pages)
    told = {_text_sign(seen.evidence): seen.evidence.url for seen in reversed(pages) if seen.evidence.in_feed}
    for i, seen in enumerate(pages):
        for sign in _signs_of(seen.evidence, numbers, told):
            signs[sign].append(i)
    for i, target in _canonical_pairs(pages):
        signs["canonical", str(i), ""] = [target, i]
    return [members for members in signs.values() if len(members) > 1]


def _signs_of(evidence: Evidence, numbers: Counter[str | None], told: Mapping[str, str]) -> Iterator[Sign]:
    """What this page would have in common with another one of the same post; `told` are the texts
    that the feed names, and where.
    """
    tells_apart = evidence.published or evidence.length > LONG_ENOUGH
    if evidence.title and evidence.length and tells_apart:
        # What the feed names twice the author published twice; a page that it does not name shows
        # one of them again, as the list of a category with a single post does.
        text = _text_sign(evidence)
        yield "same", text, evidence.url if evidence.in_feed else told.get(text, "")
    if mark := mark_of(evidence.url):
        # A list may show a post that shares another page, with the mark it has there.
        yield "mark", mark, evidence.digest
    if evidence.native_id and numbers[evidence.native_id] <= FEW_PAGES:
        yield "id", evidence.native_id, evidence.title or ""


def _text_sign(evidence: Evidence) -> str:
    """Title, text and day of a page, as one word."""
    return f"{evidence.digest} {(evidence.published or '')[:DAY]}"


def _canonical_pairs(pages: Sequence[SeenPage]) -> Iterator[tuple[int, int]]:
    """Pages that call another one their canonical address, which counts only where the two look
    alike.
    """
    places = {url_key(seen.evidence.url): i for i, seen in enumerate(pages)}
    for i, seen in enumerate(pages):
        canonical = seen.evidence.canonical
        target = places.get(url_key(canonical)) if canonical else None
        if target is None or target == i:
            continue
        if alike(seen.evidence, pages[target].evidence):
            yield i, target


def alike(a: Evidence, b: Evidence) -> bool:
    """Whether two pages could be the same post."""
    if a.digest and a.digest == b.digest:
        return True
    shorter, longer = sorted((a.length, b.length))
    return bool(a.title and a.title == b.title and shorter * 2 >= longer)


def _rank(seen: SeenPage) -> tuple[bool | int | str, ...]:
    """Smaller for a page that is sooner the post's own; told to the last, whatever the order the pages came in."""
    e = seen.evidence
    is_one_of_several = bool(mark_of(e.url))
    on_list = is_one_of_several and other_kind(without_mark(e.url)) is not None
    own = not e.canonical or url_key(e.canonical) == url_key(e.url)
    # What a page shows of several posts moves on; that of a month or a day, which lies further
    # down, does not.
    length = -len(e.url) if is_one_of_several else len(e.url)
    return not e.in_feed, on_list, not own, not e.matches, _is_shown_of_other(e), e.articles, length, e.url


def _is_shown_of_other(e: Evidence) -> bool:
    """Whether the title on a page leads to another one: a list that shows the post first, or alone, reads like it."""
    return bool(e.shown_of and url_key(e.shown_of) != url_key(e.url))


def _found(group: list[SeenPage]) -> HarvestedPost:
    main = group[0].evidence
    return HarvestedPost(main.url, tuple(dict.fromkeys(name for name in _names(group) if name != main.url)))


def _names(group: Iterable[SeenPage]) -> list[str]:
    """All addresses of a post."""
    return [name for seen in group for name in (seen.evidence.url, *seen.aliases)]
