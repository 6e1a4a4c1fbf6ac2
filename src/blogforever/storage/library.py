"""What readers may see of a store: blogs, their posts, one post by its address; never all in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from blogforever.care.veil import Veil
from blogforever.records import BlogRecord, BlogSummary, PostRecord

from .tables import Store


class Library:
    """Reads a store; what is hidden is not there for those who do not ask for everything."""

    def __init__(self, store: Store, veil: Veil | None = None) -> None:
        self._store, self._veil = store, veil or Veil()

    def blogs(self, everything: bool = False) -> list[BlogSummary]:
        """Each blog's record with what was counted of it; by name."""
        summaries = self._store.blogs.summaries()
        if everything:
            return summaries
        return [self._counted_again(blog) for blog in summaries if not self._veil.blog(blog.id)]

    def under_way(self) -> dict[str, tuple[int, int]]:
        """Blogs whose crawl is not over: how many pages were read that
        may be posts, and how many responses kept.
        """
        counts = self._store.runs.under_way()
        return {blog: count for blog, count in counts.items() if not self._veil.blog(blog)}

    def posts(self, blog: str, everything: bool = False) -> Iterator[PostRecord]:
        """The blog's posts, newest first; those without a date come last."""
        for record in self._store.posts.of_blog(blog):
            shown = record if everything else self._veil.post(record)
            if shown is not None:
                yield shown

    def headings(self, blog: str) -> Iterator[tuple[str | None, str | None, str]]:
        """Day, title and address of the blog's posts, newest first."""
        if not self._veil.mark(blog):
            return self._store.posts.headings(blog)
        return ((post.published, post.title, post.url) for post in self.posts(blog))

    def post(self, address: str, ids: Sequence[str] = ()) -> PostRecord | None:
        """The post with this address, or one of these ids, or this address among its others."""
        record = self._store.posts.at(address)
        # A post that had this address once must not hide the one that an id means.
        if record is None or record.url != address:
            by_id = (self._store.posts.find(name) for name in (address, *ids))
            record = next((post for post in by_id if post), record)
        return self._veil.post(record) if record else None

    def _counted_again(self, blog: BlogSummary) -> BlogSummary:
        """Where something is hidden, the figures are of what is left."""
        if not self._veil.mark(blog.id):
            return blog
        days = [post.published for post in self.posts(blog.id)]
        known = sorted(day for day in days if day)
        first, last = (known[0], known[-1]) if known else (None, None)
        return replace(blog, kept=len(days), first=first, last=last)


def bare(name: str) -> BlogSummary:
    """A blog of which nothing is known yet."""
    return BlogSummary(BlogRecord(id=name, url=""))
