"""The crawl of one blog: home page, feed, the feed's pages, rules, then all that the blog links to.

Bodies are not kept; a page that is needed again is read from where its response lies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from blogforever.analyse.root import better_root
from blogforever.discover.feedlinks import best_feed, moved_to
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.extract.segment import segment_page
from blogforever.learn.samples import first_and_spread
from blogforever.learn.urlpattern import learn_url_pattern, other_kind
from blogforever.model import Entry, Failure, Feed, Page
from blogforever.pipeline.announcements import SOURCES
from blogforever.pipeline.entries import as_feed
from blogforever.pipeline.frontier import POST_PRIORITY, Frontier
from blogforever.pipeline.harvest import Harvest, harvest
from blogforever.pipeline.hostedcounts import HostedCounts
from blogforever.pipeline.learning import Lessons, SeenPage, Tools, post_keys
from blogforever.pipeline.limits import OFFERS_FOUND, ROOT_FOUND, CrawlLimits
from blogforever.pipeline.offers import NOT_RECORDED, Offers
from blogforever.pipeline.page import FIRST_LOOK, STAGES, Visit, go_through
from blogforever.pipeline.redirects import chain_of
from blogforever.pipeline.rendering import Rendering
from blogforever.pipeline.scope import has_name
from blogforever.pipeline.since import Since
from blogforever.pipeline.steps import NamedStep, StepMachine
from blogforever.pipeline.waiting import Waiting
from blogforever.protocols import Answer, Ask
from blogforever.urls import canonical, same_site, site_root, url_key, with_or_without_www

from .completeness import ELSEWHERE
from .following import LinkFollowing
from .plainhttp import plain_instead
from .postlimit import PostLimit
from .underway import UnderWay
from .worth import Worth

NOT_THERE = 404
GONE = frozenset({404, 410})
# Pages of feed entries that are fetched before the rules are learned; a few of them are read.
TRAINING_ENTRIES = 90
# With --since, older posts teach where there are fewer than this that are young enough.
FEW_TAUGHT = 5
# Pages next to an address without a feed that are looked at for one.
NEARBY = 8
# Feeds that are read where only the blog's home is wanted.
FEEDS_FOR_ROOT = 3
HOME_PRIORITY, ENTRY_PRIORITY = 20, 9
LEADS_HOME = "leads to the home page"


class BlogCrawl(StepMachine):
    """One blog, from its address to the evidence on all its pages."""

    def __init__(
        self,
        url: str,
        blog: str,
        tools: Tools,
        limits: CrawlLimits,
        rendering: Rendering | None = None,
        since: datetime | None = None,
        kept: Collection[str] = (),
    ) -> None:
        super().__init__(url, blog, tools, limits, rendering)
        self.posts = PostLimit(limits.posts, kept)
        # What stands after # is an address only to those who run the scripts.
        self.frontier = Frontier(self.scope, lambda: bool(self.rendering.articles))
        self.waiting = Waiting(limits.order, limits.misses_cost)
        self.since = Since(since)
        self.offers = Offers(not limits.only, self.since)
        self.counts = HostedCounts(tools.read, self.rendering.counts)
        self._address = url
        self._late: set[str] = set()
        self._under_way = UnderWay()
        self._links: list[tuple[str, str]] = []
        self._walking = self._looking_deeper = self._rooted = False
        self._home_page: Page | None = None
        self._worth = Worth(self.waiting, self.offers, self.known)
        self._following = LinkFollowing(
            self.frontier, self.waiting, self.since, self.offers, self.known, self._worth, self.reasons
        )
        self._lessons = Lessons(tools, self.known, self.offers, self.frontier, self.seen)
        self._readers = {
            "home": self._home,
            "robots": self._announced,
            "feed": self._announced,
            "sitemap": self._announced,
            "api": self._announced,
            "entry": self._page,
            "page": self._page,
            "comments": self._read_comments,
        }
        self._go_through(self._steps_of_a_crawl(), limits.only)

    def _steps_of_a_crawl(self) -> list[NamedStep]:
        lessons = self._lessons
        return [
            NamedStep(ROOT_FOUND, self._find_root),
            NamedStep(OFFERS_FOUND, self._find_feed),
            NamedStep("entries", self._fetch_entries),
            NamedStep("walk", self._walk, once=True),
            NamedStep("guessed lists", self._guess_lists),
            NamedStep("guessed pages", self._guess_pages),
            NamedStep("back in time", self._following.go_back),
            NamedStep("late announcements", self._look_at_late),
            NamedStep("posts shown elsewhere", lessons.place_shown_posts),
            NamedStep("learn without a feed", lessons.alone),
            NamedStep("links left", lambda: self.frontier.taken_up(self.scope.root)),
            NamedStep("learn from more pages", lessons.from_more_pages),
            NamedStep("learn other templates", lessons.again),
            NamedStep("look at numbered pages", lessons.look_at_numbered),
            NamedStep("name the author", lessons.name_the_author),
            NamedStep("further pages", self._ask_for_parts, once=True),
            NamedStep("join parts", lessons.join_parts),
            NamedStep("count threads", self._count_threads),
            NamedStep("draw threads", self._draw_threads),
            NamedStep("complete threads", lessons.complete_threads),
        ]

    # ------------------------------------------------------------------ the PageHandler

    def start(self) -> Iterable[Ask]:
        """The address as it was typed."""
        self.frontier.mark(canonical(self._address))
        return self._limited([Ask(self._address, "home", HOME_PRIORITY)])

    def _understood(self, answer: Answer) -> Answer:
        """What a drawn blog answers everywhere says nothing of an address that was only guessed."""
        if self.rendering.is_shell(answer) and self.known.lists.is_guess(answer.ask.url):
            return Answer(answer.ask, NOT_THERE)
        return answer

    def _note_hung(self, ask: Ask) -> None:
        self._worth.fruitless(ask)

    def _with_waiting(self, asks: list[Ask]) -> list[Ask]:
        """While walking, so many of the waiting that there is always something under way."""
        if not self._walking or self.stopped or self.posts.reached:
            return asks
        before = self.under_way
        if not (before or asks or self.waiting.posts()):
            asks = self.offers.further(self.waiting.is_closed)
        # What sitemaps, feed and API still have to tell comes after the posts they named, but before other links.
        if self.waiting.posts() or not self.offers.waits():
            asks = [*asks, *self._next_waiting(self._limits.at_once - before - len(asks))]
        return asks

    def _next_waiting(self, number: int) -> list[Ask]:
        """The next pages that no other address has led to while they waited."""
        asks: list[Ask] = []
        while len(asks) < number and (taken := self.waiting.take(number - len(asks))):
            asks += [ask for ask in taken if not self._has_been_reached(ask.url)]
        return asks

    def _has_been_reached(self, url: str) -> bool:
        return url in self._under_way or url_key(url) in self.seen

    def _limited(self, asks: Iterable[Ask]) -> list[Ask]:
        if self._walking:
            self.posts.count(len(self.seen), lambda: self.harvest().posts)
            asks = self.posts.still_wanted(asks)
        limited = super()._limited(asks)
        self._under_way.asked(limited)
        return limited

    def _handled(self, answer: Answer) -> list[Ask]:
        """One answer, then the redirects that were waiting for it."""
        leading = self._under_way.came(answer.ask)
        asks = list(super()._handled(answer))
        for redirect, target in leading:
            asks += self._redirected(redirect, target)
        return asks

    # ------------------------------------------------------------------ answers

    def _announced(self, answer: Answer, page: Page) -> list[Ask]:
        """A document that tells of posts.

        What it names is asked for at once when the walk has begun.
        """
        asks = self.offers.read(page, answer.ask)
        if self._walking:
            self._take_in()
        return asks

    def _instead_of_following(self, answer: Answer, target: str) -> list[Ask] | None:
        """A page that leads out of the blog, home, or to what was seen is not followed."""
        ask, chain = answer.ask, chain_of(answer.ask)
        if ask.role not in ("page", "entry"):
            return None
        if ask.role == "page" and self.scope.admit(target) is None:
            self._note(chain, ELSEWHERE)
        elif url_key(target) == url_key(self.scope.root) != url_key(chain[0]):
            self._note(chain, LEADS_HOME)
            if ask.role == "entry":
                return self._failed(answer, LEADS_HOME)
        elif seen := self.seen.get(url_key(target)):
            self._add_names(seen, chain)
        elif target in self._under_way:
            self._under_way.wait_for(target, answer)
            return []
        else:
            self.frontier.mark(target)
            return None
        self._worth.fruitless(ask)
        return []

    def _add_names(self, seen: SeenPage, names: Iterable[str]) -> None:
        for url in names:
            if url not in seen.aliases:
                seen.aliases.append(url)
            seen.evidence.in_feed |= url_key(url) in self.known.entries

    def _note(self, urls: Iterable[str], reason: str) -> None:
        """Why these addresses were not captured."""
        self.reasons |= dict.fromkeys(map(url_key, urls), reason)

    def _failed(self, answer: Answer, why: str = "") -> list[Ask]:
        ask = answer.ask
        reason = why or (answer.failure.reason if answer.failure else f"status {answer.status}")
        if ask.role == "home":
            return self._home_failed(ask, answer, reason)
        if ask.role in SOURCES:
            is_told = answer.failure is not None or answer.ref is not None
            return self.offers.failed(ask, reason if is_told else NOT_RECORDED)
        return self._page_failed(answer, reason) if ask.role in ("entry", "page") else []

    def _page_failed(self, answer: Answer, reason: str) -> list[Ask]:
        """A page could not be had: another spelling of its address may."""
        ask = answer.ask
        self._note(chain_of(ask), reason)
        if other := self.frontier.retry(ask.url):
            return [Ask(other.url, ask.role, ask.priority, ask.via)]
        if not ask.again:
            self._worth.fruitless(ask)
        self.known.lists.fail(ask.first, reason)
        if ask.role == "entry":
            return self._entry_failed(ask, reason, answer.failure)
        # A dead link somewhere on a page is no failure of the crawl.
        if answer.failure or answer.status not in GONE:
            self._tools.keeper.fail(answer.failure or Failure(ask.url, reason, f"linked from {ask.via}"))
        return []

    def _home_failed(self, ask: Ask, answer: Answer, reason: str) -> list[Ask]:
        """A host that answers at all may still have a feed.

        One that does not may have another name, or only http.
        """
        self.home_failure = self.home_failure or reason
        first_try = not ask.chain
        answers = answer.failure is None
        if first_try and has_name(ask.url) and (answers or reason == "no such host"):
            return [Ask(with_or_without_www(ask.url), "home", HOME_PRIORITY, chain=(ask.url,))]
        if answers:
            return self.offers.ask_for(self._address, None)
        if first_try and (plain := plain_instead(ask.url, reason)):
            self.scope.root = plain
            return [Ask(self.scope.root, "home", HOME_PRIORITY, chain=(ask.url,))]
        self._steps.clear()
        return []

    def _entry_failed(self, ask: Ask, reason: str, failure: Failure | None) -> list[Ask]:
        """The feed may speak of the blog by a name it no longer has."""
        first = ask.first
        moved = self.scope.admit(first)
        if moved and not same_site(moved, ask.url) and (again := self.frontier.ask(canonical(moved), ask.url)):
            return [Ask(again.url, "entry", ask.priority, ask.url)]
        self._tools.keeper.fail(Failure(first, reason, failure.detail if failure else "").announced_by("feed"))
        return []

    def _home(self, answer: Answer, page: Page) -> list[Ask]:
        feed = None if looks_like_html(page) else as_feed(page)
        if feed:
            return self._home_of(feed)
        self.scope.root = page.url
        self.home_failure, self.home_ref = None, answer.ref
        self._home_page = page if self._home_page is None else self._home_page
        offered = self.offers.ask_for(page.url, page)
        if self._limits.only == ROOT_FOUND:
            return [ask for ask in offered if ask.role == "feed"][:FEEDS_FOR_ROOT]
        return [*self._page(answer, page), *offered]

    def _home_of(self, feed: Feed) -> list[Ask]:
        """The address was that of a feed, which names the blog's home."""
        self.offers.feeds.append(feed)
        self.scope.root = feed.link if feed.link and feed.link != feed.url else site_root(feed.url)
        again = self.frontier.ask(canonical(self.scope.root), feed.url)
        return [Ask(again.url, "home", HOME_PRIORITY)] if again else []

    def _page(self, answer: Answer, page: Page) -> list[Ask]:
        """A page of the blog: through the stages, and its links to the frontier."""
        if not self.scope.own_host(page.url):
            self._note((page.url, *answer.ask.chain), ELSEWHERE)
            return []
        key = url_key(page.url)
        if key in self.seen:
            self._add_names(self.seen[key], (page.url, *answer.ask.chain))
            self._worth.fruitless(answer.ask)
            return []
        # Before the walk there are no rules to extract with: the page will be read again.
        stages = STAGES if self._walking else FIRST_LOOK
        if self._walking:
            self._lessons.take_apart(page, answer.ref, answer.ask.chain, stages)
        visit = go_through(Visit(page, answer.ref, answer.ask.chain), self.known, stages)
        target = self.scope.admit(visit.facts.moved_to) if visit.facts.moved_to else None
        if target:
            return self._redirected(answer, target)
        self.seen[key] = SeenPage(visit.evidence, answer.ref, list(answer.ask.chain))
        if visit.record:
            self._tools.keeper.keep(page.url, visit.record)
        if self._walking:
            self._worth.came(answer.ask, visit)
            self._following.follow(visit)
            return []
        self._links += [(link, page.url) for link in visit.facts.links]
        return self.offers.feeds_named(page) if self._looking_deeper else []

    # ------------------------------------------------------------------ steps

    def _find_root(self) -> list[Ask]:
        """The address may be that of a post, a list or a feed: find the blog's home, once."""
        page, self._home_page = self._home_page, None
        if page is None or self._rooted:
            return []
        self._rooted = True
        home = better_root(page, read_facts(page), best_feed(self.offers.feeds, page.url))
        if home is None:
            return []
        self.scope.root = home
        self.frontier.mark(home)
        return [] if self._limits.only == ROOT_FOUND else [Ask(home, "home", HOME_PRIORITY, page.url)]

    def _find_feed(self) -> list[Ask]:
        """Choose among the feeds found, with their older pages.

        Where there is none, try where feeds usually lie.
        """
        if self.offers.feed:
            return []
        feed = self.offers.choose(self.scope.root)
        if feed is None:
            return self._look_deeper() or self.offers.probe()
        self.scope.add_name(feed.link)
        self.scope.add_usual_host(entry.url for entry in feed.entries)
        return self.offers.older(feed)

    def _look_deeper(self) -> list[Ask]:
        """The blog may lie behind a page that is not its own: look at a few pages next to the address."""
        if self._looking_deeper:
            return []
        self._looking_deeper = True
        links = {link for link, _via in self._links}
        asks: list[Ask] = []
        # The nearest first: a blog below another site is usually named by a short address.
        for link in sorted(links, key=lambda url: (url.count("/"), len(url))):
            if len(asks) >= NEARBY:
                break
            asks += self.frontier.wanted([link], self.scope.root)
        return asks

    def _fetch_entries(self) -> list[Ask]:
        """Fetch the pages of the feed's entries; they are the training data."""
        feed = self.offers.feed
        if feed is None or self.known.entries:
            return []
        self._know(feed)
        for seen in self.seen.values():
            seen.evidence.in_feed = url_key(seen.evidence.url) in self.known.entries
        return self._ask_entries(self._taught(feed), feed.url)

    def _taught(self, feed: Feed) -> list[Entry]:
        """The entries whose pages teach.

        With --since few old ones, where there are not enough of the others.
        """
        wanted = self.posts.most
        most = max(wanted + len(self.posts.known), FEW_TAUGHT) if wanted else len(feed.entries)
        entries = first_and_spread(feed.entries[:most], TRAINING_ENTRIES)
        if not self.since:
            return entries
        young = [entry for entry in entries if not self.since.is_older(entry.url)]
        old = [entry for entry in entries if self.since.is_older(entry.url)]
        return [*young, *old[: max(FEW_TAUGHT - len(young), 0)]]

    def _know(self, feed: Feed) -> None:
        """Remember what is said of each post, under its announced address and the one it has now."""
        for entry, moved in zip(feed.entries, moved_to(feed, self.scope.root).entries, strict=True):
            self.known.entries.setdefault(url_key(moved.url), entry)
            self.known.entries.setdefault(url_key(entry.url), entry)

    def _ask_entries(self, entries: Iterable[Entry], via: str) -> list[Ask]:
        asks = (self.frontier.ask(canonical(entry.url), via) for entry in entries)
        return [Ask(ask.url, "entry", ENTRY_PRIORITY, ask.via) for ask in asks if ask]

    def _guess_lists(self) -> list[Ask]:
        """Of a drawn blog, look for lists that nobody links to only behind all links: pages are dear."""
        if self.offers.tells_history() or not self.rendering.articles:
            return []
        posts = [seen.evidence.url for seen in self.seen.values() if seen.evidence.matches]
        return self.frontier.wanted(self._guessed_lists(posts), self.scope.root)

    def _guess_pages(self) -> list[Ask]:
        """Where nothing tells of older posts, look for the pages to which only scripts lead."""
        further = [] if self.offers.tells_history() else self.known.lists.further(self.scope.root)
        return self.frontier.wanted(further, self.scope.root)

    def _ask_for_parts(self) -> list[Ask]:
        """Further pages of posts that nobody came to before there were posts enough."""
        if not self.posts.reached:
            return []
        wanted = self.posts.lacking_parts(self.known.parts.places(), self.harvest().posts)
        return [Ask(url, "page", POST_PRIORITY) for url in wanted if url_key(url) not in self.seen]

    def harvest(self) -> Harvest:
        """Which of the pages that came are posts."""
        return harvest(list(self.seen.values()), self.known.rules, self.known.lists)

    def read_what_came(self) -> None:
        """Who is stopped before the walk has begun has pages of posts that nobody has read yet."""
        if self.seen and not self._walking:
            self._walk()

    def _count_threads(self) -> list[Ask]:
        """Ask the system that would draw comments which posts have any."""
        return self.counts.asks(self.rendering.uncounted(post_keys(self.seen)))

    def _draw_threads(self) -> list[Ask]:
        """Draw the posts whose comments only a browser sees."""
        return self.rendering.thread_asks(post_keys(self.seen))

    def _walk(self) -> list[Ask]:
        """Learn from the entries' pages, extract what is there, then follow every link of the blog."""
        self._walking = True
        self.rendering.decide()
        self._lessons.part_pages()
        posts = self._learn_addresses()
        self._lessons.from_entries()
        for seen in list(self.seen.values()):
            self._lessons.look_again(seen)
        if self._following.guesses_lists_early():
            self._links += [(url, self.scope.root) for url in self._guessed_lists(posts)]
        _, places = self.offers.fresh()
        links, self._links = [*places, *self._links], []
        feed = self.offers.feed
        if feed:
            self._following.announced(self._ask_entries(feed.entries, feed.url))
        self._following.linked(links)
        return []

    def _learn_addresses(self) -> list[str]:
        """What addresses of posts look like, by those of the feed's entries, else by those sitemaps say are posts."""
        in_feed = [seen.evidence for seen in self.seen.values() if seen.evidence.in_feed]
        posts = [evidence.url for evidence in in_feed]
        self.scope.settle(posts or self._shown_at_home())
        if not posts:
            posts = [url for url in self.offers.post_sitemap_urls() if not other_kind(url)]
        lists = [place.url for place in self.offers.places.values() if other_kind(place.url)]
        self.known.pattern = self.frontier.pattern = learn_url_pattern(posts, lists)
        # Where most posts are marked as something else, by a platform's own type, the mark says nothing.
        marked = sum(evidence.says_other for evidence in in_feed)
        self.known.own_type = marked * 2 > len(in_feed)
        return posts

    def _shown_at_home(self) -> list[str]:
        """Where the posts lie that the home page shows: no feed says it, and it may be anywhere."""
        home = self.seen.get(url_key(self.scope.root))
        if home is None or home.ref is None or self.scope.root == site_root(self.scope.root):
            return []
        return [post.url for post in segment_page(self._tools.read(home.ref))]

    def _guessed_lists(self, posts: Iterable[str]) -> list[str]:
        return [*self.known.lists.usual(self.scope.root), *self.known.lists.above(posts)]

    def _take_in(self) -> None:
        """Ask for what sitemaps, the feed's older pages and the API have named while the walk went on."""
        entries, places = self.offers.fresh()
        feed = self.offers.feed
        if feed and entries:
            self._know(replace(feed, entries=tuple(entries)))
            self._following.announced(self._ask_entries(entries, feed.url))
        self._late |= {url_key(entry.url) for entry in entries}
        self._following.linked(places)

    def _look_at_late(self) -> list[Ask]:
        """What the feed said of pages after these were read."""
        for key, seen in self.seen.items():
            names = {key, *map(url_key, seen.aliases)}
            if not seen.evidence.in_feed and names & self._late:
                self._lessons.look_again(seen)
        self._late.clear()
        return []
