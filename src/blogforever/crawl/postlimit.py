"""--max-posts: when a walk has posts enough, what it still asks for then, and which of them it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from blogforever.pipeline.harvest import HarvestedPost
from blogforever.pipeline.limits import limit_of_posts
from blogforever.protocols import Ask
from blogforever.urls import url_key

# Only all pages together tell which are posts. They are asked again after a thirtieth more of them,
# so that the whole walk costs no more than thirty such questions; what is fetched beyond the limit
# is at most that.
PAGES_PER_COUNT = 30


class PostLimit:
    """Counts posts that the archive did not have; without a number, nothing is counted and nothing
    is left out.

    `known` has the keys of all addresses of the posts that are kept: they do not count, so that the
    next crawl goes on.
    """

    def __init__(self, most: int = 0, known: Collection[str] = ()) -> None:
        self.most, self.known = most, known
        self.reached: str | None = None
        """What ended the walk, in words."""
        self._count_at = most
        self._parts: set[str] = set()

    def count(self, pages: int, posts: Callable[[], Iterable[HarvestedPost]]) -> None:
        """After so many pages: whether there are posts enough among them."""
        if not self.most or self.reached or pages < self._count_at:
            return
        lacking = self.most - sum(not self._is_known(post) for post in posts())
        if lacking <= 0:
            self.reached = limit_of_posts(self.most)
        self._count_at = pages + max(lacking, pages // PAGES_PER_COUNT)

    def still_wanted(self, asks: Iterable[Ask]) -> list[Ask]:
        """What is asked for after that: only what belongs to posts that are there, their comments and further pages."""
        if not self.reached:
            return list(asks)
        return [ask for ask in asks if ask.role == "comments" or ask.first in self._parts]

    def lacking_parts(self, places: Mapping[str, Sequence[str]], posts: Sequence[HarvestedPost]) -> list[str]:
        """Of the further pages that posts may have, those of the posts that are kept."""
        kept = {key for post in self.kept(posts) for key in keys_of(post)}
        wanted = [url for key, urls in places.items() if key in kept for url in urls]
        self._parts.update(wanted)
        return wanted

    def kept(self, posts: Sequence[HarvestedPost]) -> list[HarvestedPost]:
        """The posts that were known, and of the others as many as are wanted, those that came first."""
        if not self.most:
            return list(posts)
        new = [post for post in posts if not self._is_known(post)]
        left = {post.url for post in new[self.most :]}
        return [post for post in posts if post.url not in left]

    def _is_known(self, post: HarvestedPost) -> bool:
        return any(key in self.known for key in keys_of(post))


def keys_of(post: HarvestedPost) -> Iterator[str]:
    """The keys of all addresses of a post."""
    return map(url_key, (post.url, *post.aliases))
