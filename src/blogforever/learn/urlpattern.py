"""Which addresses are posts: a minimal pattern learned from the feed's post URLs, and what is known
of all blogs.

An address has a shape: one token per path segment (Y a year, D one or two digits, N a longer
number, W words), the file suffix, and the names of its query parameters. The shapes of the feed's
posts, with the words they all share kept as they are, make the pattern. `other_kind` knows the
addresses that are no posts on any blog.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from blogforever.dates import is_month_name
from blogforever.errors import RulesError
from blogforever.urls import routed_path
from blogforever.wordlists import WordLists

# Addresses whose reading is remembered: those of one blog's links, which stand on page after page.
_REMEMBERED = 8192

Shape = tuple[str, ...]
VERSION = 1
ANY_NUMBER = "#"
"""In a word of a pattern, where posts have numbers: no path of an address has this sign."""
CODE = "C"
"""In a pattern, where posts are called by short codes: a word or a number."""
SHORT_CODE, MIXED = re.compile(r"W[a-z\d]{1,3}"), re.compile(r"\d[a-z]|[a-z]\d")

_COUNTED = re.compile(r"\d{1,9}$")
YEAR = re.compile(r"(?:19|20)\d\d")
SUFFIX = re.compile(r"\.(?:html?|xhtml|php\d?|aspx?|jsp|cgi|shtml?)$", re.I)
INDEX = re.compile(r"(?:index|default)\.(?:html?|xhtml|php\d?|aspx?)", re.I)
FILES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|tiff?|pdf|zip|gz|tgz|bz2|xz|rar|7z|tar|dmg|exe|apk"
    r"|iso|mp[34]|m4[av]|og[gv]|wav|flac|avi|mov|wmv|webm|woff2?|ttf|eot|docx?"
    r"|xlsx?|pptx?|od[tsp]|epub|mobi|ipynb|asc|sig|swf|rss|rdf|atom|xml|opml|ics|vcf|kml|gpx)$",
    re.I,
)
DOCUMENTS = re.compile(r"\.(?:css|js|mjs|json|map|ps|txt|csv|py|c|cpp|h|java|rb|sh|pl|tex|bib|md|yml|yaml|toml)$", re.I)
"""Files that titles are called like, too: a post about node.js may lie at /blog/node.js."""
MAY_BE_TITLE = frozenset({"machinery", "document"})
"""Reasons to leave an address that say nothing where it has the shape of the blog's posts: print,
atom and embed are words that people write about.
"""
DOUBTFUL = frozenset({"list", "query", "page", "date"})
"""Kinds of addresses that are those of posts where the blog's own lists show them so."""
USELESS_QUERY = re.compile(
    r"(?:^|&)(?:replytocom|share|action|print|output=amp|amp|format=(?:amp|pdf|xml|rss)|like_comment"
    r"|redirect_to|showcomment|commentpage|cpage|feed|preview|attachment_id|do=(?:edit|diff)"
    r"|sessionid|phpsessid|nb)(?:=|&|$)|(?:^|&)sid=(?!\d{1,7}(?:&|$))",  # a story has a short number
    re.I,
)
USELESS_PATH = re.compile(
    r"/(?:wp-json|wp-admin|wp-login\.php|wp-content|wp-includes|xmlrpc\.php|wp-comments-post\.php"
    r"|trackback|print|amp|embed|emailpost|comment-page-\d+|comments?/feed|feed|rss2?|atom|cdn-cgi"
    r"|_next|mt-[a-z]+\.cgi|wp-signup\.php|wp-trackback\.php|oembed)(?:/|$)"
    r"|/(?:feeds?|rss)/[^/]+/?$|[^/]/email/?$|/attachment/|mailto:|javascript:"
    r"|post-edit\.g|/share-post|/delete-comment|/ghost/",
    re.I,
)
SCRIPT = re.compile(r"/cgi-bin/[^/]*$")
"""A script itself: what lies behind it, or what it is asked for by a number, may be a post."""
PAGE_FOLDERS = frozenset({"page", "seite"})
POST_FOLDERS = frozenset({"p", "posts", "blog", "index", "archives", "entries"})
"""Folders in which a small number counts pages of a list, and a long one is that of a post."""
NUMBERED = re.compile(r"\d{4,}|\d{1,7}-.*[^\W\d].*")
"""The last part of the address of a post that lies in a folder of archives by its number: 000351,
351-a-long-walk.
"""
PAGE_SEGMENT = re.compile(r"(?:page|p|seite|pagina|strana|index|pg)[-_]?\d+|offset-\d+", re.I)
ARCHIVE_FILE = re.compile(
    r"\d{4}_\d{2}(?:_\d{2})?_archive|(?:archives?|date|month)[-_]?\d{4}.*|m?\d{4}-\d{2}(?:-\d{2})?", re.I
)
# Parameters that name a post, count pages of a list, or choose what a list shows.
POST_PARAMETERS = ("p", "page_id", "id", "post", "entry", "article")
PAGE_PARAMETERS = frozenset("page paged offset start updated-max max-results start-index pg".split())
LIST_PARAMETERS = frozenset("cat tag author m s q search category year month label".split())
# Digits of a month, a day or the part of a long post; a longer number is an id.
_DAY_DIGITS = 2
_ID_DIGITS = 4  # of a number in a folder of posts: it is a post's, not a page's of the list
_DATE_PARTS = 3  # in a path: year, month, day
# Pages beside the blog (about, contact) lie at most so deep.
_STATIC_DEPTH = 2
# Addresses deeper or longer than these, or with one
# folder so often, are made by links that go round.
_MOST_SLASHES, _LONGEST_ADDRESS, _MOST_REPEATS = 15, 1500, 4
# Without a feed: pages that make a family, and how many times smaller than the largest one may be.
_FEWEST_IN_FAMILY, _TIMES_SMALLER = 3, 5
# A shape that fewer than one in so many posts have is an accident; a kind that is no post elsewhere
# must be that of one in so many to be allowed.
_ONE_SHAPE_IN, _ONE_KIND_IN = 20, 4
_MATCHES_DATED, _MATCHES_STRICT, _MATCHES = 3.0, 2.0, 1.5
_STRANGE_DATED, _STRANGE_STRICT, _STRANGE = -0.5, -3.0, -1.5


