"""A flat list of comments as the thread it is: answers under what they answer, each comment once."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.protocols import Record

from .days import counted

DEEPEST = 5


def threaded(comments: Iterable[Record]) -> list[tuple[int, Record]]:
    """Every comment with its depth, in reading order; unknown or circular parents make a comment stand at the top."""
    ordered = sorted(enumerate(comments), key=lambda pair: (_place(pair[1]), pair[0]))
    known = {comment["id"]: comment for _, comment in ordered if comment.get("id")}
    answers: dict[str | None, list[Record]] = {}
    for _, comment in ordered:
        parent = comment.get("parent")
        answers.setdefault(parent if parent in known and parent != comment.get("id") else None, []).append(comment)
    thread = _walk(answers, [(0, comment) for comment in reversed(answers.get(None, []))])
    seen = {id(comment) for _, comment in thread}
    return thread + [(0, comment) for _, comment in ordered if id(comment) not in seen]


def comments_heading(post: Record, number: int) -> str:
    """How many comments are kept, and how many the page spoke of where that is another number."""
    stated = (post.get("extra") or {}).get("comments_stated")
    told = f" (the page states {stated})" if isinstance(stated, int) and stated != number else ""
    return counted(number, "comment") + told


def _walk(answers: dict[str | None, list[Record]], waiting: list[tuple[int, Record]]) -> list[tuple[int, Record]]:
    thread = []
    while waiting:
        depth, comment = waiting.pop()
        thread.append((depth, comment))
        deeper = answers.pop(comment["id"], []) if comment.get("id") else []
        waiting += [(min(depth + 1, DEEPEST), answer) for answer in reversed(deeper)]
    return thread


def _place(comment: Record) -> int:
    position = comment.get("position")
    return position if isinstance(position, int) else 1 << 30
