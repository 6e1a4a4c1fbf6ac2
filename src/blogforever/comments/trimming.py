"""What is left of the line about a comment at the beginning of its text, and of signs between its links."""

from __future__ import annotations

import re
from html import unescape

from selectolax.lexbor import LexborNode

from blogforever.comments.view import CommentDraft
from blogforever.comments.words import LABELS
from blogforever.dom import tokenise

_WORD = re.compile(r"\w")
_SIGNS = " \t\n)]:：,;.–—|-→▶►➜"
_PARTS = re.compile(r"<[^<>]*>|&[#\w]{1,32};|.", re.DOTALL)


def signs_beside(node: LexborNode) -> list[int]:
    """The strokes and dots between a link and the next one."""
    signs = []
    for beside in (node.prev, node.next):
        if beside is None or not beside.is_text_node:
            continue
        if not _WORD.search(beside.text_content or ""):
            signs.append(beside.mem_id)
    return signs


def line_length(draft: CommentDraft) -> int:
    """How much of a text is the rest of the line about the comment: "(2 May): ", "wrote: "."""
    text = draft.text
    end = 0
    start = text.find(draft.date_text) if draft.date_text else -1
    if start >= 0 and LABELS.union(tokenise(draft.name)).issuperset(tokenise(text[:start])):
        end = start + len(draft.date_text)
    elif draft.name_place is None:
        return 0
    end += len(text[end:]) - len(text[end:].lstrip(_SIGNS))
    # A line without a text behind it is what the comment says.
    return end if end < len(text) else 0


def without_start(html: str, start: str) -> str:
    """Mark-up without the characters it begins with; tags stay."""
    left = sum(not c.isspace() for c in start)
    kept: list[str] = []
    for part in _PARTS.finditer(html):
        if not left:
            return "".join(kept) + html[part.start() :].lstrip()
        if part[0].startswith("<"):
            kept.append(part[0])
        elif not part[0].isspace():
            left -= min(left, len(unescape(part[0])))
    return "".join(kept)


__all__ = ["line_length", "signs_beside", "without_start"]
