"""How complete a crawl is: which posts each source announces, which were captured, and why the
others were not.

It says "complete" only where every announced post is captured, every source was read to its end,
nothing stopped the crawl, and one of the sources lists everything: it tells so itself, as an API or
a feed with all its older pages does, or it is a sitemap; and it names every post that was found.
The last entries of a feed are no such list. Posts are counted, not addresses. Announced pages that
are no posts, or not the blog's own, are set aside with their reason: they are listed, but they are
not missing. What a feed or an API calls a post is missing, whatever its page was taken for. The
blog's own archive pages are counted, but nobody knows whether they show all, so they make nothing
complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import UNSET

from blogforever.comments.paging import MOST_PAGES
from blogforever.pipeline.record import COMMENT_PAGES_CUT, COMMENTS_CUT, PAGE_CUT
from blogforever.records import CertificateRecord, CompletenessRecord, LeftOut, NotFollowed, SourceTally, TrapRecord
from blogforever.urls import url_key
from blogforever.wording import N_, counted

LISTS = "archive pages"
FEEDS = frozenset({"feed", "older feed pages"})
NOT_A_POST, ELSEWHERE = N_("not a post"), N_("on another site")
UNDATED = N_("an undated page beside the posts")
OWN_PAGE = N_("no post, kept as a page of the blog")
UNRECOGNISED = N_("fetched, but not recognised as a post")
TOO_OLD = N_("left out by choice: older than --since")
ASIDE = frozenset({NOT_A_POST, OWN_PAGE, ELSEWHERE, UNDATED, TOO_OLD, "a file, not a page"})
READ_IN_PART = {
    PAGE_CUT: " longer, or of more mark-up, than is read of a page: the end is missing",
    COMMENTS_CUT: " with more comments on a page or in a feed than are read: the rest was not read",
    COMMENT_PAGES_CUT: f" with more than {MOST_PAGES:,} pages of comments: the rest was not read",
}
"""What a statement says of posts that were not read whole, by what their records say."""
# Traps, and hosts with a certificate that is not valid, that are named to people. The record names
# all.
SHOWN = 3
WORDS = {
    "blocked by robots": N_("blocked by robots.txt"),
    "private": N_("refused: a private address"),
    "trap": N_("trap limit"),
    "machinery": NOT_A_POST,
    "file": N_("a file, not a page"),
    "document": N_("a file, not a page"),
    "endless": N_("a calendar or a query without end"),
    "no such host": N_("its host does not exist"),
    "too large": N_("cut by the limit of size"),
    "timeout": N_("cut by the limit of time"),
    "cut off": N_("cut short: the connection ended before it did"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """Who announces posts: how many, and how many of them were captured."""

    name: str
    where: str
    announced: int
    captured: int
    aside: int = 0
    whole: bool = False
    """Whether it lists everything, as far as anybody can tell."""

    def record(self) -> SourceTally:
        """As it is kept in the blog's record."""
        return SourceTally(
            source=self.name,
            url=self.where,
            announced=self.announced,
            captured=self.captured,
            set_aside=self.aside,
            whole=self.whole,
        )


