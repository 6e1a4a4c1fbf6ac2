"""Which blogging platform made a page, and where it keeps its feeds: all known of one is a file in `data/platforms`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser

from blogforever.knowledge import PLATFORMS, Shape, own_files, own_folders, read_knowledge
from blogforever.model import Feed
from blogforever.wordlists import data_of

MOST_RESOURCES = 400
"""Links and scripts of a page looked at for marks of a platform."""

# How sure each sign is: what a page or a feed says of itself before what its server says,
_SURE = {"generator": 0.98, "feed_generator": 0.95, "headers": 0.9}
# and both before what a page looks like, by the number of marks it shows.
_BY_MARKS = (0.0, 0.6, 0.8, 0.9)
_VERSION = re.compile(r"\d[\w.-]*")
# Characters of a header, of what a page or feed says made
# it, and of an address that are looked at for marks.
_LONGEST_HEADER, _LONGEST_MAKER, _LONGEST_RESOURCE = 2000, 200, 300
# Makers that one page names.
_MOST_MAKERS = 5
# The number of the first page of a list, on most platforms.
_FIRST_PAGE = 1

SHAPE: Shape = {
    "name": "text",
    "detect": {"generator": "patterns", "feed_generator": "patterns", "headers": "patterns", "marks": "texts"},
    "older": {
        "feeds": "patterns",
        "parameter": "text",
        "in_path": "pattern",
        "first": "number",
        "by_entries": "flag",
        "also": "table",
    },
    "comments": {"of_blog": "text", "of_post": "patterns", "below_post": "text"},
    "nobody": "texts",
}
"""What the file of a platform may have."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What gives a platform away."""

    generator: tuple[re.Pattern[str], ...] = ()
    feed_generator: tuple[re.Pattern[str], ...] = ()
    headers: tuple[re.Pattern[str], ...] = ()
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OlderEntries:
    """Where a platform that does not say it keeps the older entries of a feed."""

    feeds: tuple[re.Pattern[str], ...] = ()
    """Addresses of feeds, from the path on, that are this platform's whoever says to have made
    them.
    """
    parameter: str = ""
    """What the number of a further page is called in the query."""
    in_path: re.Pattern[str] | None = None
    """Where that number stands in the path instead: the part before it, and the number."""
    first: int = _FIRST_PAGE
    by_entries: bool = False
    """Whether the number is that of the first entry rather than of the page."""
    also: dict[str, str] = field(default_factory=dict)
    """What else the query asks for."""


@dataclass(frozen=True, slots=True)
class CommentFeeds:
    """Where a platform keeps the feeds of comments."""

    of_blog: str = ""
    """The feed of all comments, as seen from the blog's home."""
    of_post: tuple[re.Pattern[str], ...] = ()
    """Paths of feeds that are of one post and do not lie below it."""
    below_post: str = ""
    """What lies below each post, where its page names no feed."""


@dataclass(frozen=True, slots=True)
class Platform:
    """A blogging platform; `version` and `confidence` are of one detection."""

    key: str
    name: str
    marks: Marks = field(repr=False)
    older: OlderEntries | None = field(default=None, repr=False)
    comments: CommentFeeds = field(default=CommentFeeds(), repr=False)
    nobody: tuple[str, ...] = field(default=(), repr=False)
    """Names of authors that it writes where nobody has given one."""
    version: str | None = None
    confidence: float = 0.0


def load_platforms() -> Mapping[str, Platform]:
    """All platforms by key, read once from the packaged data and from the folders that others add."""
    return _platforms(own_folders())


@cache
def _platforms(_folders: tuple[Path, ...]) -> Mapping[str, Platform]:
    folder = data_of("blogforever.discover") / PLATFORMS
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    platforms: dict[str, Platform] = {}
    for name in names:
        key = name.removesuffix(".toml")
        platforms[key] = _platform(key, tomllib.loads((folder / name).read_text("utf-8")))
    for key, path in own_files(PLATFORMS).items():
        platforms[key] = _platform(key, read_knowledge(path, SHAPE, ["name"]))
    return MappingProxyType(platforms)


