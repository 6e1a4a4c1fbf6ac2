"""What to look at again: new posts, announced edits, posts that vanished from lists, then old ones
in turn.

Pure: what is known, what is announced, a clock and a budget in; the looks, in order, out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from blogforever.dates import moment_key
from blogforever.learn.urlpattern import MAY_BE_TITLE, UrlPattern, other_kind, skip_reason
from blogforever.model import Entry
from blogforever.pipeline.entries import says_anew
from blogforever.pipeline.since import moment_of
from blogforever.urls import url_key

from .identity import Identity
from .news import News
from .remembered import KnownPost
from .states import APART, NEGATIVE

Why = Literal["new", "moved", "edited", "comments", "absent", "missing", "turn", "probe", "part", "page"]
Keys = Callable[[KnownPost], Sequence[str]]
"""The keys of all addresses of a post."""
SHORTEST, LONGEST = timedelta(days=1), timedelta(days=365)
LISTS_ALL = 0.8
"""A sitemap that lists so many of the known posts should list the others, too."""
# Where more posts than this are absent at once, the list changed, not the posts: a sample tells.
MANY_ABSENT, SAMPLE = 0.2, 10
# A quarter of a blog that changed within one hour was stamped by a build; in a small blog eight
# posts at least.
STAMPED, LEAST_STAMPED = 0.25, 8
# Share of the posts that are looked at because a date of change without an hour may hide a second
# change.
AT_ONCE = 0.08
FEW_ENTRIES = 4
# A small blog has its turns by time: a page of it in each update would be much of it.
MISSING_AT_ONCE, SMALL = 20, 20
AGAIN, RARELY = timedelta(days=7), timedelta(days=180)
# The waits between looks for a missing post double, up to RARELY; more doublings only make large
# numbers.
MOST_DOUBLINGS = 9
# Fewer posts than this may all be absent from a feed by chance.
FEW_POSTS = 3
# The first characters of an ISO date: a bare day, an hour of it, a second of it.
DAY, HOUR = 10, 13
# A tenth of its age, so that young posts are looked at often, and old ones seldom.
AGE_SHARE = 10
# Old posts have their turn once a day, however often a blog is brought up to date. Somewhat less
# than a day, so that an update at the same hour of each day, some minutes earlier than the day
# before, does not pass them over.
TURNS_APART = timedelta(hours=20)
# Where looks are brief, everything is asked for every third day: the feed tells of new posts and of
# edits in them. Each time costs as much as all brief looks in between.
LISTS_APART = timedelta(hours=68)
# A gone post is looked for four times as seldom, one that did not change at several looks up to
# three times.
GONE_FACTOR, UNCHANGED_COUNTED, UNCHANGED_WEIGHT = 4.0, 4, 0.5


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
    """How many old posts are looked at in turn, of how many; it is told in the statement."""

    pages: int
    known: int
    is_time: bool = True
    """Whether some have their turn in this update; the last ones may have had theirs just before.
    """
    apart: timedelta = TURNS_APART
    """The time from one turn to the next."""

    @property
    def updates(self) -> int:
        """In how many updates every post has its turn."""
        return -(-self.known // self.pages) if self.pages else 0

    @property
    def is_rare(self) -> bool:
        """Whether most looks are brief: then more is left to what the blog itself tells."""
        return self.apart > TURNS_APART

    @property
    def by_each_post(self) -> bool:
        """Whether each post waits for its own time: one page is much of a small blog. Brief looks
        have no time for that.
        """
        return self.known < SMALL and self.pages <= 1 and not self.is_rare

    def at(self, now: datetime, turned: datetime | None) -> TurnBudget:
        """The same at this moment, where posts last had their turn then."""
        return replace(self, is_time=self.by_each_post or is_time_again(now, turned, self.apart))


def is_time_again(now: datetime, turned: datetime | None, apart: timedelta) -> bool:
    """Whether it is time for what was last done then."""
    return turned is None or now >= turned + apart


def budget(posts: int, share: float, brief: bool = False) -> TurnBudget:
    """So many pages of a blog with so many posts; small blogs have their turns, too."""
    least = 1 if share else 0
    pages = int(posts * share) or least
    return TurnBudget(min(posts, pages), posts, apart=LISTS_APART if brief else TURNS_APART)


# ---------------------------------------------------------------------- new addresses


def new_looks(
    news: News, identity: Identity, was_seen: Callable[[str], bool], may_be: Callable[[str], bool]
) -> list[Look]:
    """Announced addresses nobody has looked at: new posts, or known ones that moved."""

    def is_new(key: str, url: str) -> bool:
        return identity.at(url) is None and not was_seen(key)

    looks, believed = [], not restated(news, identity)
    for key, entry in news.all_entries().items():
        if is_new(key, entry.url):
            when = news.stated_change(entry, [key])
            said = entry if believed else None
            looks.append(_at_new_address(entry.url, _meant(entry, identity), said, when))
    for key, place in news.places.items():
        is_never_post = skip_reason(place.url) not in (None, *MAY_BE_TITLE)
        if news.entry(key) is not None or not is_new(key, place.url) or is_never_post:
            continue
        if place.surely_post or may_be(place.url):
            post = identity.hinted(place.url, None, None, moved_host=True)
            looks.append(_at_new_address(place.url, post, None, place.changed))
    return looks


def _meant(entry: Entry, identity: Identity) -> KnownPost | None:
    return identity.hinted(entry.url, entry.guid, entry.extra.get("native_id"), moved_host=True)


def returned(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[Look]:
    """Posts that the blog names at an address they had moved away from, and nowhere else."""
    looks = []
    for post in posts:
        here = url_key(post.url)
        former = {url_key(url): url for url in post.former}
        former.pop(here, None)
        if not former:
            continue
        listed = [key for key in keys(post) if news.names(key)]
        if listed and all(key in former for key in listed):
            changed = _changed(post, news.lastmod(listed[:1]))
            looks.append(Look(former[listed[0]], "moved", post, announced=changed))
    return looks


def restated(news: News, identity: Identity) -> bool:
    """Whether most entries say something else than they did.

    Then the feed changed, and nothing was announced.
    """
    known = anew = 0
    for entry in news.entries.values():
        post = identity.at(entry.url) or _meant(entry, identity)
        if post and post.entry:
            known += 1
            anew += _said_anew(entry, post)
    return anew > max(FEW_ENTRIES, known / 2)


def told_anew(news: News, post: KnownPost, keys: Keys) -> bool:
    """Whether the feed says something else of a post than it did."""
    return _said_anew(_said_of(news, keys(post))[0], post)


def _said_anew(entry: Entry | None, post: KnownPost) -> bool:
    return bool(entry and post.entry and says_anew(entry, post.entry))


def _at_new_address(url: str, post: KnownPost | None, entry: Entry | None, when: str | None) -> Look:
    if post is None:
        return Look(url, "new")
    return Look(url, "moved", post, announced=_said_anew(entry, post) or _changed(post, when))


def may_be_post(pattern: UrlPattern) -> Callable[[str], bool]:
    """Whether an address the sitemap lists can be a post's."""
    return pattern.matches if pattern.shapes else lambda url: other_kind(url) is None


