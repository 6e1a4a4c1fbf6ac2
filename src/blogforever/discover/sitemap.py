"""Sitemaps: XML, index, text, compressed or not, well-formed or not; and where robots.txt says they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from blogforever.discover.feed import parse_feed
from blogforever.discover.feedbytes import decode_feed
from blogforever.discover.feeddates import read_moment
from blogforever.discover.feedmends import plain_entities, with_entities
from blogforever.discover.packed import inflate
from blogforever.errors import FeedError
from blogforever.model import Moment
from blogforever.urls import canonical, is_http, is_local, join, move_host

if TYPE_CHECKING:
    from lxml.etree import _Element

LARGEST = 64 * 2**20
"""Bytes read of one sitemap, after decompression; the standard allows 50 MB."""
MOST_URLS = 100_000
"""Addresses read of one sitemap; the standard allows 50,000."""

_CORE_SITEMAP = re.compile(r"wp-sitemap-(?:posts-)?([a-z_]+)-", re.IGNORECASE)
_POST_SITEMAP = re.compile(r"(?:^|[/_.-])posts?(?:[/_.-]|\d|$)", re.IGNORECASE)
_ROBOTS_LINE = re.compile(r"(?:^|\r)\ufeff?[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
# A sitemap beside its robots.txt, by its name alone.
_FILE = re.compile(r"[\w.-]+\.(?:xml|txt)(?:\.gz)?", re.IGNORECASE)
# References to half of a character, D800 to DFFF: the parser takes them, cannot give them back, and loses the rest.
_HALF_CHARACTER = re.compile(
    r"&#(?:x0{0,9}d[89a-f][0-9a-f]{2}|0{0,9}5(?:529[6-9]|5[3-9]\d\d|6\d{3}|7[0-2]\d\d|73[0-3]\d|734[0-3]));?",
    re.IGNORECASE,
)
_ROOT = re.compile(r"<(?:[\w.-]+:)?(urlset|sitemapindex|url|sitemap)[\s>/]")
_FEED = re.compile(r"<(?:rss|feed|(?:\w+:)?RDF)[\s>]")
_WHOLE = frozenset({"urlset", "sitemapindex"})
# Characters at the end of a sitemap in XML in which it is closed: a remark of its program may
# follow.
_END = 2000
# Characters in which a sitemap in XML shows that it is no list of lines.
_BEGINNING = 2000


@dataclass(frozen=True, slots=True)
class SitemapUrl:
    """A page that a sitemap names, and when it says it last changed."""

    url: str
    lastmod: Moment | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Pages, and further sitemaps, that one sitemap names."""

    urls: tuple[SitemapUrl, ...] = ()
    sitemaps: tuple[SitemapUrl, ...] = ()
    cut: bool = False
    """Whether it names more, or is longer, than is read."""
    ends_early: bool = False
    """Whether it breaks off before its end: nobody knows what else it would name."""


def parse_sitemap(content: bytes, url: str) -> Sitemap:
    """Read what can be read; what is no sitemap names nothing."""
    unpacked = inflate(content, LARGEST)
    text = decode_feed(unpacked)
    is_cut = len(unpacked) >= LARGEST
    if _FEED.search(text, 0, _BEGINNING):
        return _read_feed(unpacked, url)
    if "<" in text[:_BEGINNING]:
        sitemap = _read_xml(text, url)
        ends_early = not is_cut and _ends_early(text)
        return replace(sitemap, cut=sitemap.cut or is_cut, ends_early=ends_early)
    lines = text.splitlines()
    named = (SitemapUrl(address) for address in _addresses(lines, url))
    return Sitemap(urls=_unique(named), cut=is_cut or len(lines) > MOST_URLS)


def _read_feed(content: bytes, url: str) -> Sitemap:
    """A feed in the place of a sitemap, as the standard allows: the pages of its entries."""
    try:
        feed = parse_feed(content, url)
    except FeedError:
        return Sitemap()
    entries = (entry for entry in feed.entries if is_http(entry.url))
    return Sitemap(_unique(SitemapUrl(entry.url, entry.updated or entry.published) for entry in entries))


