"""The links of a list page that may lead to its posts, in groups that stand in the same place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from blogforever.elements import HEADINGS, word_set
from blogforever.extract.segment_outline import Outline
from blogforever.urls import join, page_key, path_of

Kind = Literal["title", "text", "more", "comments", "picture"]

# Bounds of work on hostile pages: links of a page, characters of an address, folders above a page.
_MAX_LINKS = 20_000
_LONGEST_HREF = 2_000
_MOST_FOLDERS = 8
# Elements around a link among which its heading stands, and entries inside it.
_HEADING_ABOVE = 4
_HEADING_BELOW = 40
# Elements, the link included, that may call it a title.
_NAMED_ABOVE = 3
# Characters that a title's element may have beside the link: a date, a number of comments.
_BESIDE_TITLE = 20

_LIST_PAGE = re.compile(
    r"/(?:tags?|categor(?:y|ies|ia|ias|ie)|kategorien?|schlagwort|etiquetas?|topics?|labels?|"
    r"authors?|autore?s?|auteurs?|users?|search|page|pages?/\d+|feeds?|rss|comments|login|wp-admin|"
    r"wp-login\.php|wp-content|cdn-cgi|uploads?|series)(?:/|$|\.)"
    r"|/page-?\d+/?$|/(?:feed|rss|atom|index)(?:\.xml|\.rdf)?/?$",
    re.I,
)
_PERSON = re.compile(r"/(?:users?|members?|people|authors?)/[^/]+(?=/)", re.I)
"""A person's folder: on a page that lies in it, it says nothing of where the links of that page
lead.
"""
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|bmp|ico|pdf|zip|gz|mp3|mp4|avi|mov|xml|rss|rdf|css|js|"
    r"docx?|xlsx?|pptx?)$",
    re.I,
)
_LIST_QUERY = re.compile(
    r"(?:^|&)(?:cat|tag|author|m|paged|s|q|share|replytocom|feed|max-results|updated-max|label)=", re.I
)
_PERIOD = re.compile(
    r"/(?:19|20)\d\d(?:/\d{1,2}){0,2}(?:/index\.\w+|/)?$"
    r"|/(?:19|20)\d\d(?:_\d\d){1,2}_(?:01_)?archive\.html$"
)
_LIST_RELS = word_set("tag category author next prev home license me")
_COMMENTS = re.compile(r"#(?:comments?|respond|disqus_thread|commentform|reply|c\d|isso)", re.I)
_ARROW = re.compile(r"\W+$")
_COUNT = re.compile(r"\W*\d{1,5}\W*$")
_TITLE_WORDS = word_set("title headline name heading subject")
_COMMENT_WORDS = word_set("comment comments commentslink disqus")
_MORE_WORDS = word_set("more readmore continue")


@dataclass(slots=True)
class PostLink:
    """A link that may lead to a post."""

    entry: int
    url: str
    key: str
    text: str
    kind: Kind
    heading: int  # the heading around or inside the link, -1 without one
    bookmark: bool = False

    @property
    def is_title(self) -> bool:
        """Whether the link is the post's title, by a heading or by what it is called."""
        return self.heading >= 0 or self.kind == "title"


@dataclass(slots=True)
class LinkGroup:
    """Links that stand in the same place of repeated markup, one for each address."""

    links: list[PostLink] = field(default_factory=list)

    @property
    def titled(self) -> bool:
        """Whether the links are headings."""
        return self.links[0].heading >= 0


def post_links(page: Outline, url: str, base: str, site: str) -> list[PostLink]:
    """All links of the page that may lead to a post of a site, known by one of its addresses."""
    root = page_key(join(site, "/") or site)
    lists = _above(url) | {root}
    person = _PERSON.match(path_of(url))
    folder = person[0] if person else ""
    links: list[PostLink] = []
    targets: dict[str, _LinkTarget | None] = {}
    for entry, tag in enumerate(page.tags):
        if tag != "a" or len(links) >= _MAX_LINKS:
            continue
        href = page.attributes[entry].get("href") or ""
        if href not in targets:
            targets[href] = _target(base, root, href, lists, folder)
        target = targets[href]
        if target is not None and not _is_list_rel(page.attributes[entry].get("rel")):
            links.append(_post_link(page, entry, href, target))
    return links


def _above(url: str) -> set[str]:
    """The page itself and the folders it lies in: home pages and longer lists, never posts."""
    keys = {page_key(url)}
    folder = join(url, "..")
    for _ in range(_MOST_FOLDERS):
        if folder is None or page_key(folder) in keys:
            break
        keys.add(page_key(folder))
        folder = join(folder, "..")
    return keys


_LinkTarget = tuple[str, str]
"""The address of a link, and its key."""


