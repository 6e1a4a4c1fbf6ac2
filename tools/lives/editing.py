"""A harder life, for programs that can do more: small edits, silent edits, drafts, outages, moves without a trace.

After each thing one update must find exactly that, as in the story every platform is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from .platform import Platform
from .story import Found, Story

EVERY: Found = {"recheck": 1.0}
Old = Literal["redirect", "vanish"]


@runtime_checkable
class Desk(Platform, Protocol):
    """What an editor does at the desk of a program."""

    announces_tags: bool
    """Whether its sitemap tells of a post of which only the tags were changed."""

    def set(self, key: str, quietly: bool = False, **fields: Any) -> None:
        """Set title, tags or published, add a sentence or a picture; quietly where no date of change may tell."""

    def return_from_trash(self, key: str) -> None:
        """Publish again what was taken away."""

    def outage(self, down: bool) -> None:
        """Answer nothing but 503, or be there again."""

    def move(self, old: Old) -> None:
        """Other addresses again; what becomes of those that posts had."""

    def further_desk(self) -> Sequence[tuple[str, Callable[[], Found], Found]]:
        """What only this program can do: name, act, and how the update runs."""


@dataclass(slots=True)
class Editing:
    """The harder story, told where the other one ended."""

    story: Story
    desk: Desk

    def tell(self) -> None:
        """Everything that happens."""
        plain = sorted(self.desk.posts(), key=lambda key: self.desk.posts()[key].published)
        event, desk = self.story.event, self.desk
        event("only a title", self.edit(plain[9], title="Quite another title for it"))
        event("only a picture", self.edit(plain[10], picture="/static/pictures/new.png"))
        tags_told: Found = {} if desk.announces_tags else EVERY
        event("only tags", self.story.facts(plain[11], tags=["Maps", "Tides"]), tags_told)
        event("another date", self.story.facts(plain[12], day="2024-02-03"))
        event("an edit nobody announces", self.edit(plain[13], True, sentence="Nobody was told of this line."), EVERY)
        event("unpublish", self.story.trashes(plain[14], plain[-5]))
        event("publish again", self.returns(plain[14], plain[-5]))
        event("an outage", self.down)
        event("after the outage", self.story.quiet(lambda: desk.outage(False)))
        event("an outage at every post", self.down, EVERY)
        event("after the outage", self.story.quiet(lambda: desk.outage(False)), EVERY)
        for name, act, options in desk.further_desk():
            event(name, act, options)
        event("permalinks with redirects", self.moves("redirect"))
        event("unchanged", dict)
        event("permalinks without a trace", self.moves("vanish"))
        event("unchanged", dict)

    def edit(self, key: str, quietly: bool = False, **fields: Any) -> Callable[[], Found]:
        """Something that makes a version."""

        def act() -> Found:
            self.desk.set(key, quietly, **fields)
            return {"versions": [key], "says": fields.get("sentence", "")}

        return act

    def returns(self, *keys: str) -> Callable[[], Found]:
        """Posts come back."""

        def act() -> Found:
            for key in keys:
                self.desk.return_from_trash(key)
            return {"states": dict.fromkeys(sorted(keys), "active")}

        return act

    def down(self) -> Found:
        """Nothing answers, and nothing follows from it."""
        self.desk.outage(True)
        return {}

    def moves(self, old: Old) -> Callable[[], Found]:
        """Other addresses for all."""

        def act() -> Found:
            self.desk.move(old)
            return {"moved": sorted(key for key, post in self.story.kept().items() if post.status == "active")}

        return act
