"""Try it: an address or a page in, the posts it holds out; nothing is kept."""

from __future__ import annotations

import json
from dataclasses import dataclass

from blogforever.analyse.judging import judge
from blogforever.analyse.values import HostVerdict, SeenHost
from blogforever.archive.extracting import UNKNOWN, PageContents, contents_of, own_address
from blogforever.archive.kept import KeptBlog
from blogforever.archive.onepage import LARGEST_PAGE, Browsers, FetchedPage, fetch_page
from blogforever.archive.telling import RECORD_WRITERS
from blogforever.config import Config
from blogforever.dom import decode
from blogforever.errors import UsageError
from blogforever.export.body import safe_body, safe_text
from blogforever.export.thread import threaded
from blogforever.fetch.aside import Aside
from blogforever.model import Page, Rules, Said
from blogforever.records import CommentRecord, PostRecord, to_json
from blogforever.source.address import read_address
from blogforever.store.folder import ArchiveFolder

from .rations import Rations
from .verdicts import analyse_address

# Pages that are fetched or read at a time, whoever asks: reading one may take a second of CPU.
AT_A_TIME = 2
# Pages that one person may have read at once, and the seconds until there is one more: as somebody
# tries, no program.
AT_ONCE, EVERY = 10, 5.0
# Letters of records that a page shows; all of them are in the file.
LONGEST_SHOWN = 100_000
HTML = {"content-type": "text/html; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class TriedInput:
    """An address, or a page with the address it has on the web; `is_list` where somebody knows what
    it is.
    """

    url: str = ""
    html: str | None = None
    is_list: bool | None = None


def page_text(content: bytes) -> str:
    """A page that lies in a file, in the charset that it names."""
    return decode(content)


@dataclass(frozen=True, slots=True)
class TriedPost:
    """A post as it is read on a page: its record, its text made harmless, its comments with their
    depths.
    """

    record: PostRecord
    html: str
    thread: tuple[tuple[int, CommentRecord], ...]


@dataclass(frozen=True, slots=True)
class TriedPosts:
    """What a page holds, for people and for programs."""

    is_list: bool
    posts: tuple[TriedPost, ...]
    said: tuple[Said, ...] = ()
    """What is to be known of how the page came about."""

    def written(self, style: str) -> str:
        """The records as JSON, XML or text."""
        records = [post.record for post in self.posts]
        if style == "json":
            return json.dumps([to_json(record) for record in records], ensure_ascii=False, indent=2)
        return "\n".join(RECORD_WRITERS[style](records)) + "\n"

    def excerpt(self, style: str) -> str:
        """The same, as much as somebody looks at."""
        text = self.written(style)
        return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}\n…"


@dataclass(frozen=True, slots=True)
class HandedPage:
    """What a page holds, whether a browser drew it, and what is to be known of that."""

    contents: PageContents
    is_drawn: bool = False
    said: tuple[Said, ...] = ()


class Trying:
    """Reads pages that people hand in, a few at a time."""

    def __init__(self) -> None:
        self._aside, self._browsers = Aside(AT_A_TIME), Browsers()
        self.rations = Rations(AT_ONCE, EVERY)

    async def contents(self, given: TriedInput, archive: ArchiveFolder, config: Config) -> HandedPage:
        """What is there; one clear sentence where nothing can be read."""
        fetched = await _page(given, config, self._browsers)
        page = fetched.page
        found = await self._aside.do(lambda: contents_of(page, _rules(archive, page.url), given.is_list))
        return HandedPage(found, fetched.is_drawn, fetched.said)

    async def verdict(self, given: TriedInput, archive: ArchiveFolder, config: Config) -> HostVerdict:
        """What kind of site is there, with reasons; of a page that is handed in, by this page
        alone.
        """
        if given.url and given.html is None:
            return await analyse_address(given.url, archive.store, config)
        page = (await _page(given, config, self._browsers)).page
        return await self._aside.do(lambda: judge(SeenHost(page.url, page)))


async def _page(given: TriedInput, config: Config, browsers: Browsers) -> FetchedPage:
    """A page that is handed in is taken as it is: somebody has seen it so."""
    if not given.url and given.html is None:
        raise UsageError("Give an address, or the HTML of a page.")
    if given.html is None:
        return await fetch_page(given.url, config, browsers)
    content = given.html.encode("utf-8", "replace")
    if len(content) > LARGEST_PAGE:
        raise UsageError(f"The page is larger than {LARGEST_PAGE // 1_000_000} MB.")
    url = read_address(given.url) if given.url else own_address("-", content)
    return FetchedPage(Page(url, content, HTML))


def _rules(archive: ArchiveFolder, url: str) -> Rules | None:
    """Those of the blog, where the archive has this very page as a post of it."""
    blog = archive.store.posts.owners([url]).get(url) if url != UNKNOWN else None
    return KeptBlog(archive, blog).rules() if blog else None


def tried_posts(tried: HandedPage) -> TriedPosts:
    """What was found, as it is shown: nothing in it is loaded from elsewhere, and nothing runs."""
    found = tried.contents
    posts = tuple(TriedPost(post, _body(post), tuple(threaded(post.comments))) for post in found.posts)
    return TriedPosts(found.is_list, posts, tried.said)


def _body(post: PostRecord) -> str:
    return safe_body(post.html, lambda _url: None, lambda _url: None) if post.html else safe_text(post.text)
