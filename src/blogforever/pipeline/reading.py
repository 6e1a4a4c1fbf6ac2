"""A page becomes the record of a post by the stages handed in: one way for crawls, updates and re-reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from blogforever.comments import without_comments
from blogforever.model import Comment, Entry, Page, Post, Rules, SharedPages
from blogforever.protocols import Ref
from blogforever.records import PostRecord

from .gathering import Extra, Gathered, as_gathered
from .parts import following, joined
from .record import post_record

Extract = Callable[[Page, Rules | None, Entry | None], Post]
Comments = Callable[[Page, Post, Rules | None, Iterable[tuple[Extra, Page]]], Gathered | tuple[Comment, ...]]
Responses = Sequence[tuple[Extra, Page]]


class StageFailed(Exception):
    """A stage raised on a page; what and where is noted already."""


@dataclass(frozen=True, slots=True)
class Reading:
    """By what a page is read: the rules, and the stages as they are configured. No comments: they
    are off.
    """

    rules: Rules | None
    extract: Extract
    comments: Comments | None
    parts_may_fail: bool = False
    """A crawl leaves out a further page it cannot read; read again, a post must not lose what it
    had.
    """

    @property
    def shared(self) -> SharedPages | None:
        """Where posts begin on pages that they share."""
        return self.rules.shared if self.rules else None

    def post(self, page: Page) -> Post:
        """What the page itself says."""
        return self.extract(page, self.rules, None)


@dataclass(frozen=True, slots=True)
class PageReading:
    """What was read: the post with its further pages and comments, and the record of it.

    `parts` are the further pages that went into it; `found` is None where comments are off.
    """

    post: Post
    record: PostRecord
    parts: Responses
    found: Gathered | None


def read_page(
    page: Page,
    reading: Reading,
    entry: Entry | None = None,
    others: Responses = (),
    blog: str = "",
    ref: Ref | None = None,
) -> PageReading:
    """Read a page and what else there is of its post: further pages and responses with comments.

    StageFailed where the page cannot be read.
    """
    post = reading.extract(page, reading.rules, entry)
    parts = list(following(post, _read_parts(others, reading)))
    if parts:
        post = joined(post, parts)
    used = {part.url for part in parts}
    found: Gathered | None = None
    if reading.comments:
        with_comments = [pair for pair in others if pair[0].kind != "part" or pair[1].url in used]
        found = as_gathered(reading.comments(page, post, reading.rules, with_comments))
        post = replace(without_comments(post, found.comments, page), comments=found.comments)
    own_parts = [pair for pair in others if pair[0].kind == "part" and pair[1].url in used]
    has_all = found is None or not found.cut
    record = post_record(post, blog, page, ref, has_all_comments=has_all)
    return PageReading(post, record, own_parts, found)


def _read_parts(others: Responses, reading: Reading) -> Iterable[Post]:
    """What the further pages of a post say."""
    for extra, page in others:
        if extra.kind != "part":
            continue
        try:
            yield reading.post(page)
        except StageFailed:
            if not reading.parts_may_fail:
                raise
