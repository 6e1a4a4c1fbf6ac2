"""OPML: the feeds and blogs that a reader of feeds exports, with the folders they lie in as tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.entities import html5
from typing import IO

from .given import BlogMetadata, GivenRow
from .table import LONGEST_CELL, LONGEST_NOTE, tags_in
from .typed import given_address, shortened

# Bytes that the parser is given at once.
PIECE = 65_536
# Bytes of one tag; a longer one is cut.
LARGEST_TAG = 1024 * 1024
# What begins no entity of XML: a bare ampersand, or one of the entities of HTML, which a parser would drop.
BARE = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?:([a-zA-Z][a-zA-Z0-9]{1,31});)?")
# Folders in folders; who has more is after the parser.
MOST_FOLDERS = 100
# No outline needs a declaration of its own; bombs are made of them.
DECLARATION = re.compile(rb"<!(?:ENTITY|ELEMENT|ATTLIST)", re.IGNORECASE)
REFUSED = "The OPML declares entities of its own, which no list of blogs needs; nothing of it was read."
TOO_DEEP = "The OPML has more folders in folders than anybody sorts blogs into; it was read up to here."
NOT_WHOLE = "The OPML breaks off or is damaged; it was read up to here."


def given_in_outline(data: IO[bytes]) -> Iterator[GivenRow]:
    """The given rows of an OPML file; what is damaged is read as far as it goes."""
    from lxml.etree import XMLPullParser, XMLSyntaxError  # noqa: PLC0415  heavy, and seldom needed

    parser = XMLPullParser(
        events=("start", "end"), recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    outline = _Outline()
    for piece in _pieces(data):
        if DECLARATION.search(piece):
            yield GivenRow(0, "", problem=REFUSED)
            return
        try:
            parser.feed(piece)
        except XMLSyntaxError:
            yield GivenRow(0, "", problem=NOT_WHOLE)
            return
        for event, element in parser.read_events():
            yield from outline.take(event, element.tag, dict(element.attrib))
            if event == "end":
                element.clear()
        if outline.is_too_deep:
            yield GivenRow(0, "", problem=TOO_DEEP)
            return
    if not outline.is_whole:
        yield GivenRow(0, "", problem=NOT_WHOLE)


def _pieces(data: IO[bytes]) -> Iterator[bytes]:
    """The file in pieces that end with a tag, its entities
    those of XML: nearly every program writes others.
    """
    rest = b""
    while piece := data.read(PIECE):
        whole, mark, after = (rest + piece).rpartition(b">")
        is_one_tag = not mark and len(after) < LARGEST_TAG
        piece, rest = (b"", after) if is_one_tag else (whole + mark, after) if mark else (after, b"")
        yield BARE.sub(_plain, piece)
    yield BARE.sub(_plain, rest)


def _plain(match: re.Match[bytes]) -> bytes:
    """An entity of HTML as the numbers of its characters; any other ampersand as itself."""
    meaning = html5.get(f"{match[1].decode()};") if match[1] else None
    if meaning:
        return "".join(f"&#{ord(character)};" for character in meaning).encode()
    return b"&amp;" + match[0][1:]


class _Outline:
    """Where the reader stands: in which folders, and whether the file came to its end."""

    def __init__(self) -> None:
        self._folders: list[str] = []
        self.is_whole = self.is_too_deep = False

    def take(self, event: str, tag: object, attributes: Mapping[str, str]) -> Iterator[GivenRow]:
        """What an outline gives, when it begins."""
        name = str(tag).rpartition("}")[2].lower()
        if name == "opml" and event == "end":
            self.is_whole = True
        if name != "outline":
            return
        if event == "end":
            del self._folders[-1:]
            return
        said = {key.lower(): value for key, value in attributes.items()}
        addresses = [said.get(key, "").strip() for key in ("htmlurl", "xmlurl", "url")]
        is_blog = any(addresses)
        if is_blog:
            yield _given(said, self._folders)
        # What stands in the outline of a blog lies in no folder.
        self._folders.append("" if is_blog else _title(said))
        self.is_too_deep = len(self._folders) > MOST_FOLDERS


def _given(said: Mapping[str, str], folders: list[str]) -> GivenRow:
    """A blog, by the address of its home where that is told, else by its feed's."""
    feed = said.get("xmlurl", "").strip()
    typed = said.get("htmlurl", "").strip() or feed or said.get("url", "").strip()
    url, problem = given_address(typed)
    if problem and feed:
        typed, (url, problem) = feed, given_address(feed)
    feed_url = given_address(feed)[0] if feed else ""
    categories = tags_in(said.get("category", "").replace("/", ","))
    tags = dict.fromkeys([*(folder for folder in folders if folder), *categories])
    return GivenRow(
        0,
        shortened(typed),
        url,
        problem,
        _title(said),
        tuple(tags),
        said.get("description", "")[:LONGEST_NOTE],
        feeds=(feed_url,) if feed_url and feed_url != url else (),
        metadata=BlogMetadata(language=said.get("language", "")[:LONGEST_CELL]),
    )


def _title(said: Mapping[str, str]) -> str:
    text = said.get("title") or said.get("text") or ""
    return " ".join(text.split())[:LONGEST_CELL]
