"""Texts of any length as keys of tables: a tree of PostgreSQL takes no value of more than 2,700
bytes.

A long one is written as its beginning and its digest, in every database, and asked for so; where
all of it is needed, it stands beside the key in a column that no index has.
"""

from __future__ import annotations

from hashlib import sha256

# A letter has four bytes at most, and a key has a blog or a post beside it.
LONGEST_KEY = 600
# What stays readable: a host, which has 253 letters at most, is always whole in it.
BEGINNING = 300
CUT = "…"


def briefly(text: str) -> str:
    """A text as a key has it; two of them are the same where the texts are."""
    if len(text) <= LONGEST_KEY:
        return text
    return f"{text[:BEGINNING]}{CUT}{sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def whole_of(text: str) -> str | None:
    """What stands beside the key of a text; None where the key is all of it."""
    return text if len(text) > LONGEST_KEY else None
