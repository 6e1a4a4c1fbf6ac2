"""What a webhook is told next, and what becomes of it: out of the news it has not read, back into how it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from blogforever import clock
from blogforever.fetch.posting import Posted
from blogforever.records import PostRecord, json_line
from blogforever.storage.counting import HourCount, this_hour
from blogforever.storage.hooks import DeadLetter, HookStanding, Webhook, reader_of
from blogforever.storage.news import NEWS_KINDS, NewsRow
from blogforever.storage.tables import Store
from blogforever.work.retrying import moment_after

SCANNED = 500
"""News that are looked through for one letter: few of them may be meant."""
MOST_EVENTS = 100
"""News in one letter, so that it stays small."""
WAITS = (10.0, 60.0, 300.0, 1800.0, 7200.0, 21_600.0, 43_200.0)
"""Seconds until a letter that was not taken is sent again, each time longer; after the last,
nearly a day after the first, it is a dead letter, and the next one is sent.
"""
LONGEST, MOST_NAMES = 500, 50
"""Letters of a title, and authors or tags of a post, that are told; the API has all."""
FindPost = Callable[[str], PostRecord | None]


@dataclass(frozen=True, slots=True)
class HookLetter:
    """News for a webhook: from one number to another, those among them that it wants; `dead` where
    it is sent again.
    """

    hook: Webhook
    first: int
    last: int
    rows: tuple[NewsRow, ...]
    dead: DeadLetter | None = None

    @property
    def name(self) -> str:
        """The name of the delivery: the same each time it is sent, so that a receiver knows it
        again.
        """
        return f"{self.hook.id}-{self.first}-{self.last}"


def next_letter(store: Store, hook: Webhook) -> HookLetter | None:
    """What to tell a webhook now, if anything."""
    if dead := store.hooks.wanted_again(hook.id):
        rows = wanted_news(store, hook, _between(store, dead.first, dead.last))
        return HookLetter(hook, dead.first, dead.last, rows, dead)
    stands = store.hooks.standing(hook.id)
    if stands.next_try > clock.stamp():
        return None
    reached = store.news.reached(reader_of(hook.id))
    if stands.tries:
        rows = wanted_news(store, hook, _between(store, reached + 1, stands.until))
        return HookLetter(hook, reached + 1, stands.until, rows)
    return _fresh_letter(store, hook, reached)


def _fresh_letter(store: Store, hook: Webhook, reached: int) -> HookLetter | None:
    scanned = store.news.after(reached, SCANNED)
    if not scanned:
        return None
    rows = wanted_news(store, hook, scanned)
    is_full = len(rows) > MOST_EVENTS
    rows = rows[:MOST_EVENTS]
    last = rows[-1].number if is_full else scanned[-1].number
    return HookLetter(hook, reached + 1, last, rows)


def _between(store: Store, first: int, last: int) -> list[NewsRow]:
    return [row for row in store.news.after(first - 1, SCANNED) if row.number <= last]


class WantsNews(Protocol):
    """Whoever wants to be told some news: which events, of which blog, list and tag; what is empty means all."""

    @property
    def events(self) -> Sequence[str]:
        """Words of `NEWS_KINDS`."""

    @property
    def blog(self) -> str:
        """The name of a blog, in the archive or as it is followed."""

    @property
    def list(self) -> str:
        """A list that the blog is followed in."""

    @property
    def tag(self) -> str:
        """A tag of the blog."""


def wanted_news(store: Store, wish: WantsNews, rows: Sequence[NewsRow]) -> tuple[NewsRow, ...]:
    """Those that somebody wants to be told."""
    events = wish.events or NEWS_KINDS
    blogs = {blog for blog in {row.blog for row in rows} if _is_meant(store, wish, blog)}
    return tuple(row for row in rows if row.kind in events and row.blog in blogs)


def _is_meant(store: Store, wish: WantsNews, blog: str) -> bool:
    """Whether somebody wants to hear of a blog of the archive."""
    if not (wish.blog or wish.list or wish.tag):
        return True
    followed = store.followed.in_archive(blog)
    names = {blog, *(one.id for one in followed)}
    lists = {name for one in followed for name in one.lists}
    tags = {name for one in followed for name in one.tags}
    return wish.blog in {"", *names} and wish.list in {"", *lists} and wish.tag in {"", *tags}


def body_of(letter: HookLetter, find: FindPost) -> bytes | None:
    """What is sent; nothing where none of the posts may be seen any more."""
    found = ((row, find(row.post)) for row in letter.rows)
    events = [event_of(row, post) for row, post in found if post is not None]
    if not events:
        return None
    return json_line({"type": "posts", "webhook": letter.hook.id, "events": events}).encode()


def event_of(row: NewsRow, post: PostRecord) -> dict[str, object]:
    """One piece of news, as programs are told it."""
    told: dict[str, object] = {"id": post.id, "blog": post.blog, "url": post.url, "title": (post.title or "")[:LONGEST]}
    told |= {"authors": [author.name[:LONGEST] for author in post.authors[:MOST_NAMES]]}
    told |= {"tags": [tag[:LONGEST] for tag in post.tags[:MOST_NAMES]], "published": post.published}
    told |= {"language": post.language, "status": post.status, "version": post.version}
    return {"number": row.number, "event": f"post.{row.kind}", "at": row.at, "comments": row.comments, "post": told}


def note_answer(store: Store, letter: HookLetter, posted: Posted | None) -> None:
    """Write down what became of a letter; `posted` is None where there was nothing to send."""
    with store.transaction():
        if store.hooks.find(letter.hook.id) is None:
            return
        if posted is not None:
            _count(store, "sent" if posted.is_taken else "failed")
        if letter.dead is not None:
            _note_second_life(store, letter.dead, posted)
        elif posted is None or posted.is_taken:
            _note_taken(store, letter, posted)
        else:
            _note_refused(store, letter, posted)


def _note_second_life(store: Store, dead: DeadLetter, posted: Posted | None) -> None:
    if posted is None or posted.is_taken:
        store.hooks.dig_up(dead.id)
    else:
        tries = dead.tries + 1
        store.hooks.bury(replace(dead, again=False, tries=tries, status=posted.status, error=posted.error))


def _note_taken(store: Store, letter: HookLetter, posted: Posted | None) -> None:
    hook = letter.hook.id
    store.news.reach(reader_of(hook), letter.last)
    before = store.hooks.standing(hook)
    if posted is not None:
        sent = before.sent + 1
        store.hooks.stand(HookStanding(hook, sent, clock.stamp(), status=posted.status))
    elif before.tries:
        store.hooks.stand(HookStanding(hook, before.sent, before.last_sent))


def _note_refused(store: Store, letter: HookLetter, posted: Posted) -> None:
    hook = letter.hook.id
    before = store.hooks.standing(hook)
    tries = before.tries + 1
    refused = replace(before, tries=tries, until=letter.last, status=posted.status, error=posted.error)
    if tries <= len(WAITS):
        store.hooks.stand(replace(refused, next_try=moment_after(WAITS[tries - 1])))
        return
    now = clock.stamp()
    store.hooks.bury(DeadLetter(hook, letter.first, letter.last, now, tries, posted.status, posted.error))
    store.news.reach(reader_of(hook), letter.last)
    store.hooks.stand(replace(refused, tries=0, until=0, next_try=""))
    _count(store, "dead")


def _count(store: Store, how: str) -> None:
    store.counters.add(this_hour(), [HourCount("webhooks", how)])
