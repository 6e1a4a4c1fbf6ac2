"""What a crawl learns on its way: rules from the pages of the feed's entries, from pages alone,
from pages they miss.

Bodies are not kept; a page that is needed again is read from where its response lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol

from blogforever.extract.segment import segment_page
from blogforever.learn.numberedposts import posts_by_number, posts_like_years
from blogforever.learn.postpages import LIST_KINDS, Evidence, shows_posts
from blogforever.learn.samples import first_and_spread, spread
from blogforever.learn.sharing import learn_shared, marked_entries, shown_shared
from blogforever.learn.urlpattern import DOUBTFUL, learn_url_pattern, likely_posts, listed_posts
from blogforever.model import Entry, Failure, Feed, Page, Rules
from blogforever.protocols import Ask, Ref
from blogforever.records import PostRecord
from blogforever.urls import mark_of, page_key, url_key, with_mark

from .entries import only_named
from .frontier import Frontier
from .gathering import gathered
from .guard import StageGuard
from .offers import Offers
from .page import FIRST_LOOK, STAGES, Knowledge, Learn, Stage, Visit, go_through, may_be_post
from .reading import Comments, Extract, StageFailed
from .several import FEW, LikelyPost, without_lists

TRAINING_PAGES = 30
"""Pages that rules are learned from; more cost time and teach the same."""
# Lists that show which addresses are posts, where no page looks like one by its own: the home page
# is the first. What none of them shows is no post, so that they must be many.
LISTS_READ = 100
SEVERAL = 5
"""By-lines that make a blog of one author."""
FEW_DATED = 10
"""One in so many pages must have a date for the blog to be one that shows dates."""
# By-lines on two thirds of the posts: the others then only lack theirs.
BYLINE_SHARE = 2 / 3
# Where four of five pages are marked as no post, the platform marks its posts so.
MARKED_SHARE = 4 / 5


class Keeper(Protocol):
    """Where a crawl puts what it finds."""

    def keep(self, url: str, record: PostRecord) -> None:
        """A page was extracted; whether it is a post is decided at the end."""

    def fail(self, failure: Failure) -> None:
        """Something could not be captured."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the crawl is given: the stages it runs, earlier responses, a place for what it finds."""

    learn: Learn
    extract: Extract
    read: Callable[[Ref], Page]
    keeper: Keeper
    comments: Comments | None = gathered
    guard: StageGuard = field(default_factory=StageGuard)
    """Knows what the stages raised."""
    erased: Callable[[str], bool] = lambda _url: False
    """Whether what stands at an address was erased, and must not come back."""


@dataclass(slots=True)
class SeenPage:
    """One page of the blog after it was looked at: evidence, aliases, and where its bytes are."""

    evidence: Evidence
    ref: Ref | None
    aliases: list[str] = field(default_factory=list)


def post_keys(seen: Mapping[str, SeenPage]) -> Iterator[str]:
    """The keys of the pages that something says are posts."""
    for key, page in seen.items():
        evidence = page.evidence
        if evidence.fits or evidence.in_feed or evidence.matches:
            yield key