_LISTS = WordLists("blogforever.learn", "addresses.toml")
LIST_WORDS = _LISTS.words("list_words")
STATIC_WORDS = _LISTS.words("static_words")


@lru_cache(maxsize=_REMEMBERED)
def shape(url: str) -> Shape:
    """The tokens of an address, trailing slash and index file left out."""
    try:
        query = urlsplit(url).query
    except ValueError:
        return ("?",)
    segments = _segments(url)
    if path := _path_in_query(query):
        segments, query = [*segments, *path], ""
    elif segments and INDEX.fullmatch(segments[-1]) and not query:
        segments.pop()
    suffix = SUFFIX.search(segments[-1]) if segments else None
    if suffix:
        segments[-1] = segments[-1][: suffix.start()]
    tokens = [_token(segment) for segment in segments]
    if suffix:
        tokens.append(suffix[0].lower())
    return (*tokens, *_query_tokens(query))


def _segments(url: str) -> list[str]:
    """The parts of a path, as people would write them."""
    return [unquote(segment) for segment in routed_path(url).split("/") if segment]


def _path_in_query(query: str) -> list[str]:
    """The parts of a path that stands after the question mark, where a server cannot take it
    otherwise: /index.php?post/2011/11/13/a-walk.
    """
    is_path = "/" in query and "=" not in query
    return [unquote(segment) for segment in query.split("/") if segment] if is_path else []


def _query_tokens(query: str) -> list[str]:
    """The names of the parameters, each with whether its value is a number."""
    pairs = sorted(parse_qsl(query, keep_blank_values=True))
    return [f"?{name}={'N' if value.isdigit() else 'W'}" for name, value in pairs]


def _token(segment: str) -> str:
    """What kind of thing a segment of a path is."""
    if YEAR.fullmatch(segment):
        return "Y"
    if segment.isdigit():
        return "D" if len(segment) <= _DAY_DIGITS else "N"
    return f"W{segment.casefold()}"


def _kinds(tokens: Shape) -> Shape:
    """A shape with its words known only as words."""
    return tuple("W" if _is_word(token) else token for token in tokens)


