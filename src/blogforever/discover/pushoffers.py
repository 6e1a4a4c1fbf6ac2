"""Who offers to tell us of what is new: a hub (WebSub), or a cloud (rssCloud); in a header, in a feed, in a page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec

from blogforever.model import Page
from blogforever.page.view import view_of
from blogforever.typedjson import decoded
from blogforever.urls import is_http, join

from .feedwishes import outside_entries

LONGEST_ADDRESS = 2000
# Links of a header, a feed or a page that are read: the first of them are the blog's own.
MOST_LINKS = 200
# Hubs of one feed that are asked one after the other: honest feeds name one to three.
MOST_HUBS = 5
# `<https://hub.example/>; rel="hub"`, as a header writes links. Every part is bounded, so that
# reading is linear.
LINK = re.compile(r"<([^<>]{1,2000})>([^<>,]{0,500})")
RELATION = re.compile(r";\s{0,20}rel\s{0,20}=\s{0,20}(?:\"([^\"]{0,200})\"|([^\s;,\"]{1,50}))", re.IGNORECASE)
ELEMENT = re.compile(rb"<(?:[a-z0-9]{1,20}:)?(link|cloud)\s([^<>]{1,3000})>", re.IGNORECASE)
ATTRIBUTE = re.compile(rb"([a-z:]{1,30})\s{0,20}=\s{0,20}(?:\"([^\"]{0,2000})\"|'([^']{0,2000})')", re.IGNORECASE)
HTTP_POST, XML_RPC = ("http-post", "https-post"), "xml-rpc"
PROCEDURE = re.compile(r"[A-Za-z0-9_.:/]{1,100}")
HIGHEST_PORT, HTTPS_PORT = 65_535, 443

Relations = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class PushOffer:
    """Whom to ask to be told, and of what; empty where nobody offers it."""

    hub: str = ""
    topic: str = ""
    """The address of the feed, as those know it who tell us of it."""
    cloud: str = ""
    procedure: str = ""
    """What a cloud is called to do, where it is asked by XML-RPC."""
    spares: str = ""
    """Other hubs that tell of the same, with spaces between them: asked where the first does not.
    """

    def __bool__(self) -> bool:
        return bool(self.hub or self.cloud)


class _Hub(msgspec.Struct):
    type: str = ""
    url: str = ""


class _JsonHead(msgspec.Struct):
    """What a JSON feed says of itself; its entries are passed over."""

    feed_url: str = ""
    hubs: list[_Hub] = msgspec.field(default_factory=list)


def feed_offer(page: Page) -> PushOffer:
    """What a feed offers. Its header counts before what stands in it, as the W3C has it."""
    is_json = page.content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    said = _json_relations(page.content) if is_json else _xml_relations(page.content)
    cloud = None if is_json else _cloud(page.content)
    offer = _offer(page, links_in(page.headers.get("link", "")), said)
    if offer.hub or cloud is None:
        return offer
    # A cloud knows a feed by the address that is asked for.
    return PushOffer("", page.url, *cloud)


def page_offer(page: Page) -> PushOffer:
    """What the head of a page offers: to tell of the page itself."""
    return _offer(page, links_in(page.headers.get("link", "")), _html_relations(page))


def links_in(header: str) -> Relations:
    """The addresses of a Link header, by what they are: `hub`, `self`."""
    links: Relations = {}
    for number, (url, parameters) in enumerate(LINK.findall(header)):
        relation = RELATION.search(parameters)
        if relation and number < MOST_LINKS:
            _note(links, relation[1] or relation[2] or "", url.strip())
    return links


def _offer(page: Page, *places: Relations) -> PushOffer:
    """The hubs that can be asked, and the address under which they know the feed; that from the
    place that names the first hub, where it names both.
    """
    for place in places:
        if _addresses(page.url, place.get("hub", ())):
            topics = [*place.get("self", ()), *(topic for other in places for topic in other.get("self", ()))]
            named = [*place["hub"], *(hub for other in places for hub in other.get("hub", ()))]
            hub, *spares = [one for one in _addresses(page.url, named) if " " not in one][:MOST_HUBS] or [""]
            topic = next(iter(_addresses(page.url, topics)), page.url)
            return PushOffer(hub, topic, spares=" ".join(spares)) if hub else PushOffer()
    return PushOffer()


def _addresses(base: str, named: Iterable[str]) -> list[str]:
    """Those of these that can be asked, each once."""
    return list(dict.fromkeys(filter(None, (_address(base, one) for one in named))))


def _address(base: str, href: str) -> str:
    """An address that can be asked; empty for any other."""
    # A topic is a name: where it is absolute it stays as it was written, or its hub would not know
    # it.
    url = href.strip() if is_http(href.strip()) else join(base, href) or ""
    has_name = "@" in (urlsplit(url).netloc if url else "")
    return url if len(url) <= LONGEST_ADDRESS and url.isprintable() and not has_name else ""


def _xml_relations(content: bytes) -> Relations:
    links: Relations = {}
    for name, attributes in _elements(content):
        if name == "link":
            _note(links, attributes.get("rel", ""), attributes.get("href", ""))
    return links


def _json_relations(content: bytes) -> Relations:
    try:
        head = decoded(content, _JsonHead)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    hubs = [hub.url for hub in head.hubs[:MOST_LINKS] if hub.type.lower() == "websub"]
    return {"hub": hubs, "self": [head.feed_url] if head.feed_url else []}


def _html_relations(page: Page) -> Relations:
    links: Relations = {}
    head = view_of(page).tree.head
    for link in head.css("link[rel]")[:MOST_LINKS] if head else ():
        _note(links, link.attributes.get("rel") or "", link.attributes.get("href") or "")
    return links


def _note(links: Relations, relations: str, url: str) -> None:
    for name in relations.lower().split() if url.strip() else ():
        links.setdefault(name, []).append(url)


def _cloud(content: bytes) -> tuple[str, str] | None:
    """Where the cloud of a feed is asked, and by which procedure; None where it has none that can
    be asked.
    """
    clouds = (attributes for name, attributes in _elements(content) if name == "cloud")
    return next(filter(None, map(cloud_of, clouds)), None)


def cloud_of(element: Mapping[str, str]) -> tuple[str, str] | None:
    """The cloud that an element names, and by which procedure; None where it cannot be asked."""
    protocol = element.get("protocol", HTTP_POST[0]).lower()
    procedure = element.get("registerprocedure", "") if protocol == XML_RPC else ""
    is_callable = protocol in HTTP_POST or PROCEDURE.fullmatch(procedure)
    url = _place(element, is_safe=protocol == "https-post") if is_callable else ""
    return (url, procedure) if url else None


def _place(element: Mapping[str, str], is_safe: bool) -> str:
    """Where a cloud is asked; empty where its parts make no address."""
    host, path, port = element.get("domain", ""), element.get("path", ""), element.get("port", "80")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) <= HIGHEST_PORT
    if not is_port:
        return ""
    scheme = "https" if is_safe or int(port) == HTTPS_PORT else "http"
    url = f"{scheme}://{host}:{port}/{path.lstrip('/')}"
    try:
        has_only_a_host = urlsplit(url).hostname == host.lower() != ""
    except ValueError:
        return ""
    return url if has_only_a_host and len(url) <= LONGEST_ADDRESS and url.isprintable() else ""


def _elements(content: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    """The links and clouds outside a feed's entries, with their attributes."""
    for number, found in enumerate(ELEMENT.finditer(outside_entries(content))):
        if number >= MOST_LINKS:
            return
        yield found[1].decode().lower(), _attributes(found[2])


def _attributes(text: bytes) -> dict[str, str]:
    pairs = ATTRIBUTE.findall(text)
    return {name.decode().lower(): _value(double or single) for name, double, single in pairs}


def _value(value: bytes) -> str:
    return html.unescape(value.decode("utf-8", "replace"))
