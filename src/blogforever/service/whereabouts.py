"""What became of one address: kept as a post, left out and why, or never heard of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from blogforever.records import PostRecord
from blogforever.storage.following import FollowedBlog
from blogforever.storage.tables import Store
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import host_of, url_key

# Failures of a blog's last run that are looked through.
MOST_FAILURES = 5000
# Folders of an address above which a blog is looked for.
MOST_STEPS = 10
Fate = Literal["kept", "missing", "set aside", "failed", "unseen", "unknown"]
"""A post of the archive; announced and not there; announced and no post; tried in vain; of a blog
that is followed, and never met; of no blog that is.
"""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What became of an address, with the post or the blog it belongs to, and why it is not there."""

    url: str
    fate: Fate
    post: PostRecord | None = None
    blog: FollowedBlog | None = None
    reason: str = ""


def whereabouts_of(archive: ArchiveFolder, url: str) -> Whereabouts:
    """What became of this address."""
    post = next((shown for one in archive.store.posts.named(url) if (shown := archive.veil.post(one))), None)
    if post:
        return Whereabouts(url, "kept", post)
    blog = _blog_of(archive.store, url)
    if blog is None:
        return Whereabouts(url, "unknown")
    fate, reason = next(_left_out(archive.store, blog, url_key(url)), ("unseen", ""))
    return Whereabouts(url, fate, None, blog, reason)


def _blog_of(store: Store, url: str) -> FollowedBlog | None:
    """The followed blog that an address belongs to: the one at the nearest place above it."""
    places = list(_above(url))
    known = store.followed.known(places)
    nearest = next((known[place] for place in places if place in known), None)
    return nearest or next(iter(store.followed.in_archive(host_of(url))), None)


def _above(url: str) -> Iterator[str]:
    """The address and what lies above it, up to its host."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step][:MOST_STEPS]
    yield url
    for number in reversed(range(len(steps))):
        yield f"{parts.scheme}://{parts.netloc}/{''.join(f'{step}/' for step in steps[:number])}"


def _left_out(store: Store, blog: FollowedBlog, key: str) -> Iterator[tuple[Fate, str]]:
    """What the blog's last statement and run say of an address."""
    record = store.blogs.find(blog.blog) if blog.blog else None
    if record is None:
        return
    if statement := record.completeness:
        yield from (("missing", one.reason or "") for one in statement.missing if url_key(one.url) == key)
        yield from (("set aside", one.reason or "") for one in statement.set_aside if url_key(one.url) == key)
    failures = store.runs.failed(record.id, MOST_FAILURES)
    yield from (("failed", one.reason) for one in failures if url_key(one.url) == key)
