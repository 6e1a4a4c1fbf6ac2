"""Feeds of every kind read into one model; broken ones as far as they go."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from blogforever.discover.feedbytes import LARGEST, MOST_ENTRIES, REST_LEFT, Prepared, decode_feed, prepare
from blogforever.discover.feeddates import read_moment, without_made_dates
from blogforever.discover.feedfields import (
    LONGEST_SIZE,
    Addresses,
    author_of,
    line,
    number,
    title_line,
    unique_authors,
    unique_tags,
)
from blogforever.discover.feedjson import parse_json_feed
from blogforever.discover.feedmends import MENTIONED
from blogforever.discover.packed import inflate
from blogforever.discover.platform import platforms_named
from blogforever.errors import FeedError
from blogforever.model import Author, Enclosure, Entry, Feed, Moment
from blogforever.urls import is_http, page_key, same_site

Kind = Literal["rss", "atom", "rdf", "json"]
Parsed = dict[str, Any]

_VERSIONS = {
    "rss090": "0.90",
    "rss091n": "0.91",
    "rss091u": "0.91",
    "rss092": "0.92",
    "rss093": "0.93",
    "rss094": "0.94",
    "rss10": "1.0",
    "rss20": "2.0",
    "atom01": "0.1",
    "atom02": "0.2",
    "atom03": "0.3",
    "atom10": "1.0",
}
_FEED_TYPES = (
    "application/atom+xml",
    "application/rss+xml",
    "application/rdf+xml",
    "text/xml",
    "application/xml",
)
# Where services that stand between a blog and its readers keep the post's own address.
_ORIGINALS = ("feedburner_origlink", "pheedo_origlink")
# Mark-up in what says that it is plain text.
_MARKUP = re.compile(r"</\w+>|<br ?/?>|<p>|<img ")
# A text that is nothing but escaped mark-up from its first to its last sign: it was escaped once too often.
_ESCAPED_TWICE = re.compile(r"\s*&lt;[a-z][^<]*&lt;/[a-z][a-z0-9]*&gt;\s*", re.IGNORECASE)
# What a broken escape of & leaves behind a #.
_BROKEN_ESCAPE = "038;"
# Characters kept of what a parser complains about.
_LONGEST_PROBLEM = 200
# Related links of an entry among which its own page is looked for.
_MOST_RELATED = 5
_MEGABYTE = 2**20
# Other facts of an entry, by the names the record of a post has for them.
_EXTRA = {
    "rights": "rights",
    "geo_lat": "latitude",
    "geo_long": "longitude",
    "post-id": "native_id",
    "license": "license",
}


def parse_feed(content: bytes, url: str, charset: str = "") -> Feed:
    """Read RSS 0.9x, 1.0, 2.0, Atom 0.3, 1.0 or JSON Feed; `charset` is what its server says of it.

    Raises FeedError where the bytes hold no feed.
    """
    content = inflate(content, LARGEST + 1)
    text = decode_feed(content[:LARGEST], charset)
    if not text.strip("\ufeff\0 \t\r\n"):
        raise FeedError("The document is empty, not a feed.")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return parse_json_feed(text.lstrip("\ufeff \t\r\n"), url, MOST_ENTRIES)
    is_cut = len(content) > LARGEST
    problems = [f"longer than {LARGEST // _MEGABYTE} MB: {REST_LEFT}"] if is_cut else []
    prepared = prepare(text)
    return _feed(_parse_xml(prepared), prepared, url, problems)


def _parse_xml(prepared: Prepared) -> Parsed:
    """What feedparser makes of the XML, or of the XML mended where it makes nothing of it."""
    parsed = _run_feedparser(prepared.xml)
    if not _is_something(parsed):
        prepared.problems.append("not well-formed: read after mending")
        parsed = _run_feedparser(_mended(prepared.xml))
    if parsed is None or not _is_something(parsed):
        raise FeedError("The document has neither a channel nor entries: it is not a feed.")
    return parsed


def _is_something(parsed: Parsed | None) -> bool:
    """Whether a parser found anything at all."""
    return parsed is not None and bool(parsed["feed"] or parsed["entries"])


def _run_feedparser(xml: bytes) -> Parsed | None:
    """What feedparser makes of the XML; None where it fails."""
    import feedparser  # noqa: PLC0415 slow to import, and not needed by the rest of the core

    try:
        parsed: Parsed = feedparser.parse(
            io.BytesIO(xml),
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception:  # its handlers fail in many ways on broken feeds; all mean that it made nothing of this one
        return None
    return parsed


def _mended(xml: bytes) -> bytes:
    """The XML as lxml closes and escapes what is broken in it; empty where nothing is left."""
    from lxml import etree  # noqa: PLC0415 seldom needed

    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        return etree.tostring(etree.fromstring(xml, parser), encoding="utf-8")
    except (etree.XMLSyntaxError, ValueError, TypeError):  # TypeError: nothing was left to write
        return b""


class _About(NamedTuple):
    """What a feed says that all its entries are read by."""

    addresses: Addresses
    kind: Kind
    authors: tuple[Author, ...]
    """Those of the feed where they are the entries', too."""
    nobody: frozenset[str]
    """Names that its program writes where nobody gave one."""
    language: str | None


