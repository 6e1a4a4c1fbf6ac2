"""What to look at again: new posts, announced edits, posts that vanished from lists, then old ones in turn.

Pure: what is known, what is announced, a clock and a budget in; the looks, in order, out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from blogforever.learn.urlpattern import UrlPattern, other_kind, skip_reason
from blogforever.model import Entry
from blogforever.urls import url_key

from .entries import entry_digest, stated_change
from .identity import Identity
from .news import News
from .remembered import KnownPost
from .since import moment_of
from .states import APART, NEGATIVE

Why = Literal["new", "moved", "edited", "comments", "absent", "missing", "turn", "probe", "part"]
SHORTEST, LONGEST = timedelta(days=1), timedelta(days=365)
LISTS_ALL = 0.8
"""A sitemap that lists so many of the known posts should list the others, too."""
MANY_ABSENT, SAMPLE = 0.2, 10
STAMPED = 0.25
LEAST_STAMPED = 8
AT_ONCE = 0.08
"""Share of the posts that are looked at because a date of change without an hour may hide a second change."""
FEW_ENTRIES = 4
MISSING_AT_ONCE, SMALL = 20, 20
AGAIN, RARELY = timedelta(days=7), timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Look:
    """An address to fetch, why, and the post it is thought to be of."""

    url: str
    why: Why
    post: KnownPost | None = None
    evidence: frozenset[str] = frozenset()
    announced: bool = False
    """Whether the blog itself says that the post changed."""


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """How many old posts are looked at in turn, of how many; what the completeness statement says of it."""

    pages: int
    known: int

    @property
    def updates(self) -> int:
        """In how many updates every post has its turn."""
        return -(-self.known // self.pages) if self.pages else 0


def budget(known: int, share: float) -> TurnBudget:
    """So many pages of a blog with so many posts; small blogs have their turns, too."""
    return TurnBudget(min(known, int(known * share) or (1 if share else 0)), known)


def new_looks(news: News, identity: Identity, seen: Callable[[str], bool], may_be: Callable[[str], bool]) -> list[Look]:
    """Announced addresses nobody has looked at: new posts, or known ones that moved."""
    looks, believed = [], not restated(news, identity)
    for key, entry in news.all_entries().items():
        if identity.at(entry.url) is None and not seen(key):
            post = _meant(entry, identity)
            when = stated_change(entry, news.lastmod([key]))
            looks.append(_at_new_address(entry.url, post, entry if believed else None, when))
    for key, place in news.places.items():
        fresh = news.entry(key) is None and identity.at(place.url) is None and not seen(key)
        if fresh and (place.surely_post or may_be(place.url)) and not skip_reason(place.url):
            post = identity.hinted(place.url, None, None, moved_host=True)
            looks.append(_at_new_address(place.url, post, None, place.changed))
    return looks


def _meant(entry: Entry, identity: Identity) -> KnownPost | None:
    return identity.hinted(entry.url, entry.guid, entry.extra.get("native_id"), moved_host=True)


def returned(news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]]) -> list[Look]:
    """Posts that the blog names at an address they had moved away from, and nowhere else."""
    looks = []
    for post in posts:
        former = {url_key(url): url for url in post.former if url_key(url) != url_key(post.url)}
        listed = [key for key in keys(post) if news.names(key)] if former else []
        if listed and all(key in former for key in listed):
            lastmod = news.lastmod(listed[:1])
            looks.append(Look(former[listed[0]], "moved", post, announced=_changed(post, lastmod)))
    return looks


def restated(news: News, identity: Identity) -> bool:
    """Whether most entries say something else than they did: then the feed changed, and nothing was announced."""
    pairs = [(entry, identity.at(entry.url) or _meant(entry, identity)) for entry in news.entries.values()]
    known = [_said_anew(entry, post) for entry, post in pairs if post and post.entry]
    return sum(known) > max(FEW_ENTRIES, len(known) / 2)


def _said_anew(entry: Entry | None, post: KnownPost) -> bool:
    return bool(entry and post.entry and entry_digest(entry) != post.entry)


def _at_new_address(url: str, post: KnownPost | None, entry: Entry | None, when: str | None) -> Look:
    if post is None:
        return Look(url, "new")
    return Look(url, "moved", post, announced=_said_anew(entry, post) or _changed(post, when))


def may_be_post(pattern: UrlPattern) -> Callable[[str], bool]:
    """Whether an address the sitemap lists can be a post's."""
    return lambda url: pattern.matches(url) if pattern.shapes else other_kind(url) is None


