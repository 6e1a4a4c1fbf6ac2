"""BlogUpdate: what changed in a known blog since it was last looked at. Remembers nothing; what is
known is handed in.

First what the blog announces, then new posts, then posts that may have changed or vanished, then a
few old ones in turn. Bodies are not kept; what they mean is judged when all answers are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.learn.urlpattern import UrlPattern, learn_url_pattern
from blogforever.model import Entry, Failure, Page
from blogforever.pipeline.hostedcounts import HostedCounts
from blogforever.pipeline.learning import SeenPage, Tools, post_keys
from blogforever.pipeline.limits import CrawlLimits, limit_of_posts
from blogforever.pipeline.page import Visit, go_through
from blogforever.pipeline.redirects import chain_of
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.requisites import NOTHING_THERE
from blogforever.pipeline.since import Since
from blogforever.pipeline.sources import DOUBT_AFTER, GIVE_UP_AFTER, Ledger, spread
from blogforever.pipeline.steps import NamedStep, StepMachine
from blogforever.protocols import CUT, Answer, Ask
from blogforever.schedule.states import SILENT
from blogforever.urls import join, mark_of, same_site, site_root, url_key, with_mark, without_mark

from .arrivals import Arrivals
from .asking import LooksAsked
from .comparing import Comparison
from .completing import Completion
from .context import UpdateContext, keys_of
from .findings import Looked, UpdateFindings
from .identity import Identity
from .knownlooks import KnownLooks
from .latecomments import LateComments
from .massdates import MassDates
from .newposts import NewPosts
from .news import News, Reach
from .ownpages import OwnPages
from .rechecks import LISTS_APART, Look, budget, is_time_again, may_be_post, new_looks, returned
from .relearning import Relearning
from .remembered import Remembered
from .reporting import Reporting
from .searching import FEW_MOVED, Search
from .secondlooks import SecondLooks

HOME_PRIORITY = 20
HOME_LINKS = 40
"""Links of the home page that are looked at where it is the only list of posts."""
NEW: Final = "new"
NOT_THERE = 404
NOT_ON_PAGE = "not on its page any more"
COMMENT_STEPS = frozenset(
    {
        "count comments",
        "known posts",
        "second looks",
        "settle",
        "parts",
        "join parts",
        "draw threads",
        "complete threads",
    }
)
"""The steps that are left where only late comments are looked for."""
PORTION = DOUBT_AFTER
"""New addresses that are asked for before it is known whether any of them is there."""


@dataclass(frozen=True, slots=True)
class Clock:
    """When the update happens, how many old posts it may look at, and a word no address of the blog
    can have.
    """

    now: datetime
    share: float = 0.05
    absurd: str = "there-is-no-such-page-here"
    since: datetime | None = None
    turned: datetime | None = None
    """When old posts last had their turn."""
    brief: bool = False
    """Whether the feed is enough, most of the time."""
    late_comments: bool = False
    """Whether only late comments are looked for: something else tells of posts."""

    @property
    def reach(self) -> Reach:
        """What this update asks for: the feed alone where everything else was asked for of late."""
        if self.late_comments:
            return "comments"
        is_brief = self.brief and not is_time_again(self.now, self.turned, LISTS_APART)
        return "feed" if is_brief else "everything"


def _page_of_look(look: Look, page: Page, posts: Mapping[str, Page]) -> Page | None:
    """What a page has of the post that is looked for; None where it has nothing of it any more."""
    mark = mark_of(look.url)
    return posts.get(mark) if mark else page


def _at_mark(look: Look, url: str, chain: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Where a look ended and what it went through, with the mark of the post that was looked for."""
    mark = mark_of(look.url)
    return (with_mark(url, mark), tuple(with_mark(one, mark) for one in chain)) if mark else (url, chain)


