"""What is hidden is taken out of every record before anybody sees it; the archive itself keeps it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from msgspec.structs import replace

from blogforever.records import AnyRecord, BlogRecord, CommentRecord, FailureRecord, PostRecord

from .decisions import Hidden, target_digest

# What erasing leaves of a text.
_NO_LETTER_BUT_X = re.compile(r"[\Wx]*")
# Hexadecimal digits that tell apart what is hidden of one blog.
_MARK_DIGITS = 12


class Veil:
    """Hides posts, comments, authors and blogs, by address, id or name, on one day."""

    def __init__(self, hidden: Iterable[Hidden] = (), day: str = "") -> None:
        self._hidden = [one for one in hidden if one.in_force(day)]
        # Where nothing was erased, a text of nothing but x is what somebody wrote.
        self._erased = any(one.erased for one in self._hidden)
        # By kind and digest the blogs in which a target is hidden; None stands for all of them.
        self._targets: dict[str, dict[str, set[str | None]]] = {}
        for one in self._hidden:
            places = self._targets.setdefault(one.kind, {})
            places.setdefault(target_digest(one.kind, one.target), set()).add(one.blog)

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def hides(self, kind: str, target: str | None, blog: str | None = None) -> bool:
        """Whether this very thing is hidden, everywhere or in this blog."""
        places = self._targets.get(kind)
        if not places or not target:
            return False
        blogs = places.get(target_digest(kind, target), ())
        return None in blogs or blog in blogs

    def knows_addresses(self, blog: str) -> bool:
        """Whether an address of this blog is hidden of which only the digest is left."""
        return any(one.kind == "url" and not one.named and one.blog in (None, blog) for one in self._hidden)

    def blog(self, blog: str) -> bool:
        """Whether a whole blog is hidden."""
        return self.hides("blog", blog, blog)

    def post(self, record: PostRecord) -> PostRecord | None:
        """The record as others may see it; None where nobody may."""
        if not self._hidden:
            return record
        if self.blog(record.blog) or self._post_hidden(record):
            return None
        return self._without_comments(record)

    def line(self, record: AnyRecord) -> AnyRecord | None:
        """Any record of an export: blog, post or failure."""
        if isinstance(record, PostRecord):
            return self.post(record)
        if isinstance(record, BlogRecord):
            return None if self.blog(record.id) else record
        return None if self._failure_hidden(record) else record

    def mark(self, blog: str) -> str:
        """Changes when something else of the blog is hidden than before; empty where nothing is."""
        of_blog = [one for one in self._hidden if one.blog in (None, blog)]
        if not of_blog:
            return ""
        targets = sorted(f"{one.kind} {target_digest(one.kind, one.target)}" for one in of_blog)
        return hashlib.sha256("\n".join(targets).encode()).hexdigest()[:_MARK_DIGITS]

    def comments(self, record: PostRecord) -> list[CommentRecord]:
        """The comments of a post that are hidden."""
        return [comment for comment in record.comments if self._comment_hidden(comment, record.blog)]

    def _post_hidden(self, record: PostRecord) -> bool:
        """Whether a post is hidden by one of its addresses or by one of its authors."""
        if any(self.hides("url", address, record.blog) for address in record.addresses):
            return True
        return any(self.hides("author", author.name, record.blog) for author in record.authors)

    def _failure_hidden(self, record: FailureRecord) -> bool:
        return self.blog(record.blog) or self.hides("url", record.url, record.blog)

    def _comment_hidden(self, comment: CommentRecord, blog: str) -> bool:
        """Whether a comment is hidden by its id or by its author, or nothing is left of it."""
        if self._erased and _is_erased(comment.text):
            return True
        return self.hides("comment", comment.id, blog) or self.hides("author", comment.author.name, blog)

    def _without_comments(self, record: PostRecord) -> PostRecord:
        """The record without the comments that are hidden.

        Answers to them answer what those answered.
        """
        gone = {comment.id: comment.parent for comment in self.comments(record)}
        if not gone:
            return record
        answered = _nearest_kept(gone)
        kept = tuple(_adopted(comment, answered) for comment in record.comments if comment.id not in gone)
        return replace(record, comments=kept)


def _is_erased(text: str) -> bool:
    """Whether erasing left nothing of a text."""
    return "x" in text and _NO_LETTER_BUT_X.fullmatch(text) is not None


def _nearest_kept(gone: dict[str, str | None]) -> dict[str, str | None]:
    """For each comment that is gone, the nearest of those it answers that is not.

    None where all are, or it goes round.

    Each link of a thread is followed once, however long the thread is.
    """
    nearest: dict[str, str | None] = {}
    for start in gone:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in gone and at not in nearest and at not in path:
            path[at] = None
            at = gone[at]
        found = nearest.get(at) if at is not None and at in gone else at
        nearest.update(dict.fromkeys(path, found))
    return nearest


def _adopted(comment: CommentRecord, answered: dict[str, str | None]) -> CommentRecord:
    """An answer to a hidden comment answers what that one answered."""
    if comment.parent is None or comment.parent not in answered:
        return comment
    return replace(comment, parent=answered[comment.parent])
