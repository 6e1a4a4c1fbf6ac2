"""Values as lines for programs."""

from __future__ import annotations

from typing import Any

import msgspec

from blogforever.records import json_line


def told_json(value: Any) -> str:
    """A value, or a mapping of values, as one line of JSON; the names are those of its fields."""
    return json_line(msgspec.to_builtins(value))