@dataclass(frozen=True, slots=True)
class Completeness:
    """The statement: the sources, what is missing and why, what was set aside and why, what was cut
    short.
    """

    sources: tuple[Source, ...] = ()
    announced: int = 0
    missing: Mapping[str, str] = field(default_factory=dict)
    aside: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[str, ...] = ()
    stopped: str | None = None
    traps: Mapping[str, int] = field(default_factory=dict)
    cadence: str = ""
    """How soon old posts that nothing announces are looked at again."""
    distrusted: Mapping[str, str] = field(default_factory=dict)
    """Hosts whose certificate is not valid, and why."""
    left: tuple[NotFollowed, ...] = ()
    """Links of the blog that were not followed, by reason."""
    posts: int = 0
    bare: int = 0
    """Of the posts that are kept, those of which neither a text nor a picture could be read."""

    @property
    def captured(self) -> int:
        """How many announced posts were captured."""
        return self.announced - len(self.missing) - len(self.aside)

    @property
    def complete(self) -> bool:
        """Whether everything that is announced is there, as far as anybody can tell."""
        return self.lists_all and not (self.missing or self.bounds or self.stopped or self.mostly_bare)

    @property
    def lists_all(self) -> bool:
        """Whether any source lists every post of the blog."""
        return any(source.whole for source in self.sources)

    @property
    def mostly_bare(self) -> bool:
        """Whether most posts have nothing in them: no blog is like that, so that they were read
        wrongly.
        """
        return 2 * self.bare > self.posts

    @property
    def is_announced(self) -> bool:
        """Whether anybody announces posts, beside the pages that list them."""
        return any(source.name != LISTS for source in self.sources)

    def record(self) -> CompletenessRecord:
        """As it is kept in the blog's record."""
        return CompletenessRecord(
            complete=self.complete,
            announced=self.announced,
            captured=self.captured,
            sources=tuple(source.record() for source in self.sources),
            missing=tuple(LeftOut(url, reason) for url, reason in self.missing.items()),
            set_aside=tuple(LeftOut(url, reason) for url, reason in self.aside.items()),
            limits=tuple(self.bounds),
            stopped_by=self.stopped,
            cadence=self.cadence or None,
            without_text=self.bare,
            traps=tuple(TrapRecord(url, left) for url, left in self.traps.items()),
            not_followed=self.left,
            certificates=tuple(CertificateRecord(host, reason) for host, reason in self.distrusted.items()),
        )

    def sentences(self) -> list[str]:
        """The same for people."""
        lines = [_sentence(source) for source in self.sources]
        if self.aside:
            lines += _aside_sentences(self.aside)
        lines += [f"Not everything could be looked at: {bound}." for bound in self.bounds]
        for url in list(self.traps)[:SHOWN]:
            lines.append(f"A trap was left: no post in a hundred pages like {url}, or linked from it.")
        lines += [_left_sentence(left) for left in self.left]
        lines += _untrusted(self.distrusted)
        if self.cadence:
            lines.append(f"{self.cadence}.")
        if self.bare:
            lines.append(self._bare_sentence())
        return lines + self._conclusion()

    def _conclusion(self) -> list[str]:
        if self.complete:
            return ["Complete: every post that is announced was captured."]
        if self.missing:
            return [f"Not complete: {_count(len(self.missing), 'announced post')} missing."]
        if not self.is_announced:
            return ["No feed, API or sitemap announces posts: nobody can say whether these are all."]
        if not (self.lists_all or self.bounds or self.stopped):
            return ["Every announced post was captured, but nothing lists all posts: there may be older ones."]
        return []

    def _bare_sentence(self) -> str:
        has = "has" if self.bare == 1 else "have"
        bare = f"{self.bare:,} of {_count(self.posts, 'post')} {has} neither a text nor a picture that could be read"
        return f"Not complete: {bare}; the pages are kept." if self.mostly_bare else f"{bare}."


def kept_statement(record: CompletenessRecord, posts: int) -> Completeness:
    """The statement of an earlier crawl, as the blog's record keeps it."""
    return Completeness(
        sources=tuple(
            Source(tally.source, tally.url, tally.announced, tally.captured, tally.set_aside, _was_whole(tally, record))
            for tally in record.sources
        ),
        announced=record.announced,
        missing={left.url: left.reason for left in record.missing},
        aside={left.url: left.reason for left in record.set_aside},
        bounds=record.limits,
        stopped=record.stopped_by,
        traps={trap.url: trap.left for trap in record.traps or ()},
        cadence=record.cadence or "",
        left=record.not_followed or (),
        distrusted={host.host: host.not_valid for host in record.certificates or ()},
        posts=posts,
        bare=record.without_text or 0,
    )


@dataclass(frozen=True, slots=True)
class Announcement:
    """One source and the addresses it announces, by their keys."""

    name: str
    where: str
    urls: Mapping[str, str]
    only_posts: bool = False
    """What it announces is a post, because it says so."""
    whole: bool = False
    """Whether it says of itself that it names every post there is."""
    goes_on: bool = False
    """Whether it goes on from posts that were there when everything was."""


def by_post(posts: Iterable[Iterable[str]]) -> dict[str, str]:
    """The first address of each post by the keys of all its addresses."""
    return {url_key(name): post[0] for post in map(list, posts) for name in reversed(post)}


def with_cut(told: Completeness, posts: Iterable[Sequence[str]]) -> Completeness:
    """The statement with how many posts were read in part, because of a limit of ours: of each post, what was cut."""
    before = [bound for bound in told.bounds if not bound.endswith(tuple(READ_IN_PART.values()))]
    cuts = Counter(word for cut in posts for word in cut)
    said = [f"{counted(cuts[word], 'post')}{what}" for word, what in READ_IN_PART.items() if cuts[word]]
    return replace(told, bounds=(*before, *said))


