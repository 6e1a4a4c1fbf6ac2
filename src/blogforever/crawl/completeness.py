"""How complete a crawl is: which posts each source announces, which were captured, and why the others were not.

It says "complete" only where every announced post is captured, every source was read to its end and
nothing stopped the crawl. Announced pages that are no posts, or not the blog's own, are set aside
with their reason: they are listed, but they are not missing. What a feed or an API calls a post is
missing, whatever its page was taken for. The blog's own archive pages are counted, but nobody knows
whether they show all, so they alone make nothing complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from blogforever.records import CertificateRecord, CompletenessRecord, LeftOut, SourceTally, TrapRecord
from blogforever.urls import url_key

LISTS = "archive pages"
NOT_A_POST, ELSEWHERE, UNDATED = "not a post", "on another site", "an undated page beside the posts"
OWN_PAGE = "no post, kept as a page of the blog"
UNRECOGNISED = "fetched, but not recognised as a post"
TOO_OLD = "left out by choice: older than --since"
ASIDE = frozenset({NOT_A_POST, OWN_PAGE, ELSEWHERE, UNDATED, TOO_OLD, "a file, not a page"})
# Traps, and hosts with a certificate that is not valid, that are named to people. The record names
# all.
SHOWN = 3
WORDS = {
    "blocked by robots": "blocked by robots.txt",
    "private": "refused: a private address",
    "trap": "trap limit",
    "machinery": NOT_A_POST,
    "file": "a file, not a page",
    "no such host": "its host does not exist",
    "too large": "cut by the limit of size",
    "timeout": "cut by the limit of time",
    "cut off": "cut short: the connection ended before it did",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Who announces posts: how many, and how many of them were captured."""

    name: str
    where: str
    announced: int
    captured: int
    aside: int = 0

    def record(self) -> SourceTally:
        """As it is kept in the blog's record."""
        return SourceTally(
            source=self.name,
            url=self.where,
            announced=self.announced,
            captured=self.captured,
            set_aside=self.aside,
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
        return self.is_announced and not (self.missing or self.bounds or self.stopped or self.mostly_bare)

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
            certificates=tuple(CertificateRecord(host, reason) for host, reason in self.distrusted.items()),
        )

    def sentences(self) -> list[str]:
        """The same for people."""
        lines = [_sentence(source) for source in self.sources]
        if self.aside:
            reasons = ", ".join(sorted(set(self.aside.values())))
            lines.append(f"{_count(len(self.aside), 'announced address', 'es')} set aside ({reasons}).")
        lines += [f"Not everything could be looked at: {bound}." for bound in self.bounds]
        for url in list(self.traps)[:SHOWN]:
            lines.append(f"A trap was left: no post in a hundred pages like {url}, or linked from it.")
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
        return []

    def _bare_sentence(self) -> str:
        has = "has" if self.bare == 1 else "have"
        bare = f"{self.bare:,} of {_count(self.posts, 'post')} {has} neither a text nor a picture that could be read"
        return f"Not complete: {bare}; the pages are kept." if self.mostly_bare else f"{bare}."


def kept_statement(record: CompletenessRecord, posts: int) -> Completeness:
    """The statement of an earlier crawl, as the blog's record keeps it."""
    return Completeness(
        sources=tuple(
            Source(tally.source, tally.url, tally.announced, tally.captured, tally.set_aside)
            for tally in record.sources
        ),
        announced=record.announced,
        missing={left.url: left.reason for left in record.missing},
        aside={left.url: left.reason for left in record.set_aside},
        bounds=record.limits,
        stopped=record.stopped_by,
        traps={trap.url: trap.left for trap in record.traps or ()},
        cadence=record.cadence or "",
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


def reconcile(
    announcements: Sequence[Announcement],
    captured: Iterable[str],
    why_not: Callable[[str], str],
    bounds: Sequence[str] = (),
    stopped: str | None = None,
    traps: Mapping[str, int] | None = None,
) -> Completeness:
    """Compare what is announced with the addresses captured.

    `why_not` gives the reason for one that is not.
    """
    have = {url_key(url) for url in captured}
    missing: dict[str, str] = {}
    aside: dict[str, str] = {}
    reasons: dict[str, str] = {}
    everything = _all(announcements)
    surely_posts = _all([announcement for announcement in announcements if announcement.only_posts])
    for key, url in everything.items():
        if key in have:
            continue
        reason = in_words(why_not(url))
        if reason in (NOT_A_POST, OWN_PAGE) and key in surely_posts:
            reason = UNRECOGNISED
        reasons[key] = reason
        (aside if reason in ASIDE else missing)[url] = reason
    sources = [_tally(announcement, have, reasons) for announcement in announcements if announcement.urls]
    cut = tuple(dict.fromkeys(bounds))
    return Completeness(tuple(sources), len(everything), missing, aside, cut, stopped, dict(traps or {}))


def in_words(reason: str) -> str:
    """A reason as people say it."""
    return WORDS.get(reason, reason)


def _all(announcements: Sequence[Announcement]) -> dict[str, str]:
    """All addresses by key; where two sources spell one in two ways, the first of them counts."""
    urls: dict[str, str] = {}
    for announcement in reversed(announcements):
        urls |= announcement.urls
    return urls


def _tally(announcement: Announcement, have: set[str], reasons: Mapping[str, str]) -> Source:
    keys = announcement.urls.keys()
    aside = sum(reasons.get(key) in ASIDE for key in keys)
    return Source(announcement.name, announcement.where, len(keys), len(keys & have), aside)


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
