"""What is followed beside the archive's blogs: made anew from the journal, dropped with a blog that is forgotten."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from blogforever import clock
from blogforever.storage.decided import all_followed, looked_at_again, put_in_force
from blogforever.storage.deciding import BlogsDropped
from blogforever.storage.following import FollowedBlog
from blogforever.store.folder import ArchiveFolder
from blogforever.urls import url_key
from blogforever.wording import N_

FORGOTTEN = "the blog was forgotten"
MADE_ANEW = N_("the archive was made anew")
RESTING = ("paused", "blocked", "rejected")


def follow_again(archive: ArchiveFolder) -> int:
    """Put in force again all that people decided of followed blogs; how many are followed then.

    What the archive has of them is looked at next; the others wait for their first harvest, as they
    did.
    """
    for decision in archive.following.decisions():
        put_in_force(archive.store, decision)
    kept = {url_key(url): blog for blog, url in archive.store.blogs.addresses().items()}
    names, now, number = set(kept.values()), clock.stamp(), 0
    for followed in all_followed(archive.store):
        number += 1
        blog = followed.id if followed.id in names else kept.get(url_key(followed.url))
        if blog:
            archive.store.followed.change(followed.id, partial(_settled, blog=blog, now=now))
    return number


def _settled(followed: FollowedBlog, blog: str, now: str) -> FollowedBlog:
    """A followed blog of which the archive holds something."""
    settled = replace(followed, blog=blog)
    return settled if followed.state in RESTING else looked_at_again(settled, now, MADE_ANEW)


def forget_followed(archive: ArchiveFolder, blog: str) -> None:
    """Write down that a blog is followed no more, so that nothing brings it back."""
    meant = {one.id for one in archive.store.followed.in_archive(blog)}
    if own := archive.store.followed.find(blog):
        meant.add(own.id)
    if meant:
        archive.following.add(BlogsDropped(at=clock.stamp(), blogs=tuple(sorted(meant)), reason=FORGOTTEN))
