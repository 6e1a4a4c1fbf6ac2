"""Which addresses are posts: a minimal pattern learned from the feed's post URLs, and what is known of all blogs.

An address has a shape: one token per path segment (Y a year, D one or two digits, N a longer number, W words),
the file suffix, and the names of its query parameters. The shapes of the feed's posts, with the words they all share
kept as they are, make the pattern. `other_kind` knows the addresses that are no posts on any blog.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from blogforever.errors import RulesError
from blogforever.urls import routed_path

Shape = tuple[str, ...]
VERSION = 1

YEAR = re.compile(r"(?:19|20)\d\d")
SUFFIX = re.compile(r"\.(?:html?|xhtml|php\d?|aspx?|jsp|cgi|shtml?)$", re.I)
INDEX = re.compile(r"(?:index|default)\.(?:html?|xhtml|php\d?|aspx?)", re.I)
FILES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|tiff?|pdf|zip|gz|tgz|bz2|xz|rar|7z|tar|dmg|exe|apk|iso|mp[34]|m4[av]|og[gv]|"
    r"wav|flac|avi|mov|wmv|webm|css|js|mjs|json|map|woff2?|ttf|eot|docx?|xlsx?|pptx?|od[tsp]|ps|epub|mobi|txt|csv|"
    r"py|c|cpp|h|java|rb|sh|pl|ipynb|tex|bib|asc|sig|md|yml|yaml|toml|swf|rss|rdf|atom|xml|opml|ics|vcf|kml|gpx)$",
    re.I,
)
USELESS_QUERY = re.compile(
    r"(?:^|&)(?:replytocom|share|action|print|output=amp|amp|format=(?:amp|pdf|xml|rss)|like_comment|redirect_to|"
    r"showcomment|commentpage|cpage|feed|preview|attachment_id|do=(?:edit|diff)|sessionid|sid|phpsessid|nb)(?:=|&|$)",
    re.I,
)
USELESS_PATH = re.compile(
    r"/(?:wp-json|wp-admin|wp-login\.php|wp-content|wp-includes|xmlrpc\.php|wp-comments-post\.php|trackback|print|amp|"
    r"embed|emailpost|comment-page-\d+|comments?/feed|feed|rss2?|atom|cdn-cgi|_next|mt-search\.cgi|cgi-bin|"
    r"wp-signup\.php|wp-trackback\.php|oembed)(?:/|$)|/(?:feeds?|rss)/[^/]+/?$|[^/]/email/?$|/attachment/|mailto:|javascript:|"
    r"post-edit\.g|/share-post|/delete-comment|/ghost/",
    re.I,
)
PAGE_FOLDERS = frozenset({"page", "p", "seite"})
POST_FOLDERS = frozenset({"posts", "blog", "index", "archives", "entries"})
NUMBERED = re.compile(r"\d{4,}|\d{1,7}-.*[^\W\d].*")
"""The last part of the address of a post that lies in a folder of archives by its number: 000351, 351-a-long-walk."""
PAGE_SEGMENT = re.compile(r"(?:page|p|seite|pagina|strana|index|pg)[-_]?\d+|offset-\d+", re.I)
ARCHIVE_FILE = re.compile(
    r"\d{4}_\d{2}(?:_\d{2})?_archive|(?:archives?|archive)[-_]?\d{4}.*|\d{4}-\d{2}(?:-\d{2})?", re.I
)


def _words(name: str) -> frozenset[str]:
    return frozenset(str(_DATA[name]).split())


_DATA = tomllib.loads(files("blogforever.learn").joinpath("data/addresses.toml").read_text(encoding="utf-8"))
LIST_WORDS = _words("list_words")
STATIC_WORDS = _words("static_words")


@lru_cache(maxsize=8192)
def shape(url: str) -> Shape:
    """The tokens of an address, trailing slash and index file left out."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ("?",)
    segments = [unquote(s) for s in routed_path(url).split("/") if s]
    if segments and INDEX.fullmatch(segments[-1]) and not parts.query:
        segments.pop()
    suffix = ""
    if segments and (match := SUFFIX.search(segments[-1])):
        suffix = match[0].lower()
        segments[-1] = segments[-1][: match.start()]
    tokens = [_token(s) for s in segments]
    if suffix:
        tokens.append(suffix)
    tokens += [f"?{name}={'N' if value.isdigit() else 'W'}" for name, value in sorted(parse_qsl(parts.query, True))]
    return tuple(tokens)