def edit_looks(
    news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]], believed: bool = True
) -> list[Look]:
    """Known posts of which the blog says that they changed; a date that very many got at once alone says nothing.

    Where the words of the feed are not `believed`, posts are looked at whose entries have other ones, but that is all.
    """
    looks = []
    stamped = {post.id for post in stamped_posts(news, posts, keys)}
    for post in posts:
        entry, when = _said_of(news, keys(post))
        anew, sure = _said_anew(entry, post), any(key in news.changed for key in keys(post))
        dated = _changed(post, when) and post.id not in stamped
        if anew or sure or dated:
            looks.append(Look(post.url, "edited", post, announced=sure or dated or (anew and believed)))
    return sorted(looks, key=lambda look: not look.announced)


def stamped_posts(
    news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]]
) -> list[KnownPost]:
    """Posts with a new date of change that very many got at once: an author's, or that of a build."""
    dates = [(post, when) for post in posts if (when := _said_of(news, keys(post))[1]) and _changed(post, when)]
    stamped = stamps([when for _post, when in dates], len(posts))
    return [post for post, when in dates if when in stamped]


def day_looks(news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]]) -> list[Look]:
    """Posts changed on a day that was not over when they were looked at last; of many those not seen for longest."""
    days = [post for post in posts if _changed_that_day(post, _said_of(news, keys(post))[1])]
    if len(days) > max(LEAST_STAMPED, len(posts) * STAMPED):
        return []
    days.sort(key=lambda post: moment.timestamp() if (moment := post.checked) else 0.0)
    return [Look(post.url, "edited", post, announced=True) for post in days[: max(2, int(len(posts) * AT_ONCE))]]


def _said_of(news: News, keys: Sequence[str]) -> tuple[Entry | None, str | None]:
    """What the feed says of a post, and when it was last changed."""
    entry = next((news.entries[key] for key in keys if key in news.entries), None)
    return entry, stated_change(entry, news.lastmod(keys))


def _changed(post: KnownPost, when: str | None) -> bool:
    if when is None:
        return False
    if post.announced is not None:
        return when != post.announced
    moment = moment_of(when)
    return bool(moment and post.captured and len(when) > 10 and moment > post.captured)


def _changed_that_day(post: KnownPost, when: str | None) -> bool:
    """A bare day says nothing about the rest of it: a post captured on that day may have been changed after."""
    moment = moment_of(when) if when and len(when) <= 10 else None
    return bool(moment and post.checked and post.checked <= moment)


def stamps(told: Sequence[str | None], known: int) -> set[str | None]:
    """The dates that so many posts got at once that no author can have given them."""
    days = Counter((when or "")[:13] for when in told)
    many = max(LEAST_STAMPED, known * STAMPED)
    return {when for when in told if days[(when or "")[:13]] > many}


def absences(news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]]) -> dict[str, set[str]]:
    """Where each post is missing from, by its id: a list counts that has nearly all the others."""
    active = [post for post in posts if post.state != "gone"]
    found: dict[str, set[str]] = {}
    if news.sitemap_whole:
        listed = [any(key in news.places for key in keys(post)) for post in active]
        if sum(listed) >= LISTS_ALL * len(listed) > 0:
            for post, there in zip(active, listed, strict=True):
                if not there:
                    found.setdefault(post.id, set()).add("sitemap")
    oldest, newest = _window(news)
    for post in active:
        inside = post.published and oldest and oldest < post.published[:19] < newest
        if inside and post.entry and not any(key in news.entries for key in keys(post)):
            found.setdefault(post.id, set()).add("feed")
    return found


