"""Feeds of every kind read into one model; broken ones as far as they go."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterable
from typing import Any, Literal
from urllib.parse import urlsplit

from blogforever.discover.feedbytes import LARGEST, MOST_ENTRIES, Prepared, decode_feed, prepare
from blogforever.discover.feeddates import read_moment, without_made_dates
from blogforever.discover.feedfields import Addresses, author_of, line, title_line, unique_authors, unique_tags
from blogforever.discover.feedjson import parse_json_feed
from blogforever.errors import FeedError
from blogforever.model import Author, Enclosure, Entry, Feed, Moment
from blogforever.urls import is_http, same_site

Kind = Literal["rss", "atom", "rdf", "json"]
Parsed = dict[str, Any]

_VERSIONS = {
    "rss090": "0.90",
    "rss091n": "0.91",
    "rss091u": "0.91",
    "rss092": "0.92",
    "rss093": "0.93",
    "rss094": "0.94",
}
_VERSIONS |= {"rss10": "1.0", "rss20": "2.0", "atom01": "0.1", "atom02": "0.2", "atom03": "0.3", "atom10": "1.0"}
_FEED_TYPES = ("application/atom+xml", "application/rss+xml", "application/rdf+xml", "text/xml", "application/xml")


def parse_feed(content: bytes, url: str) -> Feed:
    """Read RSS 0.9x, 1.0, 2.0, Atom 0.3, 1.0 or JSON Feed; raises FeedError where the bytes hold no feed."""
    text = decode_feed(content[:LARGEST])
    if not text.strip("\ufeff\0 \t\r\n"):
        raise FeedError("The document is empty, not a feed.")
    cut = [f"longer than {LARGEST // 2**20} MB: the rest is left"] if len(content) > LARGEST else []
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return parse_json_feed(text.lstrip("\ufeff \t\r\n"), url, MOST_ENTRIES)
    prepared = prepare(text)
    parsed = _parse_xml(prepared)
    return _feed(parsed, prepared, url, cut)


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
    return parsed is not None and bool(parsed["feed"] or parsed["entries"])


def _run_feedparser(xml: bytes) -> Parsed | None:
    import feedparser  # noqa: PLC0415 slow to import, and not needed by the rest of the core

    try:
        parsed: Parsed = feedparser.parse(io.BytesIO(xml), sanitize_html=False, resolve_relative_uris=False)
    except Exception:  # its handlers fail in many ways on broken feeds; all mean that it made nothing of this one
        return None
    return parsed


def _mended(xml: bytes) -> bytes:
    from lxml import etree  # noqa: PLC0415 seldom needed

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.tostring(etree.fromstring(xml, parser), encoding="utf-8")
    except (etree.XMLSyntaxError, ValueError, TypeError):  # TypeError: nothing was left to write
        return b""


def _feed(parsed: Parsed, prepared: Prepared, url: str, problems: list[str]) -> Feed:
    head: Parsed = parsed["feed"]
    kind = _kind(parsed.get("version") or "", prepared.root)
    addresses = Addresses(url, _site_link(head))
    authors = _authors(head, addresses)
    entries = [_entry(raw, addresses, kind, authors if kind == "atom" else ()) for raw in parsed["entries"]]
    found = without_made_dates([entry for entry in entries if entry])
    return Feed(
        url=url,
        kind=kind,
        version=_VERSIONS.get(parsed.get("version") or "", ""),
        title=_text(head, "title"),
        subtitle=_text(head, "subtitle"),
        link=addresses.site,
        language=line(head.get("language")),
        generator=_generator(head),
        rights=_text(head, "rights"),
        authors=authors,
        entries=found,
        next_url=_first_link(head, addresses, ("next", "prev-archive")),
        hub=_first_link(head, addresses, ("hub",)),
        problems=(*problems, *prepared.problems, *_problems(parsed, len(found))),
    )


def _kind(version: str, root: str) -> Kind:
    if version.startswith("atom"):
        return "atom"
    local = root.rpartition(":")[2].lower()
    if local == "rdf" or version in ("rss10", "rss090"):
        return "rdf"
    return "atom" if local == "feed" else "rss"


def _problems(parsed: Parsed, count: int) -> list[str]:
    problems = []
    if parsed.get("bozo"):
        problems.append(f"not well-formed: {line(str(parsed.get('bozo_exception'))) or 'unknown'}"[:200])
    missing = len(parsed["entries"]) - count
    if missing:
        problems.append(f"{missing} entries without a link are left out")
    return problems


def _text(parsed: Parsed, name: str) -> str | None:
    """A one-line field; only Atom's plain type is taken at its word."""
    detail = parsed.get(name + "_detail") or {}
    return title_line(parsed.get(name), markup=detail.get("type") != "text/plain" or "</" in str(parsed.get(name)))


