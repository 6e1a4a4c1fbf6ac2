"""Look into the archive: the blog a person means, one post, its versions, search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blogforever.dom import tokenise
from blogforever.errors import UsageError
from blogforever.export.excerpt import snippet
from blogforever.export.thread import threaded
from blogforever.pipeline.record import post_id
from blogforever.records import BlogSummary, CommentRecord, PageRecord, PostRecord
from blogforever.store.folder import ArchiveFolder
from blogforever.store.indexes import TERM
from blogforever.urls import host_of, url_key, without_mark
from blogforever.wording import close_names, did_you_mean, printable

from .opening import open_archive

# Private characters around what was found; the face turns them into its own kind of mark.
HIGHLIGHT = ("\ue000", "\ue001")
# Longer titles are cut: some blogs have whole paragraphs there.
LONGEST_TITLE = 200
# A wrong name is answered with those that there are, as many as one can take in.
NAMES_SHOWN = 10
# Posts that are looked at for one of a certain title.
MOST_ALIKE = 50


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post with its comments in reading order, each with its depth in the thread."""

    post: PostRecord
    thread: tuple[tuple[int, CommentRecord], ...] = ()


@dataclass(frozen=True, slots=True)
class VersionPair:
    """Two versions of a post; the same one twice where its author never changed it."""

    old: PostRecord
    new: PostRecord


@dataclass(frozen=True, slots=True)
class Hit:
    """A post that was found, with the words that show why; an empty title where it has none."""

    title: str
    published: str | None
    url: str
    blog: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search found, and among how many posts it could not look yet."""

    hits: list[Hit]
    waiting: int = 0


def choose_blog(archive: ArchiveFolder, wanted: str, everything: bool = False) -> BlogSummary:
    """The blog a person means: by its id, address, host or title; a hidden one only who asks for
    everything.
    """
    blogs = archive.library.blogs(everything)
    address = wanted if "//" in wanted else f"https://{wanted}"
    tests: tuple[Callable[[BlogSummary], bool], ...] = (
        lambda blog: blog.id == wanted,
        lambda blog: bool(blog.url) and url_key(blog.url) == url_key(address),
        lambda blog: bool(blog.url) and host_of(blog.url) == host_of(address) != "",
        lambda blog: (blog.record.title or "").casefold() == wanted.casefold(),
    )
    several: list[BlogSummary] = []
    for test in tests:
        found = [blog for blog in blogs if test(blog)]
        if len(found) == 1:
            return found[0]
        several = several or found
    if several:
        names = ", ".join(blog.id for blog in several[:NAMES_SHOWN])
        raise UsageError(f"Several blogs of this archive may be {wanted!r}; say which by its id: {names}.")
    raise UsageError(f"There is no blog {wanted!r} in this archive{_others(wanted, blogs)}")


def _others(wanted: str, blogs: Sequence[BlogSummary]) -> str:
    """The end of that sentence: names that are like it, or those that there are."""
    names = [name for blog in blogs for name in (blog.id, blog.record.title) if name]
    if near := did_you_mean(wanted, names):
        return near
    there = ", ".join(_known_as(blog) for blog in blogs[:NAMES_SHOWN])
    return f"; there is: {there}." if there else "."


def _known_as(blog: BlogSummary) -> str:
    return f"{blog.id} ({blog.record.title})" if blog.record.title else blog.id


def shown_posts(archive: ArchiveFolder, blog: str) -> Iterator[PostRecord]:
    """The posts of a blog that may be shown to others: all but those somebody had suppressed."""
    return (post for post in archive.library.posts(blog) if post.status != "suppressed")


def shown_pages(archive: ArchiveFolder, blog: str) -> Iterator[PageRecord]:
    """The blog's own pages that may be shown to others."""
    for page in archive.store.pages.of_blog(blog):
        if shown := archive.veil.post(page):
            yield PageRecord.of(shown)


def show_post(folder: Path, address: str, version: int | None = None) -> ShownPost:
    """A post as it is, or as it was in a version."""
    with open_archive(folder, writing=False) as archive:
        post = meant_post(archive, address)
        if version is not None:
            post = post_version(archive, post, version)
    return ShownPost(post, tuple(threaded(post.comments)))


def post_versions(folder: Path, address: str, older: int | None = None, newer: int | None = None) -> VersionPair:
    """Two versions of a post; without numbers, the newest beside the one before."""
    with open_archive(folder, writing=False) as archive:
        post = meant_post(archive, address)
        last = newer or post.version
        first = older or max(1, last - 1)
        if first == last:
            return VersionPair(post, post)
        return VersionPair(post_version(archive, post, first), post_version(archive, post, last))