def _feed(parsed: Parsed, prepared: Prepared, url: str, problems: list[str]) -> Feed:
    """The model of a feed, from what feedparser made of it."""
    head: Parsed = parsed["feed"]
    kind = _kind(parsed.get("version") or "", prepared.root)
    addresses = Addresses(url, _site_link(head))
    generator = _generator(head)
    nobody = _nobody(generator)
    authors = _authors(head, addresses, nobody)
    # Only Atom says that the feed's author is that of its entries.
    inherited = authors if kind == "atom" else ()
    language = _language(head)
    about = _About(addresses, kind, inherited, nobody, language)
    entries = [_entry(raw, about) for raw in parsed["entries"]]
    dated = without_made_dates([entry for entry in entries if entry])
    return Feed(
        url=url,
        kind=kind,
        version=_VERSIONS.get(parsed.get("version") or "", ""),
        title=_text(head, "title"),
        # Podcasts have a summary and a line of their own where others have a description.
        subtitle=_text(head, "subtitle") or _text(head, "summary") or _text(head, "itunes_tagline"),
        link=addresses.site,
        language=language,
        generator=generator,
        rights=_text(head, "rights"),
        authors=authors,
        entries=dated,
        next_url=_first_link(head, addresses, ("next", "prev-archive")),
        pageless=len(parsed["entries"]) - len(dated),
        problems=(*problems, *prepared.problems, *_problems(parsed, len(dated))),
    )


def _kind(version: str, root: str) -> Kind:
    """The family a feed belongs to, by its version or its root."""
    if version.startswith("atom"):
        return "atom"
    local = root.rpartition(":")[2].lower()
    if local == "rdf" or version in ("rss10", "rss090"):
        return "rdf"
    return "atom" if local == "feed" else "rss"


def _problems(parsed: Parsed, count: int) -> list[str]:
    """What the parser complains about, and what is left out of the feed."""
    problems = []
    if parsed.get("bozo"):
        complaint = line(str(parsed.get("bozo_exception"))) or "unknown"
        problems.append(f"not well-formed: {complaint}"[:_LONGEST_PROBLEM])
    missing = len(parsed["entries"]) - count
    if missing:
        problems.append(f"{missing} entries that nothing names are left out")
    return problems


def _text(parsed: Parsed, name: str) -> str | None:
    """A one-line field; only Atom's plain type is taken at its word."""
    detail = parsed.get(name + "_detail") or {}
    is_plain = detail.get("type") == "text/plain" and "</" not in str(parsed.get(name))
    return title_line(parsed.get(name), markup=not is_plain)


def _links(parsed: Parsed) -> list[Parsed]:
    """The links of a feed or an entry that lead somewhere."""
    links = parsed.get("links") or []
    return [link for link in links if isinstance(link, dict) and link.get("href")]


def _links_to(parsed: Parsed, rel: str) -> list[Parsed]:
    """The links with this relation and no other."""
    return [link for link in _links(parsed) if link.get("rel") == rel]


def _first_link(parsed: Parsed, addresses: Addresses, rels: Iterable[str]) -> str | None:
    """Where the first link leads that has the first of these relations that any has."""
    for rel in rels:
        for link in _links(parsed):
            if rel in str(link.get("rel", "")).lower().split():
                return addresses.file(link["href"])
    return None


def _site_link(head: Parsed) -> str | None:
    """What the feed says its site is."""
    link = head.get("link")
    if isinstance(link, str) and link.strip():
        return link
    alternates = _links_to(head, "alternate")
    return str(alternates[0]["href"]) if alternates else None


def _language(head: Parsed) -> str | None:
    """The language of a feed. What its root says goes for all that is in it, the title first."""
    return line(head.get("language")) or line((head.get("title_detail") or {}).get("language"))


def _nobody(generator: str | None) -> frozenset[str]:
    """The names that the program which made a feed writes where nobody gave one."""
    makers = platforms_named(generator) if generator else ()
    return frozenset(name.casefold() for maker in makers for name in maker.nobody)