def _ends_early(text: str) -> bool:
    """Whether a document in XML is opened and never closed."""
    start = _ROOT.search(text)
    if start is None or start[1] not in _WHOLE:
        return False
    is_closed = re.search(rf"</(?:[\w.-]+:)?{start[1]}\s*>", text[-_END:]) is not None
    return not is_closed and re.match(r"<[^<>]*/>", text[start.start() :]) is None


def is_post_sitemap(url: str) -> bool:
    """Whether a sitemap's name says that it holds posts only,
    as those of WordPress, its plug-ins and Ghost do.
    """
    name = urlsplit(url).path.rpartition("/")[2]
    if match := _CORE_SITEMAP.match(name):
        return match[1].lower() == "post"
    return "sitemap" in name.lower() and bool(_POST_SITEMAP.search(name))


def sitemaps_in_robots(text: str, robots_url: str = "") -> list[str]:
    """The addresses after `Sitemap:` in a robots.txt, each once."""
    named = (match[1] for match in _ROBOTS_LINE.finditer(text))
    lines = [f"/{name}" if _FILE.fullmatch(name) else name for name in named]
    return list(dict.fromkeys(_addresses(lines, robots_url)))


def _read_xml(text: str, url: str) -> Sitemap:
    """The pages and maps of a document, each where its element says so."""
    pages: list[SitemapUrl] = []
    maps: list[SitemapUrl] = []
    for element in _elements(text):
        named = _read_element(element, url)
        if named:
            (maps if _local(element.tag) == "sitemap" else pages).append(named)
        if len(pages) + len(maps) > MOST_URLS:
            return Sitemap(_unique(iter(pages[:MOST_URLS])), _unique(iter(maps)), cut=True)
    return Sitemap(_unique(iter(pages)), _unique(iter(maps)))


def _elements(text: str) -> Iterator[_Element]:
    """The elements that name a page or a map, of a document that may be broken."""
    from lxml import etree  # noqa: PLC0415 only sitemaps need it here

    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    start = _ROOT.search(text)
    if start is None:
        return
    try:
        # An address that breaks off would be another one.
        whole = with_entities(text[start.start() : text.rfind(">") + 1], text[: start.start()])
        whole = plain_entities(_HALF_CHARACTER.sub("", whole))
        root = etree.fromstring(whole.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return
    if root is not None:
        yield from root.iter("{*}url", "{*}sitemap")


def _local(tag: object) -> str:
    """The name of an element without its namespace."""
    return str(tag).rpartition("}")[2].lower()


def _read_element(element: _Element, url: str) -> SitemapUrl | None:
    """What one element names; None where that is no address."""
    values = {_local(child.tag): "".join(child.itertext()).strip() for child in element.iterchildren("*")}
    address = next(_addresses([values.get("loc", "").replace(" ", "%20")], url), None)
    return SitemapUrl(address, read_moment(values.get("lastmod"))) if address else None


def _addresses(lines: list[str], base: str) -> Iterator[str]:
    """The addresses in some lines, those of a blog left in
    its development setting on the host they came from.
    """
    came_from_web = is_http(base) and not is_local(base)
    for line in lines[:MOST_URLS]:
        address = line.strip().lstrip("\ufeff")
        joined = join(base, address) if _is_address(address) else None
        if joined is None:
            continue
        if came_from_web and is_local(joined):
            joined = move_host(joined, base)
        yield canonical(joined)


def _is_address(text: str) -> bool:
    """Whether a line is an address, and no words."""
    return " " not in text and (is_http(text) or text.startswith("/"))


def _unique(found: Iterator[SitemapUrl]) -> tuple[SitemapUrl, ...]:
    """Each address once, with what was said of it last."""
    return tuple({entry.url: entry for entry in found}.values())
