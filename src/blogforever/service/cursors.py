"""Places in lists as others hand them back to us: cursors, for the API and the portal."""

from __future__ import annotations

import base64
import binascii
from typing import TypeVar

import msgspec

from blogforever.errors import UsageError
from blogforever.typedjson import decoded

Place = TypeVar("Place")
LONGEST_CURSOR = 2000


def cursor_of(place: object | None) -> str | None:
    """A place in a list as others hand it back to us."""
    if place is None:
        return None
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def place_of(after: str, kind: type[Place]) -> Place | None:
    """The place that a cursor stands for; UsageError where it was not made by us."""
    if not after:
        return None
    try:
        plain = base64.b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True)
        return decoded(plain, kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise UsageError("`after` is not the `next` of a page of this list.") from error
