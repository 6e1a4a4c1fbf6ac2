"""From any page of a blog to its home: what the feed calls its site, what the page calls home, else the host."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from blogforever.discover.pagefacts import POST_CLASSES, PageFacts
from blogforever.learn.urlpattern import has_date, other_kind
from blogforever.model import Feed, Page
from blogforever.page.view import view_of
from blogforever.urls import canonical, join, page_key, path_of, same_site, site_root
from blogforever.wordlists import WordLists

NOT_HOME = frozenset({"list", "date", "page", "part", "machinery", "query"})
ELSEWHERE = frozenset({"list", "date", "page"})
"""Lists that are not the first page of a blog, by their addresses."""
NEVER = NOT_HOME - {"list"}
SINGLE = frozenset({"single", "single-post", *POST_CLASSES})
# A folder that holds nine tenths of a feed's entries is the blog's own.
OF_TEN = 9
# What folders are called that have a blog in them.
BLOG_FOLDERS = WordLists("blogforever.analyse", "words.toml").words("blog_folder")
HOME_LINKS = "a[rel~='home'][href], link[rel~='home'][href], link[rel~='start'][href], link[rel~='index'][href]"


def better_root(page: Page, facts: PageFacts, feed: Feed | None) -> str | None:
    """The blog's home where the page is evidently another page of it.

    None where it may itself be the home.
    """
    if feed and (stated := _stated_home(page.url, facts, feed)):
        return stated
    if feed and _holds_most_entries(page.url, feed):
        return None
    if not _no_home(page.url, facts, feed):
        return None
    for url in (feed.link if feed else None, _home_link(page), site_root(page.url)):
        if url and _may_be_home(url, page.url):
            return canonical(url)
    return None


def _stated_home(url: str, facts: PageFacts, feed: Feed) -> str | None:
    """What a feed calls its site, above a page that is one of its posts, or that by its name stands beside them."""
    home = feed.link
    if not home or not _may_be_home(home, url) or not _folder(url).startswith(_folder(home)):
        return None
    # An entry with a mark is a place of a page, which may be the home.
    posts = {page_key(entry.url) for entry in feed.entries if "#" not in entry.url}
    is_beside = other_kind(url) == "static" and _names_few(facts, posts) and not _is_above_entries(url, feed)
    return canonical(home) if page_key(url) in posts or is_beside else None


def _names_few(facts: PageFacts, posts: set[str]) -> bool:
    """Whether a page leads to less than half of the posts: the one that lists them may be called anything."""
    return 2 * len(posts & {page_key(link) for link in facts.links}) < len(posts)


def likely_home(page: Page, facts: PageFacts, feed: Feed | None) -> str | None:
    """Where the home of the blog with this page may be; None where the page itself seems to be it.

    Without a feed it is the front page of the host: the host is what is judged.
    """
    if found := _evident_home(page, facts, feed):
        return found
    stated = feed.link if feed else None
    if stated and _may_be_home(stated, page.url) and _lies_above(stated, page.url, feed):
        return canonical(stated)
    if feed is not None or is_persons(page.url):
        return None
    url = _home_link(page) or site_root(page.url)
    return canonical(url) if _may_be_home(url, page.url) else None


def _evident_home(page: Page, facts: PageFacts, feed: Feed | None) -> str | None:
    """The home of a page that is evidently another one."""
    of_folder = _folder_of_blog(page.url, facts) if feed is None else None
    return named_root(page.url) or of_folder or better_root(page, facts, feed)


def is_persons(url: str) -> bool:
    """Whether an address is that of one person on a shared host: /@name, /~name/."""
    return path_of(url).startswith(("/@", "/~"))


def _folder_of_blog(url: str, facts: PageFacts) -> str | None:
    """The folder above a page that is called a blog, where the page leads to it: the host may be of a firm."""
    parts = path_of(url).split("/")
    for depth in range(1, len(parts) - 1):
        if parts[depth].lower() in BLOG_FOLDERS and any(parts[depth + 1 :]):
            folder = "/".join(parts[: depth + 1])
            linked = {page_key(link): link for link in facts.links}
            return linked.get(page_key(join(url, folder) or url))
    return None


def _lies_above(home: str, url: str, feed: Feed | None) -> bool:
    """Whether a home that a feed names is above a page, and the page is not that of a folder with
    all entries.
    """
    if not _folder(url).startswith(_folder(home)):
        return False
    return other_kind(url) in ELSEWHERE or feed is None or not _is_above_entries(url, feed)


def _is_above_entries(url: str, feed: Feed) -> bool:
    """Whether nearly all entries lie below this very address."""
    path = _folder(url) if other_kind(url) == "home" else _path(url).rstrip("/") + "/"
    return _share_below(path, feed)


def _folder(url: str) -> str:
    return _path(join(url, "./") or url)


def _may_be_home(url: str, page_url: str) -> bool:
    """Whether an address can be the home of the blog that has this page."""
    is_another = same_site(url, page_url) and page_key(url) != page_key(page_url)
    return is_another and other_kind(url) not in NEVER


def _holds_most_entries(url: str, feed: Feed) -> bool:
    """Whether nearly all entries lie in the folder of this address."""
    return _share_below(_folder(url), feed)


def _share_below(folder: str, feed: Feed) -> bool:
    inside = sum(_path(entry.url).startswith(folder) for entry in feed.entries)
    return bool(feed.entries) and inside * 10 >= len(feed.entries) * OF_TEN


def _path(url: str) -> str:
    return unquote(urlsplit(url).path).lower()


def _no_home(url: str, facts: PageFacts, feed: Feed | None) -> bool:
    """Whether a page is evidently a post, or a list that is not the first."""
    if feed and page_key(url) in {page_key(entry.url) for entry in feed.entries}:
        return True
    not_home = NOT_HOME if feed else NOT_HOME - {"list", "query"}
    if has_date(url) or other_kind(url) in not_home:
        return True
    return _says_single(facts, feed) and page_key(url) != page_key(site_root(url))


def _says_single(facts: PageFacts, feed: Feed | None) -> bool:
    """Whether a page says that it is one post.

    Many homes without a feed call themselves articles.
    """
    said_article = feed is not None and facts.og_type == "article"
    return is_single(facts) or said_article


def is_single(facts: PageFacts) -> bool:
    """Whether the mark-up of a page says that it is one post."""
    return bool(facts.body_classes & SINGLE) or "BlogPosting" in facts.ld_types


def _home_link(page: Page) -> str | None:
    node = view_of(page).tree.css_first(HOME_LINKS)
    href = node.attributes.get("href") if node else None
    return join(page.url, href) if href else None


def named_root(url: str) -> str | None:
    """The home of somebody on a shared host whose first folder is his name: /@name/, /~name/."""
    folder, _, below = urlsplit(url).path.lstrip("/").partition("/")
    is_name = len(folder) > 1 and folder[0] in "@~"
    return join(url, f"/{folder}/" if folder[0] == "~" else f"/{folder}") if is_name and below.strip("/") else None
