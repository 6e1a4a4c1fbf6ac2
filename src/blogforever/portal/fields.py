"""Fields that several forms have: names behind each other, what is said of a blog."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Form
from pydantic import BaseModel, Field

from blogforever.source.given import BlogMetadata
from blogforever.storage.following import FollowedBlog

from .words import N_

LONGEST, LONGEST_TEXT, MOST_NAMES = 500, 20_000, 100
Text = Annotated[str, Form(max_length=LONGEST)]
METADATA = {
    "language": N_("Language"),
    "location": N_("Place"),
    "topic": N_("Topic"),
    "author": N_("Author"),
    "author_kind": N_("Kind of author"),
    "institution": N_("Institution"),
}
"""What is said of a blog, by the names of `BlogMetadata`."""


class MetadataForm(BaseModel):
    """What a form says of a blog, or of all blogs of a list."""

    language: str = Field("", max_length=LONGEST)
    location: str = Field("", max_length=LONGEST)
    topic: str = Field("", max_length=LONGEST)
    author: str = Field("", max_length=LONGEST)
    author_kind: str = Field("", max_length=LONGEST)
    institution: str = Field("", max_length=LONGEST)

    def metadata(self) -> BlogMetadata:
        """The same as it is kept."""
        return BlogMetadata(**{name: getattr(self, name).strip() for name in METADATA})


def split_names(text: str) -> tuple[str, ...]:
    """Names that somebody wrote behind each other, with commas or semicolons between them."""
    names = (" ".join(name.split())[:LONGEST] for name in text.replace(";", ",").split(","))
    return tuple(dict.fromkeys(name for name in names if name))[:MOST_NAMES]


def place(blog: FollowedBlog | str) -> str:
    """Where a followed blog is shown."""
    return f"/sources/{quote(blog if isinstance(blog, str) else blog.id, safe='')}"


FIELDS = {
    "title": N_("Title"),
    "html": N_("Text"),
    "authors": N_("Authors"),
    "published": N_("Published"),
    "tags": N_("Tags"),
    "categories": N_("Categories"),
    "comments": N_("Comments"),
    "language": N_("Language"),
    "summary": N_("Summary"),
    "subtitle": N_("Subtitle"),
    "modified": N_("Modified"),
    "kind": N_("Kind"),
    "media": N_("Pictures and files"),
    "links": N_("Links"),
    "previous_url": N_("Post before it"),
    "next_url": N_("Post after it"),
    "status": N_("State"),
}
"""What the fields of a post are called."""
