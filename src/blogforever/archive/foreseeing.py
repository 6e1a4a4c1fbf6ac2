"""What an erasure will take out of the archive, before anything is touched; and what it cannot reach, by design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from blogforever.care.decisions import Hidden
from blogforever.care.erasure import Erasure, erasure_of
from blogforever.care.veil import Veil
from blogforever.headway import told_of
from blogforever.records import PostRecord
from blogforever.store.erasing import foresee
from blogforever.store.folder import ArchiveFolder

from .erasing import Itself, blogs_meant, cleaned_record, judge, records_of
from .others import foresee_others

# A record of a WARC file that has no type of content is told by its kind alone.
PLAIN = ""


@dataclass(slots=True)
class Foreseen:
    """What would go: posts and responses by their addresses, records of the WARC files by what they are."""

    posts: list[str] = field(default_factory=list)
    comments: int = 0
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Records that go, by kind and type of content."""
    addresses: set[str] = field(default_factory=set)
    """Of the responses among them."""
    changed: set[str] = field(default_factory=set)
    """Addresses of responses in which words become unreadable."""
    touched: list[str] = field(default_factory=list)
    """Other posts in which words become unreadable, or comments go."""
    files_changed: list[str] = field(default_factory=list)
    files_removed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """What cannot be searched."""
    short: int = 0

    @property
    def anything(self) -> bool:
        """Whether anything is there to be erased."""
        return any((self.posts, self.comments, self.dropped, self.changed, self.touched, self.files_changed))


@dataclass(frozen=True, slots=True)
class Remaining:
    """What an erasure does not reach."""

    short: int = 0
    """Titles and names that anybody may write."""
    other_blogs: int = 0
    """Blogs of the archive that were not looked at, because something else is meant."""
    server: bool = False
    """Whether records are on a server that has a log and copies of its own."""
    blobs: str = ""
    """Where else its bytes are kept."""
    unread: tuple[str, ...] = ()
    """Documents that could not be searched."""


def foresee_erasure(archive: ArchiveFolder, hidden: Hidden) -> Foreseen:
    """What erasing this would do; nothing is touched."""
    foreseen, veil = Foreseen(), Veil([hidden])
    for blog in blogs_meant(archive, hidden):
        itself = Itself.of(hidden)
        erasure = erasure_of(records_of(archive, blog), veil, blog, names=itself.names, words=itself.words)
        if erasure:
            _foresee_in(archive, blog, erasure, veil, foreseen)
    return foreseen


def foresee_forgetting(archive: ArchiveFolder, blog: str) -> Foreseen:
    """What forgetting a blog would do."""
    foreseen = Foreseen()
    for post in archive.library.posts(blog, everything=True):
        foreseen.posts.append(post.url)
        foreseen.comments += len(post.comments)
    names = [path.relative_to(archive.folder).as_posix() for path in archive.warc_paths(blog)]
    own = (archive.index_path(blog), archive.rules_path(blog))
    foreseen.files_removed += [*names, *(path.relative_to(archive.folder).as_posix() for path in own if path.is_file())]
    return foreseen


def remaining_of(archive: ArchiveFolder, hidden: Hidden, short: int, unread: Iterable[str]) -> Remaining:
    """What stays where it is, whatever is erased."""
    others = len(archive.library.blogs(everything=True)) - 1 if hidden.blog else 0
    blobs = archive.mirror.blobs.address if archive.mirror else ""
    return Remaining(short, max(others, 0), not isinstance(archive.place, Path), blobs, tuple(unread))


def _foresee_in(archive: ArchiveFolder, blog: str, erasure: Erasure, veil: Veil, foreseen: Foreseen) -> None:
    """Add what would be done in one blog."""
    warcs = archive.warcs(blog)
    verdicts = judge(warcs, erasure)
    for head, goes in foresee(warcs, verdicts.drop, verdicts.blank):
        if goes:
            foreseen.dropped[head.kind, head.mime if head.kind in ("response", "resource") else PLAIN] += 1
        if head.kind == "response":
            (foreseen.addresses if goes else foreseen.changed).add(head.url)
    for post in told_of(archive.library.posts(blog, everything=True), "searching other posts", things="posts"):
        _foresee_post(post, erasure, veil, foreseen)
    others = foresee_others(archive.folder, erasure)
    foreseen.files_changed += others.changed
    foreseen.files_removed += others.removed
    outside = [name for files in archive.store.captures.outside(blog).values() for name in files]
    foreseen.unread += [*verdicts.unread, *others.unread, *outside]
    foreseen.short += erasure.short


def _foresee_post(post: PostRecord, erasure: Erasure, veil: Veil, foreseen: Foreseen) -> None:
    if post.id in erasure.posts:
        foreseen.posts.append(post.url)
        foreseen.comments += len(post.comments)
        return
    fresh = cleaned_record(post, erasure, veil)
    if fresh != post:
        foreseen.touched.append(post.url)
        foreseen.comments += len(post.comments) - len(fresh.comments)