def _generator(head: Parsed) -> str | None:
    """What made the feed, with its version."""
    detail = head.get("generator_detail") or {}
    name = line(head.get("generator")) or line(detail.get("href"))
    agent = head.get("admin_generatoragent")
    if not name and isinstance(agent, dict):
        name = line(agent.get("rdf:resource"))
    if not name:
        return None
    version = line(detail.get("version"))
    says_more = version is not None and version not in name
    return f"{name} {version}" if says_more else name


def _authors(parsed: Parsed, addresses: Addresses, nobody: frozenset[str]) -> tuple[Author, ...]:
    """Who wrote a feed or an entry, each once."""
    found = []
    for author in parsed.get("authors") or []:
        if isinstance(author, dict):
            name, mail = author.get("name"), author.get("email")
            found.append(author_of(name or mail, addresses.file(author.get("href")), mail))
    authors = unique_authors(found) or unique_authors([author_of(parsed.get("author"))])
    return tuple(author for author in authors if author.name.casefold() not in nobody)


def _entry(raw: Parsed, about: _About) -> Entry | None:
    """The model of an entry; None for one that nothing names.

    One without a page goes by the file it carries, else by its id: what it says must not be lost.
    """
    addresses = about.addresses
    guid = line(raw.get("id"))
    url, extra = _address(raw, guid, addresses)
    enclosures = _enclosures(raw, addresses)
    name = url or (enclosures[0].url if enclosures else guid)
    if not name:
        return None
    published, updated = _dates(raw, about)
    content, summary = _texts(raw, about.kind)
    # An entry taken over from another feed brings with it who writes there.
    writers = (_authors(place, addresses, about.nobody) for place in (raw, raw.get("source") or {}))
    authors = next(filter(None, writers), ())
    inherited = {"authors_from": "feed"} if about.authors and not authors else {}
    comments_page = addresses.file(raw.get("comments"))
    comments_feed = addresses.file(raw.get("wfw_commentrss"))
    return Entry(
        url=name,
        guid=guid,
        title=_text(raw, "title"),
        authors=authors or about.authors,
        published=published,
        updated=updated,
        html=content,
        summary_html=summary,
        tags=unique_tags(_tags(raw)),
        enclosures=enclosures,
        comments_url=comments_page or _replies(raw, addresses, feed=False),
        comments_feed=comments_feed or _replies(raw, addresses, feed=True),
        comment_count=_comment_count(raw),
        extra=extra | inherited | _extra(raw) | _answered(raw),
    )


def _address(raw: Parsed, guid: str | None, addresses: Addresses) -> tuple[str | None, dict[str, str]]:
    """The page of an entry. A link post names its target
    as link and itself as guid, or as related: the page is its own.
    """
    given = _given_link(raw)
    own = addresses.page(guid) if guid and is_http(guid) else None
    url = addresses.page(given) or own
    if url and (page := _page_of_link_post(raw, url, own, addresses)):
        return page, {"link": url}
    # Where several entries name one page, the guid may be the address with the mark of each.
    same_page = own is not None and url is not None and page_key(own) == page_key(url)
    fragment = _fragment(given) or (_fragment(guid) if same_page else "")
    return url, {"fragment": fragment} if fragment else {}


def _page_of_link_post(raw: Parsed, url: str, own: str | None, addresses: Addresses) -> str | None:
    """The page of a post that is about another page; None for any other post."""
    related = (addresses.page(link["href"]) for link in _links_to(raw, "related")[:_MOST_RELATED])
    pages = (page for page in (own, *related) if page)
    return next((page for page in pages if _is_link_post(url, page, addresses.site)), None)


def _fragment(address: object) -> str:
    fragment = str(address or "").partition("#")[2]
    return "" if fragment.startswith(_BROKEN_ESCAPE) else fragment


def _given_link(raw: Parsed) -> object:
    """What an entry names as its link: before others the address that a service between hides."""
    original = next((raw[name] for name in _ORIGINALS if raw.get(name)), None)
    if original:
        return original
    named = raw.get("link")
    others = (link["href"] for rel in ("alternate", MENTIONED) for link in _links_to(raw, rel))
    return named or next(others, None)


def _is_link_post(url: str, own: str, site: str | None) -> bool:
    """Whether the link leads away from the site, while another is the address of a page of it."""
    if not site or same_site(url, site):
        return False
    return same_site(own, site) and len(urlsplit(own).path) > 1


def _dates(raw: Parsed, about: _About) -> tuple[Moment | None, Moment | None]:
    """Published and updated. RSS and RDF name one date, in whichever of the two places."""
    published = _moment(raw, "published", about) or _moment(raw, "created", about)
    updated = _moment(raw, "updated", about)
    if about.kind == "atom":
        return published, updated
    if published is None:
        return updated, None
    if updated is not None and published.day == updated.day:
        return published, None
    return published, updated