# ---------------------------------------------------------------------- changes


def edit_looks(news: News, posts: Sequence[KnownPost], keys: Keys, believed: bool = True) -> list[Look]:
    """Known posts of which the blog says that they changed.

    A date that very many got at once alone says nothing. Where the words of the feed are not
    `believed`, posts are looked at whose entries have other ones, but that is all.
    """
    looks = []
    stamped = {post.id for post in stamped_posts(news, posts, keys)}
    updated = _updated_in_feed(news, posts, keys)
    for post in posts:
        entry, when = _said_of(news, keys(post))
        anew = _said_anew(entry, post)
        by_api = any(key in news.changed for key in keys(post))
        dated = (_changed(post, when) and post.id not in stamped) or post.id in updated
        if anew or by_api or dated:
            announced = by_api or dated or (anew and believed)
            looks.append(Look(post.url, "edited", post, announced=announced))
    # Those that are announced come first: the rest is left where there is no room.
    return sorted(looks, key=lambda look: not look.announced)


def stamped_posts(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[KnownPost]:
    """Posts with a new date of change that very many got at once: an author's, or that of a build."""
    dates = []
    for post in posts:
        _entry, when = _said_of(news, keys(post))
        if when and _changed(post, when):
            dates.append((post, when))
    stamped = stamps([when for _post, when in dates], len(posts))
    return [post for post, when in dates if when in stamped]


def dates_tell(news: News, posts: Sequence[KnownPost], keys: Keys) -> bool:
    """Whether sitemaps tell of nearly every post when it was changed, and not of many at once."""
    dates = [when for post in posts if (when := news.lastmod(keys(post)))]
    return len(dates) >= LISTS_ALL * len(posts) and not stamps(dates, len(posts))


def day_looks(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[Look]:
    """Posts changed on a day that was not over when they were looked at last.

    Of several, those that were not seen for longest; very many are for a sample to tell.
    """
    days = _changed_that_day_of(news, posts, keys)
    if _is_crowd(days, posts):
        return []
    days.sort(key=lambda post: post.checked.timestamp() if post.checked else 0.0)
    most = max(2, int(len(posts) * AT_ONCE))
    return [Look(post.url, "edited", post, announced=True) for post in days[:most]]


def crowded_day(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[KnownPost]:
    """Very many posts that were changed on a day which was not over: what else happened on it, no
    date tells.
    """
    days = _changed_that_day_of(news, posts, keys)
    return days if _is_crowd(days, posts) else []


def _changed_that_day_of(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[KnownPost]:
    return [post for post in posts if _changed_that_day(post, _said_of(news, keys(post))[1])]


def _is_crowd(days: Sequence[KnownPost], posts: Sequence[KnownPost]) -> bool:
    return len(days) > max(LEAST_STAMPED, len(posts) * STAMPED)


def _said_of(news: News, keys: Sequence[str]) -> tuple[Entry | None, str | None]:
    """What the feed says of a post, and when it was last changed."""
    entry = next((news.entries[key] for key in keys if key in news.entries), None)
    return entry, news.stated_change(entry, keys)


def _changed(post: KnownPost, when: str | None) -> bool:
    """Whether a date of change is another than the one that was given before, or later than the
    capture.
    """
    if when is None:
        return False
    if post.announced is not None:
        return when != post.announced
    moment = moment_of(when)
    if moment is None or post.captured is None:
        return False
    # A bare day may be over or not: `day_looks` cares for those.
    return len(when) > DAY and moment > post.captured


def _updated_in_feed(news: News, posts: Sequence[KnownPost], keys: Keys) -> set[str]:
    """Posts that were changed since they were last looked at, as the feed alone says; of most of
    them at once it says so for other reasons.
    """
    said = [(post, *_said_of(news, keys(post))) for post in posts]
    by_feed = [(post, entry) for post, entry, when in said if entry and when is None]
    updated = {post.id for post, entry in by_feed if _updated_since(entry, post)}
    return updated if len(updated) <= max(FEW_ENTRIES, len(by_feed) / 2) else set()


def _updated_since(entry: Entry, post: KnownPost) -> bool:
    """Whether an entry says that its post was changed after it was last looked at."""
    stated = entry.updated.iso if entry.updated else ""
    moment, last = moment_of(stated), post.checked or post.captured
    return bool(len(stated) > DAY and moment and last and moment > last)


def _changed_that_day(post: KnownPost, when: str | None) -> bool:
    """A bare day says nothing about the rest of it: a post captured on that day may have been
    changed after.
    """
    is_day = when is not None and len(when) <= DAY
    end = moment_of(when) if is_day else None
    return bool(end and post.checked and post.checked <= end)


def stamps(dates: Sequence[str | None], posts: int) -> set[str | None]:
    """The dates that so many posts got at once that no author can have given them."""
    hours = Counter((when or "")[:HOUR] for when in dates)
    many = max(LEAST_STAMPED, posts * STAMPED)
    return {when for when in dates if hours[(when or "")[:HOUR]] > many}


# ---------------------------------------------------------------------- what is not there


def absences(news: News, posts: Sequence[KnownPost], keys: Keys) -> dict[str, set[str]]:
    """Where each post is missing from, by its id: a list counts that has nearly all the others."""
    standing = [post for post in posts if post.state != "gone"]
    absent: dict[str, set[str]] = {}
    for post in _absent_from_sitemap(news, standing, keys):
        absent.setdefault(post.id, set()).add("sitemap")
    for post in _absent_from_feed(news, standing, keys):
        absent.setdefault(post.id, set()).add("feed")
    return absent


def _absent_from_sitemap(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[KnownPost]:
    if not news.sitemap_whole:
        return []
    absent = [post for post in posts if not any(key in news.places for key in keys(post))]
    listed = len(posts) - len(absent)
    return absent if posts and listed >= LISTS_ALL * len(posts) else []


def _absent_from_feed(news: News, posts: Sequence[KnownPost], keys: Keys) -> list[KnownPost]:
    """Posts that the feed had named, and names no more though it names older and newer ones."""
    oldest, newest = _window(news)
    absent = []
    for post in posts:
        if not post.published or not post.entry or not oldest:
            continue
        inside = oldest < moment_key(post.published) < newest
        if inside and not any(key in news.entries for key in keys(post)):
            absent.append(post)
    return absent


def _window(news: News) -> tuple[str, str]:
    """From when to when the feed names every post; it is in order only where it says so."""
    feed = news.feed
    entries = feed.entries if feed else ()
    days = [moment_key(entry.published.iso) for entry in entries if entry.published]
    return (min(days), max(days)) if len(days) > 2 else ("", "")


def vanished(news: News, posts: Sequence[KnownPost], keys: Keys) -> bool:
    """Whether the lists that named the known posts now name next to none of them."""
    can_tell = news.sitemap_whole or news.feed is not None
    if not can_tell or len(posts) < FEW_POSTS:
        return False
    return not any(news.names(key) for post in posts for key in keys(post))


def missing_looks(
    posts: Sequence[KnownPost],
    absent: dict[str, set[str]],
    listed: Callable[[KnownPost], bool],
    now: datetime,
) -> list[Look]:
    """Posts that are absent from lists or were missing at the last look; of very many a sample."""
    looks = []
    for post in posts:
        missed_by = absent.get(post.id, set())
        if post.state == "active":
            if missed_by and _may_be_gone(post, missed_by, now):
                looks.append(Look(post.url, "absent", post, frozenset(missed_by)))
        elif listed(post) or (post.state == "missing" and _missing_due(post, now)):
            looks.append(Look(post.url, "missing", post, frozenset(missed_by)))
    looks.sort(key=lambda look: (look.why != "absent", _last_look(look, now)))
    many = len(looks) > max(SAMPLE, MANY_ABSENT * len(posts))
    return looks[: SAMPLE if many else max(MISSING_AT_ONCE, SAMPLE)]


def _last_look(look: Look, now: datetime) -> datetime:
    return look.post.checked if look.post and look.post.checked else now


def _may_be_gone(post: KnownPost, absent: set[str], now: datetime) -> bool:
    """A post that answered, though the same lists had dropped it, is asked again after a while
    only.
    """
    last = post.sightings[-1] if post.sightings else None
    if last is None or last.outcome != "here":
        return True
    known_absence = absent <= last.evidence
    return not known_absence or now - last.when > AGAIN


def _missing_due(post: KnownPost, now: datetime) -> bool:
    """A missing post is looked for soon, then ever more seldom."""
    when = _next_search(post)
    return when is None or now >= when


def _next_search(post: KnownPost) -> datetime | None:
    """When a missing post is looked for again; None where it never was."""
    misses = [sighting for sighting in post.sightings if sighting.outcome in NEGATIVE]
    if not misses:
        return None
    doublings = min(len(misses) - 1, MOST_DOUBLINGS)
    wait: timedelta = min(APART * 2**doublings, RARELY)
    return misses[-1].when + wait


# ---------------------------------------------------------------------- old posts in turn


def next_look(posts: Sequence[KnownPost], turn: TurnBudget, now: datetime, turned: datetime | None) -> datetime:
    """When the first of these posts is to be looked at again though nothing new is said of it;
    LONGEST from now at the latest.
    """
    missing = [post for post in posts if post.state == "missing"]
    others = [post for post in posts if post.state != "missing"]
    moments = [now + LONGEST, *_next_turns(others, turn, now, turned)]
    moments += [_next_search(post) or now for post in missing]
    answered = map(_asked_again, posts)
    moments += [again for again in answered if again and again > now]
    return min(moments)


def _next_turns(posts: Sequence[KnownPost], turn: TurnBudget, now: datetime, turned: datetime | None) -> list[datetime]:
    """When old posts have their turn next: each by itself, or some of them once a day."""
    if not turn.pages:
        return []
    return [_next_turn(post, now) for post in posts] if turn.by_each_post else [(turned or now) + turn.apart]


def _next_turn(post: KnownPost, now: datetime) -> datetime:
    last = post.checked or post.captured
    return last + interval(post, now) if last else now


def _asked_again(post: KnownPost) -> datetime | None:
    """When a post that answered, though lists had dropped it, is asked again."""
    last = post.sightings[-1] if post.sightings else None
    is_answered_absence = last is not None and last.outcome == "here" and bool(last.evidence)
    return last.when + AGAIN if last and is_answered_absence else None


def turns(posts: Sequence[KnownPost], now: datetime, number: int, fresh: Callable[[str], bool]) -> list[Look]:
    """The posts whose turn it is.

    The longer not looked at the sooner, young and lively ones more often than old.
    """
    waiting = [post for post in posts if post.state != "missing" and not fresh(post.url)]
    line = [(due(post, now), post.url, post) for post in waiting]
    if len(posts) < SMALL and number <= 1:
        # One page is much of a small blog: it waits until somebody's time is up.
        line = [item for item in line if item[0] >= 1]
    line.sort(key=lambda item: (-item[0], item[1]))
    return [Look(post.url, "turn", post) for _ratio, _url, post in line[:number]]


def interval(post: KnownPost, now: datetime) -> timedelta:
    """How long a post is left alone: a tenth of its age, longer the more often it was found
    unchanged.
    """
    born = moment_of(post.published) or post.since or now
    age = max(now - born, timedelta(0))
    calm = 1 + min(post.unchanged, UNCHANGED_COUNTED) * UNCHANGED_WEIGHT
    factor = GONE_FACTOR if post.state == "gone" else calm
    return min(max(age / AGE_SHARE * factor, SHORTEST), LONGEST)


def due(post: KnownPost, now: datetime) -> float:
    """How much of its time has passed since a post was last looked at; 1 and more is due."""
    last = post.checked or post.captured
    return (now - last) / interval(post, now) if last else float("inf")
