"""Asking once more before something is done to many blogs that is hard to take back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import Request
from fastapi.responses import Response

from .page import page

# What cannot be undone by the opposite deed.
HARD_TO_UNDO = ("block", "unfollow")
# Blogs that are named where somebody is asked.
NAMED = 12


def must_ask(deed: str, blogs: int) -> bool:
    """Whether somebody is asked first: one blog is chosen with care, many are chosen by a tick."""
    return deed in HARD_TO_UNDO and blogs > 1


def ask_first(
    request: Request, action: str, fields: Mapping[str, object], words: str, blogs: Sequence[str]
) -> Response:
    """The page that asks; its form sends the same once more, and that somebody is sure."""
    hidden = [(name, one) for name, value in fields.items() for one in (value if isinstance(value, list) else [value])]
    named, number = blogs[:NAMED], len(blogs)
    back = fields.get("back", "/")
    return page(request, "sure.html", action=action, hidden=hidden, words=words, named=named, number=number, back=back)
