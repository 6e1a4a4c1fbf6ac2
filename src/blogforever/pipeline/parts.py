"""Long posts over several pages: their further pages, told by address, proved by what they say, joined in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from blogforever.dom import tokenise
from blogforever.model import Link, MediaRef, Post
from blogforever.protocols import Ref
from blogforever.urls import part_of, url_key

# A number in an address that runs on for ever is no post in parts.
MOST_PARTS = 60
ADDED = 4
"""Words a further page may add to the title, as in "page 2 of 3"."""


class Parts:
    """Which pages may be further pages of which post.

    Knows those that were fetched, and those that proved to be.
    """

    def __init__(self) -> None:
        self.joined: set[str] = set()
        self.full: set[str] = set()
        """The addresses of what has more further pages than are asked for."""
        self._places: defaultdict[str, dict[int, str]] = defaultdict(dict)
        self._fetched: dict[str, list[tuple[str, Ref]]] = {}

    def note(self, url: str, links: Iterable[str]) -> None:
        """A page was read: remember which of its links lead to further pages of itself, or of what
        it is a part of.
        """
        own = part_of(url)
        first = own[0] if own else url
        start = first.partition("://")[2].rstrip("/")
        if "/" not in start:
            return
        key = url_key(first)
        for link in links:
            may_be_part = link.partition("://")[2].startswith(start)
            part = part_of(link) if may_be_part else None
            if part is None or url_key(part[0]) != key:
                continue
            if len(self._places[key]) < MOST_PARTS:
                self._places[key].setdefault(part[1], link)
            elif part[1] not in self._places[key]:
                self.full.add(first)

    def places(self) -> dict[str, list[str]]:
        """The further pages of each post, by its key and in their order."""
        return {key: [urls[number] for number in sorted(urls)] for key, urls in self._places.items()}

    def fetched(self, key: str, pages: list[tuple[str, Ref]]) -> None:
        """These pages are there to be read."""
        self._fetched[key] = pages

    def of(self, url: str) -> list[tuple[str, Ref]]:
        """Address and place of the further pages of a post."""
        return self._fetched.get(url_key(url), []) if self._fetched else []


def continues(post: Post, part: Post, texts: Sequence[str]) -> bool:
    """Whether a page goes on with a post: under the same title, with a text of its own."""
    if not part.text or part.text in texts:
        return False
    title, other = tokenise(post.title or ""), tokenise(part.title or "")
    begins_alike = bool(title) and other[: len(title)] == title
    return begins_alike and len(other) <= len(title) + ADDED


def following(post: Post, parts: Iterable[Post]) -> Iterator[Post]:
    """Those of these pages that go on with the post, each with something new."""
    texts = [post.text]
    for part in parts:
        if continues(post, part, texts):
            texts.append(part.text)
            yield part


def joined(post: Post, parts: Iterable[Post]) -> Post:
    """One post out of its pages, in order."""
    pages = [post, *parts]
    leads = [page.next_url for page in pages if page.next_url and not _inside(page.next_url, post.url)]
    return replace(
        post,
        text="\n\n".join(page.text for page in pages if page.text),
        html="\n".join(page.html for page in pages if page.html),
        media=_all_media(pages),
        links=_links_out(pages, post.url),
        next_url=leads[-1] if leads else None,
    )


def _all_media(pages: Sequence[Post]) -> tuple[MediaRef, ...]:
    """The pictures of all pages.

    One that stands on several is said what the first of them says of it.
    """
    media: dict[str, MediaRef] = {}
    for page in reversed(pages):
        for shown in reversed(page.media):
            media[shown.url] = shown
    return tuple(media.values())[::-1]


def _links_out(pages: Sequence[Post], first: str) -> tuple[Link, ...]:
    """The links of all pages, each once, but for those from one page to another."""
    links: dict[Link, None] = {}
    for page in pages:
        for link in page.links:
            if not _inside(link.url, first):
                links[link] = None
    return tuple(links)


def _inside(url: str, first: str) -> bool:
    part = part_of(url)
    return part is not None and url_key(part[0]) == url_key(first)
