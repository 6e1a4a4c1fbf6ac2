"""The post that an address of the portal names."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from blogforever.records import PostRecord
from blogforever.service.browsing import find_post
from blogforever.service.standing import Standing

from .refusing import not_found
from .words import _

PostId = Annotated[str, Path(max_length=200)]


def found_post(standing: Standing, post: str) -> PostRecord:
    """The post, where it may be shown; else the page that says there is none."""
    record = find_post(standing.archive, post)
    if record is None:
        raise not_found(_("There is no such post, or it must not be shown."))
    return record
