"""Repairs of one click: what a person does to blogs that need him, one or a whole group for the same reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from blogforever.storage.deciding import FollowedChange
from blogforever.storage.following import FollowedBlog
from blogforever.storage.suspects import SpamDecision
from blogforever.storage.tables import Store
from blogforever.storage.work import JobRow
from blogforever.wording import in_english, say

from .asking import ask_for_look, ask_to_reread, ask_to_try_again
from .desk import Desk
from .following import change_followed
from .many import ManyDeed, ManyRequest, do_to_many
from .suspecting import decide_on_spam

RepairDeed = Literal[
    "accept", "freeze", "look", "again", "reread", "pause", "resume", "block", "unfollow", "let in", "not spam"
]
ON_SPAM: dict[RepairDeed, SpamDecision] = {"let in": "let in", "not spam": "not spam", "block": "spam"}
"""What is said of a blog that is likely spam."""
OF_MANY: dict[RepairDeed, ManyDeed] = {
    "pause": "pause",
    "resume": "resume",
    "look": "look",
    "block": "block",
    "unfollow": "unfollow",
}
"""What is decided of many at once."""
ASKED_FOR: dict[RepairDeed, Callable[[Store, FollowedBlog, str], JobRow]] = {
    "again": ask_to_try_again,
    "reread": ask_to_reread,
}
"""What is a job for each."""


def freeze(desk: Desk, blog: FollowedBlog) -> FollowedBlog:
    """Let a blog stand as the archive has it: nobody looks at it until somebody accepts what it
    shows, or resumes it.

    It is paused, so that no ping wakes it; what is restored from the journal alone is called so.
    """
    change_followed(desk, blog.id, FollowedChange(paused=True))
    said = (say("frozen by {who}", who=desk.by),) if desk.by else (say("frozen by hand"),)
    after = desk.store.followed.change(
        blog.id, lambda one: replace(one, state="frozen", reason=in_english(said), said=said)
    )
    return after or blog


def accept(desk: Desk, blog: FollowedBlog) -> JobRow:
    """Take over what a frozen blog shows, at a look that begins now."""
    if blog.paused:
        change_followed(desk, blog.id, FollowedChange(paused=False))
    return ask_for_look(desk.store, blog, desk.by, accept_changes=True)


DECIDED: dict[RepairDeed, Callable[[Desk, FollowedBlog], object]] = {"freeze": freeze, "accept": accept}
"""What is decided of each, and then done."""


def repair(desk: Desk, blogs: Sequence[FollowedBlog], deed: RepairDeed, reason: str = "") -> int:
    """Do it; to how many blogs it was done."""
    if deed in ON_SPAM:
        number = _decide(desk, [blog.id for blog in blogs], ON_SPAM[deed])
        if deed != "block":
            return number
    if deed in OF_MANY:
        return do_to_many(desk, [blog.id for blog in blogs], ManyRequest(OF_MANY[deed], reason=reason))
    if deed in DECIDED:
        for blog in blogs:
            DECIDED[deed](desk, blog)
        return len(blogs)
    with desk.store.transaction():
        for blog in blogs:
            ASKED_FOR[deed](desk.store, blog, desk.by)
    return len(blogs)


def _decide(desk: Desk, blogs: Sequence[str], decided: SpamDecision) -> int:
    """The same for those among them that are suspected; who blocks another blog says nothing of
    spam.
    """
    suspected = [one.blog for one in desk.store.suspicions.some(blogs)]
    return decide_on_spam(desk, suspected, decided) if suspected else 0