class Lessons:
    """Learns the blog's rules, and looks again at pages that came before them."""

    def __init__(
        self, tools: Tools, knowledge: Knowledge, offers: Offers, frontier: Frontier, seen: dict[str, SeenPage]
    ) -> None:
        self._tools, self._known, self._offers, self._frontier, self._seen = tools, knowledge, offers, frontier, seen
        self._last: tuple[Ref, Page] | None = None

    def part_pages(self) -> None:
        """Where the feed's entries share pages, learn where each begins, and take each for a page of its own."""
        named = marked_entries(self._known.entries)
        if not named:
            return
        pages = {key: self._read(seen) for key, seen in self._seen.items() if key in named and seen.ref}
        self._known.shared = learn_shared(pages.values(), named)
        if self._known.shared is None:
            self._forget_marks(named)
            return
        for seen in list(self._seen.values()):
            self._take_seen_apart(seen, FIRST_LOOK)

    def _part_shown_pages(self) -> None:
        """Without a feed, pages may show by themselves that posts share them: where there are more such than others."""
        pages = self._some_pages()
        known = self._known
        known.shared = shown_shared(pages)
        if known.shared is None:
            return
        parts = sum(len(known.posts_on(page)) for page in pages)
        if parts <= self._posts_with_pages():
            known.shared, known.sharing = None, set()
            return
        for seen in list(self._seen.values()):
            self._take_seen_apart(seen, STAGES)
            if url_key(seen.evidence.url) in known.sharing:
                self.look_again(seen)

    def _posts_with_pages(self) -> int:
        """How many pages look like a post each, beside those that posts share."""
        pages = [seen.evidence for seen in self._possible_posts()]
        alone = [evidence for evidence in pages if url_key(evidence.url) not in self._known.sharing]
        return sum(bool(evidence.title and evidence.published) for evidence in alone)

    def _some_pages(self) -> list[Page]:
        """Some pages of the blog, in whatever order they came."""
        kept = [seen for _key, seen in sorted(self._seen.items()) if seen.ref and seen.evidence.kind != "no page"]
        return [self._read(seen) for seen in first_and_spread(kept, TRAINING_PAGES)]

    def _take_seen_apart(self, seen: SeenPage, stages: Sequence[Stage]) -> None:
        if seen.ref:
            self.take_apart(self._read(seen), seen.ref, seen.aliases, stages)

    def _forget_marks(self, named: Mapping[str, Mapping[str, Entry]]) -> None:
        """Each of these pages is kept as one post: its entries would speak of a part of it as if it were all."""
        self._offers.forget_marks()
        for page, entries in named.items():
            for mark, entry in entries.items():
                self._known.entries[page] = only_named(entry)
                del self._known.entries[f"{page}#{mark}"]
            if page in self._seen:
                self._seen[page].evidence.in_feed = True

    def take_apart(self, page: Page, ref: Ref | None, chain: Iterable[str], stages: Sequence[Stage]) -> bool:
        """Take the posts that share a page for pages of their own; whether there are any."""
        posts = self._known.posts_on(page)
        for mark, own in posts.items():
            key, names = url_key(own.url), [with_mark(url, mark) for url in chain]
            if key in self._seen:
                continue
            visit = go_through(Visit(own, ref, tuple(names)), self._known, stages)
            self._seen[key] = SeenPage(visit.evidence, ref, names)
            if visit.record:
                self._tools.keeper.keep(own.url, visit.record)
        return bool(posts)

    def place_shown_posts(self) -> list[Ask]:
        """Posts that a list shows, and that have their place on another page: there they have this
        name, too.

        Where that page could not be had, the list is their place.
        """
        placed = []
        for url, place in self._known.shown.items():
            seen = self._seen.get(url_key(place)) or self._kept_shown(url)
            is_told = url_key(url) in self._known.entries
            if seen is not None and is_told and url not in (seen.evidence.url, *seen.aliases):
                seen.aliases.append(url)
                placed.append(seen)
        for seen in placed:
            self.look_again(seen)
        if placed and self._known.rules is None:
            self._learn_from_placed()
        return []

    def _learn_from_placed(self) -> None:
        """The feed tells of posts that were found only now, where it does not say that they are."""
        self.from_entries()
        for seen in list(self._seen.values()):
            if mark_of(seen.evidence.url):
                self.look_again(seen)

    def _kept_shown(self, url: str) -> SeenPage | None:
        """A post where a list shows it."""
        page, seen = self._seen.get(page_key(url)), self._seen.get(url_key(url))
        if seen is None and page is not None and page.ref is not None:
            seen = self._seen[url_key(url)] = SeenPage(Evidence(url), page.ref)
            self.look_again(seen)
        return seen

    def from_entries(self) -> None:
        """Learn from the pages of the feed's entries."""
        feed = self._offers.feed
        if feed is None:
            return
        in_feed = [seen for seen in self._seen.values() if seen.evidence.in_feed and seen.ref]
        # As the feed has them, in whatever order they came.
        places = {key: place for place, key in enumerate(self._known.entries)}
        in_feed.sort(key=lambda seen: _place_of(seen, places))
        chosen = first_and_spread(in_feed, TRAINING_PAGES)
        pages = [self._read(seen) for seen in chosen]
        if pages:
            with suppress(StageFailed):
                self._known.rules = self._tools.learn(self._localised(feed), pages)

    def _localised(self, feed: Feed) -> Feed:
        """The feed with its entries under the addresses their pages really have."""
        places: dict[int, str] = {}
        for seen in self._seen.values():
            for url in (seen.evidence.url, *seen.aliases):
                if entry := self._known.entries.get(url_key(url)):
                    places.setdefault(id(entry), seen.evidence.url)
        entries = []
        for entry in feed.entries:
            place = places.get(id(entry))
            entries.append(replace(entry, url=place) if place else entry)
        return replace(feed, entries=tuple(entries))

    def look_again(self, seen: SeenPage) -> None:
        """A page from before the rules: judge its address again and extract it."""
        if seen.ref is None:
            return
        visit = go_through(Visit(self._read(seen), seen.ref, tuple(seen.aliases)), self._known)
        seen.evidence = visit.evidence
        if visit.record:
            self._tools.keeper.keep(visit.page.url, visit.record)

    def _read(self, seen: SeenPage) -> Page:
        assert seen.ref is not None
        if self._last is None or self._last[0] != seen.ref:
            # Posts that share a page are read one after the other.
            self._last = (seen.ref, self._tools.read(seen.ref))
        return self._known.page_of(self._last[1], seen.evidence.url)

    def alone(self) -> list[Ask]:
        """No feed to learn from: the pages that look most like posts must do."""
        if self._known.rules is not None:
            return []
        self._doubt_marks()
        self._part_shown_pages()
        pages, posts = self._pages_to_learn_from()
        if len(posts) < FEW:
            return []
        self._known.pattern = self._frontier.pattern = learn_url_pattern(posts)
        samples = spread([seen for seen in pages if seen.evidence.url in posts], TRAINING_PAGES)
        with suppress(StageFailed):
            self._known.rules = self._tools.learn(self._signed_feed(), self._without_lists(samples))
        for seen in (*pages, *self._listed_pages()):
            self.look_again(seen)
        return []

    def _pages_to_learn_from(self) -> tuple[list[SeenPage], set[str]]:
        """Pages, and the addresses of those that are posts: as they look, as parts of pages that
        posts share, or as the blog's lists tell.
        """
        pages = self._possible_posts()
        posts = self._likely_posts(pages)
        if len(posts) >= FEW:
            return pages, posts
        parts = {seen.evidence.url for seen in self._kept() if self._known.shared and mark_of(seen.evidence.url)}
        posts = parts if len(parts) >= FEW else self._posts_by_lists()
        return [seen for seen in self._kept() if seen.evidence.url in posts], posts

    def _without_lists(self, samples: Iterable[SeenPage]) -> list[Page]:
        candidates = [LikelyPost(self._read(seen), seen.evidence.title) for seen in samples]
        return without_lists(candidates, self._known.pattern)

    def _listed_pages(self) -> list[SeenPage]:
        """The pages with a name like "thanks" that lists have as entries: the rules show whether
        they are posts.
        """
        named = [seen for seen in self._kept() if seen.evidence.kind == "static"]
        return [seen for seen in named if self._known.lists.is_entry(url_key(seen.evidence.url))]

    def _likely_posts(self, pages: Sequence[SeenPage]) -> set[str]:
        """The pages that look like posts, and have addresses of the kinds that most of those have."""
        shows_dates = sum(bool(seen.evidence.published) for seen in pages) * FEW_DATED > len(pages)
        return set(likely_posts((seen.evidence.url, self._looks_like_post(seen, shows_dates)) for seen in pages))

    def _kept(self) -> list[SeenPage]:
        """The pages that can be read again, by address."""
        return [seen for _key, seen in sorted(self._seen.items()) if seen.ref]

    def _posts_by_lists(self) -> set[str]:
        """The posts that only the blog's own lists tell: by addresses that look like those of lists
        elsewhere, or because lists show them, with a title and a day, in rows of their own making.
        """
        kept = self._kept()
        lists = [seen for seen in kept if seen.evidence.kind in LIST_KINDS | DOUBTFUL][:LISTS_READ]
        shown = [self._shown(seen, dated=True) for seen in lists]
        if posts := listed_posts(chain.from_iterable(shown), (seen.evidence.url for seen in kept)):
            return set(posts)
        for urls in shown:
            self._known.lists.note_entries(urls)
        likely = self._likely_posts(self._possible_posts())
        return likely if len(likely) >= FEW else self._numbered_posts(lists, kept)

    def _numbered_posts(self, lists: Sequence[SeenPage], kept: Sequence[SeenPage]) -> set[str]:
        """The posts that nothing but their titles in lists tells: called by numbers, as pages of a list are
        elsewhere, where they show no list themselves.
        """
        pages = {seen.evidence.url for seen in kept if seen.evidence.kind == "page" and not shows_posts(seen.evidence)}
        shown = chain.from_iterable(self._shown(seen, dated=False) for seen in lists)
        return set(listed_posts((url for url in shown if url in pages), pages))

    def _shown(self, seen: SeenPage, *, dated: bool) -> list[str]:
        """Where the posts lie that a page shows with titles, and with days where these are asked for."""
        return [post.url for post in segment_page(self._read(seen)) if post.title and (post.published or not dated)]

    def _signed_feed(self) -> Feed | None:
        """A feed without entries that names its author all the same."""
        return next((feed for feed in self._offers.feeds if feed.authors and not feed.entries), None)

    def _possible_posts(self) -> list[SeenPage]:
        """The pages that can be read again, and are not known to be something else, by address: in
        whatever order they came, the same are learned from.
        """
        own_type = self._known.own_type
        return [seen for seen in self._kept() if may_be_post(seen.evidence, own_type)]

    def _looks_like_post(self, seen: SeenPage, shows_dates: bool) -> bool:
        """A title or a text, and a date; on a blog that shows none, an entry in one of its lists."""
        evidence = seen.evidence
        if not (evidence.title or evidence.length):
            return False
        return bool(evidence.published) if shows_dates else self._known.lists.is_entry(url_key(evidence.url))

    def _doubt_marks(self) -> None:
        """Where nearly every page is marked as no post, the mark says nothing.

        Then the pages are still to be read.
        """
        pages = [seen for seen in self._seen.values() if seen.ref and seen.evidence.kind is None]
        marked = [seen for seen in pages if seen.evidence.says_other]
        if len(marked) > len(pages) * MARKED_SHARE:
            self._known.own_type = True
            for seen in marked:
                self.look_again(seen)

    def from_more_pages(self) -> list[Ask]:
        """Learn anew where the feed had but a page or two: what surrounds the article shows only on
        several.
        """
        feed, posts = self._offers.feed, self._told_posts()
        in_feed = sum(seen.evidence.in_feed for seen in posts)
        if feed is None or self._known.rules is None or in_feed >= FEW or len(posts) < FEW:
            return []
        with suppress(StageFailed):
            pages = self._without_lists(spread(posts, TRAINING_PAGES))
            self._known.rules = self._tools.learn(self._localised(feed), pages)
            for seen in posts:
                self.look_again(seen)
        return []

    def _told_posts(self) -> list[SeenPage]:
        """Pages that the feed or their addresses say are posts."""
        return [seen for seen in self._possible_posts() if seen.evidence.in_feed or seen.evidence.matches]

    def again(self) -> list[Ask]:
        """Pages the rules do not fit may be of another template: learn it and extract them again."""
        strangers = self._strangers()
        feed, rules = self._offers.feed, self._known.rules
        if feed is None or rules is None or len(strangers) < FEW:
            return []
        pages = [self._read(seen) for seen in spread(strangers, TRAINING_PAGES)]
        learned = rules
        with suppress(StageFailed):
            learned = self._tools.learn(self._localised(feed), pages, rules)
        if learned != rules:
            self._known.rules = learned
            for seen in strangers:
                self.look_again(seen)
        return []

    def _strangers(self) -> list[SeenPage]:
        """Pages that something says are posts, and that the rules do not fit."""
        return [seen for seen in self._told_posts() if not seen.evidence.fits]

    def look_at_numbered(self) -> list[Ask]:
        """Read pages as posts that were taken for those of a list by the number they are called."""
        if self._known.rules is not None:
            kept = self._kept()
            pages, pattern = [seen.evidence for seen in kept], self._known.pattern
            posts = posts_by_number([page for page in pages if page.kind == "page"], pattern)
            posts |= posts_like_years(pages, pattern)
            self._known.numbered |= {url_key(url) for url in posts}
            for seen in kept:
                if seen.evidence.url in posts or pattern.is_code(seen.evidence.url):
                    self.look_again(seen)
        return []

    def name_the_author(self) -> list[Ask]:
        """Where every by-line names one person, and no feed another, posts without one are by that
        person, too.
        """
        rules = self._known.rules
        if rules is None or rules.author:
            return []
        posts = [seen for seen in self._seen.values() if self._is_read_post(seen)]
        name = self._only_author(posts)
        if name is None:
            return []
        self._known.rules = replace(rules, author=name)
        for seen in posts:
            if seen.evidence.author is None:
                self.look_again(seen)
        return []

    def _is_read_post(self, seen: SeenPage) -> bool:
        return seen.ref is not None and seen.evidence.fits and seen.evidence.matches

    def _only_author(self, posts: Sequence[SeenPage]) -> str | None:
        """The one person whom all by-lines name, where there are enough of them and no feed names
        another.
        """
        names = Counter(seen.evidence.author for seen in posts if seen.evidence.author)
        enough = names.total() >= max(SEVERAL, BYLINE_SHARE * len(posts))
        if len(names) != 1 or not enough:
            return None
        in_feeds: set[str | None] = set()
        for entry in self._known.entries.values():
            in_feeds |= {author.name for author in entry.authors}
        return None if in_feeds - names.keys() else next(iter(names))

    def join_parts(self) -> list[Ask]:
        """Further pages of long posts: read together with the first one, and never posts
        themselves.
        """
        for key, urls in self._known.parts.places().items():
            post, parts = self._seen.get(key), self._places_of(urls)
            if post is None or post.ref is None or not parts:
                continue
            if may_be_post(post.evidence, self._known.own_type):
                self._known.parts.fetched(key, parts)
                self.look_again(post)
        for key in self._known.parts.joined & self._seen.keys():
            self._seen[key].evidence.kind = "part"
        return []

    def _places_of(self, urls: Iterable[str]) -> list[tuple[str, Ref]]:
        """Those of these pages that came, and where they lie."""
        places = []
        for url in urls:
            seen = self._seen.get(url_key(url))
            if seen and seen.ref:
                places.append((seen.evidence.url, seen.ref))
        return places

    def complete_threads(self) -> list[Ask]:
        """Fetch the comment pages and comment feeds of the posts.

        The posts they belong to are written again.
        """
        threads, rules = self._known.threads, self._known.rules
        if self._known.comments is None:
            return []
        if asks := threads.asks(*self._offers.comment_lists()):
            return asks
        changed = {key for key in threads.changed() & self._seen.keys() if self._seen[key].ref}
        if rules is not None and not rules.comments:
            changed |= self._learn_comments(rules, changed)
        for key in sorted(changed):
            self.look_again(self._seen[key])
        return threads.asks_for_lacking()

    def _learn_comments(self, rules: Rules, changed: set[str]) -> set[str]:
        """Learn where comments stand, from their feeds or from the blog's own pages; the posts that
        can be read better now.
        """
        threads = self._known.threads
        lesson = threads.teach(changed, self._page_of, self._tools.read)
        posts = {key for key, seen in self._seen.items() if seen.ref and seen.evidence.fits}
        if not lesson.rules:
            lesson = threads.teach_own(posts, self._page_of)
        self._known.rules = replace(rules, comments=lesson.rules)
        return posts if lesson.needed else set()

    def _page_of(self, key: str) -> Page:
        return self._read(self._seen[key])


def _place_of(seen: SeenPage, places: Mapping[str, int]) -> int:
    """The place of a page in the feed, by any of its addresses."""
    keys = map(url_key, (seen.evidence.url, *seen.aliases))
    return min((places[key] for key in keys if key in places), default=len(places))