def post_version(archive: ArchiveFolder, post: PostRecord, number: int) -> PostRecord:
    """A post as it was in one of its versions."""
    kept = archive.store.versions.record(post.id, number)
    found = archive.veil.post(kept) if kept else None
    if found is None:
        there = "version 1 only" if post.version == 1 else f"the versions 1 to {post.version}"
        raise UsageError(f"There is no version {number} of {post.url}; the archive has {there}.")
    return found


def meant_post(archive: ArchiveFolder, words: str) -> PostRecord:
    """The post a person wants to read: by its address, its id, or its title."""
    try:
        return find_post(archive, words)
    except UsageError:
        called, near = posts_called(archive, words.strip())
        if len(called) == 1:
            return called[0]
        if not near:
            raise
    many = "Several posts are" if called else "No post is quite"
    raise UsageError(f"{many} called {words!r}; did you mean {titles_of(near)}?")


def titles_of(posts: Sequence[PostRecord]) -> str:
    """Posts that somebody may have meant, for a sentence."""
    return " or ".join(f"{post.title} ({post.url})" for post in posts[:NAMES_SHOWN])


def posts_called(archive: ArchiveFolder, title: str) -> tuple[list[PostRecord], list[PostRecord]]:
    """The posts with this title, whatever its case, and those in whose title it stands, or whose
    title is nearly it.
    """
    words = tokenise(title)
    found = archive.search.find(f'"{" ".join(words)}"', None, MOST_ALIKE) if words else ()
    near = [post for post in found if title.casefold() in (post.title or "").casefold()]
    called = [post for post in near if (post.title or "").casefold() == title.casefold()]
    return called, near or _spelled_alike(archive, title, words)


def _spelled_alike(archive: ArchiveFolder, title: str, words: list[str]) -> list[PostRecord]:
    """The posts with one of these words whose title is nearly this one."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))[:NAMES_SHOWN]
    posts = {post.id: post for word in longest for post in archive.search.find(f'"{word}"', None, MOST_ALIKE)}
    alike = close_names(title, {post.title for post in posts.values() if post.title})
    return [post for name in alike for post in posts.values() if post.title == name]


def find_post(archive: ArchiveFolder, address: str) -> PostRecord:
    """The post a person means by an address or an id."""
    full = address if "//" in address else f"https://{address}"
    # A place of a page is a post of its own, or a place of one.
    ids = [post_id(blog.id, name) for name in (full, without_mark(full)) for blog in archive.library.blogs()]
    post = archive.library.post(address, ids) or archive.library.post(full)
    if post is None:
        blogs = {name: blog.id for blog in archive.library.blogs() for name in (blog.id, url_key(blog.url))}
        if blog := blogs.get(address) or blogs.get(url_key(full)):
            raise UsageError(f"{address!r} is a blog; blogforever list {blog} has its posts.")
        raise UsageError(f"The archive has no post {address!r}; blogforever search finds posts by their words.")
    return post


def search_posts(folder: Path, words: str, wanted: str | None, limit: int) -> Sought:
    """The posts that hold the words, best first; the index is brought up to date on the way, where
    that can be done.
    """
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id if wanted else None
        waiting = archive.search.waiting()
        if waiting:
            archive.index_words()
            waiting = archive.search.waiting()
        hits = [hit_of(post, words) for post in archive.search.find(words, blog, limit)]
        return Sought(hits, waiting)


def hit_of(post: PostRecord, words: str) -> Hit:
    """What shows why a post was found."""
    terms = sought_terms(words)
    return Hit(
        title=snippet(printable(post.title), terms, HIGHLIGHT, LONGEST_TITLE),
        published=post.published,
        url=post.url,
        blog=post.blog,
        snippet=snippet(_telling_text(post, terms), terms, HIGHLIGHT),
    )


def sought_terms(words: str) -> list[str]:
    """The words and phrases that must be there, without the marks people write around them."""
    terms = [term["phrase"] or term["word"] or "" for term in TERM.finditer(words) if not term["no"]]
    return [" ".join(term.strip("*").split()) for term in terms]


def _telling_text(post: PostRecord, terms: list[str]) -> str:
    """What shows why a post was found: its text, or its comments where they hold more of the words."""
    text = printable(post.text)
    comments = printable(" ".join(comment.text for comment in post.comments))
    words = {word for term in terms for word in tokenise(term)}
    return max((text, comments), key=lambda told: sum(word in told.casefold() for word in words))