def _is_word(token: str) -> bool:
    return token.startswith("W")


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """The shapes of a blog's posts; a token that starts with = is that very word."""

    shapes: tuple[Shape, ...] = ()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def matches(self, url: str) -> bool:
        """Whether the address has the shape of the blog's posts and is none of the kinds that never are."""
        kind = other_kind(url)
        if kind and kind not in self.allowed | MAY_BE_TITLE:
            return self.is_code(url)
        tokens = shape(url)
        return any(_fits(pattern, tokens) for pattern in self.shapes)

    def is_beside_posts(self, url: str) -> bool:
        """Whether an address lies where nothing but posts does, whatever its last word or number is."""
        tokens = shape(url)
        called = (*tokens[:-1], "W") if tokens[-1:] == ("D",) else tokens  # where others have a word
        return any(_is_strict(pattern) and _fits(pattern, called) for pattern in self.shapes)

    def is_code(self, url: str) -> bool:
        """Whether a number that counts pages on most blogs is a post's here: where posts are called by short codes."""
        tokens = shape(url)
        return other_kind(url) == "page" and any(CODE in pattern and _fits(pattern, tokens) for pattern in self.shapes)

    def weight(self, url: str) -> float:
        """How much an address speaks for a post: the stricter the pattern, the more a stranger has to explain."""
        if self.matches(url):
            if has_date(url):
                return _MATCHES_DATED
            return _MATCHES_STRICT if self.strict else _MATCHES
        if self.is_beside_posts(url):
            return 0.0  # a number where others have words
        if has_date(url):
            return _STRANGE_DATED
        return _STRANGE_STRICT if self.strict else _STRANGE

    @property
    def strict(self) -> bool:
        """Whether posts are told by more than a word at the root of the site."""
        return bool(self.shapes) and all(map(_is_strict, self.shapes))

    def to_json(self) -> dict[str, Any]:
        """A form a person can read and edit."""
        return {
            "version": VERSION,
            "shapes": ["/".join(tokens) for tokens in self.shapes],
            "allowed": sorted(self.allowed),
        }

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


def _is_strict(pattern: Shape) -> bool:
    """Whether a shape asks for a year, a number, a parameter or a certain word."""
    return any(token in ("Y", "N") or token[0] in "=?" for token in pattern)


def _fits(pattern: Shape, tokens: Shape) -> bool:
    """Whether an address has just these parts."""
    if len(pattern) != len(tokens):
        return False
    return all(_token_fits(wanted, token) for wanted, token in zip(pattern, tokens, strict=True))


def _token_fits(wanted: str, token: str) -> bool:
    """Whether a part of an address is what the pattern asks for in its place."""
    if wanted.startswith("="):
        return _is_word(token) and wanted[1:] in (token[1:], _uncounted(token[1:]))
    if wanted == CODE:
        return _is_word_or_id(token) or token == "D"  # noqa: S105  as below
    if wanted == "W":
        return _is_word_or_id(token)
    return wanted == token


def _uncounted(word: str) -> str:
    """A word with its number left open: of article19 what it has in common with article18."""
    return _COUNTED.sub(ANY_NUMBER, word)


def _is_word_or_id(token: str) -> bool:
    return _is_word(token) or token == "N"  # noqa: S105  no secret, a token of an address


def has_date(url: str) -> bool:
    """Whether a year and, after it, words or an id stand in the path, as in /2013/03/slug."""
    tokens = shape(url)
    if "Y" not in tokens:
        return False
    return any(_is_word_or_id(token) for token in tokens[tokens.index("Y") :])


Looks = tuple[str, bool]
"""An address, and whether its page looks like a post."""


def likely_posts(pages: Iterable[Looks]) -> list[str]:
    """Without a feed: the addresses of the largest families of one shape whose pages mostly look like posts."""
    good: list[list[Looks]] = []
    for family in _families(pages):
        posts = sum(looks_like_post for _url, looks_like_post in family)
        if len(family) >= _FEWEST_IN_FAMILY and 2 * posts > len(family):
            good.append(family)
    largest = max(map(len, good), default=0)
    found: list[str] = []
    for family in good:
        if len(family) * _TIMES_SMALLER >= largest:
            found += [url for url, looks_like_post in family if looks_like_post]
    return found


def listed_posts(listed: Iterable[str], pages: Iterable[str]) -> list[str]:
    """Without a feed, and where no page looks like a post by its address: the pages with addresses
    like most of those that the blog's lists show with titles and dates (/index.php?itemid=7,
    /users/mara/post7/).
    """
    families: defaultdict[Shape, list[Shape]] = defaultdict(list)
    for url in sorted({url for url in listed if other_kind(url) in DOUBTFUL}):
        families[_kinds(shape(url))].append(shape(url))
    largest = max(families.values(), key=len, default=[])
    if len(largest) < _FEWEST_IN_FAMILY:
        return []
    # What all of them have is no accident: /archives/7/ is a post where /page/7/ is none.
    pattern = tuple(_general_token(column, is_slug=False) for column in zip(*largest, strict=True))
    return [url for url in pages if _fits(pattern, shape(url))]


