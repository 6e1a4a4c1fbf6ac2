"""What somebody gave: one row for each address, with what was said of the blog beside it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BlogMetadata:
    """What a person says of a blog; of its author: the name,
    the kind (academic, journalist ...), the institution.
    """

    language: str = ""
    location: str = ""
    topic: str = ""
    author: str = ""
    author_kind: str = ""
    institution: str = ""


@dataclass(frozen=True, slots=True)
class GivenRow:
    """One row of what was pasted, uploaded or called: its number, what was typed, and the address
    that was meant.

    Where there is no `url`, `problem` says why in one sentence. `feeds` are further addresses that
    were given for it.
    """

    number: int
    input: str
    url: str = ""
    problem: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    until: str = ""
    feeds: tuple[str, ...] = ()
    metadata: BlogMetadata = field(default_factory=BlogMetadata)
