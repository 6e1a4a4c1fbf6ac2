"""UpdateCrawl: what changed in a known blog since it was last looked at. Remembers nothing; what is known is handed in.

First what the blog announces, then new posts, then posts that may have changed or
vanished, then a few old ones in turn. Bodies are not kept; what they mean is judged when all answers are there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from blogforever.comments.feeding import native_number
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.learn.postpages import LIST_KINDS
from blogforever.learn.urlpattern import UrlPattern, learn_url_pattern, other_kind
from blogforever.model import Entry, Failure, Page
from blogforever.protocols import CUT, Answer, Ask
from blogforever.urls import join, same_site, site_root, url_key

from .findings import Looked, UpdateFindings
from .hostedcounts import HostedCounts
from .identity import Identity, names_of
from .judging import Judging
from .latecomments import LateComments
from .learning import SeenPage, Tools, post_keys
from .limits import CrawlLimits
from .massdates import MassDates
from .news import News
from .page import Visit, go_through
from .rechecks import (
    Look,
    absences,
    budget,
    day_looks,
    edit_looks,
    may_be_post,
    new_looks,
    restated,
    returned,
    stamped_posts,
    turns,
    vain_looks,
    vanished,
)
from .redirects import chain_of
from .remembered import KnownPost, Remembered
from .rendering import Rendering
from .since import Since
from .sources import DOUBT, VAIN, Ledger, spread
from .steps import NamedStep, StepMachine
from .walk import IMPATIENCE, PATIENCE, Walk

HOME, POST, TURN = 20, 8, 4
SAMPLE = 5
HOME_LINKS = 40
NEW = "new"
PORTION = DOUBT
"""New addresses that are asked for before it is known whether any of them is there."""
FEW_MOVED, MOST_LOST = 2, 2_000


@dataclass(frozen=True, slots=True)
class Clock:
    """When the update happens, how many old posts it may look at, and a word no address of the blog can have."""

    now: datetime
    share: float = 0.05
    absurd: str = "there-is-no-such-page-here"
    since: datetime | None = None


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
        self.offers = News(Since(clock.since))
        self.known.pattern = learn_url_pattern([post.url for post in remembered.posts])
        self.identity = Identity(remembered.posts, remembered.parts)
        self.budget = budget(len(remembered.posts), clock.share)
        self._ledger = Ledger()
        self._looks: dict[str, Look] = {}
        self._asked: set[str] = set()
        self._home: Page | None = None
        self.counts = HostedCounts(tools.read, self.offers.counts)
        self.late = LateComments(self.rendering, self.counts, clock.now)
        self.mass = MassDates()
        judging = Judging(remembered, self.known, self.identity, self.offers, tools, self.ask_again, clock.absurd)
        self.judging = judging
        self._walk = Walk(self.scope, len(remembered.posts))
        self._readers = {
            "home": self._at_home,
            "feed": self._announced,
            "sitemap": self._announced,
            "api": self._announced,
            "comments": self._read_comments,
            "page": self._read_list,
            "entry": self._arrived,
        }
        self._go_through(
            [
                NamedStep("feed", self._find_feed),
                NamedStep("new posts", self._look_new),
                NamedStep("count comments", self._count_comments),
                NamedStep("known posts", self._look_known),
                NamedStep("search for the lost", self._search),
                NamedStep("training", judging.ask_for_training, once=True),
                NamedStep("learn again", judging.learn_again, once=True),
                NamedStep("mass edits", self._look_stamped),
                NamedStep("second looks", judging.confirm, once=True),
                NamedStep("parts", judging.ask_for_parts, once=True),
                NamedStep("join parts", judging.join_parts, once=True),
                NamedStep("draw threads", self._draw_threads),
                NamedStep("complete threads", judging.threads, once=True),
            ]
        )

    # ------------------------------------------------------------------ the PageHandler

    def start(self) -> Iterable[Ask]:
        """The blog's feed, sitemaps, API and comment feed; its home where it has no feed."""
        known = self.remembered
        asks = self.offers.ask_for(known, self.clock.since or known.last)
        return self._limited(self._once(asks or [Ask(known.url, "home", HOME)]))

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
        return self._failed(answer, "leads to another blog") if self.remembered.of_another(target) else None

    def _failed(self, answer: Answer, why: str = "") -> list[Ask]:
        ask = answer.ask
        failure = Failure(ask.url, why) if why else answer.failure
        reason = failure.reason if failure else f"status {answer.status}"
        if ask.role == "home":
            self.home_failure = reason
        elif self.counts.has_asked(ask):
            self.counts.arrived(ask, None)
        elif ask.role == "entry":
            self.reasons |= {url_key(url): reason for url in chain_of(ask)}
            look = self._look_of(ask)
            # That a known post is not there is a finding; that it cannot be read, or nobody has it, a failure.
            if failure and (look.why == "new" or reason in CUT.values()):
                self._tools.keeper.fail(failure)
            if look.why == NEW:
                self._ledger.failed(NEW)
            # That a post is not where it was thought to have moved says nothing about where it is.
            if look.why != "moved":
                self.judging.arrived(Looked(look, answer.status, reason, ask.url, ask.chain))
        elif ask.role == "page":
            self._walk.fail(ask.first)
        else:
            self.offers.failed(ask, reason)
        return []

    def _look_of(self, ask: Ask) -> Look:
        return self._looks[ask.first]

    def _announced(self, answer: Answer, page: Page) -> list[Ask]:
        return self.offers.read(page, answer.ask)

    def _read_comments(self, answer: Answer, page: Page) -> list[Ask]:
        if answer.ask.first in self.remembered.comment_feeds:
            self.offers.read_comments(page)
            return []
        return super()._read_comments(answer, page)

    def _read_list(self, _answer: Answer, page: Page) -> list[Ask]:
        self._walk.read(page)
        return []

    def _at_home(self, answer: Answer, page: Page) -> list[Ask]:
        self.home_ref, self._home, self.home_failure = answer.ref, page, None
        if not same_site(page.url, self.remembered.url):
            self.judging.notes.append(f"The blog's address leads to {site_root(page.url)} now.")
        self.scope.root = page.url
        return self.offers.feeds_named(page) if looks_like_html(page) else []

    def _arrived(self, answer: Answer, page: Page) -> list[Ask]:
        ask = answer.ask
        look = self._look_of(ask)
        # A host of mere files cannot redirect: a page at the old address leads on.
        if look.why not in ("probe", "part") and (target := read_facts(page).moved_to):
            return self._redirected(answer, join(ask.url, target))
        looked = Looked(look, answer.status, "", page.url, ask.chain, answer.ref, answer.unchanged)
        if look.why in ("new", "moved"):
            self._ledger.came(NEW)
            self._new_page(looked, page)
        else:
            self.judging.arrived(looked)
        return []

    def _new_page(self, looked: Looked, page: Page) -> None:
        """A page at an address nobody knew: a new post, or a known one that moved."""
        if url_key(page.url) in self.seen:
            self.judging.arrived(looked)
            return
        visit = go_through(Visit(page, looked.ref, looked.chain), self.known)
        self.seen[url_key(page.url)] = SeenPage(visit.evidence, looked.ref, list(looked.chain))
        self.judging.new_page(looked, visit)

    # ------------------------------------------------------------------ steps

    def _find_feed(self) -> list[Ask]:
        """Where the feed is gone, the home page may name another; a feed of unknown entries has older pages."""
        feed = self.offers.feed
        if feed is None:
            return [Ask(self.remembered.url, "home", HOME)]
        self._teach_entries()
        if self.remembered.url and not same_site(feed.url, self.remembered.url):
            self.scope.root = feed.link or site_root(feed.url)
        last = self.offers.feeds[-1]
        strangers = all(self.identity.at(entry.url) is None and not self._hint(entry) for entry in last.entries)
        if not strangers or not last.entries or self.offers.sitemap_whole:
            return []
        return self.offers.older(last, self.remembered.platform or "")

    def _hint(self, entry: Entry) -> KnownPost | None:
        return self.identity.hinted(entry.url, entry.guid, entry.extra.get("native_id"), moved_host=True)

    def _teach_entries(self) -> None:
        for key, entry in self.offers.all_entries().items():
            self.known.entries.setdefault(key, entry)
        self.known.sitemap.update(self.offers.places)
        # Posts that got new addresses are known by the shape of those the feed names.
        told = learn_url_pattern(entry.url for entry in self.offers.entries.values())
        shapes = {*self.known.pattern.shapes, *told.shapes}
        self.known.pattern = UrlPattern(tuple(sorted(shapes)), self.known.pattern.allowed | told.allowed)

    def _look_new(self) -> list[Ask]:
        """Announced addresses nobody has looked at."""
        self._teach_entries()
        looks = new_looks(self.offers, self.identity, self._was_seen, may_be_post(self.known.pattern))
        looks += returned(self.offers, self.remembered.posts, self._keys)[:FEW_MOVED]
        if self._home is not None and self.offers.feed is None:
            looks += self._home_looks(self._home)
        return self._ask(self._portion(self._young(looks)), POST)

    def _portion(self, looks: list[Look]) -> list[Look]:
        """The next of many new addresses, as long as not all of those before them led nowhere."""
        left = [look for look in looks if look.url not in self._looks]
        if self._ledger.doubts(NEW):
            left = spread(left)
        if NEW not in self._ledger.closed:
            return left[:PORTION]
        if left:
            self.offers.bounds.append(
                f"{VAIN} new addresses in a row led nowhere, so {len(left):,} more were not asked for"
            )
        return []

    def _young(self, looks: list[Look]) -> list[Look]:
        """With --since, without new addresses that are known to be older."""
        return [look for look in looks if look.why != "new" or not self.offers.since.is_older(look.url)]

    def _was_seen(self, key: str) -> bool:
        return key in self.remembered.seen

    def _home_looks(self, page: Page) -> list[Look]:
        """Without a feed, what the home page links to and looks like a post is news."""
        links = dict.fromkeys(read_facts(page).links)
        new = [u for u in links if self.scope.own_host(u) and self.known.pattern.matches(u) and not self.identity.at(u)]
        return [Look(url, "new") for url in new if not self._was_seen(url_key(url))][:HOME_LINKS]

    def _count_comments(self) -> list[Ask]:
        """Ask the system that draws the blog's comments how many there are."""
        return [] if self._unreachable() else self.late.asks(self.remembered.posts)

    def _draw_threads(self) -> list[Ask]:
        """Draw new posts whose comments only a browser sees, where nobody knew that before."""
        return self.rendering.thread_asks(post_keys(self.seen), settle=False)

    def _look_known(self) -> list[Ask]:
        """Posts of which a change is announced, comments came, that are absent from lists, or whose turn it is."""
        moved = self.judging.moved
        posts = [post for post in self.remembered.posts if post.id not in moved]
        if self._unreachable() or self._looks_done(posts):
            return []
        chosen = {look.post.id: look for look in self._wanted(posts) if look.post}
        days = [look for look in day_looks(self.offers, posts, self._keys) if look.post and look.post.id not in chosen]
        chosen |= {look.post.id: look for look in days if look.post}
        vain = sum(look.why == "missing" for look in chosen.values())
        sample = self._sample([post for post in posts if post.id not in chosen and not self._is_unjudged(post)])
        chosen |= {look.post.id: look for look in sample if look.post}
        least = 0 if sample else min(self.budget.pages, 1)
        number = max(self.budget.pages - vain - len(days) - len(sample), least)
        if vanished(self.offers, posts, self._keys) or (self.offers.feed is None and self._home is not None):
            number = max(number, min(SAMPLE, len(posts)))
        others = [post for post in posts if post.id not in chosen]
        again = [post for post in others if self._is_unjudged(post)]
        others = [post for post in others if not self._is_unjudged(post)]
        due = turns(others, self.clock.now, max(number - len(again), 0), lambda url: url in self.remembered.fresh)
        return self._ask([*chosen.values(), *(Look(post.url, "turn", post) for post in again), *due], TURN)

    def _sample(self, posts: list[KnownPost]) -> list[Look]:
        """A few of the posts that got a new date of change at once, and of which nothing else tells."""
        everything = self.remembered.posts
        stamped = {post.id for post in stamped_posts(self.offers, everything, self._keys)}
        mass = [post for post in posts if post.id in stamped]
        return self.mass.choose(mass, len(everything), self.clock.now)

    def _look_stamped(self) -> list[Ask]:
        """The others that got a new date of change at once, where the sample shows that this means edits."""
        return self.ask_again(self.mass.second_looks(self.judging)) or self._ask(
            self.mass.other_looks(self.judging), POST
        )

    def _is_unjudged(self, post: KnownPost) -> bool:
        """Whether a post was looked at while the blog was frozen, and what was seen is still to be judged."""
        return not self.remembered.unjudged.isdisjoint(self._keys(post))

    def _search(self) -> list[Ask]:
        """Posts that no list of the blog's own leads to any more: at their old addresses, then on its pages."""
        back = self._ask(self._at_former_addresses(), POST) if self.judging.came_back() else []
        if back or self._unreachable() or not (self._readdressed() or self._outrun()):
            return back
        lost = [Look(post.url, "turn", post) for post in self.judging.lost()[:MOST_LOST]]
        if self.judging.leads_on() and (asks := self._ask(lost, TURN)):
            return asks
        if not self._walk.begun:
            lists = sorted(url for url in self.remembered.addresses if other_kind(url) in LIST_KINDS)
            self._walk.begin(self.known.pattern, [self.scope.root, *lists], self._home)
        found = [url for url in self._walk.found() if not self.identity.at(url) and not self._was_seen(url_key(url))]
        if asks := self._ask([Look(url, "new") for url in found], POST):
            return asks
        if self._readdressed():
            return self._walk.more(PATIENCE) if lost else []
        return self._walk.more(IMPATIENCE)

    def _at_former_addresses(self) -> list[Look]:
        """Where some posts are back where they were, the others may be, too."""
        lost = {post.id: post for post in self.judging.lost() if post.former}
        looks = [look for look in returned(self.offers, self.remembered.posts, self._keys) if look.post]
        looks = [look for look in looks if look.post and look.post.id in lost]
        named = {look.post.id for look in looks if look.post}
        return looks + [Look(post.former[-1], "moved", post) for post in lost.values() if post.id not in named]

    def _readdressed(self) -> bool:
        """Whether the blog gave its posts new addresses: more are named under such than under those known."""
        named = [post for post in self.remembered.posts if post.id not in self.judging.moved and self._listed(post)]
        return len(self.judging.moved) > max(FEW_MOVED, len(named))

    def _outrun(self) -> bool:
        """Whether so much was published that the feed has forgotten everything known, and nothing else lists it."""
        entries = self.offers.entries.values()
        strangers = all(self.identity.at(entry.url) is None for entry in entries)
        return bool(entries) and strangers and not self.offers.sitemap_whole

    def _looks_done(self, posts: list[KnownPost]) -> bool:
        looked = {look.post.id for look in self._looks.values() if look.post and look.why != "moved"}
        return bool(looked & {post.id for post in posts})

    def _unreachable(self) -> bool:
        """Nothing of the blog answers: then nothing is learned from asking for its posts."""
        return bool(self.home_failure) and not self.offers.feeds and not self.offers.places

    def _wanted(self, posts: list[KnownPost]) -> list[Look]:
        absent = absences(self.offers, posts, self._keys)
        looks = vain_looks(posts, absent, self._listed, self.clock.now)
        late = self.late.looks(posts, self.budget.pages)
        edited = edit_looks(self.offers, posts, self._keys, not restated(self.offers, self.identity))
        return [*looks, *late, *self._comment_looks(posts), *edited]

    def _listed(self, post: KnownPost) -> bool:
        return any(self.offers.names(key) for key in self._keys(post))

    def _keys(self, post: KnownPost) -> list[str]:
        return [url_key(name) for name in names_of(post)]

    def _comment_looks(self, posts: list[KnownPost]) -> list[Look]:
        """Posts of which the comment feed, or the feed's count, knows more comments than the archive."""
        told = self.offers.comment_posts()
        looks = []
        for post in posts:
            entries = [entry for key in self._keys(post) for entry in told.get(key, ())]
            counted = [self.offers.entries[key].comment_count for key in self._keys(post) if key in self.offers.entries]
            more = max((count or 0 for count in counted), default=0) > post.comments
            if more or (entries and self._unknown_comment(post, entries)):
                looks.append(Look(post.url, "comments", post))
        return looks

    def _unknown_comment(self, post: KnownPost, entries: Iterable[Entry]) -> bool:
        comments = self.remembered.recall(post.id).get("comments") or []
        numbers = {comment.get("native_id") for comment in comments}
        urls = {(comment.get("url") or "").partition("#")[2] for comment in comments} - {""}
        for entry in entries:
            number, fragment = native_number(entry), entry.extra.get("fragment") or entry.url.partition("#")[2]
            told = entry.published.iso[:16] if entry.published else None
            known = number in numbers if number else fragment in urls
            if not known and not (told and any((c.get("published") or "").startswith(told) for c in comments)):
                return True
        return False

    def _ask(self, looks: Iterable[Look], priority: int) -> list[Ask]:
        new = {look.url: look for look in looks if look.url not in self._looks}
        self._looks |= new
        return [Ask(url, "entry", POST if look.why != "turn" else priority) for url, look in new.items()]

    def ask_again(self, looks: Iterable[Look]) -> list[Ask]:
        """Requests for looks that some later step needs."""
        found = list(looks)
        self._looks |= {look.url: look for look in found}
        return [Ask(look.url, "entry", TURN) for look in found]

    def report(self) -> UpdateFindings:
        """What was found, when everything was answered."""
        failure = (self.home_failure or "no answer") if self._unreachable() else None
        return self.judging.report(failure, self.budget)
