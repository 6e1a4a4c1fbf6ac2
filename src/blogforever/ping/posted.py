"""Pings as a program posts them: JSON, an object or a list of them, each with `url`, and `feed` and `name` if known."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from blogforever.errors import BadInput

from .notice import LONGEST_ADDRESS, LONGEST_NAME, Notice

# Bytes and pings of one delivery: who has more to say sends several.
LARGEST_POSTED = 1024 * 1024
MOST_POSTED = 1000
SERVICE = "hook"


def read_posted(body: bytes) -> tuple[list[Notice], int]:
    """The pings of a delivery, and how many of its rows are none; BadInput where it is no such
    thing at all.
    """
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("What was posted is no JSON.") from error
    rows = said if isinstance(said, list) else [said]
    if len(rows) > MOST_POSTED:
        raise BadInput(f"These are more than {MOST_POSTED} pings; send them in parts.")
    notices = [notice for notice in map(_notice, rows) if notice]
    return notices, len(rows) - len(notices)


def _notice(row: object) -> Notice | None:
    if not isinstance(row, Mapping):
        return None
    url, feed, name = (row.get(part) or "" for part in ("url", "feed", "name"))
    are_texts = isinstance(url, str) and isinstance(feed, str) and isinstance(name, str)
    if not are_texts or not url.strip() or len(url) > LONGEST_ADDRESS:
        return None
    return Notice(url.strip(), name[:LONGEST_NAME], feed[:LONGEST_ADDRESS], SERVICE)
