"""A blog that is gone and comes back under another name: is the address of a new crawl that of a blog we know?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from blogforever.crawl.crawl import BlogCrawl
from blogforever.discover.feedlinks import is_comment_feed
from blogforever.discover.pagefacts import looks_like_html, read_facts
from blogforever.dom import node_text, tokenise
from blogforever.errors import UsageError
from blogforever.model import Feed
from blogforever.page.view import view_of
from blogforever.protocols import Answer
from blogforever.records import BlogRecord
from blogforever.source.address import blog_name
from blogforever.store.folder import ArchiveFolder
from blogforever.update.remembered import KnownPost
from blogforever.update.sameblog import LEAST, Glimpse, Likeness, likeness, lives
from blogforever.urls import page_key, same_site, site_root

from .reading import choose_blog
from .surveying import Scout
from .versioning import known_name, known_posts

POSTS = 3
"""Posts of the known blog that are asked for at their old addresses."""
TITLES = 100
HOMES_OF_PEOPLE = "/~"
"""How the addresses of people's own folders on a host begin: such a blog is none of who has the host's root."""
NOT_THERE = ("status 404", "status 410")
"""How a home fails of which its host says that it has no such page."""
Asks = Callable[[Iterable[str], str], Mapping[str, Answer]]
"""What addresses of a known blog answer."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where a crawl begins, of which blog; whether that blog has moved there, and what a person
    should know of it.

    `given` is the address a person typed to have it crawled; `glimpsed` the page of it that was
    looked at to find out which blog it is, where that is another than its own. `leads_to` is the name that the blog
    would have by the home at which its address ends.
    """

    url: str
    blog: str
    moved: bool = False
    note: str = ""
    given: str = ""
    glimpsed: str = ""
    leads_to: str = ""

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The addresses under which it was looked at before its crawl."""
        return (self.url, self.glimpsed) if self.glimpsed else (self.url,)

    @property
    def names(self) -> frozenset[str]:
        """The names that nobody else may write while it is crawled: addresses that lead to one home are one blog."""
        return frozenset(name for name in (self.blog, self.leads_to) if name)


def settle(archive: ArchiveFolder, urls: Mapping[str, str], scout: Scout, has_others: bool = False) -> list[Home]:
    """The blogs that are crawled under these addresses: those we know by them, those that moved
    there, or new ones.

    Each address comes with the one that was typed for it. `has_others` says that others may be
    crawled at the same time, of which the archive knows nothing yet.
    """
    config = scout.config
    homes = [Home(url, known_name(archive, url) or blog_name(url), given=given) for url, given in urls.items()]
    if config.moved_from:
        return [_asked_for(archive, home, scout) for home in homes]
    if config.replay or config.apart:
        return homes
    new = [home for home in homes if archive.store.blogs.find(home.blog) is None]
    is_alone = not has_others and not archive.store.blogs.addresses()
    return homes if is_alone or not new else _known_again(archive, homes, new, scout)


def _known_again(archive: ArchiveFolder, homes: list[Home], new: list[Home], scout: Scout) -> list[Home]:
    """The same homes, but for new ones that are known blogs under another name: those have that
    name.
    """
    seen = scout.looks({home.url: home.given for home in new})
    found = {}
    for home, look in zip(new, seen, strict=True):
        own = home if look.home_failure else _led(archive, home, look.scope.root)
        own = _mistyped(archive, own, scout.glance) if look.home_failure in NOT_THERE else own
        found[home.url] = own if own.glimpsed else _recognised(archive, own, _feed(look), scout.glance)
    once: dict[str, Home] = {}
    for home in homes:
        now = found.get(home.url, home)
        once.setdefault(now.blog, now)
    return list(once.values())


def _led(archive: ArchiveFolder, own: Home, root: str) -> Home:
    """The blog we know whose home is where the address leads; else the same, with the name it would have there."""
    name = known_name(archive, root)
    blog = archive.store.blogs.find(name) if name and name != own.blog else None
    if blog is None or _said_apart(archive, blog.url, own.url):
        return replace(own, leads_to=name or blog_name(root))
    return replace(own, url=blog.url, blog=blog.id, note=_told(blog, f"{own.url} leads there."), glimpsed=own.url)


def _mistyped(archive: ArchiveFolder, own: Home, asks: Asks) -> Home:
    """The blog we know that begins at the root of a host, where an address on that host leads to no page: what a crawl
    of it would find by the sitemap of the host are the posts of that blog, a second time.
    """
    root = site_root(own.url)
    name = known_name(archive, root) if HOMES_OF_PEOPLE not in own.url else ""
    blog = archive.store.blogs.find(name) if name and name != own.blog else None
    if blog is None or _said_apart(archive, blog.url, own.url) or not _is_home(archive, blog, asks):
        return own
    note = _told(blog, f"{own.url} is not there.")
    return replace(own, url=blog.url, blog=blog.id, note=note, glimpsed=own.url)


def _asked_for(archive: ArchiveFolder, own: Home, scout: Scout) -> Home:
    blog = choose_blog(archive, scout.config.moved_from, everything=True).record
    if own.blog == blog.id:
        return own
    if archive.store.blogs.find(own.blog) is not None:
        raise UsageError(f"{own.url} is kept as a blog of its own, {own.blog}; forget that first to join them.")
    feed = _feed(scout.looks({own.url: own.given})[0])
    if not feed or not _alike(archive, blog, feed).same:
        raise UsageError(f"No post that {own.url} announces is one of {blog.id}; nothing was joined.")
    return replace(own, blog=blog.id, moved=True, note=_told(blog, "as you say, it has moved here."))


