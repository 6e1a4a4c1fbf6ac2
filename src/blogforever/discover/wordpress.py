"""The posts of a WordPress blog as its open REST API tells them: where it lies, its pages, its posts as entries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedfields import Addresses, author_of, title_line, unique_authors, unique_tags
from blogforever.dom import parse_page
from blogforever.model import Entry, Page
from blogforever.urls import join, same_site

PER_PAGE = 100
MOST_PAGES = 500
FIELDS = "id,date,modified,link,guid,title,content,excerpt,_links,_embedded"
_HEADER = re.compile(r"<([^<>\s]+)>\s*;[^,<]*https://api\.w\.org/")
_MARKS = (b"/wp-content/", b"/wp-includes/", b"wp-json")


@dataclass(frozen=True, slots=True)
class ApiPage:
    """One page of the API's list of posts; `posts` and `pages` are what it says there are in all."""

    entries: tuple[Entry, ...] = ()
    posts: int | None = None
    pages: int | None = None


def api_addresses(page: Page, root: str) -> list[str]:
    """Where a blog's list of posts may lie: where its home page says, else where WordPress puts it; else nowhere."""
    said = _said(page)
    if said:
        return [list_url(said)]
    if not any(mark in page.content for mark in _MARKS):
        return []
    pretty, plain = join(root, "wp-json/"), join(root, "?rest_route=/")
    return [list_url(url) for url in (pretty, plain) if url]


def _said(page: Page) -> str | None:
    match = _HEADER.search(page.headers.get("link", ""))
    node = None if match else parse_page(page).css_first('link[rel="https://api.w.org/"][href]')
    href = match[1] if match else (node.attributes.get("href") or "") if node else ""
    url = join(page.url, href) if href else None
    return url if url and same_site(url, page.url) else None


def list_url(api_root: str, number: int = 1, per_page: int = PER_PAGE) -> str:
    """The address of one page of the list of posts, below the root of an API in either of its two spellings."""
    parts = urlsplit(api_root)
    asked = {"per_page": str(per_page), "page": str(number), "_embed": "author,wp:term", "_fields": FIELDS}
    query = dict(parse_qsl(parts.query))
    if "rest_route" in query:
        asked = {"rest_route": query["rest_route"].rstrip("/") + "/wp/v2/posts"} | asked
        return urlunsplit(parts._replace(query=urlencode(asked, safe="/:,")))
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + "/wp/v2/posts", query=urlencode(asked, safe=":,")))


def page_url(first: str, number: int) -> str:
    """Another page of the list whose first page is known."""
    parts = urlsplit(first)
    return urlunsplit(parts._replace(query=re.sub(r"(^|&)page=\d+", rf"\g<1>page={number}", parts.query)))


def modified_url(first: str, since: datetime, number: int = 1) -> str:
    """A page of the list of the posts that were changed since then, where the first page of all is known."""
    moment = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{page_url(first, number)}&modified_after={moment}&orderby=modified"


def parse_posts(page: Page) -> ApiPage | None:
    """The posts of one page of the list; None where the answer is something else."""
    items = list_items(page)
    if items is None:
        return None
    addresses = Addresses(page.url)
    found = tuple(entry for item in items if (entry := _entry(item, addresses)))
    if items and not found:
        return None
    return ApiPage(found, _number(page.headers, "x-wp-total"), page_count(page))


def list_items(page: Page) -> list[Mapping[str, Any]] | None:
    """The objects of one page of a list the API gives; None where the answer is something else."""
    try:
        data = json.loads(page.content)
    except (ValueError, RecursionError):
        return None
    items = list(_dicts(data))[:PER_PAGE]
    return items if items or data == [] else None


def page_count(page: Page) -> int | None:
    """How many pages the API says that a list has."""
    return _number(page.headers, "x-wp-totalpages")


def _number(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 9 else None


def _entry(item: Mapping[str, Any], addresses: Addresses) -> Entry | None:
    url = addresses.page(item.get("link"))
    if not url:
        return None
    embedded = item.get("_embedded")
    embedded = embedded if isinstance(embedded, dict) else {}
    terms = [term for group in _lists(embedded.get("wp:term")) for term in _dicts(group)]
    native = item.get("id")
    return Entry(
        url=url,
        guid=rendered(item.get("guid")) or None,
        title=title_line(rendered(item.get("title"))),
        authors=unique_authors(author_of(a.get("name"), a.get("url")) for a in _dicts(embedded.get("author"))),
        published=read_moment(item.get("date")),
        updated=read_moment(item.get("modified")),
        html=rendered(item.get("content")),
        summary_html=rendered(item.get("excerpt")),
        tags=unique_tags((term.get("name"), None) for term in terms),
        extra={"native_id": str(native)} if isinstance(native, int) else {},
    )


def rendered(value: object) -> str:
    """The text of a field that has a raw and a rendered form."""
    text = value.get("rendered") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _dicts(value: object) -> Iterable[Mapping[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _lists(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else []