def _links(parsed: Parsed) -> list[Parsed]:
    return [link for link in parsed.get("links") or [] if isinstance(link, dict) and link.get("href")]


def _first_link(parsed: Parsed, addresses: Addresses, rels: Iterable[str]) -> str | None:
    for rel in rels:
        for link in _links(parsed):
            if rel in str(link.get("rel", "")).lower().split():
                return addresses.file(link["href"])
    return None


def _site_link(head: Parsed) -> str | None:
    link = head.get("link")
    if isinstance(link, str) and link.strip():
        return link
    return next((str(link["href"]) for link in _links(head) if link.get("rel") == "alternate"), None)


def _generator(head: Parsed) -> str | None:
    detail = head.get("generator_detail") or {}
    agent = head.get("admin_generatoragent")
    name = line(head.get("generator")) or line(detail.get("href"))
    if not name and isinstance(agent, dict):
        name = line(agent.get("rdf:resource"))
    version = line(detail.get("version"))
    return f"{name} {version}" if name and version and version not in name else name


def _authors(parsed: Parsed, addresses: Addresses) -> tuple[Author, ...]:
    found = [
        author_of(author.get("name") or author.get("email"), addresses.file(author.get("href")), author.get("email"))
        for author in parsed.get("authors") or []
        if isinstance(author, dict)
    ]
    return unique_authors(found) or unique_authors([author_of(parsed.get("author"))])


def _entry(raw: Parsed, addresses: Addresses, kind: Kind, feed_authors: tuple[Author, ...]) -> Entry | None:
    guid = line(raw.get("id"))
    url, extra = _address(raw, guid, addresses)
    if not url:
        return None
    published, updated = _dates(raw, kind)
    content, summary = _texts(raw, kind)
    authors = _authors(raw, addresses)
    inherited = {"authors_from": "feed"} if feed_authors and not authors else {}
    return Entry(
        url=url,
        guid=guid,
        title=_text(raw, "title"),
        authors=authors or feed_authors,
        published=published,
        updated=updated,
        html=content,
        summary_html=summary,
        tags=unique_tags(_tags(raw)),
        enclosures=_enclosures(raw, addresses),
        comments_url=addresses.file(raw.get("comments")) or _replies(raw, addresses, feed=False),
        comments_feed=addresses.file(raw.get("wfw_commentrss")) or _replies(raw, addresses, feed=True),
        comment_count=_comment_count(raw),
        extra=extra | inherited | _extra(raw) | _answered(raw),
    )


def _address(raw: Parsed, guid: str | None, addresses: Addresses) -> tuple[str | None, dict[str, str]]:
    """The page of an entry. A link post names its target as link and itself as guid: the page is its own."""
    original = next((raw[name] for name in ("feedburner_origlink", "pheedo_origlink") if raw.get(name)), None)
    given = (
        original
        or raw.get("link")
        or next((link["href"] for link in _links(raw) if link.get("rel") == "alternate"), None)
    )
    own = addresses.page(guid) if guid and is_http(guid) else None
    url = addresses.page(given) or own
    if url and own and addresses.site and not same_site(url, addresses.site) and _is_permalink(own, addresses.site):
        return own, {"link": url}
    fragment = str(given or "").partition("#")[2]
    return url, {"fragment": fragment} if fragment and not fragment.startswith("038;") else {}


def _is_permalink(url: str, site: str) -> bool:
    return same_site(url, site) and len(urlsplit(url).path) > 1