def _moment(raw: Parsed, name: str, about: _About) -> Moment | None:
    """One of the dates of an entry."""
    # Not raw.get: feedparser answers for one date with another where it is missing.
    return read_moment(dict.get(raw, name), about.language)


def _markup(detail: Parsed) -> str:
    """HTML of a text construct; plain text is escaped, so that it stays the text it was."""
    value = detail.get("value")
    if not isinstance(value, str):
        return ""
    is_plain = detail.get("type") == "text/plain" and not _MARKUP.search(value)
    if is_plain:
        return html.escape(value, quote=False)
    value = value.replace("<br></br>", "<br>")
    return html.unescape(value) if _ESCAPED_TWICE.fullmatch(value) else value


def _texts(raw: Parsed, kind: Kind) -> tuple[str, str]:
    """The text of an entry and its summary; an RSS description that stands alone is the text."""
    parts: list[Parsed] = raw.get("content") or []
    content, *shorter = sorted(map(_markup, parts), key=len, reverse=True) or [""]
    # The first of several: what stands inside of other elements may be described, too.
    summary = _markup({**(raw.get("summary_detail") or {}), "value": raw.get("summary")})
    if not content and not summary:
        return _markup({"value": raw.get("media_caption"), "type": "text/plain"}), ""
    is_repeated = str(raw.get("summary")) in [part.get("value") for part in parts]
    if content == summary or is_repeated:
        summary = shorter[0] if shorter else ""
    if kind != "atom" and len(content) < len(summary):
        return summary, content
    return content, summary


def _tags(raw: Parsed) -> Iterable[tuple[object, object]]:
    """Each tag as people read it, with its scheme: its label before its term."""
    for tag in raw.get("tags") or []:
        yield tag.get("label") or tag.get("term"), tag.get("scheme")


def _enclosures(raw: Parsed, addresses: Addresses) -> tuple[Enclosure, ...]:
    """The files an entry carries, each once."""
    found: dict[str, Enclosure] = {}
    # A service that counts puts an address of its own before the file's.
    original = raw.get("feedburner_origenclosurelink")
    media = [part for part in raw.get("media_content") or [] if isinstance(part, dict)]
    for part in [*_links_to(raw, "enclosure"), *media]:
        url = addresses.file(original if original and not found else part.get("href") or part.get("url"))
        if url is None or url in found:
            continue
        size = number(part.get("length") or part.get("filesize"), LONGEST_SIZE)
        # The parser says that a link without a type leads to a page.
        kind = line(part.get("type")) if part.get("type") != "text/html" else None
        found[url] = Enclosure(url, kind, size)
    return tuple(found.values())


def _replies(raw: Parsed, addresses: Addresses, feed: bool) -> str | None:
    """The link to an entry's comments: as a feed, or as a page."""
    for link in _links_to(raw, "replies"):
        is_feed = link.get("type") in _FEED_TYPES
        if is_feed == feed:
            return addresses.file(link["href"])
    return None


def _comment_count(raw: Parsed) -> int | None:
    """How many comments the feed says an entry has."""
    counted = [raw.get("slash_comments"), raw.get("thr_total")]
    counted += [link.get("thr:count") or link.get("count") for link in _links_to(raw, "replies")]
    for value in counted:
        count = number(value)
        if count is not None:
            return count
    return None


def _answered(raw: Parsed) -> dict[str, str]:
    """What a comment answers: another comment by Blogger's related link, or what RFC 4685 names."""
    related = _links_to(raw, "related")
    named = raw.get("thr_in-reply-to")
    answered: object = None
    if related and "/comments/" in str(related[0]["href"]):
        answered = related[0]["href"]
    elif isinstance(named, dict):
        answered = named.get("href") or named.get("ref")
    text = line(answered)
    return {"in_reply_to": text} if text else {}


def _extra(raw: Parsed) -> dict[str, str]:
    """Other facts of an entry that the record of a post has a place for."""
    found = _point(raw)
    for name, ours in _EXTRA.items():
        value = line(raw.get(name))
        if value:
            found[ours] = value
    return found


def _point(raw: Parsed) -> dict[str, str]:
    """The place that GeoRSS gives, where it is a point: feedparser reads all its forms into one."""
    where = raw.get("where")
    if not isinstance(where, dict) or where.get("type") != "Point":
        return {}
    longitude, latitude = where["coordinates"][:2]
    return {"latitude": str(latitude), "longitude": str(longitude)}
