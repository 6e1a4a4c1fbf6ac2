"""What the story of a blog's life asks of the program that runs the blog: one adapter for each program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Told:
    """A published post as its own program has it: address, date, whether it is an ordinary long text on one page."""

    url: str
    published: str
    plain: bool = True


class Platform(Protocol):
    """A blog program that does what an author, or a reader, does; posts have keys that never change."""

    @property
    def sources(self) -> Sequence[str]:
        """What only the addresses of its feeds, sitemaps and interfaces contain."""

    @property
    def announces(self) -> bool:
        """Whether it tells of edits and deletions of old posts; where not, the story looks at every post again."""

    @property
    def has_comments(self) -> bool:
        """Whether readers can write."""

    @property
    def announces_comments(self) -> bool:
        """Whether a feed tells of new comments; where not, those under old posts are seen when their turn comes."""

    def start(self) -> str:
        """Start it with its posts, in its first theme, with full feeds and its first permalinks; the blog's address."""

    def stop(self) -> None:
        """Stop what was started."""

    def posts(self) -> dict[str, Told]:
        """Every published post by its key; what was done so far is to be seen on the blog when this returns."""

    def publish(self, title: str, paragraphs: Sequence[str]) -> str:
        """Publish a post now; its key."""

    def edit(self, key: str, sentence: str) -> None:
        """Write one more sentence under a post."""

    def take_back(self, key: str, sentence: str) -> None:
        """Take such a sentence out again."""

    def rewrite_facts(self, key: str, tags: Sequence[str] = (), day: str = "") -> None:
        """Give a post other tags, or another day; its words stay."""

    def trash(self, key: str) -> None:
        """Take a post away."""

    def comment(self, key: str, author: str, text: str) -> None:
        """A reader answers, and everybody may read it."""

    def hide_comment(self, key: str, author: str, *, for_good: bool) -> None:
        """What a reader has written under a post is held for moderation, or deleted for good."""

    def switch_theme(self) -> None:
        """Let the blog look altogether different."""

    def excerpts(self) -> None:
        """Let the feed say only how posts begin."""

    def permalinks(self) -> None:
        """Give every post another address."""

    def requests(self) -> Sequence[str]:
        """The paths the crawler has asked for since the start."""

    def further(self) -> Sequence[tuple[str, Callable[[], None]]]:
        """What else happens to blogs of this kind and changes no post: the name of each event and what does it."""
