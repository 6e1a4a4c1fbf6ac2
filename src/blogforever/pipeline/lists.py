"""The blog's own lists (months, years, tags, pages of them): which posts they announce, and where more may lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from blogforever.learn.postpages import LIST_KINDS
from blogforever.learn.urlpattern import YEAR, other_kind
from blogforever.urls import join, same_site, url_key

MOST_LINKS = 200_000
THEME_LISTS = 4
"""Lists of which more than half must share a link for it to be part of the theme, not of the list.
"""
USUAL = ("archive/", "archives/", "archives.html", "archive.html")
_TAG_LISTS = ("tags/", "tag/")
# Pages of a home that are guessed: a blog whose pages only a script turns has no more than these,
# and a server that makes up pages without end is left.
_MOST_PAGES = 500
# Guessed lists that are not there, after which the blog has no such lists.
MISSES = 4
ENDED = frozenset({"status 404", "status 410"})


class Lists:
    """What the lists say: every link of them by its key, how often it stands there, and which list
    failed.
    """

    def __init__(self) -> None:
        self.failed: dict[str, str] = {}
        self._read: set[str] = set()
        self.full = False
        """Whether there were more links than are remembered."""
        self._links: dict[str, str] = {}
        self._entries: Counter[str] = Counter()
        self._headings: Counter[str] = Counter()
        self._guessed: set[str] = set()
        self._misses = 0
        self._are_pages_linked = False
        self._turned: set[str] = set()
        self._fresh: set[str] = set()
        self._pages = 1

    def __len__(self) -> int:
        return len(self._read)

    def note(self, url: str, links: Iterable[str], entries: Iterable[str], headings: Iterable[str] = ()) -> None:
        """A list was read: all its links, those that stand in it as a heading or an item, and the headings alone."""
        key = url_key(url)
        if key in self._read:
            return
        self._read.add(key)
        if key in self._guessed:
            self._misses = 0
        links = list(links)
        self._note_turned(url, links)
        for link in links:
            is_page = same_site(link, url) and other_kind(link) not in LIST_KINDS
            if is_page and len(self._links) < MOST_LINKS:
                self._links.setdefault(url_key(link), link)
            elif is_page:
                self.full = True
        self.note_entries(entries)
        self._headings.update({url_key(heading) for heading in headings} & self._links.keys())

    def note_entries(self, urls: Iterable[str]) -> None:
        """A list that was read shows these posts as entries of its own."""
        self._entries.update({url_key(url) for url in urls} & self._links.keys())

    def fail(self, url: str, reason: str) -> None:
        """A page could not be read.

        A list that is not there at all has ended, and tells nothing.
        """
        if url_key(url) in self._guessed:
            self._misses += 1
        elif reason not in ENDED and other_kind(url) in LIST_KINDS:
            self.failed[url] = reason

    def announced(self, is_post: Callable[[str], bool], captured: set[str], lost: Callable[[str], bool]) -> list[str]:
        """The posts they lead to: those captured, and entries with the address of a post that could
        not be had.
        """
        urls = []
        for key, url in self._links.items():
            missed = self.is_entry(key) and is_post(url) and lost(url)
            if key in captured or missed:
                urls.append(url)
        return urls

    def is_entry(self, key: str) -> bool:
        """Whether some list has this page as an entry of its own.

        What stands on most of them is no entry; nor is that of a menu or of the latest posts, which a
        theme repeats beside every list, but where the same page is a heading of few of them.
        """
        return self._is_on_some(self._entries[key]) or self._is_on_some(self._headings[key])

    def _is_on_some(self, times: int) -> bool:
        lists = len(self._read)
        on_most = lists >= THEME_LISTS and 2 * times > lists
        return times > 0 and not on_most

    # ------------------------------------------------------------------ lists nobody links to

    def usual(self, root: str) -> list[str]:
        """Where archives usually lie."""
        return self._guess(filter(None, (join(root, name) for name in USUAL)))

    def above(self, posts: Iterable[str]) -> list[str]:
        """The year and the month in the addresses of posts.

        Given up where the blog has no such pages.
        """
        if self._misses >= MISSES:
            return []
        return self._guess(folder for url in posts for folder in date_folders(url))

    def further(self, root: str) -> list[str]:
        """The next page of the home, and at first the list of tags: where only scripts lead there,
        nobody links to them. Given up where pages are linked to, or one brings nothing new.
        """
        before = url_key(join(root, f"page/{self._pages}/") or "")
        is_first = self._pages == 1
        goes_on = is_first or (before in self._fresh and self._pages < _MOST_PAGES)
        if self._are_pages_linked or not goes_on:
            return []
        self._pages += 1
        names = (f"page/{self._pages}/", *(_TAG_LISTS if is_first else ()))
        return self._guess(filter(None, (join(root, name) for name in names)))

    def _note_turned(self, url: str, links: Iterable[str]) -> None:
        """Note what the home, or a page of it that was guessed, links to, and whether it is more
        than those before it had; and whether somebody leads to further pages.
        """
        key, kind = url_key(url), other_kind(url)
        if key not in self._guessed and kind != "home":
            self._are_pages_linked |= kind == "page"
            return
        keys = set(map(url_key, links))
        if not keys <= self._turned and len(self._turned) < MOST_LINKS:
            self._fresh.add(key)
            self._turned |= keys

    def is_guess(self, url: str) -> bool:
        """Whether nobody has named this address."""
        return url_key(url) in self._guessed

    def _guess(self, urls: Iterable[str]) -> list[str]:
        new = [url for url in dict.fromkeys(urls) if url_key(url) not in self._guessed]
        self._guessed.update(map(url_key, new))
        return new


def date_folders(url: str) -> list[str]:
    """The folders of a post's address that are a year, or a month in it: /2013/ and /2013/03/ of
    /2013/03/slug/.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    segments = parts.path.strip("/").split("/")[:-1]
    years = [place for place, segment in enumerate(segments) if YEAR.fullmatch(segment)]
    if not years:
        return []
    after_year = years[0] + 1
    ends = [after_year]
    month = segments[after_year] if len(segments) > after_year else ""
    if month.isdigit() and len(month) <= 2:
        ends.append(after_year + 1)
    return [f"{parts.scheme}://{parts.netloc}/{'/'.join(segments[:end])}/" for end in ends]
