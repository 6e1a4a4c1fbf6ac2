"""Small repairs that every kind of feed needs: titles, names, tags, addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any

from blogforever.model import Author
from blogforever.urls import canonical, is_http, is_local, join, move_host

LONGEST_LINE = 2000
"""Titles, names and tags beyond this are texts put in the wrong place; they are cut."""
# Characters of a line that are read: mark-up, entities and spaces take room that the text does not.
_READ = 4 * LONGEST_LINE
# Mark-up of titles that stands in each other.
_DEEPEST = 8
# Digits of a number: longer ones are no counts, and
# slow to read; sizes of files in bytes have more.
LONGEST_NUMBER, LONGEST_SIZE = 8, 15

_INLINE = (
    "a|abbr|acronym|b|big|bdi|cite|code|del|dfn|div|em|font|h[1-6]|i|ins|kbd|mark|p|q|s|samp|small|span"
    "|strike|strong|sub|sup|tt|u|var"
)
_PAIR = re.compile(rf"<({_INLINE})(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_VOID = re.compile(
    r"<(?:br|img|wbr|hr)(?:\s[^<>]*)?/?>|<!--(?:.*?-->|.*)",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS = r"[^\s()<>@,;:\"]+@[^\s()<>@,;:\"]+"
_BRACKETED = re.compile(rf"^(?:mailto:)?({_ADDRESS})\s*\((.*)\)$", re.DOTALL)
_TRAILING = re.compile(rf"^(|.*?\S)\s*+[(<\[]\s*+(?:mailto:)?({_ADDRESS})?\s*+[)>\]]$", re.DOTALL)
# What is left of a name whose address was taken out of its brackets.
_EMPTY_BRACKETS = re.compile(r"[(<\[]\s*+(?:mailto:)?\s*+[)>\]]?$")
_BARE = re.compile(rf"^(?:mailto:)?({_ADDRESS})$")
_NO_NAME = frozenset("undefined|null|none|nil|n/a|false|true|[object object]|your name|author".split("|"))
# An address that begins with its host: no folder is called so.
_NAMES_HOST = re.compile(r"www\.[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)", re.IGNORECASE)
_KIND_SCHEME = re.compile(
    r"schemas\.google\.com/(?:[^#]{0,200}#kind|blogger/2008/kind#)",
    re.IGNORECASE,
)


def line(text: object) -> str | None:
    """Plain text on one line, or None where nothing is left."""
    if not isinstance(text, str):
        return None
    return " ".join(text[:_READ].split())[:LONGEST_LINE] or None


def number(value: object, longest: int = LONGEST_NUMBER) -> int | None:
    """A number that is written in digits; None for anything else."""
    text = "" if value is None else str(value)
    return int(text) if text.isdecimal() and len(text) <= longest else None


def dicts(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list in JSON; none where it is something else."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def title_line(text: object, markup: bool = True) -> str | None:
    """A title without markup, entities read once; `markup`
    False where the feed says that it is plain text.
    """
    if not isinstance(text, str):
        return None
    text = text[:_READ]
    if markup and "<" in text:
        text = _without_markup(text)
    return line(html.unescape(text))


def _without_markup(text: str) -> str:
    """Only pairs of tags that titles do have: `List<T>` and "the <b> tag" are words."""
    text = _VOID.sub(" ", text)
    for _ in range(_DEEPEST):
        text, changed = _PAIR.subn(r"\2", text)
        if not changed:
            break
    return text


def author_of(text: object, uri: object = None, email: object = None) -> Author | None:
    """The author behind `mail (Name)`, `Name (mail)`, `Name <mail>`.

    None for placeholders and a bare address.
    """
    written = title_line(text)
    if written is None:
        return None
    name, mail = _name_and_mail(_EMPTY_BRACKETS.sub("", written))
    name = name.strip(" \"'") if name.count('"') != 1 else name
    if not _is_name(name):
        return None
    address, mail = line(uri), line(email) or mail
    return Author(
        name,
        uri=address if address and is_http(address) else None,
        email=mail if mail and _BARE.match(mail) else None,
    )


def _name_and_mail(written: str) -> tuple[str, str | None]:
    """The name and the address of a line that may hold both, in any of the usual orders."""
    if match := _BRACKETED.match(written):
        return match[2].strip(), match[1]
    if match := _TRAILING.match(written):
        return match[1].strip(), match[2]
    if match := _BARE.match(written):
        return "", match[1]
    return written, None


def _is_name(name: str) -> bool:
    """Whether it is neither empty, nor a placeholder, nor an address."""
    if not name or name.casefold() in _NO_NAME:
        return False
    return not _BARE.match(name) and not is_http(name)


def unique_authors(found: Iterable[Author | None]) -> tuple[Author, ...]:
    """Each name once, with the first address known for it."""
    authors: dict[str, Author] = {}
    for author in found:
        if author is None:
            continue
        known = authors.get(author.name.casefold(), author)
        authors[author.name.casefold()] = Author(
            known.name,
            known.uri or author.uri,
            known.email or author.email,
        )
    return tuple(authors.values())


def unique_tags(found: Iterable[tuple[object, object]]) -> tuple[str, ...]:
    """(term, scheme) pairs to tags: each once, without the
    kinds that a platform files its own records under.
    """
    tags: dict[str, str] = {}
    for term, scheme in found:
        tag = title_line(term)
        kind = f"{scheme or ''} {term or ''}"
        if tag and not _KIND_SCHEME.search(kind):
            tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


class Addresses:
    """Links of one feed made absolute.

    Those of a feed written on its author's machine get the host it came from.
    """

    def __init__(self, feed_url: str, link: object = None) -> None:
        """`link` is what the feed says its site is."""
        self.feed_url = feed_url
        site = join(feed_url, link) if isinstance(link, str) and link.strip() else None
        self.base = self._repair(site) or feed_url

    def _repair(self, url: str | None, like: str | None = None) -> str | None:
        """The canonical address, on a host that others can reach."""
        if url is None:
            return None
        came_from_web = is_http(self.feed_url) and not is_local(self.feed_url)
        if is_local(url) and came_from_web:
            url = move_host(url, like or self.feed_url)
        return canonical(url)

    @property
    def site(self) -> str | None:
        """The address of the site, where the feed gave one."""
        return self.base if self.base != self.feed_url else None

    def page(self, href: object) -> str | None:
        """The address of a page the feed links to, canonical."""
        return self._repair(self.file(href), like=self.base)

    def file(self, href: object) -> str | None:
        """The address of a file or another feed: absolute, parameters untouched."""
        if not isinstance(href, str) or not href.strip():
            return None
        href = href.strip()
        return join(self.base, f"//{href}" if _NAMES_HOST.match(href) else href)
