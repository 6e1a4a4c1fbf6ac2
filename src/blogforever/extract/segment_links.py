"""The links of a list page that may lead to its posts, and the groups of them that stand in the same place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from blogforever.extract.segment_outline import HEADINGS, Outline, word_set
from blogforever.urls import join, url_key

Kind = Literal["title", "text", "more", "comments", "picture"]

_MAX_LINKS = 20_000
_MOST_FOLDERS = 8
_LIST_PAGE = re.compile(
    r"/(?:tags?|categor(?:y|ies|ia|ias|ie)|kategorien?|schlagwort|etiquetas?|topics?|labels?|authors?|autore?s?|auteurs?|users?|"
    r"search|page|pages?/\d+|feeds?|rss|comments|login|wp-admin|wp-login\.php|wp-content|cdn-cgi|uploads?|series)(?:/|$|\.)"
    r"|/page-?\d+/?$|/(?:feed|rss|atom|index)(?:\.xml|\.rdf)?/?$",
    re.I,
)
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|bmp|ico|pdf|zip|gz|mp3|mp4|avi|mov|xml|rss|rdf|css|js|docx?|xlsx?|pptx?)$", re.I
)
_LIST_QUERY = re.compile(
    r"(?:^|&)(?:cat|tag|author|m|paged|s|q|share|replytocom|feed|max-results|updated-max|label)=", re.I
)
_PERIOD = re.compile(
    r"/(?:19|20)\d\d(?:/\d{1,2}){0,2}(?:/index\.\w+|/)?$|/(?:19|20)\d\d(?:_\d\d){1,2}_(?:01_)?archive\.html$"
)
_LIST_RELS = word_set("tag category author next prev home license me")
_COMMENTS = re.compile(r"#(?:comments?|respond|disqus_thread|commentform|reply|c\d|isso)", re.I)
_ARROW = re.compile(r"\W+$")
_COUNT = re.compile(r"\W*\d{1,5}\W*$")
_TITLE_WORDS = word_set("title headline name heading subject")


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
    """All links of the page that may lead to a post of a site, which is known by one of its addresses."""
    root = url_key(join(site, "/") or site)
    taken = _above(url) | {root}
    found: list[PostLink] = []
    seen: dict[str, tuple[str, str] | None] = {}
    for entry, tag in enumerate(page.tags):
        if tag != "a" or len(found) >= _MAX_LINKS:
            continue
        href = page.attributes[entry].get("href") or ""
        if href not in seen:
            seen[href] = _target(base, root, href, taken)
        target = seen[href]
        if target is not None and not _is_list_rel(page.attributes[entry].get("rel")):
            found.append(_post_link(page, entry, href, target))
    return found


def _above(url: str) -> set[str]:
    """The page itself and the folders it lies in: home pages and longer lists, never posts."""
    found = {url_key(url)}
    folder = join(url, "..")
    for _ in range(_MOST_FOLDERS):
        if folder is None or url_key(folder) in found:
            break
        found.add(url_key(folder))
        folder = join(folder, "..")
    return found


def _target(base: str, root: str, href: str, taken: set[str]) -> tuple[str, str] | None:
    if not href or href.startswith("#") or len(href) > 2_000:
        return None
    url = join(base, href)
    key = url_key(url) if url is not None else ""
    if url is None or key in taken or not key.startswith((f"{root}/", f"{root}?")):
        return None
    parts = urlsplit(url)
    path = unquote(parts.path)
    if _LIST_PAGE.search(path) or _FILE.search(path) or _PERIOD.search(path) or _LIST_QUERY.search(parts.query):
        return None
    return url, key


def _is_list_rel(rel: str | None) -> bool:
    return rel is not None and not _LIST_RELS.isdisjoint(rel.lower().split())


def _post_link(page: Outline, entry: int, href: str, target: tuple[str, str]) -> PostLink:
    text = page.inner(entry)
    heading = _heading(page, entry, len(text))
    rel = page.attributes[entry].get("rel") or ""
    return PostLink(entry, *target, text, _kind(page, entry, href, text, heading), heading, "bookmark" in rel.lower())


def _heading(page: Outline, entry: int, length: int) -> int:
    above = entry
    for _ in range(4):
        above = page.parents[above]
        if above < 0:
            break
        if page.tags[above] in HEADINGS:
            whole = page.length(above, page.ends[above])
            return above if length and 2 * length + 20 >= whole else -1
    for below in range(entry + 1, min(page.ends[entry], entry + 40)):
        if page.tags[below] in HEADINGS and page.length(below, page.ends[below]):
            return below
    return -1


def _kind(page: Outline, entry: int, href: str, text: str, heading: int) -> Kind:
    words = page.words(entry)
    if _COMMENTS.search(href) or words & {"comment", "comments", "commentslink", "disqus"}:
        return "comments"
    if not text:
        return "picture"
    if _ARROW.match(text):
        return "more"
    if _COUNT.match(text):
        return "comments"
    if words & {"more", "readmore", "continue"} or "#more" in href:
        return "more"
    return "title" if heading >= 0 or _has_title_name(page, entry) else "text"


def _has_title_name(page: Outline, entry: int) -> bool:
    length = page.length(entry, page.ends[entry])
    for _ in range(3):
        if entry < 0 or page.length(entry, page.ends[entry]) > length + 20:
            return False
        if page.words(entry) & _TITLE_WORDS:
            return True
        entry = page.parents[entry]
    return False


def group_links(page: Outline, links: list[PostLink]) -> list[LinkGroup]:
    """Links by the place they stand in: headings by tags alone (their class names vary), others by class names too."""
    groups: dict[tuple[str, int, bool], LinkGroup] = {}
    taken: set[tuple[tuple[str, int, bool], str]] = set()
    for link in links:
        paths = page.tag_paths if link.heading >= 0 else page.full_paths
        place = (link.kind, paths[link.entry], page.furniture[link.entry])
        if (place, link.key) not in taken:
            taken.add((place, link.key))
            groups.setdefault(place, LinkGroup()).links.append(link)
    return list(groups.values())