def _window(news: News) -> tuple[str, str]:
    """From when to when the feed names every post; it is in order only where it says so."""
    feed = news.feed
    days = [entry.published.iso[:19] for entry in (feed.entries if feed else ()) if entry.published]
    return (min(days), max(days)) if len(days) > 2 else ("", "")


def vanished(news: News, posts: Sequence[KnownPost], keys: Callable[[KnownPost], Sequence[str]]) -> bool:
    """Whether the lists that named the known posts now name next to none of them."""
    if not (news.sitemap_whole or news.feed) or len(posts) < 3:
        return False
    there = {*news.places, *news.entries}
    return not any(key in there for post in posts for key in keys(post))


def missing_looks(
    posts: Sequence[KnownPost], absent: dict[str, set[str]], listed: Callable[[KnownPost], bool], now: datetime
) -> list[Look]:
    """Posts that are absent from lists or were missing at the last look; of very many a sample."""
    looks = [
        Look(post.url, "absent" if post.state == "active" else "missing", post, frozenset(absent.get(post.id, ())))
        for post in posts
        if (post.state == "active" and post.id in absent and _may_be_gone(post, absent[post.id], now))
        or (post.state != "active" and listed(post))
        or (post.state == "missing" and _missing_due(post, now))
    ]
    many = len(looks) > max(SAMPLE, MANY_ABSENT * len(posts))
    looks.sort(key=lambda look: (look.why != "absent", look.post.checked if look.post and look.post.checked else now))
    return looks[: SAMPLE if many else max(MISSING_AT_ONCE, SAMPLE)]


def _may_be_gone(post: KnownPost, absent: set[str], now: datetime) -> bool:
    """A post that answered, though the same lists had dropped it, is asked again after a while only."""
    last = post.sightings[-1] if post.sightings else None
    known = last is not None and last.outcome == "here" and absent <= last.evidence
    return not known or last is None or now - last.when > AGAIN


def _missing_due(post: KnownPost, now: datetime) -> bool:
    """A missing post is looked for soon, then ever more seldom."""
    vain = [sighting for sighting in post.sightings if sighting.outcome in NEGATIVE]
    wait = min(APART * 2 ** min(len(vain) - 1, 9), RARELY) if vain else APART
    return not vain or now - vain[-1].when >= wait


def turns(posts: Sequence[KnownPost], now: datetime, number: int, fresh: Callable[[str], bool]) -> list[Look]:
    """The posts whose turn it is: the longer not looked at the sooner, young and lively ones more often than old."""
    line = [(due(post, now), post.url, post) for post in posts if post.state != "missing" and not fresh(post.url)]
    if len(posts) < SMALL and number <= 1:
        # One page is much of a small blog: it waits until somebody's time is up.
        line = [item for item in line if item[0] >= 1]
    line.sort(key=lambda item: (-item[0], item[1]))
    return [Look(post.url, "turn", post) for _ratio, _url, post in line[:number]]


def interval(post: KnownPost, now: datetime) -> timedelta:
    """How long a post is left alone: a tenth of its age, longer the more often it was found unchanged."""
    born = moment_of(post.published) or post.since or now
    age = max(now - born, timedelta(0))
    factor = 4.0 if post.state == "gone" else 1.0 + min(post.unchanged, 4) / 2
    return min(max(age / 10 * factor, SHORTEST), LONGEST)


def due(post: KnownPost, now: datetime) -> float:
    """How much of its time has passed since a post was last looked at; 1 and more is due."""
    last = post.checked or post.captured
    return (now - last) / interval(post, now) if last else float("inf")