def _platform(key: str, data: Mapping[str, object]) -> Platform:
    """A platform out of its data file."""
    detect = _table(data, "detect")
    marks = Marks(
        generator=_patterns(detect, "generator"),
        feed_generator=_patterns(detect, "feed_generator"),
        headers=_patterns(detect, "headers"),
        resources=tuple(text.lower() for text in _texts(detect, "marks")),
    )
    comments = _table(data, "comments")
    feeds = CommentFeeds(_text(comments, "of_blog"), _patterns(comments, "of_post"), _text(comments, "below_post"))
    nobody = tuple(_texts(data, "nobody"))
    return Platform(key, str(data["name"]), marks, _older(_table(data, "older")), feeds, nobody)


def _older(table: Mapping[str, object]) -> OlderEntries | None:
    """Where the older entries are; None where nothing is known of it."""
    if not table:
        return None
    in_path = _text(table, "in_path")
    return OlderEntries(
        feeds=_patterns(table, "feeds"),
        parameter=_text(table, "parameter"),
        in_path=re.compile(in_path) if in_path else None,
        first=int(_text(table, "first") or _FIRST_PAGE),
        by_entries=bool(table.get("by_entries")),
        also={name: str(value) for name, value in _table(table, "also").items()},
    )


def _text(table: Mapping[str, object], name: str) -> str:
    return str(table.get(name, ""))


def _table(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    """A table of a data file; empty where there is none."""
    table = data.get(name, {})
    return table if isinstance(table, dict) else {}


def _texts(table: Mapping[str, object], name: str) -> list[str]:
    """A list of texts in a data file; empty where there is none."""
    values = table.get(name, [])
    return [str(value) for value in values] if isinstance(values, list) else []


def _patterns(table: Mapping[str, object], name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.IGNORECASE) for text in _texts(table, name))


def detect_platform(
    tree: LexborHTMLParser,
    headers: Mapping[str, str],
    feed: Feed | None = None,
) -> Platform | None:
    """The platform a page was made with, or None.

    What a page says of itself goes before what it looks like.
    """
    lines = [f"{name}: {value}".lower()[:_LONGEST_HEADER] for name, value in headers.items()]
    feed_maker = [feed.generator] if feed and feed.generator else []
    return (
        _by_words(_generators(tree), "generator")
        or _by_words(feed_maker, "feed_generator")
        or _by_words(lines, "headers")
        or _by_resources(_resources(tree))
    )


def platforms_named(maker: str) -> Iterator[Platform]:
    """The platforms whose names stand in what is said of who made a feed or a page."""
    words = maker.lower()
    return (platform for platform in load_platforms().values() if platform.name.lower() in words)


def feed_platform(generator: str) -> Platform | None:
    """The platform that a feed names as its maker."""
    return _by_words([generator[:_LONGEST_MAKER]], "feed_generator")


def _generators(tree: LexborHTMLParser) -> list[str]:
    """What a page says that made it."""
    nodes = tree.css('meta[name="generator" i]')[:_MOST_MAKERS]
    return [(node.attributes.get("content") or "").strip()[:_LONGEST_MAKER] for node in nodes]


def _by_words(words: list[str], kind: str) -> Platform | None:
    """The first platform with a mark of this kind in one of the texts."""
    for word in words:
        for platform in load_platforms().values():
            for pattern in getattr(platform.marks, kind):
                match = pattern.search(word)
                if match:
                    return replace(platform, version=_version(match), confidence=_SURE[kind])
    return None


def _version(match: re.Match[str]) -> str | None:
    """The version behind a platform's name, where the mark asks for it."""
    said = (match[1] or "").strip() if match.re.groups else ""
    version = _VERSION.match(said)
    return version[0].rstrip(".") if version else None


def _resources(tree: LexborHTMLParser) -> str:
    """The addresses a page loads from and the classes of its
    outermost elements, as one text to look marks up in.
    """
    parts = []
    for node in tree.css("html, body, link[href], script[src]")[:MOST_RESOURCES]:
        attributes = node.attributes
        for name in ("href", "src", "class", "id"):
            if value := attributes.get(name):
                parts.append(value[:_LONGEST_RESOURCE])
    return "\n".join(parts).lower()


def _by_resources(text: str) -> Platform | None:
    """The platform of which the page shows most marks."""
    platforms = load_platforms()
    shown = {key: _marks_in(text, platform) for key, platform in platforms.items()}
    best = max(shown, key=lambda key: shown[key])
    confidence = _BY_MARKS[min(shown[best], len(_BY_MARKS) - 1)]
    return replace(platforms[best], confidence=confidence) if confidence else None


def _marks_in(text: str, platform: Platform) -> int:
    return sum(mark in text for mark in platform.marks.resources)
