"""What came for the looks of an update: the first and second answers for known posts, and those that moved."""

from __future__ import annotations

from dataclasses import dataclass, field

from blogforever.protocols import Ref

from .findings import Looked, Move


@dataclass(slots=True)
class Arrivals:
    """The answers, by the ids of the posts they are of."""

    first: dict[str, Looked] = field(default_factory=dict)
    again: dict[str, Looked] = field(default_factory=dict)
    moved: dict[str, tuple[Looked, Move]] = field(default_factory=dict)
    """Posts that were found at addresses nobody knew."""
    parts: dict[str, Ref] = field(default_factory=dict)
    """Further pages of long posts, by their addresses."""
    probe: Looked | None = None
    """The answer to an address that cannot exist."""

    def arrived(self, looked: Looked) -> None:
        """The answer to a look at a known post, a second one, a part of one, or that to the probe."""
        look = looked.look
        if look.why == "probe":
            self.probe = looked
        elif look.why == "part":
            if looked.ref:
                self.parts[look.url] = looked.ref
        elif look.post is not None:
            met = look.post.id in self.first or look.post.id in self.moved
            (self.again if met else self.first)[look.post.id] = looked

    def known_posts(self) -> list[tuple[str, Looked]]:
        """The first answer for each known post, wherever it was found."""
        return [*self.first.items(), *((post, looked) for post, (looked, _move) in self.moved.items())]
