"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from blogforever.discover.feedbytes import REST_LEFT
from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedfields import (
    LONGEST_SIZE,
    Addresses,
    author_of,
    dicts,
    line,
    number,
    title_line,
    unique_authors,
    unique_tags,
)
from blogforever.dom import load_json
from blogforever.errors import FeedError
from blogforever.model import Author, Enclosure, Entry, Feed

# Characters of a version: a longer one is no version.
_LONGEST_VERSION = 10


def parse_json_feed(text: str, url: str, most_entries: int) -> Feed:
    """The feed a JSON document is; raises FeedError where it is another kind of JSON."""
    try:
        data = load_json(text)
    except (ValueError, RecursionError) as error:
        raise FeedError("The document begins like JSON but cannot be read as JSON.") from error
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise FeedError("The document is JSON without a list of items: it is not a JSON Feed.")
    addresses = Addresses(url, data.get("home_page_url"))
    authors = _authors(data)
    version = str(data.get("version") or "").rstrip("/").rpartition("/")[2]
    items = dicts(data["items"][:most_entries])
    entries = tuple(filter(None, (_entry(item, addresses, authors) for item in items)))
    return Feed(
        url=url,
        kind="json",
        version=version[:_LONGEST_VERSION],
        title=title_line(data.get("title"), markup=False),
        subtitle=title_line(data.get("description"), markup=False),
        link=addresses.site,
        language=line(data.get("language")),
        authors=authors,
        entries=entries,
        next_url=addresses.file(data.get("next_url")),
        pageless=len(items) - len(entries),
        problems=tuple(_problems(data, most_entries)),
    )


def _problems(data: Mapping[str, Any], most_entries: int) -> Iterator[str]:
    """What is wrong with a feed, in words."""
    if "jsonfeed.org" not in str(data.get("version")):
        yield "no JSON Feed version is given"
    if len(data["items"]) > most_entries:
        yield f"more entries than are read: {REST_LEFT}"


def _authors(data: Mapping[str, Any]) -> tuple[Author, ...]:
    """Who wrote a feed or an item, each once."""
    # Version 1.0 knows one author, 1.1 several; some give the one under the name of the several.
    several = data.get("authors")
    found = [*dicts(several), *dicts([several, data.get("author")])]
    return unique_authors(author_of(author.get("name"), author.get("url")) for author in found)


def _entry(
    item: Mapping[str, Any],
    addresses: Addresses,
    feed_authors: tuple[Author, ...],
) -> Entry | None:
    """An item as an entry; None for one that nothing names.

    One without a page goes by the file it carries, else by its id.
    """
    given = item.get("id")
    guid = line(str(given)) if isinstance(given, str | int | float) else None
    external = addresses.page(item.get("external_url"))
    enclosures = _enclosures(item, addresses)
    url = addresses.page(item.get("url")) or _permalink(guid, addresses) or external
    url = url or (enclosures[0].url if enclosures else guid)
    if not url:
        return None
    authors = _authors(item)
    inherited = {"authors_from": "feed"} if feed_authors and not authors else {}
    return Entry(
        url=url,
        guid=guid,
        title=title_line(item.get("title"), markup=False),
        authors=authors or feed_authors,
        published=read_moment(item.get("date_published")),
        updated=read_moment(item.get("date_modified")),
        html=_content(item),
        summary_html=_escaped(item.get("summary")),
        tags=_tags(item),
        enclosures=enclosures,
        extra=inherited | ({"link": external} if external and external != url else {}),
    )


def _tags(item: Mapping[str, Any]) -> tuple[str, ...]:
    """What an item is filed under."""
    tags = item.get("tags")
    return unique_tags((tag, None) for tag in tags) if isinstance(tags, list) else ()


def _permalink(guid: str | None, addresses: Addresses) -> str | None:
    """The address that an id is, where it is one."""
    return addresses.page(guid) if guid and guid.startswith("http") else None


def _content(item: Mapping[str, Any]) -> str:
    """The text of an item as HTML."""
    content = item.get("content_html")
    return content if isinstance(content, str) else _escaped(item.get("content_text"))


def _escaped(text: object) -> str:
    """Plain text as HTML; empty for anything else."""
    return html.escape(text, quote=False) if isinstance(text, str) else ""


def _enclosures(item: Mapping[str, Any], addresses: Addresses) -> tuple[Enclosure, ...]:
    """The files an item carries."""
    found = []
    for attachment in dicts(item.get("attachments")):
        url = addresses.file(attachment.get("url"))
        size = number(attachment.get("size_in_bytes"), LONGEST_SIZE)
        if url:
            found.append(Enclosure(url, line(attachment.get("mime_type")), size))
    return tuple(found)
