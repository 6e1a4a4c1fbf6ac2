"""Is it the same post? By address, by the feed's guid, the platform's number, its words; never on one guess alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from urllib.parse import urlsplit

from blogforever.dates.nearness import ZONE_DAYS
from blogforever.dom import tokenise
from blogforever.extract.content import content_of
from blogforever.records import PostRecord
from blogforever.urls import url_key

from .remembered import KnownPost

Parts = Callable[[str, str], bool]
"""Whether somebody said that the posts at two addresses are two posts."""
LONG_ENOUGH = 200
"""Characters of text from which two equal posts are one post and no two notes."""
# Shorter ones ("faq", "me") are those of many pages.
LEAST_SLUG = 4


class Identity:
    """The posts of a blog by every sign they are known by; a sign that several share is none."""

    def __init__(self, posts: Iterable[KnownPost], parts: Parts = lambda _one, _other: False) -> None:
        self._posts, self._parts = list(posts), parts
        self._names = _by_name(self._posts)
        named = [post for post in self._posts if not _is_address_of(post.guid, post)]
        self._guids = _unique((post.guid, post) for post in named)
        self._natives = _unique((post.native_id, post) for post in self._posts)
        self._contents = _unique((post.digest, post) for post in self._posts)
        self._slugs = _unique((_slug(post.url), post) for post in self._posts)
        self._titles = _unique((_words(post.title), post) for post in self._posts)
        self._dates = _unique((post.published, post) for post in self._posts)
        self._paths = _unique((_path(post.url), post) for post in self._posts)

    def at(self, url: str) -> KnownPost | None:
        """The post with this address."""
        return self._names.get(url_key(url))

    def hinted(self, url: str, guid: str | None, native_id: str | None, moved_host: bool) -> KnownPost | None:
        """The post an announcement of an unknown address may mean; the page has to prove it."""
        by_path = self._paths.get(_path(url)) if moved_host else None
        found = self._guids.get(guid or "") or self._natives.get(native_id or "") or by_path
        return None if found and self.apart(found, url) else found

    def titled(self, title: str | None) -> KnownPost | None:
        """The one post with this title."""
        return self._titles.get(_words(title))

    def apart(self, post: KnownPost, url: str) -> bool:
        """Whether somebody said that the post at this address is another one."""
        return any(self._parts(name, url) for name in names_of(post))

    def proved(
        self, record: PostRecord, alike: Callable[[KnownPost], bool], hint: KnownPost | None = None
    ) -> tuple[KnownPost, str] | None:
        """The post whose page this is, and the sign that proves it: guid, native id or path
        together with the words.
        """
        found = self._proved(record, alike, hint)
        return None if found and self.apart(found[0], record.url) else found

    def _proved(
        self, record: PostRecord, alike: Callable[[KnownPost], bool], hint: KnownPost | None
    ) -> tuple[KnownPost, str] | None:
        content = content_of(record)
        same = self._contents.get(content.digest)
        if same:
            is_long = len(content.text) >= LONG_ENOUGH
            if is_long or _same_day(same.published, record.published):
                return same, "content"
        return self._by_sign(record, alike, hint) or self._by_words(record, alike)

    def _by_sign(
        self, record: PostRecord, alike: Callable[[KnownPost], bool], hint: KnownPost | None
    ) -> tuple[KnownPost, str] | None:
        """By what names a post, where title, address or words do not speak against it."""
        title, url = record.title, record.url
        signs = {
            "guid": self._guids.get(record.guid or ""),
            "native id": self._natives.get(record.native_id or ""),
            "announcement": hint,
        }
        for sign, post in signs.items():
            if post is None:
                continue
            if same_title(post.title, title) or same_slug(post.url, url) or alike(post):
                return post, sign
        return None

    def _by_words(self, record: PostRecord, alike: Callable[[KnownPost], bool]) -> tuple[KnownPost, str] | None:
        """By the words, of posts whose address or title is like this one, or that were published
        when this one was. What is called alike, says nearly the same and is of other days is a series: both are posts.
        """
        titled, dated = self.titled(record.title), self._dates.get(record.published or "")
        is_series = titled and _of_other_days(titled.published, record.published)
        likely = (self._slugs.get(_slug(record.url)), None if is_series else titled, dated)
        for post in likely:
            if post and alike(post):
                return post, "words"
        return None


def _by_name(posts: list[KnownPost]) -> dict[str, KnownPost]:
    """The posts by all their addresses.

    Where two share one, it is that of the post which has it now.
    """
    names: dict[str, KnownPost] = {}
    for post in posts:
        for name in post.names or (post.url,):
            names.setdefault(url_key(name), post)
    for post in posts:
        names[url_key(post.url)] = post
    return names


def _words(title: str | None) -> str:
    return " ".join(tokenise(title or ""))


def same_title(one: str | None, other: str | None) -> bool:
    """Whether two titles have the same words."""
    return bool(one and other) and tokenise(one or "") == tokenise(other or "")


def same_slug(one: str, other: str) -> bool:
    """Whether two addresses end in the same words, as they do where only what stands before them
    changed.
    """
    slug = _slug(one)
    return bool(slug) and slug == _slug(other)


def _slug(url: str) -> str:
    slug = _path(url).rpartition("/")[2].removesuffix(".html")
    return slug if len(slug) >= LEAST_SLUG and not slug.isdecimal() else ""


def _same_day(one: str | None, other: str | None) -> bool:
    return bool(one and other) and day_of(one) == day_of(other)


def _of_other_days(one: str | None, other: str | None) -> bool:
    """Whether two dates with a day speak of days that no zone makes one."""
    days = [parsed for parsed in map(_parsed_day, (one, other)) if parsed]
    return len(days) > 1 and abs((days[0] - days[1]).days) > ZONE_DAYS


def _parsed_day(date: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(day_of(date))
    except ValueError:
        return None


def day_of(date: str | None) -> str:
    """The day of an ISO date."""
    return (date or "")[:10]


def _unique(pairs: Iterable[tuple[str | None, KnownPost]]) -> dict[str, KnownPost]:
    found = [(sign, post) for sign, post in pairs if sign]
    counts = Counter(sign for sign, _ in found)
    return {sign: post for sign, post in found if counts[sign] == 1}


def _is_address_of(guid: str | None, post: KnownPost) -> bool:
    return bool(guid) and url_key(guid or "") == url_key(post.url)


def _path(url: str) -> str:
    """The path with its query, without the host: what stays when a blog moves to another domain."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/") + (f"?{parts.query}" if parts.query else "")
    return path if len(path) > 1 else ""


def names_of(post: KnownPost) -> Iterator[str]:
    """All addresses of a post."""
    yield from dict.fromkeys((post.url, *post.names))
