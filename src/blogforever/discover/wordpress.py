"""The posts of a WordPress blog as its open REST API tells them: where it lies, its pages, its posts as entries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedfields import Addresses, author_of, dicts, number, title_line, unique_authors, unique_tags
from blogforever.discover.platform import load_platforms
from blogforever.model import Entry, Page
from blogforever.page.view import view_of
from blogforever.urls import join, same_site

# As many as WordPress gives at most.
PER_PAGE = 100
# Pages of a list that are asked for: 50,000 posts.
MOST_PAGES = 500
FIELDS = "id,date,modified,link,guid,title,content,excerpt,_links,_embedded"
_HEADER = re.compile(r"<([^<>\s]+)>\s*;[^,<]*https://api\.w\.org/")


@dataclass(frozen=True, slots=True)
class ApiPage:
    """One page of the API's list of posts; `posts` and `pages` are what it says there are in all."""

    entries: tuple[Entry, ...] = ()
    posts: int | None = None
    pages: int | None = None


def api_addresses(page: Page, root: str) -> list[str]:
    """Where a blog's list of posts may lie: where its home page says, else where WordPress puts it.

    Else nowhere.
    """
    said = _said(page)
    if said:
        return [list_url(said)]
    if not any(mark.encode() in page.content for mark in load_platforms()["wordpress"].marks.resources):
        return []
    pretty, plain = join(root, "wp-json/"), join(root, "?rest_route=/")
    return [list_url(url) for url in (pretty, plain) if url]


def _said(page: Page) -> str | None:
    """The root of the API as the page names it, in its headers or in its head."""
    match = _HEADER.search(page.headers.get("link", ""))
    href = match[1] if match else _linked_api(page)
    url = join(page.url, href) if href else None
    return url if url and same_site(url, page.url) else None


def _linked_api(page: Page) -> str | None:
    """The root of the API as a link in the page's head."""
    node = view_of(page).tree.css_first('link[rel="https://api.w.org/"][href]')
    return node.attributes.get("href") if node else None


def list_url(api_root: str, page: int = 1, per_page: int = PER_PAGE) -> str:
    """The address of one page of the list of posts, below
    the root of an API in either of its two spellings.
    """
    parts = urlsplit(api_root)
    asked = {
        "per_page": str(per_page),
        "page": str(page),
        "_embed": "author,wp:term",
        "_fields": FIELDS,
    }
    query = dict(parse_qsl(parts.query))
    if "rest_route" in query:
        asked = {"rest_route": query["rest_route"].rstrip("/") + "/wp/v2/posts"} | asked
        return urlunsplit(parts._replace(query=urlencode(asked, safe="/:,")))
    path = parts.path.rstrip("/") + "/wp/v2/posts"
    return urlunsplit(parts._replace(path=path, query=urlencode(asked, safe=":,")))


def page_url(first: str, number: int) -> str:
    """Another page of the list whose first page is known."""
    parts = urlsplit(first)
    query = re.sub(r"(^|&)page=\d+", rf"\g<1>page={number}", parts.query)
    return urlunsplit(parts._replace(query=query))


def modified_url(first: str, since: datetime, number: int = 1) -> str:
    """A page of the list of the posts that were changed
    since then, where the first page of all is known.
    """
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
    return ApiPage(found, number(page.headers.get("x-wp-total")), page_count(page))


def list_items(page: Page) -> list[Mapping[str, Any]] | None:
    """The objects of one page of a list the API gives; None where the answer is something else."""
    try:
        data = json.loads(page.content)
    except (ValueError, RecursionError):
        return None
    items = dicts(data)[:PER_PAGE]
    return items if items or data == [] else None


def page_count(page: Page) -> int | None:
    """How many pages the API says that a list has."""
    return number(page.headers.get("x-wp-totalpages"))


def _entry(item: Mapping[str, Any], addresses: Addresses) -> Entry | None:
    """A post of the API as an entry; None without an address."""
    url = addresses.page(item.get("link"))
    if not url:
        return None
    given = item.get("_embedded")
    embedded = given if isinstance(given, dict) else {}
    people = dicts(embedded.get("author"))
    authors = [author_of(person.get("name"), person.get("url")) for person in people]
    native = item.get("id")
    return Entry(
        url=url,
        guid=rendered(item.get("guid")) or None,
        title=title_line(rendered(item.get("title"))),
        authors=unique_authors(authors),
        published=read_moment(item.get("date")),
        updated=read_moment(item.get("modified")),
        html=rendered(item.get("content")),
        summary_html=rendered(item.get("excerpt")),
        tags=unique_tags((term.get("name"), None) for term in _terms(embedded)),
        extra={"native_id": str(native)} if isinstance(native, int) else {},
    )


def rendered(value: object) -> str:
    """The text of a field that has a raw and a rendered form."""
    text = value.get("rendered") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _terms(embedded: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Tags and categories, which come in groups."""
    groups = embedded.get("wp:term")
    found: list[Mapping[str, Any]] = []
    for group in groups if isinstance(groups, list) else ():
        found += dicts(group)
    return found