def _target(base: str, root: str, href: str, lists: set[str], folder: str) -> _LinkTarget | None:
    """Where a link leads; None where that is no post of the site. The page lies in the folder."""
    if not href or href.startswith("#") or len(href) > _LONGEST_HREF:
        return None
    url = join(base, href)
    if url is None:
        return None
    key = page_key(url)
    is_of_site = key.startswith((f"{root}/", f"{root}?"))
    if not is_of_site or key in lists or _is_list_address(url, folder):
        return None
    return url, key


def _is_list_address(url: str, folder: str) -> bool:
    """Whether an address is that of a list or a file."""
    parts = urlsplit(url)
    path = unquote(parts.path).removeprefix(folder)
    if "/" in parts.query and "=" not in parts.query:
        # A path that a server can take only so: /index.php?category/garden.
        path = f"{path}/{unquote(parts.query)}"
    if _LIST_PAGE.search(path) or _FILE.search(path) or _PERIOD.search(path):
        return True
    return _LIST_QUERY.search(parts.query) is not None


def _is_list_rel(rel: str | None) -> bool:
    """Whether a link says of itself that it leads to a list."""
    return rel is not None and not _LIST_RELS.isdisjoint(rel.lower().split())


def _post_link(page: Outline, entry: int, href: str, target: _LinkTarget) -> PostLink:
    text = page.inner(entry)
    covered = -1 if text else _covered_heading(page, entry)
    if covered >= 0:
        return PostLink(entry, *target, page.inner(covered), "title", covered)
    heading = _heading(page, entry, len(text))
    rel = page.attributes[entry].get("rel") or ""
    kind = _kind(page, entry, href, text, heading)
    return PostLink(entry, *target, text, kind, heading, bookmark="bookmark" in rel.lower())


def _heading(page: Outline, entry: int, length: int) -> int:
    """The heading around or inside a link, -1 without one; length is that of the link's text."""
    around = _heading_around(page, entry)
    if around is not None:
        whole = page.length(around, page.ends[around])
        is_heading_itself = length and 2 * length + _BESIDE_TITLE >= whole
        return around if is_heading_itself else -1
    for below in range(entry + 1, min(page.ends[entry], entry + _HEADING_BELOW)):
        if page.tags[below] in HEADINGS and page.length(below, page.ends[below]):
            return below
    return -1


def _covered_heading(page: Outline, entry: int) -> int:
    """The heading without a link that an empty link lies over, with all of its box: it is called by its very words."""
    attributes = page.attributes[entry]
    label = " ".join((attributes.get("aria-label") or attributes.get("title") or "").split())
    last = min(page.ends[entry] + _HEADING_BELOW, len(page.tags)) if label else 0
    heading = next((n for n in range(page.ends[entry], last) if page.tags[n] in HEADINGS), -1)
    if heading < 0 or " ".join(page.inner(heading).split()) != label:
        return -1
    inside = page.tags[heading : min(page.ends[heading], heading + _HEADING_BELOW)]
    return -1 if "a" in (page.tags[page.parents[heading]], *inside) else heading


def _heading_around(page: Outline, entry: int) -> int | None:
    """The heading that a link stands in."""
    for _ in range(_HEADING_ABOVE):
        entry = page.parents[entry]
        if entry < 0:
            return None
        if page.tags[entry] in HEADINGS:
            return entry
    return None


def _kind(page: Outline, entry: int, href: str, text: str, heading: int) -> Kind:
    """What a link says of itself."""
    words = page.words(entry)
    if _COMMENTS.search(href) or words & _COMMENT_WORDS:
        return "comments"
    if not text:
        return "picture"
    if _ARROW.match(text):
        return "more"
    if _COUNT.match(text):
        return "comments"
    if words & _MORE_WORDS or "#more" in href:
        return "more"
    is_title = heading >= 0 or _has_title_name(page, entry)
    return "title" if is_title else "text"


def _has_title_name(page: Outline, entry: int) -> bool:
    """Whether a link, or an element that holds little else, is called a title."""
    most = page.length(entry, page.ends[entry]) + _BESIDE_TITLE
    for _ in range(_NAMED_ABOVE):
        if entry < 0 or page.length(entry, page.ends[entry]) > most:
            return False
        if page.words(entry) & _TITLE_WORDS:
            return True
        entry = page.parents[entry]
    return False


_LinkPlace = tuple[Kind, int, bool]
"""What a link says of itself, the path down to it, and whether it is in a side bar or the like."""


def group_links(page: Outline, links: list[PostLink]) -> list[LinkGroup]:
    """Links by the place they stand in.

    Headings are told apart by tags alone, for their class names vary; others by class names, too.
    """
    groups: dict[_LinkPlace, LinkGroup] = {}
    taken: set[tuple[_LinkPlace, str]] = set()
    for link in links:
        paths = page.tag_paths if link.heading >= 0 else page.full_paths
        place = (link.kind, paths[link.entry], page.furniture[link.entry])
        if (place, link.key) not in taken:
            taken.add((place, link.key))
            groups.setdefault(place, LinkGroup()).links.append(link)
    return list(groups.values())
