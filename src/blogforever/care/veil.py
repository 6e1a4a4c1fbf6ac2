"""What is hidden is taken out of every record before anybody sees it; the archive itself keeps it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from blogforever.protocols import Record

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

    def blog(self, blog: str) -> bool:
        """Whether a whole blog is hidden."""
        return self.hides("blog", blog, blog)

    def post(self, record: Record) -> Record | None:
        """The record as others may see it; None where nobody may."""
        blog = record.get("blog")
        if not self._hidden:
            return record
        if self.blog(str(blog)) or self._post_hidden(record, blog):
            return None
        return self._without_comments(record, blog)

    def line(self, record: Record) -> Record | None:
        """Any record of an export: blog, post or failure."""
        if record["type"] == "post":
            return self.post(record)
        blog = record["id"] if record["type"] == "blog" else record.get("blog")
        if self.blog(str(blog)):
            return None
        if record["type"] == "failure" and self.hides("url", record.get("url"), blog):
            return None
        return record

    def mark(self, blog: str) -> str:
        """Changes when something else of the blog is hidden than before; empty where nothing is."""
        of_blog = [one for one in self._hidden if one.blog in (None, blog)]
        if not of_blog:
            return ""
        targets = sorted(f"{one.kind} {target_digest(one.kind, one.target)}" for one in of_blog)
        return hashlib.sha256("\n".join(targets).encode()).hexdigest()[:_MARK_DIGITS]

    def comments(self, record: Record) -> list[Record]:
        """The comments of a post that are hidden."""
        blog = record.get("blog")
        comments = record.get("comments") or []
        return [comment for comment in comments if self._comment_hidden(comment, blog)]

    def _post_hidden(self, record: Record, blog: str | None) -> bool:
        """Whether a post is hidden by one of its addresses or by one of its authors."""
        names = (record.get("url"), *(record.get("aliases") or ()))
        if any(self.hides("url", name, blog) for name in names):
            return True
        authors = record.get("authors") or ()
        return any(self.hides("author", author.get("name"), blog) for author in authors)

    def _comment_hidden(self, comment: Record, blog: str | None) -> bool:
        """Whether a comment is hidden by its id or by its author, or nothing is left of it."""
        name = (comment.get("author") or {}).get("name")
        if self._erased and _is_erased(comment.get("text") or ""):
            return True
        return self.hides("comment", comment.get("id"), blog) or self.hides("author", name, blog)

    def _without_comments(self, record: Record, blog: str | None) -> Record:
        """The record without the comments that are hidden.

        Answers to them answer what those answered.
        """
        comments: list[Record] = record.get("comments") or []
        hidden = [comment for comment in comments if self._comment_hidden(comment, blog)]
        if not hidden:
            return record
        gone = {comment.get("id"): comment.get("parent") for comment in hidden}
        answered = _nearest_kept(gone)
        kept = [comment for comment in comments if comment.get("id") not in gone]
        return record | {"comments": [_adopted(comment, answered) for comment in kept]}


def _is_erased(text: str) -> bool:
    """Whether erasing left nothing of a text."""
    return "x" in text and _NO_LETTER_BUT_X.fullmatch(text) is not None


def _nearest_kept(gone: dict[Any, Any]) -> dict[Any, Any]:
    """For each comment that is gone, the nearest of those it answers that is not.

    None where all are, or it goes round.

    Each link of a thread is followed once, however long the thread is.
    """
    nearest: dict[Any, Any] = {}
    for start in gone:
        path: dict[Any, None] = {}
        at = start
        while at in gone and at not in nearest and at not in path:
            path[at] = None
            at = gone[at]
        found = nearest.get(at) if at in gone else at
        nearest.update(dict.fromkeys(path, found))
    return nearest


def _adopted(comment: Record, answered: dict[Any, Any]) -> Record:
    """An answer to a hidden comment answers what that one answered."""
    parent = comment.get("parent")
    return comment | {"parent": answered[parent]} if parent in answered else comment
