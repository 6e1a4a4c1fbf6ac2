"""How long what others send may be: names of lists, tags and people, notes, and how many names at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

# Nobody calls a list, a tag or a person anything longer, and an address that is blocked fits, too.
LONGEST_NAME = 200
# Several pages: a note says why, it is no document.
LONGEST_NOTE = 10_000
# Servers take no longer addresses, either.
LONGEST_ADDRESS = 4000
# Tags or lists that one request gives.
MOST_NAMES = 100

Name = Annotated[str, Field(max_length=LONGEST_NAME)]
