"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedfields import Addresses, author_of, line, title_line, unique_authors, unique_tags
from blogforever.dom import load_json
from blogforever.errors import FeedError
from blogforever.model import Author, Enclosure, Entry, Feed


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
    entries = [_entry(item, addresses, authors) for item in data["items"][:most_entries] if isinstance(item, dict)]
    hubs = [hub.get("url") for hub in _dicts(data.get("hubs")) if str(hub.get("type", "")).lower() == "websub"]
    return Feed(
        url=url,
        kind="json",
        version=version[:10],
        title=title_line(data.get("title"), markup=False),
        subtitle=title_line(data.get("description"), markup=False),
        link=addresses.site,
        language=line(data.get("language")),
        authors=authors,
        entries=tuple(entry for entry in entries if entry),
        next_url=addresses.file(data.get("next_url")),
        hub=addresses.file(hubs[0]) if hubs else None,
        problems=() if "jsonfeed.org" in str(data.get("version")) else ("no JSON Feed version is given",),
    )


def _dicts(value: object) -> Iterable[Mapping[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _authors(data: Mapping[str, Any]) -> tuple[Author, ...]:
    single = data.get("author")
    found = [*_dicts(data.get("authors")), *([single] if isinstance(single, dict) else [])]
    return unique_authors(author_of(author.get("name"), author.get("url")) for author in found)


def _entry(item: Mapping[str, Any], addresses: Addresses, feed_authors: tuple[Author, ...]) -> Entry | None:
    guid = item.get("id")
    guid = line(str(guid)) if isinstance(guid, str | int | float) else None
    url = addresses.page(item.get("url")) or (addresses.page(guid) if guid and guid.startswith("http") else None)
    if not url:
        url = addresses.page(item.get("external_url"))
    if not url:
        return None
    plain = item.get("content_text")
    content = item.get("content_html")
    if not isinstance(content, str):
        content = html.escape(plain, quote=False) if isinstance(plain, str) else ""
    summary = item.get("summary")
    tags = item.get("tags")
    external = addresses.page(item.get("external_url"))
    return Entry(
        url=url,
        guid=guid,
        title=title_line(item.get("title"), markup=False),
        authors=_authors(item) or feed_authors,
        published=read_moment(item.get("date_published")),
        updated=read_moment(item.get("date_modified")),
        html=content,
        summary_html=html.escape(summary, quote=False) if isinstance(summary, str) else "",
        tags=unique_tags((tag, None) for tag in tags) if isinstance(tags, list) else (),
        enclosures=_enclosures(item, addresses),
        extra={"link": external} if external and external != url else {},
    )


def _enclosures(item: Mapping[str, Any], addresses: Addresses) -> tuple[Enclosure, ...]:
    found = []
    for attachment in _dicts(item.get("attachments")):
        url = addresses.file(attachment.get("url"))
        size = attachment.get("size_in_bytes")
        if url:
            found.append(Enclosure(url, line(attachment.get("mime_type")), size if isinstance(size, int) else None))
    return tuple(found)
