"""Which pages of a blog a browser draws, told from evidence, and how what it drew takes the place
of what came.

`auto` looks at the first pages as they came. Those that show nothing without scripts are drawn, one
or two as a probe, and where they gain by it the whole blog is drawn. Comments that a hosted system
would draw are looked for when the posts are known: again a few first, and all of them where that
brought comments. What drawing does not better stays as it came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from blogforever import clock
from blogforever.comments import extract_comments
from blogforever.config import Render
from blogforever.discover.pagefacts import looks_like_html
from blogforever.fetch.drawing import screenshot_name
from blogforever.model import Entry, Failure, Need, Page
from blogforever.protocols import Answer, Ask, Drawn, Ref
from blogforever.records import SourceRecord
from blogforever.render.need import comment_systems, gain, lost, suspicion
from blogforever.urls import page_key, route_of

from .hostedcounts import Counted
from .record import source_record

PAGES = frozenset({"home", "entry", "page"})
JUDGED = 12
"""Pages that are looked at before a blog counts as one that needs no browser."""
PROBED, PROBED_ON = 2, 4
"""Pages that are drawn as a probe; more where the first one gained by it."""
# One page that gains by being drawn may be an exception.
SURE = 2
PROBES = 5
"""Pages that are drawn, all in all, of a blog that needs no browser."""
# Blogs change their themes: what was found out about one is looked for anew after a month.
VALID_DAYS = 30
# Responses that are remembered for pages that differ only after #.
SHELLS = 50
SHELL = 3
"""Addresses that must answer the same for it to say nothing."""
# Reasons why a browser is needed that are written down: they are for people to read.
MOST_EVIDENCE = 3
PRIORITY = 7


@dataclass(frozen=True, slots=True)
class Plain:
    """The page as it came, before it was drawn; `links` are those its scripts lead to."""

    page: Page
    ref: Ref | None
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """A post whose comments a hosted system would draw."""

    url: str
    ref: Ref


class Rendering:
    """Decides for one blog; `able` says whether there is a browser, `need` what an earlier crawl
    found.

    `walks` is false for an update, which looks at a few pages only.
    """

    def __init__(
        self,
        mode: Render = "never",
        able: bool = True,
        fail: Callable[[Failure], None] = lambda _failure: None,
        need: Need | None = None,
        screenshots: bool = False,
        today: date | None = None,
        walks: bool = True,
    ) -> None:
        self._auto, self.able, self._fail, self._screenshots = mode == "auto", able, fail, screenshots
        self._today = today or clock.today()
        self.articles: bool | None = True if mode == "always" else None
        """Whether the pages themselves are drawn; None where that is to be found out."""
        self.comments: bool | None = None
        """Whether comments are drawn; None where that is to be found out."""
        self._evidence: list[str] = []
        self._checked = ""
        if need and self._auto:
            self._recall(need, walks)
        self._judged = self._probed = self._probing = self._gains = 0
        self._held: list[Answer] = []
        self._plain: dict[str, Plain] = {}
        self._shells: dict[str, Ref] = {}
        self._bodies: Counter[int] = Counter()
        self._pictures: dict[str, str] = {}
        self._threads: dict[str, Thread] = {}
        self._asked: set[str] = set()
        self.counts: dict[str, int] = {}
        """How many comments a hosted system says posts have, by their keys."""
        self._commented: dict[str, Ref] = {}
        self.systems: Counter[str] = Counter()
        self.drawn = self.failed = self.blank = 0

    def _recall(self, need: Need, walks: bool) -> None:
        """What an earlier crawl found out, where that is not too long ago."""
        if still_valid(need, self._today):
            self.articles, self.comments = need.articles, need.comments
            self._evidence, self._checked = list(need.evidence), need.checked
        if need.comments and not walks:
            # An update sees too few pages to find it out anew: until a walk, it holds that comments
            # are drawn.
            self.comments = True

    @property
    def may_draw(self) -> bool:
        """Whether pages are drawn where it is needed."""
        return self.able and (self._auto or bool(self.articles))

    # ------------------------------------------------------------------ articles

    def marked(self, asks: Iterable[Ask], guessed: Callable[[str], bool] = lambda _url: False) -> list[Ask]:
        """The asks, those of pages to be drawn with the wish for it.

        What is only guessed is looked at first.
        """
        if not self.able or not (self.articles or self._screenshots):
            return list(asks)
        return [self._to_draw(ask) if ask.role in PAGES and not guessed(ask.url) else ask for ask in asks]

    def is_shell(self, answer: Answer) -> bool:
        """Whether this is the page that a blog drawn by scripts answers everywhere, whether it has
        something or not.
        """
        page = answer.page if self.articles and not answer.ask.draw and not route_of(answer.ask.url) else None
        return page is not None and self._bodies[hash(page.content)] >= SHELL

    def _to_draw(self, ask: Ask) -> Ask:
        """Pages that differ only after # are one to the server, and fetched once."""
        kept = self._shells.get(ask.url.partition("#")[0]) if route_of(ask.url) else None
        return replace(ask, draw=True, kept=kept)

    def receive(self, answer: Answer, entry: Entry | None = None) -> tuple[list[Answer], list[Ask]]:
        """The answers that can be handled now, and what has to be drawn before others can."""
        self._note_shell(answer)
        if answer.ask.draw:
            return self._came_back(answer, entry) if answer.ask.role in PAGES else ([answer], [])
        if not self._judgeable(answer):
            return [answer], []
        if not self.able:
            self._note_blank(answer, entry)
            return [answer], []
        if self.articles or self._wants_thread(answer):
            return [], [draw_ask(answer)]
        if self._undecided() and self._suspects(answer, entry):
            return self._probe(answer)
        return [answer], []

    def _note_shell(self, answer: Answer) -> None:
        """Remember where a response lies: pages that differ only after # have the same one."""
        is_page = answer.ask.role in PAGES and answer.status == 200
        if is_page and answer.ref and len(self._shells) < SHELLS:
            self._shells.setdefault(answer.ask.url.partition("#")[0], answer.ref)

    def _probe(self, answer: Answer) -> tuple[list[Answer], list[Ask]]:
        """A page that shows nothing is drawn as a probe; while others are, it is held back."""
        if self._may_probe():
            self._probed += 1
            self._probing += 1
            return [], [draw_ask(answer)]
        if self._probing:
            self._held.append(answer)
            return [], []
        return [answer], []

    def _came_back(self, answer: Answer, entry: Entry | None) -> tuple[list[Answer], list[Ask]]:
        better = self._bettered(answer, entry)
        if self.articles is None:
            self._probing -= answer.ask.kept is not None and self._probing > 0
            self._gains += better is not answer
            if self._gains >= SURE:
                self.articles = True
        return self._released([better])

    def decide(self) -> None:
        """The walk begins: where every page so far was empty and gained by being drawn, one is
        enough.
        """
        if self.articles is None and 0 < self._gains == self._judged:
            self.articles = True

    def _released(self, ready: list[Answer]) -> tuple[list[Answer], list[Ask]]:
        """What was held back goes on as soon as it is known how."""
        if self._probing and not self.articles:
            return ready, []
        held, self._held = self._held, []
        if self.articles:
            return ready, [draw_ask(answer) for answer in held]
        return ready + held, []

    def _bettered(self, answer: Answer, entry: Entry | None) -> Answer:
        """The answer with the drawn page in the place of the one that came, unless that would be a
        loss.
        """
        drawn, page = answer.drawn, answer.page
        if drawn is None or page is None:
            if answer.failure and page:
                self.failed += 1
                self._fail(answer.failure)
            return answer
        self.drawn += 1
        if drawn.picture:
            self._pictures[page_key(drawn.page.url)] = screenshot_name(drawn.page.url)
        if not self._is_better(page, drawn.page, entry):
            self._note_comments(drawn)
            return answer
        self._bodies[hash(page.content)] += 1
        self._plain[page_key(drawn.page.url)] = Plain(replace(page, content=b""), answer.ref, drawn.links)
        return replace(answer, page=drawn.page, ref=drawn.ref)

    def _is_better(self, page: Page, drawn: Page, entry: Entry | None) -> bool:
        """Whether what was drawn takes the place of what came."""
        if self.articles:
            return not lost(page, drawn)
        return self._auto and gain(page, drawn, entry).article

    def _judgeable(self, answer: Answer) -> bool:
        if not self._auto or answer.ask.role not in PAGES:
            return False
        came = answer.status == 200 and answer.ref is not None
        return came and answer.page is not None and looks_like_html(answer.page)

    def _undecided(self) -> bool:
        return self.articles is None and (self._judged < JUDGED or self._probing > 0)

    def _suspects(self, answer: Answer, entry: Entry | None) -> bool:
        assert answer.page is not None
        self._judged += 1
        why = suspicion(answer.page, entry)
        if why and len(self._evidence) < MOST_EVIDENCE:
            self._evidence.append(f"{answer.ask.url}: {why}")
        return why is not None

    def _may_probe(self) -> bool:
        return self._probed < (PROBED_ON if self._gains else PROBED)

    def _note_blank(self, answer: Answer, entry: Entry | None) -> None:
        """Without a browser: how many of the first pages showed nothing."""
        if self._undecided() and self._suspects(answer, entry):
            self.blank += 1

    # ------------------------------------------------------------------ comments

    def note_thread(self, page: Page, ref: Ref | None) -> None:
        """A post that shows no comments: perhaps a hosted system would draw some."""
        key = page_key(page.url)
        if not self._auto or self.articles or self.comments is False:
            return
        if ref is None or key in self._threads:
            return
        systems = comment_systems(page)
        if systems:
            self.systems.update(systems)
            self._threads[key] = Thread(page.url, ref)

    def _wants_thread(self, answer: Answer) -> bool:
        """A post of a blog that is known to have its comments drawn: with them at once."""
        key = page_key(answer.ask.url)
        if not self.comments or answer.ask.role != "entry" or key in self._asked:
            return False
        if answer.page is None or not comment_systems(answer.page):
            return False
        self._asked.add(key)
        return not extract_comments(answer.page)

    def _note_comments(self, drawn: Drawn) -> None:
        if self.comments and drawn.ref and extract_comments(drawn.page):
            self._commented[page_key(drawn.page.url)] = drawn.ref

    def commented(self, url: str) -> Ref | None:
        """Where the comments stand that were drawn of a post, whose page else stays as it came."""
        return self._commented.get(page_key(url))

    def uncounted(self, posts: Iterable[str]) -> list[Counted]:
        """The posts whose comments a hosted system would draw, to ask it how many they have."""
        if not self._draws_threads():
            return []
        threads = [(key, self._threads[key]) for key in posts if key in self._threads]
        return [Counted(key, thread.url, thread.ref) for key, thread in threads]

    def _draws_threads(self) -> bool:
        """Whether posts may be drawn for their comments alone."""
        return self.able and not self.articles and self.comments is not False

    def thread_asks(self, posts: Iterable[str], settle: bool = True) -> list[Ask]:
        """The posts to draw for their comments: a few, and when those had some, all.

        With `settle`, that none had any is held to be true of all.
        """
        if not self._draws_threads():
            return []
        waiting = self._waiting_threads(posts)
        if not self.comments:
            waiting = spread(waiting, PROBES - self._probed - len(self._asked))
        self._asked |= {page_key(thread.url) for thread in waiting}
        none_had_any = not waiting and self.comments is None and bool(self._asked)
        if settle and none_had_any:
            self.comments = False
        return [Ask(thread.url, "comments", PRIORITY, draw=True, kept=thread.ref) for thread in waiting]

    def _waiting_threads(self, posts: Iterable[str]) -> list[Thread]:
        new = [key for key in posts if key in self._threads and key not in self._asked]
        if any(self.counts.values()):
            # Those of which it says that nobody wrote are left; where it knows of none at all, it
            # proves nothing.
            new = [key for key in new if self.counts.get(key, 1)]
        return [self._threads[key] for key in new]

    def drawn_thread(self, answer: Answer) -> Ref | None:
        """Where the comments of a post stand that was drawn for them; None where none came."""
        drawn = answer.drawn
        if drawn is None:
            self.failed += 1
            if answer.failure:
                self._fail(answer.failure)
            return None
        self.drawn += 1
        if not extract_comments(drawn.page):
            return None
        self.comments = True
        return drawn.ref

    # ------------------------------------------------------------------ what is told

    def links(self, url: str) -> tuple[str, ...]:
        """Where the scripts of a drawn page lead."""
        plain = self._plain.get(page_key(url))
        return plain.links if plain else ()

    def screenshot(self, url: str) -> str | None:
        """The name under which the picture of a page is kept."""
        return self._pictures.get(page_key(url))

    def sources(self, page: Page, ref: Ref | None) -> list[SourceRecord]:
        """Where a post's bytes came from: its page, and what the browser drew of it."""
        plain = self._plain.get(page_key(page.url))
        if plain is None:
            return [source_record(page, ref)]
        return [source_record(page, ref, "rendered"), source_record(plain.page, plain.ref)]

    def verdict(self) -> Need | None:
        """What the crawl has found out; None where it was not looked for."""
        if not self._auto or not self.able or not (self._judged or self._checked):
            return None
        checked = self._checked or self._today.isoformat()
        return Need(bool(self.articles), bool(self.comments), checked, tuple(self._evidence))

    def unseen(self, remedy: str) -> str | None:
        """What could not be seen for want of a browser, and how to have one."""
        if self.able or not self._auto:
            return None
        parts = []
        if self.blank:
            parts.append(f"pages that scripts draw ({self.blank} of the first {self._judged})")
        for system, posts in self.systems.most_common(1):
            parts.append(f"comments by {system.title()} ({posts} posts)")
        if not parts:
            return None
        return f"Not seen for want of a browser: {', '.join(parts)}. To have one: {remedy}"


def draw_ask(answer: Answer) -> Ask:
    """The same page once more, drawn from the response that is here."""
    return replace(answer.ask, draw=True, kept=answer.ref)


def still_valid(need: Need, today: date) -> bool:
    """Whether a verdict is fresh enough to be relied on."""
    try:
        age = today - date.fromisoformat(need.checked)
    except ValueError:
        return False
    return 0 <= age.days <= VALID_DAYS


def spread(threads: Sequence[Thread], number: int) -> list[Thread]:
    """So many of them, from the first to the last."""
    if number <= 0:
        return []
    step = max(len(threads) / number, 1)
    return [threads[int(i * step)] for i in range(min(number, len(threads)))]