def _families(pages: Iterable[Looks]) -> Iterable[list[Looks]]:
    """Pages by the shape of their addresses.

    Folders make families, so that a few pages beside the blog do not
    make a folder of posts look like any folder; what lies in folders
    of its own, as under the names of many authors, is one family.
    """
    folders: dict[Shape, list[Looks]] = defaultdict(list)
    for url, looks_like_post in pages:
        if other_kind(url) is not None:
            continue
        tokens = shape(url)
        has_folder = sum(map(_is_word, tokens)) > 1
        folders[(tokens[0] if has_folder else "", *_kinds(tokens))].append((url, looks_like_post))
    families: dict[Shape, list[Looks]] = defaultdict(list)
    for (folder, *kinds), members in folders.items():
        is_family = len(members) >= _FEWEST_IN_FAMILY
        families[(folder if is_family else "", *kinds)] += members
    return families.values()


def learn_url_pattern(post_urls: Iterable[str], other_urls: Iterable[str] = ()) -> UrlPattern:
    """The smallest pattern that covers the known posts; shapes that more of the others have are left out."""
    groups: defaultdict[Shape, list[Shape]] = defaultdict(list)
    others: defaultdict[Shape, list[str]] = defaultdict(list)
    for url in (urls := list(dict.fromkeys(post_urls))):
        groups[_kinds(shape(url))].append(shape(url))
    for url in other_urls:
        others[_kinds(shape(url))].append(url)
    allowed = _allowed_kinds(urls)
    usual = {kinds: group for kinds, group in groups.items() if kinds and len(group) * _ONE_SHAPE_IN >= len(urls)}
    learned = {kinds: _generalise(group) for kinds, group in usual.items()}
    own = (tokens for kinds, tokens in learned.items() if len(usual[kinds]) >= _rivals(tokens, others[kinds], allowed))
    return UrlPattern(tuple(sorted(own)), allowed)


def _rivals(pattern: Shape, others: Iterable[str], allowed: frozenset[str]) -> int:
    """How many of the others a pattern takes; not those beside posts in a folder called like one of lists."""
    rivals = [url for url in others if other_kind(url) not in allowed] if _is_strict(pattern) else others
    return sum(_fits(pattern, shape(url)) for url in rivals)


def _allowed_kinds(urls: list[str]) -> frozenset[str]:
    """Kinds of addresses that are no posts elsewhere, but are here."""
    allowed: set[str] = set()
    for kind, count in Counter(map(other_kind, urls)).items():
        if kind and count * _ONE_KIND_IN >= len(urls):
            allowed.add(kind)
    return frozenset(allowed)


def _generalise(group: list[Shape]) -> Shape:
    """Words shared by all stay as they are, except the last,
    which is the slug even when there is only one post; unless
    short numbers that differ follow it, by which posts are called.
    """
    columns = list(zip(*group, strict=True))
    words = [i for i, column in enumerate(columns) if _is_word(column[0])]
    slug = max(words, default=-1)
    is_numbered = len(group) >= _FEWEST_IN_FAMILY and columns[slug + 1 : slug + 2] == [("D",) * len(group)]
    if is_numbered:
        slug = -1
    return tuple(_general_token(column, i == slug) for i, column in enumerate(columns))


def _general_token(column: tuple[str, ...], is_slug: bool) -> str:
    """What all posts of a group have in one place of their addresses."""
    first = column[0]
    if not _is_word(first):
        return first
    is_shared = len(set(column)) == 1
    if is_shared and not is_slug and (len(column) > 1 or not _COUNTED.search(first)):
        return f"={first[1:]}"
    if not is_slug and len({_uncounted(token) for token in column}) == 1:
        return f"={_uncounted(first[1:])}"
    return CODE if is_slug and _are_codes(column) else "W"


def _are_codes(column: Sequence[str]) -> bool:
    """Whether many posts are called by short codes of letters and digits, as 7f: then 75 is one of them."""
    codes = [token for token in column if SHORT_CODE.fullmatch(token)]
    is_usual = len(codes) >= _FEWEST_IN_FAMILY and len(codes) * _ONE_KIND_IN >= len(column)
    return is_usual and any(MIXED.search(token) for token in codes)