def _token(segment: str) -> str:
    if YEAR.fullmatch(segment):
        return "Y"
    if segment.isdigit():
        return "D" if len(segment) <= 2 else "N"
    return f"W{segment.casefold()}"


def _kinds(tokens: Shape) -> Shape:
    return tuple("W" if t.startswith("W") else t for t in tokens)


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """The shapes of a blog's posts; a token that starts with = is that very word."""

    shapes: tuple[Shape, ...] = ()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def matches(self, url: str) -> bool:
        """Whether the address has the shape of the blog's posts and is none of the kinds that never are."""
        kind = other_kind(url)
        if kind and kind not in self.allowed:
            return False
        tokens = shape(url)
        return any(_fits(known, tokens) for known in self.shapes)

    def weight(self, url: str) -> float:
        """How much an address speaks for a post; the stricter the pattern, the more a stranger has to explain."""
        if self.matches(url):
            return 3.0 if has_date(url) else 2.0 if self.strict else 1.5
        if has_date(url):
            return -0.5
        return -3.0 if self.strict else -1.5

    @property
    def strict(self) -> bool:
        """Whether posts are told by more than a word at the root of the site."""
        return bool(self.shapes) and all(any(t in ("Y", "N") or t[0] in "=?" for t in s) for s in self.shapes)

    def to_json(self) -> dict[str, Any]:
        """A form a person can read and edit."""
        return {"version": VERSION, "shapes": ["/".join(s) for s in self.shapes], "allowed": sorted(self.allowed)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> UrlPattern:
        """Read back what to_json wrote."""
        try:
            if data["version"] != VERSION:
                raise RulesError(f"URL pattern of version {data['version']!r} is not understood.")
            shapes = tuple(tuple(text.split("/")) if text else () for text in data["shapes"])
            return cls(shapes, frozenset(data.get("allowed", ())))
        except (KeyError, TypeError, AttributeError) as error:
            raise RulesError(f"This is no URL pattern: {json.dumps(data)[:80]}.") from error


def _fits(known: Shape, tokens: Shape) -> bool:
    if len(known) != len(tokens):
        return False
    return all(_token_fits(k, t) for k, t in zip(known, tokens, strict=True))


def _token_fits(known: str, token: str) -> bool:
    if known.startswith("="):
        return token == f"W{known[1:]}"
    if known == "W":
        return token.startswith("W") or token == "N"  # noqa: S105  no secret, a token of an address
    return known == token


def has_date(url: str) -> bool:
    """Whether a year and, after it, words or an id stand in the path, as in /2013/03/slug."""
    tokens = shape(url)
    return "Y" in tokens and any(t == "N" or t.startswith("W") for t in tokens[tokens.index("Y") :])


def likely_posts(pages: Iterable[tuple[str, bool]]) -> list[str]:
    """Without a feed: the addresses of the largest families of one shape whose pages mostly look like posts.

    Folders make families, so that a few pages beside the blog do not make a folder of posts look like any folder;
    what lies in folders of its own, as under the names of many authors, is one family.
    """
    folders: dict[Shape, list[tuple[str, bool]]] = defaultdict(list)
    for url, looks in pages:
        if other_kind(url) is None:
            tokens = shape(url)
            words = sum(t.startswith("W") for t in tokens)
            folders[(tokens[0] if words > 1 else "", *_kinds(tokens))].append((url, looks))
    families: dict[Shape, list[tuple[str, bool]]] = defaultdict(list)
    for (folder, *kinds), members in folders.items():
        families[(folder if len(members) >= 3 else "", *kinds)] += members
    good = [f for f in families.values() if len(f) >= 3 and sum(looks for _, looks in f) * 2 > len(f)]
    largest = max(map(len, good), default=0)
    return [url for family in good if len(family) * 5 >= largest for url, looks in family if looks]


def learn_url_pattern(post_urls: Iterable[str], other_urls: Iterable[str] = ()) -> UrlPattern:
    """The smallest pattern that covers the known posts; shapes that known others have more often are left out."""
    groups: dict[Shape, list[Shape]] = defaultdict(list)
    urls = list(dict.fromkeys(post_urls))
    for url in urls:
        tokens = shape(url)
        groups[_kinds(tokens)].append(tokens)
    others = Counter(_kinds(shape(url)) for url in other_urls)
    learned = [
        _generalise(group)
        for kinds, group in groups.items()
        if kinds and len(group) * 20 >= len(urls) and len(group) >= others[kinds]
    ]
    kinds_met = Counter(kind for url in urls if (kind := other_kind(url)))
    allowed = frozenset(kind for kind, n in kinds_met.items() if n * 4 >= len(urls))
    return UrlPattern(tuple(sorted(set(learned))), allowed)


def _generalise(group: list[Shape]) -> Shape:
    """Words shared by all stay as they are, except the last, which is the slug even when there is only one post."""
    columns = list(zip(*group, strict=True))
    slug = max((i for i, column in enumerate(columns) if column[0].startswith("W")), default=-1)
    return tuple(_general_token(column, i == slug) for i, column in enumerate(columns))


def _general_token(column: tuple[str, ...], is_slug: bool) -> str:
    first = column[0]
    if not first.startswith("W"):
        return first
    shared = len(set(column)) == 1
    return f"={first[1:]}" if shared and not is_slug else "W"


@lru_cache(maxsize=8192)
def skip_reason(url: str) -> str | None:
    """Why an address is not worth fetching on any blog; None if it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "broken"
    if FILES.search(parts.path):
        return "file"
    if USELESS_QUERY.search(parts.query) or USELESS_PATH.search(parts.path):
        return "machinery"
    if parts.path.count("/") > 15 or len(url) > 1500 or _repeats(parts.path):
        return "trap"
    return None


def _repeats(path: str) -> bool:
    """The same folder four times over is a relative link gone wrong."""
    counts = Counter(segment for segment in path.split("/") if segment and not segment.isdigit())
    return any(n >= 4 for n in counts.values())


@lru_cache(maxsize=8192)
def other_kind(url: str) -> str | None:
    """What an address that is no post on most blogs is: home, list, date, page, part of a post, static, query."""
    if reason := skip_reason(url):
        return reason
    parts = urlsplit(url)
    segments = [unquote(s).casefold() for s in routed_path(url).split("/") if s]
    if segments and INDEX.fullmatch(segments[-1]):
        segments.pop()
    if not segments:
        return _query_kind(parts.query) if parts.query else "home"
    segments[-1] = SUFFIX.sub("", segments[-1])
    return _path_kind(segments) or _query_kind(parts.query)


def _path_kind(segments: list[str]) -> str | None:
    last = segments[-1]
    if kind := _number_kind(segments):
        return kind
    if _is_date(segments) or ARCHIVE_FILE.fullmatch(last):
        return "date"
    numbered = segments[-2:-1] and segments[-2] in POST_FOLDERS and NUMBERED.fullmatch(last)
    dated = any(YEAR.fullmatch(s) for s in segments)
    if not numbered and not dated and any(segment in LIST_WORDS for segment in segments[:-1]):
        return "list"
    if len(segments) <= 2 and last in STATIC_WORDS:
        return "static"
    return "list" if last in LIST_WORDS else None


def _number_kind(segments: list[str]) -> str | None:
    """The second page of a list (/page/2/, /blog/3/, /page4/) or of a long post (/a-long-post/2/)."""
    before, last = segments[-2] if len(segments) > 1 else "", segments[-1]
    if PAGE_SEGMENT.fullmatch(last):
        return "page"
    if not last.isdigit():
        return None
    if before in PAGE_FOLDERS or (before in POST_FOLDERS and len(last) < 4):
        return "page"
    return "part" if "-" in before and len(last) <= 2 else None


def _is_date(segments: list[str]) -> bool:
    """A year, then nothing but a month and a day: /2013/, /blog/2013/03/, /archives/2013/03/04/."""
    years = [i for i, s in enumerate(segments) if YEAR.fullmatch(s)]
    if not years or len(segments) - years[0] > 3:
        return False
    return all(s.isdigit() and len(s) <= 2 for s in segments[years[0] + 1 :])


def _query_kind(query: str) -> str | None:
    names = {name.lower(): value for name, value in parse_qsl(query, True)}
    if any(names.get(name, "").isdigit() for name in ("p", "page_id", "id", "post", "entry", "article")):
        return None
    if names.keys() & {"page", "paged", "offset", "start", "updated-max", "max-results", "start-index", "pg"}:
        return "page"
    if names.keys() & {"cat", "tag", "author", "m", "s", "q", "search", "category", "year", "month", "label"}:
        return "list"
    return "query" if query else None