class BlogUpdate(StepMachine):
    """One known blog, from its announcements to findings on its posts."""

    def __init__(
        self,
        remembered: Remembered,
        tools: Tools,
        clock: Clock,
        limits: CrawlLimits,
        rendering: Rendering | None = None,
    ) -> None:
        super().__init__(remembered.url, remembered.blog, tools, limits, rendering, remembered.rules)
        self.remembered, self.clock = remembered, clock
        self.offers = News(Since(clock.since), shares=self.known.shared is not None)
        self.known.pattern = learn_url_pattern([post.url for post in remembered.posts])
        self.budget = budget(len(remembered.posts), clock.share, clock.brief).at(clock.now, clock.turned)
        self.counts = HostedCounts(tools.read, self.offers.counts)
        self.late = LateComments(self.rendering, self.counts, clock.now)
        self.mass = MassDates()
        self.enough: str | None = None
        """What ended the search for new posts, though all else was looked at."""
        self.said: dict[str, str] = {}
        """The digests of the announcements that came, by the addresses that were asked for first.
        """
        self._first_asks: tuple[Ask, ...] = ()
        self._identity = Identity(remembered.posts, remembered.parts)
        self._context = UpdateContext(remembered, self.known, self._identity, self.offers, tools)
        self._looks = LooksAsked()
        self._ledger = Ledger()
        self._asked: set[str] = set()
        self._shown_at: dict[str, str] = {}
        """Under which address the feed names a post that has its place on another page."""
        self._home: Page | None = None
        self._notes: list[str] = []
        self.known.threads.learns = clock.reach == "everything"
        self._wire(clock)
        self._readers = {
            "home": self._at_home,
            "feed": self._announced,
            "sitemap": self._announced,
            "api": self._announced,
            "comments": self._read_comments,
            "page": self._read_list,
            "entry": self._arrived,
        }
        steps = self._steps_of_an_update()
        self._go_through([step for step in steps if step.name in COMMENT_STEPS] if clock.late_comments else steps)

    def _steps_of_an_update(self) -> list[NamedStep]:
        return [
            NamedStep("feed", self._find_feed),
            NamedStep("new posts", self._look_new),
            NamedStep("count comments", self._count_comments),
            NamedStep("known posts", self._look_known, once=True),
            NamedStep("own pages", self._look_own, once=True),
            NamedStep("search for the lost", self._search_lost),
            NamedStep("training", self._relearning.ask_for_training, once=True),
            NamedStep("learn again", self._relearning.learn_again, once=True),
            NamedStep("mass edits", self._look_stamped),
            NamedStep("second looks", self._second_looks.ask, once=True),
            NamedStep("settle", self._second_looks.settle, once=True),
            NamedStep("parts", self._completion.ask_for_parts, once=True),
            NamedStep("join parts", self._completion.join_parts, once=True),
            NamedStep("draw threads", self._draw_threads),
            NamedStep("complete threads", self._completion.ask_for_threads, once=True),
        ]

    def _wire(self, clock: Clock) -> None:
        """The parts that look, compare and judge; each knows only those above it."""
        context, looks = self._context, self._looks
        self._arrivals = arrivals = Arrivals()
        comparison = Comparison(context)
        self._new_posts = new_posts = NewPosts(context, comparison, arrivals)
        self._second_looks = SecondLooks(context, comparison, arrivals, looks, clock.absurd)
        self._relearning = Relearning(context, comparison, arrivals, new_posts, looks)
        self._completion = Completion(context, comparison, arrivals, new_posts, self._second_looks, looks)
        self._reporting = Reporting(context, comparison, new_posts, self._second_looks, self._relearning)
        self._known_looks = KnownLooks(context, self.budget, self.late, self.mass, clock.now)
        self._own_pages = OwnPages(context, comparison, self.scope, self.budget, clock.now)
        self._search = Search(context, self.scope, arrivals, self._second_looks, looks)

    # ------------------------------------------------------------------ the PageHandler

    def start(self) -> Iterable[Ask]:
        """The blog's feed, sitemaps, API and comment feed; its home where it has no feed."""
        known = self.remembered
        asks = self.offers.ask_for(known, self.clock.since or known.told_until, self.clock.reach)
        self._first_asks = tuple(asks)
        needs_home = not asks and not self.clock.late_comments
        return self._limited(self._once([Ask(known.url, "home", HOME_PRIORITY)] if needs_home else asks))

    def _goes_on(self) -> bool:
        return not self.stopped

    def _asks_of(self, step: NamedStep) -> list[Ask]:
        return self._once(step.asks())

    def _once(self, asks: Iterable[Ask]) -> list[Ask]:
        new = [ask for ask in asks if ask.url not in self._asked or ask.role == "entry"]
        self._asked.update(ask.url for ask in new)
        return new

    # ------------------------------------------------------------------ answers

    def _instead_of_following(self, answer: Answer, target: str) -> list[Ask] | None:
        if self.remembered.of_another(target):
            return self._failed(answer, "leads to another blog")
        self._context.host_moves.led(answer.ask.url, target)
        return None

    def _failed(self, answer: Answer, why: str = "") -> list[Ask]:
        ask = answer.ask
        failure = Failure(ask.url, why) if why else answer.failure
        reason = failure.reason if failure else f"status {answer.status}"
        if ask.role == "home" or self._is_away(answer, reason):
            self.home_failure = reason
        elif self.counts.has_asked(ask):
            self.counts.arrived(ask, None)
        elif ask.role == "entry":
            self._look_failed(answer, failure, reason)
        elif ask.role == "page":
            self._search.list_failed(ask.first)
        else:
            self.offers.failed(ask, reason)
        return []

    def _is_away(self, answer: Answer, reason: str) -> bool:
        """Whether a look for comments, which asks for no home, finds at once that nobody is there."""
        is_silent = not answer.status and reason in SILENT
        return self.clock.late_comments and self.answered == 1 and is_silent

    def _look_failed(self, answer: Answer, failure: Failure | None, reason: str) -> None:
        self.reasons |= {url_key(url): reason for url in chain_of(answer.ask)}
        for look in self._looks.looks_of(answer.ask):
            self._one_look_failed(answer, look, failure, reason)

    def _one_look_failed(self, answer: Answer, look: Look, failure: Failure | None, reason: str) -> None:
        ask = answer.ask
        # That a known post is not there is a finding; that it cannot be read, or nobody has it, a
        # failure.
        if look.why == NEW:
            self._ledger.failed(NEW)
            if failure or answer.status not in NOTHING_THERE:
                self._tools.keeper.fail(
                    Failure(ask.first, reason, failure.detail if failure else "").announced_by("blog")
                )
        elif failure and reason in CUT.values():
            self._tools.keeper.fail(failure)
        # That a post is not where it was thought to have moved says nothing about where it is.
        if look.why == "page":
            self._own_pages.arrived(Looked(look, answer.status, reason, ask.url, ask.chain))
        elif look.why != "moved":
            url, chain = _at_mark(look, ask.url, ask.chain)
            self._arrivals.arrived(Looked(look, answer.status, reason, url, chain))

    def _announced(self, answer: Answer, page: Page) -> list[Ask]:
        self._note_said(answer)
        return self.offers.read(page, answer.ask)

    def _note_said(self, answer: Answer) -> None:
        if answer.ref and answer.ask in self._first_asks:
            self.said[answer.ask.url] = answer.ref.digest

    def _read_comments(self, answer: Answer, page: Page) -> list[Ask]:
        if answer.ask.first in self.remembered.comment_feeds:
            self._note_said(answer)
            self.offers.read_comments(page)
            return []
        return super()._read_comments(answer, page)

    def _read_list(self, _answer: Answer, page: Page) -> list[Ask]:
        self._search.read_list(page)
        return []

    def _at_home(self, answer: Answer, page: Page) -> list[Ask]:
        self.home_ref, self._home, self.home_failure = answer.ref, page, None
        if not same_site(page.url, self.remembered.url):
            self._notes.append(f"The blog's address leads to {site_root(page.url)} now.")
        self.scope.root = page.url
        return self.offers.feeds_named(page) if looks_like_html(page) else []

    def _arrived(self, answer: Answer, page: Page) -> list[Ask]:
        ask, looks = answer.ask, self._looks.looks_of(answer.ask)
        # A host of mere files cannot redirect: a page at the old address leads on.
        if looks[0].why not in ("probe", "part") and (target := read_facts(page).moved_to):
            return self._redirected(answer, join(ask.url, target))
        posts = self.known.posts_on(page)
        shown = [look for look in looks if look.post is None and look.url in self.known.shown]
        for look in [*(look for look in looks if look not in shown), *self._unasked_posts(posts, looks)]:
            self._one_arrived(answer, look, page, posts)
        return self._looks.ask(self._places_of(shown))

    def _places_of(self, shown: Sequence[Look]) -> list[Look]:
        """New posts that the feed names where a list shows them: their own places, where nobody has
        looked.
        """
        places = {self.known.shown[look.url]: look.url for look in shown}
        self._shown_at |= places
        return [Look(place, NEW) for place in places if self._identity.at(place) is None]

    def _one_arrived(self, answer: Answer, look: Look, page: Page, posts: Mapping[str, Page]) -> None:
        """The answer to one of the looks at a page: on one that posts share, at what it has of this
        post.
        """
        if look.post is None and not posts:
            # A mark that tells nothing apart: the page is one post.
            look = replace(look, url=without_mark(look.url))
        url, chain = _at_mark(look, page.url, answer.ask.chain)
        own = _page_of_look(look, page, posts)
        if own is None:
            self.reasons[url_key(look.url)] = NOT_ON_PAGE
            self._arrivals.arrived(Looked(look, NOT_THERE, NOT_ON_PAGE, url, chain))
            return
        if named := self._shown_at.get(look.url):
            chain = (*chain, named)
        looked = Looked(look, answer.status, "", url, chain, answer.ref, answer.unchanged)
        if look.why in (NEW, "moved"):
            self._ledger.came(NEW)
            self._new_page(looked, own)
        elif look.why == "page":
            self._own_pages.arrived(looked)
        else:
            self._arrivals.arrived(looked)

    def _unasked_posts(self, posts: Mapping[str, Page], looks: Sequence[Look]) -> list[Look]:
        """Posts of a page that nobody knew and nobody announced."""
        asked = {url_key(look.url) for look in looks}
        new = [own.url for own in posts.values() if url_key(own.url) not in asked]
        return [Look(url, NEW) for url in new if self._identity.at(url) is None]

    def _new_page(self, looked: Looked, page: Page) -> None:
        """A page at an address nobody knew: a new post, or a known one that moved."""
        if url_key(page.url) in self.seen:
            self._arrivals.arrived(looked)
            return
        visit = go_through(Visit(page, looked.ref, looked.chain), self.known)
        self.seen[url_key(page.url)] = SeenPage(visit.evidence, looked.ref, list(looked.chain))
        self._new_posts.came(looked, visit)

    # ------------------------------------------------------------------ steps

    def _find_feed(self) -> list[Ask]:
        """Where the feed is gone, the home page may name another.

        A feed of unknown entries has older pages. Where it does not go on from known posts, what
        was left for later is asked for now.
        """
        feed = self.offers.feed
        if feed is None:
            return [*self.offers.ask_for_rest(), Ask(self.remembered.url, "home", HOME_PRIORITY)]
        self._teach_entries()
        if self.remembered.url and not same_site(feed.url, self.remembered.url):
            self.scope.root = feed.link or site_root(feed.url)
        last = self.offers.feeds[-1]
        if not last.entries:
            return self.offers.ask_for_rest()
        if self.offers.sitemap_whole or any(map(self._is_known, last.entries)):
            return []
        return self.offers.ask_for_rest() or self.offers.older(last, self.remembered.platform or "")

    def _is_known(self, entry: Entry) -> bool:
        """Whether an entry is, or may be, that of a known post."""
        if self._identity.at(entry.url) is not None:
            return True
        native_id = entry.extra.get("native_id")
        return self._identity.hinted(entry.url, entry.guid, native_id, moved_host=True) is not None

    def _teach_entries(self) -> None:
        for key, entry in self.offers.all_entries().items():
            self.known.entries.setdefault(key, entry)
        # Posts that got new addresses are known by the shape of those the feed names.
        in_feed = learn_url_pattern(entry.url for entry in self.offers.entries.values())
        shapes = {*self.known.pattern.shapes, *in_feed.shapes}
        self.known.pattern = UrlPattern(tuple(sorted(shapes)), self.known.pattern.allowed | in_feed.allowed)

    def _look_new(self) -> list[Ask]:
        """Announced addresses nobody has looked at."""
        self._teach_entries()
        looks = new_looks(self.offers, self._identity, self._context.was_seen, may_be_post(self.known.pattern))
        looks += self._unfetched(looks)
        looks += returned(self.offers, self.remembered.posts, keys_of)[:FEW_MOVED]
        if self._home is not None and self.offers.feed is None:
            looks += self._home_looks(self._home)
        return self._looks.ask(self._within_limit(self._portion(self._young(looks))))

    def _unfetched(self, looks: Sequence[Look]) -> list[Look]:
        """What was announced before and could not be had then: the feed may name it no more. Posts
        that share a page are known only by what names them.
        """
        named = {url_key(look.url) for look in looks}
        urls = () if self._unreachable() or self.known.shared else self.remembered.unfetched
        news = (url for url in urls if url_key(url) not in named and not self._context.was_seen(url_key(url)))
        return [Look(url, NEW) for url in news if self._identity.at(url) is None]

    def _within_limit(self, looks: list[Look]) -> list[Look]:
        """With --max-posts, as many as are wanted still; what is left is new the next time."""
        most = self._limits.posts
        if not most:
            return looks
        wanted = max(most - len(self._new_posts.readable()), 0)
        left = [look.url for look in looks if look.why == NEW][wanted:]
        if left and not wanted:
            self.enough = limit_of_posts(most)
        return [look for look in looks if look.url not in left]

    def _portion(self, looks: list[Look]) -> list[Look]:
        """The next of many new addresses, as long as not all of those before them led nowhere."""
        left = [look for look in looks if look.url not in self._looks]
        if self._ledger.doubts(NEW):
            left = spread(left)
        if NEW not in self._ledger.closed:
            return left[:PORTION]
        if left:
            self.offers.bounds.append(
                f"{GIVE_UP_AFTER} new addresses in a row led nowhere, so {len(left):,} more were not asked for"
            )
        return []

    def _young(self, looks: list[Look]) -> list[Look]:
        """With --since, without new addresses that are known to be older."""
        return [look for look in looks if look.why != NEW or not self.offers.since.is_older(look.url)]

    def _home_looks(self, page: Page) -> list[Look]:
        """Without a feed, what the home page links to and looks like a post is news."""
        links = dict.fromkeys(read_facts(page).links)
        posts = [url for url in links if self.scope.own_host(url) and self.known.pattern.matches(url)]
        self.offers.linked = set(map(url_key, posts))
        new = [url for url in posts if not self._identity.at(url) and not self._context.was_seen(url_key(url))]
        return [Look(url, NEW) for url in new[:HOME_LINKS]]

    def _count_comments(self) -> list[Ask]:
        """Ask the system that draws the blog's comments how many there are."""
        return [] if self._unreachable() else self.late.asks(self.remembered.posts)

    def _draw_threads(self) -> list[Ask]:
        """Draw new posts whose comments only a browser sees, where nobody knew that before."""
        return self.rendering.thread_asks(post_keys(self.seen), settle=False)

    def _look_known(self) -> list[Ask]:
        """Posts of which a change is announced, comments came, that are absent from lists, or whose
        turn it is.
        """
        if self._unreachable():
            return []
        if self.clock.late_comments:
            return self._looks.ask(self._known_looks.for_comments(self.remembered.posts))
        posts = [post for post in self.remembered.posts if post.id not in self._arrivals.moved]
        listless = self.offers.feed is None and self._home is not None
        return self._looks.ask(self._known_looks.choose(posts, listless))

    def _look_own(self) -> list[Ask]:
        """The blog's own pages."""
        return [] if self._unreachable() else self._looks.ask(self._within_limit(self._own_pages.looks()))

    def _look_stamped(self) -> list[Ask]:
        """The others that got a new date of change at once, where the sample shows that this means
        edits.
        """
        again = self._looks.ask_again(self.mass.second_looks(self._second_looks))
        return again or self._looks.ask(self.mass.other_looks(self._second_looks))

    def _search_lost(self) -> list[Ask]:
        return [] if self._unreachable() else self._search.ask(self._home)

    def _unreachable(self) -> bool:
        """Nothing of the blog answers: then nothing is learned from asking for its posts."""
        return bool(self.home_failure) and not self.offers.feeds and not self.offers.places

    @property
    def cut_by(self) -> str | None:
        """What ended the update, or its search for new posts, before everything was looked at."""
        return self.stopped or self.enough

    @property
    def asked_for_looks(self) -> int:
        """Requests beyond those for the announcements: for posts, and for whatever these led to."""
        return self.asked - len(self._first_asks)

    def report(self) -> UpdateFindings:
        """What was found, when everything was answered."""
        failure = (self.home_failure or "no answer") if self._unreachable() else None
        found = self._reporting.report(failure, self.budget, self._notes)
        if failure is None:
            found.pages = [*self._new_posts.pages(), *self._own_pages.findings()]
        return found
