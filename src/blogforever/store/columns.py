"""Columns that hold JSON, read as values: what is not as we wrote it is told as damage, whoever was asking."""

from __future__ import annotations

from typing import Any, TypeVar, overload

import msgspec

from blogforever.errors import ArchiveError
from blogforever.typedjson import decoded

from .database import WHAT_TO_DO

Kind = TypeVar("Kind")


@overload
def read_column(text: bytes | str, kind: type[Kind]) -> Kind: ...
@overload
def read_column(text: bytes | str, kind: Any) -> Any: ...
def read_column(text: bytes | str, kind: Any) -> Any:
    """What a column says, as a value of this type."""
    try:
        return decoded(text, kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError) as error:
        raise ArchiveError(f"The archive's database is damaged: {error}; {WHAT_TO_DO}.") from error
