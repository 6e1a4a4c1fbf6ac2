"""Look into the archive: its blogs, their posts, one post, search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from blogforever.dom import tokenise
from blogforever.errors import UsageError
from blogforever.export import terminal
from blogforever.export.changes import change_lines
from blogforever.export.days import counted, span, spoken
from blogforever.export.excerpt import snippet
from blogforever.export.frame import blog_title
from blogforever.pipeline.record import post_id
from blogforever.records import BlogSummary, PostRecord
from blogforever.storage.library import bare
from blogforever.store.folder import ArchiveFolder
from blogforever.store.search import TERM
from blogforever.urls import host_of, url_key

from .opening import open_archive

HIGHLIGHT = ("\ue000", "\ue001")
"""Private characters around what was found; the face turns them into its own kind of mark."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A post that was found, with the words that show why."""

    title: str
    when: str
    url: str
    blog: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search found, and among how many posts it could not look yet."""

    hits: list[Hit]
    waiting: int = 0


def choose_blog(archive: ArchiveFolder, wanted: str, everything: bool = False) -> BlogSummary:
    """The blog a person means: by its id, address, host or title; a hidden one only who asks for everything."""
    blogs = archive.library.blogs(everything)
    address = wanted if "//" in wanted else f"https://{wanted}"
    tests: tuple[Callable[[BlogSummary], bool], ...] = (
        lambda blog: blog.id == wanted,
        lambda blog: bool(blog.url) and url_key(blog.url) == url_key(address),
        lambda blog: bool(blog.url) and host_of(blog.url) == host_of(address) != "",
        lambda blog: (blog.record.title or "").casefold() == wanted.casefold(),
    )
    for test in tests:
        found = [blog for blog in blogs if test(blog)]
        if len(found) == 1:
            return found[0]
    names = ", ".join(blog.id for blog in blogs[:10])
    raise UsageError(f"There is no blog {wanted!r} in this archive" + (f"; there is: {names}." if names else "."))


def shown_posts(archive: ArchiveFolder, blog: str) -> Iterator[PostRecord]:
    """The posts of a blog that may be shown to others: all but those somebody had suppressed."""
    return (post for post in archive.library.posts(blog) if post.status != "suppressed")


def list_blogs(folder: Path) -> list[str]:
    """One paragraph a blog, in lines."""
    with open_archive(folder, writing=False) as archive:
        known, begun, now = archive.library.blogs(), archive.library.under_way(), archive.crawled_now()
        new = [bare(name) for name in sorted(begun.keys() - {blog.id for blog in known})]
        found: list[str] = []
        for blog in [*known, *new]:
            years = span(blog.first, blog.last)
            facts = [counted(blog.kept, "post"), years, f"last crawled {spoken(blog.crawled, 'never')}"]
            facts = [] if blog in new else facts
            facts += [_how_far(*begun[blog.id], blog.id in now)] if blog.id in begun else []
            found += [terminal.printable(blog_title(blog.record)), f"  {blog.id}  {terminal.printable(blog.url)}"]
            found += ["  " + ", ".join(fact for fact in facts if fact)]
        return found or ["The archive is empty."]


def _how_far(read: int, kept: int, now: bool) -> str:
    """How a crawl stands that is not over."""
    how = "harvesting" if now else "the last crawl was interrupted"
    return f"{how}: {counted(read, 'post')} read so far, {counted(kept, 'response')} kept"


def list_posts(folder: Path, wanted: str) -> Iterator[str]:
    """One line a post, newest first."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted)
        for published, title, url in archive.library.headings(blog.id):
            day = (published or "")[:10].ljust(10)
            yield f"{day}  {terminal.printable(title) or '(no title)'}  {terminal.printable(url)}"


def show_post(folder: Path, address: str, width: int, version: int | None = None) -> list[str]:
    """A post in lines of the given width, as it is or as it was in a version."""
    with open_archive(folder, writing=False) as archive:
        post = find_post(archive, address)
        post = post if version is None else post_version(archive, post, version)
    return list(terminal.post_lines(post, width))


def post_changes(folder: Path, address: str, numbers: tuple[int | None, int | None], width: int) -> list[str]:
    """What changed in a post between two versions, in lines; without numbers, the newest beside the one before."""
    with open_archive(folder, writing=False) as archive:
        post = find_post(archive, address)
        last = numbers[1] or post.version
        first = numbers[0] or max(1, last - 1)
        if first == last:
            return [f"{post.url} has one version only: its author has not changed it since it was first captured."]
        return list(change_lines(post_version(archive, post, first), post_version(archive, post, last), width))


def post_version(archive: ArchiveFolder, post: PostRecord, number: int) -> PostRecord:
    """A post as it was in one of its versions."""
    kept = archive.store.versions.record(post.id, number)
    found = archive.veil.post(kept) if kept else None
    if found is None:
        there = "version 1 only" if post.version == 1 else f"the versions 1 to {post.version}"
        raise UsageError(f"There is no version {number} of {post.url}; the archive has {there}.")
    return found


def find_post(archive: ArchiveFolder, address: str) -> PostRecord:
    """The post a person means by an address or an id."""
    full = address if "//" in address else f"https://{address}"
    ids = [post_id(blog.id, full) for blog in archive.library.blogs()]
    post = archive.library.post(address, ids) or archive.library.post(full)
    if post is None:
        raise UsageError(f"The archive has no post at {address}; blogforever search finds posts by their words.")
    return post


def search_posts(folder: Path, words: str, wanted: str | None, limit: int) -> Sought:
    """The posts that hold the words, best first; the index is brought up to date on the way, where that can be done."""
    with open_archive(folder, writing=False) as archive:
        blog = choose_blog(archive, wanted).id if wanted else None
        if archive.search.waiting():
            archive.index_words()
        hits = [_hit(post, words) for post in archive.search.find(words, blog, limit)]
        return Sought(hits, archive.search.waiting())


def _hit(post: PostRecord, words: str) -> Hit:
    terms = [found["phrase"] or found["word"] or "" for found in TERM.finditer(words) if not found["no"]]
    terms = [" ".join(term.strip("*").split()) for term in terms]
    said = " ".join(comment.text for comment in post.comments)
    texts = [terminal.printable(text) for text in (post.text, said)]
    parts = [word for term in terms for word in tokenise(term)]
    best = next((text for text in texts if any(word in text.casefold() for word in parts)), texts[0])
    return Hit(
        title=snippet(terminal.printable(post.title) or "(no title)", terms, HIGHLIGHT, 200),
        when=spoken(post.published, ""),
        url=terminal.printable(post.url),
        blog=post.blog,
        snippet=snippet(best, terms, HIGHLIGHT),
    )
