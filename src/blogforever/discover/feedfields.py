"""Small repairs that every kind of feed needs: titles, names, tags, addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from blogforever.model import Author
from blogforever.urls import canonical, is_http, is_local, join, move_host

LONGEST_LINE = 2000
"""Titles, names and tags beyond this are texts put in the wrong place; they are cut."""

_INLINE = (
    "a|abbr|acronym|b|big|bdi|cite|code|del|dfn|div|em|font|h[1-6]|i|ins|kbd|mark|p|q|s|samp|small|span"
    "|strike|strong|sub|sup|tt|u|var"
)
_PAIR = re.compile(rf"<({_INLINE})(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_VOID = re.compile(r"<(?:br|img|wbr|hr)(?:\s[^<>]*)?/?>|<!--(?:.*?-->|.*)", re.IGNORECASE | re.DOTALL)
_ADDRESS = r"[^\s()<>@,;:\"]+@[^\s()<>@,;:\"]+"
_BRACKETED = re.compile(rf"^(?:mailto:)?({_ADDRESS})\s*\((.*)\)$", re.DOTALL)
_TRAILING = re.compile(rf"^(|.*?\S)\s*+[(<\[]\s*+(?:mailto:)?({_ADDRESS})?\s*+[)>\]]$", re.DOTALL)
_BARE = re.compile(rf"^(?:mailto:)?({_ADDRESS})$")
_NO_NAME = frozenset(
    {"john doe", "undefined", "null", "none", "nil", "n/a", "false", "true", "[object object]", "your name", "author"}
)
_KIND_SCHEME = re.compile(r"schemas\.google\.com/(?:[^#]{0,200}#kind|blogger/2008/kind#)", re.IGNORECASE)


def line(text: object) -> str | None:
    """Plain text on one line, or None where nothing is left."""
    if not isinstance(text, str):
        return None
    return " ".join(text[: LONGEST_LINE * 4].split())[:LONGEST_LINE] or None


def title_line(text: object, markup: bool = True) -> str | None:
    """A title without markup, entities read once; `markup` False where the feed says that it is plain text."""
    if not isinstance(text, str):
        return None
    text = text[: LONGEST_LINE * 4]
    if markup and "<" in text:
        text = _without_markup(text)
    return line(html.unescape(text))


def _without_markup(text: str) -> str:
    """Only pairs of tags that titles do have: `List<T>` and "the <b> tag" are words."""
    text = _VOID.sub(" ", text)
    for _ in range(8):
        text, changed = _PAIR.subn(r"\2", text)
        if not changed:
            break
    return text


def author_of(text: object, uri: object = None, email: object = None) -> Author | None:
    """The author behind `mail (Name)`, `Name (mail)`, `Name <mail>`; None for placeholders and a bare address."""
    name = title_line(text)
    if name is None:
        return None
    mail = line(email)
    for pattern, name_group, mail_group in ((_BRACKETED, 2, 1), (_TRAILING, 1, 2), (_BARE, 0, 1)):
        match = pattern.match(name)
        if match:
            mail = mail or match[mail_group]
            name = match[name_group].strip() if name_group else ""
            break
    name = name.strip(" \"'") if name.count('"') != 1 else name
    if not name or name.casefold() in _NO_NAME or _BARE.match(name) or is_http(name):
        return None
    address = line(uri)
    return Author(name, address if address and is_http(address) else None, mail if mail and _BARE.match(mail) else None)


def unique_authors(found: Iterable[Author | None]) -> tuple[Author, ...]:
    """Each name once, with the first address known for it."""
    authors: dict[str, Author] = {}
    for author in found:
        if author is None:
            continue
        known = authors.get(author.name.casefold(), author)
        authors[author.name.casefold()] = Author(known.name, known.uri or author.uri, known.email or author.email)
    return tuple(authors.values())


def unique_tags(found: Iterable[tuple[object, object]]) -> tuple[str, ...]:
    """(term, scheme) pairs to tags: each once, without the kinds that a platform files its own records under."""
    tags: dict[str, str] = {}
    for term, scheme in found:
        tag = title_line(term)
        kind = f"{scheme or ''} {term or ''}"
        if tag and not _KIND_SCHEME.search(kind):
            tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


class Addresses:
    """Links of one feed made absolute; those of a feed written on its author's machine get the host it came from."""

    def __init__(self, feed_url: str, link: object = None) -> None:
        """`link` is what the feed says its site is."""
        self.feed_url = feed_url
        self.base = self._repair(join(feed_url, link) if isinstance(link, str) and link.strip() else None) or feed_url

    def _repair(self, url: str | None, like: str | None = None) -> str | None:
        if url is None:
            return None
        if is_local(url) and not is_local(self.feed_url) and is_http(self.feed_url):
            url = move_host(url, like or self.feed_url)
        return canonical(url)

    @property
    def site(self) -> str | None:
        """The address of the site, where the feed gave one."""
        return self.base if self.base != self.feed_url else None

    def page(self, href: object) -> str | None:
        """The address of a page the feed links to, canonical."""
        if not isinstance(href, str) or not href.strip():
            return None
        return self._repair(join(self.base, href.strip()), like=self.base)

    def file(self, href: object) -> str | None:
        """The address of a file or another feed: absolute, parameters untouched."""
        if not isinstance(href, str) or not href.strip():
            return None
        return join(self.base, href.strip())
