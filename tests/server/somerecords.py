"""Records for tests: written as JSON has them, with only the fields that matter."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from blogforever.records import BlogRecord, BlogSummary, CommentRecord, PostRecord, from_json


def some_post(**fields: Any) -> PostRecord:
    """A post with these fields; the others are empty."""
    return from_json({"id": "p", "blog": "b", "url": "https://b.example/p/"} | deepcopy(fields), PostRecord)


def some_comment(**fields: Any) -> CommentRecord:
    """A comment with these fields; the others are empty."""
    return from_json({"id": "c"} | deepcopy(fields), CommentRecord)


def some_blog(**fields: Any) -> BlogSummary:
    """A blog with these fields, and what was counted of it."""
    counted = {name: fields.pop(name) for name in ("kept", "first", "last", "crawled") if name in fields}
    record = from_json({"id": "b", "url": "https://b.example/"} | deepcopy(fields), BlogRecord)
    return BlogSummary(record, **counted)
