"""Whether a feed, the front page and the pages of posts tell the same: those of a blog do."""

from __future__ import annotations

from blogforever.discover.pagefacts import read_facts
from blogforever.dom import tokenise
from blogforever.learn.urlpattern import has_date
from blogforever.model import Entry, Feed, Page
from blogforever.page.view import view_of
from blogforever.urls import page_key

from .values import Answer, SeenHost

# Newest entries of a feed that the front page of a blog shows, and how many of them it must.
NEWEST, SHOWN = 8, 0.5
# Entries of a feed for which nobody writes: the program that makes it brings one with it.
HARDLY_ANY = 2
# Words of a title that a page must have, for it may add its own or leave a mark out.
SAME_WORDS = 0.8
# Words of a page in which its title and date stand.
HEAD_WORDS = 3000


def agreement(seen: SeenHost) -> dict[str, Answer]:
    """What feed and pages say of each other; nothing is said where one of them is not there."""
    found: dict[str, Answer] = {}
    feed = seen.feed
    if feed is None or not feed.entries:
        return found
    if sum(has_date(entry.url) for entry in feed.entries) * 2 > len(feed.entries):
        found["dated addresses"] = True
    if seen.front is not None:
        found["on front"] = _front_shows(seen.front, feed)
        found["feed beside"] = not _names_any(seen.front, feed)
        found["idle feed"] = len(feed.entries) <= HARDLY_ANY and not found["on front"]
    pairs = _pairs(feed, seen.posts)
    if pairs:
        found["titles agree"] = all(_has_title(page, entry) for entry, page in pairs)
        dates = [agrees for entry, page in pairs if (agrees := _has_date(page, entry)) is not None]
        found["dates agree"] = any(dates) if dates else None
    return found


def _front_shows(front: Page, feed: Feed) -> bool:
    """Whether the front page links to the newest entries, or shows their titles."""
    newest = feed.entries[:NEWEST]
    linked = {page_key(link) for link in read_facts(front).links}
    words = set(view_of(front).words)
    shown = sum(page_key(entry.url) in linked or _holds(words, entry.title) for entry in newest)
    return shown >= SHOWN * len(newest)


def _names_any(front: Page, feed: Feed) -> bool:
    """Whether the front page leads to one of the newest entries, or has a line that is its very title."""
    newest = feed.entries[:NEWEST]
    linked = {page_key(link) for link in read_facts(front).links}
    lines = {" ".join(text.split()) for *_, text in view_of(front).texts}
    return any(page_key(entry.url) in linked or entry.title in lines for entry in newest)


def _pairs(feed: Feed, pages: tuple[Page, ...]) -> list[tuple[Entry, Page]]:
    entries = {page_key(entry.url): entry for entry in feed.entries}
    return [(entries[key], page) for page in pages if (key := page_key(page.url)) in entries]


def _has_title(page: Page, entry: Entry) -> bool:
    """Whether a page has the title of its entry; one without a title has nothing to compare."""
    return not entry.title or _holds(set(view_of(page).words), entry.title)


def _holds(words: set[str], title: str | None) -> bool:
    wanted = tokenise(title or "")
    return bool(wanted) and sum(word in words for word in wanted) >= SAME_WORDS * len(wanted)


def _has_date(page: Page, entry: Entry) -> Answer:
    """Whether the year and the day of an entry stand on its page; not known without a date."""
    moment = entry.published or entry.updated
    if moment is None:
        return None
    head = view_of(page).html
    day = moment.day
    if moment.iso[:10] in head:
        return True
    words = set(view_of(page).words[:HEAD_WORDS])
    return str(day.year) in words and (str(day.day) in words or f"{day.day:02d}" in words)