def _recognised(archive: ArchiveFolder, own: Home, feed: Feed | None, asks: Asks) -> Home:
    """Mostly the posts of a blog we know: one of its own pages, or that one is no longer where it
    was.
    """
    titles = [entry.title for entry in feed.entries if entry.title][:TITLES] if feed else []
    shared = archive.store.posts.sharing_titles(titles)
    likely = max(shared, key=lambda name: shared[name], default="")
    blog = archive.store.blogs.find(likely) if shared.get(likely, 0) >= LEAST else None
    if feed is None or blog is None or _said_apart(archive, blog.url, own.url):
        return own
    found = _alike(archive, blog, feed)
    if found.mostly and same_site(own.url, blog.url) and _is_home(archive, blog, asks):
        note = _told(blog, f"{own.url} is a page of it.")
        return replace(own, url=blog.url, blog=blog.id, note=note, glimpsed=own.url)
    return _joined(archive, own, blog, found, asks) if found.mostly else own


def found_elsewhere(archive: ArchiveFolder, home: Home, scout: Scout) -> Home | None:
    """Where a known blog is that does not answer any more where it had moved to: back at the address that was given
    for it, or where that leads now. None where that cannot be told.
    """
    blog = archive.store.blogs.find(home.blog)
    (look,) = scout.looks({home.given: home.given})
    root, feed = look.scope.root, None if look.home_failure else _feed(look)
    if blog is None or feed is None or same_site(root, blog.url) or _said_apart(archive, blog.url, root):
        return None
    found = _alike(archive, blog, feed)
    own = replace(home, url=root, glimpsed=home.given)
    there = _joined(archive, own, blog, found, scout.glance) if found.mostly else own
    return there if there.moved else None


def _said_apart(archive: ArchiveFolder, old: str, new: str) -> bool:
    return any(one.kind == "blog" and one.parts(old, new) for one in archive.journal.state().apart)


def _joined(archive: ArchiveFolder, own: Home, blog: BlogRecord, found: Likeness, asks: Asks) -> Home:
    posts = f"{found.same} of {found.old_enough} older posts that its feed names are kept there"
    alive = _lives(archive, blog, own.url, asks)
    if alive:
        return replace(own, note=_told(blog, f"{posts}, and it is still there: kept as two blogs."))
    if alive is None:
        unsure = f"whether it is still there cannot be told. If it has moved: --moved-from {blog.id}."
        return replace(own, note=_told(blog, f"{posts}; {unsure}"))
    undo = f"To undo that: blogforever moves {blog.id} --undo N; with --apart it is a blog of its own."
    moved = f"{posts}, and it no longer answers: it has moved here. {undo}"
    return replace(own, blog=blog.id, moved=True, note=_told(blog, moved))


def _told(blog: BlogRecord, what: str) -> str:
    return f"Known as {blog.id} ({blog.url}): {what}"


def _feed(crawl: BlogCrawl) -> Feed | None:
    """A feed with entries on the blog's own site; one that says it is another site's is no word of
    its own.
    """
    root = crawl.scope.root
    for feed in crawl.offers.feeds:
        own = [entry for entry in feed.entries if same_site(entry.url, root)]
        elsewhere = bool(feed.link) and not same_site(feed.link or "", root)
        if own and 2 * len(own) > len(feed.entries) and not elsewhere and not is_comment_feed(feed):
            return feed
    return None


def _alike(archive: ArchiveFolder, blog: BlogRecord, feed: Feed) -> Likeness:
    last = archive.store.runs.last_judged(blog.id)
    moment = datetime.fromisoformat(last) if last else None
    posts = known_posts(archive, blog.id)
    return likeness(feed.entries, posts, lambda post: archive.store.posts.record(post).text, moment)


def _is_home(archive: ArchiveFolder, blog: BlogRecord, asks: Asks) -> bool:
    """Whether a blog still begins where it did: the page there, and no other it leads to, names its posts."""
    answer = asks([blog.url], blog.id).get(blog.url)
    if answer is None or page_key(answer.ask.url) != page_key(blog.url):
        return False
    glimpse = _glimpse(answer, blog.url)
    return glimpse.answered and bool(glimpse.links & _keys(_active(archive, blog), blog.url))


def _active(archive: ArchiveFolder, blog: BlogRecord) -> list[KnownPost]:
    return [post for post in known_posts(archive, blog.id) if post.state == "active"]


def _lives(archive: ArchiveFolder, blog: BlogRecord, new: str, asks: Asks) -> bool | None:
    """Ask the blog's old address, and those of its newest posts."""
    posts = _active(archive, blog)
    chosen = [post for post in posts if same_site(post.url, blog.url)][:POSTS]
    seen = asks([blog.url, *(post.url for post in chosen)], blog.id)
    texts = {post.url: archive.store.posts.record(post.id).text for post in chosen}
    keys = _keys(posts, blog.url)
    return lives([(_glimpse(answer, new), texts.get(url, "")) for url, answer in seen.items()], keys)


def _keys(posts: Iterable[KnownPost], home: str) -> frozenset[str]:
    """The addresses of posts on the blog's own site."""
    return frozenset(page_key(name) for post in posts for name in post.names if same_site(name, home))


def _glimpse(answer: Answer, new: str) -> Glimpse:
    page, reason = answer.page, answer.failure.reason if answer.failure else ""
    at_home = not same_site(answer.ask.url, new)
    if page is None or not looks_like_html(page):
        return Glimpse(answer.status, reason, at_home)
    body = view_of(page).tree.body
    links = frozenset(page_key(link) for link in read_facts(page).links)
    return Glimpse(answer.status, reason, at_home, tuple(tokenise(node_text(body) if body else "")), links)