def reconcile(
    announcements: Sequence[Announcement],
    captured: Mapping[str, str],
    why_not: Callable[[str], str],
    bounds: Sequence[str] = (),
    stopped: str | None = None,
    traps: Mapping[str, int] | None = None,
) -> Completeness:
    """Compare what is announced with the posts captured, by the keys of all their addresses.

    `why_not` gives the reason for one that is not.
    """
    missing: dict[str, str] = {}
    aside: dict[str, str] = {}
    reasons: dict[str, str] = {}
    everything = _all(announcements)
    surely_posts = _all([announcement for announcement in announcements if announcement.only_posts])
    for key, url in everything.items():
        if key in captured:
            continue
        reason = in_words(why_not(url))
        if reason in (NOT_A_POST, OWN_PAGE) and key in surely_posts:
            reason = UNRECOGNISED
        reasons[key] = reason
        (aside if reason in ASIDE else missing)[url] = reason
    whole = set(_whole_sources(announcements, captured))
    telling = [announcement for announcement in announcements if announcement.urls]
    sources = [_tally(one, captured, reasons, one.name in whole) for one in telling]
    cut = tuple(dict.fromkeys(bounds))
    announced = len(_posts_of(everything, captured)) + len(reasons)
    return Completeness(tuple(sources), announced, missing, aside, cut, stopped, dict(traps or {}))


def _posts_of(keys: Iterable[str], captured: Mapping[str, str]) -> set[str]:
    """The posts that some addresses lead to."""
    return {captured[key] for key in keys if key in captured}


def _whole_sources(announcements: Sequence[Announcement], captured: Mapping[str, str]) -> Iterator[str]:
    """The sources that name every post there is: they say so, and no post was found that they do
    not name.

    Feed and older pages of it are one list.
    """
    every_post = set(captured.values())
    in_feed = {key for one in announcements if one.name in FEEDS for key in one.urls}
    for one in announcements:
        named = in_feed if one.name in FEEDS else one.urls.keys()
        names_all = one.whole and bool(one.urls) and _posts_of(named, captured) == every_post
        if names_all or one.goes_on:
            yield one.name


def in_words(reason: str) -> str:
    """A reason as people say it."""
    return WORDS.get(reason, reason)


def _all(announcements: Sequence[Announcement]) -> dict[str, str]:
    """All addresses by key; where two sources spell one in two ways, the first of them counts."""
    urls: dict[str, str] = {}
    for announcement in reversed(announcements):
        urls |= announcement.urls
    return urls


def _tally(one: Announcement, captured: Mapping[str, str], reasons: Mapping[str, str], whole: bool) -> Source:
    keys = one.urls.keys()
    aside = sum(reasons.get(key) in ASIDE for key in keys)
    posts, others = len(_posts_of(keys, captured)), len(keys & reasons.keys())
    return Source(one.name, one.where, posts + others, posts, aside, whole)


def _was_whole(tally: SourceTally, record: CompletenessRecord) -> bool:
    """Statements from before sources were asked for it called the blog complete without."""
    return record.complete and tally.source != LISTS if tally.whole is UNSET else tally.whole


def _left_sentence(left: NotFollowed) -> str:
    """Links that were not followed: nobody looked whether there is a post."""
    return f"{_count(left.links, 'link')} not followed ({left.reason}), as {left.urls[0]}."


def _aside_sentences(aside: Mapping[str, str]) -> Iterator[str]:
    """What was set aside, by reason, with the first addresses."""
    reasons: dict[str, list[str]] = {}
    for url, reason in aside.items():
        reasons.setdefault(reason, []).append(url)
    for reason, urls in sorted(reasons.items()):
        named = ", ".join(urls[:SHOWN]) + (" ..." if len(urls) > SHOWN else "")
        yield f"{_count(len(urls), 'announced address', 'es')} set aside ({reason}): {named}"


def _sentence(source: Source) -> str:
    who = {
        "feed": f"The feed {source.where}",
        "older feed pages": "Its older pages",
        "API": "The WordPress API",
        "sitemap": "The sitemap",
        LISTS: "The blog's own archive pages",
    }.get(source.name, source.name)
    verb = "announce" if who.endswith("pages") else "announces"
    aside = f", {source.aside:,} set aside" if source.aside else ""
    return f"{who} {verb} {_count(source.announced, 'post')}; {source.captured:,} captured{aside}."


def _untrusted(hosts: Mapping[str, str]) -> list[str]:
    """What came from where nobody can say whose it is."""
    shown = list(hosts.items())[:SHOWN]
    lines = [
        f"The certificate of {host} is not valid ({reason}): what it sent is kept,"
        " but cookies and passwords go there only with --insecure."
        for host, reason in shown
    ]
    more = len(hosts) - len(shown)
    return [*lines, f"So it is with {_count(more, 'other host')}."] if more else lines


def _count(number: int, word: str, plural: str = "s") -> str:
    return f"{number:,} {word}{'' if number == 1 else plural}"