def _dates(raw: Parsed, kind: Kind) -> tuple[Moment | None, Moment | None]:
    """Published and updated. RSS and RDF name one date, in whichever of the two places."""
    published = read_moment(dict.get(raw, "published"), dict.get(raw, "published_parsed"))
    updated = read_moment(dict.get(raw, "updated"), dict.get(raw, "updated_parsed"))
    published = published or read_moment(dict.get(raw, "created"), dict.get(raw, "created_parsed"))
    if kind != "atom" and published is None:
        return updated, None
    same = published is not None and updated is not None and published.day == updated.day
    return published, None if kind != "atom" and same else updated


def _markup(detail: Parsed) -> str:
    """HTML of a text construct; plain text is escaped, so that it stays the text it was."""
    value = detail.get("value")
    if not isinstance(value, str):
        return ""
    plain = detail.get("type") == "text/plain" and not re.search(r"</\w+>|<br ?/?>|<p>|<img ", value)
    return html.escape(value, quote=False) if plain else value


def _texts(raw: Parsed, kind: Kind) -> tuple[str, str]:
    """The text of an entry and its summary; an RSS description that stands alone is the text."""
    contents = sorted((_markup(part) for part in raw.get("content") or []), key=len, reverse=True)
    detail = raw.get("summary_detail") or {"value": raw.get("summary")}
    summary = _markup(detail)
    content = contents[0] if contents else ""
    if content == summary or str(raw.get("summary")) in [part.get("value") for part in raw.get("content") or []]:
        summary = contents[1] if len(contents) > 1 else ""
    if kind != "atom" and len(content) < len(summary):
        return summary, content
    return content, summary


def _tags(raw: Parsed) -> Iterable[tuple[object, object]]:
    for tag in raw.get("tags") or []:
        term, label = tag.get("term"), tag.get("label")
        yield (label if label and is_http(str(term)) else term or label), tag.get("scheme")


def _enclosures(raw: Parsed, addresses: Addresses) -> tuple[Enclosure, ...]:
    found: dict[str, Enclosure] = {}
    linked = [link for link in _links(raw) if link.get("rel") == "enclosure"]
    media = [part for part in raw.get("media_content") or [] if isinstance(part, dict)]
    for part in linked + media:
        url = addresses.file(part.get("href") or part.get("url"))
        size = str(part.get("length") or part.get("filesize") or "")
        if url and url not in found:
            found[url] = Enclosure(
                url, line(part.get("type")), int(size) if size.isdecimal() and len(size) < 16 else None
            )
    return tuple(found.values())


def _replies(raw: Parsed, addresses: Addresses, feed: bool) -> str | None:
    for link in _links(raw):
        if link.get("rel") == "replies" and (link.get("type") in _FEED_TYPES) == feed:
            return addresses.file(link["href"])
    return None


def _comment_count(raw: Parsed) -> int | None:
    counted = [raw.get("slash_comments"), raw.get("thr_total")]
    counted += [link.get("thr:count") or link.get("count") for link in _links(raw) if link.get("rel") == "replies"]
    numbers = [int(text) for text in map(str, counted) if text.isdecimal() and len(text) < 9]
    return numbers[0] if numbers else None


def _answered(raw: Parsed) -> dict[str, str]:
    """What a comment answers: another comment by Blogger's related link, or what RFC 4685 names."""
    related = next((link["href"] for link in _links(raw) if link.get("rel") == "related" and link.get("href")), None)
    told = raw.get("thr_in-reply-to")
    named = (told.get("href") or told.get("ref")) if isinstance(told, dict) else None
    ours = related if related and "/comments/" in str(related) else named
    return {"in_reply_to": text} if (text := line(ours)) else {}


def _extra(raw: Parsed) -> dict[str, str]:
    """Other facts of an entry that the record of a post has a place for."""
    names = {
        "rights": "rights",
        "geo_lat": "latitude",
        "geo_long": "longitude",
        "post-id": "native_id",
        "license": "license",
    }
    found = {names[name]: line(raw.get(name)) for name in names}
    return _point(raw) | {name: value for name, value in found.items() if value}


def _point(raw: Parsed) -> dict[str, str]:
    """The place that GeoRSS gives, where it is a point: feedparser reads all its forms into one."""
    where = raw.get("where")
    if not isinstance(where, dict) or where.get("type") != "Point":
        return {}
    longitude, latitude = where["coordinates"][:2]
    return {"latitude": str(latitude), "longitude": str(longitude)}
