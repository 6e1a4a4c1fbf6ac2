"""An archive for programs that read it: blogs, posts, versions, search, pages as they were served; writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from blogforever.errors import ArchiveError, UsageError
from blogforever.model import Page
from blogforever.records import BlogRecord, PageRecord, PostRecord
from blogforever.store.folder import ArchiveFolder

from .opening import open_archive
from .reading import choose_blog, find_post, shown_pages, shown_posts

USUAL_LIMIT = 20


class Archive:
    """An archive that is open for reading; what is hidden in it is not there.

    ```python
    with Archive.open("blogforever-archive") as archive:
        for post in archive.posts():
            print(post.published, post.title)
    ```

    A blog is named by its id, address, host or title. Records are those of the record reference; they come one by one,
    so that memory does not grow with the archive. UsageError says that there is no such blog or post, ArchiveError that
    the archive cannot be read.
    """

    def __init__(self, folder: ArchiveFolder) -> None:
        self._folder = folder

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The archive in a folder; close it, or use it in a `with`."""
        return cls(open_archive(Path(folder), writing=False))

    def close(self) -> None:
        """Let it go."""
        self._folder.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def blogs(self) -> list[BlogRecord]:
        """The blogs, by their ids."""
        return [blog.record for blog in self._folder.library.blogs()]

    def blog(self, name: str) -> BlogRecord:
        """The blog a person means."""
        return choose_blog(self._folder, name).record

    def posts(self, blog: str | None = None) -> Iterator[PostRecord]:
        """The posts of a blog, or of all, blog by blog; newest first, those without a date last."""
        names = [choose_blog(self._folder, blog).id] if blog else [one.id for one in self._folder.library.blogs()]
        for name in names:
            yield from shown_posts(self._folder, name)

    def pages(self, blog: str) -> Iterator[PageRecord]:
        """The blog's own pages that are no posts: About, Contact."""
        return shown_pages(self._folder, choose_blog(self._folder, blog).id)

    def post(self, address: str) -> PostRecord:
        """One post by any of its addresses, or by its id."""
        return find_post(self._folder, address)

    def versions(self, post: PostRecord) -> list[PostRecord]:
        """A post in all the versions its author made, oldest first; the last is as it is now."""
        older = (self._folder.store.versions.record(post.id, number) for number in range(1, post.version))
        shown = [seen for kept in older if kept and (seen := self._folder.veil.post(kept))]
        return [*shown, post]

    def search(self, words: str, blog: str | None = None, limit: int = USUAL_LIMIT) -> list[PostRecord]:
        """The posts that hold all these words, best first; among those that are indexed."""
        name = choose_blog(self._folder, blog).id if blog else None
        return list(self._folder.search.find(words, name, limit))

    def captured(self, post: PostRecord) -> Page:
        """The page of a post as it was served when it was read last: its bytes, headers and address."""
        source = post.capture
        if source is None or not source.record_id:
            raise UsageError(f"No page of {post.url} is kept.")
        ref = self._folder.store.captures.find(source.record_id)
        if ref is None:
            raise ArchiveError(f"The page of {post.url} is not in the archive any more.")
        return self._folder.reader().response(ref)[1]