@lru_cache(maxsize=_REMEMBERED)
def skip_reason(url: str) -> str | None:
    """Why an address is not worth fetching on any blog; None if it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "broken"
    if FILES.search(parts.path):
        return "file"
    if reason := _title_reason(parts.path, parts.query):
        return reason
    is_endless = parts.path.count("/") > _MOST_SLASHES or len(url) > _LONGEST_ADDRESS
    return "trap" if is_endless or _repeats(parts.path) else None


def _title_reason(path: str, query: str) -> str | None:
    """Why an address is left unless the blog's posts have such ones, see MAY_BE_TITLE."""
    names_post = bool(query) and _query_kind(query) is None
    if DOCUMENTS.search(path) and not names_post:
        return "document"
    is_bare_script = SCRIPT.search(path) is not None and not names_post
    is_useless = USELESS_QUERY.search(query) or USELESS_PATH.search(path)
    return "machinery" if is_bare_script or is_useless else None


def _repeats(path: str) -> bool:
    """The same folder four times over is a relative link gone wrong."""
    counts = Counter(segment for segment in path.split("/") if segment and not segment.isdigit())
    return any(count >= _MOST_REPEATS for count in counts.values())


@lru_cache(maxsize=_REMEMBERED)
def other_kind(url: str) -> str | None:
    """What an address that is no post on most blogs is: home, list, date, page, part of a post, static, query."""
    if reason := skip_reason(url):
        return reason
    query = urlsplit(url).query
    segments = [segment.casefold() for segment in _segments(url)]
    if segments and INDEX.fullmatch(segments[-1]):
        segments.pop()
    if path := _path_in_query(query):
        segments, query = [*segments, *map(str.casefold, path)], ""
    if not segments:
        return _query_kind(query) if query else "home"
    segments[-1] = SUFFIX.sub("", segments[-1])
    return _path_kind(segments) or _query_kind(query)


def _path_kind(segments: list[str]) -> str | None:
    """What a path says by itself: a page, a date, a list, a static page; None for a post's."""
    last = segments[-1]
    if kind := _number_kind(segments):
        return kind
    if _is_date(segments) or ARCHIVE_FILE.fullmatch(last.rpartition(",")[2]):
        return "date"
    if _lies_in_list(segments):
        return "list"
    if len(segments) <= _STATIC_DEPTH and last in STATIC_WORDS:
        return "static"
    return "list" if last in LIST_WORDS else None


def _lies_in_list(segments: list[str]) -> bool:
    """Whether a folder is that of a list (/tag/x), and nothing else in the address says that it is a post."""
    *folders, last = (part for segment in segments for part in segment.split(","))
    if LIST_WORDS.isdisjoint(folders):
        return False
    is_numbered_post = folders[-1] in POST_FOLDERS and NUMBERED.fullmatch(last)
    is_dated = any(YEAR.fullmatch(segment) for segment in segments)
    return not is_numbered_post and not is_dated


def _number_kind(segments: list[str]) -> str | None:
    """The second page of a list (/page/2/, /blog/3/, /page4/) or of a long post (/a-long-post/2/)."""
    before, last = segments[-2] if len(segments) > 1 else "", segments[-1]
    if PAGE_SEGMENT.fullmatch(last):
        return "page"
    if not last.isdigit():
        return None
    counts_posts = before in POST_FOLDERS and len(last) < _ID_DIGITS
    if before in PAGE_FOLDERS or counts_posts:
        return "page"
    return "part" if "-" in before and len(last) <= _DAY_DIGITS else None


def _is_date(segments: list[str]) -> bool:
    """A year, then nothing but a month and a day: /2013/, /blog/2013/03/, /archives/2013/may/04/."""
    years = [i for i, segment in enumerate(segments) if YEAR.fullmatch(segment)]
    if not years or len(segments) - years[0] > _DATE_PARTS:
        return False
    after = segments[years[0] + 1 :]
    return all(_is_month_or_day(segment) for segment in after)


def _is_month_or_day(segment: str) -> bool:
    is_number = segment.isdigit() and len(segment) <= _DAY_DIGITS
    return is_number or is_month_name(segment)


def _query_kind(query: str) -> str | None:
    """What a query says: None where it names a post, or there is none."""
    values = {name.lower(): value for name, value in parse_qsl(query, keep_blank_values=True)}
    if any(values.get(name, "").isdigit() for name in POST_PARAMETERS):
        return None
    if values.keys() & PAGE_PARAMETERS:
        return "page"
    if values.keys() & LIST_PARAMETERS:
        return "list"
    return "query" if query else None
