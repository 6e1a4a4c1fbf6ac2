"""A flat list of comments as the thread it is: answers under what they answer, each comment once."""

from __future__ import annotations

from collections.abc import Iterable

from blogforever.records import CommentRecord

# Answers below that are shown at the same depth: lines would get too narrow.
DEEPEST = 5


def threaded(comments: Iterable[CommentRecord]) -> list[tuple[int, CommentRecord]]:
    """Every comment with its depth, in reading order; unknown or circular parents make a comment
    stand at the top.
    """
    ordered = sorted(comments, key=lambda comment: comment.position)
    known = {comment.id for comment in ordered}
    answers: dict[str | None, list[CommentRecord]] = {}
    for comment in ordered:
        answers_another = comment.parent in known and comment.parent != comment.id
        answers.setdefault(comment.parent if answers_another else None, []).append(comment)
    thread = _walk(answers, [(0, comment) for comment in reversed(answers.get(None, []))])
    seen = {id(comment) for _, comment in thread}
    return thread + [(0, comment) for comment in ordered if id(comment) not in seen]


def _walk(
    answers: dict[str | None, list[CommentRecord]], waiting: list[tuple[int, CommentRecord]]
) -> list[tuple[int, CommentRecord]]:
    thread = []
    while waiting:
        depth, comment = waiting.pop()
        thread.append((depth, comment))
        deeper = answers.pop(comment.id, [])
        waiting += [(min(depth + 1, DEEPEST), answer) for answer in reversed(deeper)]
    return thread
